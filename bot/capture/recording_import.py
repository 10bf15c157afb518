"""Gazette's own recordings of a week of Discord, put into a store as if the bot had been there."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from bot.capture import convert
from bot.capture.chosen import chosen_channels
from bot.model.guilds import Witness
from bot.model.messages import Message
from bot.model.settings import GuildSettings
from bot.model.snowflakes import first_id_at
from bot.store import coverage, guilds, members, messages
from bot.store.engine import Store

PROXY_DELAY = timedelta(seconds=30)
"""How long after somebody's message a proxy bot's copy of it may come."""


async def import_recording(store: Store, document: Mapping[str, Any], *, settings: GuildSettings | None = None) -> int:
    """Store a whole recording (the dict of a discord.json); returns the guild's id. Running it twice changes nothing.

    `settings` replace the guild's, at the recording's end.
    """
    guild_id = int(document["guild"]["id"])
    self_id = int(document["self"]["id"]) if document.get("self") else None
    captured = document.get("captured") or document.get("window") or {}
    start, end = convert.instant(captured.get("start")), convert.instant(captured.get("end"))
    channels = [convert.channel_from_payload(each, guild_id=guild_id) for each in document.get("channels", ())]
    roles = [convert.role_from_payload(each, guild_id=guild_id) for each in document.get("roles", ())]
    people = [convert.member_from_payload(each, guild_id=guild_id) for each in document.get("members", ())]
    present = {person.user_id for person in people}
    passing = [convert.member_from_payload(event, guild_id=guild_id) for event in document.get("member_events", ())]
    async with store.write() as connection:
        await guilds.store_guild(connection, convert.guild_from_payload(document["guild"], self_id=self_id))
        if settings is not None and end is not None:
            await guilds.store_settings(connection, guild_id, settings, at=end)
        current = await guilds.fetch_settings(connection, guild_id)
        await guilds.store_channels(connection, channels)
        await guilds.store_roles(connection, roles)
        await guilds.store_members(connection, [each for each in passing if each.user_id not in present])
        await guilds.store_members(connection, people)
        joins = [convert.join_from_member(person, Witness.ROSTER) for person in people]
        await members.store_joins(connection, [join for join in joins if join])
        for event in sorted(document.get("member_events", ()), key=lambda e: e.get("at") or e["joined_at"]):
            member = convert.member_from_payload(event, guild_id=guild_id)
            if event["type"] == "GUILD_MEMBER_ADD" and (join := convert.join_from_member(member, Witness.EVENT)):
                await members.store_joins(connection, [join])
            elif event["type"] == "GUILD_MEMBER_REMOVE" and (at := convert.instant(event["at"])):
                await members.store_leave(connection, guild_id, member.user_id, at=at)
    chosen = chosen_channels(
        current,
        guild_id=guild_id,
        channels={channel.channel_id: channel for channel in channels},
        roles={role.role_id: role for role in roles},
    )
    payloads = [*document.get("messages", ()), *document.get("deleted_messages", ())]
    said = [
        (message, bool(payload["author"].get("bot")))
        for payload in payloads
        if int(payload["channel_id"]) in chosen
        for message in [convert.message_from_payload(payload, guild_id=guild_id, self_id=self_id)]
    ]
    async with store.write() as connection:
        await messages.store_messages(connection, [message for message, _ in said])
        arrivals = [convert.join_from_arrival(message, bot=bot) for message, bot in said]
        await members.store_joins(connection, [join for join in arrivals if join])
        for message, _ in said:
            if message.deleted_at is not None:
                await messages.credit_proxied(connection, message, within=proxy_range(message))
        if start and end:
            for channel_id in sorted(chosen):
                await coverage.add_coverage(connection, guild_id, channel_id, start, end)
    return guild_id


def proxy_range(original: Message) -> tuple[int, int]:
    """The ids among which a proxy bot's copy of the message may be."""
    return original.message_id, first_id_at(original.created_at + PROXY_DELAY)
