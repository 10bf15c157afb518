"""Where the parts of an edition go, in what order, and how each looks as Discord's message. Pure.

A destination is a channel, a thread under the first head message, or a post in a forum. The parts that go to one
destination form a sequence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from bot.model.guilds import READ_MESSAGE_HISTORY, VIEW_CHANNEL, Channel, ChannelType
from bot.model.parts import Place
from bot.model.publication import StoredPart
from bot.model.settings import PublishSettings
from bot.publish.rest import Payload
from bot.publish.surroundings import (
    ATTACH_FILES,
    CREATE_PUBLIC_THREADS,
    SEND_MESSAGES,
    SEND_MESSAGES_IN_THREADS,
    Surroundings,
    TargetError,
)

SUPPRESS_EMBEDS = 1 << 2
SUPPRESS_NOTIFICATIONS = 1 << 12
REQUIRE_TAG = 1 << 4
THREAD_NAME_LIMIT = 100
FORUMS = frozenset({ChannelType.FORUM, ChannelType.MEDIA})
_HOLDS_THREADS = frozenset({ChannelType.TEXT, ChannelType.ANNOUNCEMENT})
_ORDER = {Place.HEAD: 0, Place.SUMMARY: 1}


class Kind(StrEnum):
    CHANNEL = "channel"
    THREAD = "thread"
    POST = "post"


@dataclass(frozen=True, slots=True)
class Destination:
    """`channel` is the channel written into, the one whose message gets the thread, or the forum."""

    kind: Kind
    channel: Channel


def destinations(settings: PublishSettings, around: Surroundings) -> dict[Place, Destination]:
    """Where each place is, by the guild's settings. Raises TargetError."""
    head = _destination(around.channel(settings.channel, of="publish.channel"))
    wanted = settings.full_summary
    if wanted not in ("thread", "channel"):
        return {Place.HEAD: head, Place.SUMMARY: _destination(around.channel(wanted, of="publish.full_summary"))}
    threaded = wanted == "thread" and head.channel.channel_type in _HOLDS_THREADS
    return {Place.HEAD: head, Place.SUMMARY: Destination(Kind.THREAD, head.channel) if threaded else head}


def _destination(channel: Channel) -> Destination:
    if channel.channel_type == ChannelType.CATEGORY:
        raise TargetError(f"{channel.name!r} is a category, which takes no messages; choose a channel in it.")
    return Destination(Kind.POST if channel.channel_type in FORUMS else Kind.CHANNEL, channel)


def require_permissions(places: Mapping[Place, Destination], parts: Sequence[StoredPart], around: Surroundings) -> None:
    """Raise TargetError where the bot lacks a permission that posting these parts takes."""
    for place in dict.fromkeys(part.place for part in parts):
        destination = places[place]
        needed = VIEW_CHANNEL | READ_MESSAGE_HISTORY
        if destination.kind is Kind.THREAD:
            needed |= CREATE_PUBLIC_THREADS
        elif not destination.channel.is_thread:
            needed |= SEND_MESSAGES
        if destination.kind is not Kind.CHANNEL or destination.channel.is_thread:
            needed |= SEND_MESSAGES_IN_THREADS
        if any(part.files for part in parts if part.place is place):
            needed |= ATTACH_FILES
        around.require(destination.channel, needed)


def in_order(parts: Sequence[StoredPart]) -> list[StoredPart]:
    """The parts in the order in which they are read: the head's, then the summary's."""
    return sorted(parts, key=lambda part: (_ORDER[part.place], part.ordinal))


def message_body(part: StoredPart, *, silent: bool) -> dict[str, Any]:
    """The message to send: no link previews, nobody mentioned but the one role."""
    return {
        "content": part.content,
        "flags": SUPPRESS_EMBEDS | (SUPPRESS_NOTIFICATIONS if silent else 0),
        "allowed_mentions": _allowed_mentions(part),
        **_attachments(part),
    }


def edit_body(part: StoredPart) -> dict[str, Any]:
    """The change that makes a message say what the part says; the files are put anew."""
    return {
        "content": part.content,
        "flags": SUPPRESS_EMBEDS,
        "allowed_mentions": {"parse": []},
        "attachments": _attachments(part).get("attachments", []),
    }


def _allowed_mentions(part: StoredPart) -> dict[str, Any]:
    if part.ping_role_id is None:
        return {"parse": []}
    return {"parse": [], "roles": [str(part.ping_role_id)]}


def _attachments(part: StoredPart) -> dict[str, Any]:
    attachments = [
        {"id": number, "filename": file.name} | ({"description": file.description} if file.description else {})
        for number, file in enumerate(part.files)
    ]
    return {"attachments": attachments} if attachments else {}


def says(part: StoredPart, message: Payload) -> bool:
    """Whether a message of Discord's says what the part says.

    Discord trims blanks and may leave out invisible characters, so letters and digits decide.
    """
    same_text = _gist(str(message.get("content") or "")) == _gist(part.content)
    return same_text and len(message.get("attachments") or ()) == len(part.files)


def _gist(content: str) -> str:
    return "".join(filter(str.isalnum, content)) or "".join(content.split())


def is_own(message: Payload, self_id: int) -> bool:
    """Whether it is an ordinary message by the bot itself (type 0): not what Discord writes about a thread."""
    return int(message["author"]["id"]) == self_id and not message.get("type") and not message.get("webhook_id")


def thread_name(title: str) -> str:
    """The title as the name of a thread or post: at most 100 UTF-16 units, cut between characters."""
    name = " ".join(title.split()) or "Digest"
    if _units(name) <= THREAD_NAME_LIMIT:
        return name
    while _units(name) > THREAD_NAME_LIMIT - 1:
        name = name[:-1]
    return name.rstrip("\u200d\ufe0f ") + "…"


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def required_tags(forum: Payload) -> list[str]:
    """The tags for a post: the first that anybody may set, where the forum requires one; else none."""
    if not int(forum.get("flags") or 0) & REQUIRE_TAG:
        return []
    tags = sorted(forum.get("available_tags") or (), key=lambda tag: bool(tag.get("moderated")))
    return [str(tags[0]["id"])] if tags else []
