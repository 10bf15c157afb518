"""Everything stored about Discord that one edition is made from, read over one connection."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from bot.capture.chosen import find_channel
from bot.compile.channels import Audience, audience_of, home, told_channels
from bot.compile.highlights import DISCUSSION_PEOPLE, DISCUSSION_RETURN
from bot.compile.introductions import Writer
from bot.compile.reactions import Levels, levels
from bot.model.guilds import (
    ADMINISTRATOR,
    MANAGE_MESSAGES,
    Channel,
    ChannelType,
    Guild,
    Join,
    Member,
    Role,
    ScheduledEvent,
    Witness,
)
from bot.model.messages import Message
from bot.model.schedule import Period
from bot.model.settings import GuildSettings
from bot.store import coverage, guilds, members, tags
from bot.store import period as recorded
from bot.store.coverage import Gap
from bot.store.engine import Connection
from bot.store.period import Mention, Tally
from bot.store.tags import TaggedMessage

MOST_CANDIDATES = 200
MOST_THREADS = 20
MOST_OF_MODERATORS = 1000
MOST_INTRODUCTIONS = 20_000
"""So many messages and threads are looked at, far more than are ever told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """The guild's channels in their parts for an edition. Messages of `quoted` channels may become highlights."""

    channels: Mapping[int, Channel]
    roles: Mapping[int, Role]
    audience: Audience
    told: frozenset[int]
    quoted: frozenset[int]
    introductions: Channel | None
    welcome: Channel | None
    announcements: frozenset[int]

    def home(self, channel_id: int) -> int:
        return home(channel_id, self.channels)

    def name(self, channel_id: int) -> str:
        """The name of the channel, of a thread that of the channel it stands in."""
        place = self.channels.get(self.home(channel_id)) or self.channels.get(channel_id)
        return place.name if place else "unknown"


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrivals:
    """The messages of the introductions channel with who wrote them, and the stays of the period."""

    messages: Sequence[Message]
    answered: Mapping[int, Message]
    writers: Mapping[int, Writer]
    marks: Mapping[int, bool]
    forum: bool
    stays: Sequence[Join]
    earlier: Mapping[int, Sequence[Join]]
    available: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """What was gathered of Discord. `mentions` and everything to be quoted lie in channels that may be told."""

    guild: Guild
    places: Places
    unnamed: frozenset[int]
    tallies: Sequence[Tally]
    quarters: Mapping[tuple[int, datetime], int]
    mentions: Sequence[Mention]
    tagged: Sequence[TaggedMessage]
    conversations: Conversations
    arrivals: Arrivals
    scheduled: Sequence[ScheduledEvent]
    covered: frozenset[int]
    gaps: Sequence[Gap]
    people: Mapping[int, Member] = field(default_factory=dict)
    logins: Mapping[int, str] = field(default_factory=dict)

    def name_of(self, message: Message) -> str:
        member = self.people.get(message.author_id)
        return member.name if member is not None else message.author_name


async def gather(connection: Connection, *, guild_id: int, settings: GuildSettings, period: Period) -> Gathered:
    """Read what is stored about the guild's period. Raises NotFoundError for a guild that is not recorded."""
    guild = await guilds.fetch_guild(connection, guild_id)
    channels = await guilds.channels_of(connection, guild_id)
    roles = await guilds.roles_of(connection, guild_id)
    places = find_places(guild_id, settings, channels, roles)
    unnamed = await recorded.opted_out(connection, guild_id)
    moderators = moderating_roles(settings, roles)
    tagged = [tag for tag in await tags.tagged_between(connection, guild_id, period) if tag.channel_id in places.told]
    tallies = await recorded.tallies(connection, guild_id, period)
    arrivals = await _arrivals(connection, guild, settings, places, period, moderators)
    conversations = await _conversations(connection, guild, places, period, tallies, tagged, moderators)
    shown = {m.author_id for m in conversations.messages.values()} | {m.author_id for m in arrivals.messages}
    shown |= {m.author_id for m in (*conversations.with_links, *conversations.of_moderators)}
    scheduled = await guilds.scheduled_events_from(connection, guild_id, period.end)
    shown |= {event.creator_id for event in scheduled if event.creator_id is not None} - unnamed
    return Gathered(
        guild=guild,
        places=places,
        unnamed=unnamed,
        tallies=tallies,
        quarters=await recorded.quarters(connection, guild_id, period),
        mentions=[m for m in await recorded.mentions(connection, guild_id, period) if m.channel_id in places.told],
        tagged=tagged,
        conversations=conversations,
        arrivals=arrivals,
        scheduled=[e for e in scheduled if e.channel_id is None or e.channel_id in places.told],
        covered=await recorded.covered_channels(connection, guild_id, period),
        gaps=await coverage.gaps_of(connection, guild_id, period.start, period.end),
        people=await guilds.members_of(connection, guild_id, shown),
        logins=await recorded.linked_logins(connection, guild_id),
    )


def find_places(
    guild_id: int, settings: GuildSettings, channels: Mapping[int, Channel], roles: Mapping[int, Role]
) -> Places:
    """Sort the guild's channels by the part they have in the edition."""
    audience = audience_of(guild_id, settings, channels, roles)
    told = told_channels(settings, audience)
    introductions = find_channel(channels, settings.channels.introductions)
    welcome = find_channel(channels, settings.channels.welcome)
    names = settings.channels.announcements
    if names is None:
        chosen = {c.channel_id for c in channels.values() if c.channel_type == ChannelType.ANNOUNCEMENT}
    else:
        chosen = {found.channel_id for name in names if (found := find_channel(channels, name))}
    aside = {c.channel_id for c in (introductions, welcome, *audience.posted_in) if c is not None}
    quoted = frozenset(i for i in told if i not in aside and home(i, channels) not in aside)
    return Places(
        channels=channels,
        roles=roles,
        audience=audience,
        told=told,
        quoted=quoted,
        introductions=introductions if introductions and introductions.channel_id in told else None,
        welcome=welcome,
        announcements=frozenset(chosen & quoted),
    )


def moderating_roles(settings: GuildSettings, roles: Mapping[int, Role]) -> frozenset[int]:
    """The roles of moderators: those with Manage Messages, and the one that the settings name."""
    wanted = (settings.moderation.role or "").removeprefix("@").casefold()
    return frozenset(
        role.role_id
        for role in roles.values()
        if role.role_id != role.guild_id
        and (
            role.permissions & (MANAGE_MESSAGES | ADMINISTRATOR)
            or (wanted and wanted in (role.name.casefold(), str(role.role_id)))
        )
    )


async def _arrivals(
    connection: Connection,
    guild: Guild,
    settings: GuildSettings,
    places: Places,
    period: Period,
    moderators: frozenset[int],
) -> Arrivals:
    guild_id = guild.guild_id
    marks = await tags.introduction_marks(connection, guild_id, period)
    found: dict[int, Message] = {}
    place = places.introductions
    forum = place is not None and place.channel_type in (ChannelType.FORUM, ChannelType.MEDIA)
    if place is not None:
        posts = [c.channel_id for c in places.channels.values() if c.parent_id == place.channel_id] if forum else []
        said = await recorded.messages_of_channels(
            connection, guild_id, [place.channel_id, *posts], period, limit=MOST_INTRODUCTIONS
        )
        found = {m.message_id: m for m in said}
    elsewhere = [message_id for message_id, is_one in marks.items() if is_one and message_id not in found]
    for message in await recorded.messages_by_id(connection, guild_id, elsewhere):
        if message.channel_id in places.told:
            found[message.message_id] = message
    answered = await recorded.originals(connection, guild_id, [m.reply_to_id for m in found.values() if m.reply_to_id])
    stays = await recorded.stays(connection, guild_id, period)
    joined = {stay.user_id for stay in stays if stay.joined_at in period and not stay.bot}
    writing = {m.author_id for m in found.values()}
    known = await members.stays_of(connection, guild_id, sorted(joined | writing))
    witnesses = await recorded.witnesses(connection, guild_id)
    return Arrivals(
        messages=list(found.values()),
        answered={m.message_id: m for m in answered},
        writers=await _writers(connection, guild, writing, known, period, moderators),
        marks=marks,
        forum=forum,
        stays=stays,
        earlier={user_id: [s for s in known.get(user_id, ()) if s.joined_at < period.end] for user_id in joined},
        available=bool(witnesses & {Witness.EVENT, Witness.ROSTER}) or _sees_arrivals(places.welcome),
    )


def _sees_arrivals(welcome: Channel | None) -> bool:
    return welcome is not None and welcome.unreadable is None and welcome.deleted_at is None


async def _writers(
    connection: Connection,
    guild: Guild,
    user_ids: Collection[int],
    stays: Mapping[int, Sequence[Join]],
    period: Period,
    moderators: frozenset[int],
) -> dict[int, Writer]:
    people = await guilds.members_of(connection, guild.guild_id, user_ids)
    first = await recorded.first_messages(connection, guild.guild_id, user_ids, before=period.end)
    writers: dict[int, Writer] = {}
    for user_id in user_ids:
        member = people.get(user_id)
        known = [stay.joined_at for stay in stays.get(user_id, ()) if stay.joined_at < period.end]
        if member is not None and member.joined_at is not None and member.joined_at < period.end:
            known.append(member.joined_at)
        names = (member.nick, member.global_name, member.username) if member else ()
        writers[user_id] = Writer(
            user_id=user_id,
            name=member.name if member else "",
            names=tuple(name for name in names if name),
            team=user_id == guild.owner_id or bool(member and moderators & set(member.role_ids)),
            joined_at=max(known, default=None),
            first_id=first.get(user_id),
        )
    return writers


async def _conversations(
    connection: Connection,
    guild: Guild,
    places: Places,
    period: Period,
    tallies: Sequence[Tally],
    tagged: Sequence[TaggedMessage],
    moderators: frozenset[int],
) -> Conversations:
    guild_id, quoted = guild.guild_id, places.quoted
    counts: dict[int, int] = {}
    for (channel_id, reactions), messages in (await recorded.reaction_counts(connection, guild_id, period)).items():
        if channel_id in quoted:
            counts[reactions] = counts.get(reactions, 0) + messages
    bar = levels(counts)
    reacted = await recorded.most_reacted(
        connection, guild_id, period, at_least=bar.some, channel_ids=quoted, limit=MOST_CANDIDATES
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
    await _climb(connection, guild_id, messages, quoted)
    answers = await _descend(connection, guild_id, messages, period, quoted)
    for thread in threads:
        said = [m for m in talked if m.channel_id == thread and m.reply_to_id is None and m.message_id != thread]
        first = thread if thread in messages else min((m.message_id for m in said), default=None)
        if first is not None:
            _add(answers, first, [m for m in said if m.message_id != first])
    return Conversations(
        messages=messages,
        answers=answers,
        announcements=[m.message_id for m in announced],
        reacted=[m.message_id for m in reacted],
        discussions=[*(talk.message_id for talk in answered), *_openers(threads, talked, messages)],
        with_links=[
            m
            for m in await recorded.messages_with_links(
                connection, guild_id, period, at_least=bar.some, limit=MOST_CANDIDATES
            )
            if m.channel_id in quoted
        ],
        of_moderators=await _said_by(connection, guild_id, moderators, places, period),
        levels=bar,
    )


def _lively_threads(tallies: Iterable[Tally], places: Places) -> list[int]:
    """The threads in which several people talk with each other, those with most people first."""
    people: dict[int, int] = {}
    messages: dict[int, int] = {}
    for tally in tallies:
        channel = places.channels.get(tally.channel_id)
        if tally.channel_id in places.quoted and channel is not None and channel.is_thread:
            people[tally.channel_id] = people.get(tally.channel_id, 0) + 1
            messages[tally.channel_id] = messages.get(tally.channel_id, 0) + tally.messages
    lively = [
        thread
        for thread, count in people.items()
        if count >= DISCUSSION_PEOPLE - 1 and messages[thread] >= DISCUSSION_RETURN * count - 1
    ]
    return sorted(lively, key=lambda thread: (-people[thread], -messages[thread], thread))[:MOST_THREADS]


def _openers(threads: Sequence[int], talked: Sequence[Message], messages: Mapping[int, Message]) -> list[int]:
    """The message under which each thread stands, else the first in it."""
    first: dict[int, int] = {}
    for message in talked:
        first.setdefault(message.channel_id, message.message_id)
    return [
        thread if thread in messages else first[thread] for thread in threads if thread in messages or thread in first
    ]


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
    connection: Connection, guild_id: int, messages: dict[int, Message], period: Period, quoted: Collection[int]
) -> dict[int, list[Message]]:
    """Add the answers to the messages, a few steps down, with those in a thread under a message."""
    answers: dict[int, list[Message]] = {}
    edge = set(messages)
    for step in range(4):
        replies = await recorded.replies_to(connection, guild_id, edge, period)
        under = await recorded.messages_of_channels(connection, guild_id, edge, period, limit=500) if step == 0 else []
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
    user_ids = await recorded.members_with_roles(connection, guild_id, moderators)
    said = await recorded.messages_of_authors(connection, guild_id, user_ids, period, limit=MOST_OF_MODERATORS)
    return [m for m in said if m.channel_id in places.told]
