"""Text and names as they may be stored: no NUL, no broken characters, no name that shows nothing."""

from __future__ import annotations

import re
from functools import lru_cache

from bot.model import text as words

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def storable(text: str) -> str:
    """`text` without NUL, which PostgreSQL refuses, and without halves of characters, which no encoding can write."""
    return text if text.isascii() and "\x00" not in text else _UNSTORABLE.sub("", text)


def safe_name(*candidates: str | None, fallback: str) -> str:
    """The first candidate that shows something, on one line and without control characters; else `fallback`."""
    for candidate in candidates:
        if not candidate:
            continue
        if name := _safe(candidate):
            return name
    return fallback


@lru_cache(maxsize=4096)
def _safe(name: str) -> str:
    return words.safe_name(name, "")
