"""How many reactions are many, here and this week."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

FEWEST = 4
"""Fewer reactions than these are never many."""
_FEW_MESSAGES = 5


@dataclass(frozen=True, slots=True)
class Levels:
    """`many` lifts any message that says something, `some` one by a person whose work the edition tells of."""

    some: int
    many: int


def levels(messages_by_reactions: Mapping[int, int]) -> Levels:
    """The levels for a community in which so many messages got so many reactions (those without any left out).

    The usual is the median, and how far the usual goes is the median distance from it; both stay the same
    whether the favourite of the week got thirty reactions or three hundred. What lies more than three such
    distances above the usual is many. Of a handful of messages nothing can be learned: there FEWEST and a
    little more have to do.
    """
    total = sum(messages_by_reactions.values())
    if total < _FEW_MESSAGES:
        return Levels(some=FEWEST, many=FEWEST + 1)
    usual = _median(messages_by_reactions)
    distances: dict[int, int] = {}
    for reactions, messages in messages_by_reactions.items():
        distance = abs(reactions - usual)
        distances[distance] = distances.get(distance, 0) + messages
    reach = max(1, _median(distances))
    return Levels(some=max(FEWEST, usual + reach), many=max(FEWEST + 1, usual + 3 * reach + 1))


def _median(weights: Mapping[int, int]) -> int:
    half, seen = sum(weights.values()) / 2, 0
    for value in sorted(weights):
        seen += weights[value]
        if seen >= half:
            return value
    return 0
