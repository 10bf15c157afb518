"""The log of what people had the bot do, and of what the bot did by itself."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.errors import NotFoundError
from bot.store.tables.moderation import ActionRow


async def log_action(
    connection: AsyncConnection,
    *,
    guild_id: int,
    action: str,
    at: datetime,
    user_id: int | None = None,
    data: Mapping[str, Any] | None = None,
) -> int:
    """Note that `user_id` did `action`, a verb phrase, with these particulars; its id.

    None or 0: the bot by itself, or somebody whose id is not kept.
    """
    written = await connection.execute(
        insert(ActionRow)
        .values(guild_id=guild_id, user_id=user_id or None, action=action, data=dict(data or {}), at=at)
        .returning(ActionRow.action_id)
    )
    return int(written.scalar_one())


async def fetch_action(connection: AsyncConnection, guild_id: int, action_id: int) -> tuple[str, Mapping[str, Any]]:
    """What was done, and its particulars. Raises NotFoundError."""
    row = (
        await connection.execute(
            select(ActionRow.action, ActionRow.data).where(
                ActionRow.guild_id == guild_id, ActionRow.action_id == action_id
            )
        )
    ).first()
    if row is None:
        raise NotFoundError("The log does not reach back to that change.")
    return row.action, row.data


async def actions_of(
    connection: AsyncConnection, guild_id: int, *, limit: int = 50
) -> list[tuple[datetime, int | None, str, Mapping[str, Any]]]:
    """What was done in the guild as (when, by whom, what, particulars), the latest first."""
    rows = await connection.execute(
        select(ActionRow.at, ActionRow.user_id, ActionRow.action, ActionRow.data)
        .where(ActionRow.guild_id == guild_id)
        .order_by(ActionRow.at.desc(), ActionRow.action_id.desc())
        .limit(limit)
    )
    return [(row.at, row.user_id, row.action, row.data) for row in rows]
