"""Messages over the local Discord's REST API, with the real discord.py at the other end."""

from __future__ import annotations

import io
from datetime import timedelta

import discord
import pytest

from tests.discord_fixtures import CHANNEL_ID, GUILD_ID, MEMBER_ID

ADA = {"id": str(MEMBER_ID), "username": "ada"}


@pytest.fixture
def channel(discord_client):
    return discord_client.get_channel(CHANNEL_ID)


async def test_a_sent_message_stands_in_history_and_comes_over_the_gateway(discord_server, discord_client, channel):
    sent = await channel.send("  hello  ")
    assert sent.content == "hello"
    await discord_server.settle()
    assert [m.id for m in discord_client.of("message")] == [sent.id]
    [stored] = [m async for m in channel.history()]
    assert (stored.content, stored.author.id) == ("hello", discord_client.user.id)
    assert stored.nonce is None


async def test_history_comes_in_pages_of_at_most_a_hundred_newest_first(discord_server, channel):
    ids = [int(discord_server.world.create_message(CHANNEL_ID, author=ADA, content=str(n))["id"]) for n in range(250)]
    read = [m.id async for m in channel.history(limit=None)]
    assert read == ids[::-1]
    pages = [r for r in discord_server.requests if r.path.endswith("/messages")]
    assert [r.query["limit"] for r in pages] == ["100", "100", "100"]
    after = [m.id async for m in channel.history(limit=None, after=discord.Object(ids[9]))]
    assert after == ids[10:]
    around = [m.id async for m in channel.history(limit=5, around=discord.Object(ids[100]))]
    assert sorted(around) == ids[98:103]
    with pytest.raises(discord.HTTPException):
        await discord_server_page(channel, limit=101)


async def discord_server_page(channel, *, limit):
    return await channel._state.http.logs_from(channel.id, limit)


async def test_a_nonce_returns_the_message_already_made_but_only_for_some_minutes(discord_server, clock, channel):
    first = await channel.send("part 1", nonce="abc")
    again = await channel.send("part 1", nonce="abc")
    assert again.id == first.id
    clock.set(clock.now() + timedelta(minutes=6))
    later = await channel.send("part 1", nonce="abc")
    assert later.id != first.id
    assert [w.message_id for w in discord_server.written] == [first.id, later.id]


async def test_files_and_their_payload_are_taken(discord_server, channel):
    sent = await channel.send("with a file", file=discord.File(io.BytesIO(b"# Digest"), "edition.md"))
    assert [(a.filename, a.size) for a in sent.attachments] == [("edition.md", 8)]
    assert discord_server.written[0].to_json() == {
        "channel_id": str(CHANNEL_ID),
        "channel": "general",
        "thread": None,
        "message_id": str(sent.id),
        "payload": discord_server.written[0].payload,
        "files": ["edition.md"],
    }
    assert discord_server.written[0].payload["content"] == "with a file"


async def test_a_failure_after_the_message_was_stored_leaves_one_copy(discord_server, channel):
    discord_server.faults.fail(504, method="POST", path=f"/channels/{CHANNEL_ID}/messages", stored=True)
    await channel.send("part 1", nonce="abc")
    assert len([m async for m in channel.history()]) == 1
    posts = [r for r in discord_server.requests if r.method == "POST"]
    assert [(r.status, r.accepted) for r in posts] == [(504, True), (200, True)]


async def test_what_discord_refuses_is_refused(channel):
    refusals = []
    for arguments in (
        {"content": "x" * 2001},
        {"content": "   "},
        {"embeds": [discord.Embed(description="x" * 3500), discord.Embed(description="y" * 3500)]},
        {"content": "x", "nonce": "n" * 26},
    ):
        with pytest.raises(discord.HTTPException) as refused:
            await channel.send(**arguments)
        refusals.append((refused.value.status, refused.value.code))
    assert refusals == [(400, 50035), (400, 50006), (400, 50035), (400, 50035)]


async def test_edits_deletions_and_reactions_are_heard(discord_server, discord_client, channel):
    world = discord_server.world
    sent = await channel.send("first")
    await sent.edit(content="second")
    await sent.add_reaction("📌")
    world.add_reaction(CHANNEL_ID, sent.id, "blob:4242", MEMBER_ID)
    await discord_server.settle()
    assert discord_client.of("raw_message_edit")[0].data["edited_timestamp"] == "2026-08-31T09:00:00.000000+00:00"
    assert [(str(r.emoji), r.user_id) for r in discord_client.of("raw_reaction_add")] == [
        ("📌", discord_client.user.id),
        ("<:blob:4242>", MEMBER_ID),
    ]
    fetched = await channel.fetch_message(sent.id)
    assert fetched.content == "second"
    assert [(str(r.emoji), r.count, r.me) for r in fetched.reactions] == [("📌", 1, True), ("<:blob:4242>", 1, False)]
    assert [user.id async for user in fetched.reactions[1].users()] == [MEMBER_ID]
    await sent.delete()
    await discord_server.settle()
    assert [d.message_id for d in discord_client.of("raw_message_delete")] == [sent.id]
    with pytest.raises(discord.NotFound) as missing:
        await channel.fetch_message(sent.id)
    assert missing.value.code == 10008


async def test_link_previews_stay_suppressed_as_long_as_the_flag_is_sent(channel):
    sent = await channel.send("https://example.org", suppress_embeds=True)
    assert (await channel.fetch_message(sent.id)).flags.suppress_embeds
    await sent.edit(content="https://example.org/2", suppress=True)
    assert (await channel.fetch_message(sent.id)).flags.suppress_embeds
    await sent.edit(content="https://example.org/3")  # discord.py sends flags without it unless told otherwise
    assert not (await channel.fetch_message(sent.id)).flags.suppress_embeds


async def test_only_permitted_mentions_are_made(discord_server, channel):
    text = f"<@{MEMBER_ID}> @everyone"
    assert (await channel.send(text, allowed_mentions=discord.AllowedMentions.none())).mentions == []
    pinged = await channel.send(text, allowed_mentions=discord.AllowedMentions(everyone=False, users=True))
    assert ([m.id for m in pinged.mentions], pinged.mention_everyone) == ([MEMBER_ID], False)


async def test_permissions_decide_what_the_bot_may(discord_server, discord_client, channel):
    world = discord_server.world
    bot_role = next(role for role in world.guild(GUILD_ID).roles.values() if role["managed"])
    deny = lambda bit: [{"id": bot_role["id"], "type": 0, "allow": "0", "deny": str(bit)}]  # noqa: E731
    world.update_channel(CHANNEL_ID, permission_overwrites=deny(1 << 11))
    with pytest.raises(discord.Forbidden) as refused:
        await channel.send("hello")
    assert refused.value.code == 50013
    world.update_channel(CHANNEL_ID, permission_overwrites=deny(1 << 10))
    with pytest.raises(discord.Forbidden) as refused:
        [m async for m in channel.history()]
    assert refused.value.code == 50001
    world.create_message(CHANNEL_ID, author=ADA, content="among ourselves")
    await discord_server.settle()
    assert discord_client.of("message") == []
