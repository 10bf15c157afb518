"""`/help`: what there is, for whoever asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from cogs.answers import Interaction, acknowledge, answer
from cogs.wording import pages

if TYPE_CHECKING:
    from bot.client import DigestBot

_BEGINNING = (
    "**Gazette** writes the community's digest: it reads the channels that everybody may read, joins them with what "
    "happened on GitHub, and posts a summary. `/privacy` is about what it keeps of you."
)


class Help(commands.Cog):
    """Lists the commands and menus with their descriptions, as they are registered."""

    def __init__(self, bot: DigestBot) -> None:
        self.bot = bot

    @app_commands.command(name="help", description="What the digest bot can do")
    @app_commands.guild_only()
    async def help(self, interaction: Interaction) -> None:
        await acknowledge(interaction)
        lines = [_BEGINNING]
        for command in sorted(self.bot.tree.get_commands(), key=lambda each: each.name):
            if isinstance(command, app_commands.Group):
                lines.append(f"**/{command.name}**: {command.description}")
                lines += [f"- `/{each.qualified_name}` {each.description}" for each in command.commands]
            elif isinstance(command, app_commands.Command):
                lines.append(f"**/{command.name}**: {command.description}")
        menus = [each.name for each in self.bot.tree.get_commands() if isinstance(each, app_commands.ContextMenu)]
        if menus:
            lines.append("**On a message** (right-click or hold, *Apps*): " + ", ".join(menus))
        for page in pages(lines):
            await answer(interaction, page)


async def setup(bot: DigestBot) -> None:
    await bot.add_cog(Help(bot))
