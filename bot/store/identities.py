"""Which member is which account on GitHub: claimed by the member, in force once a moderator confirmed it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.errors import ConflictError, NotFoundError
from bot.model.github import IdentityLink
from bot.store.tables.github import IdentityLinkRow
from bot.store.upsert import upsert


async def request_link(
    connection: AsyncConnection, guild_id: int, user_id: int, login: str, *, at: datetime
) -> IdentityLink:
    """Note a member's claim. Claiming the same login again changes nothing, another one begins anew."""
    standing = await link_of(connection, guild_id, user_id)
    if standing and standing.login.lower() == login.lower():
        return standing
    claim = {
        "guild_id": guild_id,
        "user_id": user_id,
        "login": login,
        "requested_at": at,
        "confirmed_at": None,
        "confirmed_by": None,
    }
    await upsert(connection, IdentityLinkRow, [claim])
    return IdentityLink(guild_id=guild_id, user_id=user_id, login=login, requested_at=at)


async def confirm_link(
    connection: AsyncConnection, guild_id: int, user_id: int, *, by: int, at: datetime
) -> IdentityLink:
    """Put a claim into force. `by` is the moderator's user id.

    Raises NotFoundError where the member claims nothing, ConflictError where another member has the login.
    """
    claim = await link_of(connection, guild_id, user_id)
    if claim is None:
        raise NotFoundError("This member has not asked for a link; they do so with /github link.")
    holder = await member_of(connection, guild_id, claim.login)
    if holder and holder.user_id != user_id:
        raise ConflictError(f"{claim.login} is linked to another member already; remove that link first.")
    where = (IdentityLinkRow.guild_id == guild_id, IdentityLinkRow.user_id == user_id)
    await connection.execute(update(IdentityLinkRow).where(*where).values(confirmed_at=at, confirmed_by=by or None))
    return IdentityLink(
        guild_id=guild_id,
        user_id=user_id,
        login=claim.login,
        requested_at=claim.requested_at,
        confirmed_at=at,
        confirmed_by=by,
    )


async def remove_link(connection: AsyncConnection, guild_id: int, user_id: int) -> bool:
    """Forget a member's link or claim; whether there was one."""
    where = (IdentityLinkRow.guild_id == guild_id, IdentityLinkRow.user_id == user_id)
    return (await connection.execute(delete(IdentityLinkRow).where(*where))).rowcount > 0


async def forget_user(connection: AsyncConnection, user_id: int) -> None:
    """Remove everything that links a user to GitHub, in every guild."""
    await connection.execute(delete(IdentityLinkRow).where(IdentityLinkRow.user_id == user_id))


async def link_of(connection: AsyncConnection, guild_id: int, user_id: int) -> IdentityLink | None:
    """A member's link or claim."""
    where = (IdentityLinkRow.guild_id == guild_id, IdentityLinkRow.user_id == user_id)
    row = (await connection.execute(select(IdentityLinkRow).where(*where))).first()
    return _link(row) if row else None


async def member_of(connection: AsyncConnection, guild_id: int, login: str) -> IdentityLink | None:
    """The confirmed link of a login, in any case."""
    query = select(IdentityLinkRow).where(
        IdentityLinkRow.guild_id == guild_id,
        func.lower(IdentityLinkRow.login) == login.lower(),
        IdentityLinkRow.confirmed_at.is_not(None),
    )
    row = (await connection.execute(query)).first()
    return _link(row) if row else None


async def links_in(connection: AsyncConnection, guild_id: int, *, confirmed: bool = True) -> list[IdentityLink]:
    """The guild's confirmed links, or else the claims that wait, the oldest first."""
    is_confirmed = IdentityLinkRow.confirmed_at.is_not(None)
    query = (
        select(IdentityLinkRow)
        .where(IdentityLinkRow.guild_id == guild_id, is_confirmed if confirmed else ~is_confirmed)
        .order_by(IdentityLinkRow.requested_at, IdentityLinkRow.user_id)
    )
    return [_link(row) for row in await connection.execute(query)]


def _link(row: Row[Any]) -> IdentityLink:
    return IdentityLink(
        guild_id=row.guild_id,
        user_id=row.user_id,
        login=row.login,
        requested_at=row.requested_at,
        confirmed_at=row.confirmed_at,
        confirmed_by=row.confirmed_by,
    )


async def linked_logins(connection: AsyncConnection, guild_id: int) -> dict[int, str]:
    """The GitHub logins of members that a moderator confirmed, by user id."""
    rows = await connection.execute(
        select(IdentityLinkRow.user_id, IdentityLinkRow.login).where(
            IdentityLinkRow.guild_id == guild_id, IdentityLinkRow.confirmed_at.is_not(None)
        )
    )
    return {row.user_id: row.login for row in rows}
