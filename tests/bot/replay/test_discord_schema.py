"""What discord.py sends to the local Discord, held against Discord's own description of its API."""

from __future__ import annotations

import io

import discord
import pytest
from discord import app_commands

from bot.replay.discord_record import Record
from tests.discord_fixtures import CHANNEL_ID, GUILD_ID
from tests.discord_schema import DiscordSchema


@pytest.fixture
def schema(shared_file):
    return DiscordSchema.read(shared_file("DISCORD_OPENAPI"))


async def test_what_a_client_sends_is_described_by_discord(discord_server, discord_client, schema):
    discord_server.world.create_channel(GUILD_ID, id=210, type=15, name="ideas")
    await discord_server.settle()
    channel, forum = discord_client.get_channel(CHANNEL_ID), discord_client.get_channel(210)
    silent = discord.AllowedMentions.none()
    sent = await channel.send("head", nonce="n", suppress_embeds=True, allowed_mentions=silent)
    await channel.send("file", files=[discord.File(io.BytesIO(b"x"), "edition.md")], reference=sent)
    await sent.edit(content="head, edited", suppress=True, allowed_mentions=silent)
    thread = await sent.create_thread(name="Full summary", auto_archive_duration=1440)
    await thread.edit(archived=True)
    await forum.create_thread(name="Digest", content="post", file=discord.File(io.BytesIO(b"x"), "edition.md"))
    await sent.add_reaction("📌")
    await sent.pin()
    assert [m async for m in channel.history(limit=200)]
    assert [m async for m in channel.pins()]
    tree = app_commands.CommandTree(discord_client)
    tree.command(name="tag", description="Tag a message")(_nothing)
    await tree.sync()
    assert len(discord_server.requests) > 12
    assert schema.problems_of(discord_server.requests) == []


async def _nothing(interaction: discord.Interaction) -> None:
    """A command."""


@pytest.mark.parametrize(
    ("method", "path", "body", "problem"),
    [
        ("POST", "/channels/1/messages", {"content": 5}, "5 is not"),
        ("POST", "/channels/1/messages", {"content": "x", "allowed_mentions": {"parse": ["nobody"]}}, "nobody"),
        ("POST", "/channels/1/letters", {"content": "x"}, "no such operation"),
        ("POST", "/channels/1/messages/2/threads", None, "a body is required"),
    ],
)
def test_what_discord_does_not_describe_is_named(schema, method, path, body, problem):
    [found] = schema.problems(Record(method, path, "", {}, body))
    assert problem in found
