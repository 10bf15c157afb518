"""The channels and messages of a recording as steps.

- Channels and threads come into being at the time of their id (threads at `create_timestamp`), or with their first
  message where that is earlier.
- An edited message has another text until `edited_timestamp`.
- Pins, reactions and archiving without a time of their own happen shortly after the message, never after the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from bot.errors import InputError
from bot.model.snowflakes import time_of
from bot.replay import discord_shapes as shapes
from bot.replay.discord_plan import (
    CHANGE,
    CHANNEL,
    DELETION,
    FILE,
    LEAVE,
    MESSAGE,
    REACTION,
    THREAD,
    Step,
    entries,
    id_of,
    instant_of,
    sent_at,
)
from bot.replay.discord_plan_reactions import Stays, reactions
from bot.replay.discord_shapes import Data

FIRST_TEXT = "…"
"""What an edited message says before its edit."""
PIN_AFTER = timedelta(minutes=1)
_EARLIER = timedelta(microseconds=1)
_EDITED = ("content", "mentions", "mention_roles", "mention_everyone")
_NOT_AT_BIRTH = frozenset(
    {"channel_id", "reactions", "reaction_users", "pinned", "edited_timestamp", "thread", "deleted_at"}
)
_NOT_OF_A_NEW_THREAD = frozenset(
    {
        "id",
        "guild_id",
        "parent_id",
        "message_count",
        "total_message_sent",
        "member_count",
        "last_message_id",
        "deleted_at",
    }
)


class Messages:
    """Reads a recording's channels and messages. Raises `InputError` for what does not fit together."""

    def __init__(self, recording: Mapping[str, Any], guild_id: int, end: datetime) -> None:
        self._guild_id = guild_id
        self._end = end
        self._messages = [dict(entry) for key in ("messages", "deleted_messages") for entry in _checked(recording, key)]
        self._channels = _channels(recording, self._messages)
        self._first: dict[int, datetime] = {}
        self._last: dict[int, datetime] = {}
        for message in self._messages:
            channel_id, sent = int(message["channel_id"]), sent_at(message)
            self._first[channel_id] = min(self._first.get(channel_id, sent), sent)
            self._last[channel_id] = max(self._last.get(channel_id, sent), sent)

    # -- channels

    def channel_steps(self) -> Iterator[Step]:
        born = {channel_id: self._made(channel_id) for channel_id in self._channels}
        threads = {c: data for c, data in self._channels.items() if data.get("type") in shapes.THREADS}
        for thread_id, thread in threads.items():
            parent_id = int(thread["parent_id"])
            born[parent_id] = min(born[parent_id], born[thread_id] - _EARLIER)
        for channel_id, channel in self._channels.items():
            if channel_id in threads:
                yield from self._thread_steps(channel_id, channel, born[channel_id])
            else:
                fields = {key: value for key, value in channel.items() if key not in ("last_message_id", "deleted_at")}
                yield Step(born[channel_id], CHANNEL, "create_channel", {**fields, "guild_id": self._guild_id})
            deleted = _deleted(channel)
            if deleted and not (channel_id in threads and self._with_parent(channel, deleted)):
                yield Step(deleted, LEAVE, "delete_channel", {"channel_id": channel_id})

    def _made(self, channel_id: int) -> datetime:
        channel = self._channels[channel_id]
        stated = (channel.get("thread_metadata") or {}).get("create_timestamp")
        made = shapes.instant(stated) if stated else time_of(channel_id)
        return min(made, self._first.get(channel_id, made))

    def _thread_steps(self, thread_id: int, data: Data, born: datetime) -> Iterator[Step]:
        """A thread begins open and empty, under its message if it has one, and is archived at its time."""
        metadata = dict(data.get("thread_metadata") or {})
        archived, at = metadata.pop("archived", False), metadata.pop("archive_timestamp", None)
        locked = metadata.pop("locked", False) if archived else metadata.get("locked", False)
        fields = {key: value for key, value in data.items() if key not in _NOT_OF_A_NEW_THREAD | {"thread_metadata"}}
        # A thread has the id of the message from which it was made; whether there is one, the verb looks up.
        arguments = {"parent_id": int(data["parent_id"]), "message_id": thread_id, "thread_metadata": metadata}
        yield Step(born, self._thread_rank(thread_id, data), "create_thread", {**fields, **arguments})
        if archived:
            idle = timedelta(minutes=int(metadata.get("auto_archive_duration") or 4320))
            last = self._last.get(thread_id, born)
            when = max(born, shapes.instant(at) if at else min(self._end, last + idle))
            vanished = _vanishes(self._channels, thread_id)
            if vanished is None or when < vanished:
                arguments = {"channel_id": thread_id, "archived": True, "at": when, "locked": bool(locked)}
                yield Step(when, LEAVE, "set_archived", arguments)

    def _thread_rank(self, thread_id: int, data: Data) -> int:
        """After the message of the parent under which it hangs, but before its own first, as in a forum."""
        parent = str(data["parent_id"])
        hangs = any(int(m["id"]) == thread_id and str(m["channel_id"]) == parent for m in self._messages)
        return THREAD if hangs else CHANNEL

    def _with_parent(self, thread: Data, deleted: datetime) -> bool:
        """Whether a thread that is deleted has gone with its parent by then."""
        parent = _deleted(self._channels[int(thread["parent_id"])])
        return parent is not None and parent <= deleted

    # -- messages

    def message_steps(self, stays: Stays, bot_id: int) -> Iterator[Step]:
        pinned_at = {
            int(m["message_reference"]["message_id"]): sent_at(m)
            for m in self._messages
            if m.get("type") == shapes.PINNED and (m.get("message_reference") or {}).get("message_id")
        }
        for message in self._messages:
            yield from self._life(message, pinned_at.get(int(message["id"])), stays, bot_id)

    def _life(self, message: Data, pinned_at: datetime | None, stays: Stays, bot_id: int) -> Iterator[Step]:
        """A message from its writing to its deletion."""
        place = {"channel_id": int(message["channel_id"]), "message_id": int(message["id"])}
        sent, vanished = sent_at(message), _vanishes(self._channels, place["channel_id"])
        deleted = _deleted(message)
        last = min(instant for instant in (self._end, vanished, deleted) if instant is not None)
        fields = {key: value for key, value in message.items() if key not in _NOT_AT_BIRTH}
        edited = message.get("edited_timestamp")
        first = {"content": FIRST_TEXT, "mentions": [], "mention_roles": []} if edited else {}
        yield Step(sent, MESSAGE, "create_message", {**fields, **first, "channel_id": place["channel_id"]})
        later: list[Step] = []
        if edited:
            changes = {key: message[key] for key in _EDITED if message.get(key) is not None}
            at = max(sent, shapes.instant(edited))
            later.append(Step(at, CHANGE, "edit_message", {**place, **changes, "edited_at": at}))
        if message.get("pinned"):
            later.append(Step(pinned_at or min(sent + PIN_AFTER, max(sent, last)), CHANGE, "pin", place))
        for at, emoji, user_id in reactions(message, sent, max(sent, last), stays, bot_id):
            later.append(Step(at, REACTION, "add_reaction", {**place, "emoji": emoji, "user_id": user_id}))
        if deleted:
            later.append(Step(max(sent, deleted), DELETION, "delete_message", place))
        ends = [(instant, rank) for instant, rank in ((deleted, DELETION), (vanished, LEAVE)) if instant is not None]
        yield from (step for step in later if all((step.at, step.rank) <= end for end in ends))


def _checked(recording: Mapping[str, Any], key: str) -> Iterator[Mapping[str, Any]]:
    for place, entry in entries(recording, key):
        id_of(entry, "id", place)
        id_of(entry, "channel_id", place)
        author = entry.get("author")
        if not isinstance(author, Mapping):
            raise InputError(f"{FILE}: {place}: no author.")
        id_of(author, "id", f"{place}.author")
        if key == "deleted_messages":
            instant_of(entry, "deleted_at", place)
        for field in ("timestamp", "edited_timestamp", "deleted_at"):
            if entry.get(field) is not None:
                instant_of(entry, field, place)
        yield entry


def _channels(recording: Mapping[str, Any], messages: list[Data]) -> dict[int, Data]:
    """All channels and threads, also threads that stand only at their first message."""
    channels: dict[int, Data] = {}
    for place, entry in entries(recording, "channels"):
        channels[id_of(entry, "id", place)] = dict(entry)
        metadata = entry.get("thread_metadata") or {}
        times = ((entry, "deleted_at"), (metadata, "create_timestamp"), (metadata, "archive_timestamp"))
        for holder, field in times:
            if holder.get(field) is not None:
                instant_of(holder, field, place)
        if entry.get("parent_id") is not None:
            id_of(entry, "parent_id", place)
    for message in messages:
        thread = message.get("thread")
        if isinstance(thread, Mapping):
            channels.setdefault(id_of(thread, "id", f"message {message['id']}: thread"), dict(thread))
    for channel_id, channel in channels.items():
        parent = channel.get("parent_id")
        if channel.get("type") in shapes.THREADS and (parent is None or int(parent) not in channels):
            raise InputError(f"{FILE}: channel {channel_id}: the parent of this thread, {parent}, is not there.")
    for message in messages:
        holder = channels.get(int(message["channel_id"]))
        if holder is None:
            where = message["channel_id"]
            raise InputError(f"{FILE}: message {message['id']}: its channel {where} is not among the channels.")
        vanished = _vanishes(channels, int(message["channel_id"]))
        if vanished is not None and sent_at(message) >= vanished:
            raise InputError(f"{FILE}: message {message['id']}: sent after its channel was deleted.")
    return channels


def _deleted(thing: Mapping[str, Any]) -> datetime | None:
    return shapes.instant(thing["deleted_at"]) if thing.get("deleted_at") else None


def _vanishes(channels: Mapping[int, Data], channel_id: int) -> datetime | None:
    """When a channel is deleted, a thread also with its parent (but no channel with its category)."""
    channel = channels[channel_id]
    ends = [_deleted(channel)]
    if channel.get("type") in shapes.THREADS:
        ends.append(_deleted(channels[int(channel["parent_id"])]))
    return min((end for end in ends if end is not None), default=None)
