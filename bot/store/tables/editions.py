"""Editions, their parts on Discord, the runs of the schedule, and notices about them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, LargeBinary, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.tables.base import Base, BigId


class EditionRow(Base):
    """One edition. `status`: draft, approved, held, publishing, published, failed, skipped."""

    __tablename__ = "editions"
    __table_args__ = (UniqueConstraint("guild_id", "period_start", "period_end"),)

    edition_id: Mapped[int] = mapped_column(BigId, primary_key=True)
    guild_id: Mapped[int]
    period_start: Mapped[datetime]
    period_end: Mapped[datetime]
    status: Mapped[str]
    revision: Mapped[int] = mapped_column(default=1)
    title: Mapped[str]
    document: Mapped[dict[str, Any]] = mapped_column(JSON)  # gazette.edition/1
    markdown: Mapped[str]
    html: Mapped[str]
    public: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[datetime]
    published_at: Mapped[datetime | None]
    stale_since: Mapped[datetime | None]  # something it rests on has changed, and it has not been made anew
    stale_reason: Mapped[str | None]


class EditionSourceRow(Base):
    """A message that an edition tells of, and who wrote it, so that a change to either finds the edition."""

    __tablename__ = "edition_sources"
    __table_args__ = (Index(None, "message_id"), Index(None, "user_id"))

    edition_id: Mapped[int] = mapped_column(ForeignKey("editions.edition_id", ondelete="CASCADE"), primary_key=True)
    message_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    user_id: Mapped[int | None]
    withdrawn: Mapped[bool] = mapped_column(default=False)  # it was deleted, edited or is no longer to be told


class PartRow(Base):
    """One Discord message of an edition, stored before it is sent; `message_id` is set once known.

    `after_id` is set before the first attempt to send: if the message stands, then after this one in its channel.
    """

    __tablename__ = "parts"
    __table_args__ = (Index(None, "message_id"),)

    edition_id: Mapped[int] = mapped_column(ForeignKey("editions.edition_id", ondelete="CASCADE"), primary_key=True)
    ordinal: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    place: Mapped[str]
    content: Mapped[str]
    nonce: Mapped[str]
    channel_id: Mapped[int | None]
    message_id: Mapped[int | None]
    sent_at: Mapped[datetime | None]
    after_id: Mapped[int | None]
    pending: Mapped[bool] = mapped_column(default=False)  # what stands on Discord is not yet what is stored here
    gone_at: Mapped[datetime | None]  # somebody deleted the message; it is not sent again
    ping_role_id: Mapped[int | None]  # the one role that the part may mention


class PartFileRow(Base):
    """A file of a part."""

    __tablename__ = "part_files"

    edition_id: Mapped[int] = mapped_column(ForeignKey("editions.edition_id", ondelete="CASCADE"), primary_key=True)
    ordinal: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(primary_key=True)
    description: Mapped[str | None]
    content: Mapped[bytes] = mapped_column(LargeBinary)


class ReviewRow(Base):
    """The draft of an edition as it stands in the guild's review channel.

    `message_id` is the message with the buttons, `shown` what stands in the thread below it: a message's id and a
    digest of its content for each part. Until `claimed_until` one process is at it.
    """

    __tablename__ = "reviews"

    edition_id: Mapped[int] = mapped_column(ForeignKey("editions.edition_id", ondelete="CASCADE"), primary_key=True)
    channel_id: Mapped[int | None]
    message_id: Mapped[int | None]
    thread_id: Mapped[int | None]
    revision: Mapped[int] = mapped_column(default=0)
    shown: Mapped[list[Any]] = mapped_column(JSON, default=list)
    seen: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)  # what the draft told when last shown
    claimed_until: Mapped[datetime | None]


class EditRow(Base):
    """A moderator's change to a draft or an edition; kept through a rebuild, undone by `undone_at`."""

    __tablename__ = "edits"
    __table_args__ = (Index(None, "guild_id", "period_start"),)

    edit_id: Mapped[int] = mapped_column(BigId, primary_key=True)
    guild_id: Mapped[int]
    period_start: Mapped[datetime]
    user_id: Mapped[int] = mapped_column(index=True)
    kind: Mapped[str]
    data: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    at: Mapped[datetime]
    undone_at: Mapped[datetime | None]


class ScheduleRow(Base):
    """When a guild's next run is due, and for which period. Paused: `paused_at` is set."""

    __tablename__ = "schedules"
    __table_args__ = (Index(None, "due_at"),)

    guild_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    due_at: Mapped[datetime]
    period_start: Mapped[datetime]
    period_end: Mapped[datetime]
    paused_at: Mapped[datetime | None]
    rule: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)  # the schedule's settings it was computed by


class RunRow(Base):
    """The making of one period's edition: who does it, until when the claim holds, how it went.

    `lease_until` of a claimed run ends the claim, that of a due one is the instant before which it is not tried.
    """

    __tablename__ = "runs"
    __table_args__ = (Index(None, "status", "lease_until"),)

    guild_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    period_start: Mapped[datetime] = mapped_column(primary_key=True)
    period_end: Mapped[datetime]
    due_at: Mapped[datetime]
    status: Mapped[str]  # due, claimed, done, skipped, offered
    claimed_by: Mapped[str | None]
    lease_until: Mapped[datetime | None]
    attempts: Mapped[int] = mapped_column(default=0)
    error: Mapped[str | None]
    finished_at: Mapped[datetime | None]
    timezone: Mapped[str] = mapped_column(default="UTC")
    opened_at: Mapped[datetime | None]  # when it was noticed to be due, or asked for


class NoticeRow(Base):
    """A problem that was reported to people, so that it is reported once."""

    __tablename__ = "notices"

    guild_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    key: Mapped[str] = mapped_column(primary_key=True)
    text: Mapped[str]
    reported_at: Mapped[datetime]
    settled_at: Mapped[datetime | None]


class ModelAnswerRow(Base):
    """A language model's answer, by the hash of facts and prompt, so that a rebuild costs nothing."""

    __tablename__ = "model_answers"

    key: Mapped[str] = mapped_column(primary_key=True)
    guild_id: Mapped[int] = mapped_column(index=True)
    answer: Mapped[dict[str, Any]] = mapped_column(JSON)
    tokens: Mapped[int] = mapped_column(default=0)
    at: Mapped[datetime]


class StateRow(Base):
    """Small facts of the program itself, such as the hash of the command tree that was last synced."""

    __tablename__ = "state"

    key: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[str]
