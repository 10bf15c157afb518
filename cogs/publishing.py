"""Publishing: the schedule runs while the bot does, and changes to what was quoted reach the posted digests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord.ext import commands

if TYPE_CHECKING:
    from bot.client import DigestBot


class Publishing(commands.Cog):
    """As long as it is loaded editions are posted and kept right."""

    def __init__(self, bot: DigestBot) -> None:
        self.service = bot.services.publishing

    async def cog_load(self) -> None:
        self.service.start()

    async def cog_unload(self) -> None:
        await self.service.stop()

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Fires at every new session: there is one schedule all the same, which looks around now."""
        self.service.start()
        self.service.scheduler.wake()
        self.service.amender.wake()

    @commands.Cog.listener()
    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        self.service.amender.wake()

    @commands.Cog.listener()
    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        self.service.amender.wake()

    @commands.Cog.listener()
    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        self.service.amender.wake()

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        self.service.amender.wake()

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        self.service.amender.wake()


async def setup(bot: DigestBot) -> None:
    await bot.add_cog(Publishing(bot))
