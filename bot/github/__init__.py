"""What GitHub says becomes model values."""
