"""What moderators and members decided: tags, suggestions, corrections, and the log of it all."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Index
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.tables.base import Base, BigId


class TagRow(Base):
    """One moderator's tag on a message, by one means. Removed tags stay, so that who did what is kept."""

    __tablename__ = "tags"
    __table_args__ = (Index(None, "guild_id", "message_id"), Index(None, "message_id"))

    tag_id: Mapped[int] = mapped_column(BigId, primary_key=True)
    guild_id: Mapped[int]
    message_id: Mapped[int]
    channel_id: Mapped[int]
    user_id: Mapped[int] = mapped_column(index=True)
    source: Mapped[str]  # menu, command, reaction
    section: Mapped[str | None]
    note: Mapped[str | None]
    rewrite: Mapped[str | None]
    tagged_at: Mapped[datetime]
    removed_at: Mapped[datetime | None]
    removed_by: Mapped[int | None]


class SuggestionRow(Base):
    """A member's suggestion of a message; shown to moderators, never published by itself."""

    __tablename__ = "suggestions"
    __table_args__ = (Index(None, "guild_id"),)

    message_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    user_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False, index=True)
    guild_id: Mapped[int]
    channel_id: Mapped[int]
    suggested_at: Mapped[datetime]


class IntroductionMarkRow(Base):
    """A moderator's word on whether a message is an introduction; it wins over the rule."""

    __tablename__ = "introduction_marks"
    __table_args__ = (Index(None, "guild_id"),)

    message_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    guild_id: Mapped[int]
    is_introduction: Mapped[bool]
    marked_by: Mapped[int]
    marked_at: Mapped[datetime]


class ActionRow(Base):
    """The log of what people had the bot do. `action` is a verb phrase, `data` its particulars."""

    __tablename__ = "actions"
    __table_args__ = (Index(None, "guild_id", "at"),)

    action_id: Mapped[int] = mapped_column(BigId, primary_key=True)
    guild_id: Mapped[int]
    user_id: Mapped[int | None] = mapped_column(index=True)
    action: Mapped[str]
    data: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    at: Mapped[datetime]


class OptOutRow(Base):
    """Somebody who does not want to appear. guild_id 0: in no guild."""

    __tablename__ = "opt_outs"

    guild_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    user_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    since: Mapped[datetime]


class ErasureRow(Base):
    """A keyed hash of the id of somebody who had everything erased; keeps every way in closed."""

    __tablename__ = "erasures"

    user_hash: Mapped[str] = mapped_column(primary_key=True)
    at: Mapped[datetime]
