"""How much was said, where, by how many, and on which day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from bot.model.edition import ChannelActivity, Day
from bot.model.guilds import Join
from bot.model.schedule import Period
from bot.store.period import Tally


def by_channel(
    tallies: Iterable[Tally], *, told: Collection[int], home: Callable[[int], int], name: Callable[[int], str]
) -> tuple[ChannelActivity, ...]:
    """Messages and distinct authors of each channel, its threads included, the busiest first."""
    messages: Counter[int] = Counter()
    authors: dict[int, set[int]] = {}
    for tally in tallies:
        if tally.channel_id in told:
            place = home(tally.channel_id)
            messages[place] += tally.messages
            authors.setdefault(place, set()).add(tally.author_id)
    return tuple(
        ChannelActivity(id=place, name=name(place), messages=count, authors=len(authors[place]))
        for place, count in sorted(messages.items(), key=lambda entry: (-entry[1], entry[0]))
    )


def totals(tallies: Iterable[Tally], told: Collection[int]) -> tuple[int, int]:
    """All messages, and the distinct people who wrote them."""
    heard = [tally for tally in tallies if tally.channel_id in told]
    return sum(tally.messages for tally in heard), len({tally.author_id for tally in heard})


def by_day(
    quarters: Mapping[tuple[int, datetime], int], stays: Iterable[Join], *, period: Period, told: Collection[int]
) -> tuple[Day, ...]:
    """Messages and joins of each day of the period in the guild's time zone, days without any included."""
    zone = ZoneInfo(period.timezone)
    messages: Counter[date] = Counter()
    for (channel_id, instant), count in quarters.items():
        if channel_id in told:
            messages[instant.astimezone(zone).date()] += count
    first_joins: dict[int, date] = {}
    for stay in stays:
        if stay.joined_at in period and not stay.bot:
            first_joins.setdefault(stay.user_id, stay.joined_at.astimezone(zone).date())
    joins = Counter(first_joins.values())
    return tuple(Day(date=day, messages=messages[day], joins=joins[day]) for day in _days(period, zone))


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
