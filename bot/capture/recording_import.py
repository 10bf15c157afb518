"""Gazette's own recordings of a week of Discord, put into a store as if the bot had been there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from bot.capture import convert
from bot.capture.chosen import chosen_channels
from bot.capture.convert import Payload
from bot.capture.exclusions import without_title
from bot.model.guilds import Witness
from bot.model.messages import Message
from bot.model.settings import GuildSettings
from bot.model.snowflakes import first_id_at
from bot.store import coverage, guilds, members, messages
from bot.store.engine import Connection, Store

PROXY_DELAY = timedelta(seconds=30)
"""How long after somebody's message a proxy bot's copy of it may come."""

IsExcluded = Callable[[int, int], bool]


def nobody_excluded(guild_id: int, user_id: int) -> bool:
    """Nobody opted out."""
    return False


async def import_recording(store: Store, document: Mapping[str, Any], *, settings: GuildSettings | None = None) -> int:
    """Store a whole recording (the dict of a discord.json); returns the guild's id. Running it twice changes nothing.

    `settings` replace the guild's, at the recording's end.
    """
    async with store.write() as connection:
        guild_id, self_id = await store_surroundings(connection, document, settings=settings)
        chosen = await chosen_in(connection, guild_id)
        said = [*document.get("messages", ()), *document.get("deleted_messages", ())]
        await store_payloads(
            connection,
            [each for each in said if int(each["channel_id"]) in chosen],
            guild_id=guild_id,
            self_id=self_id,
        )
        await store_captured(connection, document, guild_id=guild_id, chosen=chosen)
    return guild_id


async def store_surroundings(
    connection: Connection,
    document: Mapping[str, Any],
    *,
    settings: GuildSettings | None = None,
    is_excluded: IsExcluded = nobody_excluded,
) -> tuple[int, int | None]:
    """Store all of a recording but its messages; returns the guild's id and the bot's own."""
    guild_id = int(document["guild"]["id"])
    self_id = int(document["self"]["id"]) if document.get("self") else None
    _, ended = _captured(document)
    await guilds.store_guild(connection, convert.guild_from_payload(document["guild"], self_id=self_id))
    if settings is not None and ended is not None:
        await guilds.store_settings(connection, guild_id, settings, at=ended)
    channels = [convert.channel_from_payload(each, guild_id=guild_id) for each in document.get("channels", ())]
    await guilds.store_channels(connection, [without_title(each, is_excluded) for each in channels])
    roles = [convert.role_from_payload(each, guild_id=guild_id) for each in document.get("roles", ())]
    await guilds.store_roles(connection, roles)
    everybody = [convert.member_from_payload(each, guild_id=guild_id) for each in document.get("members", ())]
    people = [person for person in everybody if not is_excluded(guild_id, person.user_id)]
    present = {person.user_id for person in everybody}
    events = [each for each in document.get("member_events", ()) if not is_excluded(guild_id, int(each["user"]["id"]))]
    passing = [convert.member_from_payload(event, guild_id=guild_id) for event in events]
    await guilds.store_members(connection, [each for each in passing if each.user_id not in present])
    await guilds.store_members(connection, people)
    joins = [convert.join_from_member(person, Witness.ROSTER) for person in people]
    await members.store_joins(connection, [join for join in joins if join])
    for event in sorted(events, key=lambda each: str(each.get("at") or each["joined_at"])):
        member = convert.member_from_payload(event, guild_id=guild_id)
        if event["type"] == "GUILD_MEMBER_ADD" and (join := convert.join_from_member(member, Witness.EVENT)):
            await members.store_joins(connection, [join])
        elif event["type"] == "GUILD_MEMBER_REMOVE" and (at := convert.instant(event["at"])):
            await members.store_leave(connection, guild_id, member.user_id, at=at)
    return guild_id, self_id


async def chosen_in(connection: Connection, guild_id: int) -> set[int]:
    """The ids of the guild's channels that are recorded, by its stored settings."""
    return chosen_channels(
        await guilds.fetch_settings(connection, guild_id),
        guild_id=guild_id,
        channels=await guilds.channels_of(connection, guild_id),
        roles=await guilds.roles_of(connection, guild_id),
    )


async def store_payloads(
    connection: Connection,
    payloads: Sequence[Payload],
    *,
    guild_id: int,
    self_id: int | None,
    is_excluded: IsExcluded = nobody_excluded,
) -> int:
    """Store messages as history gives them, with the joins that arrival messages tell of; returns how many."""
    said = [
        (message, bool(payload["author"].get("bot")))
        for payload in payloads
        for message in [convert.message_from_payload(payload, guild_id=guild_id, self_id=self_id)]
        if not is_excluded(guild_id, message.author_id)
    ]
    await store_converted(connection, said)
    return len(said)


async def store_converted(
    connection: Connection,
    said: Sequence[tuple[Message, bool]],
    *,
    counts: messages.Counts = messages.Counts.COMPLETE,
) -> None:
    """Store messages, each with whether a bot wrote it, and the joins that arrival messages tell of."""
    await messages.store_messages(connection, [message for message, _ in said], counts=counts)
    arrivals = [convert.join_from_arrival(message, bot=bot) for message, bot in said]
    await members.store_joins(connection, [join for join in arrivals if join])
    for message, _ in said:
        if message.deleted_at is not None:
            await messages.credit_proxied(connection, message, within=proxy_range(message))


async def store_captured(
    connection: Connection, document: Mapping[str, Any], *, guild_id: int, chosen: set[int]
) -> None:
    """Note that the whole time of the recording is covered: it holds what was said, wherever its bot was."""
    start, end = _captured(document)
    if start and end:
        for channel_id in sorted(chosen):
            await coverage.add_coverage(connection, guild_id, channel_id, start, end)


def _captured(document: Mapping[str, Any]) -> tuple[datetime | None, datetime | None]:
    """From when to when the recording was made (UTC), as far as it says so."""
    captured = document.get("captured") or document.get("window") or {}
    return convert.instant(captured.get("start")), convert.instant(captured.get("end"))


def proxy_range(original: Message) -> tuple[int, int]:
    """The ids among which a proxy bot's copy of the message may be."""
    return original.message_id, first_id_at(original.created_at + PROXY_DELAY)
