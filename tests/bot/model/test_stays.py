"""Witnesses of joins and leaves, in whatever order they are heard, tell of the same stays."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime, timedelta

import pytest

from bot.model.guilds import Join, Witness
from bot.model.stays import Stays, close_stay, with_join

NOON = datetime(2026, 8, 26, 12, tzinfo=UTC)


def join(after: timedelta, witness: Witness) -> Join:
    return Join(guild_id=1, user_id=2, joined_at=NOON + after, witness=witness)


def put_together(*witnesses: Join) -> Stays:
    stays: Stays = ()
    for witness in witnesses:
        stays = with_join(stays, witness)
    return stays


ONE_JOIN = [
    join(timedelta(), Witness.EVENT),
    join(timedelta(), Witness.ROSTER),
    join(timedelta(seconds=0.4), Witness.ARRIVAL),
    join(timedelta(), Witness.SEEN),
]


@pytest.mark.parametrize("order", list(itertools.permutations(ONE_JOIN)), ids=lambda o: "-".join(j.witness for j in o))
def test_all_witnesses_of_one_join_are_one_stay(order: tuple[Join, ...]) -> None:
    (stay,) = put_together(*order)
    assert (stay.joined_at, stay.witness) == (NOON, Witness.EVENT)


@pytest.mark.parametrize("later", [0.0, 0.2, 0.5])
@pytest.mark.parametrize("swapped", [False, True])
def test_two_events_within_half_a_second_are_one_join(later: float, swapped: bool) -> None:
    events = [join(timedelta(), Witness.EVENT), join(timedelta(seconds=later), Witness.EVENT)]
    (stay,) = put_together(*(events[::-1] if swapped else events))
    assert stay.joined_at == NOON


def test_who_clears_the_rules_screen_days_later_joined_when_they_joined() -> None:
    (stay,) = put_together(join(timedelta(), Witness.EVENT), join(timedelta(days=3), Witness.ARRIVAL))
    assert stay.joined_at == NOON
    (stay,) = put_together(join(timedelta(days=3), Witness.ARRIVAL), join(timedelta(), Witness.ROSTER))
    assert stay.joined_at == NOON


def test_who_left_and_came_again_has_two_stays() -> None:
    stays = put_together(join(timedelta(), Witness.EVENT))
    stays = close_stay(stays, NOON + timedelta(minutes=6))
    stays = with_join(stays, join(timedelta(hours=1), Witness.ARRIVAL))
    stays = with_join(stays, join(timedelta(hours=1, seconds=-0.3), Witness.EVENT))
    assert [(stay.joined_at - NOON, stay.left_at) for stay in stays] == [
        (timedelta(), NOON + timedelta(minutes=6)),
        (timedelta(hours=1, seconds=-0.3), None),
    ]


def test_a_new_joined_at_is_a_new_stay_also_when_nobody_saw_the_leave() -> None:
    stays = put_together(join(timedelta(), Witness.EVENT), join(timedelta(days=2), Witness.ROSTER))
    assert [stay.joined_at - NOON for stay in stays] == [timedelta(), timedelta(days=2)]


def test_arrival_messages_alone_tell_of_joins() -> None:
    stays = put_together(
        join(timedelta(), Witness.ARRIVAL),
        join(timedelta(seconds=1), Witness.ARRIVAL),
        join(timedelta(days=1), Witness.ARRIVAL),
    )
    assert [stay.joined_at - NOON for stay in stays] == [timedelta(), timedelta(days=1)]


def test_a_leave_told_twice_stands_as_first_told() -> None:
    stays = put_together(join(timedelta(), Witness.EVENT))
    first = close_stay(stays, NOON + timedelta(hours=1))
    assert close_stay(first, NOON + timedelta(hours=2)) == first
    assert close_stay(first, NOON + timedelta(minutes=30))[0].left_at == NOON + timedelta(minutes=30)


def test_a_leave_before_every_known_join_ends_none() -> None:
    stays = put_together(join(timedelta(), Witness.EVENT))
    assert close_stay(stays, NOON - timedelta(days=1)) == stays
