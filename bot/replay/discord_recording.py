"""Reads a recording (`discord.json`) into a plan that the player can play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from bot.errors import InputError
from bot.model.snowflakes import time_of
from bot.replay import discord_shapes as shapes
from bot.replay.discord_plan import CHANNEL, FILE, Plan, Step, entries, id_of, instant_of
from bot.replay.discord_plan_members import read_members
from bot.replay.discord_plan_messages import Messages
from bot.replay.discord_server import BOT


def plan_without_recording(now: datetime, channel: str = "digest", name: str = "Guild") -> Plan:
    """Guild 1 of this name, one channel of this name (or id) that everyone can read, and the bot; nothing happens."""
    made = {"guild_id": 1, "id": channel if channel.isdecimal() else "2", "type": shapes.TEXT, "name": channel}
    return Plan(BOT, {"id": "1", "name": name}, (), (), (Step(now, CHANNEL, "create_channel", made),), (), (), now, now)


def read_plan(recording: Mapping[str, Any]) -> Plan:
    """The plan of a recording, as parsed from JSON.

    Raises:
        InputError: something needed is missing or is not what it should be; names the place in the file.
    """
    if not isinstance(recording, Mapping):
        raise InputError(f"{FILE}: expected an object at the top level, found a {type(recording).__name__}.")
    guild, bot = recording.get("guild"), recording.get("self") or BOT
    if not isinstance(guild, Mapping):
        raise InputError(f"{FILE}: no guild; expected an object with id and name.")
    if not isinstance(bot, Mapping):
        raise InputError(f"{FILE}: self: expected an object with the bot's account.")
    guild_id, bot_id = id_of(guild, "id", "guild"), id_of(bot, "id", "self")
    start, end = _span(recording)
    members = read_members(recording, guild_id, start)
    messages = Messages(recording, guild_id, end)
    steps = [
        *messages.channel_steps(),
        *members.steps,
        *messages.message_steps(members.stays, bot_id),
        *_scheduled_events(recording, guild_id),
    ]
    steps.sort(key=lambda step: (step.at, step.rank))
    return Plan(
        bot=dict(bot),
        guild=dict(guild),
        roles=tuple(dict(role) for _, role in entries(recording, "roles")),
        members=tuple(members.at_start),
        before=tuple(step for step in steps if step.at < start),
        steps=tuple(step for step in steps if step.at >= start),
        away=tuple(_away(recording, start, end)),
        start=start,
        end=end,
    )


def _span(recording: Mapping[str, Any]) -> tuple[datetime, datetime]:
    place = "captured" if recording.get("captured") else "window"
    span = recording.get(place)
    if not isinstance(span, Mapping):
        raise InputError(f"{FILE}: neither captured nor window; one of them has to give start and end.")
    start, end = instant_of(span, "start", place), instant_of(span, "end", place)
    if end < start:
        raise InputError(f"{FILE}: {place}: the end lies before the start.")
    return start, end


def _scheduled_events(recording: Mapping[str, Any], guild_id: int) -> Iterator[Step]:
    for place, entry in entries(recording, "scheduled_events"):
        fields = {key: value for key, value in entry.items() if key != "guild_id"}
        at = time_of(id_of(entry, "id", place))
        yield Step(at, CHANNEL, "set_scheduled_event", {**fields, "guild_id": guild_id})


def _away(recording: Mapping[str, Any], start: datetime, end: datetime) -> Iterator[tuple[datetime, datetime]]:
    for place, entry in entries(recording, "away"):
        left, back = instant_of(entry, "start", place), instant_of(entry, "end", place)
        if left < back and back > start and left < end:
            yield max(left, start), min(back, end)
