"""What the bot may see decides what is recorded, and what it may not see is named and never taken for silence."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.model.clock import ManualClock
from bot.model.guilds import CONNECT, READ_MESSAGE_HISTORY, VIEW_CHANNEL
from bot.model.settings import parse_settings
from bot.replay.discord_server import DiscordServer
from bot.store import coverage, guilds
from bot.store.engine import Store
from tests.bot.capture.test_gaps import reconnected, talk
from tests.capture_fixtures import assert_complete, recording, stored_messages
from tests.discord_fixtures import CHANNEL_ID, GUILD_ID

HOUR = timedelta(hours=1)


def own(server: DiscordServer, *, allow: int = 0, deny: int = 0) -> dict[str, object]:
    """A permission overwrite of the bot's own."""
    return {"id": str(server.world.bot_id), "type": 1, "allow": str(allow), "deny": str(deny)}


async def unreadable(store: Store) -> dict[str, str | None]:
    async with store.read() as connection:
        return {each.name: each.unreadable for each in (await guilds.channels_of(connection, GUILD_ID)).values()}


async def test_history_that_may_not_be_read_is_a_gap_and_nothing_stored_is_taken_for_deleted(
    discord_server: DiscordServer, sqlite_store: Store, clock: ManualClock
) -> None:
    world = discord_server.world
    world.update_channel(CHANNEL_ID, permission_overwrites=[own(discord_server, deny=READ_MESSAGE_HISTORY)])
    async with recording(discord_server, sqlite_store, clock) as running:
        heard = talk(discord_server, clock, 5)
        clock.set(clock.now() + HOUR)
        await running.settle()
        discord_server.gateway.go_away()
        clock.set(clock.now() + HOUR)
        talk(discord_server, clock, 3)
        discord_server.gateway.come_back()
        await reconnected(running)
        await running.read_back.refresh_messages(heard)
        assert sorted(await stored_messages(sqlite_store)) == heard
        assert "Missing Permissions" in ((await unreadable(sqlite_store))["general"] or "")
        async with sqlite_store.read() as connection:
            gaps = await coverage.gaps_of(connection, GUILD_ID, clock.now() - HOUR, clock.now())
        assert [gap.recovered_at for gap in gaps] == [None]
        world.update_channel(CHANNEL_ID, permission_overwrites=[])
        running.recorder.intake.guilds.to_read.add(GUILD_ID)
        running.recorder.on_work()
        await running.settle()
        assert await assert_complete(sqlite_store, discord_server) == 8
        assert (await unreadable(sqlite_store))["general"] is None


@pytest.mark.parametrize("kind", [0, 15], ids=["text", "forum"])
async def test_a_chosen_channel_that_the_bot_is_not_shown_is_named_until_it_is(
    discord_server: DiscordServer, sqlite_store: Store, clock: ManualClock, kind: int
) -> None:
    world = discord_server.world
    denied = [own(discord_server, deny=VIEW_CHANNEL)]
    other = int(world.create_channel(GUILD_ID, name="other", type=kind, permission_overwrites=denied)["id"])
    async with recording(discord_server, sqlite_store, clock) as running:
        assert await unreadable(sqlite_store) == {"general": None, "other": "Missing Access"}
        world.update_channel(other, permission_overwrites=[])
        await running.settle()
        running.recorder.intake.guilds.to_list.add(GUILD_ID)
        running.recorder.intake.guilds.to_read.add(GUILD_ID)
        running.recorder.on_work()
        await running.settle()
        assert await unreadable(sqlite_store) == {"general": None, "other": None}


async def test_a_voice_channel_that_nobody_may_enter_is_not_missed(
    discord_server: DiscordServer, sqlite_store: Store, clock: ManualClock
) -> None:
    locked = [{"id": str(GUILD_ID), "type": 0, "allow": "0", "deny": str(CONNECT)}]
    discord_server.world.create_channel(GUILD_ID, name="Members: 42", type=2, permission_overwrites=locked)
    async with recording(discord_server, sqlite_store, clock):
        assert await unreadable(sqlite_store) == {"general": None, "Members: 42": None}


async def test_a_closed_channel_to_which_the_bot_itself_was_added_is_recorded(
    discord_server: DiscordServer, sqlite_store: Store, clock: ManualClock
) -> None:
    closed = {"id": str(GUILD_ID), "type": 0, "allow": "0", "deny": str(VIEW_CHANNEL)}
    added = own(discord_server, allow=VIEW_CHANNEL)
    staff = discord_server.world.create_channel(GUILD_ID, name="staff", permission_overwrites=[closed, added])
    talk(discord_server, clock, 2, channel_id=int(staff["id"]))
    settings = parse_settings('[channels]\ninclude = ["staff"]\n')
    async with sqlite_store.write() as connection:
        await guilds.store_settings(connection, GUILD_ID, settings, at=clock.now())
    async with recording(discord_server, sqlite_store, clock) as running:
        talk(discord_server, clock, 3, channel_id=int(staff["id"]))
        await running.settle()
        assert await assert_complete(sqlite_store, discord_server, int(staff["id"])) == 5


async def test_a_role_that_the_bot_is_given_opens_channels_at_once(
    discord_server: DiscordServer, sqlite_store: Store, clock: ManualClock
) -> None:
    world = discord_server.world
    role = str(world.create_role(GUILD_ID, name="reader", permissions="0")["id"])
    closed = {"id": str(GUILD_ID), "type": 0, "allow": "0", "deny": str(VIEW_CHANNEL)}
    opened = {"id": role, "type": 0, "allow": str(VIEW_CHANNEL), "deny": "0"}
    staff = int(world.create_channel(GUILD_ID, name="staff", permission_overwrites=[closed, opened])["id"])
    forum = int(world.create_channel(GUILD_ID, name="ideas", type=15, permission_overwrites=[closed, opened])["id"])
    post = int(world.create_thread(forum, name="An idea", owner_id=300)["id"])
    talk(discord_server, clock, 2, channel_id=staff)
    talk(discord_server, clock, 2, channel_id=post)
    world.set_archived(post, True)
    clock.set(clock.now() + HOUR)
    settings = parse_settings('[channels]\ninclude = ["staff", "ideas"]\n')
    async with sqlite_store.write() as connection:
        await guilds.store_settings(connection, GUILD_ID, settings, at=clock.now())
    async with recording(discord_server, sqlite_store, clock) as running:
        assert await stored_messages(sqlite_store) == {}
        given = [*world.guild(GUILD_ID).members[world.bot_id]["roles"], role]
        world.update_member(GUILD_ID, world.bot_id, roles=given)
        await running.settle()
        assert await assert_complete(sqlite_store, discord_server, staff, post) == 4
