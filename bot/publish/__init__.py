"""Parts become messages on Discord: once, in order, on time, and right afterwards."""
