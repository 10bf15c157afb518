"""DiscordChatExporter's JSON as Discord's own payloads, so that an export takes the one way in.

Source: https://github.com/Tyrrrz/DiscordChatExporter (JsonMessageWriter, MessageKind, ChannelKind)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bot.capture.convert import Payload
from bot.model.guilds import ChannelType
from bot.model.messages import MessageType

_MESSAGE_TYPES = {
    "Default": MessageType.DEFAULT,
    "RecipientAdd": 1,
    "RecipientRemove": 2,
    "Call": 3,
    "ChannelNameChange": 4,
    "ChannelIconChange": 5,
    "ChannelPinnedMessage": MessageType.PIN_NOTICE,
    "GuildMemberJoin": MessageType.ARRIVAL,
    "ThreadCreated": MessageType.THREAD_CREATED,
    "Reply": MessageType.REPLY,
}
_CHANNEL_TYPES = {
    "GuildTextChat": ChannelType.TEXT,
    "GuildVoiceChat": ChannelType.VOICE,
    "GuildCategory": ChannelType.CATEGORY,
    "GuildNews": ChannelType.ANNOUNCEMENT,
    "GuildNewsThread": ChannelType.ANNOUNCEMENT_THREAD,
    "GuildPublicThread": ChannelType.PUBLIC_THREAD,
    "GuildPrivateThread": ChannelType.PRIVATE_THREAD,
    "GuildStageVoice": ChannelType.STAGE,
    "GuildForum": ChannelType.FORUM,
}
_SPOKEN = (MessageType.DEFAULT, MessageType.REPLY, MessageType.COMMAND_ANSWER, MessageType.MENU_ANSWER)
_NOBODY = "0000"
"""The discriminator of webhooks and of accounts that are gone."""


def channel_from_export(channel: Payload) -> dict[str, Any]:
    """The export's channel. A thread's "category" is the channel that it belongs to."""
    return {
        "id": channel["id"],
        "type": _number(channel.get("type", 0), _CHANNEL_TYPES),
        "name": channel.get("name"),
        "topic": channel.get("topic"),
        "parent_id": channel.get("categoryId"),
    }


def parent_from_export(channel: Payload) -> dict[str, Any] | None:
    """The category or channel in which the export's channel lies."""
    if not channel.get("categoryId"):
        return None
    kind = _number(channel.get("type", 0), _CHANNEL_TYPES)
    threads = (ChannelType.PUBLIC_THREAD, ChannelType.PRIVATE_THREAD, ChannelType.ANNOUNCEMENT_THREAD)
    parent = ChannelType.TEXT if kind in threads else ChannelType.CATEGORY
    return {"id": channel["categoryId"], "type": parent, "name": channel.get("category")}


def message_from_export(message: Payload, *, channel_id: str) -> dict[str, Any]:
    """An export's message as Discord would give it. Raises KeyError or ValueError for what is none.

    The text that the exporter writes for system messages is not anybody's and left out.
    """
    kind = _number(message.get("type", 0), _MESSAGE_TYPES)
    author = message["author"]
    is_webhook = bool(author.get("isBot")) and author.get("discriminator") == _NOBODY
    forwarded = message.get("forwardedMessage")
    reference = message.get("reference") or {}
    return {
        "id": message["id"],
        "type": kind,
        "channel_id": channel_id,
        "author": {
            "id": author["id"],
            "username": author.get("name"),
            "global_name": author.get("nickname"),
            "bot": bool(author.get("isBot")),
        },
        "webhook_id": author["id"] if is_webhook else None,
        "content": message.get("content") if kind in _SPOKEN else "",
        "edited_timestamp": message.get("timestampEdited"),
        "pinned": bool(message.get("isPinned")),
        "mentions": message.get("mentions") or (),
        "attachments": _attachments(files) if (files := message.get("attachments")) else (),
        "embeds": message.get("embeds"),
        "reactions": _reactions(reactions) if (reactions := message.get("reactions")) else (),
        "message_reference": {
            "type": 1 if forwarded else 0,
            "message_id": reference.get("messageId"),
            "channel_id": reference.get("channelId"),
            "guild_id": reference.get("guildId"),
        }
        if reference or forwarded
        else None,
        "message_snapshots": [{"message": _snapshot(forwarded)}] if forwarded else [],
    }


def _snapshot(forwarded: Payload) -> dict[str, Any]:
    return {
        "content": forwarded.get("content"),
        "attachments": _attachments(forwarded.get("attachments") or ()),
        "embeds": forwarded.get("embeds"),
    }


def _attachments(files: Iterable[Payload]) -> list[dict[str, Any]]:
    return [{"id": each["id"], "filename": each.get("fileName"), "size": each.get("fileSizeBytes")} for each in files]


def _reactions(reactions: Iterable[Payload]) -> list[dict[str, Any]]:
    return [
        {
            "emoji": {"id": each["emoji"].get("id") or None, "name": each["emoji"].get("name")},
            "count": each["count"],
        }
        for each in reactions
    ]


def _number(name: Any, known: dict[str, Any]) -> int:
    """A type's number; the exporter writes an unknown one as digits."""
    if name in known:
        return int(known[name])
    if isinstance(name, str) and not name.isdecimal():
        raise ValueError(f"{name!r} is a kind that is not known")
    return int(name)
