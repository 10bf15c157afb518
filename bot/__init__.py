"""Gazette: the bot that writes a community's weekly digest on Discord.

The layout is the data's way through the program:
capture -> store -> (github) -> compile -> narrate -> render -> publish.
"""

__version__ = "0.1.0"
