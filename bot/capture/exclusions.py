"""Those whose messages are not recorded, held in memory: asked for every message, by every way in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from bot.capture.convert import Payload
from bot.model.guilds import Channel
from bot.model.messages import Message
from bot.model.withdrawal import UNTITLED, without_mentions, without_quotations
from bot.store import privacy
from bot.store.engine import Connection, Store


class Exclusions:
    """Who opted out or was erased. `reload` after a change; `secret` is the operator's key of the users' hashes."""

    def __init__(self, *, secret: str = "") -> None:
        self._secret = secret
        self._keys: tuple[str, ...] = (secret,) if secret else ()
        self._state = ""
        self._opted_out: set[tuple[int, int]] = set()
        self._erased: set[str] = set()

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys by which users are hashed: the operator's, then the one that the database keeps."""
        return self._keys

    async def reload(self, store: Store) -> None:
        """Read anew who is excluded."""
        async with store.read() as connection:
            await self._read(connection, await privacy.changes(connection))

    async def refresh(self, connection: Connection) -> None:
        """Within a transaction that stores what people said: know who is excluded until it ends."""
        state = await privacy.changes(connection)
        if state != self._state:
            await self._read(connection, state)

    async def _read(self, connection: Connection, state: str) -> None:
        made = await privacy.made_key(connection)
        self._keys = tuple(key for key in (self._secret, made) if key)
        self._opted_out = await privacy.opt_outs(connection)
        self._erased = await privacy.erased_hashes(connection)
        self._state = state

    def is_excluded(self, guild_id: int, user_id: int) -> bool:
        """Whether nothing of the user may be recorded in the guild."""
        if not self._opted_out and not self._erased:
            return False
        if (guild_id, user_id) in self._opted_out or (privacy.EVERYWHERE, user_id) in self._opted_out:
            return True
        return self.is_erased(user_id)

    def is_erased(self, user_id: int) -> bool:
        """Whether the user had everything erased."""
        return bool(self._erased) and not self._erased.isdisjoint(privacy.hashes_of(user_id, self._keys))

    def admit(self, message: Message, payload: Payload) -> Message | None:
        """The message as it may be stored: not at all of somebody excluded, and without others' word of them.

        Where somebody excluded is mentioned or answered, the mention loses its name and quoted lines go.
        """
        if self.is_excluded(message.guild_id, message.author_id):
            return None
        if not self._opted_out and not self._erased:
            return message
        answered = ((payload.get("referenced_message") or {}).get("author") or {}).get("id")
        named = {*message.mentioned_user_ids, *([int(answered)] if answered else [])}
        gone = {user_id for user_id in named if self.is_excluded(message.guild_id, user_id)}
        return without_people(message, gone) if gone else message

    def shown(self, channel: Channel) -> Channel:
        """The channel or thread as it may be stored."""
        return without_title(channel, self.is_excluded)

    def blank(self, user_id: int | None) -> int | None:
        """The id where it may be kept as part of the guild's own data (owner, creator); None for an erased user."""
        return None if user_id is not None and self.is_erased(user_id) else user_id


def without_title(channel: Channel, is_excluded: Callable[[int, int], bool]) -> Channel:
    """The channel, or a thread without the title that somebody excluded gave it: that is what they wrote."""
    if channel.is_thread and channel.owner_id and is_excluded(channel.guild_id, channel.owner_id):
        return replace(channel, name=UNTITLED)
    return channel


def without_people(message: Message, user_ids: Iterable[int]) -> Message:
    """The message without mentions of these people, and without the lines that it quotes."""
    gone = set(user_ids)
    return replace(
        message,
        content=without_quotations(without_mentions(message.content, gone)),
        mentioned_user_ids=tuple(each for each in message.mentioned_user_ids if each not in gone),
    )
