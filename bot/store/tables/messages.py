"""Messages, the references in them, and which stretches of time have been read."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Index, SmallInteger
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.tables.base import Base, BigId


class MessageRow(Base):
    """A message; when it was sent stands in its id. A deleted one stays as a tombstone without content."""

    __tablename__ = "messages"
    __table_args__ = (
        Index(None, "guild_id", "message_id"),
        Index(None, "channel_id", "message_id"),
        Index(None, "author_id"),
        Index(None, "reply_to_id"),
    )

    message_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    guild_id: Mapped[int]
    channel_id: Mapped[int]
    author_id: Mapped[int]
    author_name: Mapped[str]
    message_type: Mapped[int] = mapped_column(SmallInteger)
    speaker: Mapped[str]
    content: Mapped[str]
    edited_at: Mapped[datetime | None]
    deleted_at: Mapped[datetime | None]
    reply_to_id: Mapped[int | None]
    forward: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    webhook_id: Mapped[int | None]
    attachments: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True))
    previews: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True))
    reactions: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True))
    reaction_count: Mapped[int] = mapped_column(default=0)
    mentioned_user_ids: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True))
    pinned: Mapped[bool] = mapped_column(default=False)


class MessageReferenceRow(Base):
    """A pull request or issue that a message refers to; `reference` is canonical, in lower case."""

    __tablename__ = "message_references"
    __table_args__ = (Index(None, "reference"),)

    message_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    reference: Mapped[str] = mapped_column(primary_key=True)


class CoverageRow(Base):
    """A stretch `[start_at, end_at)` of a channel that has been read.

    Where `live_shard` is set the stretch is still growing: it ends where that shard was last seen.
    """

    __tablename__ = "coverage"
    __table_args__ = (Index(None, "guild_id"),)

    channel_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    start_at: Mapped[datetime] = mapped_column(primary_key=True)
    end_at: Mapped[datetime]
    guild_id: Mapped[int]
    live_shard: Mapped[int | None]


class GapRow(Base):
    """A stretch that was not recorded live. `recovered_at` is set once it has been read back."""

    __tablename__ = "gaps"
    __table_args__ = (Index(None, "guild_id"), Index(None, "channel_id"))

    gap_id: Mapped[int] = mapped_column(BigId, primary_key=True)
    guild_id: Mapped[int]
    channel_id: Mapped[int]
    start_at: Mapped[datetime]
    end_at: Mapped[datetime]
    reason: Mapped[str]
    recovered_at: Mapped[datetime | None]


class SessionRow(Base):
    """When a shard was last known to be receiving events, so that a new session knows what it missed."""

    __tablename__ = "sessions"

    shard_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seen_at: Mapped[datetime]
