"""Options of commands that take a channel of certain types. Not a cog itself."""

from __future__ import annotations

from typing import Any

import discord
from discord import ChannelType, app_commands


class Writable(app_commands.Transformer):
    """A channel in which messages are written."""

    types: tuple[ChannelType, ...] = (ChannelType.text, ChannelType.news)

    @property
    def type(self) -> discord.AppCommandOptionType:
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[ChannelType]:
        return list(self.types)

    async def transform(
        self, interaction: discord.Interaction[Any], value: app_commands.AppCommandChannel, /
    ) -> app_commands.AppCommandChannel:
        return value


class Postable(Writable):
    """A channel or a forum."""

    types = (*Writable.types, ChannelType.forum)


class Spoken(Writable):
    """Whatever holds messages, or threads with messages."""

    types = (*Postable.types, ChannelType.voice, ChannelType.stage_voice)


WritableChannel = app_commands.Transform[app_commands.AppCommandChannel, Writable]
PostableChannel = app_commands.Transform[app_commands.AppCommandChannel, Postable]
SpokenChannel = app_commands.Transform[app_commands.AppCommandChannel, Spoken]
