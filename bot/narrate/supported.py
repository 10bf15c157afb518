"""One sentence held against the texts it rests on."""

from __future__ import annotations

import re
from collections.abc import Sequence

_ADDRESSES = re.compile(r"\]\([^)]*\)|https?://\S+|[\w./-]*#\d+")
_NUMBERS = re.compile(r"\d+(?:[.,]\d+)*")


def is_supported(sentence: str, facts: Sequence[str]) -> bool:
    """Whether every figure of the sentence stands in one of the facts."""
    known = " ".join(facts).replace(",", "")
    return all(number.replace(",", "") in known for number in _NUMBERS.findall(_ADDRESSES.sub(" ", sentence)))
