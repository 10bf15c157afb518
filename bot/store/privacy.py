"""Who does not want to be recorded: opted out of a guild or of all, or erased for good."""

from __future__ import annotations

import hashlib
import hmac
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.sources import user_withdrew
from bot.store.tables.moderation import ErasureRow, OptOutRow
from bot.store.upsert import insert_new

EVERYWHERE = 0
"""The guild id of an opt-out that holds in all guilds."""


def user_hash(user_id: int, secret: str) -> str:
    """The keyed hash under which an erased user is remembered without being named."""
    return hmac.new(secret.encode(), str(user_id).encode(), hashlib.sha256).hexdigest()


async def opt_out(connection: AsyncConnection, guild_id: int, user_id: int, *, at: datetime) -> None:
    """Record nothing further of the user in the guild (EVERYWHERE: in any). An earlier word stands."""
    await insert_new(connection, OptOutRow, [{"guild_id": guild_id, "user_id": user_id, "since": at}])
    await user_withdrew(connection, user_id, guild_id=guild_id or None, reason="a member opted out", at=at)


async def opt_in(connection: AsyncConnection, guild_id: int, user_id: int) -> None:
    """Take an opt-out back."""
    await connection.execute(delete(OptOutRow).where(OptOutRow.guild_id == guild_id, OptOutRow.user_id == user_id))


async def opt_outs(connection: AsyncConnection) -> set[tuple[int, int]]:
    """All opt-outs as (guild, user)."""
    rows = await connection.execute(select(OptOutRow.guild_id, OptOutRow.user_id))
    return {(row.guild_id, row.user_id) for row in rows}


async def erased_hashes(connection: AsyncConnection) -> set[str]:
    """The keyed hashes of all erased users."""
    return set((await connection.execute(select(ErasureRow.user_hash))).scalars())
