"""Small readings of what people wrote."""

from __future__ import annotations

import re
import unicodedata

_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_ADDRESS = re.compile(r"<?https?://[^\s<>]+>?")
_SPACE = re.compile(r"\s+")
_CUT_WORD = re.compile(r"(\w{150})\w{150,}")
_CUT_RUN = re.compile(r"([^\s\u3000-\u303f\uff00-\uff65]{400})[^\s\u3000-\u303f\uff00-\uff65]{200,}")
_BLANK_LINES = re.compile(r"\n[^\S\n]*(?:\n[^\S\n]*){2,}")
_BLANKS = re.compile(r"([^\S\n]{40})[^\S\n]{20,}")
_TOKEN = re.compile(r"<(?:a?:\w+:\d+|@[!&]?\d+|#\d+|t:\d+(?::\w)?)>")


READ_AT_MOST = 12_000
"""So many characters of a body or comment are read; what people tell stands at its beginning, logs at its end."""


def readable(text: str) -> str:
    """The text as it stands, but for what nobody reads: the rest of a very long one, of endless words and gaps.

    A body may hold 65,000 characters without a space; whatever looks at words takes its time in the square of them.
    """
    text = text.replace("\r\n", "\n")
    shown = _BLANK_LINES.sub("\n\n", text) if "\n\n\n" in text or "\n " in text else text
    shown = _BLANKS.sub(r"\1", _CUT_RUN.sub(r"\1…", _CUT_WORD.sub(r"\1…", shown)))
    return shown if len(shown) <= READ_AT_MOST else shown[:READ_AT_MOST].rsplit("\n", 1)[0]


def prose(text: str) -> str:
    """What somebody wrote in own words: without code, addresses, mentions and emoji."""
    return _SPACE.sub(" ", _TOKEN.sub(" ", _ADDRESS.sub(" ", _FENCE.sub(" ", text)))).strip()


def weight_of_words(text: str) -> int:
    """How much is said, about in words: a word counts one, two characters of a script without spaces too."""
    said = prose(text)
    if said.isascii():
        return sum(1 for word in said.split() if any(map(str.isalpha, word)))
    wide = sum(1 for c in said if unicodedata.east_asian_width(c) in "WF")
    narrow = "".join(" " if unicodedata.east_asian_width(c) in "WF" else c for c in said)
    return wide // 2 + sum(1 for word in narrow.split() if any(c.isalpha() for c in word))
