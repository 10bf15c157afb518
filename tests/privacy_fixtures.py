"""A community in which one person leaves traces everywhere, and a search for what is left of them."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import select

from bot import client
from bot.app import App
from bot.config import read_settings
from bot.model.clock import ManualClock
from bot.model.guilds import ScheduledEvent
from bot.model.schedule import Period
from bot.model.settings import GuildSettings
from bot.replay.discord_server import DiscordServer
from bot.store import actions, editions, edits, guilds, identities, model_answers, notices, tags
from bot.store.engine import Store
from bot.store.tables import Base
from tests.pictures import draw_none

GUILD, GENERAL, INTRODUCTIONS, DIGEST, REVIEW = 100, 200, 210, 220, 230
START = datetime(2026, 8, 24, 9, 0, tzinfo=UTC)
NOW = datetime(2026, 8, 31, 9, 0, tzinfo=UTC)
WEEK = Period(START, NOW)
ADA = {"id": "700000000000000007", "username": "adalindq", "global_name": "Adalind Quux"}
BOB = {"id": "600000000000000006", "username": "bob", "global_name": "Bob"}
MOD = {"id": "500000000000000005", "username": "mona", "global_name": "Mona"}
SETTINGS = {
    "publish": {"channel": "digest"},
    "moderation": {"review_channel": "review"},
    "channels": {"introductions": "introductions", "announcements": ["general"]},
}
SAID = "We trained the zebrafish model on nine hundred accelerators and it converged within a single night of work"
TITLE = "How the bandoneon was trained"
NEEDLES = (
    "bandoneon",
    "zebrafish",
    "accordion",
    "hurdy-gurdy",
    "xylophone",
    "adalindq",
    "Adalind Quux",
    "700000000000000007",
)
"""What only the person said, is called, or is known by."""
MAY_POINT_THERE = frozenset({"channel_id", "reply_to_id"})
"""These tell only that somebody answered, or opened a thread, under a message that is gone."""


@dataclass
class Community:
    """The server, the clock, and the ids of the person's messages."""

    server: DiscordServer
    clock: ManualClock
    said: list[int] = field(default_factory=list)
    thread_id: int = 0  # a thread has the id of the message that it begins with, and stays

    @property
    def needles(self) -> tuple[str, ...]:
        return (*NEEDLES, *(str(each) for each in self.said if each != self.thread_id))

    def ada_says(self, channel_id: int, content: str, **fields: Any) -> int:
        message = self.server.world.create_message(channel_id, author=ADA, content=content, **fields)
        self.said.append(int(message["id"]))
        return self.said[-1]

    def bob_says(self, content: str, **fields: Any) -> int:
        return int(self.server.world.create_message(GENERAL, author=BOB, content=content, **fields)["id"])

    def posted(self) -> list[str]:
        """Everything that the bot says anywhere on Discord, files included, as it stands now."""
        world = self.server.world
        return [
            str({key: value for key, value in message.items() if key != "author"})
            for channel in world.channels.values()
            for message in channel.messages.values()
            if int(message["author"]["id"]) == world.bot_id
        ]


@contextlib.asynccontextmanager
async def a_community() -> AsyncIterator[Community]:
    """At the week's beginning."""
    clock = ManualClock(START)
    server = DiscordServer(clock)
    long_ago = (START - timedelta(days=300)).isoformat()
    server.world.add_guild(
        {"id": GUILD, "name": "Test guild", "owner_id": MOD["id"]},
        channels=[
            {"id": GENERAL, "name": "general"},
            {"id": INTRODUCTIONS, "name": "introductions"},
            {"id": DIGEST, "name": "digest"},
            {"id": REVIEW, "name": "review"},
        ],
        members=[{"user": each, "joined_at": long_ago} for each in (BOB, MOD)],
    )
    await server.start()
    with server.as_discord():
        yield Community(server, clock)
    await server.close()


@contextlib.asynccontextmanager
async def running(
    community: Community, database_url: str, *, pictures: bool = False, **settings: Any
) -> AsyncIterator[App]:
    """The whole bot, connected; the schedule does not run."""
    client.IDENTIFY_EVERY = 0.0
    server = community.server
    options = {
        "token": server.token,
        "database_url": database_url,
        "discord_api_url": server.api_url,
        "discord_gateway_url": server.gateway_url,
        "github_api_url": "http://127.0.0.1:9",
    }
    app = App(read_settings(_env_file=None, **(options | settings)), community.clock)
    app.bot._connection.guild_ready_timeout = 0.05  # discord.py waits two seconds for further guilds
    if not pictures:
        draw_none(app)
    async with app.connected(schedule=False):
        async with app.store.write() as connection:
            wanted = GuildSettings.model_validate(SETTINGS)
            await guilds.store_settings(connection, GUILD, wanted, at=community.clock.now())
        await app.recorder.settings_changed(GUILD)
        await settle(app, community)
        yield app


async def settle(app: App, community: Community) -> None:
    await community.server.settle()
    await app.drain()


async def a_week(app: App, community: Community) -> None:
    """Ada joins, introduces herself, talks, shares, announces, is answered, quoted, mentioned, forwarded, tagged."""
    world, clock = community.server.world, community.clock
    world.add_member(GUILD, ADA, joined_at=clock.now())
    clock.set(clock.now() + timedelta(hours=1))
    community.ada_says(
        INTRODUCTIONS,
        "Hi everyone, I'm Adalind Quux and I build the accordion compiler at a small lab in Graz. I joined to learn "
        "about training runs, and I hope to help with data.",
    )
    clock.set(clock.now() + timedelta(hours=1))
    said = community.ada_says(GENERAL, SAID)
    for user in range(1, 13):
        world.add_member(GUILD, {"id": str(900 + user), "username": f"m{user}"}, joined_at=START - timedelta(days=90))
        world.add_reaction(GENERAL, said, "🔥", 900 + user)
    shared = community.ada_says(GENERAL, "Everybody should read this report: https://example.org/hurdy-gurdy")
    community.ada_says(
        GENERAL, "We will hold the xylophone workshop on September 9th at 17:00 UTC, please all come along."
    )
    reference = {"message_id": str(said), "channel_id": str(GENERAL), "guild_id": str(GUILD)}
    community.bob_says(f"> {SAID}\nThat is great <@{ADA['id']}>, how long did it take?", mentions=[ADA])
    community.bob_says("Agreed, and thanks for the numbers!", type=19, message_reference=reference)
    community.bob_says(
        "", message_reference={**reference, "type": 1}, message_snapshots=[{"message": {"content": SAID, "type": 0}}]
    )
    thread = world.create_thread(GENERAL, message_id=shared, name=TITLE, owner_id=ADA["id"])
    community.thread_id = int(thread["id"])
    clock.set(clock.now() + timedelta(hours=1))
    world.create_message(int(thread["id"]), author=BOB, content="Good to know!")
    await settle(app, community)
    await app.tagging.tag(
        GUILD, GENERAL, said, by=int(MOD["id"]), source="menu", note="the zebrafish result of Adalind Quux"
    )
    await app.tagging.tag(GUILD, GENERAL, shared, by=int(MOD["id"]), source="menu")
    async with app.store.write() as connection:
        await identities.request_link(connection, GUILD, int(ADA["id"]), "adalindq", at=NOW)
    clock.set(NOW)


async def publish(app: App, community: Community) -> int:
    """The week's edition, posted and public, and a suggestion of Ada's; its id."""
    edition_id = await app.maker.make(GUILD, WEEK)
    await app.publishing.publisher.publish(edition_id)
    async with app.store.write() as connection:
        await editions.set_public(connection, edition_id, True)
        await tags.store_suggestion(
            connection,
            tags.Suggestion(
                guild_id=GUILD,
                message_id=community.said[0],
                channel_id=INTRODUCTIONS,
                user_id=int(ADA["id"]),
                suggested_at=NOW,
            ),
        )
    return edition_id


async def leave_more_traces(app: App, community: Community) -> None:
    """What moderators and the program itself put down about the person, by id, by name or in their words."""
    ada, said = int(ADA["id"]), community.said[0]
    words = {"text": f"{ADA['global_name']} said: {SAID}"}
    async with app.store.write() as connection:
        await model_answers.store_answer(connection, GUILD, "a question", words, tokens=9, at=NOW)
        await edits.store_edit(
            connection, guild_id=GUILD, period_start=START, user_id=ada, kind="rewrite", data=words, at=NOW
        )
        await notices.open_notice(connection, GUILD, "a problem", f"{words['text']} <@{ada}>", NOW)
        await actions.log_action(connection, guild_id=GUILD, action="tag", at=NOW, user_id=ada, data={"of": str(said)})
        await tags.store_introduction_mark(
            connection, guild_id=GUILD, message_id=said, is_introduction=True, by=ada, at=NOW
        )
        event = ScheduledEvent(event_id=77, guild_id=GUILD, name="Office hours", starts_at=NOW, creator_id=ada)
        await guilds.store_scheduled_events(connection, [event])
        await guilds.store_settings(connection, GUILD, GuildSettings.model_validate(SETTINGS), at=NOW, by=ada)


async def left_in_tables(store: Store, needles: Iterable[str]) -> list[str]:
    """Every cell of every table that holds one of the needles, as table.column."""
    wanted = tuple(needles)
    found = []
    async with store.read() as connection:
        for table in Base.metadata.sorted_tables:
            for row in (await connection.execute(select(table))).all():
                for name, value in row._mapping.items():
                    if name in MAY_POINT_THERE:
                        continue
                    text = value.decode("latin-1") if isinstance(value, bytes) else str(value)
                    found += [f"{table.name}.{name}: {needle}" for needle in wanted if needle in text]
    return found


def left_in_files(database_url: str, needles: Iterable[str]) -> list[str]:
    """Every needle that stands in a byte of the SQLite file or of what lies beside it."""
    path = Path(database_url.removeprefix("sqlite:///"))
    files = [each for each in path.parent.iterdir() if each.name.startswith(path.name)]
    return [f"{file.name}: {needle}" for file in files for needle in needles if needle.encode() in file.read_bytes()]


def left_in(texts: Sequence[str], needles: Iterable[str]) -> list[str]:
    return [f"{needle} in {text[:200]}" for needle in needles for text in texts if needle in text]
