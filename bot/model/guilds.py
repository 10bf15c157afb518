"""Guilds, their channels, roles and members, and who may read what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum, StrEnum

VIEW_CHANNEL = 1 << 10
READ_MESSAGE_HISTORY = 1 << 16
CONNECT = 1 << 20
ADMINISTRATOR = 1 << 3
MANAGE_MESSAGES = 1 << 13


class ChannelType(IntEnum):
    """Source: https://docs.discord.com/developers/resources/channel#channel-object-channel-types"""

    TEXT = 0
    VOICE = 2
    CATEGORY = 4
    ANNOUNCEMENT = 5
    ANNOUNCEMENT_THREAD = 10
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12
    STAGE = 13
    FORUM = 15
    MEDIA = 16


THREAD_TYPES = frozenset({ChannelType.ANNOUNCEMENT_THREAD, ChannelType.PUBLIC_THREAD, ChannelType.PRIVATE_THREAD})


@dataclass(frozen=True, slots=True)
class Overwrite:
    """A permission overwrite: `target_id` is a role's (`is_role`) or a member's id; the masks are Discord's bits."""

    target_id: int
    is_role: bool
    allow: int
    deny: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """A channel or thread. `channel_type` is Discord's number; `unreadable` says why the bot cannot read it."""

    channel_id: int
    guild_id: int
    name: str
    channel_type: int
    parent_id: int | None = None
    position: int = 0
    topic: str | None = None
    overwrites: tuple[Overwrite, ...] = ()
    owner_id: int | None = None
    archived: bool = False
    deleted_at: datetime | None = None
    unreadable: str | None = None

    @property
    def is_thread(self) -> bool:
        return self.channel_type in THREAD_TYPES

    @property
    def needed_to_read(self) -> int:
        """The permissions without which Discord shows nobody what is said there.

        Source: https://docs.discord.com/developers/resources/message#get-channel-messages
        """
        is_voice = self.channel_type in (ChannelType.VOICE, ChannelType.STAGE)
        return VIEW_CHANNEL | CONNECT if is_voice else VIEW_CHANNEL

    @property
    def is_spoken(self) -> bool:
        """Whether messages stand in it, and not only in what lies below."""
        return self.channel_type not in (ChannelType.CATEGORY, ChannelType.FORUM, ChannelType.MEDIA)


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """`role_id` equal to the guild's id is @everyone. `permissions` are Discord's bits."""

    role_id: int
    guild_id: int
    name: str
    permissions: int
    position: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Guild:
    guild_id: int
    name: str
    owner_id: int | None = None
    self_id: int | None = None  # the bot's own account


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A person (or bot) in a guild. `name` is the nick, else the global name, else the username."""

    user_id: int
    guild_id: int
    username: str
    global_name: str | None = None
    nick: str | None = None
    bot: bool = False
    role_ids: tuple[int, ...] = ()
    joined_at: datetime | None = None
    left_at: datetime | None = None

    @property
    def name(self) -> str:
        return self.nick or self.global_name or self.username


class Witness(StrEnum):
    """How a join became known."""

    EVENT = "event"
    ROSTER = "roster"  # joined_at in a member list
    SEEN = "seen"  # joined_at beside something that a member did; only those who speak are seen so
    ARRIVAL = "arrival"  # the system message in the welcome channel


@dataclass(frozen=True, slots=True, kw_only=True)
class Join:
    """One stay in a guild, from `joined_at` to `left_at` (None: still there, or not known)."""

    guild_id: int
    user_id: int
    joined_at: datetime
    left_at: datetime | None = None
    bot: bool = False
    witness: Witness = Witness.EVENT


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledEvent:
    """An event of the guild's own calendar. `status`: 1 scheduled, 2 active, 3 completed, 4 cancelled.

    Source: https://docs.discord.com/developers/resources/guild-scheduled-event
    """

    event_id: int
    guild_id: int
    name: str
    starts_at: datetime
    description: str | None = None
    ends_at: datetime | None = None
    channel_id: int | None = None
    creator_id: int | None = None
    status: int = 1
    deleted_at: datetime | None = None


def _may_read(role_ids: Sequence[int], everyone_id: int, roles: Mapping[int, Role], channel: Channel) -> bool:
    """Whether somebody with just these roles may read the channel (Discord's order: base, everyone, roles)."""
    base = roles[everyone_id].permissions if everyone_id in roles else 0
    for role_id in role_ids:
        base |= roles[role_id].permissions if role_id in roles else 0
    if base & ADMINISTRATOR:
        return True
    by_target = {o.target_id: o for o in channel.overwrites if o.is_role}
    if everyone := by_target.get(everyone_id):
        base = base & ~everyone.deny | everyone.allow
    allow = deny = 0
    for role_id in role_ids:
        if overwrite := by_target.get(role_id):
            allow |= overwrite.allow
            deny |= overwrite.deny
    return (base & ~deny | allow) & channel.needed_to_read == channel.needed_to_read


def audience_can_read(
    publish: Channel, channel: Channel, *, roles: Mapping[int, Role], channels: Mapping[int, Channel]
) -> bool:
    """Whether whoever reads the publish channel may read `channel`; in doubt no.

    A thread is read by its parent's readers, a private thread by nobody else. Each kind of reader of the
    publish channel is tried (everyone, and everyone with one further role); each must see the channel.
    Overwrites that deny a single member in `channel` only are ignored: they concern that person alone.
    Source: https://docs.discord.com/developers/topics/permissions#permission-overwrites
    """
    if channel.channel_type == ChannelType.PRIVATE_THREAD:
        return channel.channel_id == publish.channel_id
    if channel.is_thread:
        parent = channels.get(channel.parent_id or 0)
        return parent is not None and audience_can_read(publish, parent, roles=roles, channels=channels)
    if publish.is_thread:
        parent = channels.get(publish.parent_id or 0)
        if parent is None:
            return False
        publish = parent
    everyone_id = channel.guild_id
    readers: list[tuple[int, ...]] = [(), *((role_id,) for role_id in roles if role_id != everyone_id)]
    member_readers = any(not o.is_role and o.allow & VIEW_CHANNEL for o in publish.overwrites)
    seen_by = [r for r in readers if _may_read(r, everyone_id, roles, publish)]
    if member_readers and not _may_read((), everyone_id, roles, channel):
        return False
    return bool(seen_by) and all(_may_read(r, everyone_id, roles, channel) for r in seen_by)
