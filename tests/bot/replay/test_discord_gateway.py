"""The gateway of the local Discord, with the real discord.py at the other end."""

from __future__ import annotations

import discord
import pytest

from bot.replay.discord_server import DiscordServer
from tests.discord_fixtures import CHANNEL_ID, GUILD_ID, MEMBER_ID, Listener, connected

ADA = {"id": str(MEMBER_ID), "username": "ada"}


def write(server: DiscordServer, content: str) -> int:
    return int(server.world.create_message(CHANNEL_ID, author=ADA, content=content)["id"])


def contents(client: Listener) -> list[str]:
    return [message.content for message in client.of("message")]


async def test_a_client_gets_ready_and_hears_what_is_written(discord_server, discord_client):
    write(discord_server, "hello")
    await discord_server.settle()
    [message] = discord_client.of("message")
    assert message.content == "hello"
    assert message.guild.id == GUILD_ID
    assert message.channel.name == "general"
    assert message.author.joined_at.year == 2025
    assert message.created_at == discord_server.world.clock.now()


async def test_after_a_dropped_socket_resume_brings_what_was_missed(discord_server, discord_client, until):
    write(discord_server, "before")
    await discord_server.settle()
    discord_server.gateway.drop()
    write(discord_server, "meanwhile")
    await until(lambda: discord_server.gateway.resumed == 1)
    write(discord_server, "after")
    await discord_server.settle()
    assert contents(discord_client) == ["before", "meanwhile", "after"]
    assert discord_server.gateway.identified == 1


async def test_a_request_to_reconnect_loses_nothing(discord_server, discord_client, until):
    discord_server.gateway.ask_to_reconnect()
    write(discord_server, "meanwhile")
    await until(lambda: discord_server.gateway.resumed == 1)
    await discord_server.settle()
    assert contents(discord_client) == ["meanwhile"]


@pytest.mark.parametrize("resumable", [True, False])
async def test_an_invalid_session_is_resumed_or_begun_anew(discord_server, discord_client, until, resumable):
    gateway = discord_server.gateway
    gateway.invalidate(resumable=resumable)
    write(discord_server, "meanwhile")
    await until(lambda: (gateway.resumed if resumable else gateway.identified - 1) == 1)
    await discord_server.settle()
    assert contents(discord_client) == (["meanwhile"] if resumable else [])


async def test_a_new_session_without_replay_misses_what_happened_in_between(discord_server, discord_client, until):
    gateway = discord_server.gateway
    gateway.go_away()
    lost = write(discord_server, "meanwhile")
    gateway.come_back()
    await until(lambda: gateway.identified == 2)
    write(discord_server, "after")
    await discord_server.settle()
    assert contents(discord_client) == ["after"]
    history = [message.id async for message in discord_client.get_channel(CHANNEL_ID).history()]
    assert lost in history


async def test_nobody_gets_in_while_the_server_is_away(discord_server, discord_client, until):
    gateway = discord_server.gateway
    gateway.go_away()
    requests = len(discord_server.requests)
    asking = discord_client.loop.create_task(discord_client.fetch_channel(CHANNEL_ID))
    write(discord_server, "meanwhile")
    assert (gateway.connected, len(discord_server.requests)) == (0, requests)
    gateway.come_back()
    await gateway.wait_ready()
    assert (await asking).id == CHANNEL_ID


async def test_a_silent_connection_is_given_up_by_the_client_and_resumed(discord_server, until):
    discord_server.gateway.heartbeat_interval = 100
    async with connected(discord_server, Listener(heartbeat_timeout=0.3)) as client:
        discord_server.gateway.fall_silent()
        write(discord_server, "meanwhile")
        await until(lambda: discord_server.gateway.resumed == 1)
        await discord_server.settle()
        assert contents(client) == ["meanwhile"]


async def test_an_event_may_come_twice_or_never(discord_server, discord_client):
    discord_server.gateway.duplicates = 1
    write(discord_server, "twice")
    discord_server.gateway.lose = lambda event: event.name == "MESSAGE_CREATE"
    write(discord_server, "never")
    await discord_server.settle()
    assert contents(discord_client) == ["twice", "twice"]


async def test_a_withheld_privileged_intent_ends_the_connection(discord_server):
    discord_server.world.withheld_intents = discord.Intents(message_content=True).value
    with pytest.raises(discord.PrivilegedIntentsRequired):
        async with connected(discord_server, Listener()):
            pass


async def test_without_the_content_intent_texts_are_empty_save_own_ones_and_mentions(discord_server):
    intents = discord.Intents.all()
    intents.message_content = False
    async with connected(discord_server, Listener(intents=intents)) as client:
        write(discord_server, "a secret")
        discord_server.world.create_message(
            CHANNEL_ID, author=ADA, content="hi bot", mentions=[discord_server.world.bot]
        )
        await client.get_channel(CHANNEL_ID).send("my own")
        await discord_server.settle()
        assert contents(client) == ["", "hi bot", "my own"]


async def test_content_withheld_without_a_word_is_missing_in_history_too(discord_server, discord_client):
    discord_server.world.content_hidden = True
    write(discord_server, "a secret")
    await discord_server.settle()
    [stored] = [message async for message in discord_client.get_channel(CHANNEL_ID).history()]
    assert (contents(discord_client), stored.content) == ([""], "")


async def test_events_need_their_intent(discord_server):
    async with connected(discord_server, Listener(intents=discord.Intents(guilds=True))) as client:
        write(discord_server, "unheard")
        discord_server.world.add_member(GUILD_ID, {"id": "301", "username": "bob"})
        discord_server.world.create_channel(GUILD_ID, name="new")
        await discord_server.settle()
        heard = {event for event, _ in client.heard}
        assert "guild_channel_create" in heard
        assert not heard & {"message", "member_join"}


async def test_members_come_in_chunks_and_by_id(discord_server):
    for number in range(2500):
        discord_server.world.add_member(GUILD_ID, {"id": str(10_000 + number), "username": f"m{number}"})
    async with connected(discord_server, Listener()) as client:
        guild = client.get_guild(GUILD_ID)
        assert len(guild.members) == 2502
        assert [m.name for m in await guild.query_members(user_ids=[10_007, 99])] == ["m7"]
        assert {m.name async for m in guild.fetch_members()} == {m.name for m in guild.members}


async def test_chunks_that_never_come_leave_a_request_open(discord_server, discord_client):
    discord_server.gateway.chunks_come = False
    guild = discord_client.get_guild(GUILD_ID)
    asked = await discord_client._connection.chunk_guild(guild, wait=False)
    await discord_server.settle()
    assert not asked.done()


async def test_joins_leaves_and_updates_are_heard(discord_server, discord_client):
    world = discord_server.world
    world.add_member(GUILD_ID, {"id": "301", "username": "bob"}, pending=True)
    world.update_member(GUILD_ID, 301, pending=False)
    world.remove_member(GUILD_ID, 301)
    await discord_server.settle()
    heard = [event for event, _ in discord_client.heard if "member" in event]
    assert heard == ["member_join", "member_update", "member_remove", "raw_member_remove"]


async def test_each_shard_hears_of_its_own_guilds(clock):
    server = DiscordServer(clock, shards=2)
    for number in range(4):
        guild_id = (number + 1) << 22
        server.world.add_guild({"id": guild_id}, channels=[{"id": guild_id + 1, "name": "general"}])
    await server.start()
    with server.as_discord():
        async with connected(server, Listener()) as client:
            assert {guild.id >> 22: guild.shard_id for guild in client.guilds} == {1: 1, 2: 0, 3: 1, 4: 0}
            for number in range(4):
                server.world.create_message(((number + 1) << 22) + 1, author=ADA, content=str(number))
            await server.settle()
            assert sorted(contents(client)) == ["0", "1", "2", "3"]
    await server.close()


async def test_a_guild_in_an_outage_goes_and_comes_again(discord_server, discord_client):
    discord_server.world.set_unavailable(GUILD_ID)
    await discord_server.settle()
    with pytest.raises(discord.DiscordServerError):
        await discord_client.fetch_guild(GUILD_ID)
    discord_server.world.set_unavailable(GUILD_ID, False)
    await discord_server.settle()
    heard = [event for event, _ in discord_client.heard]
    assert heard.index("guild_unavailable") < len(heard) - heard[::-1].index("guild_available")
    assert (await discord_client.fetch_guild(GUILD_ID)).id == GUILD_ID


async def test_pins_and_late_link_previews_are_updates_without_a_time_of_editing(discord_server, discord_client):
    message_id = write(discord_server, "https://example.org")
    discord_server.world.pin(CHANNEL_ID, message_id)
    discord_server.world.update_message(CHANNEL_ID, message_id, embeds=[{"type": "link", "title": "Example"}])
    await discord_server.settle()
    edits = [raw.data for raw in discord_client.of("raw_message_edit")]
    assert [(e["pinned"], e["edited_timestamp"], e["content"]) for e in edits] == [
        (True, None, "https://example.org"),
        (True, None, "https://example.org"),
    ]
    pins = [pin.id async for pin in discord_client.get_channel(CHANNEL_ID).pins()]
    assert pins == [message_id]


async def test_bulk_deletion_and_cleared_reactions_are_heard(discord_server, discord_client):
    ids = [write(discord_server, str(number)) for number in range(3)]
    discord_server.world.add_reaction(CHANNEL_ID, ids[0], "📌", MEMBER_ID)
    discord_server.world.remove_reaction(CHANNEL_ID, ids[0], "📌", MEMBER_ID)
    discord_server.world.add_reaction(CHANNEL_ID, ids[0], "👀", MEMBER_ID)
    discord_server.world.clear_reactions(CHANNEL_ID, ids[0])
    discord_server.world.delete_messages(CHANNEL_ID, ids[1:])
    await discord_server.settle()
    heard = [event for event, _ in discord_client.heard if event.startswith("raw_")]
    assert heard == [
        "raw_reaction_add",
        "raw_reaction_remove",
        "raw_reaction_add",
        "raw_reaction_clear",
        "raw_bulk_message_delete",
    ]
    assert [message.id async for message in discord_client.get_channel(CHANNEL_ID).history()] == ids[:1]
