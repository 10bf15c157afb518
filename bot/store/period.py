"""What was recorded of one guild in one period.

Counting is done by the database and grouped by channel, so that a period of a million messages costs a few
passes and little memory; whole messages are handed out only for the few that may be told. Everything here
speaks of what is said by the community (`Message.is_said`), never of those who opted out. Whether a channel
may be told at all is for the caller to decide, from the channel ids that come with every figure.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, bindparam, case, func, literal, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import InstrumentedAttribute

from bot.model.guilds import THREAD_TYPES
from bot.model.messages import Message, MessageType, Speaker
from bot.model.schedule import Period
from bot.model.snowflakes import first_id_at
from bot.store.message_rows import message_of
from bot.store.tables.guilds import ChannelRow
from bot.store.tables.messages import MessageReferenceRow, MessageRow
from bot.store.tables.moderation import OptOutRow
from bot.store.upsert import chunks

_SAID = and_(
    MessageRow.deleted_at.is_(None),
    MessageRow.message_type.in_((int(MessageType.DEFAULT), int(MessageType.REPLY))),
    MessageRow.speaker.in_((Speaker.MEMBER.value, Speaker.PROXIED.value)),
)


@dataclass(frozen=True, slots=True)
class Tally:
    """How many messages a channel or thread had, of how many people, and how many of them before some instants."""

    channel_id: int
    messages: int
    people: int
    before: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Mention:
    """A message that refers to a pull request or issue; `reference` is canonical, in lower case."""

    reference: str
    message_id: int
    channel_id: int
    author_id: int


@dataclass(frozen=True, slots=True)
class Talk:
    """A message that was answered: by how many messages and how many different people."""

    message_id: int
    channel_id: int
    replies: int
    people: int


def _opted_out(guild_id: int) -> Select[Any]:
    return select(OptOutRow.user_id).where(OptOutRow.guild_id.in_((0, guild_id)))


def _said_in(guild_id: int, period: Period) -> tuple:
    """The conditions for a message of the guild that was said in the period by somebody who may be counted."""
    return (
        MessageRow.guild_id == guild_id,
        MessageRow.message_id >= first_id_at(period.start),
        MessageRow.message_id < first_id_at(period.end),
        _SAID,
        MessageRow.author_id.not_in(_opted_out(guild_id)),
    )


async def opted_out(connection: AsyncConnection, guild_id: int) -> frozenset[int]:
    """Who does not want to appear in this guild."""
    return frozenset((await connection.execute(_opted_out(guild_id))).scalars())


async def tallies(
    connection: AsyncConnection, guild_id: int, period: Period, *, until: Sequence[datetime] = ()
) -> list[Tally]:
    """Messages by channel; `before` counts those before each of the instants `until`."""
    bounds = [first_id_at(instant) for instant in until]
    earlier = [func.count().filter(MessageRow.message_id < bound) for bound in bounds]
    channel = _unindexed(MessageRow.channel_id)
    rows = await connection.execute(
        select(channel, func.count(), func.count(MessageRow.author_id.distinct()), *earlier)
        .where(*_said_in(guild_id, period))
        .group_by(channel)
    )
    return [Tally(row[0], row[1], row[2], tuple(row[3:])) for row in rows]


async def people(connection: AsyncConnection, guild_id: int, period: Period, *, without: Collection[int] = ()) -> int:
    """How many different people said something, the channels and threads `without` aside."""
    return (
        await connection.execute(
            select(func.count(MessageRow.author_id.distinct())).where(*_said_in(guild_id, period), *_except(without))
        )
    ).scalar_one()


async def people_with_threads(
    connection: AsyncConnection, guild_id: int, period: Period, *, without: Collection[int] = ()
) -> dict[int, int]:
    """How many different people said something in each channel, its threads counted to it."""
    threads = ChannelRow.channel_type.in_([int(kind) for kind in THREAD_TYPES])
    place = case((threads, ChannelRow.parent_id), else_=MessageRow.channel_id)
    rows = await connection.execute(
        select(place, func.count(MessageRow.author_id.distinct()))
        .outerjoin_from(MessageRow, ChannelRow, ChannelRow.channel_id == MessageRow.channel_id)
        .where(*_said_in(guild_id, period), *_except(without))
        .group_by(place)
    )
    return {channel_id: count for channel_id, count in rows if channel_id is not None}


def _except(channel_ids: Collection[int]) -> tuple[ColumnElement[bool], ...]:
    """Written out rather than bound: a statement takes a limited number of parameters."""
    if not channel_ids:
        return ()
    return (MessageRow.channel_id.not_in(bindparam(None, sorted(channel_ids), expanding=True, literal_execute=True)),)


def _unindexed(column: InstrumentedAttribute[int]) -> ColumnElement[int]:
    """The column as an expression. SQLite would walk an index in the order of a grouping, one lookup a message,
    where a period is a single range of the table."""
    return column + literal(0)


async def reaction_counts(connection: AsyncConnection, guild_id: int, period: Period) -> dict[tuple[int, int], int]:
    """Of how many messages a channel's reached so many reactions, those without any aside: (channel, reactions)."""
    channel = _unindexed(MessageRow.channel_id)
    rows = await connection.execute(
        select(channel, MessageRow.reaction_count, func.count())
        .where(*_said_in(guild_id, period), MessageRow.reaction_count > 0)
        .group_by(channel, MessageRow.reaction_count)
    )
    return {(channel_id, reactions): count for channel_id, reactions, count in rows}


async def messages_of_channels(
    connection: AsyncConnection, guild_id: int, channel_ids: Collection[int], period: Period, *, limit: int = 20_000
) -> list[Message]:
    """What was said in these channels, oldest first; of more than `limit` messages the newest."""
    found: list[Message] = []
    for batch in chunks(sorted(set(channel_ids))):
        rows = await connection.execute(
            select(MessageRow.__table__)
            .where(*_said_in(guild_id, period), MessageRow.channel_id.in_(batch))
            .order_by(MessageRow.message_id.desc())
            .limit(limit)
        )
        found.extend(message_of(row) for row in rows)
    return sorted(found, key=lambda m: m.message_id)[-limit:]


async def messages_by_id(connection: AsyncConnection, guild_id: int, message_ids: Collection[int]) -> list[Message]:
    """Those of these messages that still stand and may be quoted, of whatever period, oldest first."""
    found: list[Message] = []
    for batch in chunks(sorted(set(message_ids))):
        rows = await connection.execute(
            select(MessageRow.__table__).where(
                MessageRow.guild_id == guild_id,
                MessageRow.message_id.in_(batch),
                _SAID,
                MessageRow.author_id.not_in(_opted_out(guild_id)),
            )
        )
        found.extend(message_of(row) for row in rows)
    return sorted(found, key=lambda m: m.message_id)


async def originals(connection: AsyncConnection, guild_id: int, message_ids: Collection[int]) -> list[Message]:
    """These messages whoever wrote them (bots, the deleted and the opted-out too): to see what was answered.

    Not for quoting.
    """
    found: list[Message] = []
    for batch in chunks(sorted(set(message_ids))):
        rows = await connection.execute(
            select(MessageRow.__table__).where(MessageRow.guild_id == guild_id, MessageRow.message_id.in_(batch))
        )
        found.extend(message_of(row) for row in rows)
    return sorted(found, key=lambda m: m.message_id)


async def replies_to(
    connection: AsyncConnection, guild_id: int, message_ids: Collection[int], period: Period
) -> list[Message]:
    """What was said in the period in direct answer to these messages, oldest first."""
    found: list[Message] = []
    for batch in chunks(sorted(set(message_ids))):
        rows = await connection.execute(
            select(MessageRow.__table__).where(*_said_in(guild_id, period), MessageRow.reply_to_id.in_(batch))
        )
        found.extend(message_of(row) for row in rows)
    return sorted(found, key=lambda m: m.message_id)


async def most_reacted(
    connection: AsyncConnection,
    guild_id: int,
    period: Period,
    *,
    at_least: int,
    channel_ids: Collection[int],
    limit: int,
) -> list[Message]:
    """The messages with most reactions in these channels, most first."""
    rows = await connection.execute(
        select(MessageRow.message_id, MessageRow.channel_id)
        .where(*_said_in(guild_id, period), MessageRow.reaction_count >= at_least)
        .order_by(MessageRow.reaction_count.desc(), MessageRow.message_id)
        .limit(limit * 10)
    )
    wanted = [row.message_id for row in rows if row.channel_id in channel_ids][:limit]
    found = {m.message_id: m for m in await messages_by_id(connection, guild_id, wanted)}
    return [found[message_id] for message_id in wanted]


async def messages_with_links(
    connection: AsyncConnection, guild_id: int, period: Period, *, at_least: int, limit: int
) -> list[Message]:
    """Messages that hold a web address and have a preview or at least so many reactions, most reactions first."""
    rows = await connection.execute(
        select(MessageRow.__table__)
        .where(
            *_said_in(guild_id, period),
            or_(MessageRow.previews.is_not(None), MessageRow.reaction_count >= at_least),
            MessageRow.content.contains("://"),
        )
        .order_by(MessageRow.reaction_count.desc(), MessageRow.message_id)
        .limit(limit)
    )
    return [message_of(row) for row in rows]


async def messages_of_authors(
    connection: AsyncConnection, guild_id: int, author_ids: Collection[int], period: Period, *, limit: int
) -> list[Message]:
    """What these people said, newest first up to `limit`."""
    found: list[Message] = []
    for batch in chunks(sorted(set(author_ids))):
        rows = await connection.execute(
            select(MessageRow.__table__)
            .where(*_said_in(guild_id, period), MessageRow.author_id.in_(batch))
            .order_by(MessageRow.message_id.desc())
            .limit(limit)
        )
        found.extend(message_of(row) for row in rows)
    return sorted(found, key=lambda m: -m.message_id)[:limit]


async def mentions(connection: AsyncConnection, guild_id: int, period: Period) -> list[Mention]:
    """Which messages refer to which items, oldest first."""
    rows = await connection.execute(
        select(MessageReferenceRow.reference, MessageRow.message_id, MessageRow.channel_id, MessageRow.author_id)
        .join(MessageRow, MessageRow.message_id == MessageReferenceRow.message_id)
        .where(
            MessageReferenceRow.message_id >= first_id_at(period.start),
            MessageReferenceRow.message_id < first_id_at(period.end),
            *_said_in(guild_id, period),
        )
        .order_by(MessageRow.message_id, MessageReferenceRow.reference)
    )
    return [Mention(*row) for row in rows]


async def answered(
    connection: AsyncConnection, guild_id: int, period: Period, *, people: int, limit: int
) -> list[Talk]:
    """Messages that at least so many different people answered, most people first."""
    distinct = func.count(MessageRow.author_id.distinct())
    channel = _unindexed(MessageRow.channel_id)
    rows = await connection.execute(
        select(MessageRow.reply_to_id, channel, func.count(), distinct)
        .where(*_said_in(guild_id, period), MessageRow.reply_to_id.is_not(None))
        .group_by(MessageRow.reply_to_id, channel)
        .having(distinct >= people)
        .order_by(distinct.desc(), MessageRow.reply_to_id)
        .limit(limit)
    )
    return [Talk(row[0] or 0, row[1], row[2], row[3]) for row in rows]


async def first_messages(
    connection: AsyncConnection, guild_id: int, author_ids: Collection[int], *, before: datetime
) -> dict[int, int]:
    """The first message that each of these people is known to have written in the guild before an instant."""
    found: dict[int, int] = {}
    for batch in chunks(sorted(set(author_ids))):
        rows = await connection.execute(
            select(MessageRow.author_id, func.min(MessageRow.message_id))
            .where(
                MessageRow.guild_id == guild_id,
                MessageRow.author_id.in_(batch),
                MessageRow.message_id < first_id_at(before),
                _SAID,
            )
            .group_by(MessageRow.author_id)
        )
        found.update((author_id, message_id) for author_id, message_id in rows)
    return found
