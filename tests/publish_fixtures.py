"""An edition, a guild on the local Discord and a publisher between them, for tests of publishing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import discord
import pytest

from bot.model.clock import ManualClock
from bot.model.guilds import Guild
from bot.model.parts import Part, PartFile, Place
from bot.model.publication import EditionStatus, MadeEdition, StoredEdition, StoredPart
from bot.model.schedule import Period
from bot.model.settings import GuildSettings
from bot.publish.amend import amend_parts
from bot.publish.publisher import Publisher
from bot.publish.rest import DiscordRest
from bot.replay.discord_server import DiscordServer
from bot.store import editions, guilds, parts
from bot.store.engine import Store

GUILD, DIGEST, REVIEW, FORUM, NEWS, ARCHIVE = 100, 201, 202, 203, 204, 205
NOW = datetime(2026, 8, 31, 9, 0, tzinfo=UTC)
WEEK = Period(NOW - timedelta(days=7), NOW)
TITLE = "Week of August 24th summary"
CHANNELS = [
    {"id": DIGEST, "name": "digest"},
    {"id": REVIEW, "name": "review"},
    {"id": FORUM, "name": "digests", "type": 15},
    {"id": NEWS, "name": "news", "type": 5},
    {"id": ARCHIVE, "name": "archive"},
]


def told(heads: int = 1, summaries: int = 3, *, word: str = "Story") -> tuple[Part, ...]:
    """An edition's parts: the first with a file."""
    files = (PartFile("edition.md", b"# The week\n"), PartFile("joins.png", b"png", "Joins by day"))
    head = [Part(Place.HEAD, f"# {TITLE}\n{word} of the head, {n}", files if n == 0 else ()) for n in range(heads)]
    return (*head, *(Part(Place.SUMMARY, f"**{word}** number {n}") for n in range(summaries)))


def made(told: Sequence[Part], *, guild_id: int = GUILD, period: Period = WEEK, **more: Any) -> MadeEdition:
    document = {"period": {"timezone": "UTC"}}
    known = {"title": TITLE, "document": document, "markdown": "# The week", "html": "<h1>The week</h1>"}
    return MadeEdition(guild_id=guild_id, period=period, parts=tuple(told), **(known | more))


@dataclass
class Press:
    """The store, the server and the publisher of a test. `anew` is what making the edition anew comes to."""

    store: Store
    server: DiscordServer
    clock: ManualClock
    client: discord.Client
    publisher: Publisher
    anew: MadeEdition = field(default_factory=lambda: made(told()))

    async def remake(self, edition_id: int) -> None:
        edition, _ = await self.stored(edition_id)
        await amend_parts(
            self.store, edition_id, self.anew, at=self.clock.now(), reason="a test", seen=edition.stale_since
        )

    async def settings(self, *, guild_id: int = GUILD, groups: Mapping[str, Any] | None = None, **publish: Any) -> None:
        """Store a guild's settings; `publish` are those of `[publish]`, `groups` other groups."""
        settings = GuildSettings.model_validate({"publish": {"channel": "digest", **publish}, **(groups or {})})
        async with self.store.write() as connection:
            await guilds.store_settings(connection, guild_id, settings, at=self.clock.now())

    async def edition(self, edition: MadeEdition | None = None) -> int:
        """Store an edition to be posted; its id."""
        if edition is not None:
            self.anew = edition
        async with self.store.write() as connection:
            return await editions.store_edition(connection, self.anew, at=self.clock.now())

    async def stored(self, edition_id: int) -> tuple[StoredEdition, list[StoredPart]]:
        async with self.store.read() as connection:
            return await editions.fetch_edition(connection, edition_id), await parts.parts_of(connection, edition_id)

    async def is_published(self, edition_id: int) -> bool:
        edition, _ = await self.stored(edition_id)
        return edition.status is EditionStatus.PUBLISHED

    def said(self, channel_id: int) -> list[str]:
        """What the bot says in a channel or thread, in order."""
        channel = self.server.world.channel(channel_id)
        mine = (channel.messages[message_id] for message_id in channel.order)
        return [m["content"] for m in mine if int(m["author"]["id"]) == self.server.world.bot_id and m["type"] == 0]

    def threads(self, parent_id: int) -> list[int]:
        world = self.server.world
        return [t.channel_id for t in world.channels_of(GUILD, threads=True) if t.parent_id == parent_id]

    def sent(self, channel_id: int) -> list[dict[str, Any]]:
        """The bodies of the messages that the bot wrote in the channel."""
        return [written.payload for written in self.server.written if written.channel_id == channel_id]


@pytest.fixture
async def press(sqlite_store: Store, discord_server: DiscordServer, clock: ManualClock) -> AsyncIterator[Press]:
    """A guild with a digest channel, a review channel, a forum, an announcement channel and an archive."""
    world = discord_server.world
    for channel in CHANNELS:
        world.create_channel(GUILD, **channel)
    client = discord.Client(intents=discord.Intents.none())
    await client.login(discord_server.token)
    rest = DiscordRest(client, timeout=5)

    async def not_yet(edition_id: int) -> None:
        raise AssertionError

    ready = Press(sqlite_store, discord_server, clock, client, Publisher(sqlite_store, rest, clock, not_yet))
    ready.publisher = replace(ready.publisher, remake=ready.remake)
    async with sqlite_store.write() as connection:
        await guilds.store_guild(connection, Guild(guild_id=GUILD, name="Test guild", owner_id=300))
    await ready.settings()
    yield ready
    await client.close()
