"""A recorded week: read from its folder and looked over before anything is started."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from bot.errors import InputError
from bot.model.settings import GuildSettings, parse_settings
from bot.replay import discord_shapes as shapes
from bot.replay.shape import DISCORD, GITHUB, check

_POSTABLE = (shapes.TEXT, shapes.ANNOUNCEMENT)


@dataclass(frozen=True, slots=True)
class Week:
    """What a week's folder holds; `window_end` (UTC) is the end of the recorded period."""

    settings: GuildSettings
    discord: dict[str, Any] | None
    github: dict[str, Any] | None
    window_start: datetime
    window_end: datetime

    @property
    def channel(self) -> str:
        """The channel that the digest goes to, as the settings name it."""
        return self.settings.publish.channel or ""

    @property
    def guild_id(self) -> int:
        return int(self.discord["guild"]["id"]) if self.discord else 1


def read_week(folder: Path) -> Week:
    """Read `settings.toml`, `discord.json` and `github.json` of a week; either of the latter may be missing.

    Raises InputError or SettingsError that names the file and the place in it.
    """
    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such folder; give the folder of a recorded week, as in examples/.")
    discord = _read_json(folder / "discord.json")
    github = _read_json(folder / "github.json")
    if discord is None and github is None:
        raise InputError(f"{folder}: neither discord.json nor github.json is there, so there is nothing to replay.")
    if discord is not None:
        _check_discord(discord, folder / "discord.json")
    if github is not None:
        _check_github(github, folder / "github.json")
    start, end = _window(discord, github, folder)
    week = Week(_read_settings(folder / "settings.toml"), discord, github, start, end)
    if discord is not None:
        _check_channel(discord, week.channel, folder / "settings.toml")
    return week


def _read_settings(path: Path) -> GuildSettings:
    text = _read_text(path)
    settings = parse_settings(text, source=str(path)) if text is not None else GuildSettings()
    if settings.publish.channel:
        return settings
    if text is not None:
        raise InputError(f"{path}: [publish] channel is missing; name the channel that the digest goes to.")
    return settings.model_copy(update={"publish": settings.publish.model_copy(update={"channel": "digest"})})


def _read_text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 at byte {error.start}.") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}.") from error


def _read_json(path: Path) -> dict[str, Any] | None:
    text = _read_text(path)
    if text is None:
        return None
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        cut = " (the file ends too early)" if error.pos >= len(text.rstrip()) else ""
        raise InputError(f"{path}, line {error.lineno}, column {error.colno}: {error.msg}{cut}.") from error
    except RecursionError as error:
        raise InputError(f"{path}: nested too deeply to be a recording.") from error
    if not isinstance(document, dict):
        raise InputError(f"{path}: holds a {type(document).__name__}, not an object.")
    return document


def _check_discord(document: dict[str, Any], path: Path) -> None:
    check(document, DISCORD, str(path))
    messages = {key: document.get(key) or [] for key in ("messages", "deleted_messages")}
    channels = {str(channel["id"]) for channel in document.get("channels") or ()}
    channels |= {str(m["thread"]["id"]) for said in messages.values() for m in said if m.get("thread")}
    for key, said in messages.items():
        for index, message in enumerate(said):
            if str(message["channel_id"]) not in channels:
                raise InputError(f"{path}: {key}[{index}]: there is no channel {message['channel_id']}.")


def _check_channel(document: dict[str, Any], wanted: str, path: Path) -> None:
    known = [channel for channel in document.get("channels") or () if channel.get("type", shapes.TEXT) in _POSTABLE]
    names = [str(channel.get("name") or "") for channel in known]
    if wanted.removeprefix("#").casefold() not in {
        *(str(channel["id"]) for channel in known),
        *map(str.casefold, names),
    }:
        listed = ", ".join(f"#{name}" for name in names) or "no channel"
        raise InputError(f"{path}: [publish] channel {wanted!r} is not in the recording; it has {listed}.")


def _check_github(document: dict[str, Any], path: Path) -> None:
    check(document, GITHUB, str(path))
    for index, item in enumerate(document.get("items") or ()):
        if item["kind"] not in ("pull_request", "issue"):
            raise InputError(f"{path}: items[{index}]: kind {item['kind']!r} is neither pull_request nor issue.")


def _instant(value: Any, place: str) -> datetime:
    try:
        instant = datetime.fromisoformat(value)
    except (TypeError, ValueError) as error:
        raise InputError(f"{place}: {value!r} is no instant; write 2026-08-24T00:00:00Z.") from error
    if instant.tzinfo is None:
        raise InputError(f"{place}: {value!r} has no time zone; write 2026-08-24T00:00:00Z.")
    return instant


def _window(discord: dict[str, Any] | None, github: dict[str, Any] | None, folder: Path) -> tuple[datetime, datetime]:
    for key in ("window", "captured"):
        for document, name in ((discord, "discord.json"), (github, "github.json")):
            window = (document or {}).get(key)
            if isinstance(window, dict) and "start" in window and "end" in window:
                place = f"{folder / name}: {key}"
                start, end = _instant(window["start"], f"{place}.start"), _instant(window["end"], f"{place}.end")
                if start >= end:
                    raise InputError(f"{place}: it ends before it starts.")
                return start, end
    raise InputError(f"{folder}: neither file has a window with start and end.")
