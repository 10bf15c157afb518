"""For any order of events, duplicates, lost connections, crashes and pages, the record becomes the plain history."""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
from collections import deque
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.capture.convert import Payload
from bot.capture.discord_api import UnreadableError
from bot.capture.read_back import ReadBack
from bot.capture.recorder import Recorder
from bot.model.clock import ManualClock
from bot.model.settings import parse_settings
from bot.replay.discord_errors import ApiError
from bot.replay.discord_state import Event
from bot.replay.discord_verbs import World
from bot.store import guilds
from bot.store.engine import Store
from bot.store.tables import Base
from tests.capture_fixtures import ADA, BOB, references_of, stored_messages, told

GUILD, CHANNEL = 100, 200
PEOPLE = (ADA, BOB)

UNDISTURBED = st.one_of(
    st.tuples(st.just("say"), st.integers(0, 1)),
    st.tuples(st.just("say"), st.integers(0, 1)),
    st.tuples(st.just("edit"), st.integers(0, 60)),
    st.tuples(st.just("pin"), st.integers(0, 60)),
    st.tuples(st.just("delete"), st.integers(0, 60)),
    st.tuples(st.just("delete many"), st.integers(0, 60)),
    st.tuples(st.just("react"), st.integers(0, 60)),
    st.tuples(st.just("take back"), st.integers(0, 60)),
    st.tuples(st.just("deliver"), st.integers(1, 8)),
    st.tuples(st.just("deliver twice"), st.integers(1, 3)),
    st.tuples(st.just("commit"), st.just(0)),
    st.tuples(st.just("wait"), st.integers(1, 400)),
)
OPERATIONS = st.one_of(
    UNDISTURBED,
    st.tuples(st.just("cut off"), st.just(0)),
    st.tuples(st.just("crash"), st.just(0)),
    st.tuples(st.just("come back"), st.just(0)),
)


class Discord:
    """The local Discord's world without its sockets: events wait on a wire, and history is asked for in pages."""

    page_size = 4

    def __init__(self) -> None:
        self.clock = ManualClock(datetime(2026, 8, 26, 9, tzinfo=UTC))
        self.world = World(self.clock, bot={"id": "1000", "username": "gazette"})
        self.wire: deque[tuple[str, dict[str, Any]]] = deque()
        self.connected = False
        self.world.listener = self._on_event
        self.world.add_guild({"id": GUILD, "name": "G"}, channels=[{"id": CHANNEL, "name": "general"}])
        self.while_a_page_travels: list[tuple[str, int]] = []
        self.scene: Scene | None = None

    def _on_event(self, event: Event) -> None:
        if self.connected:
            self.wire.append((event.name, json.loads(json.dumps(event.data))))

    def connect(self) -> None:
        self.wire.clear()
        self.connected = True
        ready = {"user": self.world.bot, "shard": [0, 1], "guilds": [{"id": str(GUILD)}]}
        self.wire.append(("READY", ready))
        self.wire.append(("GUILD_CREATE", json.loads(json.dumps(self.world.guild_create(GUILD)))))

    def cut_off(self) -> None:
        self.connected = False
        self.wire.clear()

    @property
    def ids(self) -> list[int]:
        return self.world.channels[CHANNEL].order

    # -- History

    async def messages(self, channel_id: int, *, after: int) -> Sequence[Payload]:
        ids = self.world.channels[channel_id].page(self.page_size, after=after)[::-1]
        page = [json.loads(json.dumps(self.world.shown(channel_id, each))) for each in ids]
        await asyncio.sleep(0)
        if self.while_a_page_travels and self.scene is not None:
            await self.scene.perform(self.while_a_page_travels.pop(0))
        return page

    async def message(self, channel_id: int, message_id: int) -> Payload:
        try:
            return self.world.shown(channel_id, message_id)
        except ApiError as error:
            raise UnreadableError("Unknown Message", exists=False) from error

    async def channel(self, channel_id: int) -> Payload:
        return self.world.channels[channel_id].data

    async def channels(self, guild_id: int) -> Sequence[Payload]:
        return [self.world.channels[CHANNEL].data]

    async def active_threads(self, guild_id: int) -> Sequence[Payload]:
        return []

    async def archived_threads(self, channel_id: int, *, private: bool, before: str | None) -> Payload:
        return {"threads": [], "has_more": False}

    async def members(self, guild_id: int, *, after: int) -> Sequence[Payload]:
        return [member for user_id, member in sorted(self.world.guilds[guild_id].members.items()) if user_id > after]


class Scene:
    """A recorder on a store, and a Discord with which it is connected or not."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.discord = Discord()
        self.discord.scene = self
        self.said = 0

    async def open(self) -> None:
        self.recorder = Recorder(self.store, clock=self.discord.clock)
        self.read_back = ReadBack(self.recorder, clock=self.discord.clock)
        await self.recorder.start()
        self.read_back.start(self.discord)

    async def crash(self) -> None:
        """Everything that is not committed is gone, as after kill -9."""
        for task in (self.recorder._task, self.read_back._task):
            assert task is not None
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        self.discord.cut_off()
        await self.open()

    async def perform(self, operation: tuple[str, int]) -> None:
        name, number = operation
        world, discord = self.discord.world, self.discord
        some = discord.ids[number % len(discord.ids)] if discord.ids else None
        if name not in ("deliver", "deliver twice", "commit"):
            discord.clock.set(discord.clock.now() + timedelta(milliseconds=700))
        if name == "say":
            self.said += 1
            world.create_message(CHANNEL, author=PEOPLE[number], content=f"this fixes #{self.said}")
        elif name == "deliver" or name == "deliver twice":
            for _ in range(min(number, len(discord.wire))):
                event, payload = discord.wire.popleft()
                await self.recorder.feed(event, payload)
                if name == "deliver twice" and event.startswith("MESSAGE"):
                    await self.recorder.feed(event, payload)
                self.recorder.alive()
        elif name == "commit":
            await self.recorder.drain()
        elif name == "wait":
            discord.clock.set(discord.clock.now() + timedelta(seconds=number))
        elif name == "cut off":
            discord.cut_off()
        elif name == "crash":
            if asyncio.current_task() is not self.read_back._task and not discord.while_a_page_travels:
                await self.crash()
        elif name == "come back":
            if not discord.connected:
                discord.connect()
        elif some is None:
            return
        elif name == "edit":
            self.said += 1
            world.edit_message(CHANNEL, some, content=f"now it fixes #{self.said}")
        elif name == "pin":
            world.pin(CHANNEL, some)
        elif name == "delete":
            world.delete_message(CHANNEL, some)
        elif name == "delete many":
            world.delete_messages(CHANNEL, discord.ids[number % len(discord.ids) :][:3])
        elif name == "react":
            world.add_reaction(CHANNEL, some, "🎉", 300 + number % 2)
        elif name == "take back":
            world.remove_reaction(CHANNEL, some, "🎉", 300 + number % 2)

    async def end(self) -> None:
        """In the end the bot is connected, and everything has arrived."""
        self.discord.while_a_page_travels = []
        if not self.discord.connected:
            self.discord.connect()
        for _ in range(3):
            while self.discord.wire:
                await self.perform(("deliver", 8))
            await self.recorder.drain()
            await self.read_back.idle()


@pytest.fixture(scope="module")
def empty_database() -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "empty.sqlite3"

        async def make() -> None:
            store = Store.open(f"sqlite:///{path}")
            async with store.engine.begin() as connection:
                await connection.run_sync(Base.metadata.create_all)
            async with store.write() as connection:
                wanted = parse_settings('[github]\nrepositories = ["o/r"]\n')
                await guilds.store_settings(connection, GUILD, wanted, at=datetime(2026, 8, 1, tzinfo=UTC))
            await store.close()

        asyncio.run(make())
        yield path


@settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    print_blob=True,
)
@given(
    operations=st.lists(OPERATIONS, min_size=5, max_size=45),
    travelling=st.lists(OPERATIONS, max_size=8),
)
def test_the_record_becomes_the_history(
    empty_database: Path, operations: list[tuple[str, int]], travelling: list[tuple[str, int]]
) -> None:
    _play_on_a_copy(empty_database, operations, travelling)


@settings(
    max_examples=50,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    print_blob=True,
)
@given(operations=st.lists(UNDISTURBED, min_size=15, max_size=40))
def test_a_connection_that_holds_needs_no_reading_back(empty_database: Path, operations: list[tuple[str, int]]) -> None:
    _play_on_a_copy(empty_database, operations, [])


def _play_on_a_copy(empty_database: Path, operations: list[tuple[str, int]], travelling: list[tuple[str, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "gazette.sqlite3"
        shutil.copy(empty_database, path)
        asyncio.run(_play(path, operations, travelling))


async def _play(path: Path, operations: list[tuple[str, int]], travelling: list[tuple[str, int]]) -> None:
    store = Store.open(f"sqlite:///{path}")
    try:
        scene = Scene(store)
        await scene.open()
        await scene.end()
        await scene.perform(("wait", 120))
        for number, operation in enumerate(operations):
            if number == len(operations) // 2:
                scene.discord.while_a_page_travels = [
                    each for each in travelling if each[0] not in ("crash", "commit", "cut off", "come back")
                ]
            await scene.perform(operation)
        await scene.end()
        world = scene.discord.world
        expected = {
            each: (
                CHANNEL,
                message["content"],
                {
                    key: len(reaction.user_ids)
                    for key, reaction in world.channels[CHANNEL].reactions.get(each, {}).items()
                    if reaction.user_ids
                },
            )
            for each, message in world.channels[CHANNEL].messages.items()
        }
        stored = await stored_messages(store)
        assert {each: told(message) for each, message in stored.items()} == expected
        for each, message in stored.items():
            assert await references_of(store, each) == {f"o/r#{message.content.rpartition('#')[2]}"}
            assert message.pinned == world.channels[CHANNEL].messages[each]["pinned"]
        await scene.recorder.stop()
        await scene.read_back.stop()
    finally:
        await store.close()
