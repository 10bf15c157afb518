"""Publishing under crashes and misfortune: a trial takes blows in any order and says in the end what came of it.

A crash strikes at any point at which the publisher waits: before or after a transaction, before or after a request.
From then on the dead process does nothing more; the next life starts from what is stored and what Discord shows.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import discord
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.errors import GazetteError
from bot.model.clock import ManualClock
from bot.model.guilds import Guild
from bot.model.parts import Part, Place
from bot.model.publication import EditionStatus
from bot.model.schedule import Period
from bot.model.settings import GuildSettings
from bot.publish.amend import amend_parts
from bot.publish.publisher import Publisher
from bot.publish.rest import DiscordRest
from bot.replay.discord_record import Record
from bot.replay.discord_server import DiscordServer
from bot.store import editions, guilds, parts, sources
from bot.store.engine import Store
from tests.publish_fixtures import made, told
from tests.publish_process import Work, process

TARGETS: Mapping[str, Mapping[str, Any]] = {
    "thread": {"channel": "digest"},
    "one channel": {"channel": "digest", "full_summary": "channel"},
    "two channels": {"channel": "digest", "full_summary": "archive"},
    "forum": {"channel": "forum"},
    "channel and forum": {"channel": "digest", "full_summary": "forum"},
    "announcements": {"channel": "news", "crosspost": True},
}
FAULTS = ("500", "503", "504", "reset", "limit", "global limit", "html")
LIVES = 12


class Crash(BaseException):
    """The process is dead."""


class Fuse:
    """Burns down with every point at which a process waits; when it is burnt, every further one is a crash."""

    def __init__(self, length: int | None) -> None:
        self.left = length

    def burn(self) -> None:
        if self.left is None:
            return
        if self.left <= 0:
            raise Crash
        self.left -= 1


class MortalStore(Store):
    def __init__(self, engine: AsyncEngine, fuse: Fuse) -> None:
        super().__init__(engine)
        self._fuse = fuse

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        self._fuse.burn()
        async with super().read() as connection:
            yield connection

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        self._fuse.burn()
        async with super().write() as connection:
            yield connection
        self._fuse.burn()


class MortalRest(DiscordRest):
    """Dies before or after a request; with `posts_only` only around those that make something."""

    fuse: Fuse
    posts_only: bool

    async def _ask(self, method: str, *arguments: Any) -> Any:
        counts = method == "POST" or not self.posts_only
        if counts:
            self.fuse.burn()
        answer = await super()._ask(method, *arguments)
        if counts:
            self.fuse.burn()
        return answer


@dataclass(slots=True)
class Outcome:
    """What came of a trial: how many parts are missing, doubled or in the wrong place, and what it went through."""

    missing: int
    doubled: int
    misplaced: int
    crashes: int
    faults: int


@dataclass(slots=True)
class Trial:
    """One edition of one guild on its way through blows. `open` first, `finish` last."""

    server: DiscordServer
    client: discord.Client
    clock: ManualClock
    store: Store
    guild_id: int
    target: str = "thread"
    heads: int = 1
    summaries: int = 3
    edition_id: int = 0
    crashes: int = 0
    faults: int = 0
    _round: int = 0
    _told: tuple[Part, ...] = ()
    _ordered: list[Any] = field(default_factory=list)

    async def open(self) -> None:
        world = self.server.world
        base = self.guild_id
        world.add_guild(
            {"id": base, "name": f"Guild {base}", "owner_id": base + 9},
            channels=[
                {"id": base + 1, "name": "digest"},
                {"id": base + 2, "name": "archive"},
                {"id": base + 3, "name": "forum", "type": 15},
                {"id": base + 4, "name": "news", "type": 5},
            ],
            members=[{"user": {"id": base + 9, "username": "ada"}, "joined_at": "2025-01-01T00:00:00+00:00"}],
        )
        self._told = told(self.heads, self.summaries, word=f"Story {base}")
        settings = GuildSettings.model_validate({"publish": TARGETS[self.target]})
        async with self.store.write() as connection:
            await guilds.store_guild(connection, Guild(guild_id=base, name="Guild", owner_id=base + 9))
            await guilds.store_settings(connection, base, settings, at=self.clock.now())
            self.edition_id = await editions.store_edition(connection, self._made(), at=self.clock.now())

    def _made(self) -> Any:
        start = datetime.fromisoformat("2026-08-24T00:00:00+00:00")
        period = Period(start, start + timedelta(days=7))
        return made(self._told, guild_id=self.guild_id, period=period)

    # -- blows

    async def live(self, fuse: int | None, *, posts_only: bool = False) -> None:
        """A process works on the edition, and dies after so many points unless it gets to the end before.

        With `posts_only` just the moments before and after a POST are points.
        """
        burning = Fuse(fuse)
        store = self.store if posts_only else MortalStore(self.store.engine, burning)
        rest = MortalRest(self.client, timeout=5)
        rest.fuse, rest.posts_only = burning, posts_only

        async def remake(edition_id: int) -> None:
            async with store.read() as connection:
                seen = (await editions.fetch_edition(connection, edition_id)).stale_since
            await amend_parts(store, edition_id, self._made(), at=self.clock.now(), reason="a blow", seen=seen)

        publisher = Publisher(store, rest, self.clock, remake)
        try:
            await publisher.publish(self.edition_id)
            async with store.read() as connection:
                unsettled = self.edition_id in await editions.unsettled_editions(connection)
            if unsettled:
                await publisher.settle(self.edition_id)
        except Crash:
            self.crashes += 1
        except GazetteError:
            pass

    async def be_killed(self, skip: int, *, stored: bool) -> bool:
        """A real process works on the edition, and is killed at one of its requests; whether it got that far.

        The request is killed before the server has seen to it (and may still be seen to) or just after.
        """
        held = self.server.faults.hold(when=self._is_mine, skip=skip, stored=stored)
        url = self.store.engine.url.render_as_string(hide_password=False)
        work = Work(url, self.server.api_url, self.server.token, self.clock.now(), self.edition_id, self._made())
        running = process(work)
        await asyncio.to_thread(running.start)
        while not held.reached.is_set() and running.is_alive():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        reached = held.reached.is_set()
        if reached:
            os.kill(running.pid, signal.SIGKILL)
            self.crashes += 1
        held.release()
        await asyncio.to_thread(running.join)
        return reached

    def strike(self, kind: str, *, stored: bool, skip: int, writes: bool = True) -> None:
        """Misfortune for one of the next requests of this guild, before or after the server has carried it out."""
        self.faults += 1
        where: dict[str, Any] = {
            "when": self._is_mine,
            "method": "POST" if writes else "*",
            "stored": stored,
            "skip": skip,
        }
        faults = self.server.faults
        match kind:
            case "reset":
                self._ordered.append(faults.reset(**where))
            case "limit":
                self._ordered.append(faults.rate_limit(0.01, **where | {"stored": False}))
            case "global limit":
                self._ordered.append(faults.rate_limit(0.01, everywhere=True, **where | {"stored": False}))
            case "html":
                self._ordered.append(faults.block(**where | {"stored": False}))
            case status:
                self._ordered.append(faults.fail(int(status), **where))

    def _is_mine(self, record: Record) -> bool:
        found = re.match(r"/(channels|guilds)/(\d+)", record.path)
        if found is None:
            return False
        if found[1] == "guilds":
            return int(found[2]) == self.guild_id
        channel = self.server.world.channels.get(int(found[2]))
        return channel is not None and channel.guild_id == self.guild_id

    def chat(self, count: int) -> None:
        """Other people talk in every channel and thread, and the bot says something else."""
        world = self.server.world
        person = world.guild(self.guild_id).members[self.guild_id + 9]["user"]
        for channel in self._channels():
            if channel.kind == 15 or channel.archived:
                continue
            for number in range(count):
                world.create_message(channel.channel_id, author=person, content=f"chat {number}")
            world.create_message(channel.channel_id, author=world.bot, content="A notice of the bot")

    def wait(self, minutes: int) -> None:
        """Time passes; after some minutes Discord has forgotten the nonces."""
        self.clock.set(self.clock.now() + timedelta(minutes=minutes))

    def archive(self, *, locked: bool) -> None:
        """Threads and posts fall asleep."""
        world = self.server.world
        for channel in self._channels():
            if channel.is_thread and not channel.archived:
                world.set_archived(channel.channel_id, True)
                if locked:
                    metadata = channel.data["thread_metadata"] | {"locked": True}
                    world.update_channel(channel.channel_id, thread_metadata=metadata)

    async def amend(self, *, summaries: int) -> None:
        """What the edition tells changes: the second part of the summary, and how many there are."""
        self._round += 1
        longer = told(self.heads, max(1, summaries), word=f"Story {self.guild_id}")
        second = self.heads + min(1, max(1, summaries) - 1)
        changed = Part(longer[second].place, f"{longer[second].content}, told anew {self._round}")
        self._told = (*longer[:second], changed, *longer[second + 1 :])
        async with self.store.write() as connection:
            await sources.mark_stale(connection, [self.edition_id], reason="a blow", at=self.clock.now())

    # -- the end

    async def finish(self) -> Outcome:
        """Let it come to its end in peace, and look at what stands."""
        for fault in self._ordered:
            fault.times = 0
        self._ordered.clear()
        for _ in range(LIVES):
            await self.live(None)
            async with self.store.read() as connection:
                edition = await editions.fetch_edition(connection, self.edition_id)
                unsettled = await editions.unsettled_editions(connection)
            if edition.status is EditionStatus.PUBLISHED and self.edition_id not in unsettled:
                break
        return await self._outcome()

    async def _outcome(self) -> Outcome:
        said = {channel.channel_id: self._said(channel.channel_id) for channel in self._channels()}
        everything = [content for contents in said.values() for content in contents]
        wanted = [part.content for part in self._told]
        async with self.store.read() as connection:
            stored = await parts.parts_of(connection, self.edition_id)
        misplaced = 0
        for place_groups in self._sequences():
            where = {part.channel_id for part in stored if part.place in place_groups}
            expected = [part.content for part in self._told if part.place in place_groups]
            misplaced += len(where) != 1 or said[next(iter(where)) or 0] != expected
        return Outcome(
            missing=sum(content not in everything for content in wanted),
            doubled=sum(everything.count(content) - 1 for content in set(everything)),
            misplaced=misplaced + sum(content not in wanted for content in everything),
            crashes=self.crashes,
            faults=self.faults,
        )

    def _sequences(self) -> list[tuple[Place, ...]]:
        if self.target in ("one channel", "forum"):
            return [(Place.HEAD, Place.SUMMARY)]
        return [(Place.HEAD,), (Place.SUMMARY,)]

    def _channels(self) -> list[Any]:
        world = self.server.world
        return [*world.channels_of(self.guild_id, threads=False), *world.channels_of(self.guild_id, threads=True)]

    def _said(self, channel_id: int) -> list[str]:
        channel = self.server.world.channel(channel_id)
        messages = (channel.messages[message_id] for message_id in channel.order)
        return [
            message["content"]
            for message in messages
            if int(message["author"]["id"]) == self.server.world.bot_id
            and message["type"] == 0
            and message["content"] != "A notice of the bot"
        ]
