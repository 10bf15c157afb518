"""How soon a guild of 100,000 members is recorded, and in how much memory: scripts/bench members.

The local Discord runs in a process of its own. The clock starts with the bot's connecting; it stops when a message
that was written after the session began is committed. The member list is compared in the background; the memory is
the highest of the whole, until that too has come to its end. The figures do not stand beside another program's.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

from benchmarks import kit
from bot.capture.read_back import ReadBack
from bot.capture.recorder import Recorder
from bot.client import DigestBot
from bot.model.clock import SystemClock
from bot.replay.discord_server import DiscordServer
from bot.store.engine import Store
from bot.store.tables import Base

GUILD, CHANNEL = 100, 200
AUTHOR = {"id": "1000001", "username": "person1"}


async def serve(members: int) -> None:
    """The server: tells its addresses, then writes a message for each line on standard input."""
    server = DiscordServer(SystemClock())
    start = datetime(2020, 1, 1, tzinfo=UTC)
    server.world.add_guild(
        {"id": GUILD, "name": "Large"},
        channels=[{"id": CHANNEL, "name": "general"}],
        members=[
            {
                "user": {
                    "id": str(1_000_000 + number),
                    "username": f"person{number}",
                    "global_name": f"Person {number}",
                },
                "joined_at": (start + timedelta(minutes=number)).isoformat(),
            }
            for number in range(members)
        ],
    )
    await server.start()
    print(json.dumps({"api": server.api_url, "gateway": server.gateway_url, "token": server.token}), flush=True)
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    await server.gateway.wait_ready()
    print("connected", flush=True)
    while await reader.readline():
        server.world.create_message(CHANNEL, author=AUTHOR, content="hello")
    await server.close()


async def record(api: str, gateway: str, token: str, folder: Path) -> None:
    """The bot: tells when a message is committed, and when the member list has been compared."""
    store = Store.open(f"sqlite:///{folder}/members.sqlite3")
    async with store.engine.begin() as connection:
        await connection.run_sync(Base.metadata.create_all)
    clock = SystemClock()
    recorder = Recorder(store, clock=clock)
    read_back = ReadBack(recorder, clock=clock)
    services = SimpleNamespace(recorder=recorder, read_back=read_back)
    bot = DigestBot(services, store=store, extensions_to_load=("cogs.recording",), api_url=api, gateway_url=gateway)
    start = time.perf_counter()
    task = asyncio.create_task(bot.start(token))
    while not await _count(store, "messages"):  # noqa: ASYNC110
        await asyncio.sleep(0.02)
    ready = time.perf_counter() - start
    await read_back.idle()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    answer = {
        "ready": ready,
        "compared": time.perf_counter() - start,
        "megabytes": peak,
        "members": await _count(store, "members"),
    }
    await bot.close()
    await task
    await store.close()
    print(json.dumps(answer))


async def _count(store: Store, table: str) -> int:
    async with store.read() as connection:
        return int((await connection.exec_driver_sql(f"SELECT count(*) FROM {table}")).scalar_one())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--members", type=int, default=100_000)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--record", nargs=4, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.serve:
        asyncio.run(serve(asked.members))
        return
    if asked.record:
        api, gateway, token, folder = asked.record
        asyncio.run(record(api, gateway, token, Path(folder)))
        return
    module = [sys.executable, "-m", "benchmarks.members"]
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [*module, "--serve", "--members", str(asked.members)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert server.stdin is not None
        assert server.stdout is not None
        told = json.loads(server.stdout.readline())
        bot = subprocess.Popen(
            [*module, "--record", told["api"], told["gateway"], told["token"], folder],
            stdout=subprocess.PIPE,
            text=True,
        )
        server.stdout.readline()
        server.stdin.write("say\n")
        server.stdin.flush()
        output, _ = bot.communicate()
        server.stdin.close()
        server.wait()
    answer = json.loads(output.strip().splitlines()[-1])
    kit.write(
        "members",
        [
            kit.Figure(figure=figure, value=round(answer[key], 2), unit=unit, runs=1)
            for figure, key, unit in (
                ("recording after", "ready", "s"),
                ("member list compared after", "compared", "s"),
                ("resident at most", "megabytes", "MB"),
                ("members stored", "members", "members"),
            )
        ],
    )


if __name__ == "__main__":
    main()
