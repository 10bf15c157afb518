"""`/digest setup` and `/digest settings`. Not a cog itself."""

from __future__ import annotations

import io

import discord
from discord import app_commands

from bot.errors import InputError
from bot.model.settings import WEEKDAYS, parse_settings
from bot.model.settings_file import write_settings
from bot.publish import settings_text
from cogs import setup_walk
from cogs.answers import Interaction, acknowledge, actor_id, answer, require_moderator
from cogs.components import Press, undo_view
from cogs.digest_group import Choices, Commands, digest
from cogs.options import PostableChannel, WritableChannel
from cogs.wording import pages

_LARGEST_FILE = 200_000
"""In bytes; a file of settings has a few thousand."""


def _model_note(model: str | None) -> str:
    """What a moderator who switches the language model on has to know."""
    if model is None:
        return " This bot has no language model yet; whoever runs it can set one up, and digests do without until then."
    return (
        f" What a digest tells is sent to `{model}`, with what it rests on: titles, texts and comments of pull "
        "requests and issues, messages and introductions, and paragraphs of earlier digests. Nothing is sent of "
        "channels that the digest's readers cannot see, and nothing of members who opted out; `/privacy policy` says "
        "so to them."
    )


class SettingsCommands(Commands):
    """What moderators set."""

    @digest.command(name="setup", description="Set the digest up, step by step; what you give here is set at once")
    @app_commands.describe(
        channel="Where the digest is posted",
        timezone="Type a city or a region, such as Berlin",
        weekday="On which day it is posted",
        time="At what time, as in 09:00",
        every="How often",
        repository="A GitHub repository of the community, owner/name",
        layout="How the summary is arranged",
        review_channel="Where moderators see the draft before it is posted",
        role="Who may tag, review and set up, besides the server's managers",
    )
    @app_commands.choices(
        weekday=[app_commands.Choice(name=day.capitalize(), value=day) for day in WEEKDAYS],
        every=[app_commands.Choice(name=f"Every {rhythm}", value=rhythm) for rhythm in ("week", "two weeks", "month")],
        layout=[
            app_commands.Choice(name="By themes", value="themes"),
            app_commands.Choice(name="By epics on GitHub", value="epics"),
        ],
    )
    async def setup(
        self,
        interaction: Interaction,
        channel: PostableChannel | None = None,
        timezone: str | None = None,
        weekday: str | None = None,
        time: str | None = None,
        every: str | None = None,
        repository: str | None = None,
        layout: str | None = None,
        review_channel: WritableChannel | None = None,
        role: discord.Role | None = None,
    ) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        guild_id = interaction.guild_id or 0
        changes: dict[str, object] = {
            key: value
            for key, value in {
                "publish.channel": str(channel.id) if channel else None,
                "schedule.timezone": timezone,
                "schedule.weekday": weekday,
                "schedule.time": time,
                "schedule.every": every,
                "edition.layout": layout,
                "moderation.review_channel": str(review_channel.id) if review_channel else None,
                "moderation.role": str(role.id) if role else None,
            }.items()
            if value is not None
        }
        if repository is not None:
            changes |= await setup_walk.with_repository(self.bot, guild_id, repository)
        change = await self.configuration.change(guild_id, changes, by=actor_id(interaction))
        await setup_walk.begin(interaction)
        await setup_walk.tell_changed(interaction, changes, change.action_id)

    @setup.autocomplete("timezone")
    async def _zones(self, interaction: Interaction, typed: str) -> Choices:
        return [app_commands.Choice(name=name, value=name) for name in settings_text.time_zones(typed)]

    @setup.autocomplete("time")
    async def _times(self, interaction: Interaction, typed: str) -> Choices:
        times = [f"{hour:02}:{minute:02}" for hour in range(24) for minute in (0, 30)]
        return [app_commands.Choice(name=each, value=each) for each in times if typed.strip() in each][:25]

    @digest.command(name="settings", description="What is set, also as a file; with a key and a value, change one")
    @app_commands.describe(
        key="Which setting", value='What it shall be; "none" empties it', file="A settings.toml that replaces them all"
    )
    async def settings(
        self,
        interaction: Interaction,
        key: str | None = None,
        value: str | None = None,
        file: discord.Attachment | None = None,
    ) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        guild_id = interaction.guild_id or 0
        if file is not None:
            await self._import(interaction, file)
            return
        if key is None:
            settings = await self.configuration.fetch_settings(guild_id)
            *first, last = pages(settings_text.told(settings))
            for page in first:
                await answer(interaction, page)
            document = io.BytesIO(write_settings(settings).encode())
            await answer(interaction, last, file=discord.File(document, "settings.toml"))
            return
        if value is None:
            raise InputError("Say what the setting shall be: choose a value as well.")
        parsed = settings_text.parse_value(key, value)
        change = await self.configuration.change(guild_id, {key: parsed}, by=actor_id(interaction))
        group, _, name = key.partition(".")
        stands = settings_text.told_value(key, change.settings.model_dump(mode="json")[group][name])
        note = _model_note(self.publishing.model_at) if (key, parsed) == ("narrative.model", True) else ""
        await answer(interaction, f"`{key}` is {stands} now.{note}", view=undo_view(change.action_id))

    async def _import(self, interaction: Interaction, file: discord.Attachment) -> None:
        if file.size > _LARGEST_FILE:
            raise InputError(f"{file.filename} is too large for a settings.toml; `/digest settings` gives yours.")
        try:
            settings = parse_settings((await file.read()).decode(), source=file.filename)
        except UnicodeDecodeError as error:
            raise InputError(
                f"{file.filename} is no text; `/digest settings` gives a settings.toml to begin with."
            ) from error
        guild_id = interaction.guild_id or 0
        stands = (await self.configuration.fetch_settings(guild_id)).github.allowed_private
        for repository in settings.github.allowed_private.keys() - stands.keys():
            await self.services.github_desk.check_repository(guild_id, repository)
        change = await self.configuration.store_settings(guild_id, settings, by=actor_id(interaction))
        await answer(interaction, f"The settings are those of {file.filename} now.", view=undo_view(change.action_id))

    @settings.autocomplete("key")
    async def _keys(self, interaction: Interaction, typed: str) -> Choices:
        found = [key for key in settings_text.all_keys() if typed.strip().casefold() in key]
        return [app_commands.Choice(name=key, value=key) for key in found[:25]]

    @settings.autocomplete("value")
    async def _values(self, interaction: Interaction, typed: str) -> Choices:
        guild = interaction.guild
        found = settings_text.suggestions(
            str(interaction.namespace.key or ""),
            typed,
            channels=[(each.id, each.name) for each in guild.channels] if guild else [],
            roles=[(each.id, each.name) for each in guild.roles if not each.is_default()] if guild else [],
        )
        return [app_commands.Choice(name=shown[:100], value=value) for shown, value in found]

    async def _undo(self, interaction: Interaction, press: Press) -> None:
        await interaction.response.edit_message(view=None)
        await require_moderator(interaction)
        told = await self.services.undo(interaction.guild_id or 0, int(press.args[0]), by=actor_id(interaction))
        await answer(interaction, told)
