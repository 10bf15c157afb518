"""When editions are due, and for which period.

A schedule is a weekday and a time of day in an IANA time zone, every week, every two weeks or every month. The
rules, which `docs/publishing.md` tells to people:

- A local time that a change of clocks leaves out stands for the first instant after the gap; one that comes twice
  stands for its first occurrence. Both keep the order of local times, so instants never run backwards.
- A month's run falls on the first such weekday of the month.
- Two weeks are counted from the run before; the first run is the first such weekday to come.
- A period ends at the posting itself, or at the latest given time of day that is not after the posting: 00:00 with
  a posting at 09:00 is the same day's midnight, 18:00 is six o'clock of the evening before.
- A period begins where the one before it ended, whatever was changed in between.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    from bot.model.settings import ScheduleSettings

_DAY = timedelta(days=1)
_HALF_A_WEEK = timedelta(days=3.5)
_SECOND = timedelta(seconds=1)
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


@dataclass(frozen=True, slots=True)
class Period:
    """A half-open stretch `[start, end)` of UTC; `timezone` is the guild's IANA name, for telling dates."""

    start: datetime
    end: datetime
    timezone: str = "UTC"

    def __contains__(self, instant: datetime) -> bool:
        return self.start <= instant < self.end


@dataclass(frozen=True, slots=True)
class Run:
    """One edition to come: when it is due (UTC) and the period that it tells; `period.end <= due_at`."""

    due_at: datetime
    period: Period


def first_run_after(settings: ScheduleSettings, instant: datetime) -> Run:
    """The first run due strictly after `instant`; its period is one interval long."""
    day = next(day for day in _posting_days(settings, instant) if _due_at(settings, day) > instant)
    return _run_on(settings, day, _period_end(settings, _step(settings, day, -1)))


def next_run(settings: ScheduleSettings, run: Run) -> Run:
    """The run that follows `run`, adjacent to it: its period begins where that of `run` ends.

    `settings` may be others than those `run` was made by.
    """
    day = _step(settings, _posting_day_of(settings, run.due_at), 1)
    while _due_at(settings, day) <= run.due_at or _period_end(settings, day) <= run.period.end:
        day = _step(settings, day, 1)
    return _run_on(settings, day, run.period.end)


def rescheduled(settings: ScheduleSettings, run: Run, now: datetime) -> Run:
    """What stands in the place of `run`, which has not begun, now that the settings have changed.

    Due after `now`, in a rhythm of two weeks as near to `run` as that allows; the period still begins where that of
    `run` began, so that nothing is told twice or not at all.
    """
    near = run.due_at - _HALF_A_WEEK if settings.every == "two weeks" else now
    found = first_run_after(settings, max(now, near))
    while found.period.end <= run.period.start:
        found = next_run(settings, found)
    return replace(found, period=replace(found.period, start=run.period.start))


def resolve(day: date, at: time, zone: ZoneInfo) -> datetime:
    """The instant of a local time: the first occurrence of one that comes twice, after the gap for one that is none."""
    local = datetime.combine(day, at, tzinfo=zone)
    before, after = local.astimezone(UTC), local.replace(fold=1).astimezone(UTC)
    if before.astimezone(zone).replace(tzinfo=None) == local.replace(tzinfo=None):
        return before
    return _change_between(after, before, zone)


def _change_between(early: datetime, late: datetime, zone: ZoneInfo) -> datetime:
    """The second at which the offset of `early` is over; in a gap, the two readings stand on either side of it."""
    offset = early.astimezone(zone).utcoffset()
    while late - early > _SECOND:
        middle = early + timedelta(seconds=(late - early) // _SECOND // 2)
        if middle.astimezone(zone).utcoffset() == offset:
            early = middle
        else:
            late = middle
    return late


@lru_cache(maxsize=4096)
def _resolved(day: date, at: str, zone: str) -> datetime:
    return resolve(day, time.fromisoformat(at), ZoneInfo(zone))


def _due_at(settings: ScheduleSettings, day: date) -> datetime:
    return _resolved(day, settings.time, settings.timezone)


def _period_end(settings: ScheduleSettings, day: date) -> datetime:
    if settings.period_end == "posting":
        return _due_at(settings, day)
    day_of_end = day if settings.period_end <= settings.time else day - _DAY
    return _resolved(day_of_end, settings.period_end, settings.timezone)


def _run_on(settings: ScheduleSettings, day: date, start: datetime) -> Run:
    return Run(_due_at(settings, day), Period(start, _period_end(settings, day), settings.timezone))


def _posting_days(settings: ScheduleSettings, instant: datetime) -> Iterator[date]:
    """Posting days from the one of `instant`'s local day or before it onwards."""
    day = _posting_day_of(settings, instant)
    while True:
        yield day
        day = _step(settings, day, 1, weeks=1)


def _posting_day_of(settings: ScheduleSettings, instant: datetime) -> date:
    """The last posting day up to the local day of `instant`.

    A gap may carry a posting into the next local day, never further back, so the day found is that of the posting.
    """
    today = instant.astimezone(ZoneInfo(settings.timezone)).date()
    if settings.every == "month":
        day = _first_weekday(today.year, today.month, settings.weekday)
        return day if day <= today else _step(settings, day, -1)
    return today - (today.weekday() - _WEEKDAYS.index(settings.weekday)) % 7 * _DAY


def _step(settings: ScheduleSettings, day: date, count: int, *, weeks: int | None = None) -> date:
    """The posting day `count` intervals from `day` (of `weeks` weeks, where a two-week rhythm is not yet fixed)."""
    if settings.every == "month":
        months = day.year * 12 + day.month - 1 + count
        return _first_weekday(months // 12, months % 12 + 1, settings.weekday)
    return day + count * 7 * (weeks or (2 if settings.every == "two weeks" else 1)) * _DAY


def _first_weekday(year: int, month: int, weekday: str) -> date:
    first = date(year, month, 1)
    return first + (_WEEKDAYS.index(weekday) - first.weekday()) % 7 * _DAY
