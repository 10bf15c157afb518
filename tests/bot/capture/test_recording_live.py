"""What happens while the bot is connected is stored as it stands."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from bot.model.clock import ManualClock
from bot.model.messages import Speaker
from bot.model.settings import parse_settings
from bot.replay.discord_server import DiscordServer
from bot.store import guilds, members
from bot.store.engine import Store
from tests.capture_fixtures import (
    ADA,
    BOB,
    Running,
    assert_complete,
    recording,
    references_of,
    stored_messages,
)
from tests.discord_fixtures import CHANNEL_ID, GUILD_ID


@pytest.fixture
async def running(discord_server: DiscordServer, sqlite_store: Store, clock: ManualClock) -> AsyncIterator[Running]:
    settings = parse_settings('[github]\nrepositories = ["o/r"]\n[channels]\nwelcome = "welcome"\n')
    async with sqlite_store.write() as connection:
        await guilds.store_settings(connection, GUILD_ID, settings, at=clock.now())
    discord_server.world.create_channel(GUILD_ID, id=201, name="welcome")
    async with recording(discord_server, sqlite_store, clock) as opened:
        yield opened


async def test_an_edit_replaces_text_and_references(running: Running) -> None:
    world, store = running.server.world, running.recorder.store
    made = int(world.create_message(CHANNEL_ID, author=ADA, content="fixes #12")["id"])
    await running.settle()
    assert await references_of(store, made) == {"o/r#12"}
    world.edit_message(CHANNEL_ID, made, content="fixes #21")
    await running.settle()
    assert await references_of(store, made) == {"o/r#21"}
    assert (await stored_messages(store))[made].edited_at is not None


async def test_an_edit_that_is_told_without_its_text_is_looked_up(running: Running) -> None:
    world, store = running.server.world, running.recorder.store
    made = int(world.create_message(CHANNEL_ID, author=ADA, content="fixes #12")["id"])
    await running.settle()
    edited_at = "2030-05-06T12:00:00+00:00"
    world.message(CHANNEL_ID, made).update(content="fixes #21", edited_timestamp=edited_at)
    told = {"id": str(made), "channel_id": str(CHANNEL_ID), "guild_id": str(GUILD_ID), "edited_timestamp": edited_at}
    await running.recorder.feed("MESSAGE_UPDATE", told)
    await running.settle()
    assert (await stored_messages(store))[made].content == "fixes #21"


async def test_a_pin_and_a_link_preview_are_no_edits(running: Running) -> None:
    world, store = running.server.world, running.recorder.store
    made = int(world.create_message(CHANNEL_ID, author=ADA, content="see https://example.org/x")["id"])
    world.pin(CHANNEL_ID, made)
    world.update_embeds(CHANNEL_ID, made, [{"type": "link", "url": "https://example.org/x", "title": "A title"}])
    await running.settle()
    message = (await stored_messages(store))[made]
    assert message.edited_at is None
    assert message.pinned
    assert message.content == "see https://example.org/x"
    assert [(preview.url, preview.title) for preview in message.previews] == [("https://example.org/x", "A title")]


async def test_deletions_one_by_one_in_bulk_and_of_a_whole_channel(running: Running) -> None:
    world, store = running.server.world, running.recorder.store
    other = int(world.create_channel(GUILD_ID, name="short-lived")["id"])
    thread = int(world.create_thread(other, name="in it", owner_id=300)["id"])
    for channel_id in (CHANNEL_ID, other, thread):
        for number in range(6):
            world.create_message(channel_id, author=ADA, content=f"{number} #{number + 1}")
    await running.settle()
    assert await assert_complete(store, running.server) == 18
    ids = list(world.channels[CHANNEL_ID].order)
    world.delete_message(CHANNEL_ID, ids[0])
    world.delete_messages(CHANNEL_ID, ids[1:4])
    world.delete_channel(other)
    await running.settle()
    assert await assert_complete(store, running.server) == 2
    assert await references_of(store, ids[0]) == set()


async def test_threads_forum_posts_and_voice_chats_are_recorded(running: Running) -> None:
    world, store = running.server.world, running.recorder.store
    forum = int(world.create_channel(GUILD_ID, name="ideas", type=15)["id"])
    voice = int(world.create_channel(GUILD_ID, name="Lounge", type=2)["id"])
    post = int(world.create_thread(forum, name="An idea", owner_id=300)["id"])
    starter = int(world.create_message(CHANNEL_ID, author=ADA, content="let us talk")["id"])
    thread = int(world.create_thread(CHANNEL_ID, message_id=starter, name="talk", owner_id=300)["id"])
    for channel_id in (post, voice, thread):
        world.create_message(channel_id, author=BOB, content="here too")
    await running.settle()
    assert await assert_complete(store, running.server) == 4


async def test_what_the_audience_cannot_read_is_not_stored_at_all(running: Running) -> None:
    world, store = running.server.world, running.recorder.store
    hidden = [{"id": str(GUILD_ID), "type": 0, "allow": "0", "deny": str(1 << 10)}]
    own = [{"id": str(world.bot_id), "type": 1, "allow": str(1 << 10), "deny": "0"}]
    secret = int(world.create_channel(GUILD_ID, name="staff", permission_overwrites=hidden + own)["id"])
    private = int(world.create_thread(CHANNEL_ID, name="aside", owner_id=300, type=12)["id"])
    world.join_thread(private, world.bot_id)
    for channel_id in (CHANNEL_ID, secret, private):
        world.create_message(channel_id, author=ADA, content="hello")
    await running.settle()
    assert {message.channel_id for message in (await stored_messages(store)).values()} == {CHANNEL_ID}


async def test_reactions_are_counted(running: Running) -> None:
    world, store = running.server.world, running.recorder.store
    made = int(world.create_message(CHANNEL_ID, author=ADA, content="good news")["id"])
    for user_id in (300, 301, 302):
        world.users.setdefault(user_id, {"id": str(user_id), "username": f"u{user_id}"})
        world.add_reaction(CHANNEL_ID, made, "🎉", user_id)
    world.add_reaction(CHANNEL_ID, made, "lobster:77", 300)
    world.remove_reaction(CHANNEL_ID, made, "🎉", 301)
    await running.settle()
    assert dict((await stored_messages(store))[made].reactions) == {"🎉": 2, "lobster:77": 1}
    world.clear_reactions(CHANNEL_ID, made, "🎉")
    await running.settle()
    message = (await stored_messages(store))[made]
    assert message.reactions == (("lobster:77", 1),)
    assert message.reaction_count == 1


async def test_reactions_are_told_to_who_listens(running: Running) -> None:
    heard = []

    async def listen(event: object) -> None:
        heard.append(event)

    running.recorder.on_reaction.append(listen)
    world = running.server.world
    made = int(world.create_message(CHANNEL_ID, author=ADA, content="worth telling")["id"])
    world.add_reaction(CHANNEL_ID, made, "📌", 300)
    world.remove_reaction(CHANNEL_ID, made, "📌", 300)
    await running.settle()
    assert [(e.message_id, e.user_id, e.emoji, e.added) for e in heard] == [
        (made, 300, "📌", True),
        (made, 300, "📌", False),
    ]
    assert heard[0].role_ids == ()


async def test_own_posts_bots_and_followed_announcements_are_not_the_communitys(running: Running) -> None:
    world, store = running.server.world, running.recorder.store
    hook = {"id": "9001", "username": "Other server #news", "bot": True}
    world.create_message(CHANNEL_ID, author=world.bot, content="last week: #1, #2")
    world.create_message(CHANNEL_ID, author={"id": "9002", "username": "helper", "bot": True}, content="beep #3")
    world.create_message(
        CHANNEL_ID,
        author=hook,
        content="we released #4",
        webhook_id="9001",
        flags=2,
        message_reference={"type": 0, "guild_id": "77", "channel_id": "78", "message_id": "79"},
    )
    await running.settle()
    stored = await stored_messages(store)
    assert [message.speaker for message in stored.values()] == [Speaker.SELF, Speaker.BOT, Speaker.FOLLOWED]
    assert not any(message.is_said for message in stored.values())
    for message_id in stored:
        assert await references_of(store, message_id) == set()


async def test_a_proxied_message_counts_once_for_the_person_behind_it(running: Running) -> None:
    world, store = running.server.world, running.recorder.store
    original = int(world.create_message(CHANNEL_ID, author=ADA, content="L: see #5")["id"])
    copy = int(
        world.create_message(
            CHANNEL_ID,
            author={"id": "9100", "username": "Luna", "bot": True},
            content="see #5",
            webhook_id="9100",
            application_id="9101",
        )["id"]
    )
    world.delete_message(CHANNEL_ID, original)
    await running.settle()
    stored = await stored_messages(store)
    assert [(m.message_id, m.speaker, m.author_id, m.author_name) for m in stored.values()] == [
        (copy, Speaker.PROXIED, 300, "Luna")
    ]
    assert await references_of(store, copy) == {"o/r#5"}
    world.edit_message(CHANNEL_ID, copy, content="see #6")
    world.pin(CHANNEL_ID, copy)
    await running.settle()
    await running.read_back.refresh_messages([copy])
    assert (await stored_messages(store))[copy].author_id == 300
    assert await references_of(store, copy) == {"o/r#6"}


async def test_a_forward_carries_the_text_it_forwards(running: Running) -> None:
    world, store = running.server.world, running.recorder.store
    made = int(
        world.create_message(
            CHANNEL_ID,
            author=ADA,
            content="",
            message_reference={"type": 1, "guild_id": "77", "channel_id": "78", "message_id": "79"},
            message_snapshots=[{"message": {"content": "big news in #6", "embeds": [], "attachments": [], "type": 0}}],
        )["id"]
    )
    await running.settle()
    message = (await stored_messages(store))[made]
    assert message.content == "big news in #6"
    assert message.forward is not None
    assert (message.forward.guild_id, message.forward.message_id) == (77, 79)
    assert message.reply_to_id is None


async def test_fifty_messages_without_any_text_are_an_error_and_not_a_quiet_week(running: Running) -> None:
    running.server.world.content_hidden = True
    for _ in range(49):
        running.server.world.create_message(CHANNEL_ID, author=ADA, content="hello there")
    await running.settle()
    assert running.recorder.problems == {}
    running.server.world.create_message(CHANNEL_ID, author=ADA, content="hello there")
    await running.settle()
    assert "Message Content Intent" in running.recorder.problems["empty messages"]


async def test_stickers_alone_are_no_sign_that_texts_are_withheld(running: Running) -> None:
    wave = [{"id": "749054660769218631", "name": "Wave", "format_type": 3}]
    for _ in range(60):
        running.server.world.create_message(CHANNEL_ID, author=ADA, content="", sticker_items=wave)
    await running.settle()
    assert running.recorder.problems == {}


async def test_once_texts_are_given_again_what_was_withheld_is_read_back(running: Running, clock: ManualClock) -> None:
    world = running.server.world
    clock.set(clock.now() + timedelta(hours=1))
    world.content_hidden = True
    for _ in range(60):
        clock.set(clock.now() + timedelta(seconds=1))
        world.create_message(CHANNEL_ID, author=ADA, content="hello there")
    await running.settle()
    clock.set(clock.now() + timedelta(hours=1))
    world.content_hidden = False
    running.server.gateway.forget_sessions()
    running.server.gateway.drop()
    await running.server.gateway.wait_ready()
    await running.settle()
    assert await assert_complete(running.recorder.store, running.server) == 60
    assert running.recorder.problems == {}


async def test_three_witnesses_of_a_join_are_one_join(running: Running, clock: ManualClock) -> None:
    world, store = running.server.world, running.recorder.store
    clock.set(clock.now() + timedelta(hours=1))
    joined_at = clock.now()
    world.add_member(GUILD_ID, BOB, joined_at=joined_at)
    clock.set(clock.now() + timedelta(milliseconds=400))
    world.create_message(201, author=BOB, type=7, content="")
    world.create_message(CHANNEL_ID, author=BOB, content="hi")
    await running.settle()
    running.recorder.intake.guilds.rosters_due.add(GUILD_ID)
    running.recorder.on_work()
    await running.settle()
    async with store.read() as connection:
        stays = (await members.stays_of(connection, GUILD_ID, [301]))[301]
    assert [stay.joined_at for stay in stays] == [joined_at]


async def test_who_leaves_and_comes_again_has_two_stays(running: Running, clock: ManualClock) -> None:
    world, store = running.server.world, running.recorder.store
    first = clock.now()
    world.add_member(GUILD_ID, BOB, joined_at=first)
    clock.set(first + timedelta(hours=1))
    world.remove_member(GUILD_ID, 301)
    await running.settle()
    clock.set(first + timedelta(hours=2))
    world.add_member(GUILD_ID, BOB, joined_at=clock.now())
    await running.settle()
    async with store.read() as connection:
        stays = (await members.stays_of(connection, GUILD_ID, [301]))[301]
    assert [(stay.joined_at, stay.left_at) for stay in stays] == [
        (first, first + timedelta(hours=1)),
        (first + timedelta(hours=2), None),
    ]


async def test_settings_changed_while_running_decide_what_is_recorded_from_now_on(running: Running) -> None:
    world, store = running.server.world, running.recorder.store
    settings = parse_settings('[channels]\nexclude = ["general"]\n')
    async with store.write() as connection:
        await guilds.store_settings(connection, GUILD_ID, settings, at=running.recorder.clock.now())
    await running.recorder.settings_changed(GUILD_ID)
    world.create_message(CHANNEL_ID, author=ADA, content="not for the record")
    world.create_message(201, author=ADA, content="for the record")
    await running.settle()
    assert [message.content for message in (await stored_messages(store)).values()] == ["for the record"]


async def test_messages_are_stored_once_when_events_come_twice(running: Running) -> None:
    running.server.gateway.duplicates = 40
    world = running.server.world
    for number in range(20):
        made = world.create_message(CHANNEL_ID, author=ADA, content=f"{number}")
        world.add_reaction(CHANNEL_ID, int(made["id"]), "🎉", 300)
    await running.settle()
    assert await assert_complete(running.recorder.store, running.server) == 20


async def test_reactions_before_an_edit_are_not_counted_again_by_it(running: Running) -> None:
    world, store = running.server.world, running.recorder.store
    made = int(world.create_message(CHANNEL_ID, author=ADA, content="good news")["id"])
    world.add_reaction(CHANNEL_ID, made, "🎉", 300)
    world.edit_message(CHANNEL_ID, made, content="very good news")
    await running.settle()
    assert dict((await stored_messages(store))[made].reactions) == {"🎉": 1}


async def test_a_webhook_that_says_a_deleted_word_much_later_is_no_proxy(running: Running, clock: ManualClock) -> None:
    world, store = running.server.world, running.recorder.store
    original = int(world.create_message(CHANNEL_ID, author=ADA, content="we deploy now")["id"])
    world.delete_message(CHANNEL_ID, original)
    await running.settle()
    clock.set(clock.now() + timedelta(hours=1))
    hook = {"id": "9001", "username": "deployments", "bot": True}
    posted = int(world.create_message(CHANNEL_ID, author=hook, content="deploy", webhook_id="9001")["id"])
    await running.settle()
    assert (await stored_messages(store))[posted].speaker is Speaker.WEBHOOK
