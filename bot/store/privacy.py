"""Who does not want to be recorded: opted out of a guild or of all, or erased for good.

Every change raises a counter in the database, which every transaction that stores what people said reads first.
So a change holds in all processes from the moment it is committed.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Integer, String, cast, delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.sources import user_withdrew
from bot.store.state import get_state
from bot.store.tables.editions import StateRow
from bot.store.tables.guilds import JoinRow, MemberRow
from bot.store.tables.messages import MessageRow
from bot.store.tables.moderation import ErasureRow, OptOutRow, SuggestionRow, TagRow
from bot.store.upsert import insert_new, upsert

EVERYWHERE = 0
"""The guild id of an opt-out that holds in all guilds."""

_CHANGES = "exclusions changed"
_KEY = "secret key"
_KEYS_MARK = "secret key mark"


def user_hash(user_id: int, secret: str) -> str:
    """The keyed hash under which an erased user is remembered without being named."""
    return hmac.new(secret.encode(), str(user_id).encode(), hashlib.sha256).hexdigest()


# -- opting out and in


async def opt_out(connection: AsyncConnection, guild_id: int, user_id: int, *, at: datetime) -> None:
    """Record nothing further of the user in the guild (EVERYWHERE: in any). An earlier word stands."""
    await insert_new(connection, OptOutRow, [{"guild_id": guild_id, "user_id": user_id, "since": at}])
    await note_change(connection)
    await user_withdrew(connection, user_id, guild_id=guild_id or None, reason="a member opted out", at=at)


async def opt_in(connection: AsyncConnection, guild_id: int, user_id: int) -> bool:
    """Take an opt-out back; whether there was one."""
    where = (OptOutRow.guild_id == guild_id, OptOutRow.user_id == user_id)
    taken = await connection.execute(delete(OptOutRow).where(*where))
    await note_change(connection)
    return taken.rowcount > 0


async def opt_outs(connection: AsyncConnection) -> set[tuple[int, int]]:
    """All opt-outs as (guild, user)."""
    rows = await connection.execute(select(OptOutRow.guild_id, OptOutRow.user_id))
    return {(row.guild_id, row.user_id) for row in rows}


async def opted_out_of(connection: AsyncConnection, guild_id: int) -> frozenset[int]:
    """Who does not want to appear in the guild."""
    rows = await connection.execute(select(OptOutRow.user_id).where(OptOutRow.guild_id.in_((EVERYWHERE, guild_id))))
    return frozenset(rows.scalars())


async def opt_outs_of(connection: AsyncConnection, user_id: int) -> dict[int, datetime]:
    """Since when the user has been opted out, by guild (EVERYWHERE: of all)."""
    rows = await connection.execute(
        select(OptOutRow.guild_id, OptOutRow.since).where(OptOutRow.user_id == user_id).order_by(OptOutRow.guild_id)
    )
    return {row.guild_id: row.since for row in rows}


# -- erased for good


async def erased_hashes(connection: AsyncConnection) -> set[str]:
    """The keyed hashes of all erased users."""
    return set((await connection.execute(select(ErasureRow.user_hash))).scalars())


async def forget_opt_outs(connection: AsyncConnection, user_id: int) -> None:
    """Remove the user's opt-outs: being erased keeps them out of everything."""
    await connection.execute(delete(OptOutRow).where(OptOutRow.user_id == user_id))


async def add_erasures(connection: AsyncConnection, hashes: Iterable[str], *, at: datetime) -> None:
    """Remember erased users by their keyed hashes."""
    await insert_new(connection, ErasureRow, [{"user_hash": each, "at": at} for each in sorted(set(hashes))])
    await note_change(connection)


async def remove_erasures(connection: AsyncConnection, hashes: Collection[str]) -> bool:
    """Let an erased user be recorded again; whether one of the hashes was remembered."""
    taken = await connection.execute(delete(ErasureRow).where(ErasureRow.user_hash.in_(list(hashes))))
    await note_change(connection)
    return taken.rowcount > 0


async def known_users(connection: AsyncConnection) -> set[int]:
    """The ids of everybody of whom something is stored as author, member, or by what they did."""
    found: set[int] = set()
    columns: Sequence[Any] = (
        MessageRow.author_id,
        MemberRow.user_id,
        JoinRow.user_id,
        TagRow.user_id,
        SuggestionRow.user_id,
        OptOutRow.user_id,
    )
    for column in columns:
        found.update((await connection.execute(select(column).distinct())).scalars())
    return found - {0}


# -- changes


async def note_change(connection: AsyncConnection) -> None:
    """Say that somebody opted out or in, or was erased; waits for transactions that still store by the old state."""
    next_number = cast(cast(StateRow.value, Integer) + 1, String)
    await upsert(connection, StateRow, [{"key": _CHANGES, "value": "1"}], change=lambda new: {"value": next_number})


async def changes(connection: AsyncConnection) -> str:
    """Which state of the exclusions holds. Until this transaction ends, nobody can commit another."""
    found = await connection.execute(select(StateRow.value).where(StateRow.key == _CHANGES).with_for_update(read=True))
    return found.scalar_one_or_none() or "0"


# -- the key of the hashes


async def made_key(connection: AsyncConnection) -> str | None:
    """The key that was made where the operator set none."""
    return await get_state(connection, _KEY)


async def prepare_key(connection: AsyncConnection, given: str | None) -> bool:
    """Have a key to hash by: the operator's, or one made and kept in the database.

    Returns False where users were erased under a key that is neither of them: they would not be recognised.
    """
    if given is None:
        await insert_new(connection, StateRow, [{"key": _KEY, "value": secrets.token_hex(32)}])
    await insert_new(connection, StateRow, [{"key": _CHANGES, "value": "0"}])
    if not await knows_key(connection, given):
        return False
    marks, known = await _marks(connection, given)
    await upsert(connection, StateRow, [{"key": _KEYS_MARK, "value": " ".join(sorted(marks | known))}])
    return True


async def knows_key(connection: AsyncConnection, given: str | None) -> bool:
    """Whether everybody who was erased can be recognised by the operator's key or the one that was made."""
    marks, known = await _marks(connection, given)
    return not (marks - known and await erased_hashes(connection))


async def _marks(connection: AsyncConnection, given: str | None) -> tuple[set[str], set[str]]:
    """What tells the keys that were used so far, and those there are now."""
    keys = [key for key in (given, await made_key(connection)) if key]
    used = set((await get_state(connection, _KEYS_MARK) or "").split())
    return used, {user_hash(EVERYWHERE, key) for key in keys}


def hashes_of(user_id: int, keys: Iterable[str]) -> set[str]:
    """The user's hash under each of the keys."""
    return {user_hash(user_id, key) for key in keys}
