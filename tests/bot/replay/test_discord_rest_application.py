"""Guilds, users, commands and interactions at the local Discord, with the real discord.py at the other end."""

from __future__ import annotations

import discord
import pytest
from discord import app_commands

from tests.discord_fixtures import CHANNEL_ID, GUILD_ID, MEMBER_ID, Listener, connected


async def test_commands_are_synced_and_keep_their_ids(discord_server):
    client = Listener()
    tree = app_commands.CommandTree(client)

    @tree.command(description="Say hello")
    async def hello(interaction: discord.Interaction, name: str) -> None:
        await interaction.response.send_message(f"hello {name}", ephemeral=True)
        await interaction.followup.send("and good bye")
        await interaction.edit_original_response(content="hello again")

    async with connected(discord_server, client):
        first = await tree.sync()
        again = await tree.sync()
        assert [c.id for c in first] == [c.id for c in again] == [c.id for c in await tree.fetch_commands()]
        assert await tree.sync(guild=discord.Object(GUILD_ID)) == []
        data = {"id": first[0].id, "name": "hello", "type": 1, "options": [{"name": "name", "type": 3, "value": "ada"}]}
        token = discord_server.interact(data, guild_id=GUILD_ID, channel_id=CHANNEL_ID, user_id=MEMBER_ID)
        await discord_server.answered(token, 2)
        callback, follow_up = discord_server.answers(token)
        assert (callback["type"], follow_up["data"]["content"]) == (4, "and good bye")
        await discord_server.answered(token, 2, edits=1)
        assert callback["data"]["content"] == "hello again"


async def test_a_second_or_an_unexpected_answer_is_refused(discord_server, discord_client):
    token = discord_server.interact({}, guild_id=GUILD_ID, channel_id=CHANNEL_ID, user_id=MEMBER_ID, kind=99)
    route = discord.http.Route("POST", f"/interactions/1/{token}/callback")
    await discord_client.http.request(route, json={"type": 5})
    with pytest.raises(discord.HTTPException) as refused:
        await discord_client.http.request(route, json={"type": 5})
    assert refused.value.code == 40060
    with pytest.raises(discord.NotFound) as missing:
        await discord_client.http.request(discord.http.Route("POST", "/interactions/1/none/callback"), json={"type": 5})
    assert missing.value.code == 10062


async def test_command_names_are_lower_case(discord_client):
    with pytest.raises(discord.HTTPException) as refused:
        await discord_client.http.bulk_upsert_global_commands(
            discord_client.application_id, [{"name": "Hello", "type": 1, "description": "x"}]
        )
    assert refused.value.code == 50035


async def test_members_are_listed_only_with_the_members_intent(discord_server, discord_client):
    guild = await discord_client.fetch_guild(GUILD_ID)
    assert guild.approximate_member_count == 2
    assert (await guild.fetch_member(MEMBER_ID)).name == "ada"
    with pytest.raises(discord.NotFound) as missing:
        await guild.fetch_member(999)
    assert missing.value.code == 10013
    assert len([m async for m in discord_client.get_guild(GUILD_ID).fetch_members()]) == 2
    discord_server.world.withheld_intents = discord.Intents(members=True).value
    with pytest.raises(discord.Forbidden):
        [m async for m in discord_client.get_guild(GUILD_ID).fetch_members()]


async def test_scheduled_events_are_listed_and_heard_of(discord_server, discord_client):
    event = discord_server.world.set_scheduled_event(
        GUILD_ID, name="Office hours", scheduled_start_time="2026-09-02T16:00:00+00:00"
    )
    discord_server.world.set_scheduled_event(GUILD_ID, id=event["id"], name="Office hour")
    await discord_server.settle()
    [listed] = await discord_client.get_guild(GUILD_ID).fetch_scheduled_events()
    assert (listed.name, listed.id) == ("Office hour", int(event["id"]))
    heard = [name for name, _ in discord_client.heard if name.startswith("scheduled")]
    assert heard == ["scheduled_event_create", "scheduled_event_update"]


async def test_a_direct_message_reaches_its_user(discord_server, discord_client):
    user = await discord_client.fetch_user(MEMBER_ID)
    sent = await user.send("your digest did not come")
    assert isinstance(sent.channel, discord.DMChannel)
    assert (await user.create_dm()).id == sent.channel.id
    discord_server.world.closed_to_dms.add(MEMBER_ID)
    with pytest.raises(discord.Forbidden) as refused:
        await user.send("anybody there?")
    assert refused.value.code == 50007


async def test_a_wrong_token_is_refused(discord_server):
    client = Listener()
    with pytest.raises(discord.LoginFailure):
        await client.start("wrong")
    await client.close()


async def test_the_application_is_known_with_its_intents(discord_server, discord_client):
    discord_server.world.owner_id = MEMBER_ID
    info = await discord_client.application_info()
    assert info.owner.name == "ada"
    assert info.flags.gateway_message_content
