"""What a guild looks like at the moment of posting: its channels, roles and what the bot may do in each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from bot.capture.chosen import find_channel
from bot.capture.convert import channel_from_payload, role_from_payload
from bot.errors import DiscordError
from bot.model.guilds import ADMINISTRATOR, READ_MESSAGE_HISTORY, VIEW_CHANNEL, Channel, Role
from bot.publish.rest import DiscordRest, Payload
from bot.store import guilds
from bot.store.engine import Store

SEND_MESSAGES = 1 << 11
ATTACH_FILES = 1 << 15
CREATE_PUBLIC_THREADS = 1 << 35
SEND_MESSAGES_IN_THREADS = 1 << 38
_NAMES = {
    VIEW_CHANNEL: "View Channel",
    SEND_MESSAGES: "Send Messages",
    ATTACH_FILES: "Attach Files",
    READ_MESSAGE_HISTORY: "Read Message History",
    CREATE_PUBLIC_THREADS: "Create Public Threads",
    SEND_MESSAGES_IN_THREADS: "Send Messages in Threads",
}


class TargetError(DiscordError):
    """The digest cannot be posted where the settings say; the sentence says what to do."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """`channels` and `roles` by id, threads as far as they are known; `raw` holds Discord's own channel objects."""

    guild_id: int
    self_id: int
    channels: Mapping[int, Channel]
    roles: Mapping[int, Role]
    own_role_ids: tuple[int, ...]
    raw: Mapping[int, Payload] = field(default_factory=dict)

    def channel(self, wanted: str, *, of: str) -> Channel:
        """The channel that the setting `of` names. Raises TargetError."""
        if not wanted:
            raise TargetError(f"No channel is set for the digest ({of}); choose one with /digest setup.")
        found = find_channel(self.channels, wanted)
        if found is None:
            raise TargetError(
                f"The channel {wanted!r} of the setting {of} does not exist (any more); choose another with "
                "/digest setup."
            )
        return found

    def require(self, channel: Channel, needed: int) -> None:
        """Raise TargetError that names the permissions (bits) which the bot lacks in the channel."""
        missing = needed & ~self.permissions(channel)
        if missing:
            names = ", ".join(name for bit, name in _NAMES.items() if bit & missing)
            raise TargetError(f"Gazette lacks permissions in #{channel.name}: {names}; give them to its role there.")

    def permissions(self, channel: Channel) -> int:
        """What the bot may in the channel, in a thread what it may in its parent.

        Source: https://docs.discord.com/developers/topics/permissions#permission-overwrites
        """
        if channel.is_thread:
            parent = self.channels.get(channel.parent_id or 0)
            return 0 if parent is None else self.permissions(parent)
        held = {self.guild_id, *self.own_role_ids}
        granted = 0
        for role_id in held & self.roles.keys():
            granted |= self.roles[role_id].permissions
        if granted & ADMINISTRATOR:
            return (1 << 64) - 1
        overwrites = channel.overwrites
        for layer in (
            [o for o in overwrites if o.is_role and o.target_id == self.guild_id],
            [o for o in overwrites if o.is_role and o.target_id in held - {self.guild_id}],
            [o for o in overwrites if not o.is_role and o.target_id == self.self_id],
        ):
            deny = _joined(o.deny for o in layer)
            granted = granted & ~deny | _joined(o.allow for o in layer)
        return granted if granted & VIEW_CHANNEL else 0


def _joined(masks: Iterable[int]) -> int:
    joined = 0
    for mask in masks:
        joined |= mask
    return joined


async def look_around(rest: DiscordRest, store: Store, guild_id: int) -> Surroundings:
    """Ask Discord what the guild looks like now, and store it, so that compiling sees the same.

    Channels that are stored and that Discord no longer lists are left out; threads are taken from the store.
    """
    raw = await rest.channels(guild_id)
    roles = [role_from_payload(role, guild_id=guild_id) for role in await rest.roles(guild_id)]
    me = await rest.member(guild_id, rest.self_id)
    present = {channel.channel_id: channel for channel in (channel_from_payload(c, guild_id=guild_id) for c in raw)}
    async with store.write() as connection:
        known = await guilds.channels_of(connection, guild_id)
        changed = [channel for channel in present.values() if _differs(known.get(channel.channel_id), channel)]
        await guilds.store_channels(connection, changed)
        known_roles = await guilds.roles_of(connection, guild_id)
        await guilds.store_roles(connection, [role for role in roles if known_roles.get(role.role_id) != role])
    threads = {channel_id: channel for channel_id, channel in known.items() if channel.is_thread}
    return Surroundings(
        guild_id=guild_id,
        self_id=rest.self_id,
        channels=threads | present,
        roles={role.role_id: role for role in roles},
        own_role_ids=tuple(int(role_id) for role_id in me.get("roles", ())),
        raw={int(channel["id"]): channel for channel in raw},
    )


def _differs(known: Channel | None, channel: Channel) -> bool:
    return known is None or replace(known, unreadable=None, deleted_at=None) != channel
