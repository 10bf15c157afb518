"""Small facts of the program itself, by key."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.tables.editions import StateRow
from bot.store.upsert import upsert


async def get_state(connection: AsyncConnection, key: str) -> str | None:
    """What was kept under the key; None where nothing was."""
    found = await connection.execute(select(StateRow.value).where(StateRow.key == key))
    return found.scalar_one_or_none()


async def set_state(connection: AsyncConnection, key: str, value: str) -> None:
    await upsert(connection, StateRow, [{"key": key, "value": value}])
