"""Whose words a forward holds: Discord does not say, so the original has to be known."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.model.messages import Forward, Message
from bot.store.tables.messages import MessageRow
from bot.store.tables.moderation import ErasureRow, OptOutRow
from bot.store.upsert import chunks


async def with_origins(connection: AsyncConnection, messages: Sequence[Message]) -> Sequence[Message]:
    """The messages, forwards among them with the author of the original where that is stored or comes along.

    Where it is not, the words may be those of somebody who does not want to appear: in a guild where anybody
    opted out, or once anybody was erased, they are left out.
    """
    wanted = {m.forward.message_id for m in messages if m.forward is not None and m.forward.message_id is not None}
    if not any(message.forward is not None for message in messages):
        return messages
    authors = {m.message_id: m.author_id for m in messages if m.forward is None and m.deleted_at is None}
    authors |= await _authors(connection, wanted - authors.keys())
    wary = await _wary_guilds(connection, {message.guild_id for message in messages})
    return [_established(message, authors, wary) for message in messages]


def _established(message: Message, authors: dict[int, int], wary: Collection[int]) -> Message:
    forward = message.forward
    if forward is None:
        return message
    author_id = authors.get(forward.message_id or 0, forward.author_id)
    if author_id is not None:
        return replace(message, forward=replace(forward, author_id=author_id))
    if message.guild_id not in wary:
        return message
    return replace(message, content="", attachments=(), previews=(), forward=Forward(None, None, None))


async def _authors(connection: AsyncConnection, message_ids: Collection[int]) -> dict[int, int]:
    """Who wrote the messages; those that are not stored, are deleted or are forwards themselves are left out."""
    found: dict[int, int] = {}
    for some in chunks(sorted(message_ids)):
        rows = await connection.execute(
            select(MessageRow.message_id, MessageRow.author_id).where(
                MessageRow.message_id.in_(some), MessageRow.deleted_at.is_(None), MessageRow.forward.is_(None)
            )
        )
        found |= {row.message_id: row.author_id for row in rows}
    return found


async def _wary_guilds(connection: AsyncConnection, guild_ids: set[int]) -> set[int]:
    if (await connection.execute(select(ErasureRow.user_hash).limit(1))).first() is not None:
        return guild_ids
    rows = await connection.execute(
        select(OptOutRow.guild_id).distinct().where(OptOutRow.guild_id.in_([0, *guild_ids]))
    )
    found = set(rows.scalars())
    return guild_ids if 0 in found else found
