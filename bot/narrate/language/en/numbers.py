"""English number words, dates, lists and agreement."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from num2words import num2words

_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def in_words(number: int) -> str:
    """`45` -> `forty-five`."""
    return str(num2words(number, lang="en")).replace(" and ", " ")


def number(value: int, *, opens: bool = False) -> str:
    """A count as prose writes it: words up to ten and, below a hundred, where it opens a sentence.

    No sentence opens with a numeral: "A total of 326".
    """
    if opens:
        return in_words(value).capitalize() if value < 100 else f"A total of {value:,}"
    return in_words(value) if value <= 10 else f"{value:,}"


def plural(value: int, singular: str, several: str | None = None) -> str:
    """The noun for a count: one person, 21 people, no people."""
    return singular if value == 1 else (several or singular + "s")


def ordinal(value: int) -> str:
    """`1` -> `1st`, `22` -> `22nd`."""
    return str(num2words(value, lang="en", to="ordinal_num"))


def day(when: date) -> str:
    """`September 1st`."""
    return f"{_MONTHS[when.month - 1]} {ordinal(when.day)}"


def listed(parts: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`; with semicolons' calm where the parts hold commas themselves."""
    parts = [part for part in parts if part]
    if len(parts) < 2:
        return "".join(parts)
    if len(parts) == 2:
        return f"{parts[0]} and {parts[1]}"
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def listed_clauses(parts: Sequence[str]) -> str:
    """Whole clauses in a row: `a shared x, and b shared y`."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])}, and {parts[-1]}"
