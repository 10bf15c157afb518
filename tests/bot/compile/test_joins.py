"""Who joined, each person once."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from bot.compile.joins import count_joins
from bot.model.edition import Joins
from bot.model.guilds import Join
from bot.model.schedule import Period

START = datetime(2026, 5, 4, tzinfo=UTC)
WEEK = Period(START, START + timedelta(days=7))


def stay(user_id: int, day: float, left: float | None = None, *, bot: bool = False) -> Join:
    return Join(
        guild_id=1,
        user_id=user_id,
        joined_at=START + timedelta(days=day),
        left_at=None if left is None else START + timedelta(days=left),
        bot=bot,
    )


def test_the_awkward_ones() -> None:
    again = [stay(4, 1, 2), stay(4, 3)]
    stays = [
        stay(1, 0),  # in the very first instant
        stay(2, 7),  # at the end, which is excluded
        stay(3, 1, 1.01),  # left at once
        *again,  # twice in the period
        stay(5, 2, bot=True),
        stay(6, 3),  # introduced
        stay(7, -30, 4),  # left in the period, joined long ago
        stay(8, 5),  # does not want to be named
    ]
    found = count_joins(
        stays, period=WEEK, introduced={6}, available=True, earlier={4: again, 1: stays[:1]}, unnamed={8}
    )
    assert found == Joins(available=True, count=5, silent=4, silent_user_ids=(1, 3, 4), left=3, rejoined=1)


def test_where_nobody_could_have_seen_joins_there_is_no_figure() -> None:
    assert count_joins([stay(1, 1)], period=WEEK, introduced=(), available=False) == Joins(available=False)
