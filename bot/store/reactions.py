"""How many reacted to a message, and with what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.tables.messages import MessageRow
from bot.store.upsert import chunks


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """One change of a message's reactions. `added` None: cleared, all of `emoji` or (None) all of all."""

    message_id: int
    emoji: str | None
    added: bool | None


async def change_reactions(connection: AsyncConnection, reactions: Sequence[Reaction]) -> None:
    """Apply changes of reactions in their order. Those of messages that are not stored are left out."""
    ids = sorted({reaction.message_id for reaction in reactions})
    counts: dict[int, dict[str, int]] = {}
    table = MessageRow.__table__.c
    for some in chunks(ids):
        rows = await connection.execute(
            select(table.message_id, table.reactions)
            .where(table.message_id.in_(some), table.deleted_at.is_(None))
            .order_by(table.message_id)
            .with_for_update()
        )
        counts |= {row.message_id: {str(emoji): int(count) for emoji, count in row.reactions or ()} for row in rows}
    for reaction in reactions:
        if reaction.message_id in counts:
            _react(counts[reaction.message_id], reaction)
    if counts:
        await connection.execute(
            update(MessageRow)
            .where(MessageRow.message_id == bindparam("the_message"))
            .values(reactions=bindparam("now"), reaction_count=bindparam("total")),
            [
                {"the_message": each, "now": _pairs(now), "total": sum(now.values())}
                for each, now in sorted(counts.items())
            ],
        )


def _react(counts: dict[str, int], reaction: Reaction) -> None:
    if reaction.emoji is None:
        counts.clear()
    elif reaction.added is None:
        counts.pop(reaction.emoji, None)
    else:
        count = counts.get(reaction.emoji, 0) + (1 if reaction.added else -1)
        if count > 0:
            counts[reaction.emoji] = count
        else:
            counts.pop(reaction.emoji, None)


def _pairs(counts: Mapping[str, int]) -> list[list[Any]] | None:
    return [[emoji, count] for emoji, count in counts.items()] or None
