"""Recording: hands the gateway's events to the recorder, and has what was missed read back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord.ext import commands

from bot.capture.discord_api import DiscordApi

if TYPE_CHECKING:
    from bot.client import DigestBot


class Recording(commands.Cog):
    """As long as it is loaded everything that the gateway sends is recorded."""

    def __init__(self, bot: DigestBot) -> None:
        self.bot = bot
        self.recorder = bot.services.recorder
        self.read_back = bot.services.read_back

    async def cog_load(self) -> None:
        await self.recorder.start()
        self.recorder.lacks(self.bot.missing_intents)
        self.read_back.start(DiscordApi(self.bot.http, clock=self.recorder.clock))
        self.bot.tap = self.recorder

    async def cog_unload(self) -> None:
        self.bot.tap = None
        await self.read_back.stop()
        await self.recorder.stop()


async def setup(bot: DigestBot) -> None:
    await bot.add_cog(Recording(bot))
