"""Everything stored of one person, found and removed: in one guild, or in all.

What a moderator decided stays in force without their name. Counts that were told already stay; what is counted
anew counts without the person.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Text, and_, cast, delete, func, or_, select, true, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.model.messages import Speaker
from bot.model.withdrawal import UNTITLED, Withdrawal, phrases_of, without_mentions, without_quotations_of
from bot.store.sources import messages_changed, user_withdrew
from bot.store.tables.editions import EditionRow, EditionSourceRow, EditRow, ModelAnswerRow, NoticeRow
from bot.store.tables.github import IdentityLinkRow
from bot.store.tables.guilds import ChannelRow, GuildRow, GuildSettingsRow, JoinRow, MemberRow, ScheduledEventRow
from bot.store.tables.messages import MessageReferenceRow, MessageRow
from bot.store.tables.moderation import ActionRow, IntroductionMarkRow, SuggestionRow, TagRow
from bot.store.upsert import chunks

NOBODY = 0
"""The user id under which decisions of people who were erased go on to hold."""

_UNKNOWN = {"message_id": None, "channel_id": None, "guild_id": None, "author_id": None}
"""What is kept of where a forward came from when its original is gone."""

_TELLING_WORDS = 3
"""A title of fewer words is too much like other words to be known by them."""

_ERASED = "What this problem was about has been erased."

_SIGNED: tuple[tuple[Any, dict[str, Any]], ...] = (
    (TagRow.user_id, {"user_id": NOBODY, "note": None, "rewrite": None}),
    (TagRow.removed_by, {"removed_by": None}),
    (IntroductionMarkRow.marked_by, {"marked_by": NOBODY}),
    (EditRow.user_id, {"user_id": NOBODY}),
    (ActionRow.user_id, {"user_id": None, "data": {}}),
    (GuildSettingsRow.updated_by, {"updated_by": None}),
    (IdentityLinkRow.confirmed_by, {"confirmed_by": None}),
)
"""Where people stand as those who decided something, and what remains without them."""

_ABOUT_MESSAGES: tuple[Any, ...] = (TagRow, SuggestionRow, IntroductionMarkRow)
_PERSONAL: tuple[Any, ...] = (MemberRow, JoinRow, SuggestionRow, IdentityLinkRow)


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was removed. `withdrawal` says what may not be told any more, `edition_ids` where it may be told yet."""

    withdrawal: Withdrawal
    messages: int
    edition_ids: tuple[int, ...]


async def withdrawal_of(connection: AsyncConnection, user_id: int, guild_id: int | None) -> Withdrawal:
    """The person's ids, messages (and forwards of them) and names, in one guild or (None) in all."""
    where = _within(MessageRow.guild_id, guild_id)
    said = set(
        (
            await connection.execute(select(MessageRow.message_id).where(MessageRow.author_id == user_id, where))
        ).scalars()
    )
    words = (
        await connection.execute(select(MessageRow.content).where(MessageRow.author_id == user_id, where))
    ).scalars()
    phrases = phrases_of(words)
    names = set(
        (
            await connection.execute(
                select(MessageRow.author_name).where(MessageRow.author_id == user_id, where).distinct()
            )
        ).scalars()
    )
    for row in await connection.execute(
        select(MemberRow.username, MemberRow.global_name, MemberRow.nick).where(
            MemberRow.user_id == user_id, _within(MemberRow.guild_id, guild_id)
        )
    ):
        names.update(name for name in row if name)
    names.update(title for title in await _titles(connection, said) if len(title.split()) >= _TELLING_WORDS)
    forwards = await connection.execute(select(MessageRow.message_id, MessageRow.forward).where(_forwarded()))
    found = {row.message_id for row in forwards if row.forward and _is_of(row.forward, user_id, said)}
    return Withdrawal(
        user_ids=frozenset({user_id}),
        message_ids=frozenset(said | found),
        names=frozenset(name for name in names if name),
        phrases=phrases,
    )


async def editions_telling(
    connection: AsyncConnection, withdrawal: Withdrawal, guild_id: int | None = None
) -> list[int]:
    """The stored editions in which one of the people or messages is named, of one guild or of all."""
    found = []
    ids = (
        await connection.execute(
            select(EditionRow.edition_id).where(_within(EditionRow.guild_id, guild_id)).order_by(EditionRow.edition_id)
        )
    ).scalars()
    for edition_id in list(ids):
        row = (
            await connection.execute(
                select(cast(EditionRow.document, Text).label("document"), EditionRow.markdown, EditionRow.html).where(
                    EditionRow.edition_id == edition_id
                )
            )
        ).first()
        if row is not None and any(withdrawal.is_in(text) for text in row):
            found.append(edition_id)
    return found


async def forget_person(
    connection: AsyncConnection, user_id: int, guild_id: int | None, *, reason: str, at: datetime
) -> Forgotten:
    """Remove what is stored of the person in the guild, or (None) everywhere; editions are marked, not changed.

    The editions named in the result still say what they said.
    """
    withdrawal = await withdrawal_of(connection, user_id, guild_id)
    marked = set(await user_withdrew(connection, user_id, guild_id=guild_id, reason=reason, at=at))
    marked |= set(await messages_changed(connection, withdrawal.message_ids, reason=reason, at=at))
    marked |= set(await editions_telling(connection, withdrawal, guild_id))
    changed = await _clean_others(connection, withdrawal, user_id, guild_id)
    marked |= set(await messages_changed(connection, changed, reason=reason, at=at))
    await _clean_decisions(connection, withdrawal, user_id, guild_id)
    removed = await _remove_messages(connection, user_id, guild_id, at)
    await _remove_person(connection, user_id, guild_id)
    await connection.execute(
        update(EditionSourceRow)
        .where(EditionSourceRow.user_id == user_id, EditionSourceRow.edition_id.in_(_editions_of(guild_id)))
        .values(user_id=None)
    )
    return Forgotten(withdrawal, removed, tuple(sorted(marked)))


async def _clean_others(
    connection: AsyncConnection, withdrawal: Withdrawal, user_id: int, guild_id: int | None
) -> set[int]:
    """Take the person out of what others said: mentions, quotations, forwards. The messages that were changed."""
    changed: set[int] = set()
    said = await connection.execute(
        select(MessageRow.guild_id, MessageRow.content).where(
            MessageRow.author_id == user_id, MessageRow.content != "", _within(MessageRow.guild_id, guild_id)
        )
    )
    words: dict[int, list[str]] = {}
    for row in said:
        words.setdefault(row.guild_id, []).append(row.content)
    told = f"%{user_id}%"
    rows = await connection.execute(
        select(MessageRow.message_id, MessageRow.guild_id, MessageRow.content, MessageRow.mentioned_user_ids).where(
            MessageRow.author_id != user_id,
            _within(MessageRow.guild_id, guild_id),
            or_(
                cast(MessageRow.mentioned_user_ids, Text).like(told),
                MessageRow.content.like(told),
                MessageRow.content.like("%> %"),
            ),
        )
    )
    for row in rows.all():
        content = without_mentions(row.content, [user_id])
        content = without_quotations_of(content, words.get(row.guild_id, ()))
        mentioned = [each for each in row.mentioned_user_ids or () if each != user_id] or None
        if (content, mentioned) != (row.content, row.mentioned_user_ids):
            changed.add(row.message_id)
            await connection.execute(
                update(MessageRow)
                .where(MessageRow.message_id == row.message_id)
                .values(content=content, mentioned_user_ids=mentioned)
            )
    own = await connection.execute(
        select(MessageRow.message_id, MessageRow.content).where(
            MessageRow.speaker == Speaker.SELF.value, MessageRow.content != "", _within(MessageRow.guild_id, guild_id)
        )
    )
    repeated = [row.message_id for row in own if withdrawal.is_in(row.content)]
    for some in chunks(repeated):  # the bot's own messages: they are amended, and come in anew
        await connection.execute(update(MessageRow).where(MessageRow.message_id.in_(some)).values(content=""))
    for some in chunks(sorted(withdrawal.message_ids)):
        await connection.execute(delete(MessageReferenceRow).where(MessageReferenceRow.message_id.in_(some)))
        await connection.execute(
            update(MessageRow)
            .where(MessageRow.message_id.in_(some), MessageRow.author_id != user_id)
            .values(content="", forward=_UNKNOWN, attachments=None, previews=None)
        )
    return changed


async def _clean_decisions(
    connection: AsyncConnection, withdrawal: Withdrawal, user_id: int, guild_id: int | None
) -> None:
    """Tags, marks, corrections and the log: those about the person go, those by the person lose the name."""
    for some in chunks(sorted(withdrawal.message_ids)):
        for table in _ABOUT_MESSAGES:
            await connection.execute(delete(table).where(table.message_id.in_(some)))
        await connection.execute(update(ChannelRow).where(ChannelRow.channel_id.in_(some)).values(name=UNTITLED))
    for column, values in _SIGNED:
        table = column.class_
        await connection.execute(
            update(table).where(column == user_id, _within(table.guild_id, guild_id)).values(**values)
        )
    about = await _with_data_about(connection, ActionRow, ActionRow.action_id, withdrawal, guild_id)
    for some in chunks(about):
        await connection.execute(update(ActionRow).where(ActionRow.action_id.in_(some)).values(data={}))
    about = await _with_data_about(connection, EditRow, EditRow.edit_id, withdrawal, guild_id)
    for some in chunks(about):
        await connection.execute(delete(EditRow).where(EditRow.edit_id.in_(some)))
    notices = await connection.execute(
        select(NoticeRow.guild_id, NoticeRow.key, NoticeRow.text).where(_within(NoticeRow.guild_id, guild_id))
    )
    for each in notices.all():
        if withdrawal.is_in(each.text):
            text = withdrawal.taken_out_of(each.text)
            await connection.execute(
                update(NoticeRow)
                .where(NoticeRow.guild_id == each.guild_id, NoticeRow.key == each.key)
                .values(text=_ERASED if withdrawal.is_in(text) else text)
            )
    await connection.execute(delete(ModelAnswerRow).where(_within(ModelAnswerRow.guild_id, guild_id)))


async def _remove_messages(connection: AsyncConnection, user_id: int, guild_id: int | None, at: datetime) -> int:
    """Remove the person's messages. Of what a proxy bot posted for them a mark without author stays behind:
    history tells it as the bot's, and would bring it back."""
    own = and_(MessageRow.author_id == user_id, _within(MessageRow.guild_id, guild_id))
    inside = select(MessageRow.message_id).where(own)
    await connection.execute(delete(MessageReferenceRow).where(MessageReferenceRow.message_id.in_(inside)))
    count = (await connection.execute(select(func.count()).select_from(MessageRow).where(own))).scalar_one()
    await connection.execute(
        update(MessageRow)
        .where(own, MessageRow.webhook_id.is_not(None))
        .values(
            author_id=NOBODY,
            author_name="",
            speaker=Speaker.WEBHOOK.value,
            content="",
            deleted_at=at,
            forward=None,
            attachments=None,
            previews=None,
            reactions=None,
            reaction_count=0,
            mentioned_user_ids=None,
            pinned=False,
        )
    )
    await connection.execute(delete(MessageRow).where(own))
    return count


async def _remove_person(connection: AsyncConnection, user_id: int, guild_id: int | None) -> None:
    for table in _PERSONAL:
        await connection.execute(delete(table).where(table.user_id == user_id, _within(table.guild_id, guild_id)))
    if guild_id is not None:
        return
    await connection.execute(update(GuildRow).where(GuildRow.owner_id == user_id).values(owner_id=None))
    await connection.execute(
        update(ScheduledEventRow).where(ScheduledEventRow.creator_id == user_id).values(creator_id=None)
    )


async def _titles(connection: AsyncConnection, message_ids: Collection[int]) -> set[str]:
    """What the threads and forum posts are called that begin with one of the messages."""
    found: set[str] = set()
    for some in chunks(sorted(message_ids)):
        found.update(
            (await connection.execute(select(ChannelRow.name).where(ChannelRow.channel_id.in_(some)))).scalars()
        )
    return found


async def _with_data_about(
    connection: AsyncConnection, table: Any, key: Any, withdrawal: Withdrawal, guild_id: int | None
) -> list[int]:
    """The rows whose `data` names one of the people or messages."""
    found = await connection.execute(
        select(key, cast(table.data, Text)).where(_within(table.guild_id, guild_id), cast(table.data, Text) != "{}")
    )
    return [row_id for row_id, data in found if withdrawal.is_in(data)]


def _within(column: Any, guild_id: int | None) -> ColumnElement[bool]:
    return true() if guild_id is None else column == guild_id


def _editions_of(guild_id: int | None) -> Any:
    return select(EditionRow.edition_id).where(_within(EditionRow.guild_id, guild_id))


def _forwarded() -> ColumnElement[bool]:
    return MessageRow.forward.is_not(None)


def _is_of(forward: dict[str, Any], user_id: int, said: Collection[int]) -> bool:
    return forward.get("author_id") == user_id or forward.get("message_id") in said
