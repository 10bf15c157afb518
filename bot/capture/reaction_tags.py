"""Reactions as tags and suggestions: live, cleared at once, and compared after time offline."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping

from bot.capture.events import ReactionEvent, ReactionsCleared, ReactionsReread
from bot.capture.tagging import REACTION, Tagging
from bot.errors import ForbiddenError, NotFoundError
from bot.model.clock import Clock
from bot.model.guilds import Guild, Member, Role
from bot.model.moderation import ReactionMeaning, emoji_key, guild_permissions, may_moderate, meaning_of
from bot.model.settings import GuildSettings
from bot.store import guilds, tags
from bot.store.actions import log_action
from bot.store.engine import Store
from bot.store.tags import Suggestion, Tag

Place = tuple[int, int, int]
"""Guild, channel and message."""


class ReactionTags:
    """Does what reactions say. `on_reaction` is to be called with each of the recorder's reaction events.

    `reactors` (of channel, message, emoji) and `fetch_member` ask Discord who reacted, and what roles somebody has.
    """

    def __init__(
        self,
        store: Store,
        tagging: Tagging,
        *,
        clock: Clock,
        reactors: Callable[[int, int, str], Awaitable[set[int]]],
        fetch_member: Callable[[int, int], Awaitable[Member | None]],
    ) -> None:
        self._store = store
        self._tagging = tagging
        self._clock = clock
        self._reactors = reactors
        self._fetch_member = fetch_member

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

    async def _reconcile(self, place: Place, emoji: str, known: Collection[int], suggested: Collection[int]) -> None:
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

    async def _tag_by_reaction(self, place: Place, emoji: str, user_id: int, meaning: ReactionMeaning) -> None:
        try:
            self._tagging.require_named(place[0], user_id)
            await self._tagging.tag(*place, by=user_id, source=_source(emoji), section=meaning.section)
        except (NotFoundError, ForbiddenError):
            return  # the reaction stays without the bot's confirmation, which is the answer
        await self._tagging.show(*place)

    async def _reaction_gone(self, place: Place, emoji: str, user_ids: Collection[int]) -> None:
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
            await self._tagging.show(*place)

    async def _suggest(self, place: Place, user_id: int) -> None:
        guild_id, channel_id, message_id = place
        try:
            self._tagging.require_named(guild_id, user_id)
            await self._tagging.quotable(*place)
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

    async def _withdraw(self, place: Place, user_ids: Collection[int]) -> None:
        async with self._store.write() as connection:
            for user_id in user_ids:
                await tags.remove_suggestion(connection, place[2], user_id)


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
