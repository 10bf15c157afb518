"""`/digest`, the group that its commands are added to, and what they share. Not a cog itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot.model.messages import message_url
from bot.model.publication import StoredPart

if TYPE_CHECKING:
    from bot.client import DigestBot

Choices = list[app_commands.Choice[str]]

digest = app_commands.Group(
    name="digest",
    description="The community's digest",
    guild_only=True,
    default_permissions=discord.Permissions(manage_messages=True),
)


class Commands(commands.Cog):
    """The services that the commands work with."""

    def __init__(self, bot: DigestBot) -> None:
        self.bot = bot
        self.services = bot.services
        self.publishing = bot.services.publishing
        self.desk = bot.services.desk
        self.configuration = bot.services.configuration


def first_link(guild_id: int, parts: list[StoredPart]) -> str:
    """Where a posted edition begins."""
    found = [part for part in parts if part.message_id and part.channel_id and part.gone_at is None]
    return message_url(guild_id, found[0].channel_id or 0, found[0].message_id or 0) if found else "*none stands*"
