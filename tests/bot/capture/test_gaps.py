"""Whatever happens to the connection, in the end the record is Discord's own history: nothing lost, nothing twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta

import pytest

from bot.capture import recorder
from bot.model.clock import ManualClock
from bot.model.settings import parse_settings
from bot.replay.discord_server import DiscordServer
from bot.store import coverage, guilds, members
from bot.store.engine import Store
from tests.capture_fixtures import (
    ADA,
    BOB,
    Running,
    assert_complete,
    recording,
    stored_messages,
)
from tests.discord_fixtures import CHANNEL_ID, GUILD_ID

MINUTE = timedelta(minutes=1)


def talk(server: DiscordServer, clock: ManualClock, count: int, *, channel_id: int = CHANNEL_ID) -> list[int]:
    """So many messages, a second apart."""
    made = []
    for number in range(count):
        clock.set(clock.now() + timedelta(seconds=1))
        text = f"message {number} #{number}"
        made.append(int(server.world.create_message(channel_id, author=ADA, content=text)["id"]))
    return made


async def reconnected(running: Running) -> None:
    """The bot is back, and what it missed is read."""
    await running.server.gateway.wait_ready()
    await running.settle()


async def unread(store: Store, channel_id: int, start: datetime, end: datetime) -> list[tuple[datetime, datetime]]:
    from bot.model.stretches import missing

    async with store.read() as connection:
        known = await coverage.coverage_of(connection, GUILD_ID)
    return missing(known.get(channel_id, []), start, end)


@pytest.fixture
async def running(discord_server: DiscordServer, sqlite_store: Store, clock: ManualClock) -> AsyncIterator[Running]:
    async with recording(discord_server, sqlite_store, clock) as opened:
        yield opened


async def test_a_dropped_socket_is_resumed_and_nothing_is_read_back(running: Running, clock: ManualClock) -> None:
    server, store = running.server, running.recorder.store
    talk(server, clock, 20)
    await running.settle()
    server.requests.clear()
    server.gateway.drop()
    talk(server, clock, 20)
    await reconnected(running)
    assert await assert_complete(store, server) == 40
    assert not [record for record in server.requests if record.path.endswith("/messages")]


async def test_what_is_being_recorded_while_reading_back_is_planned_is_no_gap(
    running: Running, clock: ManualClock
) -> None:
    """Nothing came for an hour, so the last that is known to be stored is an hour old; the session stands."""
    talk(running.server, clock, 3)
    await running.settle()
    running.server.requests.clear()
    start = clock.now()
    clock.set(start + timedelta(hours=1))
    await running.read_back.read_guild(GUILD_ID, listing=False)
    async with running.recorder.store.read() as connection:
        assert await coverage.gaps_of(connection, GUILD_ID, start - timedelta(days=1), clock.now()) == []
    assert not [record for record in running.server.requests if record.path.endswith("/messages")]


@pytest.mark.parametrize("fault", ["invalid session", "session forgotten", "asked to reconnect", "closed"])
async def test_whatever_ends_the_session_the_record_is_whole(running: Running, clock: ManualClock, fault: str) -> None:
    server, store = running.server, running.recorder.store
    talk(server, clock, 20)
    await running.settle()
    match fault:
        case "invalid session":
            server.gateway.invalidate()
        case "session forgotten":
            server.gateway.forget_sessions()
            server.gateway.drop()
        case "asked to reconnect":
            server.gateway.ask_to_reconnect()
        case "closed":
            await server.gateway.close_all(4000)
    talk(server, clock, 20)
    await reconnected(running)
    talk(server, clock, 5)
    await running.settle()
    assert await assert_complete(store, server) == 45


async def test_three_days_offline_are_read_back_with_everything_in_them(running: Running, clock: ManualClock) -> None:
    server, store = running.server, running.recorder.store
    world = server.world
    forum = int(world.create_channel(GUILD_ID, name="ideas", type=15)["id"])
    before = talk(server, clock, 40)
    await running.settle()
    left_at = clock.now()
    server.gateway.go_away()
    for _ in range(3):
        clock.set(clock.now() + timedelta(days=1))
        talk(server, clock, 120)
    archived = int(world.create_thread(forum, name="done", owner_id=300)["id"])
    active = int(world.create_thread(forum, name="going on", owner_id=300)["id"])
    talk(server, clock, 110, channel_id=archived)
    talk(server, clock, 3, channel_id=active)
    world.set_archived(archived, True)
    world.edit_message(CHANNEL_ID, before[3], content="changed while nobody listened")
    world.delete_message(CHANNEL_ID, before[4])
    world.add_reaction(CHANNEL_ID, before[5], "🎉", 300)
    server.gateway.come_back()
    await reconnected(running)
    count = await assert_complete(store, server)
    assert count == 40 - 1 + 360 + 113
    assert await unread(store, CHANNEL_ID, left_at - MINUTE, clock.now() - MINUTE) == []
    async with store.read() as connection:
        gaps = await coverage.gaps_of(connection, GUILD_ID, left_at, clock.now())
    assert gaps
    assert all(gap.recovered_at is not None for gap in gaps)
    print(f"three days offline: {count} messages of {count}, 0 lost, 0 twice")


async def test_live_events_go_on_while_reading_back(running: Running, clock: ManualClock) -> None:
    server, store = running.server, running.recorder.store
    talk(server, clock, 5)
    await running.settle()
    server.gateway.go_away()
    missed = talk(server, clock, 230)
    clock.set(clock.now() + 10 * MINUTE)
    held = server.faults.hold(method="GET", path=f"*/channels/{CHANNEL_ID}/messages")
    server.gateway.come_back()
    await server.gateway.wait_ready()
    await held.reached.wait()
    fresh = talk(server, clock, 30)
    server.world.edit_message(CHANNEL_ID, missed[0], content="edited while the page is on its way")
    server.world.delete_message(CHANNEL_ID, missed[1])
    server.world.add_reaction(CHANNEL_ID, missed[2], "🎉", 300)
    await server.settle()
    await running.recorder.drain()
    assert fresh[-1] in await stored_messages(store)
    held.release()
    await running.settle()
    assert await assert_complete(store, server) == 5 + 229 + 30


async def test_a_channel_that_cannot_be_read_is_named_and_the_others_are_read(
    discord_server: DiscordServer, sqlite_store: Store, clock: ManualClock
) -> None:
    world = discord_server.world
    second = int(world.create_channel(GUILD_ID, name="second")["id"])
    third = int(world.create_channel(GUILD_ID, name="third")["id"])
    for channel_id in (CHANNEL_ID, second, third):
        talk(discord_server, clock, 3, channel_id=channel_id)
    discord_server.faults.answer(
        403,
        {"message": "Missing Access", "code": 50001},
        method="GET",
        path=f"*/channels/{second}/messages",
        times=None,
    )
    async with recording(discord_server, sqlite_store, clock):
        assert await assert_complete_but(sqlite_store, discord_server, second) == 6
        async with sqlite_store.read() as connection:
            channels = await guilds.channels_of(connection, GUILD_ID)
    assert {channel.name: channel.unreadable for channel in channels.values()} == {
        "general": None,
        "second": "Missing Access",
        "third": None,
    }


async def assert_complete_but(store: Store, server: DiscordServer, channel_id: int) -> int:
    others = [each for each in server.world.channels if each != channel_id]
    return await assert_complete(store, server, *others)


async def test_more_than_one_page_is_read_to_the_end(
    discord_server: DiscordServer, sqlite_store: Store, clock: ManualClock
) -> None:
    talk(discord_server, clock, 250)
    async with recording(discord_server, sqlite_store, clock):
        assert await assert_complete(sqlite_store, discord_server) == 250
        pages = [record for record in discord_server.requests if record.path.endswith(f"/{CHANNEL_ID}/messages")]
    assert len(pages) == 3


async def test_a_block_without_any_word_of_its_length_is_waited_out(
    discord_server: DiscordServer, sqlite_store: Store, clock: ManualClock
) -> None:
    talk(discord_server, clock, 250)
    second = int(discord_server.world.create_channel(GUILD_ID, name="second")["id"])
    talk(discord_server, clock, 3, channel_id=second)
    discord_server.faults.block(method="GET", path=f"*/channels/{CHANNEL_ID}/messages", skip=1)
    opening = asyncio.create_task(_open_and_settle(discord_server, sqlite_store, clock))
    while clock.next_wake is None:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    assert len(await stored_messages(sqlite_store)) < 253
    assert clock.next_wake - clock.now() >= MINUTE
    while not opening.done():
        if (wake := clock.next_wake) is not None:
            clock.set(wake)
        await asyncio.sleep(0.01)
    assert opening.result() == 253


async def _open_and_settle(server: DiscordServer, store: Store, clock: ManualClock) -> int:
    async with recording(server, store, clock):
        return await assert_complete(store, server)


@pytest.mark.parametrize("everywhere", [False, True], ids=["of the route", "everywhere"])
async def test_rate_limits_and_broken_answers_are_overcome(
    discord_server: DiscordServer, sqlite_store: Store, clock: ManualClock, everywhere: bool
) -> None:
    talk(discord_server, clock, 250)
    path = f"*/channels/{CHANNEL_ID}/messages"
    discord_server.faults.rate_limit(0.05, everywhere=everywhere, method="GET", path=path)
    discord_server.faults.fail(502, method="GET", path=path, skip=1)
    async with recording(discord_server, sqlite_store, clock):
        assert await assert_complete(sqlite_store, discord_server) == 250


async def test_reading_back_goes_on_where_it_was_interrupted(
    discord_server: DiscordServer, sqlite_store: Store, clock: ManualClock
) -> None:
    talk(discord_server, clock, 350)
    path = f"*/channels/{CHANNEL_ID}/messages"
    held = discord_server.faults.hold(method="GET", path=path, skip=2)
    opening = asyncio.create_task(_open_and_settle(discord_server, sqlite_store, clock))
    await held.reached.wait()
    opening.cancel()
    await asyncio.gather(opening, return_exceptions=True)
    held.release()
    discord_server.faults.clear()
    assert len(await stored_messages(sqlite_store)) == 200
    discord_server.requests.clear()
    assert await _open_and_settle(discord_server, sqlite_store, clock) == 350
    asked = [record for record in discord_server.requests if record.path.endswith(f"/{CHANNEL_ID}/messages")]
    assert len(asked) < 6


async def test_members_who_came_and_went_meanwhile_are_found_once(running: Running, clock: ManualClock) -> None:
    server, store = running.server, running.recorder.store
    server.world.add_member(GUILD_ID, {"id": "310", "username": "leaver"}, joined_at=clock.now())
    clock.set(clock.now() + 5 * MINUTE)
    await running.settle()
    server.gateway.go_away()
    clock.set(clock.now() + timedelta(days=1))
    joined_at = clock.now()
    server.world.add_member(GUILD_ID, BOB, joined_at=joined_at)
    server.world.add_member(GUILD_ID, {"id": "9500", "username": "gadget", "bot": True}, joined_at=joined_at)
    server.world.remove_member(GUILD_ID, 310)
    clock.set(clock.now() + timedelta(hours=1))
    server.gateway.come_back()
    await reconnected(running)
    async with store.read() as connection:
        stays = await members.stays_of(connection, GUILD_ID, [301, 310, 9500])
    assert [stay.joined_at for stay in stays[301]] == [joined_at]
    assert stays[310][0].left_at is not None
    assert stays[9500][0].bot


async def test_ready_again_and_again_syncs_the_commands_once_and_records_once(
    running: Running, clock: ManualClock
) -> None:
    server, store = running.server, running.recorder.store
    for _ in range(3):
        server.gateway.forget_sessions()
        server.gateway.drop()
        talk(server, clock, 4)
        await reconnected(running)
    assert await assert_complete(store, server) == 12
    assert len([record for record in server.requests if record.path.endswith("/commands")]) <= 1


async def test_quoted_messages_are_read_again_when_asked(running: Running, clock: ManualClock) -> None:
    server, store = running.server, running.recorder.store
    made = talk(server, clock, 10)
    await running.settle()
    channel = server.world.channels[CHANNEL_ID]
    channel.messages[made[1]]["content"] = "changed, and the event was lost"
    channel.remove(made[2])
    clock.set(clock.now() + MINUTE)
    await running.read_back.refresh_messages([made[1], made[2], made[7]])
    assert await assert_complete(store, server) == 9


async def test_a_thread_that_was_deleted_meanwhile_is_gone_with_all_that_was_said_in_it(
    running: Running, clock: ManualClock
) -> None:
    server, store = running.server, running.recorder.store
    thread = int(server.world.create_thread(CHANNEL_ID, name="short-lived", owner_id=300)["id"])
    talk(server, clock, 3, channel_id=thread)
    talk(server, clock, 2)
    await running.settle()
    server.gateway.go_away()
    clock.set(clock.now() + 10 * MINUTE)
    server.world.delete_channel(thread)
    server.gateway.come_back()
    await reconnected(running)
    assert await assert_complete(store, server) == 2


async def test_a_message_to_be_quoted_is_gone_where_its_thread_is(running: Running, clock: ManualClock) -> None:
    server, store = running.server, running.recorder.store
    thread = int(server.world.create_thread(CHANNEL_ID, name="short-lived", owner_id=300)["id"])
    made = talk(server, clock, 3, channel_id=thread)
    await running.settle()
    del server.world.channels[thread]  # and the event was lost
    await running.read_back.refresh_messages(made)
    assert await stored_messages(store) == {}


async def test_a_wrong_address_before_discord_deletes_nothing(running: Running, clock: ManualClock) -> None:
    server, store = running.server, running.recorder.store
    made = talk(server, clock, 3)
    await running.settle()
    server.faults.answer(404, "<html>no such page</html>", method="GET", path="*/messages", times=None)
    await running.read_back.refresh_messages(made)
    assert await assert_complete(store, server) == 3


async def test_what_was_said_before_a_channel_was_chosen_is_read_back(
    discord_server: DiscordServer, sqlite_store: Store, clock: ManualClock
) -> None:
    other = int(discord_server.world.create_channel(GUILD_ID, name="other")["id"])
    talk(discord_server, clock, 1, channel_id=other)
    clock.set(clock.now() + timedelta(days=40))
    settings = parse_settings('[channels]\nexclude = ["other"]\n')
    async with sqlite_store.write() as connection:
        await guilds.store_settings(connection, GUILD_ID, settings, at=clock.now())
    async with recording(discord_server, sqlite_store, clock) as running:
        said = talk(discord_server, clock, 3, channel_id=other)
        await running.settle()
        clock.set(clock.now() + 10 * MINUTE)
        async with sqlite_store.write() as connection:
            await guilds.store_settings(connection, GUILD_ID, parse_settings(""), at=clock.now())
        await running.recorder.settings_changed(GUILD_ID)
        await running.settle()
        assert sorted(await stored_messages(sqlite_store)) == said


async def test_old_threads_that_nobody_used_meanwhile_cost_no_request(
    discord_server: DiscordServer, sqlite_store: Store, clock: ManualClock
) -> None:
    world = discord_server.world
    for number in range(20):
        thread = int(world.create_thread(CHANNEL_ID, name=f"talk {number}", owner_id=300)["id"])
        talk(discord_server, clock, 1, channel_id=thread)
        world.set_archived(thread, True)
    async with recording(discord_server, sqlite_store, clock) as running:
        await running.settle()
    clock.set(clock.now() + timedelta(days=40))
    discord_server.requests.clear()
    async with recording(discord_server, sqlite_store, clock):
        pages = [record.path for record in discord_server.requests if record.path.endswith("/messages")]
        assert await assert_complete(sqlite_store, discord_server) == 20
    assert pages == [f"/channels/{CHANNEL_ID}/messages"]


async def test_a_backfill_finds_the_old_threads_of_a_forum(
    discord_server: DiscordServer, sqlite_store: Store, clock: ManualClock
) -> None:
    world, begin = discord_server.world, clock.now()
    forum = int(world.create_channel(GUILD_ID, name="ideas", type=15)["id"])
    post = int(world.create_thread(forum, name="an old idea", owner_id=300)["id"])
    talk(discord_server, clock, 3, channel_id=post)
    world.set_archived(post, True)
    talk(discord_server, clock, 2)
    clock.set(clock.now() + timedelta(days=70))
    async with recording(discord_server, sqlite_store, clock) as running:
        assert await stored_messages(sqlite_store) == {}
        places = await running.read_back.recorded_channels(GUILD_ID, since=begin, within=forum)
        assert places == [post]
        await running.read_back.backfill(GUILD_ID, post, begin, clock.now())
        assert await assert_complete(sqlite_store, discord_server, post) == 3
        assert await running.read_back.recorded_channels(GUILD_ID, since=begin) == [CHANNEL_ID, post]


async def test_a_message_of_the_history_that_makes_no_sense_is_named_and_the_others_are_read(
    discord_server: DiscordServer, sqlite_store: Store, clock: ManualClock
) -> None:
    said = talk(discord_server, clock, 150)
    discord_server.world.channels[CHANNEL_ID].messages[said[7]]["attachments"] = [None]
    async with recording(discord_server, sqlite_store, clock) as running:
        assert sorted(await stored_messages(sqlite_store)) == [each for each in said if each != said[7]]
        assert str(said[7]) in running.recorder.problems["message"]
        running.recorder.intake.guilds.to_read.add(GUILD_ID)
        running.recorder.on_work()
        await running.settle()
        async with sqlite_store.read() as connection:
            gaps = await coverage.gaps_of(connection, GUILD_ID, clock.now() - timedelta(hours=1), clock.now())
    assert [(gap.reason, gap.recovered_at) for gap in gaps] == [("not understood", None)]


async def test_a_thread_that_discord_does_not_tell_of_at_once_holds_nothing_up(
    running: Running, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder, "LOOKED_UP_WITHIN", 0.05)
    server, store = running.server, running.recorder.store
    thread = int(server.world.create_thread(CHANNEL_ID, name="unarchived by a message", owner_id=300)["id"])
    await running.settle()
    state = running.recorder.intake.guilds.states[GUILD_ID]
    del state.channels[thread]  # as one that was archived before the bot came
    state.choose()
    async with store.write() as connection:
        await coverage.end_live(connection, 0, at=clock.now(), channel_ids=[thread])
    held = server.faults.hold(method="GET", path=f"*/channels/{thread}")
    listing = server.faults.hold(method="GET", path="*/threads/active")
    talk(server, clock, 2, channel_id=thread)
    others = talk(server, clock, 2)
    await server.settle()
    await running.recorder.drain()
    assert sorted(await stored_messages(store)) == others
    held.release()
    listing.release()
    await running.settle()
    assert await assert_complete(store, server) == 4
    begun = clock.now()
    clock.set(begun + 10 * MINUTE)
    talk(server, clock, 1, channel_id=thread)
    await running.settle()
    assert await unread(store, thread, begun, clock.now()) == []
