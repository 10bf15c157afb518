"""`/github`: which member is which account on GitHub."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot.errors import ForbiddenError, InputError, NotFoundError
from cogs.answers import Interaction, acknowledge, actor_id, answer, require_moderator

if TYPE_CHECKING:
    from bot.client import DigestBot

_SHOWN = 25


class Identities(commands.Cog):
    """Links between members and GitHub logins: claimed by the member, confirmed by a moderator."""

    github = app_commands.Group(
        name="github", description="Who is who on GitHub, so that the digest credits people rightly", guild_only=True
    )

    def __init__(self, bot: DigestBot) -> None:
        self.desk = bot.services.github_desk
        self.exclusions = bot.services.exclusions

    @github.command(name="link", description="Say which GitHub account is yours")
    @app_commands.describe(login="Your GitHub login")
    async def link(self, interaction: Interaction, login: str) -> None:
        await acknowledge(interaction)
        if self.exclusions.is_excluded(interaction.guild_id or 0, interaction.user.id):
            raise ForbiddenError("Nothing of you is stored, as you wished, so no link can be; first `/privacy optin`.")
        link = await self.desk.claim(interaction.guild_id or 0, interaction.user.id, login)
        if link.confirmed_at:
            await answer(interaction, f"You are linked to **{link.login}**. To take it back: `/github unlink`.")
            return
        await answer(
            interaction,
            f"You are **{link.login}** as soon as a moderator confirms it with `/github confirm`; then everybody here "
            "can look it up with `/github who`. To take it back: `/github unlink`.",
        )

    @github.command(name="unlink", description="Remove your link to GitHub, or, as a moderator, somebody else's")
    @app_commands.describe(member="Whose link; yours if left out")
    async def unlink(self, interaction: Interaction, member: discord.User | None = None) -> None:
        await acknowledge(interaction)
        if member is not None and member.id != interaction.user.id:
            await require_moderator(interaction)
        user_id = member.id if member else interaction.user.id
        await self.desk.unlink(interaction.guild_id or 0, user_id, by=actor_id(interaction))
        await answer(interaction, "The link to GitHub is removed.")

    @github.command(name="confirm", description="Confirm that a member's GitHub account is theirs (moderators)")
    @app_commands.describe(member="Who asked for a link")
    async def confirm(self, interaction: Interaction, member: discord.User) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        link = await self.desk.confirm(interaction.guild_id or 0, member.id, by=actor_id(interaction))
        await answer(interaction, f"{member.mention} is **{link.login}** on GitHub. To take it back: `/github unlink`.")

    @github.command(name="who", description="Look up a member's GitHub account, or whose an account is")
    @app_commands.describe(member="A member", login="A GitHub login")
    async def who(self, interaction: Interaction, member: discord.User | None = None, login: str | None = None) -> None:
        await acknowledge(interaction)
        guild_id = interaction.guild_id or 0
        if member is not None:
            link = await self.desk.link_of(guild_id, member.id)
        elif login is not None:
            link = await self.desk.member_of(guild_id, login)
        else:
            raise InputError("Name a member or a GitHub login.")
        if link is None or link.confirmed_at is None:
            raise NotFoundError("No confirmed link is known. Members link themselves with `/github link`.")
        await answer(
            interaction,
            f"<@{link.user_id}> is [{link.login}](https://github.com/{link.login}) on GitHub.",
            suppress_embeds=True,
        )

    @github.command(name="claims", description="The links that wait to be confirmed (moderators)")
    async def claims(self, interaction: Interaction) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        waiting = await self.desk.claims(interaction.guild_id or 0)
        lines = [
            f"- <@{link.user_id}> says to be [{link.login}](https://github.com/{link.login})"
            for link in waiting[:_SHOWN]
        ]
        if len(waiting) > _SHOWN:
            lines.append(f"and {len(waiting) - _SHOWN} more")
        told = "\n".join(lines) or "Nobody waits to be confirmed."
        await answer(interaction, told[:2000], suppress_embeds=True)


async def setup(bot: DigestBot) -> None:
    await bot.add_cog(Identities(bot))
