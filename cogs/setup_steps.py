"""The steps of the guided setup: what each asks, what holds now, and its controls. Pure; not a cog itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import discord

from bot.model.settings import WEEKDAYS, GuildSettings
from bot.publish.settings_text import told_value
from cogs.components import Control, button, control_id, paged, select, turn_pages, wrapped

_TEXT = [discord.ChannelType.text, discord.ChannelType.news]
_POSTABLE = [*_TEXT, discord.ChannelType.forum]
_HOURS = (6, 12, 24, 48, 72)


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the walk: its name, what it asks, and the controls for the settings of that moment."""

    name: str
    question: str
    controls: Callable[[GuildSettings, int], list[Control]]


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


def holds(settings: GuildSettings, number: int) -> list[str]:
    """What holds now, for a step; names of channels that were set by a file are shown as such."""
    if number == 0:
        channels = settings.channels
        told = told_value("channels.announcements", channels.announcements)
        announcements = told if channels.announcements is not None else "all announcement channels"
        return [
            f"Digest: {told_value('publish.channel', settings.publish.channel)}",
            f"Introductions: {told_value('channels.introductions', channels.introductions)}",
            f"Welcome: {told_value('channels.welcome', channels.welcome)}",
            f"Announcements: {announcements}",
        ]
    if number == 1:
        schedule = settings.schedule
        return [f"Every {schedule.every}, {schedule.weekday.capitalize()} {schedule.time}, {schedule.timezone}"]
    if number == 2:
        return [", ".join(settings.github.tracked) or "No repository yet."]
    if number == 3:
        moderation, anybody = settings.moderation, "whoever may manage messages"
        return [
            f"Moderators: {told_value('moderation.role', moderation.role) if moderation.role else anybody}",
            f"Review: {told_value('moderation.review_channel', moderation.review_channel)}",
            f"A moderator's {moderation.tag_emoji} on a message marks it as noteworthy.",
        ]
    return [f"Title: `{settings.edition.title}`", "`/section add` makes sections; `/digest settings` has all the rest."]
