"""Routes on messages. Source: https://docs.discord.com/developers/resources/message"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from bot.model.snowflakes import time_of
from bot.replay import discord_permissions as bits
from bot.replay import discord_shapes as shapes
from bot.replay.discord_errors import ApiError, invalid_form
from bot.replay.discord_record import Written
from bot.replay.discord_rest import NONCE_WINDOW, Call, route
from bot.replay.discord_rules import SUPPRESS_EMBEDS, check_message, mentioned_ids
from bot.replay.discord_shapes import Data
from bot.replay.discord_state import ChannelState

CROSSPOSTED = 1 << 0
OLDEST_FOR_BULK_DELETE = timedelta(days=14)
NO_MESSAGES = frozenset({shapes.CATEGORY, shapes.FORUM, shapes.MEDIA})

MESSAGES = "/channels/{channel_id}/messages"
MESSAGE = MESSAGES + "/{message_id}"


@route("GET", MESSAGES)
def history(call: Call) -> Any:
    """A page, newest first; empty for who may not read history."""
    channel = call.channel()
    limit = call.limit(50, 100)
    sides = {key: int(call.query[key]) for key in ("before", "after", "around") if key in call.query}
    if len(sides) > 1:
        raise invalid_form("before", "BASE_TYPE_CHOICES", "before, after and around are mutually exclusive.")
    if not call.world.permissions(channel.channel_id) & bits.READ_MESSAGE_HISTORY:
        return []
    return [call.shown(channel, message_id) for message_id in channel.page(limit, **sides)]


@route("GET", MESSAGE)
def single(call: Call) -> Any:
    channel = call.channel(bits.READ_MESSAGE_HISTORY)
    call.world.message(channel.channel_id, call.id("message_id"))
    return call.shown(channel, call.id("message_id"))


@route("POST", MESSAGES)
def create(call: Call) -> Any:
    channel = call.channel()
    needed = bits.SEND_MESSAGES_IN_THREADS if channel.is_thread else bits.SEND_MESSAGES
    call.channel(needed | (bits.ATTACH_FILES if call.record.files else 0))
    if channel.kind == shapes.DM and int(channel.data["recipients"][0]["id"]) in call.world.closed_to_dms:
        raise ApiError(403, 50007, "Cannot send messages to this user")
    if channel.kind in NO_MESSAGES:
        raise ApiError(400, 50008, "Cannot send messages in a non-text channel")
    if channel.archived and channel.data["thread_metadata"]["locked"]:
        raise ApiError(400, 50083, "Thread is archived")
    body = call.body
    nonce = str(body["nonce"]) if body.get("nonce") is not None else None
    if nonce is not None and body.get("enforce_nonce") and (made := _made_before(call, channel, nonce)):
        return {**made, "nonce": nonce}
    message = write(call, channel, body, nonce=nonce)
    if nonce is not None:
        call.log.nonces[channel.channel_id, nonce] = (int(message["id"]), call.world.clock.now())
    return {**call.world.shown(channel.channel_id, int(message["id"])), **({"nonce": nonce} if nonce else {})}


def _made_before(call: Call, channel: ChannelState, nonce: str) -> Data | None:
    """The message that this nonce has made within the last minutes."""
    message_id, at = call.log.nonces.get((channel.channel_id, nonce), (0, call.world.clock.now()))
    if message_id not in channel.messages or call.world.clock.now() - at > NONCE_WINDOW:
        return None
    return call.world.shown(channel.channel_id, message_id)


def write(
    call: Call, channel: ChannelState, body: Data, *, nonce: str | None = None, message_id: int | None = None
) -> Data:
    """Check a message of the bot, keep it, tell the gateway and log it."""
    check_message(body, files=len(call.record.files))
    fields = _fields(call, channel, body)
    if reference := body.get("message_reference"):
        fields |= _answering(call, channel, reference)
    message = call.world.create_message(
        channel.channel_id,
        author=call.world.bot,
        id=message_id,
        nonce=nonce,
        application_id=call.world.bot["id"],
        **fields,
    )
    call.log.written.append(written(call, channel, int(message["id"]), body))
    return message


def written(call: Call, channel: ChannelState, message_id: int, body: Data) -> Written:
    parent = call.world.channels[channel.parent_id] if channel.is_thread and channel.parent_id else channel
    thread = channel.data["name"] if channel.is_thread else None
    names = tuple(name for name, _ in call.record.files)
    return Written(message_id, channel.channel_id, parent.data.get("name") or "", thread, body, names)


def _fields(call: Call, channel: ChannelState, body: Data) -> Data:
    content = (body.get("content") or "").strip()
    users, roles, everyone = mentioned_ids(content, body.get("allowed_mentions"))
    granted = call.world.permissions(channel.channel_id)
    known_roles = call.world.guild(channel.guild_id).roles if channel.guild_id else {}
    pinged = (
        role
        for role in roles
        if role in known_roles and (known_roles[role]["mentionable"] or granted & bits.MENTION_EVERYONE)
    )
    return {
        "content": content,
        "tts": bool(body.get("tts")),
        "embeds": [{"type": "rich", **embed} for embed in body.get("embeds") or ()],
        "components": body.get("components") or [],
        "flags": int(body.get("flags") or 0),
        "mentions": [call.world.users[user] for user in users if user in call.world.users],
        "mention_roles": [str(role) for role in pinged],
        "mention_everyone": everyone and bool(granted & bits.MENTION_EVERYONE),
        "attachments": _attachments(call, body),
    }


def _attachments(call: Call, body: Data) -> list[Data]:
    described = {str(item.get("id")): item for item in body.get("attachments") or ()}
    return [
        {**described.get(str(number), {}), "id": str(call.world.new_id()), "filename": name, "size": len(content)}
        for number, (name, content) in enumerate(call.record.files)
    ]


def _answering(call: Call, channel: ChannelState, reference: Data) -> Data:
    """What makes a message a reply, or a forward (type 1)."""
    source = call.world.channels.get(int(reference.get("channel_id") or channel.channel_id))
    message_id = int(reference["message_id"])
    if source is None or message_id not in source.messages:
        if reference.get("fail_if_not_exists", True):
            raise invalid_form("message_reference", "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
        return {}
    kept = {"type": reference.get("type", 0), "channel_id": source.data["id"], "message_id": str(message_id)}
    if source.guild_id is not None:
        kept["guild_id"] = str(source.guild_id)
    if kept["type"] == 1:
        return {"message_reference": kept, "message_snapshots": [{"message": source.messages[message_id]}]}
    return {"type": shapes.REPLY, "message_reference": kept}


@route("PATCH", MESSAGE)
def edit(call: Call) -> Any:
    """Change an own message; of another's only whether its link previews show."""
    channel = call.channel()
    message_id = call.id("message_id")
    message = call.world.message(channel.channel_id, message_id)
    body = call.body
    if int(message["author"]["id"]) != call.world.bot_id:
        if set(body) - {"flags"}:
            raise ApiError(403, 50005, "Cannot edit a message authored by another user")
        call.channel(bits.MANAGE_MESSAGES)
        flags = message["flags"] & ~SUPPRESS_EMBEDS | int(body.get("flags") or 0) & SUPPRESS_EMBEDS
        return call.world.update_message(channel.channel_id, message_id, flags=flags)
    if channel.archived:
        raise ApiError(400, 50083, "Thread is archived")
    merged = {key: message[key] for key in ("content", "embeds", "components", "attachments")}
    merged |= {key: value for key, value in body.items() if key != "flags"}
    check_message(merged, files=len(call.record.files))
    changes = _fields(call, channel, {**body, "content": merged["content"]})
    untouched = {"embeds", "components", "flags"} - set(body)
    for key in untouched:
        del changes[key]
    if "flags" in changes:
        changes["flags"] |= message["flags"] & ~SUPPRESS_EMBEDS
    changes["attachments"] += _kept_attachments(message, body)
    del changes["tts"]
    call.world.edit_message(channel.channel_id, message_id, **changes)
    call.log.edited.append(written(call, channel, message_id, body))
    return call.world.shown(channel.channel_id, message_id)


def _kept_attachments(message: Data, body: Data) -> list[Data]:
    """Without `attachments` all stay; with it only those that it names."""
    if body.get("attachments") is None:
        return list(message["attachments"])
    named = {str(item.get("id")) for item in body["attachments"]}
    return [item for item in message["attachments"] if item["id"] in named]


@route("DELETE", MESSAGE)
def delete(call: Call) -> Any:
    channel = call.channel()
    message = call.world.message(channel.channel_id, call.id("message_id"))
    if int(message["author"]["id"]) != call.world.bot_id:
        call.channel(bits.MANAGE_MESSAGES)
    call.world.delete_message(channel.channel_id, call.id("message_id"))


@route("POST", MESSAGES + "/bulk-delete")
def bulk_delete(call: Call) -> Any:
    channel = call.channel(bits.MANAGE_MESSAGES)
    ids = [int(message_id) for message_id in call.body.get("messages") or ()]
    if not 2 <= len(ids) <= 100:
        raise ApiError(400, 50016, "Provided too few or too many messages to delete.")
    if any(call.world.clock.now() - time_of(message_id) > OLDEST_FOR_BULK_DELETE for message_id in ids):
        raise ApiError(400, 50034, "You can only bulk delete messages that are under 14 days old.")
    call.world.delete_messages(channel.channel_id, ids)


@route("POST", MESSAGE + "/crosspost")
def crosspost(call: Call) -> Any:
    channel = call.channel(bits.SEND_MESSAGES)
    message = call.world.message(channel.channel_id, call.id("message_id"))
    if channel.kind != shapes.ANNOUNCEMENT:
        raise ApiError(400, 50024, "Cannot execute action on this channel type")
    if message["flags"] & CROSSPOSTED:
        raise ApiError(400, 40033, "This message has already been crossposted")
    if int(message["author"]["id"]) != call.world.bot_id:
        call.channel(bits.MANAGE_MESSAGES)
    flags = message["flags"] | CROSSPOSTED
    return call.world.update_message(channel.channel_id, call.id("message_id"), flags=flags)


@route("POST", "/channels/{channel_id}/typing")
def typing(call: Call) -> Any:
    call.channel()
