"""Problems that were reported to people, so that each is reported once until it is over."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.tables.editions import NoticeRow


async def is_reported(connection: AsyncConnection, guild_id: int, key: str) -> bool:
    """Whether the problem has been reported and is not over."""
    found = await connection.execute(
        select(NoticeRow.key).where(
            NoticeRow.guild_id == guild_id, NoticeRow.key == key, NoticeRow.settled_at.is_(None)
        )
    )
    return found.first() is not None


async def open_notice(connection: AsyncConnection, guild_id: int, key: str, text: str, at: datetime) -> bool:
    """Note that the problem is being reported; False where it has been and is not over."""
    table: Any = NoticeRow.__table__
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    values = {"text": text, "reported_at": at, "settled_at": None}
    done = await connection.execute(
        dialect.insert(table)
        .values(guild_id=guild_id, key=key, **values)
        .on_conflict_do_update(index_elements=["guild_id", "key"], set_=values, where=NoticeRow.settled_at.is_not(None))
    )
    return done.rowcount == 1


async def settle_notices(connection: AsyncConnection, guild_id: int, keys: Sequence[str], at: datetime) -> None:
    """The problems are over: should they come again, they are reported again."""
    await connection.execute(
        update(NoticeRow)
        .where(NoticeRow.guild_id == guild_id, NoticeRow.key.in_(keys), NoticeRow.settled_at.is_(None))
        .values(settled_at=at)
    )


async def open_notices(connection: AsyncConnection, guild_id: int) -> list[str]:
    """The texts of the problems that are not over, the earliest first."""
    found = await connection.execute(
        select(NoticeRow.text)
        .where(NoticeRow.guild_id == guild_id, NoticeRow.settled_at.is_(None))
        .order_by(NoticeRow.reported_at)
    )
    return list(found.scalars())
