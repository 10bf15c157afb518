"""Periods of an edition."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Period:
    """A half-open stretch `[start, end)` of UTC; `timezone` is the guild's IANA name, for telling dates."""

    start: datetime
    end: datetime
    timezone: str = "UTC"

    def __contains__(self, instant: datetime) -> bool:
        return self.start <= instant < self.end
