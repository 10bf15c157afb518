"""What is stored of one person, and what is stored of one guild, as plain data."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Table, Text, cast, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.model.snowflakes import time_of
from bot.store.tables import Base
from bot.store.tables.editions import EditionRow, EditionSourceRow
from bot.store.tables.guilds import ChannelRow
from bot.store.tables.messages import MessageReferenceRow, MessageRow

PERSONAL = "gazette.personal/1"
GUILD = "gazette.guild/1"
_ABOUT = ("user_id", "author_id", "marked_by", "removed_by", "confirmed_by", "updated_by", "owner_id", "creator_id")
_BY_EDITION = ("parts", "edition_sources", "reviews")
_LEFT_OUT = frozenset({"part_files", "responses", "state"})
_PAGE = 500


async def everything_of(connection: AsyncConnection, user_id: int, *, at: datetime) -> dict[str, object]:
    """Every row that is by the person or names them, by table; editions by title, period and what they say of them.

    Ids are strings, instants ISO 8601 UTC.
    """
    found: dict[str, object] = {"format": PERSONAL, "user_id": str(user_id), "exported_at": _told(at, "at")}
    for table in Base.metadata.sorted_tables:
        if table.name in _LEFT_OUT | {"editions", "edition_sources"}:
            continue
        columns = [table.c[name] for name in _ABOUT if name in table.c]
        if not columns:
            continue
        rows = await connection.execute(select(table).where(or_(*(column == user_id for column in columns))))
        if told := [_row(row._mapping, table) for row in rows]:
            found[table.name] = told
    begun = await connection.execute(
        select(ChannelRow.channel_id, ChannelRow.guild_id, ChannelRow.name)
        .join(MessageRow, MessageRow.message_id == ChannelRow.channel_id)
        .where(MessageRow.author_id == user_id)
        .order_by(ChannelRow.channel_id)
    )
    if told := [_plain(row._mapping) for row in begun]:
        found["threads_begun"] = told
    mentioning = await connection.execute(
        select(MessageRow.message_id, MessageRow.guild_id, MessageRow.channel_id).where(
            MessageRow.author_id != user_id, cast(MessageRow.mentioned_user_ids, Text).like(f"%{user_id}%")
        )
    )
    if told := [_plain(row._mapping) for row in mentioning]:
        found["mentioned_in"] = told
    if told := await _editions(connection, user_id):
        found["told_in_editions"] = told
    return found


async def _editions(connection: AsyncConnection, user_id: int) -> list[dict[str, Any]]:
    mine = select(EditionSourceRow.edition_id).where(EditionSourceRow.user_id == user_id)
    rows = await connection.execute(
        select(
            EditionRow.edition_id, EditionRow.guild_id, EditionRow.title, EditionRow.period_start, EditionRow.period_end
        )
        .where(or_(EditionRow.edition_id.in_(mine), cast(EditionRow.document, Text).like(f'%"{user_id}"%')))
        .order_by(EditionRow.edition_id)
    )
    return [_plain(row._mapping) for row in rows]


async def everything_in(connection: AsyncConnection, guild_id: int) -> AsyncIterator[tuple[str, dict[str, Any]]]:
    """Every row of the guild's as (table, row), but for the files of posted messages. Ids are strings."""
    for table in Base.metadata.sorted_tables:
        if table.name in _LEFT_OUT:
            continue
        query = _of_guild(table, guild_id)
        if query is None:
            continue
        result = await connection.stream(query.order_by(*table.primary_key))
        async for row in result.yield_per(_PAGE):
            yield table.name, _row(row._mapping, table)


def _of_guild(table: Table, guild_id: int) -> Any:
    if "guild_id" in table.c:
        return select(table).where(table.c.guild_id == guild_id)
    if table.name in _BY_EDITION:
        own = select(EditionRow.edition_id).where(EditionRow.guild_id == guild_id)
        return select(table).where(table.c.edition_id.in_(own))
    if table.name == MessageReferenceRow.__tablename__:
        inside = select(MessageRow.message_id).where(MessageRow.guild_id == guild_id)
        return select(table).where(table.c.message_id.in_(inside))
    return None


def _row(row: Mapping[Any, Any], table: Table) -> dict[str, Any]:
    told = _plain(row)
    if table.name == MessageRow.__tablename__:
        told["sent_at"] = _told(time_of(row["message_id"]), "sent_at")
    return told


def _plain(row: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(key): _told(value, str(key)) for key, value in row.items()}


def _told(value: Any, key: str) -> Any:
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, int) and not isinstance(value, bool) and key.endswith(("_id", "_by")):
        return str(value)
    if isinstance(value, list) and key.endswith("_ids"):
        return [str(each) for each in value]
    return value
