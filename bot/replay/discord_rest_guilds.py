"""Routes on guilds, members, roles, scheduled events and users.

Sources: https://docs.discord.com/developers/resources/guild, .../user, .../guild-scheduled-event
"""

from __future__ import annotations

from typing import Any

from bot.replay import discord_intents as intents
from bot.replay import discord_permissions as bits
from bot.replay.discord_errors import missing_access, missing_permissions, unknown
from bot.replay.discord_rest import Call, route

GUILD = "/guilds/{guild_id}"


@route("GET", GUILD)
def guild(call: Call) -> Any:
    found = call.guild()
    counts = {"approximate_member_count": len(found.members), "approximate_presence_count": 0}
    return {**call.world.guild_shown(found.guild_id), **(counts if call.asks_for("with_counts") else {})}


@route("GET", GUILD + "/channels")
def channels(call: Call) -> Any:
    """All channels, without threads."""
    return [channel.data for channel in call.world.channels_of(call.guild().guild_id, threads=False)]


@route("POST", GUILD + "/channels", status=201)
def create_channel(call: Call) -> Any:
    found = call.guild()
    _require(call, bits.MANAGE_CHANNELS)
    return call.world.create_channel(found.guild_id, **call.body)


@route("GET", GUILD + "/roles")
def roles(call: Call) -> Any:
    return list(call.guild().roles.values())


@route("GET", GUILD + "/emojis")
def emojis(call: Call) -> Any:
    return call.guild().data["emojis"]


@route("GET", GUILD + "/members")
def members(call: Call) -> Any:
    """By ascending id, in pages of at most 1,000. Needs the members intent."""
    found = call.guild()
    if call.world.withheld_intents & intents.GUILD_MEMBERS:
        raise missing_access()
    after = int(call.query.get("after", 0))
    ids = sorted(user_id for user_id in found.members if user_id > after)
    return [found.members[user_id] for user_id in ids[: call.limit(1, 1000)]]


@route("GET", GUILD + "/members/search")
def search_members(call: Call) -> Any:
    found = call.guild()
    query = call.query.get("query", "").lower()
    named = [
        member
        for member in found.members.values()
        if any(str(name or "").lower().startswith(query) for name in (member["user"]["username"], member["nick"]))
    ]
    return named[: call.limit(1, 1000)]


@route("GET", GUILD + "/members/{user_id}")
def member(call: Call) -> Any:
    found = call.guild()
    user_id = call.world.bot_id if call.path["user_id"] == "@me" else call.id("user_id")
    if user_id not in found.members:
        call.world.user(user_id)
        raise unknown("Member")
    return found.members[user_id]


@route("GET", GUILD + "/scheduled-events")
def scheduled_events(call: Call) -> Any:
    return list(call.guild().scheduled_events.values())


@route("GET", GUILD + "/scheduled-events/{event_id}")
def scheduled_event(call: Call) -> Any:
    event = call.guild().scheduled_events.get(call.id("event_id"))
    if event is None:
        raise unknown("Guild Scheduled Event")
    return event


@route("GET", GUILD + "/webhooks")
def webhooks(call: Call) -> Any:
    call.guild()
    return []


def _require(call: Call, needed: int) -> None:
    if needed & ~call.world.base_permissions(call.guild().guild_id, call.world.bot_id):
        raise missing_permissions()


# -- users


@route("GET", "/users/@me")
def me(call: Call) -> Any:
    return {**call.world.bot, "mfa_enabled": True, "locale": "en-US"}


@route("GET", "/users/@me/guilds")
def my_guilds(call: Call) -> Any:
    after = int(call.query.get("after", 0))
    return [
        {"id": str(guild_id), "name": found.data["name"], "icon": None, "owner": False, "features": []}
        | {"permissions": str(call.world.base_permissions(guild_id, call.world.bot_id))}
        for guild_id, found in sorted(call.world.guilds.items())
        if guild_id > after
    ][: call.limit(200, 200)]


@route("POST", "/users/@me/channels")
def open_dm(call: Call) -> Any:
    return call.world.open_dm(int(call.body["recipient_id"]))


@route("GET", "/users/{user_id}")
def user(call: Call) -> Any:
    return call.world.user(call.id("user_id"))
