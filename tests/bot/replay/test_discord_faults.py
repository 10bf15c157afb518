"""The misfortunes that the local Discord can be told to have, with the real discord.py at the other end."""

from __future__ import annotations

import aiohttp
import discord
import pytest

from tests.discord_fixtures import CHANNEL_ID, GUILD_ID, connected

MESSAGES = f"/channels/{CHANNEL_ID}/messages"


@pytest.fixture
def channel(discord_client):
    return discord_client.get_channel(CHANNEL_ID)


def statuses(server, method: str = "GET", path: str = MESSAGES) -> list[int]:
    return [r.status for r in server.requests if (r.method, r.path) == (method, path)]


@pytest.mark.parametrize("everywhere", [False, True])
async def test_a_rate_limit_that_says_how_long_is_waited_for(discord_server, channel, everywhere):
    discord_server.faults.rate_limit(0.01, everywhere=everywhere, path=MESSAGES, times=2)
    assert [m async for m in channel.history()] == []
    assert statuses(discord_server) == [429, 429, 200]


async def test_a_rate_limit_without_headers_or_from_the_outside_is_an_error(discord_server, channel):
    discord_server.faults.rate_limit(headers=False, path=MESSAGES)
    discord_server.faults.block(path=MESSAGES)
    for _ in range(2):
        with pytest.raises(discord.HTTPException) as refused:
            [m async for m in channel.history()]
        assert (refused.value.status, "Retry-After" in refused.value.response.headers) == (429, False)
    assert [m async for m in channel.history()] == []


async def test_a_failure_before_anything_was_stored_leaves_nothing(discord_server, channel):
    discord_server.faults.fail(503, method="POST", path=MESSAGES)
    with pytest.raises(discord.DiscordServerError):
        await channel.send("lost")
    assert [m async for m in channel.history()] == []
    assert discord_server.written == []


@pytest.mark.parametrize("stored", [False, True])
async def test_a_connection_may_break_before_or_after_the_message_was_stored(discord_server, channel, stored):
    discord_server.faults.reset(method="POST", path=MESSAGES, stored=stored)
    with pytest.raises((aiohttp.ClientError, OSError)):
        await channel.send("perhaps")
    assert [m.content async for m in channel.history()] == ["perhaps"] * stored


async def test_a_fault_strikes_the_requests_that_it_was_ordered_for(discord_server, channel):
    fault = discord_server.faults.fail(
        503, method="POST", path=MESSAGES, skip=1, times=1, when=lambda record: record.body["content"] != "spared"
    )
    for content, succeeds in (("one", True), ("spared", True), ("two", False), ("three", True)):
        if succeeds:
            await channel.send(content)
        else:
            with pytest.raises(discord.DiscordServerError):
                await channel.send(content)
    assert fault.struck == 1


async def test_an_answer_may_be_held_back(discord_server, discord_client, channel):
    hold = discord_server.faults.hold(method="POST", path=MESSAGES, stored=True)
    sending = discord_client.loop.create_task(channel.send("slow"))
    await hold.reached.wait()
    assert [w.payload["content"] for w in discord_server.written] == ["slow"]
    assert not sending.done()
    hold.release()
    assert (await sending).content == "slow"


async def test_refused_connections_are_tried_again(discord_server, until):
    from tests.discord_fixtures import Listener

    async with connected(discord_server, Listener()) as client:
        discord_server.gateway.resumable = False
        discord_server.gateway.drop()
        await until(lambda: discord_server.gateway.identified == 2)
        await discord_server.settle()
        assert client.get_guild(GUILD_ID) is not None
