"""The real bot, recording what a local Discord tells it, for tests at the wire."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from sqlalchemy import select

from bot import client
from bot.capture.convert import emoji_key
from bot.capture.read_back import ReadBack
from bot.capture.recorder import Recorder
from bot.client import DigestBot
from bot.model.clock import Clock
from bot.model.messages import Message
from bot.replay.discord_server import DiscordServer
from bot.store.engine import Store
from bot.store.message_rows import message_of
from bot.store.tables.messages import MessageReferenceRow, MessageRow


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
async def recording(
    server: DiscordServer, store: Store, clock: Clock, *, wait: bool = True, **options: Any
) -> AsyncIterator[Running]:
    """Connect the bot (and `wait` until all that was missed is read); at the end it is closed as by a signal."""
    client.IDENTIFY_EVERY = 0.0
    recorder = Recorder(store, clock=clock, **options)
    read_back = ReadBack(recorder, clock=clock)
    services = SimpleNamespace(recorder=recorder, read_back=read_back)
    bot = DigestBot(services, store=store, extensions_to_load=("cogs.recording",))
    running = Running(bot, recorder, read_back, server)
    task = asyncio.create_task(bot.start(server.token))
    ready = asyncio.create_task(server.gateway.wait_ready())
    await asyncio.wait({task, ready}, return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        ready.cancel()
        task.result()
    try:
        if wait:
            await running.settle()
        yield running
    finally:
        await bot.close()
        await task


ADA = {"id": "300", "username": "ada", "global_name": "Ada"}
BOB = {"id": "301", "username": "bob", "global_name": "Bob"}


async def stored_messages(store: Store) -> dict[int, Message]:
    """Every stored message that is not deleted."""
    async with store.read() as connection:
        rows = await connection.execute(select(MessageRow.__table__).where(MessageRow.deleted_at.is_(None)))
        return {row.message_id: message_of(row) for row in rows}


async def references_of(store: Store, message_id: int) -> set[str]:
    async with store.read() as connection:
        rows = await connection.execute(
            select(MessageReferenceRow.reference).where(MessageReferenceRow.message_id == message_id)
        )
        return set(rows.scalars())


def told(message: Message) -> tuple[int, str, dict[str, int]]:
    """Of a message what has to be the same as in Discord's own history."""
    return message.channel_id, message.content, dict(message.reactions)


def history(server: DiscordServer, *channel_ids: int) -> dict[int, tuple[int, str, dict[str, int]]]:
    """What stands in the channels (default: all that the bot sees) of the local Discord, in the form of `told`."""
    world = server.world
    found = {}
    for channel in world.channels.values():
        if (channel_ids and channel.channel_id not in channel_ids) or not world.sees(channel.channel_id):
            continue
        for message_id, message in channel.messages.items():
            reactions = {
                emoji_key(reaction.emoji): len(reaction.user_ids)
                for reaction in channel.reactions.get(message_id, {}).values()
                if reaction.user_ids
            }
            found[message_id] = (channel.channel_id, message["content"], reactions)
    return found


async def assert_complete(store: Store, server: DiscordServer, *channel_ids: int) -> int:
    """The store holds exactly what Discord's history holds; returns how many messages that are."""
    expected = history(server, *channel_ids)
    stored = {message_id: told(message) for message_id, message in (await stored_messages(store)).items()}
    lost = {message_id: expected[message_id] for message_id in expected.keys() - stored.keys()}
    extra = {message_id: stored[message_id] for message_id in stored.keys() - expected.keys()}
    other = {
        each: (stored[each], expected[each]) for each in stored.keys() & expected if stored[each] != expected[each]
    }
    assert not lost and not extra and not other, f"lost {lost}\nextra {extra}\ndifferent {other}"
    return len(expected)
