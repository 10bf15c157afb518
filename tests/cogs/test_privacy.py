"""`/privacy` as members use it: the real discord.py, a real store; every answer is for the caller alone."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import discord
import simcord
from discord.ext import commands
from sqlalchemy import select

from bot.capture.exclusions import Exclusions
from bot.model.clock import ManualClock
from bot.model.guilds import Guild
from bot.model.messages import Message
from bot.publish.erasure_file import ErasureFile
from bot.publish.maker import Stages
from bot.publish.privacy import Privacy
from bot.services import Services
from bot.store import guilds, messages, privacy
from bot.store.engine import Store
from bot.store.tables.messages import MessageRow

NOW = datetime(2030, 5, 6, tzinfo=UTC)


class Place:
    def __init__(self, env: Any, store: Store, exclusions: Exclusions) -> None:
        self.env, self.store, self.exclusions = env, store, exclusions
        self.guild = env.create_guild("Acme")
        self.channel = self.guild.create_text_channel("general")
        self.anna = self.guild.add_member(env.create_user("anna"))
        self.ben = self.guild.add_member(env.create_user("ben"))

    async def ask(self, who: Any, command: str, **options: Any) -> Any:
        result = await who.slash(self.channel, command, **options)
        await self.env.settle()
        shown = result.response or result.followups[-1]
        assert shown.ephemeral
        return shown

    async def say(self, who: Any, number: int, content: str) -> None:
        async with self.store.write() as connection:
            said = Message(
                message_id=number,
                guild_id=self.guild.id,
                channel_id=self.channel.id,
                author_id=who.id,
                author_name="anna",
                content=content,
            )
            await messages.store_messages(connection, [said])

    async def contents(self) -> list[str]:
        async with self.store.read() as connection:
            return list(
                (await connection.execute(select(MessageRow.content).order_by(MessageRow.message_id))).scalars()
            )


@asynccontextmanager
async def opened(sqlite_store: Store) -> AsyncIterator[Place]:
    clock, exclusions = ManualClock(NOW), Exclusions(secret="key")
    bot = commands.Bot(command_prefix="!", intents=discord.Intents.all())
    service = Privacy(store=sqlite_store, clock=clock, exclusions=exclusions, stages=Stages(), erased=ErasureFile(None))
    bot.controls = {}
    bot.services = Services.__new__(Services)
    bot.services.privacy = service

    async def setup_hook() -> None:
        for extension in ("cogs.errors", "cogs.components", "cogs.privacy"):
            await bot.load_extension(extension)
        await bot.tree.sync()

    bot.setup_hook = setup_hook
    async with simcord.run(bot) as env:
        made = Place(env, sqlite_store, exclusions)
        async with sqlite_store.write() as connection:
            await guilds.store_guild(connection, Guild(guild_id=made.guild.id, name="Acme"))
        yield made


async def test_the_policy_says_what_is_stored_and_for_how_long(sqlite_store: Store) -> None:
    async with opened(sqlite_store) as place:
        told = (await place.ask(place.anna, "privacy policy")).content
        for word in (
            "What is stored",
            "90 days",
            "Who sees it",
            "/privacy erase",
            "not opted out",
            "No language model",
        ):
            assert word in told
        assert len(told) <= 2000


async def test_a_member_opts_out_and_in_again(sqlite_store: Store) -> None:
    async with opened(sqlite_store) as place:
        await place.say(place.anna, 1, "mine")
        await place.say(place.ben, 2, "yours")
        assert "1 message was removed" in (await place.ask(place.anna, "privacy optout")).content
        assert await place.contents() == ["yours"]
        assert place.exclusions.is_excluded(place.guild.id, place.anna.id)
        assert not place.exclusions.is_excluded(999, place.anna.id)
        assert "opted out already" in (await place.ask(place.anna, "privacy optout")).content
        assert "You are opted out" in (await place.ask(place.anna, "privacy policy")).content
        assert "recorded again" in (await place.ask(place.anna, "privacy optin")).content
        assert not place.exclusions.is_excluded(place.guild.id, place.anna.id)


async def test_opting_out_everywhere_holds_in_every_server(sqlite_store: Store) -> None:
    async with opened(sqlite_store) as place:
        await place.ask(place.anna, "privacy optout", everywhere=True)
        assert place.exclusions.is_excluded(999, place.anna.id)


async def test_the_export_is_a_file_with_the_members_own_data(sqlite_store: Store) -> None:
    async with opened(sqlite_store) as place:
        await place.say(place.anna, 1, "mine")
        await place.say(place.ben, 2, "yours")
        shown = await place.ask(place.anna, "privacy export")
        (attachment,) = shown.attachments
        data = json.loads(await attachment.read())
        assert [each["content"] for each in data["messages"]] == ["mine"]
        assert data["messages"][0]["author_id"] == str(place.anna.id)


async def test_erasing_asks_first_and_only_the_member_can_confirm(sqlite_store: Store) -> None:
    async with opened(sqlite_store) as place:
        await place.say(place.anna, 1, "mine")
        shown = await place.ask(place.anna, "privacy erase")
        assert await place.contents() == ["mine"]
        pressed = await place.anna.click(shown, label="Erase everything")
        await place.env.settle()
        told = pressed.response or pressed.followups[-1]
        assert "is erased" in told.content
        assert await place.contents() == []
        async with place.store.read() as connection:
            assert await privacy.erased_hashes(connection) == {privacy.user_hash(place.anna.id, "key")}
