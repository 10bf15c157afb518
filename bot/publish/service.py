"""What commands ask of publishing. Plain values in and out; errors carry the sentence to answer with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot.errors import ConflictError, NotFoundError
from bot.model.clock import Clock
from bot.model.publication import (
    OPEN,
    EditionStatus,
    EditionSummary,
    MadeEdition,
    RunStatus,
    Schedule,
    StoredEdition,
    StoredPart,
    StoredRun,
)
from bot.model.schedule import Period, Run, first_run_after
from bot.publish import calendar
from bot.publish.amender import Amender
from bot.publish.maker import Maker, make_edition
from bot.publish.publisher import Publisher
from bot.publish.review import Reviews
from bot.publish.revisions import APPROVE
from bot.publish.scheduler import Scheduler
from bot.store import editions, edits, guilds, model_answers, notices, parts
from bot.store import schedule as stored
from bot.store.actions import log_action
from bot.store.engine import Connection, Store
from bot.store.sources import mark_stale


@dataclass(frozen=True, slots=True)
class Tokens:
    """What the language model has used since `since`, and what one making of an edition may use (None: no model)."""

    used: int
    since: datetime
    allowed: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """How it stands with a guild's digest. `problems` are sentences that were reported and are not over; `tokens` are
    those for the next edition, None where the guild uses no language model; `last_edition` is the latest that stands
    on Discord, `draft` the latest of which nothing does."""

    schedule: Schedule | None
    last_run: StoredRun | None
    last_edition: EditionSummary | None
    draft: EditionSummary | None
    offered: Sequence[StoredRun]
    problems: Sequence[str]
    skipped: Sequence[StoredRun] = ()
    tokens: Tokens | None = None


@dataclass(frozen=True, slots=True)
class Publishing:
    """The service behind `/digest`. `by` is always the id of the member who asks.

    `web_url` is the archive's public address, `tokens_per_edition` what the language model may use for one making of
    an edition, `model_at` which one it is and where; None where there is none.
    """

    store: Store
    clock: Clock
    maker: Maker
    publisher: Publisher
    scheduler: Scheduler
    amender: Amender
    reviews: Reviews | None = None
    web_url: str | None = None
    tokens_per_edition: int | None = None
    model_at: str | None = None

    def start(self) -> None:
        """Begin the schedule, the drafts and the corrections; where they go on already, nothing happens."""
        self.scheduler.start()
        self.amender.start()
        if self.reviews is not None:
            self.reviews.start()

    async def stop(self) -> None:
        await self.scheduler.stop()
        await self.amender.stop()
        if self.reviews is not None:
            await self.reviews.stop()

    async def preview(self, guild_id: int, period: Period | None = None) -> MadeEdition:
        """The edition as it would be posted now, without storing or posting anything.

        For the period of the next run, up to now, unless one is given. Raises ConflictError where it has not begun.
        """
        if period is None:
            planned = await self._next_run(guild_id)
            calendar.require_begun(planned, self.clock.now())
            end = min(planned.period.end, self.clock.now())
            period = Period(planned.period.start, end, planned.period.timezone)
        return await make_edition(self.store, self.maker.stages, guild_id=guild_id, period=period)

    async def publish_now(self, guild_id: int, *, by: int, period_start: datetime | None = None) -> Run:
        """Have an edition posted at once: the next one before its time, or an offered or skipped one by its start.

        The period of one that is posted before its time ends now, and the one after it begins there. It is done by
        the schedule like any other. Raises NotFoundError, and ConflictError where it stands already or is being made.
        """
        async with self.store.write() as connection:
            if period_start is None:
                run = await calendar.bring_forward(connection, guild_id, self.clock.now())
            else:
                run = await self._offered(connection, guild_id, period_start)
            known = await editions.edition_for(connection, guild_id, run.period)
            if known is not None and known.status is EditionStatus.PUBLISHED:
                raise ConflictError(f"{known.title!r} has been posted already; /digest amend corrects it.")
            if known is not None and known.status is EditionStatus.HELD:
                await editions.set_status(
                    connection, known.edition_id, EditionStatus.APPROVED, expected=[EditionStatus.HELD]
                )
            await edits.store_edit(
                connection,
                guild_id=guild_id,
                period_start=run.period.start,
                user_id=by,
                kind=APPROVE,
                data={},
                at=self.clock.now(),
            )
            await stored.open_run(connection, guild_id, run, at=self.clock.now())
            await self._log(connection, guild_id, by, "had the digest posted", run.period)
        self.scheduler.wake()
        return run

    async def amend(self, edition_id: int, *, by: int) -> None:
        """Have a posted edition made anew and corrected on Discord, within a minute. Raises NotFoundError."""
        async with self.store.write() as connection:
            edition = await editions.fetch_edition(connection, edition_id)
            await mark_stale(connection, [edition_id], reason="a moderator asked for it", at=self.clock.now())
            await self._log(connection, edition.guild_id, by, "had the digest amended", edition.period)
        self.amender.wake()

    async def status(self, guild_id: int) -> Status:
        async with self.store.read() as connection:
            runs = await stored.runs_of(connection, guild_id, limit=12)
            known = await editions.history(connection, guild_id)
            return Status(
                schedule=await stored.schedule_of(connection, guild_id),
                last_run=runs[0] if runs else None,
                last_edition=next((each for each in known if each.status not in OPEN), None),
                draft=next((each for each in known if each.status in OPEN), None),
                offered=await stored.offered_runs(connection, guild_id),
                problems=await notices.open_notices(connection, guild_id),
                skipped=[run for run in runs if run.status is RunStatus.SKIPPED],
                tokens=await self._tokens(connection, guild_id),
            )

    async def _tokens(self, connection: Connection, guild_id: int) -> Tokens | None:
        settings = await guilds.fetch_settings(connection, guild_id)
        if not settings.narrative.model:
            return None
        schedule = await stored.schedule_of(connection, guild_id)
        run = schedule.run if schedule else first_run_after(settings.schedule, self.clock.now())
        used = await model_answers.tokens_used(connection, guild_id, run.period.start)
        return Tokens(used, run.period.start, self.tokens_per_edition)

    async def pause(self, guild_id: int, *, by: int) -> bool:
        """Post nothing until `resume`; False where it was paused already. Raises NotFoundError."""
        done = await calendar.pause(self.store, guild_id, self.clock.now())
        await self._note(guild_id, by, "paused the digest")
        return done

    async def resume(self, guild_id: int, *, by: int) -> Run:
        """Go on, with the first run due from now on. Raises NotFoundError."""
        run = await calendar.resume(self.store, guild_id, self.clock.now())
        await self._note(guild_id, by, "resumed the digest")
        self.scheduler.wake()
        return run

    async def skip(self, guild_id: int, *, by: int) -> Run:
        """Leave the next run out; the one after it. Raises NotFoundError and ConflictError."""
        run = await calendar.skip(self.store, guild_id, self.clock.now())
        await self._note(guild_id, by, "skipped a digest")
        self.scheduler.wake()
        return run

    async def history(self, guild_id: int, *, limit: int = 25) -> list[EditionSummary]:
        async with self.store.read() as connection:
            return await editions.history(connection, guild_id, limit=limit)

    async def show(self, edition_id: int) -> tuple[StoredEdition, list[StoredPart]]:
        """Raises NotFoundError."""
        async with self.store.read() as connection:
            return await editions.fetch_edition(connection, edition_id), await parts.parts_of(connection, edition_id)

    async def set_public(self, guild_id: int, edition_id: int, *, public: bool, by: int) -> StoredEdition:
        """Show a posted edition to everybody on the web, or no longer; the edition.

        Raises NotFoundError where the guild has no such edition, ConflictError for one that is not posted.
        """
        async with self.store.write() as connection:
            edition = await editions.fetch_edition(connection, edition_id)
            if edition.guild_id != guild_id:
                raise NotFoundError("There is no such digest here; `/digest history` lists those there are.")
            if public and edition.status is not EditionStatus.PUBLISHED:
                raise ConflictError("Only a digest that has been posted can be made public.")
            await editions.set_public(connection, edition_id, public)
            action = "made a digest public" if public else "took a digest off the web"
            await self._log(connection, guild_id, by, action, edition.period)
        return replace(edition, public=public)

    def web_address(self, edition_id: int) -> str | None:
        """Where a public edition stands on the web; None where the operator has named no address."""
        return f"{self.web_url.rstrip('/')}/editions/{edition_id}" if self.web_url else None

    async def settings_changed(self, guild_id: int) -> None:
        """Replan at once after a guild's settings were stored."""
        await calendar.adopt_settings(self.store, guild_id, self.clock.now())
        self.scheduler.wake()
        if self.reviews is not None:
            self.reviews.wake()

    async def _next_run(self, guild_id: int) -> Run:
        async with self.store.read() as connection:
            schedule = await stored.schedule_of(connection, guild_id)
            settings = await guilds.fetch_settings(connection, guild_id)
        return schedule.run if schedule else first_run_after(settings.schedule, self.clock.now())

    async def _offered(self, connection: Connection, guild_id: int, period_start: datetime) -> Run:
        found = await stored.run_for(connection, guild_id, period_start)
        if found is None:
            raise NotFoundError("There is no such period; /digest status lists those that can be posted.")
        if found.status in (RunStatus.CLAIMED, RunStatus.DONE):
            raise ConflictError("That digest has been posted, or is being posted; /digest history shows it.")
        return found.run

    async def _note(self, guild_id: int, by: int, action: str) -> None:
        async with self.store.write() as connection:
            await log_action(connection, guild_id=guild_id, user_id=by, action=action, at=self.clock.now())

    async def _log(self, connection: Connection, guild_id: int, by: int, action: str, period: Period) -> None:
        data = {"period_start": period.start.isoformat(), "period_end": period.end.isoformat()}
        await log_action(connection, guild_id=guild_id, user_id=by, action=action, at=self.clock.now(), data=data)
