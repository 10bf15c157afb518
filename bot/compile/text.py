"""Small readings of what people wrote."""

from __future__ import annotations

import re
import unicodedata

_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_ADDRESS = re.compile(r"<?https?://[^\s<>]+>?")
_SPACE = re.compile(r"\s+")
_TOKEN = re.compile(r"<(?:a?:\w+:\d+|@[!&]?\d+|#\d+|t:\d+(?::\w)?)>")


def prose(text: str) -> str:
    """What somebody wrote in own words: without code, addresses, mentions and emoji."""
    return _SPACE.sub(" ", _TOKEN.sub(" ", _ADDRESS.sub(" ", _FENCE.sub(" ", text)))).strip()


def weight_of_words(text: str) -> int:
    """How much is said, about in words: a word counts one, two characters of a script without spaces too."""
    said = prose(text)
    wide = sum(1 for c in said if unicodedata.east_asian_width(c) in "WF")
    narrow = "".join(" " if unicodedata.east_asian_width(c) in "WF" else c for c in said)
    return wide // 2 + sum(1 for word in narrow.split() if any(c.isalpha() for c in word))
