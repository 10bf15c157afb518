"""What is known of a connected guild: enough to say which of its channels are recorded, and which the bot can read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from bot.capture.chosen import chosen_channels
from bot.model.guilds import ADMINISTRATOR, READ_MESSAGE_HISTORY, Channel, ChannelType, Guild, Role
from bot.model.settings import GuildSettings
from bot.model.snowflakes import time_of


@dataclass(slots=True)
class GuildState:
    """A guild as the gateway shows it. `recorded` are the channels whose messages are stored."""

    guild: Guild
    settings: GuildSettings
    shard_id: int = 0
    self_roles: tuple[int, ...] = ()
    channels: dict[int, Channel] = field(default_factory=dict)
    roles: dict[int, Role] = field(default_factory=dict)
    newest: dict[int, tuple[int, datetime]] = field(default_factory=dict)
    """The newest message of a channel or thread, and when Discord told of it."""
    chosen: frozenset[int] = frozenset()
    recorded: frozenset[int] = frozenset()
    named: frozenset[int] = frozenset()
    """The hidden channels (see `hidden`) that are told to be unreadable."""
    connected: bool = False

    def choose(self, among: Iterable[Channel] | None = None) -> None:
        """Find out anew which channels (all, or those `among`) are recorded, after something changed."""
        asked = list(self.channels.values() if among is None else among)
        chosen = chosen_channels(
            self.settings, guild_id=self.guild.guild_id, channels=self.channels, roles=self.roles, among=asked
        )
        before = frozenset() if among is None else self.chosen - {each.channel_id for each in asked}
        self.chosen = before | chosen
        readable = {each for each in chosen if self.can_read(self.channels[each])}
        self.recorded = (self.recorded & before) | readable

    def can_read(self, channel: Channel) -> bool:
        """Whether the bot itself is shown the channel and what is said in it."""
        root = self.channels.get(channel.parent_id or 0, channel) if channel.is_thread else channel
        return self._permissions(root) & root.needed_to_read == root.needed_to_read

    def can_read_history(self, channel: Channel) -> bool:
        """Whether the bot may ask what was said. Where it may not, Discord answers as if nothing had been."""
        root = self.channels.get(channel.parent_id or 0, channel) if channel.is_thread else channel
        return bool(self._permissions(root) & READ_MESSAGE_HISTORY)

    def note_newest(self, payloads: Iterable[Mapping[str, Any]], *, at: datetime) -> None:
        """Keep what channel or thread objects tell of their newest message."""
        for each in payloads:
            if each.get("last_message_id"):
                self.newest[int(each["id"])] = int(each["last_message_id"]), at

    def was_silent(self, channel_id: int, since: datetime, until: datetime) -> bool:
        """Whether Discord has told, at `until` or later, that nothing was said in the channel from `since` on."""
        message_id, told_at = self.newest.get(channel_id, (None, None))
        return message_id is not None and told_at is not None and told_at >= until and time_of(message_id) < since

    def can_manage(self, channel: Channel, permission: int) -> bool:
        """Whether the bot has the permission in the channel."""
        return bool(self._permissions(channel) & permission)

    def spoken_in(self) -> list[Channel]:
        """The recorded channels and threads that hold messages themselves."""
        return [self.channels[each] for each in self.recorded if self.channels[each].is_spoken]

    def hidden(self) -> frozenset[int]:
        """The channels that are to be recorded and that the bot is not shown."""
        denied = [self.channels[each] for each in self.chosen - self.recorded]
        channels = (each for each in denied if not each.is_thread and each.channel_type != ChannelType.CATEGORY)
        return frozenset(each.channel_id for each in channels)

    def threads_of(self, channel_ids: Iterable[int]) -> list[int]:
        """The ids of the known threads in the channels."""
        parents = set(channel_ids)
        return [each.channel_id for each in self.channels.values() if each.is_thread and each.parent_id in parents]

    def _permissions(self, channel: Channel) -> int:
        return permissions_in(
            channel,
            user_id=self.guild.self_id or 0,
            owner_id=self.guild.owner_id,
            role_ids=self.self_roles,
            roles=self.roles,
        )


def permissions_in(
    channel: Channel, *, user_id: int, owner_id: int | None, role_ids: Iterable[int], roles: Mapping[int, Role]
) -> int:
    """A member's permissions in a channel (for a thread: in its parent).

    Source: https://docs.discord.com/developers/topics/permissions#permission-hierarchy
    """
    everyone_id = channel.guild_id
    held = [everyone_id, *role_ids]
    allowed = 0
    for role_id in held:
        allowed |= roles[role_id].permissions if role_id in roles else 0
    if user_id == owner_id or allowed & ADMINISTRATOR:
        return ~0
    by_target = {overwrite.target_id: overwrite for overwrite in channel.overwrites}
    if everyone := by_target.get(everyone_id):
        allowed = allowed & ~everyone.deny | everyone.allow
    allow = deny = 0
    for role_id in role_ids:
        if overwrite := by_target.get(role_id):
            allow |= overwrite.allow
            deny |= overwrite.deny
    allowed = allowed & ~deny | allow
    if own := by_target.get(user_id):
        allowed = allowed & ~own.deny | own.allow
    return allowed
