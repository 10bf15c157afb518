"""`/repo`: which repositories a guild's digest follows, and where private ones may appear."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot.errors import ConflictError, NotFoundError
from cogs.answers import Interaction, acknowledge, actor_id, answer, require_moderator
from cogs.components import undo_view
from cogs.options import PostableChannel
from cogs.setup_walk import with_repositories

if TYPE_CHECKING:
    from bot.client import DigestBot
    from bot.github.desk import Tracked
    from bot.publish.configuration import Change

_CHOICES = 25


class Repositories(commands.Cog):
    """The repositories of a guild, checked with GitHub before they are taken in."""

    repo = app_commands.Group(
        name="repo",
        description="The GitHub repositories that the digest follows",
        guild_only=True,
        default_permissions=discord.Permissions(manage_messages=True),
    )

    def __init__(self, bot: DigestBot) -> None:
        self.configuration = bot.services.configuration
        self.desk = bot.services.github_desk

    @repo.command(name="add", description="Follow a repository")
    @app_commands.describe(repository="owner/name, or its address on GitHub")
    async def add(self, interaction: Interaction, repository: str) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        guild_id = interaction.guild_id or 0
        settings = await self.configuration.fetch_settings(guild_id)
        found = await self.desk.check_repository(guild_id, repository)
        changes = with_repositories(settings, [found.name])
        if not changes:
            raise ConflictError(f"The digest follows {found.name} already.")
        change = await self.configuration.change(guild_id, changes, by=actor_id(interaction))
        told = f"The digest follows **{found.name}** from now on."
        if found.private:
            told += " It is private: nothing of it appears anywhere until you name a channel with `/repo allow`."
        await answer(interaction, told, view=undo_view(change.action_id))

    @repo.command(name="remove", description="Stop following a repository")
    @app_commands.describe(repository="One of the repositories that the digest follows")
    async def remove(self, interaction: Interaction, repository: str) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        guild_id = interaction.guild_id or 0
        name = await self._required(guild_id, repository)
        settings = (await self.configuration.fetch_settings(guild_id)).github
        changes: dict[str, object] = {
            "github.repositories": [one for one in settings.repositories if one.lower() != name.lower()],
            "github.allowed_private": {
                one: channels for one, channels in settings.allowed_private.items() if one.lower() != name.lower()
            },
        }
        if (settings.default_repository or "").lower() == name.lower():
            changes["github.default_repository"] = None
        change = await self.configuration.change(guild_id, changes, by=actor_id(interaction))
        await answer(interaction, f"The digest no longer follows **{name}**.", view=undo_view(change.action_id))

    @repo.command(name="list", description="The repositories that the digest follows, and how each fares")
    async def list_repositories(self, interaction: Interaction) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        settings = await self.configuration.fetch_settings(interaction.guild_id or 0)
        tracked = await self.desk.tracked(settings)
        allowed = {name.lower(): channels for name, channels in settings.github.allowed_private.items()}
        lines = [_line(one, settings.github.default, allowed.get(one.configured.lower(), [])) for one in tracked]
        told = "\n".join(lines) or "The digest follows no repository. Name one with `/repo add`."
        await answer(interaction, told[:2000], suppress_embeds=True)

    @repo.command(name="allow", description="Let a private repository appear where the digest is posted")
    @app_commands.describe(repository="A private repository that the digest follows", channel="The digest's channel")
    async def allow(self, interaction: Interaction, repository: str, channel: PostableChannel) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        name = await self._required(interaction.guild_id or 0, repository)
        if not (await self.desk.check_repository(interaction.guild_id or 0, name)).private:
            raise ConflictError(f"{name} is public on GitHub, so it appears without being allowed.")
        channels = await self._allowed(interaction, name)
        action_id = None
        if not {str(channel.id), channel.name} & set(channels):
            action_id = await self._allow(interaction, name, [*channels, str(channel.id)])
        await answer(interaction, f"**{name}** may appear in {channel.mention}.", view=undo_view(action_id))

    @repo.command(name="disallow", description="Keep a private repository out of a channel again")
    @app_commands.describe(repository="A private repository that the digest follows", channel="The digest's channel")
    async def disallow(self, interaction: Interaction, repository: str, channel: PostableChannel) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        name = await self._required(interaction.guild_id or 0, repository)
        channels = await self._allowed(interaction, name)
        others = [one for one in channels if one not in {str(channel.id), channel.name}]
        action_id = await self._allow(interaction, name, others)
        told = f"Nothing of **{name}** appears in {channel.mention} from now on."
        await answer(interaction, told, view=undo_view(action_id))

    @remove.autocomplete("repository")
    @allow.autocomplete("repository")
    @disallow.autocomplete("repository")
    async def _tracked(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        settings = await self.configuration.fetch_settings(interaction.guild_id or 0)
        found = [name for name in settings.github.tracked if typed.casefold() in name.casefold()]
        return [app_commands.Choice(name=name[:100], value=name) for name in found[:_CHOICES]]

    async def _required(self, guild_id: int, typed: str) -> str:
        """The tracked repository that was meant, as configured."""
        settings = await self.configuration.fetch_settings(guild_id)
        known = {name.lower(): name for name in settings.github.tracked}
        name: str | None = known.get(typed.strip().lower())
        if name is None:
            raise NotFoundError("The digest does not follow that repository. Choose one of the suggestions.")
        return name

    async def _allowed(self, interaction: Interaction, name: str) -> list[str]:
        settings = await self.configuration.fetch_settings(interaction.guild_id or 0)
        allowed = {one.lower(): channels for one, channels in settings.github.allowed_private.items()}
        return list(allowed.get(name.lower(), []))

    async def _allow(self, interaction: Interaction, name: str, channels: list[str]) -> int | None:
        guild_id = interaction.guild_id or 0
        settings = await self.configuration.fetch_settings(guild_id)
        others = {one: c for one, c in settings.github.allowed_private.items() if one.lower() != name.lower()}
        allowed = others | ({name: channels} if channels else {})
        changes = {"github.allowed_private": allowed}
        change: Change = await self.configuration.change(guild_id, changes, by=actor_id(interaction))
        return change.action_id


def _line(one: Tracked, default: str | None, allowed: list[str]) -> str:
    notes = ["meant by a bare `#12`"] if one.configured == default else []
    if one.name.lower() != one.configured.lower():
        notes.append(f"now called {one.name}")
    if one.private:
        places = ", ".join(f"<#{channel}>" if channel.isdigit() else f"#{channel}" for channel in allowed)
        notes.append(f"private, may appear in {places}" if allowed else "private, appears nowhere: `/repo allow`")
    synced = f"read <t:{int(one.synced_until.timestamp())}:R>" if one.synced_until else "not read yet"
    notes.append(f"⚠️ {one.problem}" if one.problem else synced)
    return f"- [{one.configured}](https://github.com/{one.name}): {'; '.join(notes)}"


async def setup(bot: DigestBot) -> None:
    await bot.add_cog(Repositories(bot))
