"""The gateway of the local Discord, with the real discord.py at the other end."""

from __future__ import annotations

from tests.discord_fixtures import CHANNEL_ID, GUILD_ID, MEMBER_ID

ADA = {"id": str(MEMBER_ID), "username": "ada"}


async def test_a_client_gets_ready_and_hears_what_is_written(discord_server, discord_client):
    discord_server.world.create_message(CHANNEL_ID, author=ADA, content="hello")
    await discord_server.settle()
    [message] = discord_client.of("message")
    assert message.content == "hello"
    assert message.guild.id == GUILD_ID
    assert message.channel.name == "general"
    assert message.author.name == "ada"
    assert message.created_at == discord_server.world.clock.now()
