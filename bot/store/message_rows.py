"""Messages as rows: what each column holds, and back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from bot.model.messages import Attachment, Forward, LinkPreview, Message, Speaker


def row_values(message: Message) -> dict[str, Any]:
    """A value for each column; of a deleted message nothing that was said."""
    values = {
        "message_id": message.message_id,
        "guild_id": message.guild_id,
        "channel_id": message.channel_id,
        "author_id": message.author_id,
        "author_name": message.author_name,
        "message_type": message.message_type,
        "speaker": message.speaker,
        "content": message.content,
        "edited_at": message.edited_at,
        "deleted_at": None,
        "reply_to_id": message.reply_to_id,
        "forward": _forward(message.forward) if message.forward else None,
        "webhook_id": message.webhook_id,
        "attachments": _attachments(message.attachments) if message.attachments else None,
        "previews": previews_value(message.previews) if message.previews else None,
        "reactions": [[emoji, count] for emoji, count in message.reactions] if message.reactions else None,
        "reaction_count": message.reaction_count if message.reactions else 0,
        "mentioned_user_ids": list(message.mentioned_user_ids) if message.mentioned_user_ids else None,
        "pinned": message.pinned,
    }
    return values if message.deleted_at is None else values | emptied(message.deleted_at)


def previews_value(previews: Sequence[LinkPreview]) -> list[list[str]] | None:
    """Link previews as their column holds them."""
    return [[preview.url, preview.title] for preview in previews] if previews else None


def _attachments(attachments: Sequence[Attachment]) -> list[list[Any]]:
    return [[a.attachment_id, a.filename, a.size, a.content_type] for a in attachments]


def _forward(forward: Forward) -> dict[str, Any]:
    return {
        "message_id": forward.message_id,
        "channel_id": forward.channel_id,
        "guild_id": forward.guild_id,
        "author_id": forward.author_id,
    }


def message_of(row: Any) -> Message:
    """A row with all of the table's columns as the message it stands for."""
    return Message(
        message_id=row.message_id,
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        author_id=row.author_id,
        author_name=row.author_name,
        content=row.content,
        message_type=row.message_type,
        speaker=Speaker(row.speaker),
        edited_at=row.edited_at,
        deleted_at=row.deleted_at,
        reply_to_id=row.reply_to_id,
        forward=Forward(**row.forward) if row.forward else None,
        webhook_id=row.webhook_id,
        attachments=tuple(Attachment(*attachment) for attachment in row.attachments or ()),
        previews=tuple(LinkPreview(*preview) for preview in row.previews or ()),
        reactions=tuple((emoji, count) for emoji, count in row.reactions or ()),
        mentioned_user_ids=tuple(row.mentioned_user_ids or ()),
        pinned=row.pinned,
    )


def emptied(at: datetime) -> dict[str, Any]:
    """The columns of what a deletion at `at` takes."""
    return {
        "content": "",
        "deleted_at": at,
        "forward": None,
        "attachments": None,
        "previews": None,
        "reactions": None,
        "reaction_count": 0,
        "mentioned_user_ids": None,
        "pinned": False,
    }
