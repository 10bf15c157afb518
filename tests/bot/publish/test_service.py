"""What moderators have the schedule do: pause, resume, skip, post before the time, make up for what was missed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.errors import ConflictError, NotFoundError
from bot.model.publication import EditionStatus, RunStatus, Schedule, StoredRun
from bot.model.schedule import Period
from bot.publish import calendar
from bot.publish.amender import Amender
from bot.publish.delivery import Hold
from bot.publish.maker import Maker, Stages
from bot.publish.notices import Notices
from bot.publish.scheduler import Scheduler
from bot.publish.service import Publishing
from bot.store import actions, editions
from bot.store import schedule as stored
from tests.publish_fixtures import GUILD, Press, made, told

DUE = datetime(2026, 8, 31, 9, 0, tzinfo=UTC)
WEEK = timedelta(days=7)


@pytest.fixture
def service(press: Press) -> Publishing:
    """The service; its schedule is not started."""

    async def nobody(run: StoredRun, hold: Hold) -> None:
        raise AssertionError

    notices = Notices(press.store, press.publisher.rest, press.clock)
    return Publishing(
        store=press.store,
        clock=press.clock,
        maker=Maker(press.store, press.clock, Stages()),
        publisher=press.publisher,
        scheduler=Scheduler(press.store, press.clock, nobody, notices, name="one"),
        amender=Amender(press.store, press.clock, press.publisher, notices, name="one"),
    )


async def plan(press: Press, after: datetime = DUE - WEEK) -> None:
    await calendar.start_schedule(press.store, GUILD, after)
    press.clock._now = DUE - timedelta(days=2)


async def schedule(press: Press) -> Schedule:
    async with press.store.read() as connection:
        found = await stored.schedule_of(connection, GUILD)
    assert found is not None
    return found


async def runs(press: Press) -> list[tuple[Period, RunStatus]]:
    async with press.store.read() as connection:
        return [(run.run.period, run.status) for run in await stored.runs_of(connection, GUILD)]


async def log(press: Press) -> list[tuple[int | None, str]]:
    async with press.store.read() as connection:
        return [(by, action) for _, by, action, _ in await actions.actions_of(connection, GUILD)]


async def test_what_falls_due_in_a_pause_is_offered_and_not_posted(press: Press, service: Publishing) -> None:
    await plan(press)
    assert await service.pause(GUILD, by=300)
    assert not await service.pause(GUILD, by=300)
    press.clock.set(DUE + WEEK + timedelta(days=1))
    run = await service.resume(GUILD, by=300)
    assert run.due_at == DUE + 2 * WEEK
    assert run.period.start == DUE + WEEK
    assert await runs(press) == [
        (Period(DUE, DUE + WEEK), RunStatus.OFFERED),
        (Period(DUE - WEEK, DUE), RunStatus.OFFERED),
    ]
    assert (await schedule(press)).paused_at is None
    assert await log(press) == [(300, "resumed the digest"), (300, "paused the digest"), (300, "paused the digest")]


async def test_resuming_in_time_changes_nothing(press: Press, service: Publishing) -> None:
    await plan(press)
    await service.pause(GUILD, by=300)
    assert (await service.resume(GUILD, by=300)).due_at == DUE
    assert (await service.resume(GUILD, by=300)).due_at == DUE
    assert await runs(press) == []


async def test_a_skipped_digest_leaves_its_period_out_and_can_be_had_later(press: Press, service: Publishing) -> None:
    await plan(press)
    following = await service.skip(GUILD, by=300)
    assert (following.due_at, following.period.start) == (DUE + WEEK, DUE)
    assert await runs(press) == [(Period(DUE - WEEK, DUE), RunStatus.SKIPPED)]
    await service.publish_now(GUILD, by=300, period_start=DUE - WEEK)
    assert await runs(press) == [(Period(DUE - WEEK, DUE), RunStatus.DUE)]


async def test_a_digest_before_its_time_tells_up_to_now_and_the_next_one_goes_on_from_there(
    press: Press, service: Publishing
) -> None:
    await plan(press)
    now = press.clock.now()
    run = await service.publish_now(GUILD, by=300)
    assert run.period == Period(DUE - WEEK, now)
    assert await runs(press) == [(Period(DUE - WEEK, now), RunStatus.DUE)]
    following = (await schedule(press)).run
    assert (following.due_at, following.period) == (DUE + WEEK, Period(now, DUE + WEEK))
    with pytest.raises(ConflictError, match="just been made"):
        await service.publish_now(GUILD, by=300)


async def test_a_digest_whose_period_is_over_keeps_it_when_it_is_posted_early(
    press: Press, service: Publishing
) -> None:
    await press.settings(groups={"schedule": {"period_end": "00:00"}})
    await plan(press)
    midnight = DUE.replace(hour=0)
    press.clock.set(DUE - timedelta(hours=1))
    run = await service.publish_now(GUILD, by=300)
    assert run.period == Period(midnight - WEEK, midnight)
    assert (await schedule(press)).run.period == Period(midnight, midnight + WEEK)


@pytest.mark.parametrize("status", [RunStatus.CLAIMED, RunStatus.DONE])
async def test_what_is_posted_or_being_posted_is_not_posted_again(
    press: Press, service: Publishing, status: RunStatus
) -> None:
    await plan(press)
    planned = await schedule(press)
    press.clock.set(DUE)
    await calendar.open_passed(press.store, planned, DUE, is_present=True)
    async with press.store.write() as connection:
        (due,) = await stored.claimable_runs(connection, DUE, limit=1)
        claimed = await stored.claim_run(connection, due, by="one", now=DUE, until=DUE + WEEK)
        assert claimed is not None
        if status is RunStatus.DONE:
            await stored.finish_run(connection, claimed, RunStatus.DONE, at=DUE)
    with pytest.raises(ConflictError, match="posted"):
        await service.publish_now(GUILD, by=300, period_start=DUE - WEEK)
    assert [each for _, each in await runs(press)] == [status]


async def test_without_a_schedule_people_are_told_how_to_begin(service: Publishing) -> None:
    for ask in (service.pause, service.resume, service.skip, service.publish_now):
        asked: Any = ask
        with pytest.raises(NotFoundError, match="/digest setup"):
            await asked(GUILD, by=300)
    with pytest.raises(NotFoundError):
        await service.publish_now(GUILD, by=300, period_start=DUE)


async def test_the_status_says_what_is_next_what_was_last_and_what_is_wrong(press: Press, service: Publishing) -> None:
    await press.settings(groups={"schedule": {"catch_up": 0}})
    await plan(press)
    press.clock.set(DUE + timedelta(hours=3))
    await calendar.open_passed(press.store, await schedule(press), press.clock.now(), is_present=True)
    await press.publisher.publish(await press.edition(made(told(), period=Period(DUE - 2 * WEEK, DUE - WEEK))))
    await Notices(press.store, press.publisher.rest, press.clock).report(GUILD, "channel", "The channel is gone.")
    status = await service.status(GUILD)
    assert status.schedule is not None
    assert status.schedule.run.due_at == DUE + WEEK
    assert status.last_run is not None
    assert status.last_run.status is RunStatus.OFFERED
    assert [run.run.period.start for run in status.offered] == [DUE - WEEK]
    assert status.last_edition is not None
    assert status.last_edition.status is EditionStatus.PUBLISHED
    assert status.problems == ["The channel is gone."]
    assert [each.edition_id for each in await service.history(GUILD)] == [status.last_edition.edition_id]


async def test_a_moderators_amendment_is_made_and_logged(press: Press, service: Publishing) -> None:
    edition_id = await press.edition()
    await press.publisher.publish(edition_id)
    await service.amend(edition_id, by=300)
    async with press.store.read() as connection:
        assert await editions.unsettled_editions(connection) == [edition_id]
    press.anew = made(told(1, 3, word="Tale"))
    await service.amender.settle_all()
    _, parts = await service.show(edition_id)
    assert [part.content for part in parts] == [part.content for part in press.anew.parts]
    assert (300, "had the digest amended") in await log(press)
