"""When items were opened, merged or closed, and which days belong to what else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from bot.narrate.claims.belonging import clause_bounds
from bot.narrate.claims.days import WEEKDAY, Day
from bot.narrate.claims.known import FactText, Known, Mentioned, mentioned
from bot.narrate.claims.people import about_item
from bot.narrate.claims.states import subject_of

_EVENTS = {
    "opened": re.compile(r"\b(?:opened|filed|created|reported(?! that))\b", re.IGNORECASE),
    "merged": re.compile(r"\b(?:merged|landed|shipped|went in)\b", re.IGNORECASE),
    "closed": re.compile(r"\b(?:closed|turned down|rejected|declined|abandoned|withdrawn)\b", re.IGNORECASE),
}
_DATED = re.compile(
    r"(?m)^(opened|merged|closed): |\b(opened|merged|closed)(?: on)? |\b(opened)(?: by [^.,\n]{2,40})? on ",
    re.IGNORECASE,
)


@lru_cache(maxsize=2048)
def _dated(fact: FactText) -> tuple[tuple[str, Day], ...]:
    """When a fact's item was opened, merged or closed."""
    return tuple(
        (next(filter(None, match.groups())).lower(), day)
        for match in _DATED.finditer(fact.text)
        for day in fact.days
        if day.start == match.end()
    )


def _spoken(fact: FactText) -> list[Day]:
    """The days that a fact tells otherwise."""
    dated = {day.start for _, day in _dated(fact)}
    head = re.match(r"(?:comment|review) on [^\n]*", fact.text, re.IGNORECASE)
    return [day for day in fact.days if day.start not in dated and day.start >= (head.end() if head else 0)]


def event_faults(text: str, told: Sequence[Day], items: Sequence[Mentioned], known: Known) -> Iterator[str]:
    """Days on which items were opened, merged or closed that are not theirs, and days of items given to things."""
    yield from _days_of_things(text, told, known)
    for start, end in clause_bounds(text):
        days = [day for day in told if start <= day.start < end]
        weekday = WEEKDAY.search(text, start, end) if not days else None
        events = [
            (match.start(), event) for event, verb in _EVENTS.items() for match in verb.finditer(text, start, end)
        ]
        if days and not events:
            yield from _days_of_deeds(text, start, end, days, known)
        if not events or not (days or weekday):
            continue
        here = [item for item in items if start <= item.start < end]
        about = [fact for fact in known.facts if _dated(fact)]
        if not here and (item := about_item(text[start:end], known)) is not None:
            here = [item]
        own = [fact for fact in about if (s := subject_of(fact)) and any(s.is_same(item) for item in here)]
        if weekday and own and not any(weekday[1].lower() in fact.lower for fact in own):
            event = min(events, key=lambda one: abs(one[0] - weekday.start()))[1]
            dates = [other.weekday for fact in own for name, other in _dated(fact) if name == event]
            if dates and weekday[1] not in dates:
                yield f"says {event} on {weekday[1]}, which no fact tells"
        about = own or about
        if not about:
            continue
        for day in days:
            event = min(events, key=lambda one: (one[0] > day.start, abs(one[0] - day.start)))[1]
            allowed = [other for fact in about for name, other in _dated(fact) if name == event]
            if "reported" in text[start:end]:
                allowed += [
                    other for fact in known.facts if fact.text.lower().startswith("comment on") for other in fact.days
                ]
            if event == "closed":
                allowed += [other for fact in about for name, other in _dated(fact) if name == "merged"]
            spoken = any(day.agrees(other) for fact in own or known.facts for other in _spoken(fact))
            if allowed and not spoken and not any(day.agrees(other) for other in allowed):
                yield f"says {event} of {text[day.start : day.end]}, which no fact tells"


def _days_of_deeds(text: str, start: int, end: int, days: Sequence[Day], known: Known) -> Iterator[str]:
    """`raised on August 28` of an item none of whose facts tells that day."""
    item = about_item(text[start:end], known)
    if item is None or mentioned(text[start:end]):
        return
    own = [day for fact in known.facts if any(one.is_same(item) for one in fact.mentioned) for day in fact.days]
    for day in days:
        if re.search(r"\bon (?:the )?$", text[: day.start]) and own and not any(day.agrees(other) for other in own):
            yield f"tells {text[day.start : day.end]} of #{item.number}, of which no fact tells it"


def _way(text: str, day: Day) -> str:
    """The preposition before a date."""
    before = re.search(r"\b(on|by|until|before|after) (?:the )?$", text[: day.start].lower())
    return before[1] if before else ""


_OF_THING = re.compile(r"(?<!request )(?<!issue )(?<!comment )(?<!week )\b(?:of|since|until|before|for) $")


def _days_of_things(text: str, told: Sequence[Day], known: Known) -> Iterator[str]:
    """`the build of June 5` where June 5 is only the day on which an item was opened."""
    spoken = [day for fact in known.facts for day in _spoken(fact)]
    dated = [day for fact in known.facts for day in fact.days]
    for day in told:
        of_item = any(day.agrees(other) for other in dated) and not any(day.agrees(other) for other in spoken)
        if of_item and _OF_THING.search(text[: day.start]):
            yield f"tells {text[day.start : day.end]} of something, which is the day of an item"
        ways = {_way(fact.text, other) for fact in known.facts for other in fact.days if day.agrees(other)}
        if _way(text, day) == "on" and ways and ways <= {"by", "until", "before", "after"}:
            yield f"says on {text[day.start : day.end]}, where the facts say {min(ways)}"
