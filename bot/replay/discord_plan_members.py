"""The members of a recording: who is there at its start, who comes and who leaves.

`members` are those at the end. Whoever joined within the recording is absent before; whoever leaves within it is
there before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.model.snowflakes import time_of
from bot.replay import discord_shapes as shapes
from bot.replay.discord_plan import CHANGE, JOIN, LEAVE, Step, entries, id_of, instant_of, user_id_of
from bot.replay.discord_plan_reactions import Stays
from bot.replay.discord_shapes import Data

_MODERATES = 1 << 13 | 1 << 3  # Manage Messages, Administrator


@dataclass(frozen=True, slots=True)
class Members:
    at_start: list[Data]
    steps: list[Step]
    stays: Stays


@dataclass(frozen=True, slots=True)
class _Turn:
    """A join or a leave."""

    at: datetime
    joined: bool
    event: Data


def read_members(recording: Mapping[str, Any], guild_id: int, start: datetime) -> Members:
    """Raises `InputError` for a member or an event without user or time."""
    final = {user_id_of(entry, place): _with_user(entry) for place, entry in entries(recording, "members")}
    turns = _turns(recording, final)
    waiting = _waiting(recording)
    stays = Stays(moderators=_moderators(recording, final), bots={u for u, m in final.items() if m["user"].get("bot")})
    at_start: list[Data] = []
    steps: list[Step] = []
    for user_id, happened in turns.items():
        member = final.get(user_id)
        since = _since(user_id, guild_id, member, happened, start)
        later = [turn for turn in happened if turn.at >= start]
        stays.add(user_id, since, [(turn.at, turn.joined) for turn in later])
        steps += _steps(user_id, guild_id, later, member, there=since is not None)
        if since is not None:
            known = {"user": happened[-1].event["user"]} if member is None else member
            pending = {"pending": waiting[user_id]} if user_id in waiting else {}
            at_start.append({"roles": [], **known, "joined_at": shapes.stamp(since), **pending})
    return Members(at_start, [*steps, *_updates(recording, guild_id, start, stays)], stays)


def _with_user(entry: Mapping[str, Any]) -> Data:
    """The entry with `user` as an object, where it is only an id."""
    user = entry["user"]
    return {**entry, "user": user if isinstance(user, Mapping) else {"id": str(user)}}


def _turns(recording: Mapping[str, Any], final: Mapping[int, Data]) -> dict[int, list[_Turn]]:
    """Everybody's joins and leaves in order, a `joined_at` without an event of its own among them."""
    turns: dict[int, list[_Turn]] = {user_id: [] for user_id in final}
    for place, entry in entries(recording, "member_events"):
        joined = entry.get("type") != "GUILD_MEMBER_REMOVE"
        at = instant_of(entry, "joined_at" if joined else "at", place)
        turns.setdefault(user_id_of(entry, place), []).append(_Turn(at, joined, _with_user(entry)))
    for number, (user_id, member) in enumerate(final.items()):
        if member.get("joined_at") is not None:
            at = instant_of(member, "joined_at", f"members[{number}]")
            if not any(turn.joined and turn.at == at for turn in turns[user_id]):
                turns[user_id].append(_Turn(at, True, {}))
    for happened in turns.values():
        happened.sort(key=lambda turn: (turn.at, turn.joined))
    return turns


def _waiting(recording: Mapping[str, Any]) -> dict[int, bool]:
    """Whether somebody was pending before their first update that says so."""
    updates = [(user_id_of(entry, place), entry) for place, entry in entries(recording, "member_updates")]
    return {user_id: not entry["pending"] for user_id, entry in reversed(updates) if "pending" in entry}


def _since(user_id: int, guild_id: int, member: Data | None, happened: list[_Turn], start: datetime) -> datetime | None:
    """Since when somebody has been there at the start; None for who was not."""
    earlier = [turn for turn in happened if turn.at < start]
    later = [turn for turn in happened if turn.at >= start]
    leaves_later = bool(later) and not later[0].joined
    if earlier:
        stays_on = earlier[-1].joined and (leaves_later or member is not None)
        return earlier[-1].at if stays_on else None
    if leaves_later or (member is not None and not later):
        return min(start, max(time_of(user_id), time_of(guild_id)))  # nobody says when
    return None


def _steps(user_id: int, guild_id: int, turns: list[_Turn], member: Data | None, *, there: bool) -> Iterator[Step]:
    """Joins, also one told twice, and leaves of who is there."""
    for turn in turns:
        if turn.joined:
            known = {**(member or {}), **turn.event}
            fields = {key: value for key, value in known.items() if key not in ("type", "guild_id", "joined_at")}
            yield Step(turn.at, JOIN, "add_member", {**fields, "guild_id": guild_id, "joined_at": turn.at})
        elif there:
            yield Step(turn.at, LEAVE, "remove_member", {"guild_id": guild_id, "user_id": user_id})
        there = turn.joined


def _updates(recording: Mapping[str, Any], guild_id: int, start: datetime, stays: Stays) -> Iterator[Step]:
    for place, entry in entries(recording, "member_updates"):
        at, user_id = instant_of(entry, "at", place), user_id_of(entry, place)
        changes = {key: value for key, value in entry.items() if key not in ("at", "user", "type", "guild_id")}
        if at >= start and stays.from_(user_id, at) == at:
            yield Step(at, CHANGE, "update_member", {**changes, "guild_id": guild_id, "user_id": user_id})


def _moderators(recording: Mapping[str, Any], final: Mapping[int, Data]) -> set[int]:
    """Those with a role that lets them manage messages: their reactions may mean something."""
    roles = {id_of(role, "id", place): int(role.get("permissions") or 0) for place, role in entries(recording, "roles")}
    return {
        user_id
        for user_id, member in final.items()
        if any(roles.get(int(role), 0) & _MODERATES for role in member.get("roles") or ())
    }
