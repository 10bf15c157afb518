"""Privileged intents that the application lacks are said loudly, and the rest works."""

from __future__ import annotations

from datetime import timedelta

from bot.compile.gather import gather
from bot.model.clock import ManualClock
from bot.model.guilds import Witness
from bot.model.schedule import Period
from bot.model.settings import GuildSettings, parse_settings
from bot.replay import discord_intents as intents
from bot.replay.discord_server import DiscordServer
from bot.store import guilds, members
from bot.store.engine import Store
from tests.capture_fixtures import ADA, BOB, assert_complete, recording
from tests.discord_fixtures import CHANNEL_ID, GUILD_ID


async def test_without_the_members_intent_joins_are_known_from_arrival_messages_alone(
    discord_server: DiscordServer, sqlite_store: Store, clock: ManualClock
) -> None:
    world = discord_server.world
    world.withheld_intents = intents.GUILD_MEMBERS
    world.create_channel(GUILD_ID, id=201, name="welcome")
    async with recording(discord_server, sqlite_store, clock) as running:
        assert "Server Members Intent" in running.recorder.problems["members"]
        world.add_member(GUILD_ID, BOB, joined_at=clock.now())
        await running.settle()
        async with sqlite_store.read() as connection:
            assert await members.stays_of(connection, GUILD_ID, [301]) == {}
        world.create_message(201, author=BOB, type=7, content="")
        world.create_message(CHANNEL_ID, author=ADA, content="welcome!")
        await running.settle()
        async with sqlite_store.read() as connection:
            stays = await members.stays_of(connection, GUILD_ID, [301])
        assert [stay.joined_at for stay in stays[301]] == [clock.now()]
        assert stays[301][0].witness in (Witness.ARRIVAL, Witness.SEEN)
        await assert_complete(sqlite_store, discord_server)


async def test_without_message_content_it_is_an_error_from_the_start(
    discord_server: DiscordServer, sqlite_store: Store, clock: ManualClock
) -> None:
    discord_server.world.withheld_intents = intents.MESSAGE_CONTENT
    async with recording(discord_server, sqlite_store, clock) as running:
        assert "Message Content Intent" in running.recorder.problems["message_content"]


async def test_recording_starts_in_a_large_guild_whose_members_never_come(
    discord_server: DiscordServer, sqlite_store: Store, clock: ManualClock
) -> None:
    held = discord_server.faults.hold(method="GET", path=f"*/guilds/{GUILD_ID}/members")
    settings = parse_settings("[channels]\ninclude = ['general']\n")
    async with sqlite_store.write() as connection:
        await guilds.store_settings(connection, GUILD_ID, settings, at=clock.now())
    async with recording(discord_server, sqlite_store, clock, wait=False) as running:
        await held.reached.wait()
        discord_server.world.create_message(CHANNEL_ID, author=ADA, content="hello")
        await discord_server.settle()
        await running.recorder.drain()
        assert await assert_complete(sqlite_store, discord_server) == 1
        held.release()


async def test_a_member_list_that_is_refused_leaves_the_other_warning_standing(
    discord_server: DiscordServer, sqlite_store: Store, clock: ManualClock
) -> None:
    discord_server.world.withheld_intents = intents.GUILD_MEMBERS | intents.MESSAGE_CONTENT
    async with recording(discord_server, sqlite_store, clock) as running:
        assert {"members", "message_content"} <= running.recorder.problems.keys()
        assert running.recorder.intake.guilds.withheld


async def test_joins_are_not_available_from_when_the_members_intent_was_taken_away(
    discord_server: DiscordServer, sqlite_store: Store, clock: ManualClock
) -> None:
    world, begin = discord_server.world, clock.now()
    week = Period(begin, begin + timedelta(days=7))
    async with recording(discord_server, sqlite_store, clock) as running:
        world.add_member(GUILD_ID, BOB, joined_at=clock.now())
        await running.settle()
        assert await joins_of(sqlite_store, week) == (True, 1)
    clock.set(week.end + timedelta(days=1))
    world.withheld_intents = intents.GUILD_MEMBERS
    later = Period(week.end, week.end + timedelta(days=7))
    async with recording(discord_server, sqlite_store, clock):
        assert await joins_of(sqlite_store, week) == (True, 1)
        assert await joins_of(sqlite_store, later) == (False, 0)
    world.withheld_intents = 0
    async with recording(discord_server, sqlite_store, clock):
        assert await joins_of(sqlite_store, later) == (True, 0)


async def joins_of(store: Store, period: Period) -> tuple[bool, int]:
    async with store.read() as connection:
        found = await gather(connection, guild_id=GUILD_ID, settings=GuildSettings(), period=period)
    joined = [stay for stay in found.arrivals.stays if stay.joined_at in period and not stay.bot]
    return found.arrivals.available, len(joined)
