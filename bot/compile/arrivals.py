"""Who came and who wrote in the introductions channel, as stored."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.compile.introductions import Writer, answered_by
from bot.compile.places import Places
from bot.model.guilds import Channel, Guild, Join, Member, Witness
from bot.model.messages import Message
from bot.model.schedule import Period
from bot.store import guilds, members, tags
from bot.store import period as recorded
from bot.store.engine import Connection

MOST_MESSAGES = 20_000
"""So many messages of the introductions channel are read at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrivals:
    """The messages of the introductions channel with who wrote them, and the stays of the period.

    `earlier` holds all stays up to the period's end of those who joined in it.
    """

    messages: Sequence[Message]
    place_id: int | None
    answered: Mapping[int, Message]
    writers: Mapping[int, Writer]
    marks: Mapping[int, bool]
    stays: Sequence[Join]
    earlier: Mapping[int, Sequence[Join]]
    available: bool


async def gather_arrivals(
    connection: Connection,
    guild: Guild,
    places: Places,
    period: Period,
    *,
    moderators: frozenset[int],
    covered: Collection[int],
) -> Arrivals:
    """Read introductions and joins. `moderators` are the roles of the team, `covered` the channels that were read."""
    guild_id = guild.guild_id
    marks = await tags.introduction_marks(connection, guild_id, period)
    place = places.introductions
    threads = [c.channel_id for c in places.channels.values() if place and c.parent_id == place.channel_id]
    rooms = [place.channel_id, *threads] if place else []
    said = await recorded.messages_of_channels(connection, guild_id, rooms, period, limit=MOST_MESSAGES)
    found = {m.message_id: m for m in said}
    elsewhere = [message_id for message_id, is_one in marks.items() if is_one and message_id not in found]
    for message in await recorded.messages_by_id(connection, guild_id, elsewhere):
        if message.channel_id in places.told:
            found[message.message_id] = message
    place_id = place.channel_id if place else None
    above = {answers for m in found.values() if (answers := answered_by(m, place_id)) is not None}
    stays = await members.stays(connection, guild_id, period)
    joined = {stay.user_id for stay in stays if stay.joined_at in period and not stay.bot}
    answered = await recorded.originals(connection, guild_id, above)
    writing = {m.author_id for m in (*found.values(), *answered)}
    known = await members.stays_of(connection, guild_id, sorted(joined | writing))
    return Arrivals(
        messages=list(found.values()),
        place_id=place_id,
        answered={m.message_id: m for m in answered},
        writers=await _writers(connection, guild, writing, known, period, moderators),
        marks=marks,
        stays=stays,
        earlier={user_id: [s for s in known.get(user_id, ()) if s.joined_at < period.end] for user_id in joined},
        available=await _are_joins_seen(connection, guild_id, places.welcome, period, covered),
    )


async def _are_joins_seen(
    connection: Connection, guild_id: int, welcome: Channel | None, period: Period, covered: Collection[int]
) -> bool:
    """Whether joins of the period could be known: from Discord's member list, or from arrival messages."""
    if welcome is not None and welcome.channel_id in covered:
        return True
    withheld = await members.withheld_since(connection, guild_id)
    if withheld is not None and withheld < period.end:
        return False
    return bool(await members.witnesses(connection, guild_id) & {Witness.EVENT, Witness.ROSTER})


async def _writers(
    connection: Connection,
    guild: Guild,
    user_ids: Collection[int],
    stays: Mapping[int, Sequence[Join]],
    period: Period,
    moderators: frozenset[int],
) -> dict[int, Writer]:
    people = await guilds.members_of(connection, guild.guild_id, user_ids)
    joined = {user_id: _joined_at(people.get(user_id), stays.get(user_id, ()), period) for user_id in user_ids}
    unknown = [user_id for user_id, at in joined.items() if at is None]
    first = await recorded.first_messages(connection, guild.guild_id, unknown, before=period.end)
    writers: dict[int, Writer] = {}
    for user_id in user_ids:
        member = people.get(user_id)
        names = (member.nick, member.global_name, member.username) if member else ()
        writers[user_id] = Writer(
            user_id=user_id,
            name=member.name if member else "",
            names=tuple(name for name in names if name),
            team=user_id == guild.owner_id or bool(member and moderators & set(member.role_ids)),
            joined_at=joined[user_id],
            first_id=first.get(user_id),
        )
    return writers


def _joined_at(member: Member | None, stays: Sequence[Join], period: Period) -> datetime | None:
    """When somebody joined last before the period's end, by their stays or as a member."""
    known = [stay.joined_at for stay in stays]
    if member is not None and member.joined_at is not None:
        known.append(member.joined_at)
    return max((at for at in known if at < period.end), default=None)
