"""How long an edition takes to compile, and how much memory: scripts/bench compile.

Weeks of 10,000, 100,000 and 1,000,000 stored messages in a SQLite file, and one week of 10,000 in an archive of
2,000,000. Beside each stands a bare `sqlite3` reading every row of the week once, in the same run. Each figure is
taken in a process of its own, so that the memory is that of one compilation.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bot.compile.edition import compile_edition
from bot.model.schedule import Period
from bot.model.settings import ChannelSettings, GitHubSettings, GuildSettings, PublishSettings
from bot.model.snowflakes import first_id_at
from bot.store.engine import Store
from bot.store.tables import Base

GUILD = 1_000_000_000_000_000_001
START = datetime(2026, 3, 2, tzinfo=UTC)
WEEK = timedelta(days=7)
PERIOD = Period(START, START + WEEK)
CHANNELS = 60
PEOPLE = 3000
SETTINGS = GuildSettings(
    publish=PublishSettings(channel="channel-0"),
    channels=ChannelSettings(introductions="channel-1", welcome="channel-2", announcements=["channel-3"]),
    github=GitHubSettings(repositories=["example/project"]),
)
TEXTS = (
    "good morning everyone",
    "has anybody tried the new loader on a small machine? it takes about {n} seconds here",
    "I measured it again: {n} ms before, and less than half of that with the patch applied",
    "see https://example.org/notes/{n} for the longer story, it is worth reading to the end",
    "#{n} fixes the symptom, the cause is older than that",
    "thanks, that was it",
    "we could move the whole thing behind a flag and decide next week",
)


def fill(path: Path, messages: int, *, weeks: int = 1) -> None:
    """Make a database with so many messages, spread evenly over so many weeks that end with the measured one."""
    store = Store.open(f"sqlite:///{path}")

    async def make() -> None:
        async with store.engine.begin() as connection:
            await connection.run_sync(Base.metadata.create_all)
        await store.close()

    asyncio.run(make())
    chance = random.Random(1)
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("INSERT INTO guilds (guild_id, name) VALUES (?, 'Benchmark')", (GUILD,))
        connection.executemany(
            "INSERT INTO channels (channel_id, guild_id, channel_type, name, position, overwrites, archived)"
            " VALUES (?, ?, 0, ?, 0, '[]', 0)",
            [(100 + n, GUILD, f"channel-{n}") for n in range(CHANNELS)],
        )
        connection.execute(
            "INSERT INTO roles (role_id, guild_id, name, permissions, position) VALUES (?, ?, '@everyone', 1024, 0)",
            (GUILD, GUILD),
        )
        joined = [
            (GUILD, 1000 + n, f"member{n}", (START + n * WEEK / PEOPLE).strftime("%Y-%m-%d %H:%M:%S.%f"))
            for n in range(PEOPLE)
        ]
        connection.executemany(
            "INSERT INTO members (guild_id, user_id, username, bot, role_ids, joined_at) VALUES (?, ?, ?, 0, '[]', ?)",
            joined,
        )
        connection.executemany(
            "INSERT INTO joins (guild_id, user_id, joined_at, bot, witness) VALUES (?, ?, ?, 0, 'event')",
            [(guild, user, at) for guild, user, _, at in joined],
        )
        first = first_id_at(START - (weeks - 1) * WEEK)
        step = (first_id_at(START + WEEK) - first) // messages
        connection.executemany(
            "INSERT INTO messages (message_id, guild_id, channel_id, author_id, author_name, message_type, speaker,"
            " content, reply_to_id, reactions, reaction_count, pinned)"
            " VALUES (?, ?, ?, ?, ?, ?, 'member', ?, ?, ?, ?, 0)",
            _rows(chance, first, step, messages),
        )
        connection.executemany(
            "INSERT INTO message_references (message_id, reference) VALUES (?, ?)",
            [
                (row[0], f"example/project#{row[0] % 500}")
                for row in connection.execute("SELECT message_id FROM messages WHERE content LIKE '#%'").fetchall()
            ],
        )
        connection.execute("ANALYZE")
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _rows(chance: random.Random, first: int, step: int, messages: int) -> Iterator[tuple[Any, ...]]:
    for n in range(messages):
        author = chance.randrange(PEOPLE)
        reply = first + (n - 3) * step if n > 3 and chance.random() < 0.15 else None
        reactions = min(int(chance.expovariate(0.6)), 40) if chance.random() < 0.2 else 0
        yield (
            first + n * step,
            GUILD,
            100 + (0 if chance.random() < 0.3 else chance.randrange(CHANNELS)),
            1000 + author,
            f"member{author}",
            19 if reply else 0,
            chance.choice(TEXTS).format(n=chance.randrange(1, 500)),
            reply,
            json.dumps([["👍", reactions]]) if reactions else None,
            reactions,
        )


def measure(path: Path, side: str) -> tuple[float, int]:
    """Seconds of one compilation or one bare reading, and the bytes that its process had resident at most."""
    output = subprocess.run(
        [sys.executable, "-m", "benchmarks.compile", "--side", side, "--database", str(path)],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    seconds, peak = output.split()
    return float(seconds), int(peak)


def run_side(side: str, path: Path) -> None:
    if side == "bare":
        began = time.perf_counter()
        span = (GUILD, first_id_at(PERIOD.start), first_id_at(PERIOD.end))
        with contextlib.closing(sqlite3.connect(path)) as connection:
            for _ in connection.execute(
                "SELECT * FROM messages WHERE guild_id = ? AND message_id >= ? AND message_id < ?", span
            ):
                pass
        seconds = time.perf_counter() - began
    else:
        seconds = asyncio.run(_compile(path))
    print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)


async def _compile(path: Path) -> float:
    store = Store.open(f"sqlite:///{path}")
    began = time.perf_counter()
    await compile_edition(store, guild_id=GUILD, settings=SETTINGS, period=PERIOD)
    seconds = time.perf_counter() - began
    await store.close()
    return seconds


def compare(figure: str, runs: int, path: Path, beside: tuple[str, Path, str]) -> list[dict[str, Any]]:
    """Alternate a compilation with what stands beside it (what, of which database, named how).

    The medians of time, the greatest memory.
    """
    side, other, name = beside
    own: list[tuple[float, int]] = []
    theirs: list[tuple[float, int]] = []
    for _ in range(runs):
        own.append(measure(path, "compile"))
        theirs.append(measure(other, side))
    value, floor = (statistics.median(seconds for seconds, _ in taken) for taken in (own, theirs))
    return [
        {
            "figure": f"compile, {figure}",
            "value": round(value, 3),
            "unit": "s",
            "beside": name,
            "beside_value": round(floor, 3),
            "ratio": round(floor / value, 3),
            "runs": runs,
        },
        {
            "figure": f"memory, {figure}",
            "value": round(max(memory for _, memory in own) / 1e6, 1),
            "unit": "MB",
            "beside": None,
            "beside_value": None,
            "ratio": None,
            "runs": runs,
        },
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--side", choices=["compile", "bare"])
    parser.add_argument("--database", type=Path)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--archive", type=int, default=2_000_000)
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    if given.side:
        run_side(given.side, given.database)
        return
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        for size in given.sizes:
            path = Path(folder) / f"{size}.sqlite3"
            fill(path, size)
            bare = ("bare", path, "sqlite3 reading the rows once")
            rows += compare(f"a week of {size:,} messages", given.runs, path, bare)
        if given.archive:
            alone, archive = Path(folder) / "alone.sqlite3", Path(folder) / "archive.sqlite3"
            fill(alone, 10_000)
            fill(archive, given.archive, weeks=given.archive // 10_000)
            same = ("compile", alone, "the same week alone")
            rows += compare(f"a week of 10,000 in {given.archive:,}", given.runs, archive, same)
    for row in rows:
        beside = "" if row["beside"] is None else f"  {row['beside']}: {row['beside_value']} ({row['ratio']})"
        print(f"{row['figure']:<45} {row['value']:>10} {row['unit']}{beside}")
    target = Path("out/bench/compile.json")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
