"""The words in the pictures and of their descriptions, in English."""

from __future__ import annotations

from collections.abc import Sequence

from bot.narrate.language.en import numbers

MESSAGES_BY_DAY = "Messages by day"
MEMBERS_BY_DAY = "New members by day"
MESSAGES_BY_CHANNEL = "Messages by channel"
PULL_REQUESTS = "Pull requests"
MERGED, OPENED = "merged", "opened"
WEEKS_BEFORE = "weeks before"


def described(title: str, told: Sequence[str], usual: float | None) -> str:
    """A picture in words; `usual` is the mean of a day in the weeks before, None where it is not shown."""
    before = f"; in the weeks before {usual:,.0f} a day on average" if usual is not None else ""
    return f"{title}: {', '.join(told)}{before}."


def value(label: str, count: int) -> str:
    return f"{label} {count:,}"


def pair(label: str, merged: int, opened: int) -> str:
    return f"{label} {numbers.listed([f'{merged:,} {MERGED}', f'{opened:,} {OPENED}'])}"
