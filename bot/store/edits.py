"""Moderators' changes to the edition of a period; they are kept through every making anew, until undone."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.tables.editions import EditRow


async def store_edit(
    connection: AsyncConnection,
    *,
    guild_id: int,
    period_start: datetime,
    user_id: int,
    kind: str,
    data: Mapping[str, Any],
    at: datetime,
) -> int:
    """Keep a moderator's change to the edition of a period; its id."""
    written = await connection.execute(
        insert(EditRow)
        .values(guild_id=guild_id, period_start=period_start, user_id=user_id, kind=kind, data=dict(data), at=at)
        .returning(EditRow.edit_id)
    )
    return int(written.scalar_one())


async def edits_of(
    connection: AsyncConnection, guild_id: int, period_start: datetime
) -> list[tuple[int, str, Mapping[str, Any]]]:
    """The changes in force as (id, kind, data), the earliest first."""
    rows = await connection.execute(
        select(EditRow.edit_id, EditRow.kind, EditRow.data)
        .where(EditRow.guild_id == guild_id, EditRow.period_start == period_start, EditRow.undone_at.is_(None))
        .order_by(EditRow.edit_id)
    )
    return [(row.edit_id, row.kind, row.data) for row in rows]


async def undo_edit(connection: AsyncConnection, edit_id: int, at: datetime) -> bool:
    """False where the change had been undone before."""
    done = await connection.execute(
        update(EditRow).where(EditRow.edit_id == edit_id, EditRow.undone_at.is_(None)).values(undone_at=at)
    )
    return done.rowcount == 1
