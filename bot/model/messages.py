"""Messages as Gazette keeps them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum, StrEnum

from bot.model.snowflakes import time_of


class MessageType(IntEnum):
    """Those of Discord's message types that Gazette tells apart. An unknown one is kept as its number.

    Source: https://docs.discord.com/developers/resources/message#message-object-message-types
    """

    DEFAULT = 0
    PIN_NOTICE = 6
    ARRIVAL = 7
    THREAD_CREATED = 18
    REPLY = 19
    COMMAND_ANSWER = 20
    THREAD_STARTER = 21
    MENU_ANSWER = 23


class Speaker(StrEnum):
    """Who speaks in a message; only what a `MEMBER` or a `PROXIED` member says is community activity."""

    MEMBER = "member"
    PROXIED = "proxied"  # a person's words, posted again by a proxy bot (PluralKit and the like)
    BOT = "bot"
    SELF = "self"  # the bot's own account
    WEBHOOK = "webhook"
    FOLLOWED = "followed"  # an announcement that arrives from a followed channel of another guild


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file of a message. Its address dies within a day, so the message is linked in its stead."""

    attachment_id: int
    filename: str
    size: int
    content_type: str | None = None


@dataclass(frozen=True, slots=True)
class LinkPreview:
    """What Discord found behind a link of the message."""

    url: str
    title: str


@dataclass(frozen=True, slots=True)
class Forward:
    """Where a forwarded text came from. `author_id` is None where the original could not be established."""

    message_id: int | None
    channel_id: int | None
    guild_id: int | None
    author_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message as it stands: after edits, without what a deletion took.

    `message_type` is Discord's number. `content` of a forward is the forwarded text. `channel_id` may be a
    thread's. Instants are UTC. `deleted_at` is set on a tombstone, whose content is empty.
    """

    message_id: int
    guild_id: int
    channel_id: int
    author_id: int
    author_name: str
    content: str
    message_type: int = MessageType.DEFAULT
    speaker: Speaker = Speaker.MEMBER
    edited_at: datetime | None = None
    deleted_at: datetime | None = None
    reply_to_id: int | None = None
    forward: Forward | None = None
    webhook_id: int | None = None
    attachments: tuple[Attachment, ...] = ()
    previews: tuple[LinkPreview, ...] = ()
    reactions: tuple[tuple[str, int], ...] = ()  # (emoji or name:id, count)
    mentioned_user_ids: tuple[int, ...] = ()
    pinned: bool = False

    @property
    def created_at(self) -> datetime:
        return time_of(self.message_id)

    @property
    def reaction_count(self) -> int:
        return sum(count for _, count in self.reactions)

    @property
    def is_said(self) -> bool:
        """Whether somebody of the community says something here: what counts, is searched and may be quoted."""
        return (
            self.deleted_at is None
            and self.message_type in (MessageType.DEFAULT, MessageType.REPLY)
            and self.speaker in (Speaker.MEMBER, Speaker.PROXIED)
        )


def message_url(guild_id: int, channel_id: int, message_id: int) -> str:
    """The address that opens the message in Discord."""
    return f"https://discord.com/channels/{guild_id}/{channel_id}/{message_id}"
