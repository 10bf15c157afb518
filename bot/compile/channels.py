"""Which channels an edition may tell of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bot.capture.chosen import find_channel
from bot.model.guilds import Channel, ChannelType, Role, audience_can_read
from bot.model.settings import GuildSettings


def lineage(channel: Channel | None, channels: Mapping[int, Channel]) -> list[int]:
    """The channel's id, then those of the channel and the category it stands in."""
    ids: list[int] = []
    while channel is not None and channel.channel_id not in ids:
        ids.append(channel.channel_id)
        channel = channels.get(channel.parent_id or 0)
    return ids


def home(channel_id: int, channels: Mapping[int, Channel]) -> int:
    """The channel that a thread belongs to; of any other channel its own id."""
    channel = channels.get(channel_id)
    return channel.parent_id if channel is not None and channel.is_thread and channel.parent_id else channel_id


@dataclass(frozen=True, slots=True)
class Audience:
    """What whoever reads the edition may read too: the channels where it is posted decide."""

    channels: Mapping[int, Channel]
    roles: Mapping[int, Role]
    posted_in: tuple[Channel, ...]

    def can_read(self, channel_id: int) -> bool:
        channel = self.channels.get(channel_id)
        return channel is not None and all(
            audience_can_read(place, channel, roles=self.roles, channels=self.channels) for place in self.posted_in
        )


def audience_of(
    guild_id: int, settings: GuildSettings, channels: Mapping[int, Channel], roles: Mapping[int, Role]
) -> Audience:
    """The audience of the channels in which the settings have the edition posted.

    Where the channel is not known the edition is taken to be for everyone, so that only what everyone may
    read is told.
    """
    everyone = Channel(channel_id=0, guild_id=guild_id, name="", channel_type=int(ChannelType.TEXT))
    places = [find_channel(channels, settings.publish.channel) or everyone]
    if settings.publish.full_summary not in ("thread", "channel"):
        places.append(find_channel(channels, settings.publish.full_summary) or everyone)
    return Audience(channels=channels, roles=roles, posted_in=tuple(places))


def told_channels(settings: GuildSettings, audience: Audience) -> frozenset[int]:
    """The channels and threads of which the edition tells: readable to its audience, and chosen by the settings.

    `include` and `exclude` name channels or categories and hold for all that stands in them; `exclude` wins.
    The channels for introductions, arrivals and announcements are included by being named for it.
    """
    channels = audience.channels
    chosen = settings.channels
    special = [chosen.introductions, chosen.welcome, *(chosen.announcements or ())]
    include = _ids(channels, [*chosen.include, *(name for name in special if name)]) if chosen.include else set()
    exclude = _ids(channels, chosen.exclude)
    readable: dict[int, bool] = {}
    told = set()
    for channel in channels.values():
        if channel.channel_type == ChannelType.CATEGORY:
            continue
        line = set(lineage(channel, channels))
        if line & exclude or (chosen.include and not line & include):
            continue
        place = (
            channel.channel_id
            if channel.channel_type == ChannelType.PRIVATE_THREAD
            else home(channel.channel_id, channels)
        )
        if place not in readable:
            readable[place] = audience.can_read(place)
        if readable[place]:
            told.add(channel.channel_id)
    return frozenset(told)


def _ids(channels: Mapping[int, Channel], names: Iterable[str]) -> set[int]:
    """Every channel that one of the names may mean: a category and a channel may share one."""
    wanted = {name.strip().removeprefix("#").casefold() for name in names}
    return {c.channel_id for c in channels.values() if c.name.casefold() in wanted or str(c.channel_id) in wanted}
