"""Guilds, their settings, channels, roles and members."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Index
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.tables.base import Base


class GuildRow(Base):
    __tablename__ = "guilds"

    guild_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    name: Mapped[str]
    owner_id: Mapped[int | None]
    self_id: Mapped[int | None]
    left_at: Mapped[datetime | None]  # when the bot was removed; its data goes after a grace time


class GuildSettingsRow(Base):
    __tablename__ = "guild_settings"

    guild_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    document: Mapped[dict[str, Any]] = mapped_column(JSON)
    updated_at: Mapped[datetime]
    updated_by: Mapped[int | None]


class ChannelRow(Base):
    __tablename__ = "channels"
    __table_args__ = (Index(None, "guild_id"), Index(None, "parent_id"))

    channel_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    guild_id: Mapped[int]
    parent_id: Mapped[int | None]
    channel_type: Mapped[int]
    name: Mapped[str]
    position: Mapped[int] = mapped_column(default=0)
    topic: Mapped[str | None]
    overwrites: Mapped[list[Any]] = mapped_column(JSON, default=list)
    owner_id: Mapped[int | None]
    archived: Mapped[bool] = mapped_column(default=False)
    deleted_at: Mapped[datetime | None]
    unreadable: Mapped[str | None]


class RoleRow(Base):
    __tablename__ = "roles"
    __table_args__ = (Index(None, "guild_id"),)

    role_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    guild_id: Mapped[int]
    name: Mapped[str]
    permissions: Mapped[int]
    position: Mapped[int] = mapped_column(default=0)


class MemberRow(Base):
    """Who a user is in a guild, as last seen; stays after a leave, so that old messages keep a name."""

    __tablename__ = "members"

    guild_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    user_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False, index=True)
    username: Mapped[str]
    global_name: Mapped[str | None]
    nick: Mapped[str | None]
    bot: Mapped[bool] = mapped_column(default=False)
    role_ids: Mapped[list[Any]] = mapped_column(JSON, default=list)
    joined_at: Mapped[datetime | None]
    left_at: Mapped[datetime | None]


class JoinRow(Base):
    """One stay of a person in a guild."""

    __tablename__ = "joins"
    __table_args__ = (Index(None, "guild_id", "joined_at"),)

    guild_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    user_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False, index=True)
    joined_at: Mapped[datetime] = mapped_column(primary_key=True)
    left_at: Mapped[datetime | None]
    bot: Mapped[bool] = mapped_column(default=False)
    witness: Mapped[str]


class ScheduledEventRow(Base):
    """An event that the guild has put into its own calendar. `status` is Discord's number."""

    __tablename__ = "scheduled_events"
    __table_args__ = (Index(None, "guild_id", "starts_at"),)

    event_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    guild_id: Mapped[int]
    name: Mapped[str]
    description: Mapped[str | None]
    starts_at: Mapped[datetime]
    ends_at: Mapped[datetime | None]
    channel_id: Mapped[int | None]
    creator_id: Mapped[int | None]
    status: Mapped[int]
    deleted_at: Mapped[datetime | None]
