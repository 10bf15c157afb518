"""Joins and leaves of one person brought together into stays, whatever witnesses tell of them, in any order.

The rules stand in docs/recording.md. An exact witness (the event, or `joined_at` in a member list) names the
instant of the join; an arrival message is younger than the join it tells of, by moments or, where newcomers
have to accept rules first, by days.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from bot.model.guilds import Join, Witness

TOLD_TWICE = timedelta(seconds=1)
"""Two exact witnesses this close tell of one join."""

SKEW = timedelta(seconds=10)
"""By so much the clocks behind a join, a leave and an arrival message may differ."""

SCREENING = timedelta(days=30)
"""How long after the join an arrival message still belongs to it, unless the person left in between."""

_BEST_FIRST = (Witness.EVENT, Witness.ROSTER, Witness.SEEN, Witness.ARRIVAL)

Stays = tuple[Join, ...]


def with_join(stays: Sequence[Join], join: Join) -> Stays:
    """`stays` (of one person in one guild, in the order of time) with one more witness of a join."""
    match = _of_arrival(stays, join) if join.witness is Witness.ARRIVAL else _of_exact(stays, join)
    if match is None:
        return _ordered([*stays, join])
    return _ordered([_merged(stay, join) if stay is match else stay for stay in stays])


def close_stay(stays: Sequence[Join], at: datetime) -> Stays:
    """`stays` with a leave at `at`: the stay it ends is the last one that had begun. Told twice, the first stands."""
    begun = [stay for stay in stays if stay.joined_at <= at]
    if not begun:
        return tuple(stays)
    last = begun[-1]
    if last.left_at is not None and last.left_at <= at:
        return tuple(stays)
    return tuple(replace(stay, left_at=at) if stay is last else stay for stay in stays)


def _of_exact(stays: Sequence[Join], join: Join) -> Join | None:
    """The stay that an exact witness tells of: the same instant, or the arrival message that followed it."""
    for stay in stays:
        if stay.witness is not Witness.ARRIVAL and abs(stay.joined_at - join.joined_at) <= TOLD_TWICE:
            earlier, later = sorted((stay, join), key=lambda each: each.joined_at)
            if earlier.left_at is None or earlier.left_at >= later.joined_at:
                return stay
    later_exact = min(
        (s.joined_at for s in stays if s.witness is not Witness.ARRIVAL and s.joined_at > join.joined_at), default=None
    )
    for stay in stays:
        age = stay.joined_at - join.joined_at
        if stay.witness is Witness.ARRIVAL and -SKEW <= age <= SCREENING:
            return stay if later_exact is None or stay.joined_at < later_exact - SKEW else None
    return None


def _of_arrival(stays: Sequence[Join], join: Join) -> Join | None:
    for stay in reversed(stays):
        age = join.joined_at - stay.joined_at
        if stay.witness is Witness.ARRIVAL:
            if abs(age) <= SKEW:
                return stay
        elif -SKEW <= age <= SCREENING and (stay.left_at is None or stay.left_at + SKEW > join.joined_at):
            return stay
    return None


def _merged(stay: Join, join: Join) -> Join:
    exact = [each for each in (stay, join) if each.witness is not Witness.ARRIVAL] or [stay, join]
    first = min(exact, key=lambda each: each.joined_at)
    witness = min((stay.witness, join.witness), key=_BEST_FIRST.index)
    return replace(stay, joined_at=first.joined_at, witness=witness, bot=stay.bot or join.bot)


def _ordered(stays: list[Join]) -> Stays:
    return tuple(sorted(stays, key=lambda stay: stay.joined_at))
