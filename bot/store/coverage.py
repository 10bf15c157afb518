"""Which stretches of each channel have been read, what was missed, and since when a shard has been listening.

While a shard is connected its channels' newest stretches grow: they are marked with the shard and end where it
was last seen, so that a flush moves one row. A new session closes them and opens new ones behind the gap.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import and_, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.model.schedule import Period
from bot.model.stretches import Stretch, merged, without
from bot.store.tables.editions import ScheduleRow
from bot.store.tables.messages import CoverageRow, GapRow, SessionRow
from bot.store.upsert import chunks, upsert

_NOT_UNDERSTOOD = "not understood"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A stretch of a channel that was not recorded live; `recovered_at` says when it was read back."""

    guild_id: int
    channel_id: int
    start: datetime
    end: datetime
    reason: str
    recovered_at: datetime | None = None


async def coverage_of(connection: AsyncConnection, guild_id: int) -> dict[int, list[Stretch]]:
    """The stretches known of each of the guild's channels, put together, in the order of time."""
    rows = await connection.execute(
        select(CoverageRow.channel_id, CoverageRow.start_at, _end().label("end"))
        .outerjoin(SessionRow, SessionRow.shard_id == CoverageRow.live_shard)
        .where(CoverageRow.guild_id == guild_id)
    )
    found: dict[int, list[Stretch]] = defaultdict(list)
    for row in rows:
        found[row.channel_id].append((row.start_at, row.end))
    return {channel_id: merged(stretches) for channel_id, stretches in found.items()}


async def add_coverage(
    connection: AsyncConnection, guild_id: int, channel_id: int, start: datetime, end: datetime
) -> None:
    """Note that `[start, end)` of the channel has been read. Stretches that touch become one."""
    if start >= end:
        return
    rows = await connection.execute(
        select(CoverageRow.start_at, CoverageRow.end_at).where(
            CoverageRow.channel_id == channel_id,
            CoverageRow.live_shard.is_(None),
            CoverageRow.start_at <= end,
            CoverageRow.end_at >= start,
        )
    )
    touching = [(row.start_at, row.end_at) for row in rows]
    whole = merged([*touching, (start, end)])
    await _rewrite(connection, guild_id, channel_id, touching, whole)


async def _rewrite(
    connection: AsyncConnection, guild_id: int, channel_id: int, old: Sequence[Stretch], new: Sequence[Stretch]
) -> None:
    kept = {start for start, _ in new}
    for start, _ in old:
        if start not in kept:
            await connection.execute(
                delete(CoverageRow).where(
                    CoverageRow.channel_id == channel_id,
                    CoverageRow.start_at == start,
                    CoverageRow.live_shard.is_(None),
                )
            )
    # A live stretch that begins at the same instant already reaches as far or further.
    await upsert(
        connection,
        CoverageRow,
        [_values(guild_id, channel_id, start, end, None) for start, end in new],
        keep=("guild_id", "live_shard"),
    )


async def live_since(connection: AsyncConnection, shard_id: int, guild_id: int) -> dict[int, datetime]:
    """The guild's channels that the shard is recording, and since when."""
    rows = await connection.execute(
        select(CoverageRow.channel_id, CoverageRow.start_at).where(
            CoverageRow.live_shard == shard_id, CoverageRow.guild_id == guild_id
        )
    )
    return {row.channel_id: row.start_at for row in rows}


async def begin_live(connection: AsyncConnection, shard_id: int, channels: Mapping[int, int], *, at: datetime) -> None:
    """From `at` on the channels (id to guild), none of which is live yet, are recorded live by the shard."""
    await upsert(
        connection,
        CoverageRow,
        [_values(guild_id, channel_id, at, at, shard_id) for channel_id, guild_id in channels.items()],
    )


async def end_live(
    connection: AsyncConnection, shard_id: int, *, at: datetime | None = None, channel_ids: Iterable[int] | None = None
) -> None:
    """Close the shard's live stretches (of `channel_ids`, or all) where it was last seen, or at an earlier `at`."""
    seen_at = await seen(connection, shard_id)
    end = min((instant for instant in (seen_at, at) if instant is not None), default=None)
    wanted = CoverageRow.live_shard == shard_id
    groups: Iterable[Sequence[int] | None] = [None] if channel_ids is None else chunks(sorted(channel_ids))
    for some in groups:
        chosen = wanted if some is None else and_(wanted, CoverageRow.channel_id.in_(some))
        if end is None:
            await connection.execute(delete(CoverageRow).where(chosen))
            continue
        await connection.execute(delete(CoverageRow).where(chosen, CoverageRow.start_at >= end))
        await connection.execute(update(CoverageRow).where(chosen).values(live_shard=None, end_at=end))


async def open_since(connection: AsyncConnection, guild_id: int) -> datetime | None:
    """When the period began whose edition is due next; None without a schedule."""
    found = await connection.execute(select(ScheduleRow.period_start).where(ScheduleRow.guild_id == guild_id))
    return found.scalar_one_or_none()


async def touch(connection: AsyncConnection, shard_id: int, *, at: datetime) -> None:
    """Everything the shard sent up to `at` is stored. Belongs into the transaction that stored it."""
    await upsert(
        connection,
        SessionRow,
        [{"shard_id": shard_id, "seen_at": at}],
        where=lambda new: SessionRow.seen_at < new.seen_at,
    )


async def seen(connection: AsyncConnection, shard_id: int) -> datetime | None:
    """Up to when everything the shard sent is stored; None before its first session."""
    found = await connection.execute(select(SessionRow.seen_at).where(SessionRow.shard_id == shard_id))
    return found.scalar_one_or_none()


async def lose(
    connection: AsyncConnection, channels: Mapping[int, int], start: datetime, end: datetime, *, reason: str
) -> None:
    """Events of `[start, end)` were let go: note a gap in each channel (id to guild) and take back its coverage.

    The channels' live stretches must have been closed before.
    """
    for channel_id, guild_id in channels.items():
        rows = await connection.execute(
            select(CoverageRow.start_at, CoverageRow.end_at).where(
                CoverageRow.channel_id == channel_id,
                CoverageRow.live_shard.is_(None),
                CoverageRow.start_at < end,
                CoverageRow.end_at > start,
            )
        )
        hurt = [(row.start_at, row.end_at) for row in rows]
        await _rewrite(connection, guild_id, channel_id, hurt, without(hurt, start, end))
    await note_gaps(
        connection,
        [
            Gap(guild_id=guild_id, channel_id=channel_id, start=start, end=end, reason=reason)
            for channel_id, guild_id in channels.items()
        ],
    )


async def note_gaps(connection: AsyncConnection, gaps: Sequence[Gap]) -> None:
    """Keep gaps; one that lies within a gap already noted of its channel is not noted again."""
    new = []
    for gap in gaps:
        known = await connection.execute(
            select(GapRow.gap_id)
            .where(
                GapRow.channel_id == gap.channel_id,
                GapRow.start_at <= gap.start,
                GapRow.end_at >= gap.end,
                GapRow.recovered_at.is_(None),
            )
            .limit(1)
        )
        if known.first() is None:
            new.append(
                {
                    "guild_id": gap.guild_id,
                    "channel_id": gap.channel_id,
                    "start_at": gap.start,
                    "end_at": gap.end,
                    "reason": gap.reason,
                }
            )
    if new:
        await connection.execute(insert(GapRow), new)


async def note_not_understood(connection: AsyncConnection, *, guild_id: int, channel_id: int, at: datetime) -> None:
    """Something that was said or happened about then could not be stored: a gap that reading again does not close."""
    moment = timedelta(seconds=1)
    gap = Gap(guild_id=guild_id, channel_id=channel_id, start=at - moment, end=at + moment, reason=_NOT_UNDERSTOOD)
    await note_gaps(connection, [gap])


async def recover_gaps(
    connection: AsyncConnection, channel_id: int, covered: Sequence[Stretch], *, at: datetime
) -> None:
    """Mark those gaps of the channel as read back that lie within the covered stretches."""
    rows = await connection.execute(
        select(GapRow.gap_id, GapRow.start_at, GapRow.end_at).where(
            GapRow.channel_id == channel_id, GapRow.recovered_at.is_(None), GapRow.reason != _NOT_UNDERSTOOD
        )
    )
    whole = [row.gap_id for row in rows if any(start <= row.start_at and row.end_at <= end for start, end in covered)]
    for some in chunks(whole):
        await connection.execute(update(GapRow).where(GapRow.gap_id.in_(some)).values(recovered_at=at))


async def gaps_of(connection: AsyncConnection, guild_id: int, start: datetime, end: datetime) -> list[Gap]:
    """The guild's gaps that overlap `[start, end)`, the first one first."""
    rows = await connection.execute(
        select(GapRow.__table__)
        .where(GapRow.guild_id == guild_id, GapRow.start_at < end, GapRow.end_at > start)
        .order_by(GapRow.start_at, GapRow.gap_id)
    )
    return [
        Gap(
            guild_id=row.guild_id,
            channel_id=row.channel_id,
            start=row.start_at,
            end=row.end_at,
            reason=row.reason,
            recovered_at=row.recovered_at,
        )
        for row in rows
    ]


def _end() -> Any:
    return func.coalesce(SessionRow.seen_at, CoverageRow.end_at)


def _values(guild_id: int, channel_id: int, start: datetime, end: datetime, live_shard: int | None) -> dict[str, Any]:
    return {
        "channel_id": channel_id,
        "start_at": start,
        "end_at": end,
        "guild_id": guild_id,
        "live_shard": live_shard,
    }


async def covered_channels(connection: AsyncConnection, guild_id: int, period: Period) -> frozenset[int]:
    """Channels of which some stretch of the period has been read."""
    known = await coverage_of(connection, guild_id)
    return frozenset(
        channel_id
        for channel_id, stretches in known.items()
        if any(start < period.end and end > period.start for start, end in stretches)
    )
