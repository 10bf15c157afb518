"""The review: drafts are shown to moderators before they are posted, changed by them, approved or held back."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from bot.errors import ConflictError, NotFoundError
from bot.model.clock import Clock
from bot.model.edition import Edition
from bot.model.guilds import ChannelType
from bot.model.publication import OPEN, EditionStatus, RunStatus, Schedule, StoredEdition
from bot.publish import review_message, revisions
from bot.publish.calendar import require_begun
from bot.publish.loop import Loop
from bot.publish.maker import Maker
from bot.publish.notices import Notices, sentence
from bot.publish.rest import UncertainError
from bot.publish.review_channel import PROBLEM, Draft, ReviewChannel
from bot.publish.scheduler import POLL
from bot.store import editions, guilds
from bot.store import edits as stored_edits
from bot.store import reviews as stored
from bot.store import schedule as schedules
from bot.store.actions import log_action
from bot.store.engine import Store

log = logging.getLogger(__name__)

CLAIM = timedelta(minutes=10)
_LONGEST = timedelta(hours=168)
_THREADED = frozenset({ChannelType.TEXT, ChannelType.ANNOUNCEMENT})


async def revised(store: Store, guild_id: int, edition: Edition) -> Edition:
    """The edition with the moderators' changes to its period: the stage `revise`."""
    async with store.read() as connection:
        known = await stored_edits.edits_of(connection, guild_id, edition.period.start)
    return revisions.revise(edition, [(kind, data) for _, kind, data in known])


class Reviews:
    """Shows drafts in time (`start`), and does what moderators decide. `by` is the id of who decides.

    `drain` is awaited before a draft is made, so that what was received is in it. `publish_late` posts an edition
    whose time has passed. Methods that take a `revision` raise ConflictError where the draft has changed since.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        channel: ReviewChannel,
        maker: Maker,
        notices: Notices,
        *,
        drain: Callable[[], Awaitable[None]],
        publish_late: Callable[[int, datetime, int], Awaitable[None]],
    ) -> None:
        self._store = store
        self._clock = clock
        self._channel = channel
        self._maker = maker
        self._notices = notices
        self._drain = drain
        self._publish_late = publish_late
        self._turns: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)  # of a guild: one making at a time
        self._loop = Loop(self._step, clock, name="reviews", retry=POLL)

    # -- in the background

    def start(self) -> None:
        """Show drafts when their time comes. Where that goes on already, nothing happens."""
        self._loop.start()

    async def stop(self) -> None:
        await self._loop.stop()

    def wake(self) -> None:
        """Look at the schedule now: something has changed."""
        self._loop.wake()

    async def settings_changed(self, guild_id: int) -> None:
        self.wake()

    async def idle(self) -> None:
        """Return when no draft is being made and none is due."""
        await self._loop.idle()

    async def _step(self) -> datetime:
        """Show the drafts that are due, and say when to look again."""
        now = self._clock.now()
        next_look = now + POLL
        async with self._store.read() as connection:
            coming = await schedules.due_schedules(connection, now + _LONGEST)
            outdated = await stored.outdated_reviews(connection)
        for edition_id in outdated:
            await self._channel.refresh(edition_id)
        for schedule in coming:
            async with self._store.read() as connection:
                settings = await guilds.fetch_settings(connection, schedule.guild_id)
            if not settings.moderation.review_channel or schedule.run.due_at <= now:
                continue
            show_at = schedule.run.due_at - timedelta(hours=settings.moderation.review_hours)
            if show_at > now:
                next_look = min(next_look, show_at)
                continue
            try:
                await self._open(schedule)
            except Exception as error:
                await self._failed(schedule.guild_id, error)
        return next_look

    async def _open(self, schedule: Schedule) -> None:
        async with self._store.read() as connection:
            known = await editions.edition_for(connection, schedule.guild_id, schedule.run.period)
            review = await stored.review_of(connection, known.edition_id) if known else None
        if known is not None and (known.status not in OPEN or (review is not None and review.revision)):
            return
        await self.show_next(schedule.guild_id)

    async def show_next(self, guild_id: int) -> Draft:
        """Make the draft of the next edition now, and show it in the review channel.

        Raises NotFoundError where there is no schedule or no review channel, ConflictError where its period has not
        begun, TargetError where it cannot be shown.
        """
        async with self._store.read() as connection:
            schedule = await schedules.schedule_of(connection, guild_id)
            settings = await guilds.fetch_settings(connection, guild_id)
        if schedule is None:
            raise NotFoundError("No schedule has been started; choose a channel for the digest with /digest setup.")
        if not settings.moderation.review_channel:
            raise NotFoundError("No review channel is set; choose one with /digest setup, or use /digest preview.")
        require_begun(schedule.run, self._clock.now())
        async with self._turns[guild_id]:
            await self._drain()
            edition_id = await self._maker.make(guild_id, schedule.run.period)
            now = self._clock.now()
            async with self._store.write() as connection:
                claimed = await stored.claim_review(connection, edition_id, now=now, until=now + CLAIM)
                review = await stored.review_of(connection, edition_id)
            if claimed or (review is not None and review.revision):
                await self._channel.show(edition_id)
        return await self.draft(edition_id)

    async def _failed(self, guild_id: int, error: Exception) -> None:
        log.error("a draft could not be shown", extra={"guild_id": guild_id}, exc_info=error)
        if not isinstance(error, UncertainError):
            text = f"The draft of the next digest could not be shown for review: {sentence(error)}"
            await self._notices.report(guild_id, PROBLEM, text)

    # -- when an edition is due

    async def decide(self, edition_id: int) -> None:
        """Before an edition is posted: raise ConflictError where it has to wait for a moderator's word."""
        draft = await self.draft(edition_id)
        moderation = draft.settings.moderation
        decisions = [each.kind for each in draft.edits if each.kind in (revisions.APPROVE, revisions.HOLD)]
        waits = moderation.review_channel and moderation.without_review == "hold"
        if draft.edition.status is EditionStatus.DRAFT and waits and decisions[-1:] != [revisions.APPROVE]:
            async with self._store.write() as connection:
                await editions.set_status(connection, edition_id, EditionStatus.HELD, expected=[EditionStatus.DRAFT])
        await self._channel.refresh(edition_id)
        draft = await self.draft(edition_id)
        if draft.edition.status is EditionStatus.HELD:
            where = f": {draft.url}" if draft.url else " in the review channel."
            raise ConflictError(f"The digest is held back until a moderator approves it{where}")

    # -- what moderators do

    async def draft(self, edition_id: int, *, guild_id: int | None = None) -> Draft:
        """The draft as it is stored now. Raises NotFoundError where there is none, or it is another guild's."""
        return await self._channel.draft(edition_id, guild_id=guild_id)

    async def current(self, guild_id: int, edition_id: int, revision: int) -> Draft:
        """The draft, if it is still the one that was looked at.

        Raises ConflictError that links the current one, NotFoundError.
        """
        draft = await self.draft(edition_id, guild_id=guild_id)
        if draft.edition.status not in OPEN:
            raise ConflictError(f"{draft.edition.title!r} is posted or being posted; `/digest amend` corrects it.")
        if draft.edition.revision != revision:
            await self._channel.refresh(edition_id)
            where = f": {draft.url}" if draft.url else "."
            raise ConflictError(
                f"That was version {revision} of the draft, and nothing was changed; now it is version "
                f"{draft.edition.revision}{where}"
            )
        return draft

    async def approve(self, guild_id: int, edition_id: int, revision: int, *, by: int) -> str:
        """Have the edition posted when it is due, or at once where that has passed. What will happen."""
        draft = await self.current(guild_id, edition_id, revision)
        await self._decide(draft, EditionStatus.APPROVED, revisions.APPROVE, by)
        async with self._store.read() as connection:
            run = await schedules.run_for(connection, guild_id, draft.edition.period.start)
        if run is not None and run.status is RunStatus.OFFERED:
            await self._publish_late(guild_id, draft.edition.period.start, by)
            return "Approved. Its time has passed, so it is posted now."
        return "Approved: it is posted when it is due, with what still happens until then."

    async def hold(self, guild_id: int, edition_id: int, revision: int, *, by: int) -> str:
        """Keep the edition from being posted until somebody approves it."""
        draft = await self.current(guild_id, edition_id, revision)
        await self._decide(draft, EditionStatus.HELD, revisions.HOLD, by)
        return "Held back: it is posted only once somebody presses Approve."

    async def _decide(self, draft: Draft, status: EditionStatus, kind: str, by: int) -> None:
        edition, at = draft.edition, self._clock.now()
        async with self._store.write() as connection:
            if not await editions.set_status(connection, edition.edition_id, status, expected=OPEN):
                raise ConflictError("The digest is being posted by now; `/digest status` shows how it stands.")
            await stored_edits.store_edit(
                connection,
                guild_id=edition.guild_id,
                period_start=edition.period.start,
                user_id=by,
                kind=kind,
                data={},
                at=at,
            )
            await self._log(connection, edition, by, f"{kind} the draft", {})
        await self._channel.refresh(edition.edition_id)

    async def rebuild(self, guild_id: int, edition_id: int, revision: int) -> Draft:
        """Make the draft anew, with what arrived since, on Discord and on GitHub."""
        draft = await self.current(guild_id, edition_id, revision)
        async with self._turns[guild_id]:
            await self._drain()
            await self._maker.make(guild_id, draft.edition.period)
            await self._channel.show(edition_id)
        return await self.draft(edition_id)

    async def change(
        self, guild_id: int, edition_id: int, kind: str, data: Mapping[str, Any], *, by: int
    ) -> tuple[Draft, int]:
        """Make a change (see `bot.publish.revisions`) to the draft, for good; the draft with it, and its id."""
        draft = await self.draft(edition_id, guild_id=guild_id)
        if draft.edition.status not in OPEN:
            raise ConflictError(f"{draft.edition.title!r} is posted or being posted; `/digest amend` corrects it.")
        async with self._store.write() as connection:
            edit_id = await stored_edits.store_edit(
                connection,
                guild_id=guild_id,
                period_start=draft.edition.period.start,
                user_id=by,
                kind=kind,
                data=data,
                at=self._clock.now(),
            )
            await self._log(connection, draft.edition, by, f"change the draft: {kind}", {"edit_id": str(edit_id)})
        return await self._reworked(guild_id, edition_id), edit_id

    async def undo(self, guild_id: int, edition_id: int, edit_id: int | None, *, by: int) -> str:
        """Take a change back, the last one for None; in a few words what it was. Raises ConflictError."""
        draft = await self.draft(edition_id, guild_id=guild_id)
        changes = [each for each in draft.edits if each.kind not in (revisions.APPROVE, revisions.HOLD)]
        standing = [each for each in changes if each.undone_at is None and edit_id in (None, each.edit_id)]
        if not standing:
            raise ConflictError("There is nothing (any more) to take back.")
        async with self._store.write() as connection:
            if not await stored_edits.undo_edit(connection, standing[-1].edit_id, self._clock.now()):
                raise ConflictError("Somebody has just taken that back.")
            data = {"edit_id": str(standing[-1].edit_id)}
            await self._log(connection, draft.edition, by, "undo a change of the draft", data)
        await self._reworked(guild_id, edition_id)
        return review_message.told_edit(standing[-1])

    async def _reworked(self, guild_id: int, edition_id: int) -> Draft:
        async with self._turns[guild_id]:
            await self._maker.rework(edition_id)
            await self._channel.refresh(edition_id)
        return await self.draft(edition_id)

    async def _log(
        self, connection: Any, edition: StoredEdition, by: int, action: str, data: Mapping[str, str]
    ) -> None:
        particulars = {"edition_id": str(edition.edition_id), "title": edition.title, **data}
        await log_action(
            connection, guild_id=edition.guild_id, user_id=by, action=action, at=self._clock.now(), data=particulars
        )
