"""A bot that is killed at any point: what was not written is found again as a gap, whatever was under way."""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.model.clock import SystemClock
from bot.replay.discord_server import DiscordServer
from bot.store.engine import Store
from tests.capture_fixtures import ADA, assert_complete, recording, stored_messages
from tests.command_line import Running, start
from tests.discord_fixtures import CHANNEL_ID, GUILD_ID


@pytest.fixture
async def server() -> AsyncIterator[DiscordServer]:
    made = DiscordServer(SystemClock())
    made.world.add_guild({"id": GUILD_ID, "name": "Test guild"}, channels=[{"id": CHANNEL_ID, "name": "general"}])
    await made.start()
    with made.as_discord():
        yield made
    await made.close()


async def start_bot(server: DiscordServer, folder: Path) -> Running:
    """`gazette run`, connected."""
    bot = start(
        "run",
        cwd=folder,
        GAZETTE_TOKEN=server.token,
        GAZETTE_DISCORD_API_URL=server.api_url,
        GAZETTE_DISCORD_GATEWAY_URL=server.gateway_url,
    )
    waiting = asyncio.create_task(server.gateway.wait_ready())
    ended = asyncio.create_task(bot.ended())
    await asyncio.wait({waiting, ended}, return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    assert not ended.done(), ended.result()
    return bot


async def kill(server: DiscordServer, bot: Running) -> None:
    bot.send_signal(signal.SIGKILL)
    while server.gateway.connected:  # noqa: ASYNC110
        await asyncio.sleep(0.01)


async def test_killed_while_recording_and_while_reading_back(
    server: DiscordServer, sqlite_store: Store, tmp_path: Path
) -> None:
    chance = random.Random(7)
    said = 0

    async def talk(count: int) -> None:
        nonlocal said
        for _ in range(count):
            said += 1
            server.world.create_message(CHANNEL_ID, author=ADA, content=f"message {said}")
            if said % 50 == 0:
                await asyncio.sleep(chance.uniform(0, 0.02))

    await talk(260)
    # In the middle of the first reading back: two of three pages are stored.
    held = server.faults.hold(method="GET", path=f"*/channels/{CHANNEL_ID}/messages", skip=2)
    bot = await start_bot(server, tmp_path)
    await held.reached.wait()
    await talk(300)
    await kill(server, bot)
    held.release()
    server.faults.clear()
    after_the_first = len(await stored_messages(sqlite_store))
    assert after_the_first < said
    # In the middle of recording: some events are in flight, in the queue, or in a transaction.
    bot = await start_bot(server, tmp_path)
    await talk(700)
    await asyncio.sleep(chance.uniform(0.05, 0.5))
    await talk(300)
    await kill(server, bot)
    await talk(40)
    server.gateway.forget_sessions()
    async with recording(server, sqlite_store, SystemClock()):
        assert await assert_complete(sqlite_store, server) == said
    print(f"killed twice: {said} messages said, 0 lost, 0 twice")
