"""What editions rest on: the messages that they tell of, and who wrote them.

Whoever changes or deletes a message, or closes the door for a user, marks the editions concerned as stale in the
same transaction; they are made anew by themselves soon after.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Text, cast, delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.model.publication import Source
from bot.store.tables.editions import EditionRow, EditionSourceRow
from bot.store.tables.messages import MessageRow
from bot.store.upsert import chunks, insert_new

_MICROSECOND = timedelta(microseconds=1)


async def sources_of(connection: AsyncConnection, edition_id: int) -> list[Source]:
    """The messages that the edition tells of, in the order of their ids."""
    rows = await connection.execute(
        select(EditionSourceRow.message_id, EditionSourceRow.user_id, EditionSourceRow.withdrawn)
        .where(EditionSourceRow.edition_id == edition_id)
        .order_by(EditionSourceRow.message_id)
    )
    return [Source(message_id=row.message_id, user_id=row.user_id, withdrawn=row.withdrawn) for row in rows]


async def replace_sources(connection: AsyncConnection, edition_id: int, sources: Sequence[Source]) -> None:
    await connection.execute(delete(EditionSourceRow).where(EditionSourceRow.edition_id == edition_id))
    values = [
        {"edition_id": edition_id, "message_id": s.message_id, "user_id": s.user_id, "withdrawn": False}
        for s in sources
    ]
    await insert_new(connection, EditionSourceRow, values)


async def messages_changed(
    connection: AsyncConnection, message_ids: Collection[int], *, reason: str, at: datetime
) -> list[int]:
    """Mark the editions that tell of one of the messages; their ids. `reason` goes into the log of actions."""
    found: set[int] = set()
    for some in chunks(sorted(message_ids)):
        found |= await _withdraw(connection, EditionSourceRow.message_id.in_(some))
    return await mark_stale(connection, found, reason=reason, at=at)


async def channels_deleted(connection: AsyncConnection, channel_ids: Sequence[int], *, at: datetime) -> list[int]:
    """Mark the editions that tell of a message in one of the channels or threads; their ids."""
    inside = select(MessageRow.message_id).where(MessageRow.channel_id.in_(channel_ids))
    found = await _withdraw(connection, EditionSourceRow.message_id.in_(inside))
    return await mark_stale(connection, found, reason="a channel was deleted", at=at)


async def user_withdrew(
    connection: AsyncConnection, user_id: int, *, guild_id: int | None, reason: str, at: datetime
) -> list[int]:
    """Mark the editions that name the user anywhere, in one guild or (None) in all; their ids."""
    named: ColumnElement[bool] = cast(EditionRow.document, Text).like(f'%"{user_id}"%')
    mine: ColumnElement[bool] = EditionSourceRow.user_id == user_id
    if guild_id is not None:
        named &= EditionRow.guild_id == guild_id
        mine &= EditionSourceRow.edition_id.in_(select(EditionRow.edition_id).where(EditionRow.guild_id == guild_id))
    found = await _withdraw(connection, mine)
    found |= set((await connection.execute(select(EditionRow.edition_id).where(named))).scalars())
    return await mark_stale(connection, found, reason=reason, at=at)


async def mark_stale(
    connection: AsyncConnection, edition_ids: Collection[int], *, reason: str, at: datetime
) -> list[int]:
    """Note that the editions are to be made anew; their ids.

    The noted instant is later than any noted before, so that a change which comes while an edition is made anew is
    not taken for the one that is being answered.
    """
    if not edition_ids:
        return []
    marked = (
        await connection.execute(
            select(EditionRow.edition_id, EditionRow.stale_since)
            .where(EditionRow.edition_id.in_(sorted(edition_ids)))
            .order_by(EditionRow.edition_id)
            .with_for_update()
        )
    ).all()
    for row in marked:
        since = at if row.stale_since is None else max(at, row.stale_since + _MICROSECOND)
        await connection.execute(
            update(EditionRow)
            .where(EditionRow.edition_id == row.edition_id)
            .values(stale_since=since, stale_reason=reason)
        )
    return [row.edition_id for row in marked]


async def _withdraw(connection: AsyncConnection, which: ColumnElement[bool]) -> set[int]:
    """Note that these sources may no longer be told as they were; the editions concerned."""
    query = select(EditionSourceRow.edition_id).where(which).distinct()
    found = set((await connection.execute(query)).scalars())
    if found:
        await connection.execute(update(EditionSourceRow).where(which).values(withdrawn=True))
    return found
