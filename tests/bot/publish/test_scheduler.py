"""Editions come on time, once, whatever happens to this process, to Discord or to another guild."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.model.guilds import Guild
from bot.model.publication import RunStatus, StoredRun
from bot.model.schedule import Period
from bot.publish import calendar
from bot.publish.delivery import Hold
from bot.publish.notices import Notices
from bot.publish.scheduler import Scheduler
from bot.store import editions, guilds
from bot.store import schedule as stored
from bot.store.engine import Store
from tests.publish_fixtures import DIGEST, GUILD, REVIEW, Press, made, told

Until = Callable[[Callable[[], bool]], Awaitable[None]]
DUE = datetime(2026, 8, 31, 9, 0, tzinfo=UTC)  # a Monday
WEEK = timedelta(days=7)
REVIEWED = {"moderation": {"review_channel": "review"}}


class Editor:
    """Makes and posts a small edition for each run, and keeps the runs."""

    def __init__(self, press: Press, store: Store | None = None) -> None:
        self.press = press
        self.store = store or press.store
        self.runs: list[StoredRun] = []
        self.trouble: Callable[[StoredRun], Awaitable[None]] | None = None

    async def __call__(self, run: StoredRun, hold: Hold) -> None:
        self.runs.append(run)
        if self.trouble is not None:
            await self.trouble(run)
        edition = made(told(1, 1), guild_id=run.guild_id, period=run.run.period, title=f"{run.run.period.start:%m-%d}")
        async with self.store.write() as connection:
            edition_id = await editions.store_edition(connection, edition, at=run.run.due_at)
        await replace(self.press.publisher, store=self.store).publish(edition_id, hold=hold)


@asynccontextmanager
async def running(press: Press, editor: Editor, **options: Any) -> AsyncIterator[Scheduler]:
    notices = Notices(editor.store, press.publisher.rest, press.clock)
    scheduler = Scheduler(editor.store, press.clock, editor, notices, **{"name": "one", **options})
    scheduler.start()
    try:
        yield scheduler
    finally:
        await scheduler.stop()


async def plan(press: Press, *, guild_id: int = GUILD, after: datetime = DUE - WEEK) -> None:
    await calendar.start_schedule(press.store, guild_id, after)


async def run_of(press: Press, guild_id: int = GUILD, index: int = 0) -> StoredRun:
    async with press.store.read() as connection:
        return (await stored.runs_of(connection, guild_id))[index]


async def settled(press: Press, guild_id: int = GUILD, status: RunStatus = RunStatus.DONE) -> StoredRun:
    """Wait until the guild's latest run stands so."""
    while True:
        async with press.store.read() as connection:
            runs = await stored.runs_of(connection, guild_id)
        if runs and runs[0].status is status:
            return runs[0]
        await asyncio.sleep(0.05)


async def failed(press: Press, attempts: int, guild_id: int = GUILD) -> StoredRun:
    """Wait until the guild's latest run waits after so many tries."""
    while True:
        run = await settled(press, guild_id, RunStatus.DUE)
        if run.attempts == attempts and run.error:
            return run
        await asyncio.sleep(0.05)


def posts(press: Press, channel: int = DIGEST) -> int:
    return len(press.said(channel))


async def test_the_edition_is_posted_when_it_is_due_and_the_next_run_is_stored(press: Press, until: Until) -> None:
    press.clock._now = DUE - timedelta(days=3)
    editor = Editor(press)
    async with running(press, editor):
        await until(lambda: press.clock.next_wake is not None)
        await press.clock.advance(DUE - timedelta(seconds=1))
        assert editor.runs == []
        await press.clock.advance(DUE)
        run = await settled(press)
    assert run.run.period == Period(DUE - WEEK, DUE)
    assert posts(press) == 1
    async with press.store.read() as connection:
        schedule = await stored.schedule_of(connection, GUILD)
    assert schedule is not None
    assert (schedule.run.due_at, schedule.run.period.start) == (DUE + WEEK, DUE)


async def test_starting_again_at_every_ready_keeps_one_schedule(press: Press) -> None:
    await plan(press)
    editor = Editor(press)
    async with running(press, editor) as scheduler:
        for _ in range(3):
            scheduler.start()
            scheduler.wake()
        await settled(press)
        scheduler.start()
    assert len(editor.runs) == 1
    assert posts(press) == 1


async def test_down_for_an_hour_on_posting_day_gives_one_late_post_for_the_right_period(press: Press) -> None:
    await plan(press)
    press.clock.set(DUE + timedelta(hours=1))
    async with running(press, Editor(press)):
        run = await settled(press)
    assert run.run.period == Period(DUE - WEEK, DUE)
    assert posts(press) == 1


@pytest.mark.parametrize("catch_up", [0, 1, 2])
async def test_down_for_three_weeks_makes_up_for_as_much_as_configured_and_offers_the_rest(
    press: Press, catch_up: int, until: Until
) -> None:
    await press.settings(groups={"schedule": {"catch_up": catch_up}, **REVIEWED})
    await plan(press)
    press.clock.set(DUE + 2 * WEEK + timedelta(hours=5))
    editor = Editor(press)
    async with running(press, editor) as scheduler:
        if catch_up:
            await settled(press)
        await until(lambda: posts(press) == catch_up and posts(press, REVIEW) == 1)
        scheduler.wake()
        await until(lambda: press.clock.next_wake is not None)
    latest = [DUE + WEEK, DUE, DUE - WEEK]
    assert sorted(run.run.period.start for run in editor.runs) == sorted(latest[:catch_up])
    async with press.store.read() as connection:
        offered = [run.run.period.start for run in await stored.offered_runs(connection, GUILD)]
    assert offered == sorted(latest[catch_up:])
    assert posts(press) == catch_up
    assert "2026-08-24 to 2026-08-31" in press.said(REVIEW)[0]


async def test_an_error_in_the_middle_and_a_timeout_after_the_post_give_one_post(press: Press) -> None:
    await plan(press)
    press.server.faults.fail(503, method="GET", path="/guilds/*/channels", times=3)
    press.server.faults.reset(method="POST", path="/channels/*/messages", stored=True)
    blind = press.server.faults.reset(method="GET", path="/channels/*/messages", skip=1, times=None)
    async with running(press, Editor(press)):
        assert "does not answer" in str((await failed(press, 1)).error)
        await press.clock.advance(DUE + timedelta(seconds=31))
        await failed(press, 2)
        blind.times = 0
        await press.clock.advance(DUE + timedelta(seconds=31 + 61))
        run = await settled(press)
    assert run.attempts == 3
    assert posts(press) == 1


async def test_an_error_that_nobody_foresaw_is_kept_told_and_tried_again(press: Press, until: Until) -> None:
    await press.settings(groups=REVIEWED)
    await plan(press)
    editor = Editor(press)

    async def stumble(run: StoredRun) -> None:
        editor.trouble = None
        raise ZeroDivisionError

    editor.trouble = stumble
    async with running(press, editor):
        run = await failed(press, 1)
        assert run.error == "An error that nobody foresaw: ZeroDivisionError; the log has the details."
        await until(lambda: posts(press, REVIEW) == 1)
        await press.clock.advance(DUE + timedelta(seconds=31))
        await settled(press)
    assert posts(press) == 1


async def guild(press: Press, guild_id: int, *, member: bool = True) -> int:
    """A further guild with a digest and a review channel; the digest channel's id."""
    world = press.server.world
    world.add_guild(
        {"id": guild_id, "name": f"Guild {guild_id}", "owner_id": 300},
        channels=[{"id": guild_id + 1, "name": "digest"}, {"id": guild_id + 2, "name": "review"}],
        members=[],
    )
    async with press.store.write() as connection:
        await guilds.store_guild(connection, Guild(guild_id=guild_id, name=f"Guild {guild_id}", owner_id=300))
    await press.settings(guild_id=guild_id, groups=REVIEWED)
    await plan(press, guild_id=guild_id)
    return guild_id + 1


async def test_a_guild_in_trouble_is_told_and_holds_up_nobody(
    press: Press, until: Until, caplog: pytest.LogCaptureFixture
) -> None:
    gone, forbidden, away, fine = [await guild(press, guild_id) for guild_id in (1000, 2000, 3000, 4000)]
    world = press.server.world
    world.delete_channel(gone)
    deny = [{"id": str(world.bot_id), "type": 1, "allow": "0", "deny": str(1 << 11)}]
    world.update_channel(forbidden, permission_overwrites=deny)
    world.set_unavailable(3000)
    async with press.store.read() as connection:
        before = [await guilds.fetch_settings(connection, guild_id) for guild_id in (1000, 2000, 3000)]
    async with running(press, Editor(press), at_once=1):
        await settled(press, 4000)
        assert posts(press, fine) == 1
        assert "does not exist" in str((await failed(press, 1, 1000)).error)
        assert "Send Messages" in str((await failed(press, 1, 2000)).error)
        assert "does not answer" in str((await failed(press, 1, 3000)).error)
        await until(lambda: posts(press, 1002) == 1 and posts(press, 2002) == 1)
        assert "'digest'" in press.said(1002)[0]
        for attempt in range(2, 6):
            press.clock.set(press.clock.now() + timedelta(minutes=10))
            for guild_id in (1000, 2000, 3000):
                await failed(press, attempt, guild_id)
        dm = int(world.open_dm(300)["id"])
        await until(lambda: len(press.said(dm)) == 1)
        assert "does not answer" in press.said(dm)[0]
        world.set_unavailable(3000, False)
        world.update_channel(forbidden, permission_overwrites=[])
        press.clock.set(press.clock.now() + timedelta(minutes=20))
        await settled(press, 3000)
        await settled(press, 2000)
        assert posts(press, away) == posts(press, forbidden) == 1
        assert posts(press, 1002) == posts(press, 2002) == len(press.said(dm)) == 1
    async with press.store.read() as connection:
        after = [await guilds.fetch_settings(connection, guild_id) for guild_id in (1000, 2000, 3000)]
    assert after == before
    logged = [record for record in caplog.records if record.message == "a digest could not be posted"]
    assert logged and not any(record.exc_info for record in logged)


async def test_a_problem_that_was_over_and_comes_again_is_told_again(press: Press, until: Until) -> None:
    await press.settings(channel="later", groups=REVIEWED)
    await plan(press)
    async with running(press, Editor(press)):
        await failed(press, 1)
        await until(lambda: posts(press, REVIEW) == 1)
        channel = int(press.server.world.create_channel(GUILD, name="later", type=0)["id"])
        await press.clock.advance(DUE + timedelta(seconds=31))
        await settled(press)
        press.server.world.delete_channel(channel)
        await press.clock.advance(DUE + WEEK)
        await failed(press, 1)
        await until(lambda: posts(press, REVIEW) == 2)


async def test_without_a_review_channel_the_owner_is_told(press: Press, until: Until) -> None:
    await press.settings(channel="nowhere")
    await plan(press)
    dm = int(press.server.world.open_dm(300)["id"])
    async with running(press, Editor(press)):
        await failed(press, 1)
        await until(lambda: len(press.said(dm)) == 1)
    assert "nowhere" in press.said(dm)[0]


async def test_a_digest_that_hangs_for_an_hour_is_reported(press: Press, until: Until) -> None:
    await press.settings(groups=REVIEWED)
    await plan(press)
    editor = Editor(press)
    hanging = asyncio.Event()

    async def hang(run: StoredRun) -> None:
        await hanging.wait()

    editor.trouble = hang
    async with running(press, editor) as scheduler:
        await until(lambda: len(editor.runs) == 1)
        await press.clock.advance(DUE + timedelta(minutes=61))
        scheduler.wake()
        await until(lambda: posts(press, REVIEW) == 1)
        hanging.set()
        await settled(press)
    assert "has not come" in press.said(REVIEW)[0]
    assert posts(press) == 1


async def test_a_run_that_never_ends_makes_room_for_others(press: Press, until: Until) -> None:
    await plan(press)
    editor = Editor(press)

    async def hang(run: StoredRun) -> None:
        editor.trouble = None
        await asyncio.Event().wait()

    editor.trouble = hang
    async with running(press, editor, at_once=1):
        await until(lambda: len(editor.runs) == 1)
        press.clock.set(DUE + timedelta(hours=2))
        assert "longer than two hours" in str((await failed(press, 1)).error)
        press.clock.set(DUE + timedelta(hours=2, minutes=1))
        await settled(press)
    assert posts(press) == 1


async def test_what_fails_for_three_days_is_given_up_and_offered(press: Press, until: Until) -> None:
    await press.settings(channel="nowhere", groups=REVIEWED)
    await plan(press)
    async with running(press, Editor(press)):
        await failed(press, 1)
        press.clock.set(DUE + timedelta(days=3))
        run = await settled(press, status=RunStatus.OFFERED)
        await until(lambda: posts(press, REVIEW) == 2)
    assert "nowhere" in str(run.error)
    assert "given up" in press.said(REVIEW)[1]


async def test_other_settings_move_the_next_run(press: Press, until: Until) -> None:
    press.clock._now = DUE - timedelta(days=3)
    editor = Editor(press)
    async with running(press, editor) as scheduler:
        await until(lambda: press.clock.next_wake is not None)
        await press.settings(groups={"schedule": {"weekday": "saturday", "time": "12:00"}})
        scheduler.wake()
        saturday = datetime(2026, 8, 29, 12, 0, tzinfo=UTC)
        while True:
            async with press.store.read() as connection:
                schedule = await stored.schedule_of(connection, GUILD)
            if schedule is not None and schedule.run.due_at == saturday:
                break
            await asyncio.sleep(0.05)
        await until(lambda: press.clock.next_wake is not None)
        await press.clock.advance(saturday)
        run = await settled(press)
    assert run.run.period == Period(DUE - WEEK, saturday)


async def test_a_process_that_is_stopped_gives_its_run_to_the_next_one_at_once(press: Press, until: Until) -> None:
    await plan(press)
    first, second = Editor(press), Editor(press)

    async def hang(run: StoredRun) -> None:
        await asyncio.Event().wait()

    first.trouble = hang
    async with running(press, first):
        await until(lambda: len(first.runs) == 1)
    async with running(press, second, name="two"):
        await settled(press)
    assert posts(press) == 1


async def test_a_claim_that_was_taken_over_ends_the_work_of_who_held_it(press: Press, until: Until) -> None:
    await plan(press)
    first = Editor(press)
    hold_on = asyncio.Event()

    async def hang(run: StoredRun) -> None:
        await hold_on.wait()

    first.trouble = hang
    async with running(press, first):
        await until(lambda: len(first.runs) == 1)
        run = await run_of(press)
        async with press.store.write() as connection:
            taken = await stored.claim_run(
                connection, run, by="two", now=DUE + timedelta(hours=9), until=DUE + timedelta(hours=10)
            )
        assert taken is not None
        hold_on.set()
        press.clock.set(DUE + timedelta(minutes=1))
        await until(lambda: not any(task.get_name() == f"edition of guild {GUILD}" for task in asyncio.all_tasks()))
    assert (await run_of(press)).claimed_by == "two"
    assert press.server.written == []


@pytest.mark.parametrize("state", ["left", "without a channel"])
async def test_a_guild_that_does_not_want_a_digest_gets_none(press: Press, state: str, until: Until) -> None:
    await plan(press)
    if state == "left":
        async with press.store.write() as connection:
            await guilds.leave_guild(connection, GUILD, at=DUE)
    else:
        await press.settings(channel="")
    async with running(press, Editor(press)):
        await settled(press, status=RunStatus.SKIPPED)
    assert press.server.written == []


async def test_processes_on_one_database_post_each_digest_once(press: Press, store: Store, until: Until) -> None:
    """All are due at once; the press's own database is not used here."""
    count, processes = 12, 2 if store.is_sqlite else 4
    guild_ids = [10_000 * n for n in range(1, count + 1)]
    press = replace(press, store=store)
    for guild_id in guild_ids:
        await guild(press, guild_id)
    address = store.engine.url.render_as_string(hide_password=False)
    others = [Store.open(address) for _ in range(processes - 1)]
    editors = [Editor(press, each) for each in [store, *others]]
    schedulers = [
        Scheduler(e.store, press.clock, e, Notices(e.store, press.publisher.rest, press.clock), name=f"process {n}")
        for n, e in enumerate(editors)
    ]
    try:
        for scheduler in schedulers:
            scheduler.start()
        for guild_id in guild_ids:
            await settled(press, guild_id)
    finally:
        for scheduler in schedulers:
            await scheduler.stop()
        for other in others:
            await other.close()
    assert [posts(press, guild_id + 1) for guild_id in guild_ids] == [1] * count
    assert sorted(run.guild_id for editor in editors for run in editor.runs) == guild_ids
