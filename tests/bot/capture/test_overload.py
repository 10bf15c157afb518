"""When the database cannot keep up, reading waits; what is let go in the end is a gap that is read back."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from bot.model.clock import ManualClock
from bot.replay.discord_server import DiscordServer
from bot.store import coverage
from bot.store.engine import Store
from tests.capture_fixtures import ADA, assert_complete, recording, stored_messages
from tests.discord_fixtures import CHANNEL_ID, GUILD_ID


async def test_reading_waits_while_the_database_is_busy_and_nothing_is_let_go(
    discord_server: DiscordServer, sqlite_store: Store, clock: ManualClock
) -> None:
    async with recording(discord_server, sqlite_store, clock, capacity=20) as running:
        async with sqlite_store.write():
            for number in range(200):
                discord_server.world.create_message(CHANNEL_ID, author=ADA, content=f"{number}")
            reading = asyncio.create_task(discord_server.settle())
            done, _ = await asyncio.wait({reading}, timeout=0.5)
            assert not done, "the socket was read on although nothing could be stored"
        await reading
        await running.settle()
        assert running.recorder.lost == 0
        assert await assert_complete(sqlite_store, discord_server) == 200


async def test_what_is_let_go_is_counted_told_and_read_back(
    discord_server: DiscordServer, sqlite_store: Store, clock: ManualClock
) -> None:
    async with recording(discord_server, sqlite_store, clock, capacity=20, patience=0.05) as running:
        clock.set(clock.now() + timedelta(minutes=10))
        async with sqlite_store.write():
            for number in range(200):
                clock.set(clock.now() + timedelta(seconds=1))
                discord_server.world.create_message(CHANNEL_ID, author=ADA, content=f"{number}")
            await discord_server.settle()
            assert running.recorder.lost > 100
            assert "queue" in running.recorder.problems
        clock.set(clock.now() + timedelta(minutes=1))
        discord_server.world.create_message(CHANNEL_ID, author=ADA, content="after it")
        await running.settle()
        assert await assert_complete(sqlite_store, discord_server) == 201
        assert "queue" not in running.recorder.problems
        async with sqlite_store.read() as connection:
            gaps = await coverage.gaps_of(connection, GUILD_ID, clock.now() - timedelta(hours=1), clock.now())
        assert [gap.reason for gap in gaps] == ["overload"]
        assert gaps[0].recovered_at is not None


async def test_an_event_that_makes_no_sense_does_not_stop_the_others(
    discord_server: DiscordServer, sqlite_store: Store, clock: ManualClock
) -> None:
    async with recording(discord_server, sqlite_store, clock) as running:
        odd = '{"guild_id": "100", "channel_id": "200", "id": "7", "content": "?", "author": null}'
        discord_server.world.create_message(CHANNEL_ID, author=ADA, content="before")
        discord_server.gateway.dispatch_raw("MESSAGE_CREATE", odd, guild_id=GUILD_ID)
        discord_server.world.create_message(CHANNEL_ID, author=ADA, content="after")
        await running.settle()
        assert [m.content for m in (await stored_messages(sqlite_store)).values()] == ["before", "after"]
        assert "MESSAGE_CREATE" in running.recorder.problems["event"]


async def test_what_was_let_go_of_a_channel_that_was_quiet_before_is_read_back_too(
    discord_server: DiscordServer, sqlite_store: Store, clock: ManualClock
) -> None:
    world = discord_server.world
    world.create_message(CHANNEL_ID, author=ADA, content="long ago")
    clock.set(clock.now() + timedelta(days=40))
    busy = int(world.create_channel(GUILD_ID, name="busy")["id"])
    async with recording(discord_server, sqlite_store, clock, capacity=20, patience=0.05) as running:
        clock.set(clock.now() + timedelta(minutes=10))
        async with sqlite_store.write():
            for number in range(200):
                world.create_message(busy, author=ADA, content=f"{number}")
            world.create_message(CHANNEL_ID, author=ADA, content="the first for a long time")
            clock.set(clock.now() + timedelta(seconds=2))  # on its way
            await discord_server.settle()
            assert running.recorder.lost > 100
        await running.settle()
        contents = {message.content for message in (await stored_messages(sqlite_store)).values()}
        assert contents == {*map(str, range(200)), "the first for a long time"}
