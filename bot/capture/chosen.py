"""Which channels are recorded. What is not chosen is not stored at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bot.model.guilds import Channel, ChannelType, Role, audience_can_read
from bot.model.settings import GuildSettings


def chosen_channels(
    settings: GuildSettings,
    *,
    guild_id: int,
    channels: Mapping[int, Channel],
    roles: Mapping[int, Role],
    among: Iterable[Channel] | None = None,
) -> set[int]:
    """The ids of the channels and threads (all, or those `among`) to record, by the guild's settings.

    `exclude` wins over everything and reaches what lies below (a category's channels, a channel's threads).
    With `include` just those and what lies below are recorded, with the channels that the settings name for
    introductions, arrivals and announcements; without it all that the publish channel's audience can read
    (where there is no publish channel: all that everyone can). A private thread has to be included itself.
    """
    excluded = settings.channels.exclude
    special = [
        name
        for name in (
            settings.channels.introductions,
            settings.channels.welcome,
            *(settings.channels.announcements or ()),
        )
        if name
    ]
    included = [*settings.channels.include, *special] if settings.channels.include else []
    publish = _audience(settings, guild_id=guild_id, channels=channels)
    readable: dict[int, bool] = {}
    chosen = set()
    for channel in channels.values() if among is None else among:
        line = _line(channel, channels)
        if channel.deleted_at is not None or _any_named(line, excluded):
            continue
        if channel.channel_type == ChannelType.PRIVATE_THREAD:
            wanted = _any_named([channel], included)
        elif included:
            wanted = _any_named(line, included)
        else:
            root = line[1] if channel.is_thread and len(line) > 1 else channel
            if root.channel_id not in readable:
                readable[root.channel_id] = audience_can_read(publish, root, roles=roles, channels=channels)
            wanted = readable[root.channel_id]
        if wanted:
            chosen.add(channel.channel_id)
    return chosen


def find_channel(channels: Mapping[int, Channel], wanted: str | None) -> Channel | None:
    """The channel that a setting names by id or name; of several with one name the first in the list."""
    if not wanted:
        return None
    found = [channel for channel in channels.values() if _is_named(channel, wanted) and channel.deleted_at is None]
    return min(found, key=lambda channel: (channel.is_thread, channel.position, channel.channel_id), default=None)


def _audience(settings: GuildSettings, *, guild_id: int, channels: Mapping[int, Channel]) -> Channel:
    found = find_channel(channels, settings.publish.channel)
    return found or Channel(channel_id=0, guild_id=guild_id, name="", channel_type=ChannelType.TEXT)


def _line(channel: Channel, channels: Mapping[int, Channel]) -> list[Channel]:
    """The channel, what it lies in, and so on up to the category."""
    line = [channel]
    while (parent := channels.get(line[-1].parent_id or 0)) is not None and parent not in line:
        line.append(parent)
    return line


def _any_named(line: Iterable[Channel], names: Iterable[str]) -> bool:
    wanted = list(names)
    return any(_is_named(channel, name) for channel in line for name in wanted)


def _is_named(channel: Channel, wanted: str) -> bool:
    wanted = wanted.strip()
    if wanted.isdecimal() and int(wanted) == channel.channel_id:
        return True
    return channel.name.casefold() == wanted.removeprefix("#").casefold()
