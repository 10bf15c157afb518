"""`/backfill`: reads what was said before the bot came, or where it missed something."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot.errors import ConflictError, DiscordError, NotFoundError
from bot.publish.review_message import counted
from cogs.answers import Interaction, acknowledge, answer, require_moderator
from cogs.options import SpokenChannel
from cogs.wording import fitting

if TYPE_CHECKING:
    from bot.client import DigestBot

_EVERY = 3.0
"""How many seconds lie between two words on the progress."""


class Backfill(commands.Cog):
    """Reads history on request, one channel after the other, and says how far it is."""

    def __init__(self, bot: DigestBot) -> None:
        self.bot = bot
        self._busy: set[int] = set()

    @app_commands.command(name="backfill", description="Read what was said earlier, so that the digest can tell it")
    @app_commands.describe(weeks="How many weeks back", channel="Which channel; all that are recorded if left out")
    @app_commands.guild_only()
    @app_commands.default_permissions(manage_messages=True)
    async def backfill(
        self,
        interaction: Interaction,
        weeks: app_commands.Range[int, 1, 52] = 2,
        channel: SpokenChannel | None = None,
    ) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        guild_id = interaction.guild_id or 0
        if guild_id in self._busy:
            raise ConflictError("History is being read already; wait until that is done.")
        self._busy.add(guild_id)
        try:
            await self._read(interaction, weeks, channel)
        finally:
            self._busy.discard(guild_id)

    async def _read(self, interaction: Interaction, weeks: int, channel: SpokenChannel | None) -> None:
        read_back, guild_id = self.bot.services.read_back, interaction.guild_id or 0
        end = self.bot.services.clock.now()
        begin = end - timedelta(weeks=weeks)
        within = channel.id if channel else None
        channel_ids = await read_back.recorded_channels(guild_id, since=begin, within=within)
        progress = _Progress(interaction, len(channel_ids))
        telling = asyncio.create_task(progress.tell(), name="progress of a backfill")
        refused: list[str] = []
        try:
            for number, channel_id in enumerate(channel_ids):
                progress.at = number
                try:
                    await read_back.backfill(guild_id, channel_id, begin, end, progress.count)
                except (DiscordError, NotFoundError) as error:
                    refused.append(f"- <#{channel_id}>: {error}")
                progress.next()
        finally:
            telling.cancel()
        read = counted(len(channel_ids) - len(refused), "channel")
        done = f"Read: {counted(progress.total, 'message')} of {read}, {counted(weeks, 'week')} back."
        await answer(interaction, fitting([done, *(["Not read:", *refused] if refused else [])]))


class _Progress:
    """Says now and then how far a backfill is."""

    def __init__(self, interaction: Interaction, channels: int) -> None:
        self._interaction = interaction
        self._channels = channels
        self._before = 0
        self._here = 0
        self.at = 0

    @property
    def total(self) -> int:
        return self._before + self._here

    def count(self, messages: int) -> None:
        self._here = messages

    def next(self) -> None:
        self._before, self._here = self.total, 0

    async def tell(self) -> None:
        while True:
            await asyncio.sleep(_EVERY)
            told = f"Reading channel {self.at + 1} of {self._channels} … {self.total} messages so far."
            try:
                await self._interaction.edit_original_response(content=told)
            except discord.HTTPException:
                return  # the answer's time is over; the outcome is written down at the end


async def setup(bot: DigestBot) -> None:
    await bot.add_cog(Backfill(bot))
