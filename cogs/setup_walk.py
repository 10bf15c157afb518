"""The guided walk of `/digest setup`: five steps, each of which shows what holds now and changes it at once.

Not a cog itself. The steps keep nothing in memory, so a walk goes on after a restart of the bot.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import discord

from bot.errors import ConflictError, GazetteError, InputError, SettingsError
from bot.model.settings import WEEKDAYS, GuildSettings
from bot.publish.settings_text import time_zones, told_value
from cogs.answers import Interaction, answer, require_moderator
from cogs.components import (
    Control,
    Form,
    Handler,
    Press,
    button,
    control_id,
    paged,
    select,
    turn_pages,
    undo_view,
    view,
    wrapped,
)
from cogs.wording import fitting, moment

if TYPE_CHECKING:
    from bot.client import DigestBot

_TEXT = [discord.ChannelType.text, discord.ChannelType.news]
_POSTABLE = [*_TEXT, discord.ChannelType.forum]
_HOURS = (6, 12, 24, 48, 72)


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the walk: its name, what it asks, and the controls for the settings of that moment."""

    name: str
    question: str
    controls: Callable[[GuildSettings, int], list[Control]]


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
    found = await bot.services.github_desk.check_repository(typed)
    settings = await bot.services.configuration.fetch_settings(guild_id)
    if found.name.lower() in {name.lower() for name in settings.github.tracked}:
        return {}
    return {"github.repositories": [*settings.github.repositories, found.name]}


# -- what the steps show


def _channel(
    step: int, key: str, settings: GuildSettings, placeholder: str, types: list[discord.ChannelType]
) -> Control:
    group, _, name = key.partition(".")
    value = getattr(getattr(settings, group), name)
    ids = [int(each) for each in (value if isinstance(value, list) else [value]) if each and str(each).isdecimal()]
    several = name == "announcements"
    item: discord.ui.ChannelSelect[Any] = discord.ui.ChannelSelect(
        custom_id=control_id("setup_set", step, key),
        channel_types=types,
        placeholder=placeholder,
        min_values=0,
        max_values=5 if several else 1,
        default_values=[
            discord.SelectDefaultValue(id=each, type=discord.SelectDefaultValueType.channel) for each in ids
        ][: 5 if several else 1],
    )
    return wrapped(item)


def _role(step: int, settings: GuildSettings) -> Control:
    role = settings.moderation.role
    item: discord.ui.RoleSelect[Any] = discord.ui.RoleSelect(
        custom_id=control_id("setup_set", step, "moderation.role"),
        placeholder="Who moderates the digest (nobody chosen: whoever may manage messages)",
        min_values=0,
        default_values=[discord.SelectDefaultValue(id=int(role), type=discord.SelectDefaultValueType.role)]
        if role and role.isdecimal()
        else [],
    )
    return wrapped(item)


def _choice(step: int, key: str, present: object, options: list[tuple[str, object]], placeholder: str) -> Control:
    return select(
        "setup_set",
        step,
        key,
        options=[
            discord.SelectOption(label=label, value=str(value), default=str(value) == str(present))
            for label, value in options
        ],
        placeholder=placeholder,
    )


def _channels_step(settings: GuildSettings, page: int) -> list[Control]:
    return [
        _channel(0, "publish.channel", settings, "Where the digest is posted", _POSTABLE),
        _channel(0, "channels.introductions", settings, "Where people introduce themselves, if anywhere", _POSTABLE),
        _channel(0, "channels.welcome", settings, "Where Discord greets new members, if anywhere", _TEXT),
        _channel(0, "channels.announcements", settings, "Announcements (none: all announcement channels)", _TEXT),
    ]


def _schedule_step(settings: GuildSettings, page: int) -> list[Control]:
    schedule = settings.schedule
    times = [(f"at {hour:02}:00", f"{hour:02}:00") for hour in range(24)]
    if schedule.time not in dict(times).values():
        times.append((f"at {schedule.time}", schedule.time))
    rhythms: list[tuple[str, object]] = [
        ("every week", "week"),
        ("every two weeks", "two weeks"),
        ("every month", "month"),
    ]
    return [
        _choice(1, "schedule.every", schedule.every, rhythms, "How often"),
        _choice(
            1, "schedule.weekday", schedule.weekday, [(f"on {d.capitalize()}", d) for d in WEEKDAYS], "On which day"
        ),
        _choice(1, "schedule.time", schedule.time, list(times), "At what time"),
        button("Time zone, or another time", "setup_time"),
    ]


def _github_step(settings: GuildSettings, page: int) -> list[Control]:
    controls = [button("Add repositories", "setup_repos", style=discord.ButtonStyle.primary)]
    names, page, pages = paged(settings.github.tracked, page)
    if names:
        options = [discord.SelectOption(label=name[:100], value=name[:100]) for name in names]
        controls.append(select("setup_repo_off", page, options=options, placeholder="Stop following one of them"))
    return [*controls, *turn_pages("setup", 2, page=page, pages=pages)]


def _moderation_step(settings: GuildSettings, page: int) -> list[Control]:
    moderation = settings.moderation
    hours = sorted({*_HOURS, moderation.review_hours})
    return [
        _role(3, settings),
        _channel(3, "moderation.review_channel", settings, "Where moderators see the draft first, if anywhere", _TEXT),
        _choice(
            3,
            "moderation.review_hours",
            moderation.review_hours,
            [(f"The draft comes {each} hours before", each) for each in hours],
            "How long before",
        ),
        _choice(
            3,
            "moderation.without_review",
            moderation.without_review,
            [("If nobody acts, it is posted", "publish"), ("If nobody acts, it is held back", "hold")],
            "If nobody acts",
        ),
    ]


def _layout_step(settings: GuildSettings, page: int) -> list[Control]:
    summary: list[tuple[str, object]] = [
        ("The full summary is in a thread", "thread"),
        ("The full summary follows in the channel", "channel"),
    ]
    return [
        _choice(
            4,
            "edition.layout",
            settings.edition.layout,
            [("Arranged by themes", "themes"), ("Arranged by epics on GitHub", "epics")],
            "How the summary is arranged",
        ),
        _choice(4, "publish.full_summary", settings.publish.full_summary, summary, "Where the full summary goes"),
        _choice(
            4,
            "edition.credit",
            settings.edition.credit,
            [("People are called by their names", "name"), ("People are called by their logins", "login")],
            "How people on GitHub are called",
        ),
    ]


STEPS = (
    Step("channels", "Where shall the digest be posted, and where do people introduce themselves?", _channels_step),
    Step("schedule", "When shall it be posted?", _schedule_step),
    Step("GitHub", "Which repositories does the community work on? None is fine too.", _github_step),
    Step("moderators", "Who looks after it, and shall they see it before it is posted?", _moderation_step),
    Step("layout", "How shall it look?", _layout_step),
)


async def _page(
    interaction: Interaction, settings: GuildSettings, number: int, page: int
) -> tuple[str, discord.ui.View]:
    if number >= len(STEPS):
        return await _end(interaction, settings), view(button("◀ Back", "setup", len(STEPS) - 1, 0))
    step = STEPS[number]
    lines = [f"**Setup {number + 1} of {len(STEPS)}: {step.name}**", step.question, "", *_holds(settings, number)]
    controls = step.controls(settings, page)
    if number:
        controls.append(button("◀ Back", "setup", number - 1, 0))
    last = number + 1 == len(STEPS)
    controls.append(button("Done" if last else "Next ▶", "setup", number + 1, 0, style=discord.ButtonStyle.success))
    return fitting(lines), view(*controls)


def _holds(settings: GuildSettings, number: int) -> list[str]:
    """What holds now, for a step; names of channels that were set by a file are shown as such."""
    if number == 0:
        channels = settings.channels
        return [
            f"Digest: {told_value('publish.channel', settings.publish.channel)}",
            f"Introductions: {told_value('channels.introductions', channels.introductions)}",
            f"Welcome: {told_value('channels.welcome', channels.welcome)}",
            f"Announcements: {told_value('channels.announcements', channels.announcements)}",
        ]
    if number == 1:
        schedule = settings.schedule
        return [f"Every {schedule.every}, {schedule.weekday.capitalize()} {schedule.time}, {schedule.timezone}"]
    if number == 2:
        return [", ".join(settings.github.tracked) or "No repository yet."]
    if number == 3:
        moderation = settings.moderation
        return [
            f"Moderators: {told_value('moderation.role', moderation.role)}",
            f"Review: {told_value('moderation.review_channel', moderation.review_channel)}",
            f"A moderator's {moderation.tag_emoji} on a message marks it as noteworthy.",
        ]
    return [f"Title: {settings.edition.title}", "`/section add` makes sections; `/digest settings` has all the rest."]


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
    change = await configuration.change(interaction.guild_id or 0, changes, by=interaction.user.id)
    await _show(interaction, number)
    if change.action_id is not None:
        keys = ", ".join(f"`{key}`" for key in changes)
        await answer(interaction, f"Changed: {keys}", view=undo_view(change.action_id))


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
    # A form has to be the first answer, so what it shows comes from memory; permission is checked on submit.
    settings = interaction.client.services.configuration.get_settings(interaction.guild_id or 0) or GuildSettings()
    form = Form("When the digest is posted", "setup_time_given")
    form.text("time", "Time of day", description="Hours and minutes, as in 09:00", default=settings.schedule.time)
    form.text(
        "timezone", "Time zone", description="Such as Europe/Berlin, or just a city", default=settings.schedule.timezone
    )
    await interaction.response.send_modal(form)


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
    form = Form("Repositories", "setup_repos_given")
    form.text("names", "One a line", description="owner/name, or the address on GitHub", long=True, required=True)
    await interaction.response.send_modal(form)


async def _repositories_given(interaction: Interaction, press: Press) -> None:
    await interaction.response.defer()
    await require_moderator(interaction)
    bot, guild_id = interaction.client, interaction.guild_id or 0
    typed = [line for line in re.split(r"[\s,]+", press.fields.get("names", "")) if line]
    if not typed:
        raise InputError("Name at least one repository, as owner/name.")
    refused: list[str] = []
    for name in typed[:50]:
        try:
            changes = await with_repository(bot, guild_id, name)
        except GazetteError as error:
            refused.append(f"- `{name[:100]}`: {error}")
            continue
        await bot.services.configuration.change(guild_id, changes, by=interaction.user.id)
    await _show(interaction, 2)
    if refused:
        raise ConflictError(fitting(["These were not taken:", *refused]))


async def _repository_off(interaction: Interaction, press: Press) -> None:
    await interaction.response.defer()
    await require_moderator(interaction)
    settings = await interaction.client.services.configuration.fetch_settings(interaction.guild_id or 0)
    name = press.values[0].lower()
    changes: dict[str, object] = {
        "github.repositories": [each for each in settings.github.repositories if each.lower() != name]
    }
    if (settings.github.default_repository or "").lower() == name:
        changes["github.default_repository"] = None
    await _changed(interaction, 2, changes)
