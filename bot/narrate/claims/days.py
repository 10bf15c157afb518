"""Days and versions in prose."""

from __future__ import annotations

import re
from dataclasses import dataclass

MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_MONTH = {name[:length]: n for n, name in enumerate(MONTHS, 1) for length in (3, len(name))} | {"sept": 9}

VERSION = re.compile(r"(?<![\w.-])v?\d+\.\d+\.\d+(?:[.+-]?\w+)*(?!\w)|(?<![\w.-])v\d+(?:\.\d+)+\w*")


@dataclass(frozen=True, slots=True)
class Day:
    """A day of the year; `year` 0 where it is not told."""

    year: int
    month: int
    day: int
    start: int
    end: int

    def agrees(self, other: Day) -> bool:
        return (self.month, self.day) == (other.month, other.day) and 0 in (
            self.year - other.year,
            self.year,
            other.year,
        )


_NAMED_DAY = re.compile(
    r"""\b(?:(?P<month>[A-Z][a-z]{2,8})\.?\s(?P<day>\d{1,2})(?:st|nd|rd|th)?(?!\w|[.:]\d)(?:,?\s(?P<year>(?:19|20)\d\d)\b)?
    |(?P<day2>\d{1,2})(?:st|nd|rd|th)?\s(?:of\s)?(?P<month2>[A-Z][a-z]{2,8})\b\.?(?:,?\s(?P<year2>(?:19|20)\d\d)\b)?
    |(?P<iso>(?:19|20)\d\d-\d\d-\d\d)(?:[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?
    |(?P<dotted>(?:19|20)\d\d[./]\d\d[./]\d\d))""",
    re.VERBOSE,
)


def days(text: str) -> list[Day]:
    """Every day that is told as a date: `September 1`, `1 Sept 2026`, `2026-09-01`."""
    found = []
    for match in _NAMED_DAY.finditer(text):
        if match["iso"] or match["dotted"]:
            year, month, day = (int(part) for part in re.split(r"[-./]", match["iso"] or match["dotted"]))
        else:
            month = _MONTH.get((match["month"] or match["month2"]).lower(), 0)
            day = int(match["day"] or match["day2"])
            year = int(match["year"] or match["year2"] or 0)
        if 1 <= month <= 12 and 1 <= day <= 31:
            found.append(Day(year, month, day, match.start(), match.end()))
    return found
