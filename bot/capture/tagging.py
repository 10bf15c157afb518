"""What moderators and members mark: by menu, by command, by reaction; and taking it back.

A tag is one moderator's by one means. Each reaction emoji is a means of its own (`reaction:EMOJI`), so that
taking one reaction off takes off just the tag that it set.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass

from bot.capture.events import ReactionEvent
from bot.capture.exclusions import Exclusions
from bot.errors import ForbiddenError, NotFoundError
from bot.model.clock import Clock
from bot.model.messages import Message, Speaker
from bot.model.moderation import ReactionMeaning, emoji_key, guild_permissions, may_moderate, meaning_of
from bot.model.schedule import Period
from bot.store import guilds, messages, tags
from bot.store.actions import log_action
from bot.store.engine import Store
from bot.store.tags import Suggestion, Tag, TaggedMessage

MENU, COMMAND, REACTION = "menu", "command", "reaction"

FetchMessage = Callable[[int, int, int], Awaitable[Message]]
"""(guild_id, channel_id, message_id) -> the message, read from Discord and stored. Raises NotFoundError."""


@dataclass(frozen=True, slots=True)
class Noteworthy:
    """A tagged message with what was written, for a list."""

    tagged: TaggedMessage
    message: Message | None


class Tagging:
    """Sets and takes off tags, suggestions and introduction marks, each with who did it and when.

    `fetch` reads a message that is not stored; `confirm` shows on Discord that a reaction was understood
    (message, whether it is tagged now).
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
    ) -> bool:
        """Mark a message as noteworthy. Returns False where this moderator's tag stood already and was renewed.

        Raises NotFoundError for a message that is gone, ForbiddenError for one that may not be quoted.
        """
        await self._quotable(guild_id, channel_id, message_id)
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
            new = await tags.store_tag(connection, tag)
            data = {"message": str(message_id), "source": source, "section": section}
            await log_action(
                connection, guild_id=guild_id, user_id=by, action="tag a message", at=tag.tagged_at, data=data
            )
        return new

    async def untag(self, guild_id: int, message_id: int, *, by: int | None, source: str | None = None) -> int:
        """Take off all tags of a message, or, given a source, just those that `by` set by it. Returns how many."""
        at = self._clock.now()
        async with self._store.write() as connection:
            count = await tags.remove_tags(
                connection, guild_id, message_id, at=at, by=by, user_id=by if source else None, source=source
            )
            if count:
                data = {"message": str(message_id), "tags": count}
                await log_action(connection, guild_id=guild_id, user_id=by, action="untag a message", at=at, data=data)
        return count

    async def mark_introduction(
        self, guild_id: int, channel_id: int, message_id: int, *, is_introduction: bool, by: int
    ) -> None:
        """A moderator's word on whether a message is an introduction; it wins from now on."""
        await self._quotable(guild_id, channel_id, message_id)
        at = self._clock.now()
        action = "mark an introduction" if is_introduction else "mark as no introduction"
        async with self._store.write() as connection:
            await tags.store_introduction_mark(
                connection, guild_id=guild_id, message_id=message_id, is_introduction=is_introduction, by=by, at=at
            )
            await log_action(
                connection, guild_id=guild_id, user_id=by, action=action, at=at, data={"message": str(message_id)}
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

    # -- reactions

    async def on_reaction(self, event: ReactionEvent) -> None:
        """A reaction was set or taken back: tag, suggest, or undo it, where the emoji means something here."""
        async with self._store.read() as connection:
            settings = await guilds.fetch_settings(connection, event.guild_id)
            roles = await guilds.roles_of(connection, event.guild_id)
            guild = await guilds.fetch_guild(connection, event.guild_id)
        meaning = meaning_of(event.emoji, settings)
        if meaning is None or event.user_id == guild.self_id:
            return
        if meaning.is_suggestion:
            await self._suggest(event)
            return
        if not event.added:
            await self._reaction_gone(event.guild_id, event.channel_id, event.message_id, event.emoji, {event.user_id})
            return
        role_ids = event.role_ids or ()
        permissions = guild_permissions(event.guild_id, role_ids, roles)
        if event.user_id != guild.owner_id and not may_moderate(
            settings, permissions=permissions, role_ids=role_ids, roles=roles
        ):
            return
        await self._tag_by_reaction(
            event.guild_id, event.channel_id, event.message_id, event.emoji, event.user_id, meaning
        )

    async def reactions_cleared(
        self, guild_id: int, channel_id: int, message_id: int, emoji: str | None = None
    ) -> None:
        """A message's reactions are gone, all or those of one emoji: so are the tags that they set."""
        async with self._store.read() as connection:
            standing = await tags.tags_of(connection, guild_id, message_id)
        for tag in standing:
            if tag.removed_at is None and tag.source.startswith(REACTION) and emoji in (None, _emoji_of(tag.source)):
                await self._reaction_gone(guild_id, channel_id, message_id, _emoji_of(tag.source), {tag.user_id})

    async def reconcile(
        self, guild_id: int, channel_id: int, message_id: int, emoji: str, moderators: Collection[int]
    ) -> None:
        """After time offline: `moderators` are those whose reaction with `emoji` stands on the message now."""
        async with self._store.read() as connection:
            settings = await guilds.fetch_settings(connection, guild_id)
            standing = await tags.tags_of(connection, guild_id, message_id)
        meaning = meaning_of(emoji, settings)
        if meaning is None or meaning.is_suggestion:
            return
        source = _source(emoji)
        known = {tag.user_id for tag in standing if tag.removed_at is None and tag.source == source}
        await self._reaction_gone(guild_id, channel_id, message_id, emoji, known - set(moderators))
        for user_id in sorted(set(moderators) - known):
            await self._tag_by_reaction(guild_id, channel_id, message_id, emoji, user_id, meaning)

    async def _tag_by_reaction(
        self, guild_id: int, channel_id: int, message_id: int, emoji: str, user_id: int, meaning: ReactionMeaning
    ) -> None:
        try:
            await self.tag(guild_id, channel_id, message_id, by=user_id, source=_source(emoji), section=meaning.section)
        except (NotFoundError, ForbiddenError):
            return  # the reaction stays without the bot's confirmation, which is the answer
        await self._show(guild_id, channel_id, message_id)

    async def _reaction_gone(
        self, guild_id: int, channel_id: int, message_id: int, emoji: str, user_ids: Collection[int]
    ) -> None:
        removed = [await self.untag(guild_id, message_id, by=user_id, source=_source(emoji)) for user_id in user_ids]
        if any(removed):
            await self._show(guild_id, channel_id, message_id)

    async def _suggest(self, event: ReactionEvent) -> None:
        if not event.added:
            async with self._store.write() as connection:
                await tags.remove_suggestion(connection, event.message_id, event.user_id)
            return
        try:
            await self._quotable(event.guild_id, event.channel_id, event.message_id)
        except (NotFoundError, ForbiddenError):
            return
        suggestion = Suggestion(
            guild_id=event.guild_id,
            message_id=event.message_id,
            channel_id=event.channel_id,
            user_id=event.user_id,
            suggested_at=self._clock.now(),
        )
        async with self._store.write() as connection:
            await tags.store_suggestion(connection, suggestion)

    async def _show(self, guild_id: int, channel_id: int, message_id: int) -> None:
        if self._confirm is None:
            return
        async with self._store.read() as connection:
            standing = await tags.tags_of(connection, guild_id, message_id)
        await self._confirm(channel_id, message_id, any(tag.removed_at is None for tag in standing))

    async def _quotable(self, guild_id: int, channel_id: int, message_id: int) -> Message:
        async with self._store.read() as connection:
            stored = (await messages.messages_by_id(connection, [message_id])).get(message_id)
        message = stored or await self._fetch(guild_id, channel_id, message_id)
        if message.deleted_at is not None:
            raise NotFoundError("This message has been deleted, so it cannot be in a digest.")
        if self._exclusions.is_excluded(guild_id, message.author_id):
            raise ForbiddenError("The author of this message does not want to appear in digests.")
        if message.speaker is Speaker.SELF:
            raise ForbiddenError("This is one of the bot's own messages; a digest does not quote itself.")
        return message


def _source(emoji: str) -> str:
    return f"{REACTION}:{emoji_key(emoji)}"


def _emoji_of(source: str) -> str:
    return source.partition(":")[2]
