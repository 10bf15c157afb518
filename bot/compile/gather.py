"""Everything stored about Discord that one edition is made from, read over one connection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bot.compile.activity import midnights
from bot.compile.arrivals import Arrivals, gather_arrivals
from bot.compile.conversations import Conversations, gather_conversations
from bot.compile.places import Places, find_places, moderating_roles
from bot.model.guilds import Guild, Member, ScheduledEvent
from bot.model.messages import Message
from bot.model.schedule import Period
from bot.model.settings import GuildSettings
from bot.store import coverage, guilds, identities, tags
from bot.store import period as recorded
from bot.store.coverage import Gap
from bot.store.engine import Connection
from bot.store.period import Mention, Tally
from bot.store.tags import TaggedMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """What was gathered of Discord. `mentions` and everything to be quoted lie in channels that may be told."""

    guild: Guild
    places: Places
    unnamed: frozenset[int]
    tallies: Sequence[Tally]
    authors: int
    authors_by_channel: Mapping[int, int]
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

    def name_by_id(self, user_id: int | None) -> str | None:
        member = self.people.get(user_id or 0)
        return member.name if member is not None else None


async def gather(connection: Connection, *, guild_id: int, settings: GuildSettings, period: Period) -> Gathered:
    """Read what is stored about the guild's period. Raises NotFoundError for a guild that is not recorded."""
    guild = await guilds.fetch_guild(connection, guild_id)
    channels = await guilds.channels_of(connection, guild_id)
    roles = await guilds.roles_of(connection, guild_id)
    places = find_places(guild_id, settings, channels, roles)
    unnamed = await recorded.opted_out(connection, guild_id)
    moderators = moderating_roles(settings, roles)
    tagged = [tag for tag in await tags.tagged_between(connection, guild_id, period) if tag.channel_id in places.told]
    heard = await recorded.tallies(connection, guild_id, period, until=midnights(period))
    tallies = [tally for tally in heard if tally.channel_id in places.told]
    untold = {tally.channel_id for tally in heard} - places.told
    threads = any(places.home(tally.channel_id) != tally.channel_id for tally in tallies)
    covered = await coverage.covered_channels(connection, guild_id, period)
    arrivals = await gather_arrivals(connection, guild, places, period, moderators=moderators, covered=covered)
    conversations = await gather_conversations(
        connection, guild_id, places, period, tallies=tallies, tagged=tagged, moderators=moderators, unnamed=unnamed
    )
    shown = {m.author_id for m in conversations.messages.values()} | {m.author_id for m in arrivals.messages}
    shown |= {m.author_id for m in (*conversations.with_links, *conversations.of_moderators)}
    scheduled = await guilds.scheduled_events_from(connection, guild_id, period.end)
    shown |= {event.creator_id for event in scheduled if event.creator_id is not None} - unnamed
    return Gathered(
        guild=guild,
        places=places,
        unnamed=unnamed,
        tallies=tallies,
        authors=await recorded.people(connection, guild_id, period, without=untold),
        authors_by_channel=(
            await recorded.people_with_threads(connection, guild_id, period, without=untold) if threads else {}
        ),
        mentions=[m for m in await recorded.mentions(connection, guild_id, period) if m.channel_id in places.told],
        tagged=tagged,
        conversations=conversations,
        arrivals=arrivals,
        scheduled=[e for e in scheduled if e.channel_id is None or e.channel_id in places.told],
        covered=covered,
        gaps=await coverage.gaps_of(connection, guild_id, period.start, period.end),
        people=await guilds.members_of(connection, guild_id, shown),
        logins=await identities.linked_logins(connection, guild_id),
    )
