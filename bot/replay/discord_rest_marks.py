"""Routes on what is put on messages: pins and reactions.

Source: https://docs.discord.com/developers/resources/message
"""

from __future__ import annotations

from typing import Any

from bot.replay import discord_permissions as bits
from bot.replay import discord_shapes as shapes
from bot.replay.discord_errors import missing_permissions, unknown
from bot.replay.discord_message_verbs import key_of
from bot.replay.discord_rest import Call, route
from bot.replay.discord_shapes import Data

MESSAGES = "/channels/{channel_id}/messages"
REACTIONS = MESSAGES + "/{message_id}/reactions"


@route("GET", MESSAGES + "/pins")
def pins(call: Call) -> Any:
    channel = call.channel(bits.READ_MESSAGE_HISTORY)
    newest = sorted(channel.pins.items(), key=lambda item: item[1], reverse=True)
    before = call.query.get("before")
    found = [(message_id, at) for message_id, at in newest if before is None or shapes.stamp(at) < before]
    limit = call.limit(50, 50)
    items = [{"pinned_at": shapes.stamp(at), "message": call.shown(channel, mid)} for mid, at in found[:limit]]
    return {"items": items, "has_more": len(found) > limit}


@route("GET", "/channels/{channel_id}/pins")
def pins_of_old(call: Call) -> Any:
    channel = call.channel(bits.READ_MESSAGE_HISTORY)
    return [call.shown(channel, message_id) for message_id in sorted(channel.pins, reverse=True)]


@route("PUT", "/channels/{channel_id}/pins/{message_id}")
@route("PUT", MESSAGES + "/pins/{message_id}")
def pin(call: Call) -> Any:
    channel = call.channel()
    if not call.world.permissions(channel.channel_id) & (bits.PIN_MESSAGES | bits.MANAGE_MESSAGES):
        raise missing_permissions()
    call.world.pin(channel.channel_id, call.id("message_id"))


@route("DELETE", "/channels/{channel_id}/pins/{message_id}")
@route("DELETE", MESSAGES + "/pins/{message_id}")
def unpin(call: Call) -> Any:
    channel = call.channel()
    if not call.world.permissions(channel.channel_id) & (bits.PIN_MESSAGES | bits.MANAGE_MESSAGES):
        raise missing_permissions()
    call.world.unpin(channel.channel_id, call.id("message_id"))


@route("GET", REACTIONS + "/{emoji}")
def reaction_users(call: Call) -> Any:
    """Those who reacted, by ascending id, in pages of at most 100."""
    channel = call.channel(bits.READ_MESSAGE_HISTORY)
    call.world.message(channel.channel_id, call.id("message_id"))
    reactions = channel.reactions.get(call.id("message_id"), {})
    reaction = reactions.get(call.path["emoji"])
    if reaction is None:
        raise unknown("Emoji")
    after = int(call.query.get("after", 0))
    ids = sorted(user_id for user_id in reaction.user_ids if user_id > after)
    return [call.world.users.get(user_id) or shapes.user({"id": user_id}) for user_id in ids[: call.limit(25, 100)]]


@route("PUT", REACTIONS + "/{emoji}/@me")
def react(call: Call) -> Any:
    channel = call.channel(bits.READ_MESSAGE_HISTORY | bits.ADD_REACTIONS)
    emoji = key_of(_emoji(call.path["emoji"]))
    call.world.add_reaction(channel.channel_id, call.id("message_id"), emoji, call.world.bot_id)


def _emoji(text: str) -> Data:
    name, colon, emoji_id = text.rpartition(":")
    return {"id": emoji_id, "name": name.removeprefix("a:")} if colon else {"id": None, "name": text}


@route("DELETE", REACTIONS + "/{emoji}/{user_id}")
def unreact(call: Call) -> Any:
    own = call.path["user_id"] == "@me"
    channel = call.channel(0 if own else bits.MANAGE_MESSAGES)
    user_id = call.world.bot_id if own else call.id("user_id")
    call.world.remove_reaction(channel.channel_id, call.id("message_id"), call.path["emoji"], user_id)


@route("DELETE", REACTIONS)
def clear_reactions(call: Call) -> Any:
    channel = call.channel(bits.MANAGE_MESSAGES)
    call.world.clear_reactions(channel.channel_id, call.id("message_id"))


@route("DELETE", REACTIONS + "/{emoji}")
def clear_emoji(call: Call) -> Any:
    channel = call.channel(bits.MANAGE_MESSAGES)
    call.world.clear_reactions(channel.channel_id, call.id("message_id"), call.path["emoji"])
