"""Half-open stretches of time `[start, end)`: put together, and looked through for holes."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

Stretch = tuple[datetime, datetime]


def merged(stretches: Iterable[Stretch]) -> list[Stretch]:
    """The same instants in as few stretches as possible, in the order of time; empty ones are left out."""
    result: list[Stretch] = []
    for start, end in sorted(stretches):
        if start >= end:
            continue
        if result and start <= result[-1][1]:
            result[-1] = (result[-1][0], max(end, result[-1][1]))
        else:
            result.append((start, end))
    return result


def missing(stretches: Iterable[Stretch], start: datetime, end: datetime) -> list[Stretch]:
    """What of `[start, end)` lies in none of the stretches, in the order of time."""
    holes: list[Stretch] = []
    at = start
    for begins, ends in merged(stretches):
        if ends <= at:
            continue
        if begins >= end:
            break
        if begins > at:
            holes.append((at, begins))
        at = ends
    if at < end:
        holes.append((at, end))
    return holes


def without(stretches: Iterable[Stretch], start: datetime, end: datetime) -> list[Stretch]:
    """The stretches less `[start, end)`."""
    rest = [piece for begins, ends in stretches for piece in ((begins, min(ends, start)), (max(begins, end), ends))]
    return merged(rest)
