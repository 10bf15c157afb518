"""The schedule: each guild's next run, the runs that are due and who does them.

A claim is a row's change from what was read to what is wanted; of any number of processes one sees its change
done. It holds until `lease_until` and is renewed by who holds it, so it outlives a pause and ends with a crash.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, exists, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.model.publication import RunStatus, Schedule, StoredRun
from bot.model.schedule import Period, Run
from bot.store.tables.editions import RunRow, ScheduleRow
from bot.store.tables.guilds import GuildSettingsRow
from bot.store.upsert import insert_new

_OPEN = (RunStatus.DUE, RunStatus.CLAIMED)


# -- the next run


async def schedule_of(connection: AsyncConnection, guild_id: int) -> Schedule | None:
    """The guild's next run; None where its schedule has not been started."""
    row = (await connection.execute(select(ScheduleRow.__table__).where(ScheduleRow.guild_id == guild_id))).first()
    return None if row is None else _schedule(row)


async def start_schedule(connection: AsyncConnection, schedule: Schedule) -> None:
    """Store a guild's first run. A schedule that has been started stays as it is."""
    await insert_new(connection, ScheduleRow, [_schedule_values(schedule)])


async def replace_schedule(connection: AsyncConnection, old: Schedule, new: Schedule) -> bool:
    """Put `new` where `old` stands; False where somebody else has changed it meanwhile."""
    done = await connection.execute(
        update(ScheduleRow)
        .where(
            ScheduleRow.guild_id == old.guild_id,
            ScheduleRow.due_at == old.run.due_at,
            ScheduleRow.period_start == old.run.period.start,
            ScheduleRow.paused_at == old.paused_at if old.paused_at else ScheduleRow.paused_at.is_(None),
        )
        .values(**_schedule_values(new))
    )
    return done.rowcount == 1


async def advance_schedule(
    connection: AsyncConnection,
    old: Schedule,
    new: Schedule,
    runs: Sequence[tuple[Run, RunStatus]],
    *,
    at: datetime,
) -> bool:
    """Replace the schedule and open the runs that it has passed, in one transaction of the caller's.

    False, and nothing opened, where another process did it first.
    """
    if not await replace_schedule(connection, old, new):
        return False
    await insert_new(connection, RunRow, [_run_values(old.guild_id, run, status, at) for run, status in runs])
    return True


async def due_schedules(connection: AsyncConnection, now: datetime) -> list[Schedule]:
    """The schedules whose next run is due and that are not paused, the longest due first."""
    rows = await connection.execute(
        select(ScheduleRow.__table__)
        .where(ScheduleRow.due_at <= now, ScheduleRow.paused_at.is_(None))
        .order_by(ScheduleRow.due_at, ScheduleRow.guild_id)
    )
    return [_schedule(row) for row in rows]


async def pause_schedule(connection: AsyncConnection, guild_id: int, at: datetime) -> bool:
    """False where the schedule has not been started or is paused already."""
    done = await connection.execute(
        update(ScheduleRow)
        .where(ScheduleRow.guild_id == guild_id, ScheduleRow.paused_at.is_(None))
        .values(paused_at=at)
    )
    return done.rowcount == 1


async def next_instant(connection: AsyncConnection) -> datetime | None:
    """The instant at which there is something to do next: a run falls due, a claim ends, a retry's time comes."""
    due = select(func.min(ScheduleRow.due_at)).where(ScheduleRow.paused_at.is_(None))
    retry = select(func.min(func.coalesce(RunRow.lease_until, RunRow.due_at))).where(RunRow.status.in_(_OPEN))
    found = [(await connection.execute(query)).scalar_one_or_none() for query in (due, retry)]
    return min((instant for instant in found if instant is not None), default=None)


async def guilds_with_settings_since(connection: AsyncConnection, instant: datetime | None) -> list[int]:
    """The guilds whose settings were stored at or after `instant`; all that have settings for None."""
    query = select(GuildSettingsRow.guild_id).order_by(GuildSettingsRow.guild_id)
    if instant is not None:
        query = query.where(GuildSettingsRow.updated_at >= instant)
    return list((await connection.execute(query)).scalars())


# -- runs and claims


async def runs_of(connection: AsyncConnection, guild_id: int, *, limit: int = 20) -> list[StoredRun]:
    """The guild's runs, the latest period first."""
    rows = await connection.execute(
        select(RunRow.__table__).where(RunRow.guild_id == guild_id).order_by(RunRow.period_start.desc()).limit(limit)
    )
    return [_run(row) for row in rows]


async def run_for(connection: AsyncConnection, guild_id: int, period_start: datetime) -> StoredRun | None:
    row = (await connection.execute(select(RunRow.__table__).where(_is_run(guild_id, period_start)))).first()
    return None if row is None else _run(row)


async def open_run(connection: AsyncConnection, guild_id: int, run: Run, *, at: datetime) -> None:
    """Have a run done now: a new one, or one that was offered, skipped or waits for its next try.

    One that is being done, or is done, stays as it is.
    """
    await insert_new(connection, RunRow, [_run_values(guild_id, run, RunStatus.DUE, at)])
    await connection.execute(
        update(RunRow)
        .where(
            _is_run(guild_id, run.period.start),
            RunRow.status.in_((RunStatus.OFFERED, RunStatus.SKIPPED, RunStatus.DUE)),
        )
        .values(status=RunStatus.DUE, lease_until=None, opened_at=at, attempts=0, error=None, finished_at=None)
    )


async def claimable_runs(connection: AsyncConnection, now: datetime, *, limit: int) -> list[StoredRun]:
    """Runs that nobody does at `now`, the longest due first; of each guild only what may begin."""
    rows = await connection.execute(
        select(RunRow.__table__)
        .where(_claimable(now), ~_guild_is_busy(now))
        .order_by(RunRow.due_at, RunRow.guild_id)
        .limit(limit)
    )
    return [_run(row) for row in rows]


async def claim_run(
    connection: AsyncConnection, run: StoredRun, *, by: str, now: datetime, until: datetime
) -> StoredRun | None:
    """Claim a run until `until`; None where somebody else was first, or does another run of the guild.

    One guild's runs are done one after the other: the claims of a guild take turns at its schedule's row.
    """
    await connection.execute(select(ScheduleRow.guild_id).where(ScheduleRow.guild_id == run.guild_id).with_for_update())
    done = await connection.execute(
        update(RunRow)
        .where(_is_run(run.guild_id, run.run.period.start), _claimable(now), ~_guild_is_busy(now))
        .values(status=RunStatus.CLAIMED, claimed_by=by, lease_until=until, attempts=RunRow.attempts + 1)
    )
    if done.rowcount != 1:
        return None
    return await run_for(connection, run.guild_id, run.run.period.start)


async def renew_claim(connection: AsyncConnection, run: StoredRun, *, until: datetime) -> bool:
    """Hold the claim until `until`; False where it has been taken over."""
    done = await connection.execute(update(RunRow).where(_is_claimed(run)).values(lease_until=until))
    return done.rowcount == 1


async def finish_run(
    connection: AsyncConnection, run: StoredRun, status: RunStatus, *, at: datetime, error: str | None = None
) -> bool:
    """End a claimed run; False where the claim has been taken over."""
    done = await connection.execute(
        update(RunRow)
        .where(_is_claimed(run))
        .values(status=status, claimed_by=None, lease_until=None, finished_at=at, error=error)
    )
    return done.rowcount == 1


async def postpone_run(connection: AsyncConnection, run: StoredRun, *, until: datetime, error: str) -> bool:
    """Give a claimed run back, to be tried again from `until` on; False where the claim has been taken over."""
    done = await connection.execute(
        update(RunRow)
        .where(_is_claimed(run))
        .values(status=RunStatus.DUE, claimed_by=None, lease_until=until, error=error)
    )
    return done.rowcount == 1


async def claim_settled(
    connection: AsyncConnection, guild_id: int, period: Period, *, by: str, now: datetime, until: datetime
) -> bool:
    """Claim a run that is done, to change what it posted; False where somebody else is at it.

    Also renews the claim, which ends at `until` or by `release_settled`.
    """
    run = Run(now, period)
    await insert_new(
        connection,
        RunRow,
        [_run_values(guild_id, run, RunStatus.DONE, now) | {"claimed_by": None, "lease_until": None}],
    )
    done = await connection.execute(
        update(RunRow)
        .where(
            _is_run(guild_id, period.start),
            RunRow.status == RunStatus.DONE,
            or_(RunRow.claimed_by == by, RunRow.lease_until.is_(None), RunRow.lease_until <= now),
        )
        .values(claimed_by=by, lease_until=until)
    )
    return done.rowcount == 1


async def release_settled(connection: AsyncConnection, guild_id: int, period: Period, *, by: str) -> None:
    await connection.execute(
        update(RunRow)
        .where(_is_run(guild_id, period.start), RunRow.status == RunStatus.DONE, RunRow.claimed_by == by)
        .values(claimed_by=None, lease_until=None)
    )


async def overdue_runs(connection: AsyncConnection, opened_before: datetime) -> list[StoredRun]:
    """Runs that should have been done: opened before the instant and still not done."""
    rows = await connection.execute(
        select(RunRow.__table__)
        .where(RunRow.status.in_(_OPEN), RunRow.opened_at < opened_before)
        .order_by(RunRow.due_at, RunRow.guild_id)
    )
    return [_run(row) for row in rows]


async def offered_runs(connection: AsyncConnection, guild_id: int) -> list[StoredRun]:
    """Missed runs that somebody may have made up for, the earliest first."""
    rows = await connection.execute(
        select(RunRow.__table__)
        .where(RunRow.guild_id == guild_id, RunRow.status == RunStatus.OFFERED)
        .order_by(RunRow.period_start)
    )
    return [_run(row) for row in rows]


# -- rows


def _is_run(guild_id: int, period_start: datetime) -> ColumnElement[bool]:
    return and_(RunRow.guild_id == guild_id, RunRow.period_start == period_start)


def _is_claimed(run: StoredRun) -> ColumnElement[bool]:
    return and_(
        _is_run(run.guild_id, run.run.period.start),
        RunRow.status == RunStatus.CLAIMED,
        RunRow.claimed_by == run.claimed_by,
        RunRow.attempts == run.attempts,
    )


def _claimable(now: datetime) -> ColumnElement[bool]:
    return and_(RunRow.status.in_(_OPEN), or_(RunRow.lease_until.is_(None), RunRow.lease_until <= now))


def _guild_is_busy(now: datetime) -> ColumnElement[bool]:
    other: Any = RunRow.__table__.alias("other")
    return exists().where(
        other.c.guild_id == RunRow.guild_id,
        other.c.period_start != RunRow.period_start,
        other.c.status == RunStatus.CLAIMED,
        other.c.lease_until > now,
    )


def _schedule_values(schedule: Schedule) -> dict[str, Any]:
    return {
        "guild_id": schedule.guild_id,
        "due_at": schedule.run.due_at,
        "period_start": schedule.run.period.start,
        "period_end": schedule.run.period.end,
        "paused_at": schedule.paused_at,
        "rule": dict(schedule.rule),
    }


def _run_values(guild_id: int, run: Run, status: RunStatus, at: datetime) -> dict[str, Any]:
    return {
        "guild_id": guild_id,
        "period_start": run.period.start,
        "period_end": run.period.end,
        "timezone": run.period.timezone,
        "due_at": run.due_at,
        "status": status,
        "attempts": 0,
        "opened_at": at,
    }


def _schedule(row: Any) -> Schedule:
    period = Period(row.period_start, row.period_end, row.rule.get("timezone", "UTC"))
    return Schedule(guild_id=row.guild_id, run=Run(row.due_at, period), rule=row.rule, paused_at=row.paused_at)


def _run(row: Any) -> StoredRun:
    return StoredRun(
        guild_id=row.guild_id,
        run=Run(row.due_at, Period(row.period_start, row.period_end, row.timezone)),
        status=RunStatus(row.status),
        claimed_by=row.claimed_by,
        not_before=row.lease_until,
        attempts=row.attempts,
        error=row.error,
        finished_at=row.finished_at,
        opened_at=row.opened_at,
    )
