"""What moderators and members mark: by menu, by command, by reaction; and taking it back.

A tag is one moderator's by one means. Each reaction emoji is a means of its own (`reaction:EMOJI`), so that
taking one reaction off takes off just the tag that it set.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.capture.exclusions import Exclusions
from bot.errors import ForbiddenError, NotFoundError
from bot.model.clock import Clock
from bot.model.messages import Message, Speaker
from bot.model.schedule import Period
from bot.store import messages, tags
from bot.store.actions import log_action
from bot.store.engine import Store
from bot.store.tags import Suggestion, Tag, TaggedMessage

MENU, COMMAND, REACTION = "menu", "command", "reaction"
TAGGED, UNTAGGED, MARKED = "tag a message", "untag a message", "mark an introduction"

FetchMessage = Callable[[int, int, int], Awaitable[Message]]
"""(guild_id, channel_id, message_id) -> the message, read from Discord and stored. Raises NotFoundError."""


@dataclass(frozen=True, slots=True)
class Done:
    """What was done: how much of it, and the id by which it can be undone (None: nothing was done)."""

    count: int
    action_id: int | None = None


@dataclass(frozen=True, slots=True)
class Noteworthy:
    """A tagged message with what was written, for a list."""

    tagged: TaggedMessage
    message: Message | None


@dataclass(frozen=True, slots=True)
class Said:
    """What a moderator says of a message that is to be in the digest."""

    section: str | None = None
    note: str | None = None
    rewrite: str | None = None


class Tagging:
    """Sets and takes off tags, suggestions and introduction marks, each with who did it and when.

    `fetch` reads a message that is not stored. `confirm` shows on Discord whether a message is tagged now (channel,
    message, whether it is).
    """

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock,
        exclusions: Exclusions,
        fetch: FetchMessage,
        confirm: Callable[[int, int, bool], Awaitable[None]] | None = None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._exclusions = exclusions
        self._fetch = fetch
        self._confirm = confirm

    async def tag(
        self,
        guild_id: int,
        channel_id: int,
        message_id: int,
        *,
        by: int,
        source: str,
        section: str | None = None,
        note: str | None = None,
        rewrite: str | None = None,
    ) -> Done:
        """Mark a message as noteworthy; `count` is 0 where this moderator's tag stood already and was renewed.

        Raises NotFoundError for a message that is gone, ForbiddenError for one that may not be quoted.
        """
        await self.quotable(guild_id, channel_id, message_id)
        tag = Tag(
            guild_id=guild_id,
            message_id=message_id,
            channel_id=channel_id,
            user_id=by,
            source=source,
            section=section,
            note=note or None,
            rewrite=rewrite or None,
            tagged_at=self._clock.now(),
        )
        async with self._store.write() as connection:
            before = [
                known
                for known in await tags.tags_of(connection, guild_id, message_id)
                if known.removed_at is None and (known.user_id, known.source) == (by, source)
            ]
            new = await tags.store_tag(connection, tag)
            data = {
                "message": str(message_id),
                "channel": str(channel_id),
                "source": source,
                "section": section,
                "before": [{"section": t.section, "note": t.note, "rewrite": t.rewrite} for t in before],
            }
            action_id = await log_action(
                connection, guild_id=guild_id, user_id=by, action=TAGGED, at=tag.tagged_at, data=data
            )
        return Done(int(new), action_id)

    async def said_of(self, guild_id: int, message_id: int, *, by: int, source: str) -> Said:
        """What the moderator says of a message by the tag that stands."""
        async with self._store.read() as connection:
            known = await tags.tags_of(connection, guild_id, message_id)
        mine = (tag for tag in known if tag.removed_at is None and (tag.user_id, tag.source) == (by, source))
        return next((Said(tag.section, tag.note, tag.rewrite) for tag in mine), Said())

    async def untag(self, guild_id: int, message_id: int, *, by: int) -> Done:
        """Take off all tags of a message; `count` is how many. A reaction that still stands does not bring one back."""
        at = self._clock.now()
        async with self._store.write() as connection:
            standing = (await tags.standing_tags(connection, guild_id, [message_id])).get(message_id, [])
            if not standing:
                return Done(0)
            await tags.remove_tags(connection, guild_id, message_id, at=at, by=by)
            data = {
                "message": str(message_id),
                "channel": str(standing[0].channel_id),
                "tags": len(standing),
                "removed_at": at.isoformat(),
            }
            action_id = await log_action(connection, guild_id=guild_id, user_id=by, action=UNTAGGED, at=at, data=data)
        if any(tag.source.startswith(REACTION) for tag in standing):
            await self.show(guild_id, standing[0].channel_id, message_id)
        return Done(len(standing), action_id)

    async def mark_introduction(
        self, guild_id: int, channel_id: int, message_id: int, *, is_introduction: bool, by: int
    ) -> Done:
        """A moderator's word on whether a message is an introduction; it wins from now on."""
        await self.quotable(guild_id, channel_id, message_id)
        at = self._clock.now()
        async with self._store.write() as connection:
            before = await tags.introduction_mark(connection, message_id)
            await tags.store_introduction_mark(
                connection, guild_id=guild_id, message_id=message_id, is_introduction=is_introduction, by=by, at=at
            )
            data = {"message": str(message_id), "is_introduction": is_introduction, "before": before}
            action_id = await log_action(connection, guild_id=guild_id, user_id=by, action=MARKED, at=at, data=data)
        return Done(1, action_id)

    async def undo(self, guild_id: int, action: str, data: Mapping[str, Any], *, by: int) -> None:
        """Take back a tag, the removal of tags, or a word on an introduction, as it was logged."""
        message_id, at = int(data["message"]), self._clock.now()
        async with self._store.write() as connection:
            if action == MARKED:
                before = data["before"]
                if before is None:
                    await tags.remove_introduction_mark(connection, message_id)
                else:
                    await tags.store_introduction_mark(
                        connection, guild_id=guild_id, message_id=message_id, is_introduction=before, by=by, at=at
                    )
            elif action == UNTAGGED:
                removed_at = datetime.fromisoformat(data["removed_at"])
                await tags.restore_tags(connection, guild_id, message_id, removed_at=removed_at)
            elif data["before"]:
                tag = Tag(
                    guild_id=guild_id,
                    message_id=message_id,
                    channel_id=int(data["channel"]),
                    user_id=by,
                    source=data["source"],
                    tagged_at=at,
                    **data["before"][0],
                )
                await tags.store_tag(connection, tag)
            else:
                await tags.remove_tags(
                    connection, guild_id, message_id, at=at, by=by, user_id=by, source=data["source"]
                )
            await log_action(
                connection,
                guild_id=guild_id,
                user_id=by,
                action=f"undo: {action}",
                at=at,
                data={"message": str(message_id)},
            )

    async def noteworthy(self, guild_id: int, period: Period) -> list[Noteworthy]:
        """The tagged messages of a period with their text, oldest first."""
        async with self._store.read() as connection:
            tagged = await tags.tagged_between(connection, guild_id, period)
            stored = await messages.messages_by_id(connection, [one.message_id for one in tagged])
        return [Noteworthy(one, stored.get(one.message_id)) for one in tagged]

    async def suggestions(self, guild_id: int, period: Period) -> list[Suggestion]:
        """What members suggested of a period's messages, oldest message first."""
        async with self._store.read() as connection:
            return await tags.suggestions_between(connection, guild_id, period)

    async def show(self, guild_id: int, channel_id: int, message_id: int) -> None:
        """Have Discord show whether the message is tagged."""
        if self._confirm is None:
            return
        async with self._store.read() as connection:
            standing = await tags.standing_tags(connection, guild_id, [message_id])
        await self._confirm(channel_id, message_id, bool(standing))

    def require_named(self, guild_id: int, user_id: int) -> None:
        """Raise ForbiddenError for somebody whose id is not kept: what their reactions set could not be taken off."""
        if self._exclusions.is_excluded(guild_id, user_id):
            raise ForbiddenError("Nothing of you is stored, as you wished, so your reactions are not heeded.")

    async def quotable(self, guild_id: int, channel_id: int, message_id: int) -> Message:
        """The message, fetched if need be. Raises NotFoundError, ForbiddenError where it may not be quoted."""
        async with self._store.read() as connection:
            stored = (await messages.messages_by_id(connection, [message_id])).get(message_id)
        message = stored or await self._fetch(guild_id, channel_id, message_id)
        if message.guild_id != guild_id:
            raise NotFoundError("There is no such message in this server.")
        if message.deleted_at is not None:
            raise NotFoundError("This message has been deleted, so it cannot be in a digest.")
        if self._exclusions.is_excluded(guild_id, message.author_id):
            raise ForbiddenError("The author of this message does not want to appear in digests.")
        if message.speaker is Speaker.SELF:
            raise ForbiddenError("This is one of the bot's own messages; a digest does not quote itself.")
        return message
