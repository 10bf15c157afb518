"""The ledger of joins and leaves: one row for each stay of a person in a guild.

Three witnesses may tell of one join: the event, `joined_at` in a member list (or beside a message), and the
arrival message in the welcome channel. They are brought together by `bot.model.stays`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Text, and_, cast, delete, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.model.guilds import Join, Witness
from bot.model.schedule import Period
from bot.model.stays import close_stay, with_join
from bot.store.state import get_state, set_state
from bot.store.tables.guilds import JoinRow, MemberRow
from bot.store.upsert import chunks, upsert


async def store_joins(connection: AsyncConnection, joins: Iterable[Join]) -> None:
    """Keep joins, each stay once whatever the number and order of its witnesses. Idempotent."""
    by_guild: dict[int, dict[int, list[Join]]] = defaultdict(lambda: defaultdict(list))
    for join in joins:
        by_guild[join.guild_id][join.user_id].append(join)
    for guild_id, by_user in sorted(by_guild.items()):
        for some in chunks(sorted(by_user)):
            known = await stays_of(connection, guild_id, some)
            settled = {user_id: tuple(known.get(user_id, ())) for user_id in some}
            for user_id in some:
                for join in by_user[user_id]:
                    settled[user_id] = with_join(settled[user_id], join)
            await _replace(connection, known, settled)


async def store_leave(connection: AsyncConnection, guild_id: int, user_id: int, *, at: datetime) -> None:
    """Note that somebody left. Told twice, the first time stands."""
    known = await stays_of(connection, guild_id, [user_id])
    stays = tuple(known.get(user_id, ()))
    await _replace(connection, known, {user_id: close_stay(stays, at)})
    await connection.execute(
        update(MemberRow)
        .where(
            MemberRow.guild_id == guild_id,
            MemberRow.user_id == user_id,
            MemberRow.left_at.is_(None),
            or_(MemberRow.joined_at.is_(None), MemberRow.joined_at <= at),
        )
        .values(left_at=at)
    )


async def stays_of(connection: AsyncConnection, guild_id: int, user_ids: Sequence[int]) -> dict[int, tuple[Join, ...]]:
    """The known stays of the users in the guild, in the order of time."""
    found: dict[int, list[Join]] = defaultdict(list)
    for some in chunks(sorted(set(user_ids))):
        rows = await connection.execute(
            select(JoinRow.__table__)
            .where(JoinRow.guild_id == guild_id, JoinRow.user_id.in_(some))
            .order_by(JoinRow.user_id, JoinRow.joined_at)
        )
        for row in rows:
            found[row.user_id].append(_join(row))
    return {user_id: tuple(stays) for user_id, stays in found.items()}


async def present_ids(connection: AsyncConnection, guild_id: int, *, before: datetime) -> set[int]:
    """The users who joined before an instant and have not left since, as far as is known."""
    last = (
        select(JoinRow.user_id, func.max(JoinRow.joined_at).label("joined_at"))
        .where(JoinRow.guild_id == guild_id)
        .group_by(JoinRow.user_id)
        .subquery()
    )
    rows = await connection.execute(
        select(JoinRow.user_id)
        .join(last, and_(last.c.user_id == JoinRow.user_id, last.c.joined_at == JoinRow.joined_at))
        .where(JoinRow.guild_id == guild_id, JoinRow.left_at.is_(None), JoinRow.joined_at < before)
    )
    return set(rows.scalars())


async def stays(connection: AsyncConnection, guild_id: int, period: Period) -> list[Join]:
    """Stays that began or ended in the period, of bots too, oldest first."""
    rows = await connection.execute(
        select(JoinRow.__table__)
        .where(
            JoinRow.guild_id == guild_id,
            or_(
                and_(JoinRow.joined_at >= period.start, JoinRow.joined_at < period.end),
                and_(JoinRow.left_at >= period.start, JoinRow.left_at < period.end),
            ),
        )
        .order_by(JoinRow.joined_at, JoinRow.user_id)
    )
    return [_join(row) for row in rows]


async def witnesses(connection: AsyncConnection, guild_id: int) -> frozenset[Witness]:
    """The means by which joins of this guild have ever become known."""
    rows = await connection.execute(select(JoinRow.witness).where(JoinRow.guild_id == guild_id).distinct())
    return frozenset(Witness(name) for name in rows.scalars())


async def members_with_roles(connection: AsyncConnection, guild_id: int, role_ids: Collection[int]) -> frozenset[int]:
    """The people, bots aside, who hold one of these roles and have not left."""
    if not role_ids:
        return frozenset()
    rows = await connection.execute(
        select(MemberRow.user_id, MemberRow.role_ids).where(
            MemberRow.guild_id == guild_id,
            MemberRow.bot.is_(False),
            MemberRow.left_at.is_(None),
            cast(MemberRow.role_ids, Text) != "[]",
        )
    )
    return frozenset(user_id for user_id, held in rows if set(role_ids) & set(held or ()))


async def note_withheld(connection: AsyncConnection, guild_id: int, *, at: datetime | None) -> None:
    """Discord withholds who is in the guild, found so at `at` (told again, the first time stands); None: no longer."""
    if at is None or await withheld_since(connection, guild_id) is None:
        await set_state(connection, f"members withheld {guild_id}", at.isoformat() if at else "")


async def withheld_since(connection: AsyncConnection, guild_id: int) -> datetime | None:
    """Since when Discord has been withholding who is in the guild; None where it is not known to."""
    told = await get_state(connection, f"members withheld {guild_id}")
    return datetime.fromisoformat(told) if told else None


async def _replace(
    connection: AsyncConnection,
    known: dict[int, tuple[Join, ...]],
    settled: dict[int, tuple[Join, ...]],
) -> None:
    """Make the stored stays those of `settled`. A stay whose join became known more exactly moves."""
    written: list[Join] = []
    for user_id, stays in settled.items():
        before = known.get(user_id, ())
        exact = {stay.joined_at for stay in stays}
        for gone in (stay for stay in before if stay.joined_at not in exact):
            await connection.execute(
                delete(JoinRow).where(
                    and_(
                        JoinRow.guild_id == gone.guild_id,
                        JoinRow.user_id == user_id,
                        JoinRow.joined_at == gone.joined_at,
                    )
                )
            )
        written += [stay for stay in stays if stay not in before]
    await upsert(connection, JoinRow, [_values(stay) for stay in written])


def _values(join: Join) -> dict[str, Any]:
    return {
        "guild_id": join.guild_id,
        "user_id": join.user_id,
        "joined_at": join.joined_at,
        "left_at": join.left_at,
        "bot": join.bot,
        "witness": join.witness.value,
    }


def _join(row: Any) -> Join:
    return Join(
        guild_id=row.guild_id,
        user_id=row.user_id,
        joined_at=row.joined_at,
        left_at=row.left_at,
        bot=row.bot,
        witness=Witness(row.witness),
    )
