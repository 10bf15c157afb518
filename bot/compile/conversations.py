"""The messages that an edition may tell of, with what they answer and what answers them, as stored."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.compile.highlights import DISCUSSION_PEOPLE, DISCUSSION_RETURN
from bot.compile.places import Places
from bot.compile.reactions import FEWEST, Levels, levels
from bot.model.messages import Message
from bot.model.schedule import Period
from bot.model.snowflakes import time_of
from bot.store import members
from bot.store import period as recorded
from bot.store.engine import Connection
from bot.store.period import Tally
from bot.store.tags import TaggedMessage

MOST_CANDIDATES = 200
MOST_THREADS = 20
MOST_IN_THREADS = 1000
MOST_OF_MODERATORS = 1000
"""So many messages and threads are looked at, far more than are ever told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversations:
    """The messages that may be told, the answers to them by the message answered, and what speaks for each."""

    messages: Mapping[int, Message]
    answers: Mapping[int, Sequence[Message]]
    announcements: Sequence[int]
    reacted: Sequence[int]
    discussions: Sequence[int]
    with_links: Sequence[Message]
    of_moderators: Sequence[Message]
    levels: Levels


async def gather_conversations(
    connection: Connection,
    guild_id: int,
    places: Places,
    period: Period,
    *,
    tallies: Sequence[Tally],
    tagged: Sequence[TaggedMessage],
    moderators: frozenset[int],
    unnamed: frozenset[int],
) -> Conversations:
    """Read what may become a highlight, a link or an event.

    `moderators` are the roles of the team, `unnamed` people who must not be quoted, by others neither.
    """
    quoted = places.quoted
    counts: dict[int, int] = {}
    for (channel_id, reactions), number in (await recorded.reaction_counts(connection, guild_id, period)).items():
        if channel_id in quoted:
            counts[reactions] = counts.get(reactions, 0) + number
    bar = levels(counts)
    reacted = await recorded.most_reacted(
        connection, guild_id, period, at_least=FEWEST, channel_ids=quoted, limit=MOST_CANDIDATES
    )
    announced = await recorded.messages_of_channels(
        connection, guild_id, places.announcements, period, limit=MOST_CANDIDATES
    )
    threads = _lively_threads(tallies, places)
    talked = await recorded.messages_of_channels(connection, guild_id, threads, period, limit=MOST_CANDIDATES * 5)
    answered = [
        talk
        for talk in await recorded.answered(
            connection, guild_id, period, people=DISCUSSION_PEOPLE - 1, limit=MOST_CANDIDATES
        )
        if talk.channel_id in quoted
    ]
    roots = {tag.message_id for tag in tagged} | {talk.message_id for talk in answered} | set(threads)
    messages = {m.message_id: m for m in (*reacted, *announced, *talked) if m.channel_id in quoted}
    for message in await recorded.messages_by_id(connection, guild_id, roots - messages.keys()):
        if message.channel_id in (places.told if message.message_id in roots else quoted):
            messages[message.message_id] = message
    await _find_originals(connection, guild_id, messages, period, quoted)
    await _climb(connection, guild_id, messages, quoted)
    answers = await _descend(connection, guild_id, messages, period, places)
    for thread in threads:
        said = [m for m in talked if m.channel_id == thread and m.reply_to_id is None and m.message_id != thread]
        first = thread if thread in messages else min((m.message_id for m in said), default=None)
        if first is not None:
            _add(answers, first, [m for m in said if m.message_id != first])
    with_links = await recorded.messages_with_links(
        connection, guild_id, period, at_least=bar.some, limit=MOST_CANDIDATES
    )
    of_moderators = await _said_by(connection, guild_id, moderators, places, period)
    quotable = {m.message_id: m for m in _quotable(messages.values(), unnamed, places)}
    return Conversations(
        messages=quotable,
        answers={
            root: [quotable[m.message_id] for m in said if m.message_id in quotable] for root, said in answers.items()
        },
        announcements=[m.message_id for m in announced],
        reacted=[m.message_id for m in reacted],
        discussions=[*(talk.message_id for talk in answered), *_openers(threads, talked, messages)],
        with_links=[m for m in _quotable(with_links, unnamed, places) if m.channel_id in quoted],
        of_moderators=_quotable(of_moderators, unnamed, places),
        levels=bar,
    )


def _quotable(messages: Iterable[Message], unnamed: Collection[int], places: Places) -> list[Message]:
    """The messages with forwards credited to who wrote them.

    Where that is not known or not wanted, or the original stands where the edition tells nothing of, they are out.
    """
    kept: list[Message] = []
    for message in messages:
        author_id = message.author_id if message.forward is None else message.forward.author_id
        if author_id is None or author_id in unnamed:
            continue
        if message.forward is not None and message.forward.channel_id in places.channels.keys() - places.told:
            continue
        own = author_id == message.author_id
        kept.append(message if own else replace(message, author_id=author_id, author_name="someone"))
    return kept


def _lively_threads(tallies: Iterable[Tally], places: Places) -> list[int]:
    """The threads in which several people talk with each other, those with most people first."""
    lively = [
        tally
        for tally in tallies
        if tally.channel_id in places.quoted
        and places.channels[tally.channel_id].is_thread
        and tally.people >= DISCUSSION_PEOPLE - 1
        and tally.messages >= DISCUSSION_RETURN * tally.people - 1
    ]
    lively.sort(key=lambda tally: (-tally.people, -tally.messages, tally.channel_id))
    return [tally.channel_id for tally in lively[:MOST_THREADS]]


def _openers(threads: Sequence[int], talked: Sequence[Message], messages: Mapping[int, Message]) -> list[int]:
    """The message under which each thread stands, else the first in it."""
    first: dict[int, int] = {}
    for message in talked:
        first.setdefault(message.channel_id, message.message_id)

    opened = [thread if thread in messages else first.get(thread) for thread in threads]
    return [opener for opener in opened if opener is not None]


async def _find_originals(
    connection: Connection, guild_id: int, messages: dict[int, Message], period: Period, quoted: Collection[int]
) -> None:
    """Add what was forwarded within the period: it is told where it was said."""
    forwarded = {m.forward.message_id for m in messages.values() if m.forward and m.forward.message_id}
    recent = {i for i in forwarded - messages.keys() if time_of(i) in period}
    found = await recorded.messages_by_id(connection, guild_id, recent)
    messages.update({m.message_id: m for m in found if m.channel_id in quoted})


async def _climb(connection: Connection, guild_id: int, messages: dict[int, Message], quoted: Collection[int]) -> None:
    """Add what the messages answer, a few steps up."""
    for _ in range(4):
        above = {m.reply_to_id for m in messages.values() if m.reply_to_id} - messages.keys()
        found = await recorded.messages_by_id(connection, guild_id, above)
        new = {m.message_id: m for m in found if m.channel_id in quoted}
        if not new:
            return
        messages.update(new)


async def _descend(
    connection: Connection, guild_id: int, messages: dict[int, Message], period: Period, places: Places
) -> dict[int, list[Message]]:
    """Add the answers to the messages, a few steps down, with those in a thread under a message."""
    quoted = places.quoted
    answers: dict[int, list[Message]] = {}
    edge = set(messages)
    for step in range(4):
        replies = await recorded.replies_to(connection, guild_id, edge, period)
        threads = edge & places.channels.keys() if step == 0 else ()
        under = await recorded.messages_of_channels(connection, guild_id, threads, period, limit=MOST_IN_THREADS)
        for message in (*replies, *under):
            root = message.reply_to_id if message.reply_to_id in edge else message.channel_id
            if message.channel_id in quoted and root != message.message_id:
                _add(answers, root, [message])
        new = {m.message_id: m for m in (*replies, *under) if m.channel_id in quoted and m.message_id not in messages}
        messages.update(new)
        edge = set(new)
        if not edge:
            break
    return answers


def _add(answers: dict[int, list[Message]], root: int, messages: Iterable[Message]) -> None:
    known = answers.setdefault(root, [])
    seen = {m.message_id for m in known}
    known.extend(m for m in messages if m.message_id not in seen)
    known.sort(key=lambda m: m.message_id)


async def _said_by(
    connection: Connection, guild_id: int, moderators: frozenset[int], places: Places, period: Period
) -> list[Message]:
    """What moderators said where the edition's audience can read it: they announce things in passing."""
    user_ids = await members.members_with_roles(connection, guild_id, moderators)
    said = await recorded.messages_of_authors(connection, guild_id, user_ids, period, limit=MOST_OF_MODERATORS)
    return [m for m in said if m.channel_id in places.told]
