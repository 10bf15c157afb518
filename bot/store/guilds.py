"""Guilds, their settings, channels, roles, members and calendars."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.errors import NotFoundError
from bot.model.guilds import Channel, Guild, Member, Overwrite, Role, ScheduledEvent
from bot.model.settings import GuildSettings
from bot.store.tables.guilds import (
    ChannelRow,
    GuildRow,
    GuildSettingsRow,
    MemberRow,
    RoleRow,
    ScheduledEventRow,
)
from bot.store.upsert import chunks, upsert


async def store_guild(connection: AsyncConnection, guild: Guild) -> None:
    """Keep the guild's name and owner; what is not known (None) stays as it was. It is no longer left."""
    await upsert(
        connection,
        GuildRow,
        [
            {
                "guild_id": guild.guild_id,
                "name": guild.name,
                "owner_id": guild.owner_id,
                "self_id": guild.self_id,
                "left_at": None,
            }
        ],
        change=lambda new: {
            "owner_id": func.coalesce(new.owner_id, GuildRow.owner_id),
            "self_id": func.coalesce(new.self_id, GuildRow.self_id),
        },
    )


async def leave_guild(connection: AsyncConnection, guild_id: int, *, at: datetime) -> None:
    """Note that the bot is no longer in the guild."""
    await connection.execute(update(GuildRow).where(GuildRow.guild_id == guild_id).values(left_at=at))


async def fetch_guild(connection: AsyncConnection, guild_id: int) -> Guild:
    """The guild. Raises NotFoundError for one that was never recorded."""
    row = (await connection.execute(select(GuildRow.__table__).where(GuildRow.guild_id == guild_id))).first()
    if row is None:
        raise NotFoundError(f"The guild {guild_id} is not recorded; invite the bot to it or import its history first.")
    return Guild(guild_id=row.guild_id, name=row.name, owner_id=row.owner_id, self_id=row.self_id)


async def guild_ids(connection: AsyncConnection) -> list[int]:
    """The guilds that are recorded and not left, in ascending order."""
    rows = await connection.execute(
        select(GuildRow.guild_id).where(GuildRow.left_at.is_(None)).order_by(GuildRow.guild_id)
    )
    return list(rows.scalars())


async def fetch_settings(connection: AsyncConnection, guild_id: int) -> GuildSettings:
    """The guild's settings, the defaults where it has none."""
    found = await connection.execute(select(GuildSettingsRow.document).where(GuildSettingsRow.guild_id == guild_id))
    document = found.scalar_one_or_none()
    return GuildSettings() if document is None else GuildSettings.model_validate(document)


async def store_settings(
    connection: AsyncConnection, guild_id: int, settings: GuildSettings, *, at: datetime, by: int | None = None
) -> None:
    """Replace the guild's settings; `by` is the member who did it."""
    document = settings.model_dump(mode="json")
    await upsert(
        connection,
        GuildSettingsRow,
        [{"guild_id": guild_id, "document": document, "updated_at": at, "updated_by": by or None}],
    )


async def store_channels(connection: AsyncConnection, channels: Iterable[Channel]) -> None:
    """Keep the channels and threads as they are now. A deletion that was noted stays noted.

    Which member opened a thread or has permissions of their own is not kept: it is enough that some member has.
    """
    await upsert(
        connection,
        ChannelRow,
        [
            {
                "channel_id": channel.channel_id,
                "guild_id": channel.guild_id,
                "parent_id": channel.parent_id,
                "channel_type": channel.channel_type,
                "name": channel.name,
                "position": channel.position,
                "topic": channel.topic,
                "overwrites": [
                    [o.target_id if o.is_role else 0, o.is_role, o.allow, o.deny] for o in channel.overwrites
                ],
                "owner_id": None,
                "archived": channel.archived,
                "deleted_at": channel.deleted_at,
                "unreadable": channel.unreadable,
            }
            for channel in channels
        ],
        keep=("unreadable",),
        change=lambda new: {"deleted_at": func.coalesce(ChannelRow.deleted_at, new.deleted_at)},
    )


async def channels_of(connection: AsyncConnection, guild_id: int) -> dict[int, Channel]:
    """All channels and threads of the guild by id, those that were deleted since included."""
    rows = await connection.execute(select(ChannelRow.__table__).where(ChannelRow.guild_id == guild_id))
    return {row.channel_id: _channel(row) for row in rows}


async def delete_channels(connection: AsyncConnection, channel_ids: Sequence[int], *, at: datetime) -> None:
    """Note that channels or threads are gone; an earlier note stands."""
    for some in chunks(channel_ids):
        await connection.execute(
            update(ChannelRow)
            .where(ChannelRow.channel_id.in_(some), ChannelRow.deleted_at.is_(None))
            .values(deleted_at=at)
        )


async def note_unreadable(connection: AsyncConnection, channel_id: int, reason: str | None) -> None:
    """Note why the bot cannot read the channel; None: it can."""
    await connection.execute(update(ChannelRow).where(ChannelRow.channel_id == channel_id).values(unreadable=reason))


async def store_roles(connection: AsyncConnection, roles: Iterable[Role]) -> None:
    await upsert(
        connection,
        RoleRow,
        [
            {
                "role_id": role.role_id,
                "guild_id": role.guild_id,
                "name": role.name,
                "permissions": _signed(role.permissions),
                "position": role.position,
            }
            for role in roles
        ],
    )


async def replace_roles(connection: AsyncConnection, guild_id: int, roles: Iterable[Role]) -> None:
    """Keep just these roles of the guild."""
    current = list(roles)
    await store_roles(connection, current)
    gone = (await roles_of(connection, guild_id)).keys() - {role.role_id for role in current}
    for role_id in sorted(gone):
        await delete_role(connection, role_id)


async def delete_role(connection: AsyncConnection, role_id: int) -> None:
    await connection.execute(delete(RoleRow).where(RoleRow.role_id == role_id))


async def roles_of(connection: AsyncConnection, guild_id: int) -> dict[int, Role]:
    """The guild's roles by id."""
    rows = await connection.execute(select(RoleRow.__table__).where(RoleRow.guild_id == guild_id))
    return {
        row.role_id: Role(
            role_id=row.role_id,
            guild_id=row.guild_id,
            name=row.name,
            permissions=_unsigned(row.permissions),
            position=row.position,
        )
        for row in rows
    }


async def store_members(connection: AsyncConnection, members: Iterable[Member]) -> None:
    """Keep who people are in a guild. What is not known (`joined_at` None) stays as it was."""
    await upsert(
        connection,
        MemberRow,
        [
            {
                "guild_id": member.guild_id,
                "user_id": member.user_id,
                "username": member.username,
                "global_name": member.global_name,
                "nick": member.nick,
                "bot": member.bot,
                "role_ids": list(member.role_ids),
                "joined_at": member.joined_at,
                "left_at": member.left_at,
            }
            for member in members
        ],
        change=lambda new: {"joined_at": func.coalesce(new.joined_at, MemberRow.joined_at)},
    )


async def members_of(connection: AsyncConnection, guild_id: int, user_ids: Iterable[int]) -> dict[int, Member]:
    """Those of `user_ids` that are known in the guild, people who have left included."""
    wanted = sorted(set(user_ids))
    found: dict[int, Member] = {}
    for some in chunks(wanted):
        rows = await connection.execute(
            select(MemberRow.__table__).where(MemberRow.guild_id == guild_id, MemberRow.user_id.in_(some))
        )
        found |= {row.user_id: _member(row) for row in rows}
    return found


async def store_scheduled_events(connection: AsyncConnection, events: Iterable[ScheduledEvent]) -> None:
    """Keep events of the guild's calendar as they are now. A deletion that was noted stays noted."""
    await upsert(
        connection,
        ScheduledEventRow,
        [
            {
                "event_id": event.event_id,
                "guild_id": event.guild_id,
                "name": event.name,
                "description": event.description,
                "starts_at": event.starts_at,
                "ends_at": event.ends_at,
                "channel_id": event.channel_id,
                "creator_id": event.creator_id,
                "status": event.status,
                "deleted_at": event.deleted_at,
            }
            for event in events
        ],
        change=lambda new: {"deleted_at": func.coalesce(ScheduledEventRow.deleted_at, new.deleted_at)},
    )


async def scheduled_events_from(connection: AsyncConnection, guild_id: int, instant: datetime) -> list[ScheduledEvent]:
    """The events that start at or after `instant`, neither deleted nor cancelled, the first one first."""
    table = ScheduledEventRow.__table__
    rows = await connection.execute(
        select(table)
        .where(
            ScheduledEventRow.guild_id == guild_id,
            ScheduledEventRow.starts_at >= instant,
            ScheduledEventRow.deleted_at.is_(None),
            ScheduledEventRow.status != 4,
        )
        .order_by(ScheduledEventRow.starts_at, ScheduledEventRow.event_id)
    )
    return [ScheduledEvent(**row._mapping) for row in rows]


def _channel(row: Any) -> Channel:
    return Channel(
        channel_id=row.channel_id,
        guild_id=row.guild_id,
        name=row.name,
        channel_type=row.channel_type,
        parent_id=row.parent_id,
        position=row.position,
        topic=row.topic,
        overwrites=tuple(Overwrite(*overwrite) for overwrite in row.overwrites),
        owner_id=row.owner_id,
        archived=row.archived,
        deleted_at=row.deleted_at,
        unreadable=row.unreadable,
    )


def _member(row: Any) -> Member:
    return Member(
        user_id=row.user_id,
        guild_id=row.guild_id,
        username=row.username,
        global_name=row.global_name,
        nick=row.nick,
        bot=row.bot,
        role_ids=tuple(row.role_ids),
        joined_at=row.joined_at,
        left_at=row.left_at,
    )


def _signed(permissions: int) -> int:
    """Discord's permission sets are unsigned; a column of 64 bits is signed."""
    return permissions - (1 << 64) if permissions >= 1 << 63 else permissions


def _unsigned(permissions: int) -> int:
    return permissions + (1 << 64) if permissions < 0 else permissions
