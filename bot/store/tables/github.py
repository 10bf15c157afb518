"""What GitHub said: items, comments, events, people, and the means to ask less often."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Index
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.tables.base import Base


class RepositoryRow(Base):
    """A tracked repository, shared by all guilds that follow it. `key` is the name in lower case."""

    __tablename__ = "repositories"

    key: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]  # as GitHub spells it now
    private: Mapped[bool] = mapped_column(default=False)
    synced_from: Mapped[datetime | None]
    synced_until: Mapped[datetime | None]
    problem: Mapped[str | None]


class ItemRow(Base):
    """A pull request or issue. `document` holds what is not searched: body, comments, events, people."""

    __tablename__ = "items"
    __table_args__ = (Index(None, "repository", "updated_at"),)

    repository: Mapped[str] = mapped_column(primary_key=True)  # lower case
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[str]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    fetched_at: Mapped[datetime]
    removed: Mapped[bool] = mapped_column(default=False)
    document: Mapped[dict[str, Any]] = mapped_column(JSON)


class ItemLinkRow(Base):
    """`source` names `target` (both in lower case). `kind`: parent, closes, part_of, task."""

    __tablename__ = "item_links"
    __table_args__ = (Index(None, "target"),)

    source: Mapped[str] = mapped_column(primary_key=True)
    target: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)


class AccountRow(Base):
    """A GitHub account, with the display name by which people are credited."""

    __tablename__ = "accounts"

    login: Mapped[str] = mapped_column(primary_key=True)  # lower case
    spelled: Mapped[str]
    name: Mapped[str | None]
    bot: Mapped[bool] = mapped_column(default=False)


class ResponseRow(Base):
    """An answer with its ETag, for a conditional request."""

    __tablename__ = "responses"

    url: Mapped[str] = mapped_column(primary_key=True)
    etag: Mapped[str]
    body: Mapped[str]
    link: Mapped[str | None]  # the header that tells of further pages
    fetched_at: Mapped[datetime]


class IdentityLinkRow(Base):
    """A member's GitHub login, in force once a moderator confirmed it."""

    __tablename__ = "identity_links"

    guild_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    user_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False, index=True)
    login: Mapped[str]
    requested_at: Mapped[datetime]
    confirmed_at: Mapped[datetime | None]
    confirmed_by: Mapped[int | None]
