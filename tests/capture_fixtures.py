"""The real bot, recording what a local Discord tells it, for tests at the wire."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from bot import client
from bot.capture.read_back import ReadBack
from bot.capture.recorder import Recorder
from bot.client import DigestBot
from bot.model.clock import Clock
from bot.replay.discord_server import DiscordServer
from bot.store.engine import Store


@dataclass
class Running:
    """A bot that is connected and recording."""

    bot: DigestBot
    recorder: Recorder
    read_back: ReadBack
    server: DiscordServer

    async def settle(self) -> None:
        """Everything that happened so far is stored, and what was missed is read back."""
        await self.server.settle()
        await self.recorder.drain()
        await self.read_back.idle()
        await self.recorder.drain()


@contextlib.asynccontextmanager
async def recording(server: DiscordServer, store: Store, clock: Clock, **options: Any) -> AsyncIterator[Running]:
    """Connect the bot; at the end it is closed as by a signal."""
    client.IDENTIFY_EVERY = 0.0
    recorder = Recorder(store, clock=clock, **options)
    read_back = ReadBack(recorder, clock=clock)
    bot = DigestBot(SimpleNamespace(recorder=recorder, read_back=read_back), store=store)
    running = Running(bot, recorder, read_back, server)
    task = asyncio.create_task(bot.start(server.token))
    ready = asyncio.create_task(server.gateway.wait_ready())
    await asyncio.wait({task, ready}, return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        ready.cancel()
        task.result()
    try:
        await running.settle()
        yield running
    finally:
        await bot.close()
        await task
