"""Messages: kept as they stand, edited, deleted.

Whatever the order in which creations, edits, deletions and pages of history arrive, the same rows come out:
an older version never replaces a newer one, and a deletion is final.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from enum import Enum, auto
from typing import Any

from sqlalchemy import and_, delete, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.model.messages import LinkPreview, Message, Speaker
from bot.store.forwards import with_origins
from bot.store.message_rows import emptied, message_of, previews_value, row_values
from bot.store.references import forget_references, store_references
from bot.store.sources import channels_deleted, messages_changed
from bot.store.tables.guilds import ChannelRow
from bot.store.tables.messages import MessageReferenceRow, MessageRow
from bot.store.upsert import among, chunks, upsert

_AT_ONCE = 4000
"""How many messages are compared with the stored ones and written in one go."""

_NEVER = datetime(1970, 1, 1, tzinfo=UTC)


class Counts(Enum):
    """What the reactions of messages that are stored are worth."""

    COMPLETE = auto()
    """They are those of now, as history gives them."""
    EARLIER = auto()
    """They are those of some time, as a file gives them: better than none, but what is stored may be newer."""
    UNTOLD = auto()
    """The gateway's events of messages do not tell them; its events of reactions do."""


async def store_messages(
    connection: AsyncConnection, messages: Sequence[Message], *, counts: Counts = Counts.COMPLETE
) -> None:
    """Keep the messages as they stand, with the references in what was said. Idempotent.

    A version that was edited before the stored one changes nothing, a deleted message stays deleted, and
    what lies in a deleted channel is left out.
    """
    for some in chunks(_newest(messages), _AT_ONCE):
        await _store(connection, await with_origins(connection, some), counts)


async def _store(connection: AsyncConnection, messages: Sequence[Message], counts: Counts) -> None:
    ids = [message.message_id for message in messages]
    table = MessageRow.__table__.c
    found = await connection.execute(
        select(table.message_id, table.edited_at, table.deleted_at, table.speaker, table.author_id)
        .where(among(table.message_id, ids))
        .order_by(table.message_id)
        .with_for_update()
    )
    stored = {row.message_id: row for row in found}
    gone = await _deleted_channels(connection, {message.channel_id for message in messages})
    accepted = [
        _as_credited(message, stored.get(message.message_id))
        for message in messages
        if message.channel_id not in gone and _replaces(message, stored.get(message.message_id))
    ]
    await upsert(
        connection,
        MessageRow,
        [
            row_values(replace(message, reactions=()) if counts is Counts.UNTOLD and message.reactions else message)
            for message in accepted
        ],
        keep=() if counts is Counts.COMPLETE else ("reactions", "reaction_count"),
        where=lambda new: and_(
            MessageRow.deleted_at.is_(None),
            or_(
                new.deleted_at.is_not(None),
                MessageRow.edited_at.is_(None),
                new.edited_at >= MessageRow.edited_at,
            ),
        ),
    )
    await store_references(connection, accepted, known=stored.keys())
    changed = [message for message in accepted if _is_change(message, stored.get(message.message_id))]
    if changed:
        at = max(message.deleted_at or message.edited_at or _NEVER for message in changed)
        ids = [message.message_id for message in changed]
        await messages_changed(connection, ids, reason="a message was edited or deleted", at=at)


def _is_change(message: Message, stored: Any) -> bool:
    return stored is not None and (message.deleted_at is not None or message.edited_at != stored.edited_at)


def _newest(messages: Iterable[Message]) -> list[Message]:
    """Each message once, in its newest version, in the order of their ids."""
    newest: dict[int, Message] = {}
    for message in messages:
        known = newest.get(message.message_id)
        if known is None or _replaces(message, known):
            newest[message.message_id] = message
    return [newest[each] for each in sorted(newest)]


def _replaces(message: Message, stored: Any) -> bool:
    if stored is None:
        return True
    if stored.deleted_at is not None:
        return False
    if message.deleted_at is not None:
        return True
    return (message.edited_at or _NEVER) >= (stored.edited_at or _NEVER)


def _as_credited(message: Message, stored: Any) -> Message:
    """Whom a proxied message was credited to once stays; Discord itself only knows the webhook."""
    if stored is None or stored.speaker != Speaker.PROXIED:
        return message
    return replace(message, speaker=Speaker.PROXIED, author_id=stored.author_id)


async def _deleted_channels(connection: AsyncConnection, channel_ids: set[int]) -> set[int]:
    gone: set[int] = set()
    for some in chunks(sorted(channel_ids)):
        rows = await connection.execute(
            select(ChannelRow.channel_id).where(ChannelRow.channel_id.in_(some), ChannelRow.deleted_at.is_not(None))
        )
        gone.update(rows.scalars())
    return gone


async def edit_message(
    connection: AsyncConnection,
    message_id: int,
    *,
    pinned: bool | None = None,
    previews: Sequence[LinkPreview] | None = None,
) -> None:
    """Change what Discord adds to a message: a pin, link previews. None leaves it; an unknown one stays unknown."""
    changes: dict[str, Any] = {}
    if pinned is not None:
        changes["pinned"] = pinned
    if previews is not None:
        changes["previews"] = previews_value(previews)
    if changes:
        await connection.execute(
            update(MessageRow)
            .where(MessageRow.message_id == message_id, MessageRow.deleted_at.is_(None))
            .values(**changes)
        )


async def delete_messages(
    connection: AsyncConnection, guild_id: int, channel_id: int, message_ids: Iterable[int], *, at: datetime
) -> None:
    """Take the content of deleted messages and leave a mark, also for messages that were never stored.

    The mark keeps a page of history that was read before the deletion from bringing the message back.
    """
    ids = sorted(set(message_ids))
    empty = {
        "guild_id": guild_id,
        "channel_id": channel_id,
        "author_id": 0,
        "author_name": "",
        "message_type": 0,
        "speaker": Speaker.MEMBER.value,
        **emptied(at),
    }
    await upsert(
        connection,
        MessageRow,
        [{"message_id": each, **empty} for each in ids],
        keep=("guild_id", "channel_id", "author_id", "author_name", "message_type", "speaker"),
        where=lambda new: MessageRow.deleted_at.is_(None),
    )
    await forget_references(connection, ids)
    await messages_changed(connection, ids, reason="a message was deleted", at=at)


async def delete_messages_in(connection: AsyncConnection, channel_ids: Sequence[int], *, at: datetime) -> None:
    """Take the content of all messages in channels or threads that are gone."""
    for some in chunks(channel_ids):
        inside = select(MessageRow.message_id).where(MessageRow.channel_id.in_(some))
        await connection.execute(delete(MessageReferenceRow).where(MessageReferenceRow.message_id.in_(inside)))
        await connection.execute(
            update(MessageRow)
            .where(MessageRow.channel_id.in_(some), MessageRow.deleted_at.is_(None))
            .values(**emptied(at))
        )
        await channels_deleted(connection, some, at=at)


async def credit_proxied(connection: AsyncConnection, original: Message, *, within: tuple[int, int]) -> int | None:
    """Credit a proxy bot's copy of `original`, posted by webhook in the range of ids `within`, to its author.

    A copy is a webhook's message in the same channel whose text is part of the original's. Returns its id.
    """
    table = MessageRow.__table__.c
    rows = await connection.execute(
        select(MessageRow.__table__)
        .where(
            table.channel_id == original.channel_id,
            table.message_id.between(*within),
            table.webhook_id.is_not(None),
            table.speaker.in_([Speaker.WEBHOOK.value, Speaker.PROXIED.value]),
            table.deleted_at.is_(None),
        )
        .order_by(table.message_id)
    )
    copies = [message_of(row) for row in rows if row.content and row.content in original.content]
    if not copies:
        return None
    await connection.execute(
        update(MessageRow)
        .where(MessageRow.message_id == copies[0].message_id)
        .values(speaker=Speaker.PROXIED.value, author_id=original.author_id)
    )
    credited = await messages_by_id(connection, [copies[0].message_id])
    await store_references(connection, list(credited.values()), known=credited.keys())
    return copies[0].message_id


async def messages_by_id(connection: AsyncConnection, message_ids: Iterable[int]) -> dict[int, Message]:
    """Those of the messages that are stored, marks of deletion included."""
    found: dict[int, Message] = {}
    for some in chunks(sorted(set(message_ids))):
        rows = await connection.execute(select(MessageRow.__table__).where(MessageRow.message_id.in_(some)))
        found |= {row.message_id: message_of(row) for row in rows}
    return found


async def visible_ids(
    connection: AsyncConnection, channel_id: int, first: int, last: int, *, limit: int | None = None
) -> set[int]:
    """The ids in `[first, last]` of the channel's messages that are stored and not deleted (`limit`: so many)."""
    rows = await connection.execute(
        select(MessageRow.message_id)
        .where(
            MessageRow.channel_id == channel_id,
            MessageRow.message_id.between(first, last),
            MessageRow.deleted_at.is_(None),
        )
        .limit(limit)
    )
    return set(rows.scalars())
