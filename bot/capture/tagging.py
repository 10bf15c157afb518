"""What moderators and members mark: by menu, by command, by reaction; and taking it back.

A tag is one moderator's by one means. Each reaction emoji is a means of its own (`reaction:EMOJI`), so that
taking one reaction off takes off just the tag that it set.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.capture.events import ReactionEvent, ReactionsCleared, ReactionsReread
from bot.capture.exclusions import Exclusions
from bot.errors import ForbiddenError, NotFoundError
from bot.model.clock import Clock
from bot.model.guilds import Guild, Member, Role
from bot.model.messages import Message, Speaker
from bot.model.moderation import ReactionMeaning, emoji_key, guild_permissions, may_moderate, meaning_of
from bot.model.schedule import Period
from bot.model.settings import GuildSettings
from bot.store import guilds, messages, tags
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


class Tagging:
    """Sets and takes off tags, suggestions and introduction marks, each with who did it and when.

    `fetch` reads a message that is not stored. `reactors` (of channel, message, emoji) and `fetch_member` ask
    Discord who reacted and what roles somebody has. `confirm` shows on Discord whether a message is tagged now
    (channel, message, whether it is).
    """

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock,
        exclusions: Exclusions,
        fetch: FetchMessage,
        reactors: Callable[[int, int, str], Awaitable[set[int]]],
        fetch_member: Callable[[int, int], Awaitable[Member | None]],
        confirm: Callable[[int, int, bool], Awaitable[None]] | None = None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._exclusions = exclusions
        self._fetch = fetch
        self._reactors = reactors
        self._fetch_member = fetch_member
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
            await self._show(guild_id, standing[0].channel_id, message_id)
        return Done(len(standing), action_id)

    async def mark_introduction(
        self, guild_id: int, channel_id: int, message_id: int, *, is_introduction: bool, by: int
    ) -> Done:
        """A moderator's word on whether a message is an introduction; it wins from now on."""
        await self._quotable(guild_id, channel_id, message_id)
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

    # -- reactions

    async def on_reaction(self, event: ReactionEvent | ReactionsCleared | ReactionsReread) -> None:
        """Something happened to reactions: tag, suggest, or undo it, where the emoji means something here."""
        if isinstance(event, ReactionsCleared):
            await self._cleared(event)
        elif isinstance(event, ReactionsReread):
            await self._compare(event)
        else:
            await self._reacted(event)

    async def _reacted(self, event: ReactionEvent) -> None:
        async with self._store.read() as connection:
            settings = await guilds.fetch_settings(connection, event.guild_id)
            roles = await guilds.roles_of(connection, event.guild_id)
            guild = await guilds.fetch_guild(connection, event.guild_id)
        meaning = meaning_of(event.emoji, settings)
        place = (event.guild_id, event.channel_id, event.message_id)
        if meaning is None or event.user_id == guild.self_id:
            return
        if meaning.is_suggestion:
            await (self._suggest(place, event.user_id) if event.added else self._withdraw(place, {event.user_id}))
        elif not event.added:
            await self._reaction_gone(place, event.emoji, {event.user_id})
        elif _may(settings, guild, roles, event.user_id, event.role_ids or ()):
            await self._tag_by_reaction(place, event.emoji, event.user_id, meaning)

    async def _cleared(self, event: ReactionsCleared) -> None:
        """A message's reactions are gone, all or those of one emoji: so are the tags and suggestions that they set."""
        place = (event.guild_id, event.channel_id, event.message_id)
        async with self._store.read() as connection:
            settings = await guilds.fetch_settings(connection, event.guild_id)
            standing = await tags.standing_tags(connection, event.guild_id, [event.message_id])
            suggesters = await tags.suggesters_of(connection, [event.message_id])
        key = None if event.emoji is None else emoji_key(event.emoji)
        for emoji, user_ids in _by_emoji(standing.get(event.message_id, ())).items():
            if key in (None, emoji):
                await self._reaction_gone(place, emoji, user_ids)
        meaning = None if event.emoji is None else meaning_of(event.emoji, settings)
        if event.emoji is None or (meaning is not None and meaning.is_suggestion):
            await self._withdraw(place, suggesters.get(event.message_id, set()))

    async def _compare(self, event: ReactionsReread) -> None:
        """After time offline: what reactions say now is made good, whatever they said before."""
        async with self._store.read() as connection:
            settings = await guilds.fetch_settings(connection, event.guild_id)
            known = await tags.standing_tags(connection, event.guild_id, event.emojis)
            suggested = await tags.suggesters_of(connection, event.emojis)
        for message_id, emojis in event.emojis.items():
            present = {emoji_key(emoji): emoji for emoji in emojis if meaning_of(emoji, settings) is not None}
            before, suggesters = _by_emoji(known.get(message_id, ())), suggested.get(message_id, set())
            place = (event.guild_id, event.channel_id, message_id)
            for key in before.keys() - present.keys():
                await self._reaction_gone(place, key, before[key])
            if suggesters and not any(_is_suggestion(emoji, settings) for emoji in present.values()):
                await self._withdraw(place, suggesters)
            for key, emoji in present.items():
                await self._reconcile(place, emoji, before.get(key, set()), suggesters)

    async def _reconcile(
        self, place: tuple[int, int, int], emoji: str, known: Collection[int], suggested: Collection[int]
    ) -> None:
        guild_id, channel_id, message_id = place
        async with self._store.read() as connection:
            settings = await guilds.fetch_settings(connection, guild_id)
            guild = await guilds.fetch_guild(connection, guild_id)
            roles = await guilds.roles_of(connection, guild_id)
        meaning = meaning_of(emoji, settings)
        if meaning is None:
            return
        present = await self._reactors(channel_id, message_id, emoji) - {guild.self_id}
        if meaning.is_suggestion:
            await self._withdraw(place, set(suggested) - present)
            for user_id in sorted(present - set(suggested)):
                await self._suggest(place, user_id)
            return
        await self._reaction_gone(place, emoji, set(known) - present)
        async with self._store.read() as connection:
            overruled = _overruled(await tags.tags_of(connection, guild_id, message_id), _source(emoji))
        for user_id in sorted(present - set(known) - overruled):
            member = await self._member(guild_id, user_id)
            if member is not None and _may(settings, guild, roles, user_id, member.role_ids):
                await self._tag_by_reaction(place, emoji, user_id, meaning)

    async def _member(self, guild_id: int, user_id: int) -> Member | None:
        async with self._store.read() as connection:
            known = (await guilds.members_of(connection, guild_id, [user_id])).get(user_id)
        return known or await self._fetch_member(guild_id, user_id)

    async def _tag_by_reaction(
        self, place: tuple[int, int, int], emoji: str, user_id: int, meaning: ReactionMeaning
    ) -> None:
        try:
            await self.tag(*place, by=user_id, source=_source(emoji), section=meaning.section)
        except (NotFoundError, ForbiddenError):
            return  # the reaction stays without the bot's confirmation, which is the answer
        await self._show(*place)

    async def _reaction_gone(self, place: tuple[int, int, int], emoji: str, user_ids: Collection[int]) -> None:
        """Take off the tags that these reactions had set. It is Discord that removes them, so `removed_by` is none."""
        guild_id, _, message_id = place
        at, source, gone = self._clock.now(), _source(emoji), 0
        async with self._store.write() as connection:
            for user_id in sorted(user_ids):
                count = await tags.remove_tags(
                    connection, guild_id, message_id, at=at, by=None, user_id=user_id, source=source
                )
                if count:
                    data = {"message": str(message_id), "source": source}
                    await log_action(
                        connection, guild_id=guild_id, user_id=user_id, action="take a reaction off", at=at, data=data
                    )
                gone += count
        if gone:
            await self._show(*place)

    async def _suggest(self, place: tuple[int, int, int], user_id: int) -> None:
        guild_id, channel_id, message_id = place
        try:
            await self._quotable(*place)
        except (NotFoundError, ForbiddenError):
            return
        suggestion = Suggestion(
            guild_id=guild_id,
            message_id=message_id,
            channel_id=channel_id,
            user_id=user_id,
            suggested_at=self._clock.now(),
        )
        async with self._store.write() as connection:
            await tags.store_suggestion(connection, suggestion)

    async def _withdraw(self, place: tuple[int, int, int], user_ids: Collection[int]) -> None:
        async with self._store.write() as connection:
            for user_id in user_ids:
                await tags.remove_suggestion(connection, place[2], user_id)

    async def _show(self, guild_id: int, channel_id: int, message_id: int) -> None:
        if self._confirm is None:
            return
        async with self._store.read() as connection:
            standing = await tags.standing_tags(connection, guild_id, [message_id])
        await self._confirm(channel_id, message_id, bool(standing))

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


def _by_emoji(known: Collection[Tag]) -> dict[str, set[int]]:
    """Whose tags by reaction stand, by the emoji that set them."""
    found: dict[str, set[int]] = {}
    for tag in known:
        means, _, emoji = tag.source.partition(":")
        if tag.removed_at is None and means == REACTION:
            found.setdefault(emoji, set()).add(tag.user_id)
    return found


def _overruled(history: Collection[Tag], source: str) -> set[int]:
    """Whose tag by this reaction somebody has taken off by hand, though the reaction may stand."""
    last = {tag.user_id: tag for tag in history if tag.source == source}
    return {user_id for user_id, tag in last.items() if tag.removed_by is not None}


def _is_suggestion(emoji: str, settings: GuildSettings) -> bool:
    meaning = meaning_of(emoji, settings)
    return meaning is not None and meaning.is_suggestion


def _may(
    settings: GuildSettings, guild: Guild, roles: Mapping[int, Role], user_id: int, role_ids: Collection[int]
) -> bool:
    permissions = guild_permissions(guild.guild_id, role_ids, roles)
    return user_id == guild.owner_id or may_moderate(settings, permissions=permissions, role_ids=role_ids, roles=roles)
