"""Answers of the language model by the hash of what was asked, so that a rebuild costs nothing, and their cost."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.tables.editions import ModelAnswerRow
from bot.store.upsert import upsert


async def get_answer(connection: AsyncConnection, guild_id: int, key: str) -> dict[str, Any] | None:
    """What the model answered to this guild's question; None where it was not asked, or what it said was discarded."""
    found = await connection.execute(
        select(ModelAnswerRow.answer).where(ModelAnswerRow.key == key, ModelAnswerRow.guild_id == guild_id)
    )
    return found.scalar_one_or_none()


async def store_answer(
    connection: AsyncConnection, guild_id: int, key: str, answer: dict[str, Any], *, tokens: int, at: datetime
) -> None:
    """Keep an answer and what it cost, in tokens read and written."""
    row = {"key": key, "guild_id": guild_id, "answer": answer, "tokens": tokens, "at": at}
    await upsert(connection, ModelAnswerRow, [row])


async def tokens_used(connection: AsyncConnection, guild_id: int, since: datetime) -> int:
    """The tokens that a guild's answers since `since` have cost."""
    used = await connection.execute(
        select(func.coalesce(func.sum(ModelAnswerRow.tokens), 0)).where(
            ModelAnswerRow.guild_id == guild_id, ModelAnswerRow.at >= since
        )
    )
    return int(used.scalar_one())
