"""Channels, threads and forum posts over the local Discord's REST API, with the real discord.py at the other end."""

from __future__ import annotations

from datetime import timedelta

import discord
import pytest

from tests.discord_fixtures import CHANNEL_ID, GUILD_ID, MEMBER_ID

ADA = {"id": str(MEMBER_ID), "username": "ada"}
FORUM_ID, HIDDEN_ID = 210, 220


@pytest.fixture
def channel(discord_client):
    return discord_client.get_channel(CHANNEL_ID)


@pytest.fixture
async def forum(discord_server, discord_client):
    tags = [{"id": "7", "name": "digest"}]
    discord_server.world.create_channel(GUILD_ID, id=FORUM_ID, type=15, name="ideas", available_tags=tags)
    await discord_server.settle()
    return discord_client.get_channel(FORUM_ID)


async def test_a_thread_under_a_message_has_its_id_and_begins_with_a_reference_to_it(discord_server, channel):
    head = await channel.send("the digest")
    thread = await head.create_thread(name="Full summary")
    assert thread.id == head.id
    await thread.send("part 1")
    read = [m async for m in thread.history(oldest_first=True)]
    assert [(m.type, m.content) for m in read] == [
        (discord.MessageType.thread_starter_message, ""),
        (discord.MessageType.default, "part 1"),
    ]
    assert read[0].reference.resolved.content == "the digest"
    fetched = await channel.fetch_message(head.id)
    assert (fetched.flags.has_thread, fetched.thread.name) == (True, "Full summary")
    assert [(w.channel_id, w.channel, w.thread) for w in discord_server.written] == [
        (CHANNEL_ID, "general", None),
        (thread.id, "general", "Full summary"),
    ]
    with pytest.raises(discord.HTTPException) as refused:
        await head.create_thread(name="Again")
    assert refused.value.code == 160004


async def test_a_forum_post_is_a_thread_with_its_first_message_and_knows_no_nonce(discord_server, forum):
    posts = [
        await forum.create_thread(name="Digest", content="part 1", applied_tags=forum.available_tags) for _ in "ab"
    ]
    assert posts[0].thread.id == posts[0].message.id != posts[1].thread.id
    assert [tag.name for tag in posts[0].thread.applied_tags] == ["digest"]
    assert [w.payload["content"] for w in discord_server.written] == ["part 1", "part 1"]
    body = {"name": "Digest", "message": {"content": "part 2", "nonce": "n", "enforce_nonce": True}}
    route = discord.http.Route("POST", "/channels/{channel_id}/threads", channel_id=FORUM_ID)
    made = [await forum._state.http.request(route, json=body) for _ in "ab"]
    assert made[0]["id"] != made[1]["id"]


async def test_archived_threads_are_found_by_pages_and_a_message_opens_them_again(discord_server, clock, channel):
    world = discord_server.world
    ids = []
    for number in range(120):
        thread = world.create_thread(CHANNEL_ID, name=f"t{number}", owner_id=str(MEMBER_ID))
        ids.append(int(thread["id"]))
        clock.set(clock.now() + timedelta(minutes=1))
        world.set_archived(ids[-1], True)
    found = [thread.id async for thread in channel.archived_threads(limit=None)]
    assert found == ids[::-1]
    assert (await channel.guild.active_threads()) == []
    world.create_message(ids[5], author=ADA, content="one more thing")
    assert [t.id for t in await channel.guild.active_threads()] == [ids[5]]
    with pytest.raises(discord.HTTPException):
        world.set_archived(ids[6], True, locked=True)
        await channel._state.http.send_message(
            ids[6], params=discord.http.handle_message_parameters(content="too late")
        )


async def test_private_threads_are_seen_by_members_and_moderators_only(discord_server, discord_client, channel):
    world = discord_server.world
    role = next(r for r in world.guild(GUILD_ID).roles.values() if r["managed"])
    world.update_role(GUILD_ID, int(role["id"]), permissions=str(int(role["permissions"]) & ~(1 << 34)))
    thread_id = int(world.create_thread(CHANNEL_ID, name="secret", type=12, owner_id=str(MEMBER_ID))["id"])
    world.create_message(thread_id, author=ADA, content="psst")
    await discord_server.settle()
    assert (discord_client.of("message"), discord_client.of("thread_create")) == ([], [])
    with pytest.raises(discord.Forbidden):
        await discord_client.fetch_channel(thread_id)
    world.join_thread(thread_id, discord_client.user.id)
    world.create_message(thread_id, author=ADA, content="welcome")
    await discord_server.settle()
    assert [m.content for m in discord_client.of("message")] == ["welcome"]


async def test_a_deleted_channel_takes_its_threads_and_messages_along(discord_server, discord_client, channel):
    head = await channel.send("head")
    thread = await head.create_thread(name="talk")
    await discord_server.settle()
    discord_server.world.delete_channel(CHANNEL_ID)
    await discord_server.settle()
    heard = [event for event, _ in discord_client.heard if event.endswith("_delete")]
    assert heard == ["guild_channel_delete", "thread_delete", "raw_thread_delete"]
    for gone in (CHANNEL_ID, thread.id):
        with pytest.raises(discord.NotFound) as missing:
            await discord_client.fetch_channel(gone)
        assert missing.value.code == 10003


async def test_a_channel_that_becomes_visible_brings_its_threads(discord_server, discord_client):
    world = discord_server.world
    deny = [{"id": GUILD_ID, "type": 0, "allow": 0, "deny": 1 << 10}]
    world.create_channel(GUILD_ID, id=HIDDEN_ID, name="hidden", permission_overwrites=deny)
    thread = world.create_thread(HIDDEN_ID, name="inside", owner_id=str(MEMBER_ID))
    await discord_server.settle()
    assert list(discord_client.get_guild(GUILD_ID).threads) == []
    world.update_channel(HIDDEN_ID, permission_overwrites=[])
    await discord_server.settle()
    assert [t.id for t in discord_client.get_guild(GUILD_ID).threads] == [int(thread["id"])]


async def test_an_announcement_is_published_once(discord_server, discord_client):
    discord_server.world.create_channel(GUILD_ID, id=230, type=5, name="news")
    await discord_server.settle()
    sent = await discord_client.get_channel(230).send("news")
    await sent.publish()
    assert (await sent.fetch()).flags.crossposted
    with pytest.raises(discord.HTTPException) as refused:
        await sent.publish()
    assert refused.value.code == 40033


async def test_every_kind_of_channel_is_understood(discord_server, discord_client):
    for number, kind in enumerate((0, 2, 4, 5, 13, 15, 16)):
        discord_server.world.create_channel(GUILD_ID, id=400 + number, type=kind, name=f"kind-{kind}")
    discord_server.world.create_channel(GUILD_ID, id=499, type=99, name="of the future")
    await discord_server.settle()
    created = {channel.name for channel in discord_client.of("guild_channel_create")}
    assert created == {f"kind-{kind}" for kind in (0, 2, 4, 5, 13, 15, 16)}
    voice = discord_client.get_channel(401)
    assert (await voice.send("text in voice")).channel.id == 401
