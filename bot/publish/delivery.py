"""Makes what is stored of an edition stand on Discord, each part exactly once and in order.

Before a part is sent for the first time it is noted into which channel and after which message; when it has been
sent, its message's id. A process that finds the first note without the second cannot know whether the message
stands. It looks: at the bot's own messages newer than the noted one, for one that says what the part says.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace

from bot.model.clock import Clock
from bot.model.guilds import ChannelType
from bot.model.parts import Place
from bot.model.publication import StoredEdition, StoredPart
from bot.model.settings import PublishSettings
from bot.publish import plan
from bot.publish.plan import Destination, Kind
from bot.publish.rest import (
    THREAD_ARCHIVED,
    UNKNOWN_CHANNEL,
    UNKNOWN_MESSAGE,
    DiscordRest,
    Payload,
    RejectedError,
    UncertainError,
)
from bot.publish.surroundings import Surroundings
from bot.store import parts as stored
from bot.store.actions import log_action
from bot.store.engine import Store

log = logging.getLogger(__name__)

TRIES = 3
Hold = Callable[[], Awaitable[None]]
"""Called before anything is done on Discord; raises where somebody else has taken over."""


@dataclass(eq=False, slots=True)
class Delivery:
    """The delivery of one edition: `reconcile`, then `deliver`. Both may be interrupted anywhere and done again."""

    store: Store
    rest: DiscordRest
    clock: Clock
    edition: StoredEdition
    settings: PublishSettings
    around: Surroundings
    hold: Hold
    _reopened: set[int] = field(default_factory=set)

    async def reconcile(self) -> None:
        """Find the parts whose sending was tried and never confirmed; those not found do not stand."""
        for part in await self._parts():
            if part.after_id is not None and part.message_id is None:
                await self._recognise(part)

    async def deliver(self) -> None:
        """Change what says something else, then send what is missing.

        Raises RejectedError, UncertainError, TargetError.
        """
        try:
            for part in await self._parts():
                if part.pending and part.message_id is not None and part.gone_at is None:
                    await self._change(part)
            if missing := [part for part in await self._parts() if part.is_missing]:
                places = plan.destinations(self.settings, self.around)
                plan.require_permissions(places, missing, self.around)
                for part in plan.in_order(missing):
                    await self._deliver(part, places)
        finally:
            await self._archive_again()

    async def forget_lost(self) -> None:
        """Have parts sent anew whose message or channel vanished while the edition was being posted."""
        for part in await self._parts():
            if part.message_id is None or part.channel_id is None:
                continue
            try:
                await self.rest.message(part.channel_id, part.message_id)
            except RejectedError as error:
                if error.code not in (UNKNOWN_MESSAGE, UNKNOWN_CHANNEL):
                    raise
                async with self.store.write() as connection:
                    await stored.forget_part(connection, self.edition.edition_id, part.ordinal)

    async def crosspost(self) -> None:
        """Publish the head messages to the channels that follow an announcement channel."""
        for part in await self._parts():
            channel = self.around.channels.get(part.channel_id or 0)
            if part.place is not Place.HEAD or part.message_id is None or part.gone_at is not None or channel is None:
                continue
            if channel.channel_type == ChannelType.ANNOUNCEMENT:
                await self.hold()
                await self.rest.crosspost(channel.channel_id, part.message_id)

    # -- sending

    async def _deliver(self, part: StoredPart, places: Mapping[Place, Destination]) -> None:
        parts, destination = await self._parts(), places[part.place]
        sequence = [each for each in parts if places[each.place] == destination]
        channel_id = await self._open(destination, sequence, parts)
        await self._send(part, destination, channel_id, _newest(sequence, channel_id))

    async def _open(self, destination: Destination, sequence: list[StoredPart], parts: list[StoredPart]) -> int | None:
        """The channel into which the sequence goes on; None where a forum's post is yet to be opened."""
        if standing := [part.channel_id for part in sequence if part.message_id is not None]:
            return standing[-1]
        if destination.kind is Kind.POST:
            return None
        if destination.kind is Kind.CHANNEL:
            return destination.channel.channel_id
        head = next(part for part in parts if part.place is Place.HEAD and part.message_id is not None)
        assert head.channel_id is not None and head.message_id is not None  # noqa: S101
        await self.hold()
        await self.rest.start_thread(head.channel_id, head.message_id, plan.thread_name(self.edition.title))
        return head.message_id

    async def _send(
        self, part: StoredPart, destination: Destination, channel_id: int | None, newest: int | None
    ) -> None:
        """Send a part that does not stand yet, and look whether it does before each repetition."""
        failure: UncertainError | None = None
        for _ in range(TRIES):
            if part.after_id is not None and await self._recognise(part):
                return
            part = await self._note_attempt(part, destination, channel_id, newest)
            await self.hold()
            try:
                if channel_id is None:
                    await self._send_post(part, destination)
                else:
                    await self._send_message(part, channel_id)
            except UncertainError as error:
                log.warning("a part was sent and not confirmed", extra=self._told(part) | {"error": str(error)})
                failure = error
            else:
                return
        assert failure is not None  # noqa: S101
        raise failure

    async def _note_attempt(
        self, part: StoredPart, destination: Destination, channel_id: int | None, newest: int | None
    ) -> StoredPart:
        into = destination.channel.channel_id if channel_id is None else channel_id
        if part.after_id is not None and part.channel_id == into:
            return part
        if newest is None and channel_id is None:
            newest = int(self.around.raw.get(into, {}).get("last_message_id") or 0)
        elif newest is None and destination.kind is Kind.THREAD:
            newest = into
        elif newest is None:
            newest = await self.rest.newest_id(into)
        async with self.store.write() as connection:
            await stored.note_attempt(
                connection, self.edition.edition_id, part.ordinal, channel_id=into, after_id=newest
            )
        return replace(part, channel_id=into, after_id=newest)

    async def _send_message(self, part: StoredPart, channel_id: int) -> None:
        body = plan.message_body(part, silent=self.settings.silent) | {"nonce": part.nonce, "enforce_nonce": True}
        try:
            message = await self.rest.send(channel_id, body, part.files)
        except RejectedError as error:
            if error.code != THREAD_ARCHIVED:
                raise
            await self._reopen(channel_id)
            message = await self.rest.send(channel_id, body, part.files)
        await self._confirm(part, channel_id, message)

    async def _send_post(self, part: StoredPart, destination: Destination) -> None:
        forum = self.around.raw.get(destination.channel.channel_id, {})
        body = plan.message_body(part, silent=self.settings.silent)
        name, tags = plan.thread_name(self.edition.title), plan.required_tags(forum)
        post = await self.rest.start_post(destination.channel.channel_id, name, body, part.files, tags)
        await self._confirm(part, int(post["id"]), post.get("message") or {**post, "content": part.content})

    async def _confirm(self, part: StoredPart, channel_id: int, message: Payload) -> None:
        async with self.store.write() as connection:
            await stored.confirm_part(
                connection,
                self.edition.edition_id,
                part.ordinal,
                channel_id=channel_id,
                message_id=int(message["id"]),
                at=self.clock.now(),
                pending=not plan.says(part, message),
            )

    # -- looking

    async def _recognise(self, part: StoredPart) -> bool:
        """Whether a part that was tried stands; its message's id is stored then."""
        assert part.channel_id is not None and part.after_id is not None  # noqa: S101
        channel = self.around.channels.get(part.channel_id)
        is_forum = channel is not None and channel.channel_type in plan.FORUMS
        try:
            if is_forum:
                found = await self._find_post(part, part.channel_id, part.after_id)
            else:
                found = await self._find_message(part, part.channel_id, part.after_id)
        except RejectedError as error:
            if error.code != UNKNOWN_CHANNEL:
                raise
            return False
        if found is None:
            return False
        log.info("a part that was never confirmed was found", extra=self._told(part))
        await self._confirm(part, int(found["channel_id"]), found)
        return True

    async def _find_message(self, part: StoredPart, channel_id: int, after_id: int) -> Payload | None:
        known = {each.message_id for each in await self._parts()}
        async for message in self.rest.messages_after(channel_id, after_id):
            own = plan.is_own(message, self.rest.self_id) and int(message["id"]) not in known
            if own and plan.says(part, message):
                return {**message, "channel_id": channel_id}
        return None

    async def _find_post(self, part: StoredPart, forum_id: int, after_id: int) -> Payload | None:
        async for thread in self.rest.threads_of(self.edition.guild_id, forum_id):
            thread_id = int(thread["id"])
            if thread_id <= after_id or int(thread["owner_id"]) != self.rest.self_id:
                continue
            try:
                message = await self.rest.message(thread_id, thread_id)
            except RejectedError as error:
                if error.code != UNKNOWN_MESSAGE:
                    raise
                continue
            if plan.says(part, message):
                return {**message, "channel_id": thread_id}
        return None

    # -- changing

    async def _change(self, part: StoredPart) -> None:
        """Make a message that stands say what the part says, or delete it where the part has become empty."""
        assert part.channel_id is not None and part.message_id is not None  # noqa: S101
        await self.hold()
        try:
            await self._changed_on_discord(part, part.channel_id, part.message_id)
        except RejectedError as error:
            if error.code not in (UNKNOWN_MESSAGE, UNKNOWN_CHANNEL):
                raise
            await self._lose(part)
            return
        async with self.store.write() as connection:
            if part.is_empty:
                await stored.drop_part(connection, self.edition.edition_id, part.ordinal)
            else:
                await stored.settle_part(connection, self.edition.edition_id, part.ordinal)

    async def _changed_on_discord(self, part: StoredPart, channel_id: int, message_id: int) -> None:
        if part.is_empty:
            await self.rest.delete(channel_id, message_id)
            return
        try:
            await self.rest.edit(channel_id, message_id, plan.edit_body(part), part.files)
        except RejectedError as error:
            if error.code != THREAD_ARCHIVED:
                raise
            await self._reopen(channel_id)
            await self.rest.edit(channel_id, message_id, plan.edit_body(part), part.files)

    async def _lose(self, part: StoredPart) -> None:
        """Somebody deleted the message: their decision stands."""
        async with self.store.write() as connection:
            if part.is_empty:
                await stored.drop_part(connection, self.edition.edition_id, part.ordinal)
                return
            await stored.lose_part(connection, self.edition.edition_id, part.ordinal, at=self.clock.now())
            await log_action(
                connection,
                guild_id=self.edition.guild_id,
                action="found a part of the digest deleted",
                at=self.clock.now(),
                data={"edition_id": str(self.edition.edition_id), "message_id": str(part.message_id)},
            )

    async def _reopen(self, thread_id: int) -> None:
        await self.rest.set_archived(thread_id, False)
        self._reopened.add(thread_id)

    async def _archive_again(self) -> None:
        while self._reopened:
            await self.rest.set_archived(self._reopened.pop(), True)

    # -- what is stored

    async def _parts(self) -> list[StoredPart]:
        async with self.store.read() as connection:
            return await stored.parts_of(connection, self.edition.edition_id)

    def _told(self, part: StoredPart) -> dict[str, object]:
        edition = self.edition
        return {"guild_id": edition.guild_id, "edition_id": edition.edition_id, "ordinal": part.ordinal}


def _newest(sequence: list[StoredPart], channel_id: int | None) -> int | None:
    """The last message of the sequence in the channel; in a thread at least the message under which it hangs."""
    ids = [part.message_id for part in sequence if part.message_id is not None and part.channel_id == channel_id]
    return max(ids, default=None)
