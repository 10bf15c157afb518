"""How much was said, where, by how many, and on which day."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from bot.model.edition import ChannelActivity, Day
from bot.model.guilds import Join
from bot.model.schedule import Period
from bot.store.period import Tally


def by_channel(
    tallies: Iterable[Tally], people: Mapping[int, int], *, home: Callable[[int], int], name: Callable[[int], str]
) -> tuple[ChannelActivity, ...]:
    """Messages and people of each channel, its threads included, the busiest first.

    `people` counts those of a channel with its threads; where a channel is missing there, its own tally holds.
    """
    messages: Counter[int] = Counter()
    authors: dict[int, int] = {}
    for tally in tallies:
        place = home(tally.channel_id)
        messages[place] += tally.messages
        authors[place] = people.get(place, tally.people)
    return tuple(
        ChannelActivity(id=place, name=name(place), messages=count, authors=authors[place])
        for place, count in sorted(messages.items(), key=lambda entry: (-entry[1], entry[0]))
    )


def by_day(tallies: Iterable[Tally], stays: Iterable[Join], *, period: Period) -> tuple[Day, ...]:
    """Messages and joins of each day of the period, days without any included.

    The tallies are those before the period's `midnights`.
    """
    zone = ZoneInfo(period.timezone)
    days = _days(period, zone)
    heard = [(*tally.before, tally.messages) for tally in tallies]
    until_end_of_day = [sum(column) for column in zip(*heard, strict=True)] or [0] * len(days)
    messages = [later - sooner for sooner, later in itertools.pairwise([0, *until_end_of_day])]
    first_joins: dict[int, date] = {}
    for stay in stays:
        if stay.joined_at in period and not stay.bot:
            first_joins.setdefault(stay.user_id, stay.joined_at.astimezone(zone).date())
    joins = Counter(first_joins.values())
    return tuple(Day(date=day, messages=count, joins=joins[day]) for day, count in zip(days, messages, strict=True))


def midnights(period: Period) -> list[datetime]:
    """The instants within the period at which a day of the guild's time zone begins."""
    zone = ZoneInfo(period.timezone)
    return [datetime.combine(day, time(), zone).astimezone(UTC) for day in _days(period, zone)[1:]]


def _days(period: Period, zone: ZoneInfo) -> list[date]:
    first = period.start.astimezone(zone).date()
    last = (period.end - timedelta(microseconds=1)).astimezone(zone).date()
    return [first + timedelta(days=n) for n in range((last - first).days + 1)]


def earlier_days(documents: Sequence[Mapping[str, Any]], before: date) -> tuple[Day, ...]:
    """The days that earlier editions (`gazette.edition/1`) told of, each once, oldest first."""
    found: dict[date, Day] = {}
    for document in documents:
        for entry in document.get("community", {}).get("days", ()):
            day = date.fromisoformat(entry["date"])
            if day < before:
                known = found.get(day, Day(date=day))
                found[day] = Day(
                    date=day,
                    messages=max(known.messages, entry.get("messages", 0)),
                    joins=max(known.joins, entry.get("joins", 0)),
                )
    return tuple(found[day] for day in sorted(found))
