"""Notices that Discord withholds what people write: the message content intent is missing."""

from __future__ import annotations

from datetime import datetime

from bot.capture.convert import Payload
from bot.model.messages import Message, MessageType, Speaker

SUSPICIOUS = 50
"""So many messages of people in a row, all without text, files and previews, are no accident."""

MISSING = (
    "Discord withholds the text of messages: switch on the Message Content Intent of the application in Discord's "
    "developer portal and restart; what was missed is then read back."
)


class ContentWatch:
    """Counts empty messages in a row. What mentions the bot has its text even without the intent."""

    def __init__(self) -> None:
        self._empty = 0
        self.since: datetime | None = None
        """When the first message of the present row was sent."""

    def reset(self) -> None:
        """A new session may have what the last one lacked."""
        self._empty, self.since = 0, None

    def see(self, message: Message, payload: Payload, self_id: int | None) -> None:
        """Look at one more message and at what Discord gave of it. A sticker needs no text, and is never withheld."""
        if (
            message.speaker is not Speaker.MEMBER
            or message.message_type not in (MessageType.DEFAULT, MessageType.REPLY)
            or self_id in message.mentioned_user_ids
            or payload.get("sticker_items")
        ):
            return
        nothing = not message.content and not message.attachments and not message.previews
        if not nothing:
            self.reset()
            return
        self._empty += 1
        self.since = min(self.since or message.created_at, message.created_at)

    @property
    def is_missing(self) -> bool:
        """Whether the intent is missing by all appearances."""
        return self._empty >= SUSPICIOUS
