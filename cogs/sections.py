"""`/section`: the groups in which a digest arranges what it tells."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands
from discord.ext import commands
from pydantic import ValidationError

from bot.errors import ConflictError, InputError, NotFoundError, SettingsError
from bot.model.settings import SectionSettings, told
from cogs.answers import Interaction, acknowledge, actor_id, answer, require_moderator
from cogs.components import undo_view
from cogs.wording import fitting

if TYPE_CHECKING:
    from bot.client import DigestBot

_MOST = 25
_LISTS = ("prefixes", "labels", "repositories", "channels", "authors")
_DESCRIBED = {
    "title": "As the readers see it",
    "order": "Sections stand in this order, the lowest number first",
    "emoji": "A moderator's reaction with it files a message here",
    "prefixes": 'Titles like "[infra] …" or "fix(infra): …" belong here: infra, deploy',
    "labels": "Labels on GitHub, separated by commas",
    "repositories": "Repositories (owner/name), separated by commas",
    "channels": "Channels, separated by commas",
    "authors": "GitHub logins, separated by commas",
}


class Sections(commands.Cog):
    """The sections, each with the rules by which something belongs to it."""

    section = app_commands.Group(
        name="section",
        description="The sections of the digest",
        guild_only=True,
        default_permissions=discord.Permissions(manage_messages=True),
    )

    def __init__(self, bot: DigestBot) -> None:
        self.configuration = bot.services.configuration

    @section.command(name="add", description="Add a section")
    @app_commands.describe(**_DESCRIBED)
    async def add(
        self,
        interaction: Interaction,
        title: app_commands.Range[str, 1, 100],
        order: int | None = None,
        emoji: str | None = None,
        prefixes: str | None = None,
        labels: str | None = None,
        repositories: str | None = None,
        channels: str | None = None,
        authors: str | None = None,
    ) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        lists = _lists(prefixes, labels, repositories, channels, authors)

        def edit(sections: list[SectionSettings]) -> list[SectionSettings]:
            if len(sections) >= _MOST:
                raise ConflictError(f"There are {_MOST} sections already; remove one first: `/section remove`.")
            key = _new_key(title, {each.key for each in sections})
            place = order if order is not None else max((each.order for each in sections), default=0) + 10
            return [*sections, _section({"key": key, "title": title.strip(), "order": place, "emoji": emoji, **lists})]

        change = await self.configuration.change_sections(interaction.guild_id or 0, edit, by=actor_id(interaction))
        await answer(
            interaction, f"**{title.strip()}** is a section of the digest now.", view=undo_view(change.action_id)
        )

    @section.command(name="edit", description="Change a section; what is left out stays as it is")
    @app_commands.describe(section="Which one", **_DESCRIBED)
    async def edit(
        self,
        interaction: Interaction,
        section: str,
        title: app_commands.Range[str, 1, 100] | None = None,
        order: int | None = None,
        emoji: str | None = None,
        prefixes: str | None = None,
        labels: str | None = None,
        repositories: str | None = None,
        channels: str | None = None,
        authors: str | None = None,
    ) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        changes: dict[str, Any] = _lists(prefixes, labels, repositories, channels, authors)
        changes |= {name: value for name, value in (("title", title), ("order", order)) if value is not None}
        if emoji is not None:
            changes["emoji"] = None if emoji.strip().casefold() in ("none", "-") else emoji.strip()
        if not changes:
            raise InputError("Name what to change: a title, an order, an emoji or one of the rules.")

        def edit(sections: list[SectionSettings]) -> list[SectionSettings]:
            found = _required(sections, section)
            new = _section(found.model_dump() | changes)
            return [new if each.key == found.key else each for each in sections]

        change = await self.configuration.change_sections(interaction.guild_id or 0, edit, by=actor_id(interaction))
        await answer(interaction, "The section is changed.", view=undo_view(change.action_id))

    @section.command(name="remove", description="Remove a section; what belonged there goes elsewhere")
    @app_commands.describe(section="Which one")
    async def remove(self, interaction: Interaction, section: str) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        removed: list[str] = []

        def edit(sections: list[SectionSettings]) -> list[SectionSettings]:
            found = _required(sections, section)
            removed.append(found.title)
            return [each for each in sections if each.key != found.key]

        change = await self.configuration.change_sections(interaction.guild_id or 0, edit, by=actor_id(interaction))
        await answer(interaction, f"**{removed[-1]}** is no section any more.", view=undo_view(change.action_id))

    @section.command(name="list", description="The sections and what belongs to each")
    async def list_sections(self, interaction: Interaction) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        settings = await self.configuration.fetch_settings(interaction.guild_id or 0)
        lines = [_line(section) for section in sorted(settings.sections, key=lambda each: each.order)]
        await answer(
            interaction,
            fitting(lines) or "There are no sections; the digest finds its own. Add one with `/section add`.",
            suppress_embeds=True,
        )

    @section.command(name="order", description="Put the sections into an order")
    @app_commands.describe(sections="All their keys or titles, separated by commas, the first one first")
    async def order(self, interaction: Interaction, sections: str) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        wanted = [name.strip() for name in sections.split(",") if name.strip()]

        def edit(known: list[SectionSettings]) -> list[SectionSettings]:
            first = [_required(known, name).key for name in wanted]
            if len(set(first)) < len(first):
                raise InputError("One of the sections is named twice.")
            rest = [each.key for each in sorted(known, key=lambda each: each.order) if each.key not in first]
            place = {key: (number + 1) * 10 for number, key in enumerate([*first, *rest])}
            moved = [each.model_copy(update={"order": place[each.key]}) for each in known]
            return sorted(moved, key=lambda each: each.order)

        change = await self.configuration.change_sections(interaction.guild_id or 0, edit, by=actor_id(interaction))
        titles = ", ".join(each.title for each in change.settings.sections)
        await answer(interaction, f"The order is now: {titles}."[:2000], view=undo_view(change.action_id))

    @edit.autocomplete("section")
    @remove.autocomplete("section")
    async def _known(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        settings = await self.configuration.fetch_settings(interaction.guild_id or 0)
        found = [each for each in settings.sections if typed.casefold() in f"{each.title} {each.key}".casefold()]
        return [app_commands.Choice(name=each.title[:100], value=each.key) for each in found[:25]]

    @order.autocomplete("sections")
    async def _ordered(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        settings = await self.configuration.fetch_settings(interaction.guild_id or 0)
        begun, _, last = typed.rpartition(",")
        named = {part.strip() for part in begun.split(",")}
        rest = [each.key for each in settings.sections if each.key not in named and last.strip() in each.key]
        choices = [", ".join(filter(None, [begun.strip(), key])) for key in rest]
        return [app_commands.Choice(name=choice, value=choice) for choice in choices if len(choice) <= 100][:25]


def _lists(*given: str | None) -> dict[str, list[str]]:
    """The rules that were given, as lists; "none" empties one."""
    return {
        name: []
        if text.strip().casefold() in ("none", "-")
        else [part.strip() for part in text.split(",") if part.strip()]
        for name, text in zip(_LISTS, given, strict=True)
        if text is not None
    }


def _section(values: dict[str, Any]) -> SectionSettings:
    values["channels"] = [re.sub(r"<#(\d+)>", r"\1", name) for name in values.get("channels", ())]
    try:
        return SectionSettings.model_validate(values)
    except ValidationError as error:
        raise SettingsError(told(error)) from error


def _required(sections: list[SectionSettings], wanted: str) -> SectionSettings:
    for each in sections:
        if wanted.strip().casefold() in (each.key.casefold(), each.title.casefold()):
            return each
    raise NotFoundError(f"There is no section `{wanted[:40]}`. `/section list` shows those there are.")


def _new_key(title: str, taken: set[str]) -> str:
    base = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:30] or "section"
    numbered = (f"{base}-{number}" for number in range(2, 100))
    return base if base not in taken else next(key for key in numbered if key not in taken)


def _line(section: SectionSettings) -> str:
    rules = [f"{name}: {', '.join(values)}" for name in _LISTS if (values := getattr(section, name))]
    emoji = f"{section.emoji} " if section.emoji else ""
    return f"- {emoji}**{section.title}** (`{section.key}`): {'; '.join(rules) or 'only what moderators file here'}"


async def setup(bot: DigestBot) -> None:
    await bot.add_cog(Sections(bot))
