"""What the local Discord knows: guilds, channels, members, messages, as plain data.

Nothing here speaks HTTP or WebSocket. The verbs that change it stand in `discord_verbs` and
`discord_message_verbs`; each tells what happened as an `Event`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime

from bot.model.clock import Clock
from bot.model.snowflakes import first_id_at
from bot.replay import discord_intents as intents
from bot.replay import discord_permissions as bits
from bot.replay import discord_shapes as shapes
from bot.replay.discord_errors import unknown
from bot.replay.discord_shapes import Data


@dataclass(frozen=True, slots=True)
class Event:
    """A gateway event: whom it concerns, and the intent (a bit) that a session needs to hear of it."""

    name: str
    data: Data
    intent: int
    guild_id: int | None = None
    channel_id: int | None = None  # heard only by who sees this channel
    message: bool = False  # its text is withheld without the message content intent


@dataclass(slots=True)
class Reaction:
    emoji: Data
    user_ids: dict[int, None] = field(default_factory=dict)


@dataclass(slots=True)
class ChannelState:
    """A channel, thread or direct conversation, and the messages in it."""

    data: Data
    messages: dict[int, Data] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)  # the ids of the messages, ascending
    reactions: dict[int, dict[str, Reaction]] = field(default_factory=dict)
    pins: dict[int, datetime] = field(default_factory=dict)
    thread_members: dict[int, datetime] = field(default_factory=dict)

    @property
    def channel_id(self) -> int:
        return int(self.data["id"])

    @property
    def kind(self) -> int:
        return int(self.data["type"])

    @property
    def is_thread(self) -> bool:
        return self.kind in shapes.THREADS

    @property
    def guild_id(self) -> int | None:
        return int(self.data["guild_id"]) if self.data.get("guild_id") else None

    @property
    def parent_id(self) -> int | None:
        return int(self.data["parent_id"]) if self.data.get("parent_id") else None

    @property
    def archived(self) -> bool:
        return self.is_thread and bool(self.data["thread_metadata"]["archived"])

    def add(self, message: Data) -> None:
        message_id = int(message["id"])
        if message_id not in self.messages:
            insort(self.order, message_id)
        self.messages[message_id] = message

    def remove(self, message_id: int) -> Data:
        message = self.messages.pop(message_id)
        del self.order[bisect_left(self.order, message_id)]
        self.reactions.pop(message_id, None)
        self.pins.pop(message_id, None)
        return message

    def page(
        self, limit: int, *, before: int | None = None, after: int | None = None, around: int | None = None
    ) -> list[int]:
        """The ids of a page, newest first: the newest before, the oldest after, or those around an id."""
        if around is not None:
            middle = bisect_left(self.order, around)
            ids = self.order[max(0, middle - limit // 2) : middle + (limit + 1) // 2]
        elif after is not None:
            start = bisect_right(self.order, after)
            ids = self.order[start : start + limit]
        else:
            end = len(self.order) if before is None else bisect_left(self.order, before)
            ids = self.order[max(0, end - limit) : end]
        return ids[::-1]


@dataclass(slots=True)
class GuildState:
    data: Data
    roles: dict[int, Data] = field(default_factory=dict)
    members: dict[int, Data] = field(default_factory=dict)
    channel_ids: dict[int, None] = field(default_factory=dict)  # channels and threads, in order of creation
    scheduled_events: dict[int, Data] = field(default_factory=dict)
    unavailable: bool = False

    @property
    def guild_id(self) -> int:
        return int(self.data["id"])


class State:
    """Everything, and how to look things up. `clock` gives the time of what the server makes itself."""

    def __init__(self, clock: Clock, *, bot: Data) -> None:
        self.clock = clock
        self.bot = shapes.user({**bot, "bot": True})
        self.bot_id = int(self.bot["id"])
        self.guilds: dict[int, GuildState] = {}
        self.channels: dict[int, ChannelState] = {}
        self.users: dict[int, Data] = {self.bot_id: self.bot}
        self.content_hidden = False
        """Texts are withheld from the bot whatever intents it asked for."""
        self.withheld_intents = 0
        """Privileged intents that the application was not granted: an IDENTIFY with one ends with 4014."""
        self.gateway_url = ""
        self.shards = 1
        """How many shards Discord recommends."""
        self.closed_to_dms: set[int] = set()
        """Users who take no direct messages (50007)."""
        self.owner_id = 0
        """The application's owner."""
        self.listener: Callable[[Event], None] = lambda event: None
        self._last_id = 0
        self._visible: dict[int, bool] = {}

    @property
    def content_withheld(self) -> bool:
        return self.content_hidden or bool(self.withheld_intents & intents.MESSAGE_CONTENT)

    @property
    def application_flags(self) -> int:
        """The application's flags by which a client may see what intents were granted."""
        flags = (
            (intents.GUILD_PRESENCES, 1 << 12),
            (intents.GUILD_MEMBERS, 1 << 14),
            (intents.MESSAGE_CONTENT, 1 << 18),
        )
        return sum(flag for intent, flag in flags if not self.withheld_intents & intent)

    def emit(self, event: Event) -> None:
        self.listener(event)

    def new_id(self) -> int:
        """A snowflake of the clock's time, greater than every one given before."""
        self._last_id = max(first_id_at(self.clock.now()), self._last_id) + 1
        return self._last_id

    # -- looking up

    def guild(self, guild_id: int) -> GuildState:
        """Raises `ApiError` 10004."""
        try:
            return self.guilds[guild_id]
        except KeyError:
            raise unknown("Guild") from None

    def channel(self, channel_id: int) -> ChannelState:
        """Raises `ApiError` 10003."""
        try:
            return self.channels[channel_id]
        except KeyError:
            raise unknown("Channel") from None

    def message(self, channel_id: int, message_id: int) -> Data:
        """The stored message. Raises `ApiError` 10003 or 10008."""
        try:
            return self.channel(channel_id).messages[message_id]
        except KeyError:
            raise unknown("Message") from None

    def user(self, user_id: int) -> Data:
        """Raises `ApiError` 10013."""
        try:
            return self.users[user_id]
        except KeyError:
            raise unknown("User") from None

    def channels_of(self, guild_id: int, *, threads: bool) -> Iterator[ChannelState]:
        for channel_id in self.guild(guild_id).channel_ids:
            channel = self.channels[channel_id]
            if channel.is_thread == threads:
                yield channel

    # -- permissions

    def base_permissions(self, guild_id: int, user_id: int) -> int:
        guild = self.guild(guild_id)
        member = guild.members.get(user_id)
        if member is None:
            return 0
        return bits.base_permissions(
            owner=int(guild.data["owner_id"] or 0) == user_id,
            everyone_id=guild_id,
            role_ids=map(int, member["roles"]),
            roles=guild.roles,
        )

    def permissions(self, channel_id: int, user_id: int | None = None) -> int:
        """What the user (the bot, unless said otherwise) may in a channel; 0 without seeing it."""
        user_id = self.bot_id if user_id is None else user_id
        channel = self.channel(channel_id)
        if channel.guild_id is None:
            return bits.ALL
        guild = self.guild(channel.guild_id)
        member = guild.members.get(user_id)
        if member is None:
            return 0
        source = channel
        if channel.is_thread:
            parent = self.channels.get(channel.parent_id or 0)
            if parent is None:
                return 0
            source = parent
        granted = bits.permissions_in(
            self.base_permissions(guild.guild_id, user_id),
            source.data["permission_overwrites"],
            everyone_id=guild.guild_id,
            role_ids=map(int, member["roles"]),
            user_id=user_id,
        )
        private = channel.kind == shapes.PRIVATE_THREAD and user_id not in channel.thread_members
        return 0 if private and not granted & bits.MANAGE_THREADS else granted

    def sees(self, channel_id: int) -> bool:
        """Whether the bot sees the channel; remembered until roles, channels or the bot's roles change."""
        try:
            return self._visible[channel_id]
        except KeyError:
            visible = bool(self.permissions(channel_id) & bits.VIEW_CHANNEL)
            self._visible[channel_id] = visible
            return visible

    def forget_visibility(self) -> None:
        self._visible.clear()
