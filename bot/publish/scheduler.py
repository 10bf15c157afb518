"""Has every guild's edition made and posted when it is due, by one of any number of processes.

The next run of each guild is stored. When it is due, one process replaces it by the following one and opens a run
in the same transaction; one process claims the run and does it. The claim is a row with a lease that is renewed
while the work goes on: it outlives a pause of two minutes, and ends as long after a crash.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import TypeVar

from bot.errors import ConflictError, GazetteError, StoreError
from bot.model.clock import Clock, sleep
from bot.model.publication import RunStatus, Schedule, StoredRun
from bot.model.schedule import Run
from bot.publish import calendar
from bot.publish.delivery import Hold
from bot.publish.loop import Loop
from bot.publish.metrics import LATE, RUNS
from bot.publish.notices import Notices, sentence
from bot.publish.rest import UncertainError
from bot.store import guilds
from bot.store import schedule as stored
from bot.store.engine import Store

log = logging.getLogger(__name__)

LEASE = timedelta(minutes=2)
POLL = timedelta(minutes=5)
OVERDUE = timedelta(hours=1)
LONGEST_RUN = timedelta(hours=2)
GIVE_UP = timedelta(days=3)
FIRST_DELAY, LONGEST_DELAY = timedelta(seconds=30), timedelta(minutes=30)
PATIENCE = 4
"""After how many failed tries people are told that Discord does not answer."""
_BREATH = timedelta(seconds=1)
_OVERLAP = timedelta(minutes=1)
T = TypeVar("T")

RunEdition = Callable[[StoredRun, Hold], Awaitable[None]]
"""Makes and posts the edition of a run. It may be called again for the same run after any failure or crash."""


class ClaimLostError(GazetteError):
    """Another process has taken the run over, since this one did not renew its claim in time."""


class TooLongError(GazetteError):
    """A run goes on and on, and its place is needed for others."""


class Scheduler:
    """The schedule's clockwork. `name` tells this process from the others on the database.

    No failure of one guild or of the database ends it. At most `at_once` runs are done at the same time. Another
    process's changes to the schedule are noticed within `poll`.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        run_edition: RunEdition,
        notices: Notices,
        *,
        name: str,
        at_once: int = 8,
        lease: timedelta = LEASE,
        poll: timedelta = POLL,
    ) -> None:
        self._store = store
        self._clock = clock
        self._run_edition = run_edition
        self._notices = notices
        self._name = name
        self._at_once = at_once
        self._lease = lease
        self._poll = poll
        self._loop = Loop(self._step, clock, name="scheduler", retry=FIRST_DELAY)
        self._doing: dict[tuple[int, datetime], asyncio.Task[None]] = {}
        self._telling: set[asyncio.Task[None]] = set()
        self._adopted: datetime | None = None

    def start(self) -> None:
        """Run in the background. Where it runs already, nothing happens."""
        self._loop.start()

    async def stop(self) -> None:
        """End, giving the runs that are being done back at once."""
        await self._loop.stop()
        tasks = [*self._doing.values(), *self._telling]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def idle(self) -> None:
        """Return when all that is due now has been taken up and no run is being done."""
        await self._loop.idle()
        while self._doing:
            await asyncio.wait(list(self._doing.values()))
            await asyncio.sleep(0)
            await self._loop.idle()

    def wake(self) -> None:
        """Look at the schedule now: something has changed."""
        self._loop.wake()

    # -- the round

    async def _step(self) -> datetime:
        """See to everything that is due; when to look again."""
        now = self._clock.now()
        await self._adopt_settings(now)
        await self._open_due(now)
        await self._report_overdue(now)
        await self._take_up(now)
        return await self._next_instant(now)

    async def _next_instant(self, looked_at: datetime) -> datetime:
        """When to look again. What was due already and could not be taken up is not waited for in a tight circle."""
        async with self._store.read() as connection:
            found = await stored.next_instant(connection)
        latest = looked_at + self._poll
        if found is None or len(self._doing) >= self._at_once:
            return latest
        return min(latest, found if found > looked_at else looked_at + _BREATH)

    async def _adopt_settings(self, now: datetime) -> None:
        """Start the schedule of guilds that have a channel for the digest, and change it where the settings have."""
        async with self._store.read() as connection:
            changed = await stored.guilds_with_settings_since(connection, self._adopted)
        if await self._for_each(changed, lambda guild_id: calendar.adopt_settings(self._store, guild_id, now)):
            self._adopted = now - _OVERLAP

    async def _for_each(self, things: Iterable[T], work: Callable[[T], Awaitable[None]]) -> bool:
        """Do the work for each, whatever becomes of the others; whether all went well."""
        well = True
        for thing in things:
            try:
                await work(thing)
            except Exception:
                log.exception("a guild's schedule could not be seen to", extra={"concerned": str(thing)})
                well = False
        return well

    async def _open_due(self, now: datetime) -> None:
        async with self._store.read() as connection:
            due = await stored.due_schedules(connection, now)
            present = set(await guilds.guild_ids(connection)) if due else set()
        await self._for_each(due, lambda schedule: self._open(schedule, now, is_present=schedule.guild_id in present))

    async def _open(self, schedule: Schedule, now: datetime, *, is_present: bool) -> None:
        offered = await calendar.open_passed(self._store, schedule, now, is_present=is_present)
        if offered:
            self._tell(schedule.guild_id, f"missed {offered[-1].period.end:%Y-%m-%d}", _missed(offered))

    async def _report_overdue(self, now: datetime) -> None:
        async with self._store.read() as connection:
            overdue = await stored.overdue_runs(connection, now - OVERDUE)
        LATE.set(len(overdue))
        for run in overdue:
            why = f" What stands in the way: {run.error}" if run.error else " It is still being tried."
            self._tell(run.guild_id, _key(run), f"{_digest(run)} has not come.{why}")

    async def _take_up(self, now: datetime) -> None:
        """Claim runs, as many as there is room for."""
        async with self._store.read() as connection:
            found = await stored.claimable_runs(connection, now, limit=self._at_once + len(self._doing))
        for run in found:
            key = (run.guild_id, run.run.period.start)
            if len(self._doing) >= self._at_once:
                return
            if key in self._doing:
                continue
            async with self._store.write() as connection:
                claimed = await stored.claim_run(connection, run, by=self._name, now=now, until=now + self._lease)
            if claimed is not None:
                self._doing[key] = asyncio.create_task(self._do(claimed), name=f"edition of guild {run.guild_id}")
                self._doing[key].add_done_callback(lambda task, key=key: self._done(key, task))  # type: ignore[misc]

    def _done(self, key: tuple[int, datetime], task: asyncio.Task[None]) -> None:
        del self._doing[key]
        self.wake()
        if not task.cancelled() and (error := task.exception()):
            log.error("a run could not be brought to an end; it will be tried again", exc_info=error)

    def _tell(self, guild_id: int, key: str, text: str) -> None:
        """Report a problem beside the schedule, which nobody's slow answer holds up."""
        task = asyncio.create_task(self._notices.report(guild_id, key, text), name=f"notice to guild {guild_id}")
        self._telling.add(task)
        task.add_done_callback(self._told)

    def _told(self, task: asyncio.Task[None]) -> None:
        self._telling.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("a problem could not be reported", exc_info=error)

    # -- one run

    async def _do(self, run: StoredRun) -> None:
        work = asyncio.ensure_future(self._run_edition(run, lambda: self._hold(run)))
        renewing = asyncio.create_task(self._renew(run))
        try:
            await asyncio.wait([work, renewing], return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                work.cancel()
                await asyncio.gather(work, return_exceptions=True)
                await renewing
            await work
        except ClaimLostError as error:
            log.warning("a run was taken over", extra=_told(run) | {"error": str(error)})
            RUNS.labels("taken over").inc()
        except ConflictError as error:
            await self._finish(run, RunStatus.OFFERED, error=str(error))
            RUNS.labels("held back").inc()
        except asyncio.CancelledError:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
            await self._give_back(run)
            raise
        except Exception as error:
            await self._failed(run, error)
        else:
            await self._finish(run, RunStatus.DONE)
            await self._notices.settle(run.guild_id, [_key(run)])
            RUNS.labels("done").inc()
        finally:
            renewing.cancel()
            await asyncio.gather(renewing, return_exceptions=True)

    async def _renew(self, run: StoredRun) -> None:
        deadline = self._clock.now() + LONGEST_RUN
        while True:
            await sleep(self._clock, self._lease.total_seconds() / 3)
            if self._clock.now() >= deadline:
                raise TooLongError("Making it took longer than two hours and was broken off.")
            try:
                await self._hold(run)
            except StoreError as error:
                log.warning("a claim could not be renewed", extra=_told(run) | {"error": str(error)})

    async def _hold(self, run: StoredRun) -> None:
        async with self._store.write() as connection:
            if not await stored.renew_claim(connection, run, until=self._clock.now() + self._lease):
                raise ClaimLostError("Another process does this run by now.")

    async def _finish(self, run: StoredRun, status: RunStatus, *, error: str | None = None) -> None:
        async with self._store.write() as connection:
            await stored.finish_run(connection, run, status, at=self._clock.now(), error=error)

    async def _give_back(self, run: StoredRun) -> None:
        async with self._store.write() as connection:
            await stored.postpone_run(
                connection, run, until=self._clock.now(), error=run.error or "the program was stopped"
            )

    async def _failed(self, run: StoredRun, error: Exception) -> None:
        """Try again later; tell people of what they can mend at once, and of what passes by itself when it lasts."""
        now, why = self._clock.now(), sentence(error)
        log.error(
            "a digest could not be posted",
            extra=_told(run) | {"error": why},
            exc_info=None if isinstance(error, GazetteError) else error,
        )
        RUNS.labels("failed").inc()
        if now - (run.opened_at or now) >= GIVE_UP:
            await self._finish(run, RunStatus.OFFERED, error=why)
            text = f"{_digest(run)} was given up after three days: {why} /digest publish makes up for it."
            self._tell(run.guild_id, f"{_key(run)} given up", text)
            return
        delay = min(FIRST_DELAY * 2 ** min(run.attempts - 1, 16), LONGEST_DELAY)
        async with self._store.write() as connection:
            await stored.postpone_run(connection, run, until=now + delay, error=why)
        if not isinstance(error, UncertainError) or run.attempts >= PATIENCE:
            text = f"{_digest(run)} could not be posted: {why} It is tried again until it works, for three days."
            self._tell(run.guild_id, _key(run), text)


def _missed(runs: Sequence[Run]) -> str:
    weeks = ", ".join(f"{run.period.start:%Y-%m-%d} to {run.period.end:%Y-%m-%d}" for run in runs)
    return (
        f"Gazette was away and has missed digests that it does not make up for by itself: {weeks}. "
        "/digest publish posts one of them."
    )


def _digest(run: StoredRun) -> str:
    return f"The digest due {run.run.due_at:%Y-%m-%d %H:%M} UTC"


def _key(run: StoredRun) -> str:
    return f"digest {run.run.period.start.isoformat()}"


def _told(run: StoredRun) -> dict[str, object]:
    return {"guild_id": run.guild_id, "due_at": run.run.due_at.isoformat(), "attempt": run.attempts}
