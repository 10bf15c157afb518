"""A guild with the real bot in it: real cogs and services, a SQLite store, simulated Discord, a local GitHub."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import shutil
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest
import simcord
from simcord.backend import serializers

from bot.app import App
from bot.capture.discord_api import DiscordApi
from bot.client import EXTENSIONS
from bot.config import read_settings
from bot.model.clock import ManualClock
from bot.replay.github_server import GitHubServer
from tests.pictures import draw_none

NOW = datetime(2030, 5, 8, 12, 0, tzinfo=UTC)  # a Wednesday
BACKGROUND = ("cogs.recording", "cogs.publishing")
"""These wait for events all the time, which the simulation takes for work that does not end: run beside it."""
RECORDED: Mapping[str, Any] = {"repository": "Acme/Anvil", "repositories": ["Acme/Anvil", "acme/rocket"]}
MODERATOR = discord.Permissions(manage_messages=True)


@dataclass
class Desk:
    """The guild as a test sees it. `told` asks a command and returns the last answer's text."""

    env: Any
    app: App
    clock: ManualClock
    github: GitHubServer
    database: str
    guild: Any = None
    channels: dict[str, Any] = field(default_factory=dict)
    moderator: Any = None
    other: Any = None
    member: Any = None
    feeding: set[asyncio.Task[None]] = field(default_factory=set)

    async def begin(self) -> None:
        """Record and publish, as the cogs of that name do; the simulation's events go to the recorder."""
        app = self.app
        _as_simulated(app.bot.http)
        await app.recorder.start()
        app.read_back.start(DiscordApi(app.bot.http, clock=self.clock))
        app.publishing.start()
        self.env.backend.subscribers.append(self._feed)

    async def end(self) -> None:
        self.env.backend.subscribers.remove(self._feed)
        await self.app.drain()
        await self.app.publishing.stop()
        await self.app.read_back.stop()
        await self.app.recorder.stop()
        await self.app.github.close()
        await self.app.store.close()

    async def restart(self) -> None:
        """Another process in the place of this one, on the same database."""
        await self.end()
        self.app = _app(self.database, self.clock, self.github)
        await self.env.restart_bot(self.app.bot)
        await self.begin()
        for guild in self.env.backend.guilds.values():
            self._feed("GUILD_CREATE", serializers.guild_create_payload(self.env.backend, guild))
        await self.app.recorder.drain()

    def _feed(self, event: str, payload: Any) -> None:
        task = asyncio.get_running_loop().create_task(self.app.recorder.feed(event, payload))
        self.feeding.add(task)
        task.add_done_callback(self.feeding.discard)

    @contextlib.contextmanager
    def unrecorded(self) -> Iterator[None]:
        """What happens meanwhile is not recorded."""
        self.env.backend.subscribers.remove(self._feed)
        yield
        self.env.backend.subscribers.append(self._feed)

    @property
    def services(self) -> Any:
        return self.app.bot.services

    async def ask(self, command: str, *, who: Any = None, where: str = "moderators", **options: Any) -> list[Any]:
        """Everything that a command answers, in order; each of it must be for the caller alone."""
        result = await (who or self.moderator).slash(self.channels[where], command, **options)
        return await self.answers(result)

    async def answers(self, result: Any) -> list[Any]:
        await self.env.settle()
        shown = [*([result.response] if result.response else []), *result.followups]
        assert result.acknowledged and all(each.ephemeral for each in shown)
        return shown

    async def told(self, command: str, *, who: Any = None, where: str = "moderators", **options: Any) -> str:
        return str((await self.ask(command, who=who, where=where, **options))[-1].content)

    async def press(self, message: Any, label: str, *, who: Any = None) -> list[Any]:
        return await self.answers(await (who or self.moderator).click(message, label=label))

    async def say(self, who: Any, text: str, where: str = "general") -> Any:
        """Have somebody write, and the bot record it."""
        message = await who.send(self.channels[where], text)
        await self.app.recorder.drain()
        self.clock.set(self.clock.now() + timedelta(seconds=1))
        return message

    async def set(self, changes: Mapping[str, Any]) -> None:
        await self.services.configuration.change(self.guild.id, changes, by=None)

    async def settings(self) -> Any:
        return await self.services.configuration.fetch_settings(self.guild.id)

    async def as_of(self, instant: datetime) -> None:
        """Let time pass; what falls due meanwhile is done."""
        await self.clock.advance(instant)
        self.app.reviews.wake()
        await self.app.reviews.idle()
        self.app.publishing.scheduler.wake()
        await self.app.publishing.scheduler.idle()


def _app(database: str, clock: ManualClock, github: GitHubServer, *, pictures: bool = False) -> App:
    settings = read_settings(
        token="t", database_url=database, github_api_url=github.url, github_token="t", secret_key="s" * 32
    )
    app = App(settings, clock)
    app.bot.extensions_to_load = tuple(each for each in EXTENSIONS if each not in BACKGROUND)
    # No idle connection: the simulation would wait for the timer that closes it.
    app.github._session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(force_close=True))
    if not pictures:
        draw_none(app)
    return app


@contextlib.asynccontextmanager
async def opened(
    path: Path,
    template: Path,
    *,
    pictures: bool = False,
    now: datetime = NOW,
    recorded: Mapping[str, Any] = RECORDED,
) -> AsyncIterator[Desk]:
    """The bot in a simulated Discord without any guild; the database is a copy of `template`."""
    clock = ManualClock(now)
    shutil.copyfile(template, path)
    async with GitHubServer(recorded, clock=clock) as github:
        app = _app(f"sqlite:///{path}", clock, github, pictures=pictures)
        env = simcord.Env(app.bot, shard_count=1, settle_timeout=20)
        env.backend.clock.now = clock.now  # one time for the program and for Discord
        await env.start()
        desk = Desk(env, app, clock, github, f"sqlite:///{path}")
        try:
            await desk.begin()
            yield desk
            env.raise_errors()
        finally:
            await desk.end()
            await env.shutdown()


def _as_simulated(http: Any) -> None:
    """Publishing hands its files to discord.py as a form of its own; the simulation knows discord.py's files."""
    request = http.request

    async def translated(route: Any, *, files: Any = None, form: Any = None, **kwargs: Any) -> Any:
        given = [file for file in files or () if isinstance(file, discord.File)]
        for part in form or ():
            if part["name"] == "payload_json":
                kwargs["json"] = json.loads(part["value"])
            elif "filename" in part:
                value = part["value"]
                given.append(discord.File(io.BytesIO(value) if isinstance(value, bytes) else value, part["filename"]))
        return await request(route, files=given, **kwargs)

    http.request = translated


async def furnish(desk: Desk) -> None:
    """A guild with a few channels, two moderators and a member, as it is before anything is set up."""
    env = desk.env
    guild = desk.guild = env.create_guild("Acme")
    role = guild.create_role("mods", permissions=MODERATOR)
    for name in ("digest", "general", "introductions", "moderators"):
        desk.channels[name] = guild.create_text_channel(name)
    desk.moderator = guild.add_member(env.create_user("mod"), roles=[role])
    desk.other = guild.add_member(env.create_user("second"), roles=[role])
    desk.member = guild.add_member(env.create_user("anna"))
    await env.settle()
    await desk.app.recorder.drain()


@pytest.fixture
async def desk(tmp_path: Path, sqlite_template: Path) -> AsyncIterator[Desk]:
    async with opened(tmp_path / "gazette.sqlite3", sqlite_template) as opened_desk:
        await furnish(opened_desk)
        yield opened_desk
