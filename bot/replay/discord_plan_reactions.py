"""Who reacts to a recorded message, and when: a recording mostly gives no more than the number."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta

from bot.replay.discord_message_verbs import key_of
from bot.replay.discord_shapes import Data

APART = timedelta(seconds=15)


class Stays:
    """Who is in the guild when. People who decide (moderators) are asked late to react, bots last."""

    def __init__(self, *, moderators: set[int], bots: set[int]) -> None:
        self._spans: dict[int, list[tuple[datetime, datetime | None]]] = {}
        self._moderators = moderators - bots
        self._bots = bots
        self._ordinary: list[int] = []

    def add(self, user_id: int, since: datetime | None, events: Iterable[tuple[datetime, bool]]) -> None:
        """`since`: there from the beginning; `events`: joins (true) and leaves, in order."""
        spans: list[tuple[datetime, datetime | None]] = []
        came = since
        for at, joined in events:
            if joined:
                came = came or at
            elif came is not None:
                spans.append((came, at))
                came = None
        if came is not None:
            spans.append((came, None))
        self._spans[user_id] = spans
        if user_id not in self._moderators and user_id not in self._bots:
            self._ordinary.append(user_id)

    def from_(self, user_id: int, at: datetime) -> datetime | None:
        """The first instant from `at` on at which somebody is there; None if they are not any more."""
        for came, left in self._spans.get(user_id, ()):
            if left is None or at < left:
                return max(at, came)
        return None

    def bots_from(self, at: datetime) -> list[int]:
        """The bots that are there."""
        return [user_id for user_id in sorted(self._bots) if self.from_(user_id, at) == at]

    def willing(self, author_id: int, turn: int) -> Iterator[int]:
        """People in the order in which they are asked; `turn` makes it another one for each message."""
        first = turn % len(self._ordinary) if self._ordinary else 0
        yield from (u for u in (*self._ordinary[first:], *self._ordinary[:first]) if u != author_id)
        yield from sorted(self._moderators - {author_id})
        yield author_id


def reactions(
    message: Data, sent: datetime, gone: datetime, stays: Stays, bot_id: int
) -> Iterator[tuple[datetime, str, int]]:
    """When, with what (`📌` or `name:id`) and by whom a message is reacted to, between `sent` and `gone`.

    `reaction_users` names the people; else so many distinct members as `count` says react, one after the other,
    none before they have joined.
    """
    named = {key: users for key, users in (message.get("reaction_users") or {}).items() if users is not None}
    counted = {key_of(reaction["emoji"]): reaction for reaction in message.get("reactions") or ()}
    total = sum(len(users) for users in named.values())
    total += sum(int(r["count"]) for key, r in counted.items() if key not in named)
    apart = min(APART, (gone - sent) / (total + 1))
    number = 0
    for key in [*counted, *(key for key in named if key not in counted)]:
        if key in named:
            people = [(user_id, stays.from_(user_id, sent)) for user_id in map(int, named[key])]
        else:
            first = [bot_id] if counted[key].get("me") else []
            count = int(counted[key]["count"])
            people = _so_many(count, first, message, sent + apart * number, apart, gone, stays)
        for user_id, there in people:
            number += 1
            at = sent + apart * number
            yield min(max(at, there or at), gone), key, user_id


def _so_many(
    count: int, first: Sequence[int], message: Data, since: datetime, apart: timedelta, gone: datetime, stays: Stays
) -> list[tuple[int, datetime | None]]:
    """`count` distinct people: those who are there at their turn, then those who come later."""
    chosen: dict[int, datetime | None] = dict.fromkeys(first)
    later: list[tuple[datetime, int]] = []
    for user_id in stays.willing(int(message["author"]["id"]), int(message["id"]) >> 22):
        if len(chosen) >= count:
            break
        at = since + apart * (len(chosen) + 1)
        there = stays.from_(user_id, at)
        if there == at:
            chosen.setdefault(user_id, at)
        elif there is not None and there < gone:
            insort(later, (there, user_id))
    for there, user_id in later:
        chosen.setdefault(user_id, there + timedelta(seconds=1))
    for user_id in stays.bots_from(since):
        chosen.setdefault(user_id, None)
    return list(chosen.items())[:count]
