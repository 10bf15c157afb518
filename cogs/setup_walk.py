"""The guided walk of `/digest setup`: five steps, each of which shows what holds now and changes it at once.

Not a cog itself. The steps keep nothing in memory, so a walk goes on after a restart of the bot.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

import discord

from bot.errors import ConflictError, GazetteError, InputError, SettingsError
from bot.model.settings import GuildSettings
from bot.publish.settings_text import time_zones
from cogs.answers import Interaction, actor_id, answer, require_moderator
from cogs.components import (
    Form,
    Handler,
    Press,
    button,
    show_form,
    undo_view,
    view,
)
from cogs.setup_steps import STEPS, holds
from cogs.wording import fitting, moment

_LAST_ROW = 4
MOST_REPOSITORIES = 50
"""Of a guild; each costs a few requests a week."""

if TYPE_CHECKING:
    from bot.client import DigestBot


async def begin(interaction: Interaction) -> None:
    """Answer with the first step that lacks something."""
    settings = await interaction.client.services.configuration.fetch_settings(interaction.guild_id or 0)
    content, shown = await _page(interaction, settings, 0, 0)
    await answer(interaction, content, view=shown)


def handlers(bot: DigestBot) -> dict[str, Handler]:
    """What the walk's controls do."""
    return {
        "setup": _go,
        "setup_set": _set,
        "setup_time": _ask_time,
        "setup_time_given": _time_given,
        "setup_repos": _ask_repositories,
        "setup_repos_given": _repositories_given,
        "setup_repo_off": _repository_off,
    }


async def with_repository(bot: DigestBot, guild_id: int, typed: str) -> dict[str, object]:
    """The change of settings that follows one more repository, checked with GitHub. Raises what the check raises."""
    found = await bot.services.github_desk.check_repository(guild_id, typed)
    settings = await bot.services.configuration.fetch_settings(guild_id)
    return with_repositories(settings, [found.name])


def with_repositories(settings: GuildSettings, names: Iterable[str]) -> dict[str, object]:
    """The change of settings that follows these too, as far as they are new. Raises ConflictError for too many."""
    known = {name.lower() for name in settings.github.tracked}
    new = [name for name in dict.fromkeys(names) if name.lower() not in known]
    if len(known) + len(new) > MOST_REPOSITORIES:
        raise ConflictError(f"A digest follows {MOST_REPOSITORIES} repositories at most; first `/repo remove` one.")
    return {"github.repositories": [*settings.github.repositories, *new]} if new else {}


async def _page(
    interaction: Interaction, settings: GuildSettings, number: int, page: int
) -> tuple[str, discord.ui.View]:
    if number >= len(STEPS):
        return await _end(interaction, settings), view(button("◀ Back", "setup", len(STEPS) - 1, 0))
    step = STEPS[number]
    lines = [f"**Setup {number + 1} of {len(STEPS)}: {step.name}**", step.question, "", *holds(settings, number)]
    controls = step.controls(settings, page)
    if number:
        controls.append(button("◀ Back", "setup", number - 1, 0, row=_LAST_ROW))
    label = "Done" if number + 1 == len(STEPS) else "Next ▶"
    controls.append(button(label, "setup", number + 1, 0, style=discord.ButtonStyle.success, row=_LAST_ROW))
    return fitting(lines), view(*controls)


async def _end(interaction: Interaction, settings: GuildSettings) -> str:
    services, guild_id = interaction.client.services, interaction.guild_id or 0
    missing = await services.desk.missing(guild_id)
    status = await services.publishing.status(guild_id)
    lines = ["**Setup is done.**"]
    if status.schedule is not None:
        lines.append(f"The next digest is posted {moment(status.schedule.run.due_at)}.")
    if missing:
        lines += ["", "**What is still missing**", *(f"- {each}" for each in missing)]
    if settings.moderation.role:
        lines += [
            "",
            "Discord shows the commands to whoever may manage messages; for the others of the role, allow them under "
            "*Server Settings > Integrations*.",
        ]
    lines += ["", "See it first with `/digest preview`; `/backfill` reads the weeks before the bot came."]
    return fitting(lines)


# -- what the controls do


async def _show(interaction: Interaction, number: int, page: int = 0) -> None:
    settings = await interaction.client.services.configuration.fetch_settings(interaction.guild_id or 0)
    content, shown = await _page(interaction, settings, number, page)
    await interaction.edit_original_response(content=content, view=shown)


async def _go(interaction: Interaction, press: Press) -> None:
    await interaction.response.defer()
    await require_moderator(interaction)
    await _show(interaction, int(press.args[0]), int(press.args[1]))


async def _changed(interaction: Interaction, number: int, changes: dict[str, object]) -> None:
    configuration = interaction.client.services.configuration
    change = await configuration.change(interaction.guild_id or 0, changes, by=actor_id(interaction))
    await _show(interaction, number)
    await tell_changed(interaction, changes, change.action_id)


async def tell_changed(interaction: Interaction, changes: Iterable[str], action_id: int | None) -> None:
    """Name the settings that were changed, with a button that takes it back; nothing where nothing was."""
    if action_id is not None:
        keys = ", ".join(f"`{key}`" for key in changes)
        await answer(interaction, f"Changed: {keys}", view=undo_view(action_id))


async def _set(interaction: Interaction, press: Press) -> None:
    await interaction.response.defer()
    await require_moderator(interaction)
    number, key = int(press.args[0]), press.args[1]
    value: object = press.values[0] if press.values else None
    if key == "channels.announcements":
        value = list(press.values) or None
    elif key == "publish.channel":
        value = value or ""
    elif key == "moderation.review_hours":
        value = int(str(value))
    await _changed(interaction, number, {key: value})


async def _ask_time(interaction: Interaction, press: Press) -> None:
    configuration, guild_id = interaction.client.services.configuration, interaction.guild_id or 0

    async def form() -> Form:
        return _time_form(await configuration.fetch_settings(guild_id))

    known = configuration.get_settings(guild_id) or GuildSettings()
    await show_form(interaction, form, plain=_time_form(known))


def _time_form(settings: GuildSettings) -> Form:
    form = Form("When the digest is posted", "setup_time_given")
    form.text("time", "Time of day", description="Hours and minutes, as in 09:00", default=settings.schedule.time)
    return form.text(
        "timezone", "Time zone", description="Such as Europe/Berlin, or just a city", default=settings.schedule.timezone
    )


async def _time_given(interaction: Interaction, press: Press) -> None:
    await interaction.response.defer()
    await require_moderator(interaction)
    changes: dict[str, object] = {}
    if time := press.fields.get("time", "").strip():
        changes["schedule.time"] = time.zfill(5)
    if zone := press.fields.get("timezone", "").strip():
        changes["schedule.timezone"] = _zone(zone)
    await _changed(interaction, 1, changes)


def _zone(typed: str) -> str:
    """The time zone that was typed, or the only one whose city is called so."""
    found = time_zones(typed)
    city = typed.casefold().replace(" ", "_")
    exact = [name for name in found if city in (name.casefold(), name.rpartition("/")[2].casefold())]
    if exact:
        return exact[0]
    if len(found) == 1:
        return found[0]
    hint = f" Did you mean {', '.join(found[:5])}?" if found else ""
    raise SettingsError(f"There is no time zone {typed[:40]!r}.{hint} `/digest setup timezone:` suggests them.")


async def _ask_repositories(interaction: Interaction, press: Press) -> None:
    async def form() -> Form:
        asked = Form("Repositories", "setup_repos_given")
        return asked.text(
            "names", "One a line", description="owner/name, or the address on GitHub", long=True, required=True
        )

    await show_form(interaction, form, plain=await form())


async def _repositories_given(interaction: Interaction, press: Press) -> None:
    await interaction.response.defer()
    await require_moderator(interaction)
    bot, guild_id = interaction.client, interaction.guild_id or 0
    typed = [line for line in re.split(r"[\s,]+", press.fields.get("names", "")) if line]
    if not typed:
        raise InputError("Name at least one repository, as owner/name.")
    refused: list[str] = []
    taken: list[str] = []
    for name in typed[:MOST_REPOSITORIES]:
        try:
            taken.append((await bot.services.github_desk.check_repository(guild_id, name)).name)
        except GazetteError as error:
            refused.append(f"- `{name[:100]}`: {error}")
    settings = await bot.services.configuration.fetch_settings(guild_id)
    await _changed(interaction, 2, with_repositories(settings, taken))
    if refused:
        raise ConflictError(fitting(["These were not taken:", *refused]))


async def _repository_off(interaction: Interaction, press: Press) -> None:
    await interaction.response.defer()
    await require_moderator(interaction)
    settings = await interaction.client.services.configuration.fetch_settings(interaction.guild_id or 0)
    name = press.values[0].lower()
    changes: dict[str, object] = {
        "github.repositories": [each for each in settings.github.repositories if each.lower()[:100] != name]
    }
    if (settings.github.default_repository or "").lower() == name:
        changes["github.default_repository"] = None
    await _changed(interaction, 2, changes)
