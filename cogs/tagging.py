"""Tagging: the message menus and `/noteworthy`. Reactions come to `Tagging` from the recorder."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot.capture.tagging import COMMAND, MENU, Done, Said
from bot.errors import InputError, NotFoundError
from bot.model.messages import message_url
from bot.model.settings import GuildSettings
from bot.model.text import excerpt, one_line
from bot.publish.review_message import told_user
from cogs.answers import Interaction, acknowledge, actor_id, answer, require_moderator
from cogs.components import Form, Press, show_form, undo_view
from cogs.wording import fitting

if TYPE_CHECKING:
    from bot.client import DigestBot

_LINK = re.compile(r"https?://(?:\w+\.)?discord(?:app)?\.com/channels/(\d+)/(\d+)/(\d+)")


class Tagging(commands.Cog):
    """What moderators mark as noteworthy."""

    noteworthy = app_commands.Group(
        name="noteworthy",
        description="The messages that the next digest will quote",
        guild_only=True,
        default_permissions=discord.Permissions(manage_messages=True),
    )

    def __init__(self, bot: DigestBot) -> None:
        self.bot = bot
        self.tagging = bot.services.tagging
        self.menus = [
            app_commands.ContextMenu(name="Add to digest", callback=self.add_to_digest),
            app_commands.ContextMenu(name="Remove from digest", callback=self.remove_from_digest),
            app_commands.ContextMenu(name="Introduction", callback=self.introduction),
            app_commands.ContextMenu(name="Not an introduction", callback=self.no_introduction),
        ]
        for menu in self.menus:
            menu.guild_only = True
            menu.default_permissions = discord.Permissions(manage_messages=True)

    async def cog_load(self) -> None:
        self.bot.controls["tag"] = self._tag
        for menu in self.menus:
            self.bot.tree.add_command(menu)
        self.bot.services.recorder.on_reaction.append(self.bot.services.reaction_tags.on_reaction)

    async def cog_unload(self) -> None:
        for menu in self.menus:
            self.bot.tree.remove_command(menu.name, type=menu.type)
        self.bot.services.recorder.on_reaction.remove(self.bot.services.reaction_tags.on_reaction)

    # -- message menus

    async def add_to_digest(self, interaction: Interaction, message: discord.Message) -> None:
        configuration, guild_id = self.bot.services.configuration, interaction.guild_id or 0

        async def form() -> Form:
            settings = await configuration.fetch_settings(guild_id)
            before = await self.tagging.said_of(guild_id, message.id, by=actor_id(interaction), source=MENU)
            return _form(message, settings, before)

        known = configuration.get_settings(guild_id) or GuildSettings()
        await show_form(interaction, form, plain=_form(message, known, Said()))

    async def _tag(self, interaction: Interaction, press: Press) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        guild_id, (channel_id, message_id) = interaction.guild_id or 0, map(int, press.args)
        section = press.fields.get("section") or None
        await self._require_section(guild_id, section)
        done = await self.tagging.tag(
            guild_id,
            channel_id,
            message_id,
            by=actor_id(interaction),
            source=MENU,
            section=section,
            note=one_line(press.fields.get("note", "")),
            rewrite=one_line(press.fields.get("rewrite", "")),
        )
        await self._tagged(interaction, message_url(guild_id, channel_id, message_id), done)

    async def _tagged(self, interaction: Interaction, link: str, done: Done) -> None:
        told = "will be in the next digest" if done.count else "was marked by you already; your changes are kept"
        await answer(interaction, f"{link} {told}.", view=undo_view(done.action_id), suppress_embeds=True)

    async def remove_from_digest(self, interaction: Interaction, message: discord.Message) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        await self._untag(interaction, message.id)

    async def introduction(self, interaction: Interaction, message: discord.Message) -> None:
        await self._mark(interaction, message, is_introduction=True)

    async def no_introduction(self, interaction: Interaction, message: discord.Message) -> None:
        await self._mark(interaction, message, is_introduction=False)

    async def _mark(self, interaction: Interaction, message: discord.Message, *, is_introduction: bool) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        done = await self.tagging.mark_introduction(
            interaction.guild_id or 0,
            message.channel.id,
            message.id,
            is_introduction=is_introduction,
            by=actor_id(interaction),
        )
        counts = "counts as an introduction" if is_introduction else "does not count as an introduction"
        await answer(
            interaction,
            f"{message.jump_url} {counts} from now on.",
            view=undo_view(done.action_id),
            suppress_embeds=True,
        )

    async def _untag(self, interaction: Interaction, message_id: int) -> None:
        done = await self.tagging.untag(interaction.guild_id or 0, message_id, by=actor_id(interaction))
        if not done.count:
            raise NotFoundError("That message was not in the digest, so there was nothing to take back.")
        await answer(interaction, "The message is out of the next digest.", view=undo_view(done.action_id))

    # -- /noteworthy

    @noteworthy.command(name="list", description="What the next digest will quote, and what members suggest")
    async def list_noteworthy(self, interaction: Interaction) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        guild_id = interaction.guild_id or 0
        period = await self.bot.services.desk.open_period(guild_id)
        tagged = await self.tagging.noteworthy(guild_id, period)
        suggested = await self.tagging.suggestions(guild_id, period)
        lines = [
            f"- {message_url(guild_id, one.tagged.channel_id, one.tagged.message_id)} "
            f"{excerpt(one.message.content, 80) if one.message else ''} "
            f"(by {', '.join(map(told_user, one.tagged.tagged_by))})"
            for one in tagged
        ]
        if not lines:
            lines = ["Nothing is marked yet. Right-click a message (on a phone: hold it): *Apps > Add to digest*."]
        tagged_ids = {one.tagged.message_id for one in tagged}
        ideas = {each.message_id: each for each in suggested if each.message_id not in tagged_ids}
        if ideas:
            lines += ["", "**Suggested by members** (published only if you mark them)"]
            lines += [f"- {message_url(guild_id, each.channel_id, each.message_id)}" for each in ideas.values()]
        await answer(interaction, fitting(lines), suppress_embeds=True)

    @noteworthy.command(name="add", description="Mark a message by its link")
    @app_commands.describe(
        link="The message's link (Copy Message Link)", section="Where it fits", note="For the reader"
    )
    async def add(
        self, interaction: Interaction, link: str, section: str | None = None, note: str | None = None
    ) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        guild_id, channel_id, message_id = _read_link(link, interaction.guild_id or 0)
        await self._require_section(guild_id, section)
        done = await self.tagging.tag(
            guild_id,
            channel_id,
            message_id,
            by=actor_id(interaction),
            source=COMMAND,
            section=section,
            note=one_line(note or ""),
        )
        await self._tagged(interaction, link, done)

    @noteworthy.command(name="remove", description="Take a message out of the next digest")
    @app_commands.describe(message="One of the marked messages, or a link")
    async def remove(self, interaction: Interaction, message: str) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        if message.isdigit():
            message_id = int(message)
        else:
            _, _, message_id = _read_link(message, interaction.guild_id or 0)
        await self._untag(interaction, message_id)

    @add.autocomplete("section")
    async def _sections(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        settings = self.bot.services.configuration.get_settings(interaction.guild_id or 0)
        found = [s for s in (settings.sections if settings else []) if typed.casefold() in s.title.casefold()]
        return [app_commands.Choice(name=s.title[:100], value=s.key) for s in found[:25]]

    @remove.autocomplete("message")
    async def _marked(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        guild_id = interaction.guild_id or 0
        period = await self.bot.services.desk.open_period(guild_id)
        choices = []
        for one in await self.tagging.noteworthy(guild_id, period):
            text = excerpt(one.message.content, 90) if one.message else str(one.tagged.message_id)
            if typed.casefold() in text.casefold():
                choices.append(app_commands.Choice(name=text or "(no text)", value=str(one.tagged.message_id)))
        return choices[:25]

    async def _require_section(self, guild_id: int, section: str | None) -> None:
        settings = await self.bot.services.configuration.fetch_settings(guild_id)
        if section is not None and section not in {s.key for s in settings.sections}:
            raise NotFoundError(f"There is no section `{section[:40]}`. Choose one of the suggestions.")


def _form(message: discord.Message, settings: GuildSettings, before: Said) -> Form:
    """What can be said of a message; what the moderator said of it `before` stands in it."""
    form = Form("Add to digest", "tag", message.channel.id, message.id)
    if settings.sections:
        sections = sorted(settings.sections, key=lambda section: section.order)
        options = [discord.SelectOption(label=each.title[:100], value=each.key) for each in sections]
        form.choice("section", "Section", options, placeholder="Where it fits", chosen=before.section)
    form.text(
        "note",
        "Note",
        description="For the reader, printed after the quote.",
        default=before.note,
        long=True,
        limit=500,
    )
    return form.text(
        "rewrite",
        "In one line, in your words",
        description="Printed in place of the quote.",
        default=before.rewrite,
        limit=300,
    )


def _read_link(link: str, guild_id: int) -> tuple[int, int, int]:
    found = _LINK.search(link)
    if found is None:
        raise InputError(
            "That is no link to a message. Hold or right-click the message and choose *Copy Message Link*."
        )
    in_guild, channel_id, message_id = (int(part) for part in found.groups())
    if in_guild != guild_id:
        raise InputError("That message is in another server; a digest quotes only its own.")
    return in_guild, channel_id, message_id


async def setup(bot: DigestBot) -> None:
    await bot.add_cog(Tagging(bot))
