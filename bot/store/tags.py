"""Tags, suggestions and moderators' word on introductions.

A tag is one moderator's, by one means (menu, command or reaction): several moderators and means on one
message do not disturb each other, and a message is tagged as long as one of its tags stands. Removed tags
are kept, so that who did what stays known.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.model.schedule import Period
from bot.model.snowflakes import first_id_at
from bot.store.tables.moderation import IntroductionMarkRow, SuggestionRow, TagRow
from bot.store.upsert import chunks, insert_new, upsert


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """One moderator's tag on a message. `source`: menu, command, reaction."""

    guild_id: int
    message_id: int
    channel_id: int
    user_id: int
    source: str
    tagged_at: datetime
    section: str | None = None
    note: str | None = None
    rewrite: str | None = None
    removed_at: datetime | None = None
    removed_by: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TaggedMessage:
    """What the standing tags of a message say together.

    `section`, `note` and `rewrite` are those given last; `tagged_by` is in the order of the first tags.
    """

    message_id: int
    channel_id: int
    tagged_by: tuple[int, ...]
    tagged_at: datetime
    section: str | None = None
    note: str | None = None
    rewrite: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A member's suggestion of a message."""

    guild_id: int
    message_id: int
    channel_id: int
    user_id: int
    suggested_at: datetime


async def store_tag(connection: AsyncConnection, tag: Tag) -> bool:
    """Store a tag. The same moderator's standing tag by the same means is replaced.

    Returns whether the message was not tagged before by this moderator by this means. Call it inside one
    `store.write()`, so that two calls at once cannot both find nothing.
    """
    standing = _standing(tag.guild_id, tag.message_id, tag.user_id, tag.source)
    changed = await connection.execute(
        update(TagRow).where(*standing).values(section=tag.section, note=tag.note, rewrite=tag.rewrite)
    )
    if changed.rowcount:
        return False
    await connection.execute(
        insert(TagRow).values(
            guild_id=tag.guild_id,
            message_id=tag.message_id,
            channel_id=tag.channel_id,
            user_id=tag.user_id,
            source=tag.source,
            section=tag.section,
            note=tag.note,
            rewrite=tag.rewrite,
            tagged_at=tag.tagged_at,
        )
    )
    return True


async def remove_tags(
    connection: AsyncConnection,
    guild_id: int,
    message_id: int,
    *,
    at: datetime,
    by: int | None,
    user_id: int | None = None,
    source: str | None = None,
) -> int:
    """Take tags off a message: all of them, or one moderator's, or those of one means. Returns how many stood.

    `by` is who removed them, None where Discord did (a cleared reaction, a deleted message).
    """
    removed = await connection.execute(
        update(TagRow).where(*_standing(guild_id, message_id, user_id, source)).values(removed_at=at, removed_by=by)
    )
    return removed.rowcount


def _standing(guild_id: int, message_id: int, user_id: int | None, source: str | None) -> list[Any]:
    conditions = [TagRow.guild_id == guild_id, TagRow.message_id == message_id, TagRow.removed_at.is_(None)]
    if user_id is not None:
        conditions.append(TagRow.user_id == user_id)
    if source is not None:
        conditions.append(TagRow.source == source)
    return conditions


async def restore_tags(connection: AsyncConnection, guild_id: int, message_id: int, *, removed_at: datetime) -> int:
    """Put back the tags that were taken off a message at that instant. Returns how many."""
    restored = await connection.execute(
        update(TagRow)
        .where(TagRow.guild_id == guild_id, TagRow.message_id == message_id, TagRow.removed_at == removed_at)
        .values(removed_at=None, removed_by=None)
    )
    return restored.rowcount


async def tags_of(connection: AsyncConnection, guild_id: int, message_id: int) -> list[Tag]:
    """Every tag the message ever had, removed ones too, oldest first."""
    rows = await connection.execute(
        select(TagRow.__table__)
        .where(TagRow.guild_id == guild_id, TagRow.message_id == message_id)
        .order_by(TagRow.tagged_at, TagRow.tag_id)
    )
    return [_tag(row) for row in rows]


async def tagged_between(connection: AsyncConnection, guild_id: int, period: Period) -> list[TaggedMessage]:
    """The tagged messages of a period, oldest message first.

    A message belongs to the period in which it was sent. One that is older is taken up where it was tagged,
    so that what a moderator finds late is still told.
    """
    rows = await connection.execute(
        select(TagRow.__table__)
        .where(
            TagRow.guild_id == guild_id,
            TagRow.removed_at.is_(None),
            TagRow.message_id < first_id_at(period.end),
            (TagRow.message_id >= first_id_at(period.start)) | (TagRow.tagged_at >= period.start),
        )
        .order_by(TagRow.message_id, TagRow.tagged_at, TagRow.tag_id)
    )
    by_message: dict[int, list[Tag]] = {}
    for row in rows:
        by_message.setdefault(row.message_id, []).append(_tag(row))
    together = [_together(tags) for tags in by_message.values()]
    first = first_id_at(period.start)
    return [t for t in together if t.message_id >= first or t.tagged_at in period]


def _together(tags: list[Tag]) -> TaggedMessage:
    def last(values: list[str | None]) -> str | None:
        return next((value for value in reversed(values) if value), None)

    return TaggedMessage(
        message_id=tags[0].message_id,
        channel_id=tags[0].channel_id,
        tagged_by=tuple(dict.fromkeys(tag.user_id for tag in tags)),
        tagged_at=tags[0].tagged_at,
        section=last([tag.section for tag in tags]),
        note=last([tag.note for tag in tags]),
        rewrite=last([tag.rewrite for tag in tags]),
    )


def _tag(row: Row[Any]) -> Tag:
    return Tag(
        guild_id=row.guild_id,
        message_id=row.message_id,
        channel_id=row.channel_id,
        user_id=row.user_id,
        source=row.source,
        tagged_at=row.tagged_at,
        section=row.section,
        note=row.note,
        rewrite=row.rewrite,
        removed_at=row.removed_at,
        removed_by=row.removed_by,
    )


async def store_suggestion(connection: AsyncConnection, suggestion: Suggestion) -> bool:
    """Store a member's suggestion. Returns False where the same member had suggested the message before."""
    key = (
        SuggestionRow.message_id == suggestion.message_id,
        SuggestionRow.user_id == suggestion.user_id,
    )
    if (await connection.execute(select(SuggestionRow.message_id).where(*key))).first():
        return False
    await insert_new(connection, SuggestionRow, [asdict(suggestion)])
    return True


async def remove_suggestion(connection: AsyncConnection, message_id: int, user_id: int | None = None) -> int:
    """Take back one member's suggestion of a message, or all of them. Returns how many stood."""
    conditions = [SuggestionRow.message_id == message_id]
    if user_id is not None:
        conditions.append(SuggestionRow.user_id == user_id)
    return (await connection.execute(delete(SuggestionRow).where(*conditions))).rowcount


async def suggestions_between(connection: AsyncConnection, guild_id: int, period: Period) -> list[Suggestion]:
    """The suggestions of messages sent in the period, oldest message first, then in their order."""
    rows = await connection.execute(
        select(SuggestionRow.__table__)
        .where(
            SuggestionRow.guild_id == guild_id,
            SuggestionRow.message_id >= first_id_at(period.start),
            SuggestionRow.message_id < first_id_at(period.end),
        )
        .order_by(SuggestionRow.message_id, SuggestionRow.suggested_at)
    )
    return [
        Suggestion(
            guild_id=row.guild_id,
            message_id=row.message_id,
            channel_id=row.channel_id,
            user_id=row.user_id,
            suggested_at=row.suggested_at,
        )
        for row in rows
    ]


async def store_introduction_mark(
    connection: AsyncConnection, *, guild_id: int, message_id: int, is_introduction: bool, by: int, at: datetime
) -> None:
    """Store a moderator's word on a message; the last word counts."""
    values = {"is_introduction": is_introduction, "marked_by": by, "marked_at": at}
    await upsert(connection, IntroductionMarkRow, [{"message_id": message_id, "guild_id": guild_id, **values}])


async def introduction_mark(connection: AsyncConnection, message_id: int) -> bool | None:
    """A moderator's word on whether the message is an introduction; None where nobody gave one."""
    found = await connection.execute(
        select(IntroductionMarkRow.is_introduction).where(IntroductionMarkRow.message_id == message_id)
    )
    return found.scalar_one_or_none()


async def remove_introduction_mark(connection: AsyncConnection, message_id: int) -> None:
    """Take a moderator's word back: the rule decides again."""
    await connection.execute(delete(IntroductionMarkRow).where(IntroductionMarkRow.message_id == message_id))


async def suggesters_of(connection: AsyncConnection, message_ids: Collection[int]) -> dict[int, set[int]]:
    """Who suggested which of the messages; those that nobody did are left out."""
    found: dict[int, set[int]] = {}
    for some in chunks(sorted(message_ids)):
        rows = await connection.execute(
            select(SuggestionRow.message_id, SuggestionRow.user_id).where(SuggestionRow.message_id.in_(some))
        )
        for row in rows:
            found.setdefault(row.message_id, set()).add(row.user_id)
    return found


async def standing_tags(
    connection: AsyncConnection, guild_id: int, message_ids: Collection[int]
) -> dict[int, list[Tag]]:
    """The tags that stand on any of the messages, oldest first; those without tags are left out."""
    found: dict[int, list[Tag]] = {}
    for some in chunks(sorted(message_ids)):
        rows = await connection.execute(
            select(TagRow.__table__)
            .where(TagRow.guild_id == guild_id, TagRow.message_id.in_(some), TagRow.removed_at.is_(None))
            .order_by(TagRow.tagged_at, TagRow.tag_id)
        )
        for row in rows:
            found.setdefault(row.message_id, []).append(_tag(row))
    return found


async def introduction_marks(connection: AsyncConnection, guild_id: int, period: Period) -> dict[int, bool]:
    """Moderators' word on messages of the period: message id -> whether it is an introduction."""
    rows = await connection.execute(
        select(IntroductionMarkRow.message_id, IntroductionMarkRow.is_introduction).where(
            IntroductionMarkRow.guild_id == guild_id,
            IntroductionMarkRow.message_id >= first_id_at(period.start),
            IntroductionMarkRow.message_id < first_id_at(period.end),
        )
    )
    return {row.message_id: row.is_introduction for row in rows}


async def forget_messages(connection: AsyncConnection, message_ids: Collection[int], *, at: datetime) -> None:
    """Take off the tags and suggestions of messages that are gone."""
    ordered = sorted(set(message_ids))
    for start in range(0, len(ordered), 500):
        batch = ordered[start : start + 500]
        await connection.execute(
            update(TagRow)
            .where(TagRow.message_id.in_(batch), TagRow.removed_at.is_(None))
            .values(removed_at=at, removed_by=None)
        )
        await connection.execute(delete(SuggestionRow).where(SuggestionRow.message_id.in_(batch)))
