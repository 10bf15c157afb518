"""One hour's load in fast motion: scripts/bench soak. Memory at the end beside memory after a tenth.

A Discord in a process of its own sends a mixture of events to the real bot, as fast as the bot reads them.

python -m benchmarks.soak [--events 1000000]
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from benchmarks import kit
from benchmarks.message_stream import CHANNELS, GUILD, payloads
from bot.capture.read_back import ReadBack
from bot.capture.recorder import Recorder
from bot.client import DigestBot
from bot.model.clock import SystemClock
from bot.replay.discord_server import DiscordServer
from bot.store.engine import Store
from bot.store.migrate import upgrade

BATCH = 2_000
RECENT = 500


def events(count: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Of ten events six are messages, two reactions; the others edits, deletions, joins and leaves."""
    chance = random.Random(7)
    said = payloads(count)
    recent = [next(said) for _ in range(RECENT)]
    for number in range(count):
        kind = chance.random()
        about = recent[chance.randrange(RECENT)]
        place = {key: about[key] for key in ("channel_id", "guild_id")}
        if kind < 0.6:
            recent[number % RECENT] = message = next(said)
            yield "MESSAGE_CREATE", message
        elif kind < 0.8:
            user_id = str(10_000 + chance.randrange(500))
            name = "MESSAGE_REACTION_ADD" if kind < 0.75 else "MESSAGE_REACTION_REMOVE"
            emoji = {"id": None, "name": "👍"}
            shape = {"type": 0, "burst": False, "emoji": emoji}
            yield name, {**place, **shape, "message_id": about["id"], "user_id": user_id}
        elif kind < 0.88:
            edited = {**about, "content": f"{about['content']} (edited)", "edited_timestamp": _instant(number)}
            yield "MESSAGE_UPDATE", edited
        elif kind < 0.92:
            yield "MESSAGE_DELETE", {**place, "id": about["id"]}
        else:
            user = {
                "id": str(1_000_000 + number // 2),
                "username": f"guest{number // 2}",
                "global_name": None,
                "discriminator": "0",
                "avatar": None,
            }
            if kind < 0.96:
                joined = {"guild_id": str(GUILD), "user": user, "roles": [], "joined_at": _instant(number), "flags": 0}
                yield "GUILD_MEMBER_ADD", joined
            else:
                yield "GUILD_MEMBER_REMOVE", {"guild_id": str(GUILD), "user": user}


def _instant(number: int) -> str:
    seconds = number % 3_600
    return f"2026-08-24T10:{seconds // 60:02}:{seconds % 60:02}+00:00"


async def send(count: int) -> None:
    """The process that streams: it waits after each batch until the bot has read it."""
    server = DiscordServer(SystemClock())
    server.world.add_guild(
        {"id": GUILD, "name": "Soak"}, channels=[{"id": each, "name": f"channel-{each}"} for each in CHANNELS]
    )
    await server.start()
    print(json.dumps({"api": server.api_url, "gateway": server.gateway_url, "token": server.token}), flush=True)
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    stream, sent = events(count), 0
    while await reader.readline():
        for _ in range(min(BATCH, count - sent)):
            name, payload = next(stream)
            server.gateway.dispatch_raw(name, json.dumps(payload), guild_id=GUILD)
            sent += 1
        await server.settle()
        print(sent, flush=True)
    await server.close()


async def soak(count: int, folder: Path) -> list[kit.Figure]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "benchmarks.soak", "--send", "--events", str(count),
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin is not None and process.stdout is not None
    address = json.loads(await process.stdout.readline())
    store = Store.open(f"sqlite:///{folder}/soak.sqlite3")
    await upgrade(store)
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
    while not bot.is_ready():  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    await recorder.drain()
    await read_back.idle()
    sent, after_a_tenth, peak, start = 0, 0.0, 0.0, time.perf_counter()
    while sent < count:
        process.stdin.write(b"more\n")
        sent = int(await process.stdout.readline())
        await recorder.drain()
        peak = max(peak, _megabytes())
        if not after_a_tenth and sent >= count // 10:
            gc.collect()
            after_a_tenth = _megabytes()
    taken = time.perf_counter() - start
    gc.collect()
    at_the_end, lost = _megabytes(), recorder.lost
    await bot.close()
    await task
    process.stdin.close()
    await process.wait()
    await store.close()
    return [
        kit.Figure(
            figure=f"memory after {count:,} events",
            value=round(at_the_end, 1),
            unit="MB",
            beside="after a tenth of them",
            beside_value=round(after_a_tenth, 1),
            ratio=round(after_a_tenth / at_the_end, 3),
            runs=1,
        ),
        kit.Figure(figure="memory at its highest", value=round(peak, 1), unit="MB", runs=1),
        kit.Figure(figure="events that were let go", value=lost, unit="events", runs=1),
        kit.Figure(figure="events stored", value=round(count / taken), unit="events/s", runs=1),
    ]


def _megabytes() -> float:
    """The memory of this process that is in use now."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("this system does not tell how much memory a process uses")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--send", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.send:
        asyncio.run(send(asked.events))
        return
    with tempfile.TemporaryDirectory() as folder:
        kit.write("soak", asyncio.run(soak(asked.events, Path(folder))))


if __name__ == "__main__":
    main()
