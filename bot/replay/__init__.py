"""A recorded week runs through the real bot, against a local Discord and a local GitHub."""
