"""What is known, as frozen values and pure functions; imports nothing else of ours."""
