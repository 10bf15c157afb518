"""The review: drafts are shown to moderators before they are posted, changed by them, approved or held back."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Any

from bot.errors import ConflictError, GazetteError, NotFoundError
from bot.model.clock import Clock
from bot.model.edition import Edition
from bot.model.guilds import VIEW_CHANNEL, Channel, ChannelType
from bot.model.messages import message_url
from bot.model.parts import PartFile
from bot.model.publication import OPEN, EditionStatus, RunStatus, Schedule, StoredEdition, StoredPart, StoredRun
from bot.model.settings import GuildSettings
from bot.publish import plan, review_message, revisions
from bot.publish.delivery import Hold
from bot.publish.maker import Maker
from bot.publish.notices import Notices, sentence
from bot.publish.publisher import Publisher
from bot.publish.rest import UNKNOWN_MESSAGE, DiscordRest, RejectedError, UncertainError
from bot.publish.scheduler import POLL
from bot.publish.surroundings import SEND_MESSAGES, look_around
from bot.store import editions, guilds, parts
from bot.store import edits as stored_edits
from bot.store import reviews as stored
from bot.store import schedule as schedules
from bot.store.actions import log_action
from bot.store.engine import Store
from bot.store.reviews import Edit, Review, Shown

log = logging.getLogger(__name__)

CLAIM = timedelta(minutes=10)
_LONGEST = timedelta(hours=168)
_THREADED = frozenset({ChannelType.TEXT, ChannelType.ANNOUNCEMENT})


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A draft as moderators work on it. `url` is where it stands in the review channel, if anywhere."""

    edition: StoredEdition
    settings: GuildSettings
    edits: Sequence[Edit]
    url: str | None = None

    @property
    def document(self) -> Mapping[str, Any]:
        return self.edition.document


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
        rest: DiscordRest,
        maker: Maker,
        notices: Notices,
        *,
        drain: Callable[[], Awaitable[None]],
        publish_late: Callable[[int, datetime, int], Awaitable[None]],
    ) -> None:
        self._store = store
        self._clock = clock
        self._rest = rest
        self._maker = maker
        self._notices = notices
        self._drain = drain
        self._publish_late = publish_late
        self._turns: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)  # of a guild: one making at a time
        self._showing: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)  # of an edition
        self._awake = asyncio.Event()
        self._resting = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    # -- in the background

    def start(self) -> None:
        """Show drafts when their time comes. Where that goes on already, nothing happens."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self.run(), name="reviews")

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    def wake(self) -> None:
        """Look at the schedule now: something has changed."""
        self._awake.set()

    async def settings_changed(self, guild_id: int) -> None:
        self.wake()

    async def idle(self) -> None:
        """Return when no draft is being made and none is due."""
        while self._awake.is_set() or not self._resting.is_set():
            await self._resting.wait()
            await asyncio.sleep(0)

    async def run(self) -> None:
        while True:
            self._awake.clear()
            try:
                until = await self._step()
            except Exception:
                log.exception("drafts could not be looked after")
                until = self._clock.now() + POLL
            waits = [asyncio.ensure_future(self._clock.sleep_until(until)), asyncio.ensure_future(self._awake.wait())]
            self._resting.set()
            try:
                await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            finally:
                self._resting.clear()
                for wait in waits:
                    wait.cancel()
                await asyncio.gather(*waits, return_exceptions=True)

    async def _step(self) -> datetime:
        """Show the drafts that are due, and say when to look again."""
        now = self._clock.now()
        next_look = now + POLL
        async with self._store.read() as connection:
            coming = await schedules.due_schedules(connection, now + _LONGEST)
            outdated = await stored.outdated_reviews(connection)
        for edition_id in outdated:
            await self.refresh(edition_id)
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

        Raises NotFoundError where there is no schedule or no review channel, TargetError where it cannot be shown.
        """
        async with self._store.read() as connection:
            schedule = await schedules.schedule_of(connection, guild_id)
            settings = await guilds.fetch_settings(connection, guild_id)
        if schedule is None:
            raise NotFoundError("No schedule has been started; choose a channel for the digest with /digest setup.")
        if not settings.moderation.review_channel:
            raise NotFoundError("No review channel is set; choose one with /digest setup, or use /digest preview.")
        async with self._turns[guild_id]:
            await self._drain()
            edition_id = await self._maker.make(guild_id, schedule.run.period)
            now = self._clock.now()
            async with self._store.write() as connection:
                claimed = await stored.claim_review(connection, edition_id, now=now, until=now + CLAIM)
                review = await stored.review_of(connection, edition_id)
            if claimed or (review is not None and review.revision):
                await self._show(edition_id)
        return await self.draft(edition_id)

    async def _failed(self, guild_id: int, error: Exception) -> None:
        log.error("a draft could not be shown", extra={"guild_id": guild_id}, exc_info=error)
        if not isinstance(error, UncertainError):
            text = f"The draft of the next digest could not be shown for review: {sentence(error)}"
            await self._notices.report(guild_id, "review", text)

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
        await self.refresh(edition_id)
        draft = await self.draft(edition_id)
        if draft.edition.status is EditionStatus.HELD:
            where = f": {draft.url}" if draft.url else " in the review channel."
            raise ConflictError(f"The digest is held back until a moderator approves it{where}")

    async def refresh(self, edition_id: int) -> None:
        """Have what stands in the review channel say how it stands with the edition. Failures are only logged."""
        try:
            async with self._store.read() as connection:
                review = await stored.review_of(connection, edition_id)
            if review is not None and review.message_id is not None:
                await self._show(edition_id)
        except (GazetteError, TimeoutError) as error:
            log.warning("a draft could not be brought up to date", extra={"edition": edition_id, "error": str(error)})

    # -- what moderators do

    async def draft(self, edition_id: int, *, guild_id: int | None = None) -> Draft:
        """The draft as it is stored now. Raises NotFoundError where there is none, or it is another guild's."""
        async with self._store.read() as connection:
            edition = await editions.fetch_edition(connection, edition_id)
            if guild_id is not None and edition.guild_id != guild_id:
                raise NotFoundError("There is no such draft here.")
            settings = await guilds.fetch_settings(connection, edition.guild_id)
            made = await stored.edits_made(connection, edition.guild_id, edition.period.start)
            review = await stored.review_of(connection, edition_id)
        url = None
        if review is not None and review.channel_id and review.message_id:
            url = message_url(edition.guild_id, review.channel_id, review.message_id)
        return Draft(edition=edition, settings=settings, edits=made, url=url)

    async def current(self, guild_id: int, edition_id: int, revision: int) -> Draft:
        """The draft, if it is still the one that was looked at.

        Raises ConflictError that links the current one, NotFoundError.
        """
        draft = await self.draft(edition_id, guild_id=guild_id)
        if draft.edition.status not in OPEN:
            raise ConflictError(f"{draft.edition.title!r} is posted or being posted; `/digest amend` corrects it.")
        if draft.edition.revision != revision:
            await self.refresh(edition_id)
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
        await self.refresh(edition.edition_id)

    async def rebuild(self, guild_id: int, edition_id: int, revision: int) -> Draft:
        """Make the draft anew, with what arrived since, on Discord and on GitHub."""
        draft = await self.current(guild_id, edition_id, revision)
        async with self._turns[guild_id]:
            await self._drain()
            await self._maker.make(guild_id, draft.edition.period)
            await self._show(edition_id)
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
            await self.refresh(edition_id)
        return await self.draft(edition_id)

    async def _log(
        self, connection: Any, edition: StoredEdition, by: int, action: str, data: Mapping[str, str]
    ) -> None:
        particulars = {"edition_id": str(edition.edition_id), "title": edition.title, **data}
        await log_action(
            connection, guild_id=edition.guild_id, user_id=by, action=action, at=self._clock.now(), data=particulars
        )

    # -- what stands in the review channel

    async def _show(self, edition_id: int) -> None:
        async with self._showing[edition_id]:
            await self._show_now(edition_id)

    async def _show_now(self, edition_id: int) -> None:
        draft = await self.draft(edition_id)
        edition, settings = draft.edition, draft.settings
        async with self._store.read() as connection:
            review = await stored.review_of(connection, edition_id) or Review(edition_id=edition_id)
            told = await parts.parts_of(connection, edition_id)
            schedule = await schedules.schedule_of(connection, edition.guild_id)
        channel = await self._channel(edition.guild_id, settings)
        if review.channel_id != channel.channel_id:
            review = replace(review, channel_id=channel.channel_id, message_id=None, thread_id=None, shown=())
        due_at = schedule.run.due_at if schedule and schedule.run.period.start == edition.period.start else None
        body = review_message.body(
            edition,
            settings,
            draft.edits,
            due_at=due_at,
            seen=None if review.revision == 0 else review.seen,
            coverage=review_message.coverage_lines(edition.document),
            link=_link(edition.guild_id, told),
        )
        review = await self._head(edition, review, body)
        if edition.status in OPEN:
            review = await self._thread(edition, channel, review)
        if edition.status in OPEN or review.shown:  # what was withdrawn goes from the draft of a posted one as well
            review = await self._messages([part for part in told if not part.is_empty], review)
        if review.revision != edition.revision:
            review = replace(review, revision=edition.revision, seen=review_message.summary_of(edition.document))
        await self._keep(review)
        await self._notices.settle(edition.guild_id, ["review"])

    async def _channel(self, guild_id: int, settings: GuildSettings) -> Channel:
        around = await look_around(self._rest, self._store, guild_id)
        channel = around.channel(settings.moderation.review_channel or "", of="moderation.review_channel")
        around.require(channel, VIEW_CHANNEL | SEND_MESSAGES)
        return channel

    async def _head(self, edition: StoredEdition, review: Review, body: dict[str, Any]) -> Review:
        if review.message_id is not None and review.channel_id is not None:
            try:
                await self._rest.edit(review.channel_id, review.message_id, body)
            except RejectedError as error:
                if error.code != UNKNOWN_MESSAGE:
                    raise
                review = replace(review, message_id=None, thread_id=None, shown=())
            else:
                return review
        nonce = blake2b(f"{edition.edition_id}/{edition.revision}/review".encode(), digest_size=12).hexdigest()
        sent = await self._rest.send(review.channel_id or 0, {**body, "nonce": nonce, "enforce_nonce": True})
        review = replace(review, message_id=int(sent["id"]))
        await self._keep(review)
        return review

    async def _thread(self, edition: StoredEdition, channel: Channel, review: Review) -> Review:
        """The place of the draft's messages: a thread under its head, or the channel where that cannot be."""
        if review.thread_id is not None or review.message_id is None:
            return review
        thread_id = channel.channel_id
        if channel.channel_type in _THREADED:
            try:
                await self._rest.start_thread(channel.channel_id, review.message_id, plan.thread_name(edition.title))
                thread_id = review.message_id
            except RejectedError as error:
                log.info("a draft has no thread", extra={"edition_id": edition.edition_id, "reason": str(error)})
        return replace(review, thread_id=thread_id)

    async def _messages(self, told: Sequence[StoredPart], review: Review) -> Review:
        """Have the draft's messages say what its parts say, with the fewest changes."""
        place, shown = review.thread_id or 0, list(review.shown)
        for number, part in enumerate(told):
            digest = _digest(part)
            body = plan.edit_body(replace(part, ping_role_id=None))
            if number < len(shown) and shown[number].digest == digest:
                continue
            if number < len(shown):
                with contextlib.suppress(RejectedError):  # somebody deleted it; the next draft shows it again
                    await self._rest.edit(place, shown[number].message_id, body, part.files)
                shown[number] = replace(shown[number], digest=digest)
            else:
                sent = await self._rest.send(place, body, part.files)
                shown.append(Shown(message_id=int(sent["id"]), digest=digest))
            review = replace(review, shown=tuple(shown))
            await self._keep(review)
        for surplus in shown[len(told) :]:
            with contextlib.suppress(RejectedError):
                await self._rest.delete(place, surplus.message_id)
        return replace(review, shown=tuple(shown[: len(told)]))

    async def _keep(self, review: Review) -> None:
        async with self._store.write() as connection:
            await stored.store_review(connection, review)


def _digest(part: StoredPart) -> str:
    seen = blake2b(part.content.encode(), digest_size=8)
    for file in part.files:
        seen.update(_file(file))
    return seen.hexdigest()


def _file(file: PartFile) -> bytes:
    return file.name.encode() + blake2b(file.content, digest_size=8).digest()


def _link(guild_id: int, told: Sequence[StoredPart]) -> str | None:
    standing = [part for part in told if part.message_id and part.channel_id]
    return message_url(guild_id, standing[0].channel_id or 0, standing[0].message_id or 0) if standing else None


@dataclass(frozen=True, slots=True)
class ReviewedRunner:
    """Does a run of the schedule: makes the edition anew, heeds the moderators' word, posts it."""

    maker: Maker
    publisher: Publisher
    reviews: Reviews

    async def __call__(self, run: StoredRun, hold: Hold) -> None:
        edition_id = await self.maker.make(run.guild_id, run.run.period)
        await self.reviews.decide(edition_id)
        await self.publisher.publish(edition_id, hold=hold)
        await self.reviews.refresh(edition_id)
