"""A guild's settings as people type and read them on Discord: keys with dots, values as words."""

from __future__ import annotations

import re
import types
import zoneinfo
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal, Union, get_args, get_origin

from bot.errors import SettingsError
from bot.model.settings import GuildSettings

_ELSEWHERE = {"format", "sections", "github.allowed_private"}
_CHANNEL_KEYS = {
    "publish.channel",
    "channels.introductions",
    "channels.welcome",
    "channels.announcements",
    "channels.include",
    "channels.exclude",
    "moderation.review_channel",
}
_ROLE_KEYS = {"publish.ping_role", "moderation.role"}
_NONE = {"none", "-", "off", "nobody", "nothing"}
_MENTION = re.compile(r"<(?:#|@&)(\d+)>")


@lru_cache(maxsize=1)
def all_keys() -> tuple[str, ...]:
    """Every key that can be set in one word, in the order of the settings."""
    found = []
    for group, field in GuildSettings.model_fields.items():
        inner = getattr(field.annotation, "model_fields", None)
        if inner is not None and group not in _ELSEWHERE:
            found += [f"{group}.{key}" for key in inner if f"{group}.{key}" not in _ELSEWHERE]
    return tuple(found)


def is_channel_key(key: str) -> bool:
    return key in _CHANNEL_KEYS or key == "publish.full_summary"


def is_role_key(key: str) -> bool:
    return key in _ROLE_KEYS


def parse_value(key: str, text: str) -> Any:
    """What somebody typed as the value of a key. Raises SettingsError for a key that is none.

    Lists are separated by commas, pairs are `agent=login`, mentions of channels and roles become their ids, and
    "none" empties what may be empty.
    """
    kind = _kind(key)
    text = _MENTION.sub(lambda match: match[1], text.strip())
    allowed = get_args(kind)
    if text.casefold() in _NONE and (type(None) in allowed or kind is str):
        return "" if kind is str else None
    if _is(kind, list):
        names = [part.strip() for part in re.split(r"[,\n]", text)]
        return [] if text.casefold() in _NONE else [name for name in names if name]
    if _is(kind, dict):
        pairs = [part.partition("=") for part in re.split(r"[,\n]", text) if part.strip()]
        return {} if text.casefold() in _NONE else {left.strip(): right.strip() for left, _, right in pairs}
    if kind is bool:
        return {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}.get(
            text.casefold(), text
        )
    if kind is int:
        return int(text) if text.lstrip("-").isdecimal() else text
    return text


def suggestions(
    key: str, typed: str, *, channels: Sequence[tuple[int, str]], roles: Sequence[tuple[int, str]]
) -> list[tuple[str, str]]:
    """What may be meant as the value of a key: (shown, value), at most 25."""
    found: list[tuple[str, str]] = []
    if key == "schedule.timezone":
        found = [(name, name) for name in time_zones(typed)]
    elif key in _CHANNEL_KEYS or key == "publish.full_summary":
        if key == "publish.full_summary":
            found = [("in a thread under the digest", "thread"), ("in the digest's channel", "channel")]
        found += [(f"#{name}", str(channel_id)) for channel_id, name in channels]
    elif key in _ROLE_KEYS:
        found = [(f"@{name}", str(role_id)) for role_id, name in roles]
    elif key in all_keys():
        kind = _kind(key)
        if kind is bool:
            found = [("yes", "yes"), ("no", "no")]
        elif get_origin(kind) is Literal:
            found = [(str(value), str(value)) for value in get_args(kind)]
    wanted = typed.casefold().lstrip("#@")
    return [(shown, value) for shown, value in found if wanted in shown.casefold()][:25]


@lru_cache(maxsize=1)
def _zones() -> tuple[str, ...]:
    return tuple(sorted(zoneinfo.available_timezones()))


def time_zones(typed: str) -> list[str]:
    """Time zones whose name holds what was typed, those that begin with it first; at most 25."""
    wanted = typed.strip().casefold().replace(" ", "_")
    found = [name for name in _zones() if wanted in name.casefold()]
    return sorted(found, key=lambda name: (not name.rpartition("/")[2].casefold().startswith(wanted), name))[:25]


def told_value(key: str, value: Any) -> str:
    """A value as it is shown on Discord; channels and roles as mentions."""
    if value is None or value == "" or value == [] or value == {}:
        return "*none*"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(told_value(key, each) for each in value)
    if isinstance(value, dict):
        return ", ".join(f"{left}={right or '(the team)'}" for left, right in value.items())
    text = str(value)
    if text.isdecimal() and is_channel_key(key):
        return f"<#{text}>"
    if text.isdecimal() and is_role_key(key):
        return f"<@&{text}>"
    return f"`{text}`"


def told(settings: GuildSettings) -> list[str]:
    """The settings as lines of Discord's Markdown, a group each."""
    document = settings.model_dump(mode="json")
    lines: list[str] = []
    group = ""
    for key in all_keys():
        name, _, inner = key.partition(".")
        if name != group:
            lines.append(f"**{name}**")
            group = name
        lines.append(f"- {inner}: {told_value(key, document[name][inner])}")
    titles = ", ".join(section.title for section in sorted(settings.sections, key=lambda s: s.order))
    return [*lines, f"**sections**: {titles or '*none*'} (`/section list`)"]


def _kind(key: str) -> Any:
    """The type of a key's value, an optional one without its None where nothing else is allowed for it."""
    if key not in all_keys():
        raise SettingsError(f"There is no setting {key[:60]!r}. Choose one of the suggestions.")
    group, _, inner = key.partition(".")
    field: Any = GuildSettings.model_fields[group].annotation
    return field.model_fields[inner].annotation


def _is(kind: Any, wanted: type) -> bool:
    if get_origin(kind) in (Union, types.UnionType):
        return any(_is(each, wanted) for each in get_args(kind))
    return (get_origin(kind) or kind) is wanted
