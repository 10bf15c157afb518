"""What is kept for a time only: the content of messages, and everything of guilds that removed the bot."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import delete, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.model.snowflakes import first_id_at
from bot.store.tables import Base
from bot.store.tables.editions import EditionRow, ModelAnswerRow
from bot.store.tables.guilds import GuildRow, MemberRow
from bot.store.tables.messages import MessageReferenceRow, MessageRow
from bot.store.tables.moderation import OptOutRow, TagRow

_AT_ONCE = 5_000
_KEPT = frozenset({OptOutRow.__tablename__})
"""Of a guild that removed the bot: the word of those who do not want to be recorded, should it come back."""


async def drop_content(connection: AsyncConnection, guild_id: int, *, before: datetime) -> int:
    """Take the content of the guild's messages sent before an instant, at most 5,000 at once; how many it was.

    What was counted stays: that there was a message, where, by whom, its reactions and references.
    """
    old = (
        await connection.execute(
            select(MessageRow.message_id)
            .where(
                MessageRow.guild_id == guild_id,
                MessageRow.message_id < first_id_at(before),
                MessageRow.deleted_at.is_(None),
                or_(MessageRow.content != "", MessageRow.author_name != "", MessageRow.attachments.is_not(None)),
            )
            .order_by(MessageRow.message_id)
            .limit(_AT_ONCE)
        )
    ).scalars()
    ids = list(old)
    if ids:
        await connection.execute(
            update(MessageRow)
            .where(MessageRow.guild_id == guild_id, MessageRow.message_id.between(ids[0], ids[-1]))
            .values(content="", author_name="", forward=None, attachments=None, previews=None, mentioned_user_ids=None)
        )
    return len(ids)


async def drop_quotations(connection: AsyncConnection, guild_id: int, *, before: datetime) -> int:
    """Take the raw text of messages out of editions whose period ended before an instant; how many it was.

    What was told of them stays, in the words that were posted.
    """
    rows = await connection.execute(
        select(EditionRow.edition_id, EditionRow.document).where(
            EditionRow.guild_id == guild_id, EditionRow.period_end < before
        )
    )
    changed = 0
    for row in rows.all():
        document = _without_raw_text(row.document)
        if document != row.document:
            changed += 1
            await connection.execute(
                update(EditionRow).where(EditionRow.edition_id == row.edition_id).values(document=document)
            )
    await connection.execute(
        delete(ModelAnswerRow).where(ModelAnswerRow.guild_id == guild_id, ModelAnswerRow.at < before)
    )
    await connection.execute(
        update(TagRow)
        .where(TagRow.guild_id == guild_id, TagRow.tagged_at < before, TagRow.message_id < first_id_at(before))
        .values(note=None, rewrite=None)
    )
    return changed


def _without_raw_text(document: Mapping[str, Any]) -> dict[str, Any]:
    facts = {
        key: {**fact, "text": ""} if key.startswith("message/") else fact
        for key, fact in document.get("facts", {}).items()
    }
    return {**document, "facts": facts} if "facts" in document else dict(document)


async def forget_members_who_left(connection: AsyncConnection, guild_id: int, *, before: datetime) -> None:
    """Remove the names of people who left the guild before an instant; the ledger of joins keeps its numbers."""
    await connection.execute(delete(MemberRow).where(MemberRow.guild_id == guild_id, MemberRow.left_at < before))


async def guilds_left(connection: AsyncConnection, *, before: datetime) -> list[int]:
    """The guilds that removed the bot before an instant."""
    rows = await connection.execute(
        select(GuildRow.guild_id).where(GuildRow.left_at < before).order_by(GuildRow.guild_id)
    )
    return list(rows.scalars())


async def forget_guild(connection: AsyncConnection, guild_id: int) -> None:
    """Remove everything of a guild, but for who opted out in it."""
    inside = select(MessageRow.message_id).where(MessageRow.guild_id == guild_id)
    await connection.execute(delete(MessageReferenceRow).where(MessageReferenceRow.message_id.in_(inside)))
    for table in reversed(Base.metadata.sorted_tables):
        if "guild_id" in table.c and table.name not in _KEPT:
            await connection.execute(delete(table).where(table.c.guild_id == guild_id))
