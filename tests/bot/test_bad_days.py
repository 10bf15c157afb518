"""Bad days: each is told in a clear sentence, and once it is over the record is complete."""

from __future__ import annotations

import asyncio
import contextlib
import random
import sqlite3
from collections.abc import AsyncIterator, Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, make_url

from bot.errors import StoreError
from bot.model.clock import Clock, ManualClock
from bot.replay.discord_server import DiscordServer
from bot.store.engine import Store
from bot.store.migrate import upgrade
from tests.capture_fixtures import ADA, Running, assert_complete, recording
from tests.conftest import _postgres_database
from tests.discord_fixtures import CHANNEL_ID

MINUTE = timedelta(minutes=1)


def talk(server: DiscordServer, clock: ManualClock, count: int, *, words: str = "") -> None:
    """So many messages, a second apart."""
    for number in range(count):
        clock.set(clock.now() + timedelta(seconds=1))
        server.world.create_message(CHANNEL_ID, author=ADA, content=f"message {number} {words}")


async def told(running: Running, what: str) -> str:
    """The problem of this name, as soon as it is known."""
    while what not in running.recorder.problems:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    return running.recorder.problems[what]


@contextlib.contextmanager
def pragma(store: Store, statement: str) -> Any:
    """Have every use of the database begin with the statement."""

    def on_checkout(connection: Any, _record: Any, _proxy: Any) -> None:
        cursor = connection.cursor()
        cursor.execute(statement)
        cursor.close()

    event.listen(store.engine.sync_engine, "checkout", on_checkout)
    try:
        yield
    finally:
        event.remove(store.engine.sync_engine, "checkout", on_checkout)


@pytest.mark.parametrize(
    ("bad", "good", "sentence"),
    [
        ("PRAGMA max_page_count = 1", "PRAGMA max_page_count = 1073741823", "disk is full"),
        ("PRAGMA query_only = ON", "PRAGMA query_only = OFF", "readonly"),
    ],
    ids=["disk full", "read-only file"],
)
async def test_a_database_that_takes_nothing(
    discord_server: DiscordServer, sqlite_store: Store, clock: ManualClock, bad: str, good: str, sentence: str
) -> None:
    async with recording(discord_server, sqlite_store, clock) as running:
        talk(discord_server, clock, 20)
        await running.settle()
        with pragma(sqlite_store, bad):
            talk(discord_server, clock, 300, words="and a good many words more " * 20)
            assert sentence in await told(running, "store")
        with pragma(sqlite_store, good):
            await running.settle()
            assert await assert_complete(sqlite_store, discord_server) == 320
        assert running.recorder.problems == {}


class Line:
    """A way to the database that can be cut."""

    def __init__(self, socket: str) -> None:
        self._socket = socket
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self.port = 0

    async def mend(self) -> None:
        self._server = await asyncio.start_server(self._pass, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    def cut(self) -> None:
        assert self._server is not None
        self._server.close()
        for writer in self._open:
            writer.transport.abort()
        self._open.clear()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_unix_connection(self._socket)
        self._open |= {writer, back}
        await asyncio.gather(self._copy(reader, back), self._copy(there, writer))

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65_536):
                writer.write(data)
                await writer.drain()
        writer.close()


@pytest.fixture
async def line(postgres_server: str) -> AsyncIterator[tuple[Line, Store]]:
    url = make_url(await _postgres_database(postgres_server))
    made = Line(f"{url.query['host']}/.s.PGSQL.{url.port or 5432}")
    await made.mend()
    through = url.set(host="127.0.0.1", port=made.port, query={})
    store = Store.open(through.render_as_string(hide_password=False))
    await upgrade(store)
    yield made, store
    await store.close()
    made.cut()


async def test_the_database_is_gone_for_a_minute(
    discord_server: DiscordServer, line: tuple[Line, Store], clock: ManualClock
) -> None:
    way, store = line
    async with recording(discord_server, store, clock) as running:
        talk(discord_server, clock, 20)
        await running.settle()
        way.cut()
        talk(discord_server, clock, 60)
        assert "database" in await told(running, "store")
        await way.mend()
        await running.settle()
        assert await assert_complete(store, discord_server) == 80
        assert running.recorder.problems == {}


async def test_a_damaged_database_is_told_and_a_backup_is_made_whole(
    discord_server: DiscordServer, tmp_path: Path, clock: ManualClock
) -> None:
    path, backup = tmp_path / "gazette.sqlite3", tmp_path / "backup.sqlite3"
    store = Store.open(f"sqlite:///{path}")
    await upgrade(store)
    async with recording(discord_server, store, clock) as running:
        talk(discord_server, clock, 200)
        await running.settle()
    await store.compact()
    with sqlite3.connect(path) as connection:
        connection.execute(f"VACUUM INTO '{backup}'")
    await store.close()
    talk(discord_server, clock, 30)

    content = bytearray(path.read_bytes())
    content[4096:-4096] = random.Random(1).randbytes(len(content) - 8192)
    path.write_bytes(content)
    damaged = Store.open(f"sqlite:///{path}")
    with pytest.raises(StoreError, match=r"(?s)cannot be used|damaged.*Restore a backup"):
        await damaged.try_writing()
    await damaged.close()

    backup.replace(path)
    for beside in ("-wal", "-shm"):
        Path(f"{path}{beside}").unlink(missing_ok=True)
    restored = Store.open(f"sqlite:///{path}")
    async with recording(discord_server, restored, clock):
        assert await assert_complete(restored, discord_server) == 230
    await restored.close()


class Skewed:
    """A machine's clock that is off by some time."""

    def __init__(self, right: ManualClock) -> None:
        self.right = right
        self.off = timedelta()

    def now(self) -> datetime:
        return self.right.now() + self.off

    async def sleep_until(self, instant: datetime) -> None:
        await self.right.sleep_until(instant - self.off)


@pytest.mark.parametrize("off", [-timedelta(hours=1), timedelta(hours=1)], ids=["an hour back", "an hour ahead"])
async def test_the_clock_is_set_wrong_and_right_again(
    discord_server: DiscordServer,
    sqlite_store: Store,
    clock: ManualClock,
    until: Callable[[Callable[[], bool]], Any],
    off: timedelta,
) -> None:
    machine = Skewed(clock)
    wrong: Clock = machine
    clock.set(clock.now() + 10 * MINUTE)
    async with recording(discord_server, sqlite_store, wrong) as running:
        talk(discord_server, clock, 20)
        await running.settle()
        machine.off = off
        talk(discord_server, clock, 20)
        await running.settle()
        assert "60 minutes" in await told(running, "clock")
        assert "NTP" in running.recorder.problems["clock"]
        discord_server.gateway.go_away()
        talk(discord_server, clock, 20)
        discord_server.gateway.come_back()
        await discord_server.gateway.wait_ready()
        await running.settle()
        machine.off = timedelta()
        talk(discord_server, clock, 20)
        await running.settle()
        await until(lambda: "clock" not in running.recorder.problems)
        await running.settle()
        assert await assert_complete(sqlite_store, discord_server) == 80


async def test_gateway_and_rest_are_down_for_ten_minutes(
    discord_server: DiscordServer, sqlite_store: Store, clock: ManualClock
) -> None:
    async with recording(discord_server, sqlite_store, clock) as running:
        talk(discord_server, clock, 20)
        await running.settle()
        discord_server.gateway.go_away()
        discord_server.faults.fail(503, times=3, path="*/messages")
        for _ in range(10):
            talk(discord_server, clock, 12)
            clock.set(clock.now() + MINUTE - timedelta(seconds=12))
        discord_server.gateway.come_back()
        await discord_server.gateway.wait_ready()
        await discord_server.settle()
        settling = asyncio.create_task(running.settle())
        while not settling.done():
            if clock.next_wake is not None:
                clock.set(clock.next_wake)
            await asyncio.sleep(0.05)
        await settling
        assert await assert_complete(sqlite_store, discord_server) == 140
