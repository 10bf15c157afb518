"""Tagging: the message menus and `/noteworthy`. Reactions come to `Tagging` from the recorder."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot.capture.tagging import COMMAND, MENU
from bot.errors import InputError, NotFoundError
from bot.model.messages import message_url
from bot.model.text import excerpt, one_line, plain
from cogs.answers import Interaction, acknowledge, answer, require_moderator, tell

if TYPE_CHECKING:
    from bot.client import DigestBot

_LINK = re.compile(r"https?://(?:\w+\.)?discord(?:app)?\.com/channels/(\d+)/(\d+)/(\d+)")
_SHOWN = 20


class AddToDigest(discord.ui.Modal, title="Add to digest"):
    """Asks for section, note and a rewrite, all of them optional, then tags the message."""

    def __init__(self, message: discord.Message, sections: list[tuple[str, str]]) -> None:
        super().__init__()
        self.message = message
        self.section: discord.ui.Select[AddToDigest] | None = None
        if sections:
            self.section = discord.ui.Select(
                required=False,
                placeholder="Where it fits",
                options=[discord.SelectOption(label=title[:100], value=key) for key, title in sections[:25]],
            )
            self.add_item(discord.ui.Label(text="Section", component=self.section))
        self.note: discord.ui.TextInput[AddToDigest] = discord.ui.TextInput(
            style=discord.TextStyle.paragraph, required=False, max_length=500
        )
        self.rewrite: discord.ui.TextInput[AddToDigest] = discord.ui.TextInput(required=False, max_length=300)
        self.add_item(
            discord.ui.Label(text="Note", description="For the reader, printed after the quote.", component=self.note)
        )
        self.add_item(
            discord.ui.Label(
                text="In one line, in your words", description="Printed in place of the quote.", component=self.rewrite
            )
        )

    async def on_submit(self, interaction: Interaction) -> None:  # type: ignore[override]
        await acknowledge(interaction)
        await require_moderator(interaction)
        section = self.section.values[0] if self.section is not None and self.section.values else None
        new = await interaction.client.services.tagging.tag(
            interaction.guild_id or 0,
            self.message.channel.id,
            self.message.id,
            by=interaction.user.id,
            source=MENU,
            section=section,
            note=one_line(self.note.value),
            rewrite=one_line(self.rewrite.value),
        )
        done = "will be in the next digest" if new else "was in the digest already; your changes are kept"
        await answer(interaction, f"{self.message.jump_url} {done}. To take it back: *Apps > Remove from digest*.")

    async def on_error(self, interaction: Interaction, error: Exception) -> None:  # type: ignore[override]
        await tell(interaction, error)


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
        for menu in self.menus:
            self.bot.tree.add_command(menu)
        self.bot.services.recorder.on_reaction.append(self.tagging.on_reaction)

    async def cog_unload(self) -> None:
        for menu in self.menus:
            self.bot.tree.remove_command(menu.name, type=menu.type)
        self.bot.services.recorder.on_reaction.remove(self.tagging.on_reaction)

    # -- message menus

    async def add_to_digest(self, interaction: Interaction, message: discord.Message) -> None:
        # A modal has to be the first answer, so what it shows comes from memory; permission is checked on submit.
        settings = self.bot.services.configuration.get_settings(interaction.guild_id or 0)
        sections = sorted(settings.sections, key=lambda section: section.order) if settings else []
        await interaction.response.send_modal(AddToDigest(message, [(s.key, s.title) for s in sections]))

    async def remove_from_digest(self, interaction: Interaction, message: discord.Message) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        await answer(interaction, await self._removed(interaction, message.id))

    async def introduction(self, interaction: Interaction, message: discord.Message) -> None:
        await self._mark(interaction, message, is_introduction=True)

    async def no_introduction(self, interaction: Interaction, message: discord.Message) -> None:
        await self._mark(interaction, message, is_introduction=False)

    async def _mark(self, interaction: Interaction, message: discord.Message, *, is_introduction: bool) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        await self.tagging.mark_introduction(
            interaction.guild_id or 0,
            message.channel.id,
            message.id,
            is_introduction=is_introduction,
            by=interaction.user.id,
        )
        counts = "counts as an introduction" if is_introduction else "does not count as an introduction"
        await answer(interaction, f"{message.jump_url} {counts} from now on. The other menu entry takes it back.")

    async def _removed(self, interaction: Interaction, message_id: int) -> str:
        count = await self.tagging.untag(interaction.guild_id or 0, message_id, by=interaction.user.id)
        if not count:
            return "That message was not in the digest, so there was nothing to take back."
        return "The message is out of the next digest. To put it back: *Apps > Add to digest*."

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
            f"{excerpt(one_line(plain(one.message.content)), 80) if one.message else ''} "
            f"(by {', '.join(f'<@{user_id}>' for user_id in one.tagged.tagged_by)})"
            for one in tagged[:_SHOWN]
        ]
        text = "\n".join(lines) or (
            "Nothing is marked yet. Right-click a message (on a phone: hold it) and choose *Apps > Add to digest*."
        )
        if len(tagged) > _SHOWN:
            text += f"\nand {len(tagged) - _SHOWN} more"
        tagged_ids = {one.tagged.message_id for one in tagged}
        open_ideas = {s.message_id: s for s in suggested if s.message_id not in tagged_ids}
        if open_ideas:
            text += "\n\n**Suggested by members**\n" + "\n".join(
                f"- {message_url(guild_id, s.channel_id, s.message_id)}" for s in list(open_ideas.values())[:_SHOWN]
            )
        await answer(interaction, text[:2000], suppress_embeds=True)

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
        new = await self.tagging.tag(
            guild_id,
            channel_id,
            message_id,
            by=interaction.user.id,
            source=COMMAND,
            section=section,
            note=one_line(note or ""),
        )
        done = "will be in the next digest" if new else "was marked by you already; your changes are kept"
        await answer(interaction, f"{link} {done}. To take it back: `/noteworthy remove`.", suppress_embeds=True)

    @noteworthy.command(name="remove", description="Take a message out of the next digest")
    @app_commands.describe(message="One of the marked messages, or a link")
    async def remove(self, interaction: Interaction, message: str) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        if message.isdigit():
            message_id = int(message)
        else:
            _, _, message_id = _read_link(message, interaction.guild_id or 0)
        await answer(interaction, await self._removed(interaction, message_id))

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
            text = excerpt(one_line(plain(one.message.content)), 90) if one.message else str(one.tagged.message_id)
            if typed.casefold() in text.casefold():
                choices.append(app_commands.Choice(name=text or "(no text)", value=str(one.tagged.message_id)))
        return choices[:25]

    async def _require_section(self, guild_id: int, section: str | None) -> None:
        settings = await self.bot.services.configuration.fetch_settings(guild_id)
        if section is not None and section not in {s.key for s in settings.sections}:
            raise NotFoundError(f"There is no section `{section[:40]}`. Choose one of the suggestions.")


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
