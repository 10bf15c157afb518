"""A recorded week of Discord as a plan: what there is at its start, and what happens from then on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.errors import InputError
from bot.model.snowflakes import time_of
from bot.replay import discord_shapes as shapes
from bot.replay.discord_shapes import Data

FILE = "discord.json"

# What happens at the same instant happens in this order.
CHANNEL, JOIN, MESSAGE, THREAD, CHANGE, REACTION, DELETION, LEAVE = range(8)


@dataclass(frozen=True, slots=True)
class Step:
    """A verb of `discord_verbs.World` with its arguments, at an instant."""

    at: datetime
    rank: int
    verb: str
    arguments: Data


@dataclass(frozen=True, slots=True)
class Plan:
    """A recording, read. `before` makes the state at `start`, `steps` is what happens up to `end`; both in order."""

    bot: Data
    guild: Data
    roles: tuple[Data, ...]
    members: tuple[Data, ...]  # at the start
    before: tuple[Step, ...]
    steps: tuple[Step, ...]
    away: tuple[tuple[datetime, datetime], ...]
    start: datetime
    end: datetime


# -- reading fields: each names the place where something is wrong


def entries(recording: Mapping[str, Any], key: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The objects of a list with their places; nothing where the key is missing or null."""
    listed = recording.get(key)
    if listed is None:
        return
    if not isinstance(listed, list):
        raise InputError(f"{FILE}: {key}: expected a list, found a {type(listed).__name__}.")
    for number, entry in enumerate(listed):
        place = f"{key}[{number}]"
        if not isinstance(entry, Mapping):
            raise InputError(f"{FILE}: {place}: expected an object, found a {type(entry).__name__}.")
        yield place, entry


def id_of(entry: Mapping[str, Any], key: str, place: str) -> int:
    value = entry.get(key)
    if value is None:
        raise InputError(f"{FILE}: {place}: no {key}.")
    try:
        return int(value)
    except (TypeError, ValueError):
        raise InputError(f"{FILE}: {place}: {key} is no id: {value!r}.") from None


def user_id_of(entry: Mapping[str, Any], place: str) -> int:
    """The id of `user`, which is an object or only the id."""
    user = entry.get("user")
    if isinstance(user, Mapping):
        return id_of(user, "id", f"{place}.user")
    return id_of(entry, "user", place)


def instant_of(entry: Mapping[str, Any], key: str, place: str) -> datetime:
    value = entry.get(key)
    if value is None:
        raise InputError(f"{FILE}: {place}: no {key}.")
    try:
        return shapes.instant(value)
    except (TypeError, ValueError):
        raise InputError(f"{FILE}: {place}: {key} is no time: {value!r}.") from None


def sent_at(message: Mapping[str, Any]) -> datetime:
    stated = message.get("timestamp")
    return shapes.instant(stated) if stated else time_of(int(message["id"]))
