"""Routes on channels and threads. Source: https://docs.discord.com/developers/resources/channel"""

from __future__ import annotations

from typing import Any

from bot.replay import discord_permissions as bits
from bot.replay import discord_shapes as shapes
from bot.replay.discord_errors import ApiError, invalid_form, missing_permissions, unknown
from bot.replay.discord_rest import Call, route
from bot.replay.discord_rest_messages import MESSAGE, write
from bot.replay.discord_rules import check_message
from bot.replay.discord_shapes import Data
from bot.replay.discord_state import ChannelState

CHANNEL = "/channels/{channel_id}"
REQUIRE_TAG = 1 << 4
_THREAD_METADATA = ("archived", "locked", "auto_archive_duration", "invitable")


@route("GET", CHANNEL)
def channel(call: Call) -> Any:
    return call.channel().data


@route("PATCH", CHANNEL)
def update(call: Call) -> Any:
    found = call.channel()
    changes = dict(call.body)
    if not found.is_thread:
        call.channel(bits.MANAGE_CHANNELS)
        return call.world.update_channel(found.channel_id, **changes)
    granted = call.world.permissions(found.channel_id)
    if int(found.data["owner_id"]) != call.world.bot_id and not granted & bits.MANAGE_THREADS:
        raise missing_permissions()
    metadata = {key: changes.pop(key) for key in _THREAD_METADATA if key in changes}
    if found.archived and metadata.get("archived") is not False:
        raise ApiError(400, 50083, "Thread is archived")
    if "archived" in metadata:
        metadata["archive_timestamp"] = shapes.stamp(call.world.clock.now())
    merged = found.data["thread_metadata"] | metadata
    return call.world.update_channel(found.channel_id, **changes, thread_metadata=merged)


@route("DELETE", CHANNEL)
def delete(call: Call) -> Any:
    found = call.channel()
    call.channel(bits.MANAGE_THREADS if found.is_thread else bits.MANAGE_CHANNELS)
    call.world.delete_channel(found.channel_id)
    return found.data


# -- threads


@route("POST", MESSAGE + "/threads", status=201)
def thread_from_message(call: Call) -> Any:
    """A thread under a message; it has the message's id, and begins with a system message that refers to it."""
    parent = call.channel(bits.CREATE_PUBLIC_THREADS)
    message_id = call.id("message_id")
    call.world.message(parent.channel_id, message_id)
    if message_id in call.world.channels:
        raise ApiError(400, 160004, "A thread has already been created for this message")
    if parent.kind not in (shapes.TEXT, shapes.ANNOUNCEMENT):
        raise ApiError(400, 50024, "Cannot execute action on this channel type")
    thread = call.world.create_thread(parent.channel_id, message_id=message_id, **_new_thread(call))
    reference = {"type": 0, "channel_id": parent.data["id"], "message_id": str(message_id)}
    call.world.create_message(
        message_id,
        author=call.world.bot,
        type=shapes.THREAD_STARTER,
        message_reference=reference | {"guild_id": parent.data["guild_id"]},
    )
    return _own(call, thread)


@route("POST", CHANNEL + "/threads", status=201)
def thread(call: Call) -> Any:
    """A thread without a message, or a post in a forum with its first message (which has the thread's id)."""
    parent = call.channel()
    if parent.kind in shapes.POSTS:
        return _post(call, parent)
    kind = int(call.body.get("type", shapes.PRIVATE_THREAD))
    call.channel(bits.CREATE_PRIVATE_THREADS if kind == shapes.PRIVATE_THREAD else bits.CREATE_PUBLIC_THREADS)
    if parent.kind not in (shapes.TEXT, shapes.ANNOUNCEMENT):
        raise ApiError(400, 50024, "Cannot execute action on this channel type")
    made = call.world.create_thread(parent.channel_id, type=kind, **_new_thread(call))
    if kind != shapes.PRIVATE_THREAD:
        call.world.create_message(
            parent.channel_id,
            author=call.world.bot,
            type=shapes.THREAD_CREATED,
            content=made["name"],
            message_reference={"type": 0, "channel_id": made["id"], "guild_id": made["guild_id"]},
        )
    return _own(call, made)


def _post(call: Call, parent: ChannelState) -> Any:
    """A forum's post. A nonce is not looked at: sent twice, it stands twice."""
    call.channel(bits.SEND_MESSAGES)
    body: Data = call.body.get("message") or {}
    check_message(body, files=len(call.record.files))
    tags = [str(tag) for tag in call.body.get("applied_tags") or ()]
    known = {str(tag["id"]) for tag in parent.data["available_tags"]}
    if unknown_tags := set(tags) - known:
        raise invalid_form("applied_tags", "APPLIED_TAGS_UNKNOWN", f"Unknown tags: {sorted(unknown_tags)}")
    if parent.data["flags"] & REQUIRE_TAG and not tags:
        raise ApiError(400, 40067, "A tag is required to create a forum post in this channel")
    fields = _new_thread(call)
    made = call.world.create_thread(parent.channel_id, type=shapes.PUBLIC_THREAD, applied_tags=tags, **fields)
    post = call.world.channel(int(made["id"]))
    write(call, post, body, message_id=post.channel_id)
    return {**_own(call, post.data), "message": call.world.shown(post.channel_id, post.channel_id)}


def _new_thread(call: Call) -> Data:
    name = str(call.body.get("name") or "")
    if not 1 <= len(name) <= 100:
        raise invalid_form("name", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")
    metadata = {"auto_archive_duration": call.body.get("auto_archive_duration") or 4320}
    return {"name": name, "owner_id": str(call.world.bot_id), "thread_metadata": metadata}


def _own(call: Call, thread: Data) -> Data:
    """A thread with the bot's membership in it."""
    joined = call.world.channel(int(thread["id"])).thread_members.get(call.world.bot_id)
    if joined is None:
        return thread
    member = {"id": thread["id"], "user_id": str(call.world.bot_id), "join_timestamp": shapes.stamp(joined), "flags": 0}
    return {**thread, "member": member}


@route("GET", "/guilds/{guild_id}/threads/active")
def active(call: Call) -> Any:
    threads = [_own(call, t.data) for t in call.world.active_threads(call.guild().guild_id)]
    return {"threads": threads, "members": [t["member"] for t in threads if "member" in t], "has_more": False}


@route("GET", CHANNEL + "/threads/archived/public")
def archived_public(call: Call) -> Any:
    return _archived(call, (shapes.PUBLIC_THREAD, shapes.ANNOUNCEMENT_THREAD))


@route("GET", CHANNEL + "/threads/archived/private")
def archived_private(call: Call) -> Any:
    call.channel(bits.MANAGE_THREADS)
    return _archived(call, (shapes.PRIVATE_THREAD,))


@route("GET", CHANNEL + "/users/@me/threads/archived/private")
def archived_joined(call: Call) -> Any:
    """Paged by thread id, the other two by the time of archiving."""
    parent = call.channel(bits.READ_MESSAGE_HISTORY)
    before = int(call.query.get("before") or 1 << 63)
    threads = [
        t
        for t in _archived_threads(call, parent, (shapes.PRIVATE_THREAD,))
        if call.world.bot_id in t.thread_members and t.channel_id < before
    ]
    threads.sort(key=lambda t: t.channel_id, reverse=True)
    return _page(call, threads)


def _archived(call: Call, kinds: tuple[int, ...]) -> Any:
    parent = call.channel(bits.READ_MESSAGE_HISTORY)
    before = call.query.get("before")
    threads = [
        t
        for t in _archived_threads(call, parent, kinds)
        if before is None or shapes.instant(_archived_at(t)) < shapes.instant(before)
    ]
    threads.sort(key=lambda t: shapes.instant(_archived_at(t)), reverse=True)
    return _page(call, threads)


def _archived_threads(call: Call, parent: ChannelState, kinds: tuple[int, ...]) -> list[ChannelState]:
    assert parent.guild_id is not None  # noqa: S101
    threads = call.world.channels_of(parent.guild_id, threads=True)
    return [t for t in threads if t.parent_id == parent.channel_id and t.archived and t.kind in kinds]


def _archived_at(thread: ChannelState) -> str:
    return str(thread.data["thread_metadata"]["archive_timestamp"])


def _page(call: Call, threads: list[ChannelState]) -> Any:
    limit = call.limit(50, 100)
    shown = [_own(call, t.data) for t in threads[:limit]]
    members = [t["member"] for t in shown if "member" in t]
    return {"threads": shown, "members": members, "has_more": len(threads) > limit}


@route("GET", CHANNEL + "/thread-members")
def thread_members(call: Call) -> Any:
    found = call.channel()
    return [
        {"id": found.data["id"], "user_id": str(user_id), "join_timestamp": shapes.stamp(at), "flags": 0}
        for user_id, at in found.thread_members.items()
    ]


@route("PUT", CHANNEL + "/thread-members/{user_id}")
def join(call: Call) -> Any:
    found = call.channel()
    if found.archived:
        raise ApiError(400, 50083, "Thread is archived")
    user_id = call.world.bot_id if call.path["user_id"] == "@me" else call.id("user_id")
    call.world.join_thread(found.channel_id, user_id)


@route("DELETE", CHANNEL + "/thread-members/{user_id}")
def leave(call: Call) -> Any:
    found = call.channel()
    user_id = call.world.bot_id if call.path["user_id"] == "@me" else call.id("user_id")
    if found.thread_members.pop(user_id, None) is None:
        raise unknown("Member")
    call.world.forget_visibility()
