"""Which stretches are known, on both databases."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from bot.model.stretches import merged, missing, without
from bot.store import coverage
from bot.store.engine import Store

GUILD, CHANNEL = 100, 200
NOON = datetime(2026, 8, 26, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def at(hours: float) -> datetime:
    return NOON + hours * HOUR


async def known(store: Store) -> list[tuple[float, float]]:
    async with store.read() as connection:
        stretches = (await coverage.coverage_of(connection, GUILD)).get(CHANNEL, [])
    return [((start - NOON) / HOUR, (end - NOON) / HOUR) for start, end in stretches]


async def test_stretches_that_touch_become_one(store: Store) -> None:
    async with store.write() as connection:
        for start, end in ((0, 1), (2, 3), (1, 2), (5, 6), (2.5, 2.7), (9, 9)):
            await coverage.add_coverage(connection, GUILD, CHANNEL, at(start), at(end))
    assert await known(store) == [(0, 3), (5, 6)]


async def test_a_live_stretch_grows_with_its_shard_and_ends_where_it_was_last_seen(store: Store) -> None:
    async with store.write() as connection:
        await coverage.add_coverage(connection, GUILD, CHANNEL, at(0), at(1))
        await coverage.begin_live(connection, 3, {CHANNEL: GUILD}, at=at(1))
        await coverage.touch(connection, 3, at=at(2))
    assert await known(store) == [(0, 2)]
    async with store.write() as connection:
        await coverage.touch(connection, 3, at=at(4))
        await coverage.touch(connection, 3, at=at(3))
    assert await known(store) == [(0, 4)]
    async with store.write() as connection:
        await coverage.end_live(connection, 3, at=at(3.9))
        await coverage.touch(connection, 3, at=at(8))
    assert await known(store) == [(0, 3.9)]


async def test_what_was_let_go_is_a_gap_until_it_is_read(store: Store) -> None:
    async with store.write() as connection:
        await coverage.add_coverage(connection, GUILD, CHANNEL, at(0), at(10))
        for _ in range(2):
            await coverage.lose(connection, {CHANNEL: GUILD}, at(4), at(5), reason="overload")
    assert await known(store) == [(0, 4), (5, 10)]
    async with store.write() as connection:
        await coverage.recover_gaps(connection, CHANNEL, [(at(0), at(4.5))], at=at(11))
        (gap,) = await coverage.gaps_of(connection, GUILD, at(0), at(10))
        assert gap.recovered_at is None
        await coverage.recover_gaps(connection, CHANNEL, [(at(0), at(10))], at=at(11))
        (gap,) = await coverage.gaps_of(connection, GUILD, at(0), at(10))
    assert (gap.start, gap.end, gap.recovered_at) == (at(4), at(5), at(11))


STRETCHES = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)).map(lambda pair: (at(pair[0]), at(pair[1]))))


@given(STRETCHES, st.integers(0, 30), st.integers(0, 30))
def test_an_instant_is_either_known_or_missing(stretches: list[tuple[datetime, datetime]], low: int, high: int) -> None:
    holes = missing(stretches, at(low), at(high))
    for half in range(low * 2, high * 2):
        instant = at(half / 2)
        is_known = any(start <= instant < end for start, end in stretches)
        assert is_known != any(start <= instant < end for start, end in holes)
        assert is_known == any(start <= instant < end for start, end in merged(stretches))


@given(STRETCHES, st.integers(0, 30), st.integers(0, 30))
def test_what_is_taken_away_is_gone_and_nothing_else(
    stretches: list[tuple[datetime, datetime]], low: int, high: int
) -> None:
    left = without(stretches, at(low), at(high))
    for half in range(60):
        instant = at(half / 2)
        was = any(start <= instant < end for start, end in stretches)
        taken = at(low) <= instant < at(high)
        assert any(start <= instant < end for start, end in left) == (was and not taken)
