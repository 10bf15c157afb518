"""What discord.py sends to the local Discord, held against Discord's own description of its API."""

from __future__ import annotations

import io

import aiohttp
import discord
import pytest
from discord import app_commands

from bot.replay.discord_record import Record
from tests.discord_fixtures import CHANNEL_ID, GUILD_ID, MEMBER_ID
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


async def test_what_the_server_answers_is_described_by_discord(discord_server, schema):
    world = discord_server.world
    world.create_channel(GUILD_ID, id=210, type=15, name="ideas")
    world.set_scheduled_event(GUILD_ID, name="Office hours", scheduled_start_time="2026-09-02T16:00:00+00:00")
    first = world.create_message(CHANNEL_ID, author={"id": MEMBER_ID}, content="hello", pinned=True)
    reference = {"type": 0, "message_id": first["id"], "channel_id": str(CHANNEL_ID), "guild_id": str(GUILD_ID)}
    world.create_message(CHANNEL_ID, author={"id": MEMBER_ID}, content="again", type=19, message_reference=reference)
    world.add_reaction(CHANNEL_ID, int(first["id"]), "📌", MEMBER_ID)
    guild, channel = f"/guilds/{GUILD_ID}", f"/channels/{CHANNEL_ID}"
    asked = [("GET", path, None) for path in ("/users/@me", f"/users/{MEMBER_ID}", "/gateway/bot", "/applications/@me")]
    listed = ("", "/channels", "/roles", "/members", f"/members/{MEMBER_ID}", "/threads/active", "/scheduled-events")
    asked += [("GET", guild + path, None) for path in listed]
    held = ("", "/messages", f"/messages/{first['id']}", "/messages/pins", "/threads/archived/public")
    asked += [("GET", channel + path, None) for path in held]
    asked += [
        ("POST", f"{channel}/messages", {"content": "hello", "embeds": [{"title": "A title"}]}),
        ("POST", f"{channel}/messages/{first['id']}/threads", {"name": "talk"}),
        ("POST", "/channels/210/threads", {"name": "An idea", "message": {"content": "why not"}}),
        ("PUT", f"/applications/{world.bot_id}/commands", [{"name": "tag", "description": "Tag", "type": 1}]),
    ]
    problems = []
    async with aiohttp.ClientSession(headers={"Authorization": f"Bot {discord_server.token}"}) as session:
        for method, path, body in asked:
            async with session.request(method, discord_server.api_url + path, json=body) as answer:
                problems += schema.answer_problems(method, path, answer.status, await answer.json())
    assert problems == []


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
