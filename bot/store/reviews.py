"""Drafts in review channels: where each stands and what of it is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.tables.editions import EditionRow, EditRow, ReviewRow
from bot.store.upsert import insert_new


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A message in the draft's thread, and a digest of what it says."""

    message_id: int
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """`revision` is the one that is shown, 0 where none is yet; `seen` what the draft told when last shown."""

    edition_id: int
    channel_id: int | None = None
    message_id: int | None = None
    thread_id: int | None = None
    revision: int = 0
    shown: tuple[Shown, ...] = ()
    seen: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A moderator's change to the edition of a period. `undone_at` None: it is in force."""

    edit_id: int
    user_id: int
    kind: str
    data: Mapping[str, Any]
    at: datetime
    undone_at: datetime | None = None


async def claim_review(connection: AsyncConnection, edition_id: int, *, now: datetime, until: datetime) -> bool:
    """Take the draft's showing on until `until`; False where somebody else is at it, or it is shown already."""
    values = {"edition_id": edition_id, "revision": 0, "shown": [], "seen": {}}
    await insert_new(connection, ReviewRow, [values])
    done = await connection.execute(
        update(ReviewRow)
        .where(
            ReviewRow.edition_id == edition_id,
            ReviewRow.revision == 0,
            or_(ReviewRow.claimed_until.is_(None), ReviewRow.claimed_until <= now),
        )
        .values(claimed_until=until)
    )
    return done.rowcount == 1


async def review_of(connection: AsyncConnection, edition_id: int) -> Review | None:
    row = (await connection.execute(select(ReviewRow.__table__).where(ReviewRow.edition_id == edition_id))).first()
    if row is None:
        return None
    return Review(
        edition_id=row.edition_id,
        channel_id=row.channel_id,
        message_id=row.message_id,
        thread_id=row.thread_id,
        revision=row.revision,
        shown=tuple(Shown(message_id=int(each[0]), digest=each[1]) for each in row.shown),
        seen=row.seen or None,
    )


async def outdated_reviews(connection: AsyncConnection) -> list[int]:
    """Editions whose draft stands in a review channel as it was before a change that nobody showed there yet."""
    rows = await connection.execute(
        select(ReviewRow.edition_id)
        .join(EditionRow, EditionRow.edition_id == ReviewRow.edition_id)
        .where(ReviewRow.message_id.is_not(None), ReviewRow.revision != 0, ReviewRow.revision != EditionRow.revision)
        .order_by(ReviewRow.edition_id)
    )
    return list(rows.scalars())


async def store_review(connection: AsyncConnection, review: Review) -> None:
    """Note what stands in the review channel now."""
    await connection.execute(
        update(ReviewRow)
        .where(ReviewRow.edition_id == review.edition_id)
        .values(
            channel_id=review.channel_id,
            message_id=review.message_id,
            thread_id=review.thread_id,
            revision=review.revision,
            shown=[[str(each.message_id), each.digest] for each in review.shown],
            seen=dict(review.seen or {}),
        )
    )


async def edits_made(connection: AsyncConnection, guild_id: int, period_start: datetime) -> list[Edit]:
    """Every change to the edition of a period, undone ones too, the earliest first."""
    rows = await connection.execute(
        select(EditRow.__table__)
        .where(EditRow.guild_id == guild_id, EditRow.period_start == period_start)
        .order_by(EditRow.edit_id)
    )
    return [
        Edit(edit_id=r.edit_id, user_id=r.user_id, kind=r.kind, data=r.data, at=r.at, undone_at=r.undone_at)
        for r in rows
    ]
