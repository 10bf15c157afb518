"""A bot that is killed at any point: what was not written is found again as a gap, whatever was under way."""

from __future__ import annotations

import asyncio
import random
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.model.clock import SystemClock
from bot.replay.discord_server import DiscordServer
from bot.store.engine import Store
from tests.capture_fixtures import ADA, assert_complete, recording, stored_messages
from tests.discord_fixtures import CHANNEL_ID, GUILD_ID

ROOT = Path(__file__).resolve().parents[3]

BOT = """
import asyncio, sys
from types import SimpleNamespace
from bot import client
from bot.capture.read_back import ReadBack
from bot.capture.recorder import Recorder
from bot.model.clock import SystemClock
from bot.store.engine import Store

async def main(database, api, gateway, token):
    clock, store = SystemClock(), Store.open(database)
    recorder = Recorder(store, clock=clock)
    services = SimpleNamespace(recorder=recorder, read_back=ReadBack(recorder, clock=clock))
    loaded = ("cogs.recording",)
    bot = client.DigestBot(services, store=store, extensions_to_load=loaded, api_url=api, gateway_url=gateway)
    await bot.start(token)

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.fixture
async def server() -> AsyncIterator[DiscordServer]:
    made = DiscordServer(SystemClock())
    made.world.add_guild({"id": GUILD_ID, "name": "Test guild"}, channels=[{"id": CHANNEL_ID, "name": "general"}])
    await made.start()
    with made.as_discord():
        yield made
    await made.close()


async def start_bot(server: DiscordServer, database: str) -> asyncio.subprocess.Process:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", BOT, database, server.api_url, server.gateway_url, server.token,
        cwd=ROOT, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    waiting = asyncio.create_task(server.gateway.wait_ready())
    ended = asyncio.create_task(process.wait())
    await asyncio.wait({waiting, ended}, return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    assert not ended.done()
    ended.cancel()
    return process


async def kill(server: DiscordServer, process: asyncio.subprocess.Process) -> None:
    process.kill()
    await process.wait()
    while server.gateway.connected:  # noqa: ASYNC110
        await asyncio.sleep(0.01)


async def test_killed_while_recording_and_while_reading_back(
    server: DiscordServer, sqlite_store: Store, tmp_path: Path
) -> None:
    database = f"sqlite:///{tmp_path}/gazette.sqlite3"
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
    process = await start_bot(server, database)
    await held.reached.wait()
    await talk(300)
    await kill(server, process)
    held.release()
    server.faults.clear()
    after_the_first = len(await stored_messages(sqlite_store))
    assert after_the_first < said
    # In the middle of recording: some events are in flight, in the queue, or in a transaction.
    process = await start_bot(server, database)
    await talk(700)
    await asyncio.sleep(chance.uniform(0.05, 0.5))
    await talk(300)
    await kill(server, process)
    await talk(40)
    server.gateway.forget_sessions()
    async with recording(server, sqlite_store, SystemClock()):
        assert await assert_complete(sqlite_store, server) == said
    print(f"killed twice: {said} messages said, 0 lost, 0 twice")
