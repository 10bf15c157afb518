"""From the socket to the committed row: scripts/bench capture.

The same stream of messages, from a Discord in a process of its own, through discord.py with an empty listener
and through the real bot into a SQLite file; and the same rows by bare `executemany`. Both connections stand
before the clock starts; it stops when the last message has been heard, or is committed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import yarl
from sqlalchemy import delete, insert

from benchmarks import kit
from benchmarks.message_stream import GUILD, payloads
from bot.capture.convert import message_from_payload
from bot.capture.read_back import ReadBack
from bot.capture.recorder import Recorder
from bot.client import DigestBot
from bot.model.clock import SystemClock
from bot.model.settings import parse_settings
from bot.store import guilds
from bot.store.engine import Store
from bot.store.message_rows import row_values
from bot.store.tables import Base
from bot.store.tables.messages import MessageRow


class Listener(discord.AutoShardedClient):
    """discord.py, hearing every message and doing nothing with it."""

    heard = 0
    expected = 0

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents.all(), max_messages=None, chunk_guilds_at_startup=False)
        self.done = asyncio.Event()

    async def on_message(self, message: discord.Message) -> None:
        self.heard += 1
        if self.heard == self.expected:
            self.done.set()


class Counting:
    """The recorder, and a word when so many messages were fed."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.fed = 0
        self.expected = 0
        self.done = asyncio.Event()

    async def feed(self, event: str, payload: Mapping[str, Any], *, shard_id: int = 0) -> None:
        await self.recorder.feed(event, payload, shard_id=shard_id)
        if event == "MESSAGE_CREATE":
            self.fed += 1
            if self.fed == self.expected:
                self.done.set()

    def alive(self, shard_id: int = 0) -> None:
        self.recorder.alive(shard_id)


class Source:
    """The process that streams."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process = process
        self._stdin = process.stdin
        self._stdout = process.stdout

    @classmethod
    async def start(cls) -> tuple[Source, dict[str, str]]:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "benchmarks.message_stream",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        assert process.stdout is not None
        return cls(process), json.loads(await process.stdout.readline())

    async def prepare(self, count: int) -> None:
        self._stdin.write(f"prepare {count}\n".encode())
        await self._stdout.readline()

    def go(self) -> None:
        self._stdin.write(b"go\n")

    async def stop(self) -> None:
        self._stdin.close()
        await self.process.wait()


async def through_discord_py(count: int, runs: int) -> list[float]:
    source, address = await Source.start()
    discord.http.Route.BASE = address["api"]
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(address["gateway"])
    client = Listener()
    task = asyncio.create_task(client.start(address["token"]))
    await _until_ready(client)
    times = []
    for _ in range(runs):
        client.expected = client.heard + count
        client.done.clear()
        await source.prepare(count)
        start = time.perf_counter()
        source.go()
        await client.done.wait()
        times.append(time.perf_counter() - start)
    await client.close()
    await task
    await source.stop()
    return times


async def through_the_bot(count: int, runs: int, folder: Path) -> list[float]:
    source, address = await Source.start()
    store = await _store(folder / "bot.sqlite3")
    recorder = Recorder(store, clock=SystemClock())
    read_back = ReadBack(recorder, clock=SystemClock())
    bot = DigestBot(
        SimpleNamespace(recorder=recorder, read_back=read_back),
        store=store,
        extensions_to_load=("cogs.recording",),
        api_url=address["api"],
        gateway_url=address["gateway"],
    )
    task = asyncio.create_task(bot.start(address["token"]))
    await _until_ready(bot)
    await recorder.drain()
    await read_back.idle()
    counting = Counting(recorder)
    for shard in bot._AutoShardedClient__shards.values():  # type: ignore[attr-defined]
        shard.ws._tap = counting
    times = []
    for _ in range(runs):
        counting.expected = counting.fed + count
        counting.done.clear()
        await source.prepare(count)
        start = time.perf_counter()
        source.go()
        await counting.done.wait()
        await recorder.drain()
        times.append(time.perf_counter() - start)
    stored = await _count(store)
    assert stored == count * runs, f"{stored} of {count * runs} messages are stored"
    await bot.close()
    await task
    await source.stop()
    await store.close()
    return times


async def bare_rows(count: int, runs: int, folder: Path) -> list[float]:
    store = await _store(folder / "bare.sqlite3")
    rows = [row_values(message_from_payload(each, guild_id=GUILD, self_id=None)) for each in payloads(count)]
    times = []
    for _ in range(runs):
        async with store.write() as connection:
            await connection.execute(delete(MessageRow))
        start = time.perf_counter()
        for at in range(0, count, 1000):
            async with store.write() as connection:
                await connection.execute(insert(MessageRow), rows[at : at + 1000])
        times.append(time.perf_counter() - start)
    await store.close()
    return times


async def _store(path: Path) -> Store:
    store = Store.open(f"sqlite:///{path}")
    async with store.engine.begin() as connection:
        await connection.run_sync(Base.metadata.create_all)
    async with store.write() as connection:
        settings = parse_settings('[github]\nrepositories = ["o/r"]\n')
        await guilds.store_settings(connection, GUILD, settings, at=SystemClock().now())
    return store


async def _count(store: Store) -> int:
    async with store.read() as connection:
        return int((await connection.exec_driver_sql("SELECT count(*) FROM messages")).scalar_one())


async def _until_ready(client: discord.Client) -> None:
    while not client.is_ready():  # noqa: ASYNC110
        await asyncio.sleep(0.01)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=kit.RUNS)
    asked = parser.parse_args()
    count, runs = asked.messages, asked.runs
    times: dict[str, list[float]] = {"bot": [], "discord.py": [], "bare": []}
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            times["discord.py"] += asyncio.run(through_discord_py(count, 2))[1:]
            times["bot"] += asyncio.run(through_the_bot(count, 2, Path(folder)))[1:]
            times["bare"] += asyncio.run(bare_rows(count, 2, Path(folder)))[1:]
    rate = {name: count / statistics.median(each) for name, each in times.items()}
    kit.write(
        "capture",
        [
            kit.Figure(
                figure="live capture",
                value=round(rate["bot"]),
                unit="messages/s",
                beside=told,
                beside_value=round(rate[name]),
                ratio=round(rate["bot"] / rate[name], 3),
                runs=runs,
            )
            for name, told in (("discord.py", "discord.py with an empty listener"), ("bare", "bare executemany"))
        ],
    )


if __name__ == "__main__":
    main()
