"""Drafts as they stand in the review channel: a message with the buttons, and a thread with the edition's messages."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any

from bot.errors import GazetteError, NotFoundError
from bot.model.guilds import VIEW_CHANNEL, Channel, ChannelType
from bot.model.messages import message_url
from bot.model.parts import PartFile
from bot.model.publication import OPEN, StoredEdition, StoredPart
from bot.model.settings import GuildSettings
from bot.publish import plan, review_message
from bot.publish.notices import Notices
from bot.publish.rest import UNKNOWN_MESSAGE, DiscordRest, RejectedError
from bot.publish.surroundings import SEND_MESSAGES, look_around
from bot.store import editions, guilds, parts
from bot.store import reviews as stored
from bot.store import schedule as schedules
from bot.store.engine import Store
from bot.store.reviews import Edit, Review, Shown

log = logging.getLogger(__name__)

PROBLEM = "review"
"""The key of the notice that a draft could not be shown."""
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


class ReviewChannel:
    """Shows drafts, and keeps what is shown up with what is stored."""

    def __init__(self, store: Store, rest: DiscordRest, notices: Notices) -> None:
        self._store = store
        self._rest = rest
        self._notices = notices
        self._turns: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)  # of an edition

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

    async def refresh(self, edition_id: int) -> None:
        """Have what stands in the review channel say how it stands with the edition. Failures are only logged."""
        try:
            async with self._store.read() as connection:
                review = await stored.review_of(connection, edition_id)
            if review is not None and review.message_id is not None:
                await self.show(edition_id)
        except (GazetteError, TimeoutError) as error:
            log.warning("a draft could not be brought up to date", extra={"edition": edition_id, "error": str(error)})

    async def show(self, edition_id: int) -> None:
        """Show the draft as it is stored now. Raises TargetError, RejectedError and UncertainError."""
        async with self._turns[edition_id]:
            await self._show(edition_id)

    async def _show(self, edition_id: int) -> None:
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
        await self._notices.settle(edition.guild_id, [PROBLEM])

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
