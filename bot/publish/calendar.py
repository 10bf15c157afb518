"""When a guild's editions are due: its schedule started, moved on, changed, paused, resumed and skipped.

Each function is one transaction, and of two processes that do the same one sees it done by the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from bot.errors import ConflictError, NotFoundError
from bot.model.publication import RunStatus, Schedule
from bot.model.schedule import Run, first_run_after, next_run, rescheduled
from bot.model.settings import ScheduleSettings
from bot.store import guilds
from bot.store import schedule as stored
from bot.store.engine import Connection, Store

ON_TIME = timedelta(minutes=10)
"""A run noticed so soon after it was due has not been missed."""
MOST_MISSED = 12


def rule_of(settings: ScheduleSettings) -> dict[str, object]:
    """What of the settings decides when a run is due."""
    return settings.model_dump(mode="json", exclude={"catch_up"})


def passed_runs(schedule: Schedule, now: datetime) -> tuple[list[Run], Run]:
    """The runs due by `now`, by the settings they were planned with, the earliest first; and the one after them."""
    settings, run = ScheduleSettings.model_validate(schedule.rule), schedule.run
    passed = []
    while run.due_at <= now:
        passed.append(run)
        run = next_run(settings, run)
    return passed, run


def triage(passed: Sequence[Run], now: datetime, *, catch_up: int) -> list[tuple[Run, RunStatus]]:
    """Which of the runs that have passed are done: one that is on time, and the latest `catch_up` of those missed.

    A few further ones are offered; what lies longer back is let go.
    """
    missed = [run for run in passed if now - run.due_at > ON_TIME]
    made_up = missed[len(missed) - min(catch_up, len(missed)) :]
    return [
        (run, RunStatus.DUE if run in made_up or run not in missed else RunStatus.OFFERED)
        for run in passed[-(MOST_MISSED + catch_up) :]
    ]


async def start_schedule(store: Store, guild_id: int, after: datetime) -> None:
    """Plan the guild's first run: the first one due after the instant. A schedule that has been started stays."""
    async with store.write() as connection:
        settings = (await guilds.fetch_settings(connection, guild_id)).schedule
        first = Schedule(guild_id=guild_id, run=first_run_after(settings, after), rule=rule_of(settings))
        await stored.start_schedule(connection, first)


async def adopt_settings(store: Store, guild_id: int, now: datetime) -> None:
    """Start the schedule of a guild that has a channel for the digest, and replan it where the settings changed."""
    async with store.write() as connection:
        settings = await guilds.fetch_settings(connection, guild_id)
        schedule = await stored.schedule_of(connection, guild_id)
        rule = rule_of(settings.schedule)
        if not settings.publish.channel:
            return
        if schedule is None:
            run = first_run_after(settings.schedule, now)
            await stored.start_schedule(connection, Schedule(guild_id=guild_id, run=run, rule=rule))
        elif schedule.rule != rule and schedule.run.due_at > now:
            run = rescheduled(settings.schedule, schedule.run, now)
            new = Schedule(guild_id=guild_id, run=run, rule=rule, paused_at=schedule.paused_at)
            await stored.replace_schedule(connection, schedule, new)


async def open_passed(store: Store, schedule: Schedule, now: datetime, *, is_present: bool) -> list[Run]:
    """Open the runs that a schedule has passed, and move it on; those that are offered, none where another did it.

    A guild that the bot has left, or that has no channel for the digest (any more), skips them.
    """
    async with store.write() as connection:
        settings = await guilds.fetch_settings(connection, schedule.guild_id)
        passed, following = passed_runs(schedule, now)
        rule = rule_of(settings.schedule)
        if schedule.rule != rule:
            following = rescheduled(settings.schedule, following, now)
        if is_present and settings.publish.channel:
            runs = triage(passed, now, catch_up=settings.schedule.catch_up)
        else:
            runs = [(run, RunStatus.SKIPPED) for run in passed[-1:]]
        new = Schedule(guild_id=schedule.guild_id, run=following, rule=rule)
        if not await stored.advance_schedule(connection, schedule, new, runs, at=now):
            return []
    return [run for run, status in runs if status is RunStatus.OFFERED]


async def pause(store: Store, guild_id: int, now: datetime) -> bool:
    """Open no further runs until `resume`; False where it is paused already. Raises NotFoundError."""
    async with store.write() as connection:
        await _schedule(connection, guild_id)
        return await stored.pause_schedule(connection, guild_id, now)


async def resume(store: Store, guild_id: int, now: datetime) -> Run:
    """Go on: the next run is the first one due after `now`. What fell due in the pause is offered, not posted.

    Raises NotFoundError.
    """
    async with store.write() as connection:
        schedule = await _schedule(connection, guild_id)
        if schedule.paused_at is None:
            return schedule.run
        passed, following = passed_runs(schedule, now)
        new = Schedule(guild_id=guild_id, run=following, rule=schedule.rule)
        offered = [(run, RunStatus.OFFERED) for run in passed[-MOST_MISSED:]]
        await stored.advance_schedule(connection, schedule, new, offered, at=now)
        return following


async def skip(store: Store, guild_id: int, now: datetime) -> Run:
    """Leave the next run out; its period is told by no edition unless somebody asks for it. The one after it.

    Raises NotFoundError, and ConflictError where it has just become due.
    """
    async with store.write() as connection:
        schedule = await _schedule(connection, guild_id)
        following = next_run(ScheduleSettings.model_validate(schedule.rule), schedule.run)
        new = Schedule(guild_id=guild_id, run=following, rule=schedule.rule, paused_at=schedule.paused_at)
        skipped = [(schedule.run, RunStatus.SKIPPED)]
        if schedule.run.due_at <= now or not await stored.advance_schedule(connection, schedule, new, skipped, at=now):
            raise ConflictError("The next digest is being made already; use /digest status to follow it.")
        return following


async def bring_forward(connection: Connection, guild_id: int, now: datetime) -> Run:
    """Open the next run now, as part of a transaction: its period ends now at the latest, where the following begins.

    Raises NotFoundError, and ConflictError where the period has hardly begun or the run has just become due.
    """
    schedule = await _schedule(connection, guild_id)
    planned = schedule.run
    if not planned.period.start < now < planned.due_at:
        raise ConflictError("The digest has just been made; use `/digest status` to follow it.")
    early = Run(now, replace(planned.period, end=min(now, planned.period.end)))
    following = next_run(ScheduleSettings.model_validate(schedule.rule), planned)
    following = replace(following, period=replace(following.period, start=early.period.end))
    new = replace(schedule, run=following)
    if not await stored.advance_schedule(connection, schedule, new, [(early, RunStatus.DUE)], at=now):
        raise ConflictError("The schedule has just changed; try again.")
    return early


def require_begun(run: Run, now: datetime) -> None:
    """Raise ConflictError where the run's period is still to come, as it is after a digest was skipped."""
    period = run.period
    if now < period.start:
        day = period.start.astimezone(ZoneInfo(period.timezone))
        raise ConflictError(f"The next digest tells of the time from {day:%Y-%m-%d} on; there is nothing to tell yet.")


async def _schedule(connection: Connection, guild_id: int) -> Schedule:
    schedule = await stored.schedule_of(connection, guild_id)
    if schedule is None:
        raise NotFoundError("No schedule has been started; choose a channel for the digest with /digest setup.")
    return schedule
