"""What was announced for after the period's end."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from bot.compile import vocabulary as words
from bot.compile.dates import Spoken, dates_in
from bot.model.edition import ComingEvent
from bot.model.guilds import ScheduledEvent
from bot.model.messages import Message
from bot.model.schedule import Period
from bot.model.text import excerpt, hide_spoilers

MOST = 12
WHAT = 200

_EMPHASIS = re.compile(r"\*{1,3}|~~|(?<!\w)__(?=\S)|(?<=\S)__(?!\w)")
_SENTENCE_END = re.compile(
    r"(?<!\b[A-Z])(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bSt)(?<!\bNo)[.!?]+(?:\s+(?![a-zß-ÿ])|\Z)|[。！？]\s*|\n"
)
_RANGE = re.compile(
    r"\s*(?:[-–—~〜～]|to|until|till|through|bis(?: zum)?|jusqu'au|au|al|hasta(?: el)?|até|a|до|から)\s*(?:the\s+)?",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{3,}")


@dataclass(frozen=True, slots=True)
class Source:
    """A message that may announce something. `trusted`: an announcement, of which every date is taken.

    Of the others only dates beside a word for an occasion are. Lower `rank` is preferred where two tell the same.
    """

    message: Message
    rank: int
    trusted: bool


def coming_events(
    sources: Iterable[Source],
    scheduled: Iterable[ScheduledEvent],
    *,
    period: Period,
    name_of: Callable[[Message], str],
    creator_of: Callable[[int | None], str | None] = lambda _: None,
) -> tuple[ComingEvent, ...]:
    """What is still to come at the period's end, soonest first, each once.

    The same is announced twice where two tell of one day in like words; the announcement wins over the
    calendar, the calendar over what is said in passing.
    """
    zone = ZoneInfo(period.timezone)
    found: list[tuple[int, ComingEvent]] = []
    for source in sources:
        found.extend((source.rank, event) for event in _announced(source, period, zone, name_of))
    for entry in scheduled:
        if entry.starts_at >= period.end and entry.deleted_at is None:
            day = entry.starts_at.astimezone(zone).date()
            event = ComingEvent(
                what=excerpt(entry.name, WHAT), date=day, announced_by=creator_of(entry.creator_id), message_id=None
            )
            found.append((2, event))
    kept: list[ComingEvent] = []
    for _, event in sorted(found, key=lambda e: (e[0], e[1].date, e[1].message_id or 0)):
        if not any(_same(event, other) for other in kept):
            kept.append(event)
    return tuple(sorted(kept, key=lambda e: (e.date, e.message_id or 0)))[:MOST]


def _announced(source: Source, period: Period, zone: ZoneInfo, name_of: Callable[[Message], str]) -> list[ComingEvent]:
    message = source.message
    events: list[ComingEvent] = []
    text = _EMPHASIS.sub("", hide_spoilers(message.content))
    ends = list(_SENTENCE_END.finditer(text))
    dates = dates_in(text, said_at=message.created_at, zone=zone)
    for before, spoken in zip([None, *dates], dates, strict=False):
        if events and before is not None and _RANGE.fullmatch(text, before.end, spoken.start):
            continue  # the last day of what was told with its first
        sentence = _sentence_around(text, spoken, ends)
        lower = sentence.casefold()
        if not _is_to_come(spoken, period.end, zone) or any(e.date == spoken.day for e in events):
            continue
        if spoken.vague and (words.PAST.search(lower) or not words.OCCASION.search(lower)):
            continue
        if source.trusted or words.OCCASION.search(lower):
            events.append(
                ComingEvent(
                    what=excerpt(sentence, WHAT),
                    date=spoken.day,
                    announced_by=name_of(message),
                    message_id=message.message_id,
                )
            )
    return events


def _is_to_come(spoken: Spoken, end: datetime, zone: ZoneInfo) -> bool:
    if spoken.instant is not None:
        return spoken.instant >= end
    return spoken.day >= _first_day_after(end, zone)


def _first_day_after(end: datetime, zone: ZoneInfo) -> date:
    return end.astimezone(zone).date()


def _sentence_around(text: str, spoken: Spoken, ends: Sequence[re.Match[str]]) -> str:
    """The sentence in which a date stands. `ends` are the ends of all sentences of the text, in order."""
    start = max((m.end() for m in ends if m.end() <= spoken.start), default=0)
    told = spoken.end - text[: spoken.end].endswith(".")  # "June 1." may be the end of the sentence
    after = next((m for m in ends if m.start() >= told), None)
    end = len(text) if after is None else after.start() + (after[0][0] in "。！？?")  # a question stays one
    return text[start:end].strip(" \t\n*_#>-•")


def _same(one: ComingEvent, other: ComingEvent) -> bool:
    if one.date != other.date:
        return False
    first, second = _telling(one.what), _telling(other.what)
    smaller = min(len(first), len(second))
    return smaller == 0 or len(first & second) * 3 >= smaller


def _telling(what: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(what)} - words.SAYS_LITTLE


def as_sources(
    announcements: Sequence[Message], highlights: Sequence[Message], moderators: Sequence[Message]
) -> list[Source]:
    """The messages that may announce something, each once, by the weight of its place."""
    sources: dict[int, Source] = {}
    for rank, trusted, messages in ((0, True, announcements), (1, False, highlights), (3, False, moderators)):
        for message in messages:
            sources.setdefault(message.message_id, Source(message, rank, trusted))
    return list(sources.values())
