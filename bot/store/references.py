"""The references in messages: written with what was said, found anew when a guild's repositories change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.model.messages import Message
from bot.model.references import extract_references
from bot.model.schedule import Period
from bot.model.snowflakes import first_id_at
from bot.store.guilds import fetch_settings
from bot.store.message_rows import message_of
from bot.store.tables.messages import MessageReferenceRow, MessageRow
from bot.store.upsert import IN_LIMIT, chunks, insert_new


async def store_references(connection: AsyncConnection, messages: Sequence[Message], *, known: Iterable[int]) -> None:
    """Keep the references in what was said; those of the messages in `known` (ids) are found anew."""
    repositories = {
        guild_id: (github.default, github.tracked)
        for guild_id in sorted({message.guild_id for message in messages})
        for github in [(await fetch_settings(connection, guild_id)).github]
    }
    again = set(known)
    if rewritten := [message.message_id for message in messages if message.message_id in again]:
        await forget_references(connection, rewritten)
    rows = []
    for message in messages:
        if not message.content or not message.is_said:
            continue
        default, tracked = repositories[message.guild_id]
        if default is None:
            continue
        if found := extract_references(message.content, default_repository=default, repositories=tracked):
            rows += [
                {"message_id": message.message_id, "reference": reference}
                for reference in {each.canonical.lower() for each in found}
            ]
    await insert_new(connection, MessageReferenceRow, rows)


async def forget_references(connection: AsyncConnection, message_ids: Sequence[int]) -> None:
    """Remove the references of these messages."""
    for some in chunks(message_ids):
        await connection.execute(delete(MessageReferenceRow).where(MessageReferenceRow.message_id.in_(some)))


async def rewrite_references(connection: AsyncConnection, guild_id: int) -> None:
    """Find the references of all the guild's messages anew, after its repositories changed."""
    last = 0
    while True:
        rows = await connection.execute(
            select(MessageRow.__table__)
            .where(MessageRow.guild_id == guild_id, MessageRow.message_id > last)
            .order_by(MessageRow.message_id)
            .limit(IN_LIMIT)
        )
        page = [message_of(row) for row in rows]
        if not page:
            return
        await store_references(connection, page, known=[message.message_id for message in page])
        last = page[-1].message_id


async def references_between(connection: AsyncConnection, guild_id: int, period: Period) -> list[str]:
    """The references (canonical, lower case) in the guild's messages of a period, each once."""
    rows = await connection.execute(
        select(MessageReferenceRow.reference)
        .distinct()
        .join(MessageRow, MessageRow.message_id == MessageReferenceRow.message_id)
        .where(
            MessageRow.guild_id == guild_id,
            MessageRow.message_id >= first_id_at(period.start),
            MessageRow.message_id < first_id_at(period.end),
        )
        .order_by(MessageReferenceRow.reference)
    )
    return list(rows.scalars())
