"""Days and versions in prose."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

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
WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
WEEKDAY = re.compile(rf"\b({'|'.join(WEEKDAYS)})s?\b")
_MONTH = {name[:length]: n for n, name in enumerate(MONTHS, 1) for length in (3, len(name))} | {"sept": 9}

VERSION = re.compile(r"(?<![\w.-])v?\d+\.\d+\.\d+(?:[.+-]?\w+)*(?!\w)|(?<![\w.-])v\d+(?:\.\d+)+\w*")


@dataclass(frozen=True, slots=True)
class Day:
    """A day; `year` and `month` 0 where they are not told."""

    year: int
    month: int
    day: int
    start: int
    end: int

    @property
    def weekday(self) -> str:
        """The name of its weekday, "" where the date is not whole."""
        try:
            return WEEKDAYS[date(self.year, self.month, self.day).weekday()]
        except ValueError:
            return ""

    def agrees(self, other: Day) -> bool:
        """Whether both may be one day: what one of them does not tell is no difference."""
        parts = ((self.year, other.year), (self.month, other.month), (self.day, other.day))
        return all(mine == theirs or 0 in (mine, theirs) for mine, theirs in parts)


_ORDINALS = """first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
    fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third
    twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first"""
_ORDINALS_IN_WORDS = _ORDINALS.split()
_ORDINAL = "|".join(sorted(_ORDINALS_IN_WORDS, key=len, reverse=True))
_SPELLED_DAY = re.compile(
    rf"\b(?:(?P<day>{_ORDINAL}) of (?P<month>[A-Z][a-z]{{2,8}})|"
    rf"(?P<month2>[A-Z][a-z]{{2,8}}) (?:the )?(?P<day2>{_ORDINAL}))\b"
)
_BARE_DAY = re.compile(
    r"\b(?:on|by|until|since) the (?P<day>\d{1,2})(?:st|nd|rd|th)"
    r"(?=[.,;:)]|$|\s(?:and|but|by|with|in|after|while|for|as)\b)"
)
_BARE_SPELLED_DAY = re.compile(rf"\b(?:on|until|since) the (?P<day>{_ORDINAL})(?=[.,;:)]|$)")
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
    for match in _SPELLED_DAY.finditer(text):
        if month := _MONTH.get((match["month"] or match["month2"]).lower(), 0):
            day = _ORDINALS_IN_WORDS.index(match["day"] or match["day2"]) + 1
            found.append(Day(0, month, day, match.start(), match.end()))
    found += [
        Day(0, 0, int(match["day"]), match.start("day"), match.end())
        for match in _BARE_DAY.finditer(text)
        if 1 <= int(match["day"]) <= 31
    ]
    found += [
        Day(0, 0, _ORDINALS_IN_WORDS.index(match["day"]) + 1, match.start("day"), match.end())
        for match in _BARE_SPELLED_DAY.finditer(text)
    ]
    return sorted(found, key=lambda day: day.start)
