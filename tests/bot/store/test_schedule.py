"""The stored schedule: one process opens a run, one does it, and a crash gives it back."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from bot.model.publication import RunStatus, Schedule
from bot.model.schedule import Run, first_run_after, next_run
from bot.model.settings import GuildSettings, ScheduleSettings
from bot.store import guilds, schedule
from bot.store.engine import Store

SETTINGS = ScheduleSettings(period_end="00:00", timezone="Europe/Berlin")
START = datetime(2026, 8, 26, tzinfo=UTC)
FIRST = first_run_after(SETTINGS, START)
DUE = FIRST.due_at
LEASE = timedelta(minutes=2)


def planned(guild_id: int = 1, run: Run = FIRST) -> Schedule:
    return Schedule(guild_id=guild_id, run=run, rule=SETTINGS.model_dump())


async def start(store: Store, *guild_ids: int) -> None:
    async with store.write() as connection:
        for guild_id in guild_ids:
            await schedule.start_schedule(connection, planned(guild_id))


async def open_due(store: Store, guild_id: int = 1) -> bool:
    async with store.write() as connection:
        return await schedule.advance_schedule(
            connection,
            planned(guild_id),
            planned(guild_id, next_run(SETTINGS, FIRST)),
            [(FIRST, RunStatus.DUE)],
            at=DUE,
        )


async def claim(store: Store, by: str, now: datetime) -> list[int]:
    """Claim all that can be claimed; the guilds' ids."""
    async with store.read() as connection:
        found = await schedule.claimable_runs(connection, now, limit=50)
    got = []
    for run in found:
        async with store.write() as connection:
            if await schedule.claim_run(connection, run, by=by, now=now, until=now + LEASE):
                got.append(run.guild_id)
    return got


async def test_the_next_run_is_stored_with_its_period(store: Store) -> None:
    await start(store, 1)
    async with store.read() as connection:
        found = await schedule.schedule_of(connection, 1)
        assert found is not None
        assert found.run == FIRST
        assert found.run.period.timezone == "Europe/Berlin"
        assert await schedule.schedule_of(connection, 2) is None
        assert await schedule.next_instant(connection) == DUE
        assert await schedule.due_schedules(connection, DUE - timedelta(seconds=1)) == []
        assert await schedule.due_schedules(connection, DUE) == [found]


async def test_starting_again_changes_nothing(store: Store) -> None:
    await start(store, 1)
    await open_due(store)
    await start(store, 1)
    async with store.read() as connection:
        found = await schedule.schedule_of(connection, 1)
    assert found is not None
    assert found.run == next_run(SETTINGS, FIRST)


async def test_of_several_processes_one_opens_a_run_and_one_does_it(store: Store) -> None:
    guild_ids = list(range(1, 9))
    await start(store, *guild_ids)
    others = [Store.open(store.engine.url.render_as_string(hide_password=False)) for _ in range(3)]
    try:
        for guild_id in guild_ids:
            opened = await asyncio.gather(*(open_due(process, guild_id) for process in [store, *others]))
            assert sum(opened) == 1
        claims = await asyncio.gather(
            *(claim(process, f"process {n}", DUE) for n, process in enumerate([store, *others]))
        )
        assert sorted(guild_id for got in claims for guild_id in got) == guild_ids
    finally:
        for process in others:
            await process.close()


async def test_a_claim_is_renewed_by_its_holder_and_ends_with_a_crash(store: Store) -> None:
    await start(store, 1)
    await open_due(store)
    assert await claim(store, "first", DUE) == [1]
    async with store.read() as connection:
        held = await schedule.run_for(connection, 1, FIRST.period.start)
    assert held is not None
    async with store.write() as connection:
        assert await schedule.renew_claim(connection, held, until=DUE + 2 * LEASE)
    assert await claim(store, "second", DUE + LEASE) == []
    assert await claim(store, "second", DUE + 2 * LEASE) == [1]
    async with store.write() as connection:
        assert not await schedule.renew_claim(connection, held, until=DUE + 9 * LEASE)
        assert not await schedule.finish_run(connection, held, RunStatus.DONE, at=DUE)
        taken = await schedule.run_for(connection, 1, FIRST.period.start)
        assert taken is not None
        assert taken.claimed_by == "second"
        assert await schedule.finish_run(connection, taken, RunStatus.DONE, at=DUE)
    assert await claim(store, "third", DUE + 99 * LEASE) == []


async def test_a_run_that_failed_is_tried_again_at_its_time(store: Store) -> None:
    await start(store, 1)
    await open_due(store)
    await claim(store, "first", DUE)
    async with store.write() as connection:
        held = await schedule.run_for(connection, 1, FIRST.period.start)
        assert held is not None
        await schedule.postpone_run(connection, held, until=DUE + timedelta(minutes=5), error="no way in")
        assert await schedule.next_instant(connection) == DUE + timedelta(minutes=5)
    assert await claim(store, "first", DUE + timedelta(minutes=4)) == []
    assert await claim(store, "second", DUE + timedelta(minutes=5)) == [1]
    async with store.read() as connection:
        again = await schedule.run_for(connection, 1, FIRST.period.start)
    assert again is not None
    assert (again.attempts, again.error) == (2, "no way in")


async def test_a_guild_has_one_run_done_at_a_time(store: Store) -> None:
    await start(store, 1)
    second = next_run(SETTINGS, FIRST)
    async with store.write() as connection:
        await schedule.advance_schedule(
            connection,
            planned(),
            planned(1, next_run(SETTINGS, second)),
            [(FIRST, RunStatus.DUE), (second, RunStatus.DUE)],
            at=DUE,
        )
    now = second.due_at
    assert await claim(store, "first", now) == [1]
    assert await claim(store, "second", now) == []
    async with store.write() as connection:
        held = await schedule.run_for(connection, 1, FIRST.period.start)
        assert held is not None
        assert held.status is RunStatus.CLAIMED
        await schedule.finish_run(connection, held, RunStatus.DONE, at=now)
    assert await claim(store, "second", now) == [1]


async def test_a_paused_schedule_is_not_due_and_a_pause_is_not_lost(store: Store) -> None:
    await start(store, 1)
    async with store.write() as connection:
        assert await schedule.pause_schedule(connection, 1, START)
        assert not await schedule.pause_schedule(connection, 1, START)
    assert not await open_due(store)
    async with store.read() as connection:
        assert await schedule.due_schedules(connection, DUE) == []
        assert await schedule.next_instant(connection) is None


@pytest.mark.parametrize("status", [RunStatus.OFFERED, RunStatus.SKIPPED, RunStatus.DUE])
async def test_a_run_that_was_not_made_can_be_had_done(sqlite_store: Store, status: RunStatus) -> None:
    async with sqlite_store.write() as connection:
        await schedule.start_schedule(connection, planned())
        await schedule.advance_schedule(
            connection, planned(), planned(1, next_run(SETTINGS, FIRST)), [(FIRST, status)], at=DUE
        )
        await schedule.open_run(connection, 1, FIRST, at=DUE)
    assert await claim(sqlite_store, "first", DUE) == [1]


async def test_one_at_a_time_changes_what_was_posted(store: Store) -> None:
    period, lease = FIRST.period, DUE + LEASE
    async with store.write() as connection:
        assert await schedule.claim_settled(connection, 1, period, by="first", now=DUE, until=lease)
        assert not await schedule.claim_settled(connection, 1, period, by="second", now=DUE, until=lease)
        assert await schedule.claim_settled(connection, 1, period, by="first", now=DUE, until=lease)
        assert await schedule.claim_settled(connection, 1, period, by="second", now=lease, until=lease + LEASE)
        await schedule.release_settled(connection, 1, period, by="second")
        assert await schedule.claim_settled(connection, 1, period, by="first", now=lease, until=lease + LEASE)
        assert await schedule.overdue_runs(connection, DUE + 99 * LEASE) == []


async def test_guilds_whose_settings_changed_are_found(sqlite_store: Store) -> None:
    async with sqlite_store.write() as connection:
        await guilds.store_settings(connection, 1, GuildSettings(), at=START)
        await guilds.store_settings(connection, 2, GuildSettings(), at=DUE)
        assert await schedule.guilds_with_settings_since(connection, None) == [1, 2]
        assert await schedule.guilds_with_settings_since(connection, DUE) == [2]
