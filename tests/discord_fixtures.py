"""A local Discord and a real discord.py client that is connected to it, for tests at the wire."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import discord
import pytest

from bot.model.clock import Clock
from bot.replay.discord_server import DiscordServer

GUILD_ID, CHANNEL_ID, MEMBER_ID = 100, 200, 300


class Listener(discord.AutoShardedClient):
    """A bare client that keeps what it hears: `heard` has (event, arguments)."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("intents", discord.Intents.all())
        options.setdefault("guild_ready_timeout", 0.05)
        super().__init__(**options)
        self.heard: list[tuple[str, tuple[Any, ...]]] = []
        self.stopped: asyncio.Future[None] | None = None

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """No pause of five seconds between sessions."""

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        if not event.startswith("socket"):
            self.heard.append((event, args))
        super().dispatch(event, *args, **kwargs)

    def of(self, event: str) -> list[Any]:
        """The first argument of each event of this name."""
        return [args[0] for name, args in self.heard if name == event and args]


@pytest.fixture
async def discord_server(clock: Clock) -> AsyncIterator[DiscordServer]:
    """A started server with one guild (100), one text channel (#general, 200) and one member (ada, 300)."""
    server = DiscordServer(clock)
    server.world.add_guild(
        {"id": GUILD_ID, "name": "Test guild"},
        channels=[{"id": CHANNEL_ID, "name": "general"}],
        members=[
            {
                "user": {"id": MEMBER_ID, "username": "ada", "global_name": "Ada"},
                "joined_at": "2025-01-01T00:00:00+00:00",
            }
        ],
    )
    await server.start()
    with server.as_discord():
        yield server
    await server.close()


@contextlib.asynccontextmanager
async def connected(server: DiscordServer, client: discord.Client) -> AsyncIterator[discord.Client]:
    """The client logged in, connected and ready; closed at the end."""
    running = asyncio.create_task(client.start(server.token))
    ready = asyncio.create_task(_ready(client))
    await asyncio.wait({running, ready}, return_when=asyncio.FIRST_COMPLETED)
    if running.done():
        ready.cancel()
        running.result()
    try:
        yield client
    finally:
        await client.close()
        with contextlib.suppress(Exception):
            await running


async def _ready(client: discord.Client) -> None:
    while not client.is_ready():  # noqa: ASYNC110
        await asyncio.sleep(0.005)


@pytest.fixture
async def discord_client(discord_server: DiscordServer) -> AsyncIterator[Listener]:
    """A discord.py client (all intents) that is ready."""
    async with connected(discord_server, Listener()) as client:
        assert isinstance(client, Listener)
        yield client


@pytest.fixture
def until() -> Callable[[Callable[[], bool]], Any]:
    """`await until(lambda: condition)`: give the loop its turns until it holds (the test's timeout ends it)."""

    async def wait(condition: Callable[[], bool]) -> None:
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.005)

    return wait
