"""Messages and the references in them.

Whatever the order in which creations, edits, deletions and pages of history arrive, the same rows come out:
an older version never replaces a newer one, and a deletion is final.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import and_, bindparam, delete, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.model.messages import Attachment, Forward, LinkPreview, Message, Speaker
from bot.model.references import extract_references
from bot.model.schedule import Period
from bot.model.snowflakes import first_id_at
from bot.store.forwards import with_origins
from bot.store.guilds import fetch_settings
from bot.store.sources import channels_deleted, messages_changed
from bot.store.tables.guilds import ChannelRow
from bot.store.tables.messages import MessageReferenceRow, MessageRow
from bot.store.upsert import IN_LIMIT, among, chunks, insert_new, upsert

_AT_ONCE = 4000
_NEVER = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """One change of a message's reactions. `added` None: cleared, all of `emoji` or (None) all of all."""

    message_id: int
    emoji: str | None
    added: bool | None


async def store_messages(connection: AsyncConnection, messages: Sequence[Message], *, recount: bool = True) -> None:
    """Keep the messages as they stand, with the references in what was said. Idempotent.

    A version that was edited before the stored one changes nothing, a deleted message stays deleted, and
    what lies in a deleted channel is left out. `recount` says that the reactions are complete counts, as
    history gives them; of the gateway's events those of reactions alone change a count.
    """
    for some in chunks(_newest(messages), _AT_ONCE):
        await _store(connection, await with_origins(connection, some), recount=recount)


async def _store(connection: AsyncConnection, messages: Sequence[Message], *, recount: bool) -> None:
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
            row_values(message if recount or not message.reactions else replace(message, reactions=()))
            for message in accepted
        ],
        keep=() if recount else ("reactions", "reaction_count"),
        where=lambda new: and_(
            MessageRow.deleted_at.is_(None),
            or_(
                new.deleted_at.is_not(None),
                MessageRow.edited_at.is_(None),
                new.edited_at >= MessageRow.edited_at,
            ),
        ),
    )
    await _store_references(connection, accepted, known=stored.keys())
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


async def _store_references(connection: AsyncConnection, messages: Sequence[Message], *, known: Iterable[int]) -> None:
    repositories = {
        guild_id: (github.default, github.tracked)
        for guild_id in sorted({message.guild_id for message in messages})
        for github in [(await fetch_settings(connection, guild_id)).github]
    }
    again = set(known)
    if rewritten := [message.message_id for message in messages if message.message_id in again]:
        await _forget_references(connection, rewritten)
    rows = [
        {"message_id": message.message_id, "reference": reference}
        for message in messages
        if message.is_said and message.content
        for default, tracked in [repositories[message.guild_id]]
        if default is not None
        for reference in {
            found.canonical.lower()
            for found in extract_references(message.content, default_repository=default, repositories=tracked)
        }
    ]
    await insert_new(connection, MessageReferenceRow, rows)


async def _forget_references(connection: AsyncConnection, message_ids: Sequence[int]) -> None:
    for some in chunks(message_ids):
        await connection.execute(delete(MessageReferenceRow).where(MessageReferenceRow.message_id.in_(some)))


async def rewrite_references(connection: AsyncConnection, guild_id: int) -> None:
    """Find the references of all the guild's messages anew, after its repositories changed."""
    last = 0
    while True:
        rows = await connection.execute(
            select(MessageRow.__table__)
            .where(MessageRow.guild_id == guild_id, MessageRow.message_id > last)
            .order_by(MessageRow.message_id)
            .limit(IN_LIMIT)
        )
        page = [message_of(row) for row in rows]
        if not page:
            return
        await _store_references(connection, page, known=[message.message_id for message in page])
        last = page[-1].message_id


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
        changes["previews"] = _previews(previews)
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
        **_nothing(at),
    }
    await upsert(
        connection,
        MessageRow,
        [{"message_id": each, **empty} for each in ids],
        keep=("guild_id", "channel_id", "author_id", "author_name", "message_type", "speaker"),
        where=lambda new: MessageRow.deleted_at.is_(None),
    )
    await _forget_references(connection, ids)
    await messages_changed(connection, ids, reason="a message was deleted", at=at)


async def delete_messages_in(connection: AsyncConnection, channel_ids: Sequence[int], *, at: datetime) -> None:
    """Take the content of all messages in channels or threads that are gone."""
    for some in chunks(channel_ids):
        inside = select(MessageRow.message_id).where(MessageRow.channel_id.in_(some))
        await connection.execute(delete(MessageReferenceRow).where(MessageReferenceRow.message_id.in_(inside)))
        await connection.execute(
            update(MessageRow)
            .where(MessageRow.channel_id.in_(some), MessageRow.deleted_at.is_(None))
            .values(**_nothing(at))
        )
        await channels_deleted(connection, some, at=at)


def _nothing(at: datetime) -> dict[str, Any]:
    return {
        "content": "",
        "deleted_at": at,
        "forward": None,
        "attachments": None,
        "previews": None,
        "reactions": None,
        "reaction_count": 0,
        "mentioned_user_ids": None,
        "pinned": False,
    }


async def change_reactions(connection: AsyncConnection, reactions: Sequence[Reaction]) -> None:
    """Apply changes of reactions in their order. Those of messages that are not stored are left out."""
    ids = sorted({reaction.message_id for reaction in reactions})
    counts: dict[int, dict[str, int]] = {}
    table = MessageRow.__table__.c
    for some in chunks(ids):
        rows = await connection.execute(
            select(table.message_id, table.reactions)
            .where(table.message_id.in_(some), table.deleted_at.is_(None))
            .order_by(table.message_id)
            .with_for_update()
        )
        counts |= {row.message_id: {str(emoji): int(count) for emoji, count in row.reactions or ()} for row in rows}
    for reaction in reactions:
        if reaction.message_id in counts:
            _react(counts[reaction.message_id], reaction)
    if counts:
        await connection.execute(
            update(MessageRow)
            .where(MessageRow.message_id == bindparam("the_message"))
            .values(reactions=bindparam("now"), reaction_count=bindparam("total")),
            [
                {"the_message": each, "now": _pairs(now), "total": sum(now.values())}
                for each, now in sorted(counts.items())
            ],
        )


def _react(counts: dict[str, int], reaction: Reaction) -> None:
    if reaction.emoji is None:
        counts.clear()
    elif reaction.added is None:
        counts.pop(reaction.emoji, None)
    else:
        count = counts.get(reaction.emoji, 0) + (1 if reaction.added else -1)
        if count > 0:
            counts[reaction.emoji] = count
        else:
            counts.pop(reaction.emoji, None)


def _pairs(counts: Mapping[str, int]) -> list[list[Any]] | None:
    return [[emoji, count] for emoji, count in counts.items()] or None


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
    await _store_references(connection, list(credited.values()), known=credited.keys())
    return copies[0].message_id


async def messages_by_id(connection: AsyncConnection, message_ids: Iterable[int]) -> dict[int, Message]:
    """Those of the messages that are stored, marks of deletion included."""
    found: dict[int, Message] = {}
    for some in chunks(sorted(set(message_ids))):
        rows = await connection.execute(select(MessageRow.__table__).where(MessageRow.message_id.in_(some)))
        found |= {row.message_id: message_of(row) for row in rows}
    return found


async def references_between(connection: AsyncConnection, guild_id: int, period: Period) -> list[str]:
    """The references (canonical, lower case) in the guild's messages of a period, each once."""
    rows = await connection.execute(
        select(MessageReferenceRow.reference)
        .distinct()
        .join(MessageRow, MessageRow.message_id == MessageReferenceRow.message_id)
        .where(
            MessageRow.guild_id == guild_id,
            MessageRow.message_id >= first_id_at(period.start),
            MessageRow.message_id < first_id_at(period.end),
        )
        .order_by(MessageReferenceRow.reference)
    )
    return list(rows.scalars())


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


def row_values(message: Message) -> dict[str, Any]:
    values = {
        "message_id": message.message_id,
        "guild_id": message.guild_id,
        "channel_id": message.channel_id,
        "author_id": message.author_id,
        "author_name": message.author_name,
        "message_type": message.message_type,
        "speaker": message.speaker,
        "content": message.content,
        "edited_at": message.edited_at,
        "deleted_at": None,
        "reply_to_id": message.reply_to_id,
        "forward": _forward(message.forward),
        "webhook_id": message.webhook_id,
        "attachments": _attachments(message.attachments),
        "previews": _previews(message.previews),
        "reactions": [[emoji, count] for emoji, count in message.reactions] if message.reactions else None,
        "reaction_count": message.reaction_count if message.reactions else 0,
        "mentioned_user_ids": list(message.mentioned_user_ids) or None,
        "pinned": message.pinned,
    }
    return values if message.deleted_at is None else values | _nothing(message.deleted_at)


def _previews(previews: Sequence[LinkPreview]) -> list[list[str]] | None:
    return [[preview.url, preview.title] for preview in previews] if previews else None


def _attachments(attachments: Sequence[Attachment]) -> list[list[Any]] | None:
    return [[a.attachment_id, a.filename, a.size, a.content_type] for a in attachments] if attachments else None


def _forward(forward: Forward | None) -> dict[str, Any] | None:
    if forward is None:
        return None
    return {
        "message_id": forward.message_id,
        "channel_id": forward.channel_id,
        "guild_id": forward.guild_id,
        "author_id": forward.author_id,
    }


def message_of(row: Any) -> Message:
    """A row with all of the table's columns as the message it stands for."""
    return Message(
        message_id=row.message_id,
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        author_id=row.author_id,
        author_name=row.author_name,
        content=row.content,
        message_type=row.message_type,
        speaker=Speaker(row.speaker),
        edited_at=row.edited_at,
        deleted_at=row.deleted_at,
        reply_to_id=row.reply_to_id,
        forward=Forward(**row.forward) if row.forward else None,
        webhook_id=row.webhook_id,
        attachments=tuple(Attachment(*attachment) for attachment in row.attachments or ()),
        previews=tuple(LinkPreview(*preview) for preview in row.previews or ()),
        reactions=tuple((emoji, count) for emoji, count in row.reactions or ()),
        mentioned_user_ids=tuple(row.mentioned_user_ids or ()),
        pinned=row.pinned,
    )
