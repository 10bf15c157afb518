"""The guild's channels in the parts they have in an edition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.capture.chosen import find_channel
from bot.compile.channels import Audience, audience_of, home, told_channels
from bot.model.guilds import ADMINISTRATOR, MANAGE_MESSAGES, Channel, ChannelType, Role
from bot.model.settings import GuildSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """The guild's channels in their parts for an edition. Messages of `quoted` channels may become highlights."""

    channels: Mapping[int, Channel]
    roles: Mapping[int, Role]
    audience: Audience
    told: frozenset[int]
    quoted: frozenset[int]
    introductions: Channel | None
    welcome: Channel | None
    announcements: frozenset[int]

    def home(self, channel_id: int) -> int:
        return home(channel_id, self.channels)

    def name(self, channel_id: int) -> str:
        """The name of the channel, of a thread that of the channel it stands in."""
        place = self.channels.get(self.home(channel_id)) or self.channels.get(channel_id)
        return place.name if place else "unknown"

    def names_of(self) -> dict[int, frozenset[str]]:
        """For each channel what a setting may call it or the channel it is a thread of: name or id."""
        return {
            channel_id: frozenset(
                name
                for place in (channel_id, self.home(channel_id))
                if (channel := self.channels.get(place)) is not None
                for name in (channel.name.casefold(), str(place))
            )
            for channel_id in self.told
        }


def find_places(
    guild_id: int, settings: GuildSettings, channels: Mapping[int, Channel], roles: Mapping[int, Role]
) -> Places:
    """Sort the guild's channels by the part they have in the edition."""
    audience = audience_of(guild_id, settings, channels, roles)
    told = told_channels(settings, audience)
    introductions = find_channel(channels, settings.channels.introductions)
    welcome = find_channel(channels, settings.channels.welcome)
    names = settings.channels.announcements
    if names is None:
        chosen = {c.channel_id for c in channels.values() if c.channel_type == ChannelType.ANNOUNCEMENT}
    else:
        chosen = {found.channel_id for name in names if (found := find_channel(channels, name))}
    aside = {c.channel_id for c in (introductions, welcome, *audience.posted_in) if c is not None}
    quoted = frozenset(i for i in told if i not in aside and home(i, channels) not in aside)
    return Places(
        channels=channels,
        roles=roles,
        audience=audience,
        told=told,
        quoted=quoted,
        introductions=introductions if introductions and introductions.channel_id in told else None,
        welcome=welcome,
        announcements=frozenset(chosen & quoted),
    )


def moderating_roles(settings: GuildSettings, roles: Mapping[int, Role]) -> frozenset[int]:
    """The roles of moderators: those with Manage Messages, and the one that the settings name."""
    wanted = (settings.moderation.role or "").removeprefix("@").casefold()
    return frozenset(
        role.role_id
        for role in roles.values()
        if role.role_id != role.guild_id
        and (
            role.permissions & (MANAGE_MESSAGES | ADMINISTRATOR)
            or (wanted and wanted in (role.name.casefold(), str(role.role_id)))
        )
    )
