"""Reactions at the wire: the whole program connected to a local Discord, also after time offline."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot import client
from bot.app import App
from bot.config import read_settings
from bot.model.clock import ManualClock
from bot.model.settings import GuildSettings
from bot.replay.discord_server import DiscordServer
from bot.store import guilds, messages, tags
from tests.discord_fixtures import CHANNEL_ID, GUILD_ID, MEMBER_ID
from tests.discord_schema import DiscordSchema

MODERATOR, OTHER, ROLE = 401, 402, 400
SETTINGS = {
    "moderation": {"tag_emoji": "📌", "suggest_emoji": "💡"},
    "sections": [{"key": "boats", "title": "Boats", "emoji": "<:boat:77>"}],
}


class Harbour:
    """The program while it is connected, and what it makes of reactions."""

    def __init__(self, app: App, server: DiscordServer) -> None:
        self.app = app
        self.server = server

    async def settle(self) -> None:
        await self.server.settle()
        await self.app.drain()

    async def tagged_by(self, message_id: int) -> dict[int, str | None]:
        async with self.app.store.read() as connection:
            standing = await tags.standing_tags(connection, GUILD_ID, [message_id])
        return {tag.user_id: tag.section for tag in standing.get(message_id, ())}

    async def suggested_by(self, message_id: int) -> set[int]:
        async with self.app.store.read() as connection:
            return (await tags.suggesters_of(connection, [message_id])).get(message_id, set())

    async def counted(self, message_id: int) -> dict[str, int]:
        async with self.app.store.read() as connection:
            return dict((await messages.messages_by_id(connection, [message_id]))[message_id].reactions)

    def confirmed(self, message_id: int) -> bool:
        world = self.server.world
        reactions = world.channels[CHANNEL_ID].reactions.get(message_id, {})
        return "✅" in reactions and world.bot_id in reactions["✅"].user_ids


Connect = Callable[[], Any]


@pytest.fixture
async def connect(discord_server: DiscordServer, clock: ManualClock, tmp_path: Path) -> AsyncIterator[Connect]:
    """`async with connect() as harbour`: the program, each time on the same database."""
    client.IDENTIFY_EVERY = 0.0
    world = discord_server.world
    world.create_role(GUILD_ID, id=ROLE, name="mods", permissions=str(1 << 13))
    for user_id, name in ((MODERATOR, "mod"), (OTHER, "second")):
        world.add_member(GUILD_ID, {"id": str(user_id), "username": name}, roles=[str(ROLE)])

    @contextlib.asynccontextmanager
    async def connected() -> AsyncIterator[Harbour]:
        settings = read_settings(
            token=discord_server.token,
            discord_api_url=discord_server.api_url,
            discord_gateway_url=discord_server.gateway_url,
            database_url=f"sqlite:///{tmp_path}/gazette.sqlite3",
            github_api_url="http://127.0.0.1:9",
            github_token="t",
        )
        app = App(settings, clock)
        app.bot.extensions_to_load = ("cogs.errors", "cogs.components", "cogs.recording", "cogs.tagging")
        async with app.connected(schedule=False):
            async with app.store.write() as connection:
                wanted = GuildSettings.model_validate(SETTINGS)
                await guilds.store_settings(connection, GUILD_ID, wanted, at=clock.now())
            harbour = Harbour(app, discord_server)
            await harbour.settle()
            yield harbour

    yield connected


def _said(server: DiscordServer, text: str) -> int:
    author = {"id": str(MEMBER_ID), "username": "ada"}
    return int(server.world.create_message(CHANNEL_ID, author=author, content=text)["id"])


async def test_a_moderators_reaction_tags_and_taking_it_off_untags(connect: Connect, shared_file: Any) -> None:
    async with connect() as harbour:
        world = harbour.server.world
        message_id = _said(harbour.server, "The slipway is open.")
        world.add_reaction(CHANNEL_ID, message_id, "📌", MODERATOR)
        await harbour.settle()
        assert await harbour.tagged_by(message_id) == {MODERATOR: None}
        assert harbour.confirmed(message_id)
        await harbour.settle()
        assert await harbour.counted(message_id) == {"📌": 1}
        world.add_reaction(CHANNEL_ID, message_id, "boat:77", OTHER)
        await harbour.settle()
        assert await harbour.tagged_by(message_id) == {MODERATOR: None, OTHER: "boats"}
        world.remove_reaction(CHANNEL_ID, message_id, "📌", MODERATOR)
        await harbour.settle()
        assert await harbour.tagged_by(message_id) == {OTHER: "boats"} and harbour.confirmed(message_id)
        world.remove_reaction(CHANNEL_ID, message_id, "boat:77", OTHER)
        await harbour.settle()
        assert await harbour.tagged_by(message_id) == {} and not harbour.confirmed(message_id)
        requests = list(harbour.server.requests)
    assert any(each.method == "PUT" and "/reactions/" in each.path for each in requests)
    assert DiscordSchema.read(shared_file("DISCORD_OPENAPI")).problems_of(requests) == []


async def test_members_suggest_and_only_moderators_tag(connect: Connect) -> None:
    async with connect() as harbour:
        world = harbour.server.world
        message_id = _said(harbour.server, "The slipway is open.")
        world.add_reaction(CHANNEL_ID, message_id, "📌", MEMBER_ID)
        world.add_reaction(CHANNEL_ID, message_id, "💡", MEMBER_ID)
        world.add_reaction(CHANNEL_ID, message_id, "🎉", MODERATOR)
        await harbour.settle()
        assert await harbour.tagged_by(message_id) == {} and not harbour.confirmed(message_id)
        assert await harbour.suggested_by(message_id) == {MEMBER_ID}
        world.remove_reaction(CHANNEL_ID, message_id, "💡", MEMBER_ID)
        await harbour.settle()
        assert await harbour.suggested_by(message_id) == set()


@pytest.mark.parametrize("emoji", [None, "📌"])
async def test_clearing_reactions_untags(connect: Connect, emoji: str | None) -> None:
    async with connect() as harbour:
        world = harbour.server.world
        message_id = _said(harbour.server, "The slipway is open.")
        for who in (MODERATOR, OTHER):
            world.add_reaction(CHANNEL_ID, message_id, "📌", who)
        world.add_reaction(CHANNEL_ID, message_id, "boat:77", OTHER)
        world.add_reaction(CHANNEL_ID, message_id, "💡", MEMBER_ID)
        await harbour.settle()
        assert len(await harbour.tagged_by(message_id)) == 2
        world.clear_reactions(CHANNEL_ID, message_id, emoji)
        await harbour.settle()
        assert await harbour.tagged_by(message_id) == ({OTHER: "boats"} if emoji else {})
        assert await harbour.suggested_by(message_id) == ({MEMBER_ID} if emoji else set())


async def test_what_happened_to_reactions_while_the_bot_was_away_is_made_good(
    connect: Connect, clock: ManualClock
) -> None:
    async with connect() as harbour:
        world = harbour.server.world
        taken_off, left, put_on = (_said(harbour.server, text) for text in ("One", "Two", "Three"))
        for message_id in (taken_off, left):
            world.add_reaction(CHANNEL_ID, message_id, "📌", MODERATOR)
        world.add_reaction(CHANNEL_ID, left, "💡", MEMBER_ID)
        await harbour.settle()
    clock.set(clock.now() + timedelta(hours=1))
    world.remove_reaction(CHANNEL_ID, taken_off, "📌", MODERATOR)
    world.remove_reaction(CHANNEL_ID, left, "💡", MEMBER_ID)
    world.add_reaction(CHANNEL_ID, put_on, "boat:77", OTHER)
    world.add_reaction(CHANNEL_ID, put_on, "📌", MEMBER_ID)
    world.add_reaction(CHANNEL_ID, put_on, "💡", MEMBER_ID)
    missed = _said(harbour.server, "Said while the bot was away")
    world.add_reaction(CHANNEL_ID, missed, "📌", MODERATOR)
    clock.set(clock.now() + timedelta(hours=1))
    async with connect() as harbour:
        assert await harbour.tagged_by(taken_off) == {}
        assert await harbour.tagged_by(left) == {MODERATOR: None}
        assert await harbour.tagged_by(put_on) == {OTHER: "boats"}
        assert await harbour.tagged_by(missed) == {MODERATOR: None}
        assert await harbour.suggested_by(left) == set()
        assert await harbour.suggested_by(put_on) == {MEMBER_ID}
        assert harbour.confirmed(put_on) and harbour.confirmed(missed) and not harbour.confirmed(taken_off)
        assert await harbour.counted(put_on) == {"boat:77": 1, "📌": 1, "💡": 1}


async def test_a_tag_that_was_taken_off_by_hand_does_not_come_back_with_its_reaction(connect: Connect) -> None:
    async with connect() as harbour:
        world = harbour.server.world
        message_id = _said(harbour.server, "The slipway is open.")
        world.add_reaction(CHANNEL_ID, message_id, "📌", MODERATOR)
        await harbour.settle()
        await harbour.app.tagging.untag(GUILD_ID, message_id, by=OTHER)
        assert not harbour.confirmed(message_id)
        await harbour.app.read_back.refresh_messages([message_id])
        assert await harbour.tagged_by(message_id) == {}
        world.remove_reaction(CHANNEL_ID, message_id, "📌", MODERATOR)
        world.add_reaction(CHANNEL_ID, message_id, "📌", MODERATOR)
        await harbour.settle()
        assert await harbour.tagged_by(message_id) == {MODERATOR: None}
