"""Editions, their parts on Discord with their files, and what they rest on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, delete, exists, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.errors import NotFoundError
from bot.model.publication import OPEN, EditionStatus, EditionSummary, MadeEdition, StoredEdition
from bot.model.schedule import Period
from bot.store.parts import replace_parts
from bot.store.sources import replace_sources
from bot.store.tables.editions import EditionRow, PartRow

_SUMMARY = (
    EditionRow.edition_id,
    EditionRow.guild_id,
    EditionRow.period_start,
    EditionRow.period_end,
    EditionRow.status,
    EditionRow.revision,
    EditionRow.title,
    EditionRow.public,
    EditionRow.created_at,
    EditionRow.published_at,
)


async def store_edition(
    connection: AsyncConnection,
    made: MadeEdition,
    *,
    at: datetime,
    status: EditionStatus = EditionStatus.DRAFT,
    keep_status: bool = False,
) -> int:
    """Store an edition with its parts, or make the stored one of its period anew; its id.

    `keep_status`: one that was approved or held stays so, whatever becomes of it meanwhile. An edition of which
    something may stand on Discord is left as it is: `amend_edition` changes that.
    """
    table: Any = EditionRow.__table__
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    content = _content_values(made)
    values = content | {
        "guild_id": made.guild_id,
        "period_start": made.period.start,
        "period_end": made.period.end,
        "status": status,
        "revision": 1,
        "public": False,
        "created_at": at,
    }
    anew = content | {"revision": EditionRow.revision + 1, "stale_since": None, "stale_reason": None}
    if not keep_status:
        anew |= {"status": status}
    written = await connection.execute(
        dialect.insert(table)
        .values(values)
        .on_conflict_do_update(
            index_elements=["guild_id", "period_start", "period_end"], set_=anew, where=EditionRow.status.in_(OPEN)
        )
        .returning(table.c.edition_id)
    )
    edition_id = written.scalar_one_or_none()
    if edition_id is None:
        return await _edition_id(connection, made.guild_id, made.period)
    await replace_parts(connection, edition_id, made)
    await replace_sources(connection, edition_id, made.sources)
    return int(edition_id)


async def amend_edition(
    connection: AsyncConnection, edition_id: int, made: MadeEdition, *, seen: datetime | None
) -> None:
    """Replace what the edition says; its parts are changed by themselves.

    `seen` is the `stale_since` that the new edition answers; a change noted since then stays noted.
    """
    answered = EditionRow.stale_since.is_(None) if seen is None else EditionRow.stale_since == seen
    await connection.execute(
        update(EditionRow)
        .where(EditionRow.edition_id == edition_id)
        .values(**_content_values(made), revision=EditionRow.revision + 1)
    )
    await connection.execute(
        update(EditionRow)
        .where(EditionRow.edition_id == edition_id, answered)
        .values(stale_since=None, stale_reason=None)
    )
    await replace_sources(connection, edition_id, made.sources)


async def set_status(
    connection: AsyncConnection,
    edition_id: int,
    status: EditionStatus,
    *,
    expected: Iterable[EditionStatus],
    published_at: datetime | None = None,
) -> bool:
    """Move the edition on; False where it stands in none of the `expected` statuses."""
    values: dict[str, Any] = {"status": status}
    if published_at is not None:
        values["published_at"] = published_at
    done = await connection.execute(
        update(EditionRow)
        .where(EditionRow.edition_id == edition_id, EditionRow.status.in_(list(expected)))
        .values(**values)
    )
    return done.rowcount == 1


async def set_public(connection: AsyncConnection, edition_id: int, public: bool) -> None:
    """Show the edition in the public archive, or no longer."""
    await connection.execute(update(EditionRow).where(EditionRow.edition_id == edition_id).values(public=public))


async def drop_drafts(connection: AsyncConnection, guild_id: int, period_start: datetime, *, keep: int) -> None:
    """Forget drafts of periods with the same beginning, of which nothing stands on Discord, all but one."""
    await connection.execute(
        delete(EditionRow).where(
            EditionRow.guild_id == guild_id,
            EditionRow.period_start == period_start,
            EditionRow.edition_id != keep,
            EditionRow.status.in_(OPEN),
        )
    )


async def delete_edition(connection: AsyncConnection, edition_id: int) -> None:
    """Forget the edition with its parts, files and sources; what stands on Discord stays."""
    await connection.execute(delete(EditionRow).where(EditionRow.edition_id == edition_id))


# -- reading


async def fetch_edition(connection: AsyncConnection, edition_id: int) -> StoredEdition:
    """Raises NotFoundError for an edition that is not stored."""
    row = (await connection.execute(select(EditionRow.__table__).where(EditionRow.edition_id == edition_id))).first()
    if row is None:
        raise NotFoundError(f"There is no edition {edition_id}; /digest history lists those there are.")
    return _edition(row)


async def edition_for(connection: AsyncConnection, guild_id: int, period: Period) -> StoredEdition | None:
    """The edition of just this period, if it has been made."""
    row = (await connection.execute(select(EditionRow.__table__).where(_is_for(guild_id, period)))).first()
    return None if row is None else _edition(row)


async def history(connection: AsyncConnection, guild_id: int, *, limit: int = 25) -> list[EditionSummary]:
    """The guild's editions, the latest period first."""
    rows = await connection.execute(
        select(*_SUMMARY)
        .where(EditionRow.guild_id == guild_id)
        .order_by(EditionRow.period_start.desc(), EditionRow.edition_id.desc())
        .limit(limit)
    )
    return [_summary(row) for row in rows]


async def earlier_documents(
    connection: AsyncConnection, guild_id: int, before: datetime, *, limit: int = 8
) -> list[Mapping[str, Any]]:
    """What published editions of periods up to `before` said (`gazette.edition/1`), the latest first."""
    found = await connection.execute(
        select(EditionRow.document)
        .where(
            EditionRow.guild_id == guild_id,
            EditionRow.period_end <= before,
            EditionRow.status == EditionStatus.PUBLISHED,
        )
        .order_by(EditionRow.period_end.desc())
        .limit(limit)
    )
    return list(found.scalars())


async def public_editions(
    connection: AsyncConnection, guild_id: int | None = None, *, limit: int = 500
) -> list[EditionSummary]:
    """The published editions that their guild made public, of one guild or of all, the latest published first."""
    query = select(*_SUMMARY).where(EditionRow.public, EditionRow.status == EditionStatus.PUBLISHED)
    if guild_id is not None:
        query = query.where(EditionRow.guild_id == guild_id)
    rows = await connection.execute(
        query.order_by(EditionRow.published_at.desc(), EditionRow.edition_id.desc()).limit(limit)
    )
    return [_summary(row) for row in rows]


async def unsettled_editions(connection: AsyncConnection) -> list[int]:
    """Published editions that are not right on Discord yet: stale, or with parts unsent or not yet changed."""
    open_part = exists().where(
        PartRow.edition_id == EditionRow.edition_id,
        PartRow.gone_at.is_(None),
        or_(PartRow.pending, PartRow.message_id.is_(None)),
    )
    found = await connection.execute(
        select(EditionRow.edition_id)
        .where(
            EditionRow.status == EditionStatus.PUBLISHED,
            or_(EditionRow.stale_since.is_not(None), open_part),
        )
        .order_by(EditionRow.edition_id)
    )
    return list(found.scalars())


# -- rows


def _is_for(guild_id: int, period: Period) -> ColumnElement[bool]:
    return and_(
        EditionRow.guild_id == guild_id, EditionRow.period_start == period.start, EditionRow.period_end == period.end
    )


async def _edition_id(connection: AsyncConnection, guild_id: int, period: Period) -> int:
    found = await connection.execute(select(EditionRow.edition_id).where(_is_for(guild_id, period)))
    return int(found.scalar_one())


def _content_values(made: MadeEdition) -> dict[str, Any]:
    return {"title": made.title, "document": dict(made.document), "markdown": made.markdown, "html": made.html}


def _period(row: Any) -> Period:
    return Period(row.period_start, row.period_end)


def _summary(row: Any) -> EditionSummary:
    return EditionSummary(
        edition_id=row.edition_id,
        guild_id=row.guild_id,
        period=_period(row),
        status=EditionStatus(row.status),
        revision=row.revision,
        title=row.title,
        public=row.public,
        created_at=row.created_at,
        published_at=row.published_at,
    )


def _edition(row: Any) -> StoredEdition:
    zone = row.document.get("period", {}).get("timezone", "UTC")
    return StoredEdition(
        edition_id=row.edition_id,
        guild_id=row.guild_id,
        period=Period(row.period_start, row.period_end, zone),
        status=EditionStatus(row.status),
        revision=row.revision,
        title=row.title,
        document=row.document,
        markdown=row.markdown,
        html=row.html,
        public=row.public,
        created_at=row.created_at,
        published_at=row.published_at,
        stale_since=row.stale_since,
        stale_reason=row.stale_reason,
    )
