"""A recording played to the real discord.py, in the order in which it happened."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta

import discord
import pytest

from bot.errors import InputError
from bot.model.clock import ManualClock
from bot.model.snowflakes import first_id_at
from bot.replay.discord_recording import plan_without_recording, read_plan
from bot.replay.player import Player, stage
from tests.conftest import EXAMPLES
from tests.discord_fixtures import Listener, connected

START = datetime(2026, 3, 2, tzinfo=UTC)
END = START + timedelta(days=8)
GUILD, GENERAL, FORUM, ADA, BOB, CYD = "100", "200", "201", "301", "302", "303"


def at(days: float, minutes: float = 0) -> datetime:
    return START + timedelta(days=days, minutes=minutes)


def snowflake(instant: datetime, number: int = 1) -> str:
    return str(first_id_at(instant) + number)


def user(user_id: str, **fields) -> dict:
    return {"id": user_id, "username": f"user{user_id}", **fields}


def message(instant: datetime, content: str, *, channel: str = GENERAL, author: str = ADA, **fields) -> dict:
    return {
        "id": snowflake(instant),
        "channel_id": channel,
        "author": user(author),
        "content": content,
        "timestamp": instant.isoformat(),
        **fields,
    }


def member(user_id: str, joined: datetime, **fields) -> dict:
    return {"user": user(user_id, bot=fields.pop("bot", False)), "roles": [], "joined_at": joined.isoformat(), **fields}


def recording(**fields) -> dict:
    return {
        "guild": {"id": GUILD, "name": "Somewhere"},
        "captured": {"start": START.isoformat(), "end": END.isoformat()},
        "roles": [{"id": GUILD, "name": "@everyone", "permissions": "1071698660929"}],
        "channels": [{"id": GENERAL, "type": 0, "name": "general"}],
        "members": [member(ADA, at(-100)), member(BOB, at(-50))],
        "messages": [],
        **fields,
    }


class Stage:
    """A recording with a client that listens."""

    def __init__(self, server, client: Listener, player: Player) -> None:
        self.server, self.client, self.player = server, client, player

    def heard(self, *names: str) -> list[str]:
        return [name for name, _ in self.client.heard if name in names]


@pytest.fixture
async def open_stage(clock):
    """`await open_stage(recording)`: the stage with a client that is ready."""
    async with AsyncExitStack() as stack:

        async def start(recorded: dict, **options) -> Stage:
            clock = ManualClock(datetime(2016, 1, 1, tzinfo=UTC))
            plan = read_plan(recorded)
            server = stage(plan, clock)
            await server.start()
            stack.push_async_callback(server.close)
            stack.enter_context(server.as_discord())
            client = await stack.enter_async_context(connected(server, Listener()))
            return Stage(server, client, Player(plan, server, clock, **options))

        yield start


async def test_the_example_week_comes_out_as_it_was_recorded(open_stage):
    recorded = json.loads((EXAMPLES / "marin-2026-08-24" / "discord.json").read_text(encoding="utf-8"))
    start = datetime.fromisoformat(recorded["captured"]["start"])
    played = await open_stage(recorded)
    world = played.server.world
    await played.player.play()
    assert world.clock.now() == datetime.fromisoformat(recorded["captured"]["end"])
    for told in recorded["messages"]:
        shown = world.shown(int(told["channel_id"]), int(told["id"]))
        for field in ("content", "edited_timestamp", "pinned", "timestamp", "type"):
            assert shown[field] == told[field]
        assert ("thread" in shown) == (told["thread"] is not None)
        reactions = {r["emoji"]["name"]: r["count"] for r in shown.get("reactions", ())}
        assert reactions == {r["emoji"]["name"]: r["count"] for r in told["reactions"]}
    for deleted in recorded["deleted_messages"]:
        assert int(deleted["id"]) not in world.channels[int(deleted["channel_id"])].messages
    live = [m for m in recorded["messages"] + recorded["deleted_messages"] if m["timestamp"] >= start.isoformat()]
    assert Counter(m.id for m in played.client.of("message")) == Counter(int(m["id"]) for m in live)
    joins = [e for e in recorded["member_events"] if e["type"] == "GUILD_MEMBER_ADD"]
    assert len(played.client.of("member_join")) == sum(e["joined_at"] >= start.isoformat() for e in joins)
    members = {str(user_id): m["joined_at"] for user_id, m in world.guild(int(recorded["guild"]["id"])).members.items()}
    assert all(members[m["user"]["id"]] == m["joined_at"] for m in recorded["members"])


async def test_what_was_before_the_recording_is_history_and_the_rest_is_heard_in_order(open_stage):
    messages = [message(at(-1), "before"), message(at(1), "first"), message(at(2), "second")]
    played = await open_stage(recording(messages=messages))
    channel = played.client.get_channel(int(GENERAL))
    assert [m.content async for m in channel.history()] == ["before"]
    await played.player.play(at(1, 30))
    assert [m.content for m in played.client.of("message")] == ["first"]
    assert played.server.world.clock.now() == at(1, 30)
    await played.player.play()
    assert [m.content for m in played.client.of("message")] == ["first", "second"]
    assert [m.created_at for m in played.client.of("message")] == [at(1), at(2)]


async def test_an_edited_message_says_something_else_before_its_edit(open_stage):
    edited = message(at(1), "fixes #21", edited_timestamp=at(1, 5).isoformat())
    played = await open_stage(recording(messages=[edited]))
    await played.player.play(at(1, 4))
    assert [m.content for m in played.client.of("message")] == ["…"]
    await played.player.play()
    [edit] = played.client.of("raw_message_edit")
    assert (edit.message.content, edit.message.edited_at) == ("fixes #21", at(1, 5))


async def test_deletions_come_at_their_time_and_what_went_before_the_start_was_never_there(open_stage):
    gone = {**message(at(1), "oops"), "deleted_at": at(1, 9).isoformat()}
    long_gone = {**message(at(-2), "old"), "deleted_at": at(-1).isoformat()}
    played = await open_stage(recording(deleted_messages=[gone, long_gone]))
    await played.player.play(at(1, 8))
    channel = played.client.get_channel(int(GENERAL))
    assert [m.content async for m in channel.history()] == ["oops"]
    await played.player.play()
    assert [d.message_id for d in played.client.of("raw_message_delete")] == [int(gone["id"])]
    assert [m.content async for m in channel.history()] == []


async def test_members_come_and_go_as_the_events_say(open_stage):
    def event(kind: str, user_id: str, when: datetime) -> dict:
        key = "joined_at" if kind == "ADD" else "at"
        return {"type": f"GUILD_MEMBER_{kind}", "user": user(user_id), key: when.isoformat()}

    played = await open_stage(
        recording(
            members=[
                member(ADA, at(-100)),
                member(BOB, at(3)),
                member("305", at(4)),
                member("306", at(-1), pending=False),
            ],
            member_events=[
                event("REMOVE", BOB, at(2)),  # there at the start, as he leaves
                event("ADD", BOB, at(3)),
                event("ADD", CYD, at(1)),  # comes and goes
                event("REMOVE", CYD, at(1, 1)),
                event("ADD", "304", at(-3)),  # gone before the start
                event("REMOVE", "304", at(-2)),
            ],
            member_updates=[{"at": at(5).isoformat(), "user": {"id": "306"}, "pending": False}],
        )
    )
    guild = played.client.get_guild(int(GUILD))
    assert {m.id for m in guild.members} - {played.client.user.id} == {int(ADA), int(BOB), 306}
    assert guild.get_member(306).pending
    await played.player.play()
    heard = [(name, args[0].id) for name, args in played.client.heard if name in ("member_join", "member_remove")]
    assert heard == [
        ("member_join", int(CYD)),
        ("member_remove", int(CYD)),
        ("member_remove", int(BOB)),
        ("member_join", int(BOB)),
        ("member_join", 305),
    ]
    assert not guild.get_member(306).pending


async def test_so_many_distinct_members_react_and_none_before_having_joined(open_stage):
    heart = {"emoji": {"id": None, "name": "❤️"}, "count": 3}
    late = member(CYD, at(2))
    played = await open_stage(
        recording(
            members=[member(ADA, at(-9)), member(BOB, at(-9)), late, member("309", at(-9), bot=True)],
            messages=[message(at(1), "hello", reactions=[heart])],
        )
    )
    await played.player.play(at(1, 30))
    assert {r.user_id for r in played.client.of("raw_reaction_add")} == {int(BOB), int(ADA)}
    await played.player.play()
    assert [r.user_id for r in played.client.of("raw_reaction_add")][2:] == [int(CYD)]


async def test_named_people_react_with_what_they_reacted(open_stage):
    named = {"📌": [BOB], "blob:4242": [BOB, ADA]}
    counts = [{"emoji": {"id": None, "name": "📌"}, "count": 1}, {"emoji": {"id": "4242", "name": "blob"}, "count": 2}]
    last_second = message(END - timedelta(seconds=1), "hello", reactions=counts, reaction_users=named)
    played = await open_stage(recording(messages=[last_second]))
    await played.player.play()
    heard = [(str(r.emoji), r.user_id) for r in played.client.of("raw_reaction_add")]
    assert heard == [("📌", int(BOB)), ("<:blob:4242>", int(BOB)), ("<:blob:4242>", int(ADA))]
    assert played.server.world.clock.now() == END


async def test_threads_begin_at_their_time_and_are_archived_at_theirs(open_stage):
    starter = message(at(1), "shall we talk?")
    forum_post = snowflake(at(2))
    metadata = {"archived": True, "archive_timestamp": at(4).isoformat(), "create_timestamp": at(1, 1).isoformat()}
    thread = {"id": starter["id"], "parent_id": GENERAL, "type": 11, "name": "talk", "owner_id": ADA}
    channels = [
        {"id": GENERAL, "type": 0, "name": "general"},
        {"id": FORUM, "type": 15, "name": "ideas", "available_tags": [{"id": "7", "name": "help"}]},
        {**thread, "thread_metadata": metadata, "message_count": 1},
        {"id": forum_post, "parent_id": FORUM, "type": 11, "name": "An idea", "owner_id": BOB, "applied_tags": ["7"]},
    ]
    messages = [
        starter,
        message(at(1, 2), "yes", channel=starter["id"]),
        {**message(at(2), "why not"), "channel_id": forum_post, "id": forum_post},
    ]
    played = await open_stage(recording(channels=channels, messages=messages))
    assert list(played.client.get_guild(int(GUILD)).threads) == []
    await played.player.play(at(3))
    assert [t.name for t in played.client.of("thread_create")] == ["talk", "An idea"]
    assert [tag.name for tag in played.client.of("thread_create")[1].applied_tags] == ["help"]
    assert played.server.world.channels[int(starter["id"])].data["message_count"] == 1
    await played.player.play()
    channel = played.client.get_channel(int(GENERAL))
    assert [t.id async for t in channel.archived_threads()] == [int(starter["id"])]
    assert [m.content async for m in channel.history()] == ["shall we talk?"]
    assert (await channel.fetch_message(int(starter["id"]))).thread.name == "talk"


async def test_channels_appear_and_vanish_within_the_recording(open_stage):
    new = snowflake(at(1))
    channels = [
        {"id": GENERAL, "type": 0, "name": "general"},
        {"id": new, "type": 5, "name": "news", "deleted_at": at(3).isoformat()},
        {"id": "777", "type": 77, "name": "of the future"},
    ]
    messages = [message(at(2), "news!", channel=new), message(at(2), "?", channel="777"), message(at(4), "x", type=99)]
    played = await open_stage(recording(channels=channels, messages=messages))
    await played.player.play()
    heard = played.heard("guild_channel_create", "guild_channel_delete")
    assert heard == ["guild_channel_create", "guild_channel_delete"]
    assert [m.content for m in played.client.of("message")] == ["news!", "?", "x"]


async def test_what_vanishes_with_its_channel_is_not_touched_afterwards(open_stage):
    starter = message(at(1), "shall we talk?", edited_timestamp=at(5).isoformat(), pinned=True)
    gone = at(1, 0.5).isoformat()
    channels = [
        {"id": "4000", "type": 4, "name": "a category", "deleted_at": at(0.5).isoformat()},
        {"id": GENERAL, "type": 0, "name": "general", "parent_id": "4000", "deleted_at": gone},
        {"id": starter["id"], "parent_id": GENERAL, "type": 11, "name": "talk", "deleted_at": gone}
        | {"thread_metadata": {"archived": True, "archive_timestamp": at(4).isoformat()}},
    ]
    inside = {**message(at(1, 0.1), "yes", channel=starter["id"]), "deleted_at": at(3).isoformat()}
    played = await open_stage(recording(channels=channels, messages=[starter], deleted_messages=[inside]))
    await played.player.play()
    assert [m.content for m in played.client.of("message")] == ["…", "yes"]
    assert played.heard("guild_channel_delete", "thread_delete") == ["guild_channel_delete"] * 2 + ["thread_delete"]


async def test_pins_come_after_the_message(open_stage):
    played = await open_stage(
        recording(messages=[message(at(1), "read me", pinned=True), message(at(-1), "old", pinned=True)])
    )
    channel = played.client.get_channel(int(GENERAL))
    assert [m.content async for m in channel.pins()] == ["old"]
    await played.player.play()
    assert [m.content async for m in channel.pins()] == ["read me", "old"]
    [update] = played.client.of("raw_message_edit")
    assert (update.data["pinned"], update.data["edited_timestamp"]) == (True, None)


async def test_while_away_the_bot_hears_nothing_and_comes_back_with_a_new_session(open_stage):
    settled = []

    async def settle() -> None:
        settled.append(played.server.world.clock.now())

    messages = [message(at(1), "heard"), message(at(2), "missed"), message(at(3), "heard too")]
    away = [{"start": at(1.5).isoformat(), "end": at(2.5).isoformat()}]
    played = await open_stage(recording(messages=messages, away=away), settle=settle)
    await played.player.play()
    assert [m.content for m in played.client.of("message")] == ["heard", "heard too"]
    assert (played.server.gateway.identified, played.server.gateway.resumed) == (2, 0)
    history = [m.content async for m in played.client.get_channel(int(GENERAL)).history(oldest_first=True)]
    assert history == ["heard", "missed", "heard too"]
    assert settled == [at(1.5), at(2.5), END]


async def test_the_bots_own_account_and_its_roles_are_those_recorded(open_stage):
    own = {"id": "900", "username": "chronicle"}
    everyone = {"id": GUILD, "name": "@everyone", "permissions": str(1 << 10 | 1 << 16)}
    earlier = {**message(at(-1), "last week's digest"), "author": {**own, "bot": True}}
    played = await open_stage(
        recording(self=own, roles=[everyone], members=[{**member("900", at(-9)), "user": own}], messages=[earlier])
    )
    assert played.client.user.name == "chronicle"
    with pytest.raises(discord.Forbidden):
        await played.client.get_channel(int(GENERAL)).send("may not write here")
    [old] = [m async for m in played.client.get_channel(int(GENERAL)).history()]
    assert old.author.id == played.client.user.id


async def test_unusual_messages_are_served_as_they_are(open_stage):
    forward = message(
        at(1),
        "",
        message_reference={"type": 1, "channel_id": GENERAL, "message_id": "1", "guild_id": GUILD},
        message_snapshots=[{"message": {"content": "fixes #12", "type": 0, "embeds": [], "attachments": []} | _TIMES}],
    )
    hook = message(at(2), "by a webhook", author="555", webhook_id="555", application_id="556", flags=2, thread=None)
    played = await open_stage(recording(messages=[forward, hook]))
    await played.player.play()
    first, second = played.client.of("message")
    assert first.message_snapshots[0].content == "fixes #12"
    assert (second.webhook_id, second.application_id, second.flags.is_crossposted) == (555, 556, True)


_TIMES = {"timestamp": START.isoformat(), "edited_timestamp": None, "flags": 0, "mentions": [], "mention_roles": []}


@pytest.mark.parametrize(("wanted", "name", "channel_id"), [("news", "news", 2), ("77", "77", 77)])
async def test_without_a_recording_there_is_one_channel_and_the_bot(clock, wanted, name, channel_id):
    server = stage(plan_without_recording(clock.now(), wanted), clock)
    await server.start()
    with server.as_discord():
        async with connected(server, Listener()) as client:
            [guild] = client.guilds
            [channel] = guild.text_channels
            assert (guild.id, channel.name, channel.id) == (1, name, channel_id)
            await channel.send("hello")
    await server.close()


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"guild": None}, "no guild"),
        ({"captured": None}, "neither captured nor window"),
        ({"captured": {"start": "soon"}}, "captured: start is no time: 'soon'"),
        ({"messages": {}}, "messages: expected a list"),
        ({"messages": [message(at(1), "fine"), "text"]}, "messages[1]: expected an object"),
        ({"messages": [{"id": "1", "author": user(ADA)}]}, "messages[0]: no channel_id"),
        ({"messages": [{"id": "x", "channel_id": GENERAL, "author": user(ADA)}]}, "messages[0]: id is no id: 'x'"),
        ({"messages": [message(at(1), "", channel="9")]}, "its channel 9 is not among the channels"),
        ({"messages": [message(at(1), "", timestamp="noon")]}, "messages[0]: timestamp is no time"),
        ({"deleted_messages": [message(at(1), "")]}, "deleted_messages[0]: no deleted_at"),
        ({"member_events": [{"type": "GUILD_MEMBER_ADD", "user": user(ADA)}]}, "member_events[0]: no joined_at"),
        ({"members": [{"roles": []}]}, "members[0]: no user"),
        ({"channels": [{"id": "5", "type": 11, "parent_id": "4"}]}, "the parent of this thread, 4, is not there"),
        ({"channels": [{"id": "5", "deleted_at": "then"}]}, "channels[0]: deleted_at is no time: 'then'"),
        ({"away": [{"start": START.isoformat()}]}, "away[0]: no end"),
    ],
)
def test_a_malformed_recording_is_refused_with_the_place(fields, sentence):
    with pytest.raises(InputError) as refused:
        read_plan(recording(**fields))
    assert sentence in str(refused.value)
    assert str(refused.value).startswith("discord.json: ")


async def test_null_says_nothing_anywhere(open_stage):
    thread = {"id": snowflake(at(1)), "parent_id": GENERAL, "type": 11, "name": "talk"}
    nothing = dict.fromkeys(("owner_id", "thread_metadata", "flags", "member_count", "message_count", "applied_tags"))
    quiet = message(at(2), "hello", **dict.fromkeys(("mentions", "embeds", "flags", "poll", "webhook_id", "reactions")))
    played = await open_stage(
        recording(
            guild={
                "id": GUILD,
                "name": "Somewhere",
                **dict.fromkeys(("owner_id", "features", "afk_timeout", "emojis")),
            },
            roles=[{"id": GUILD, "name": "@everyone", "permissions": "1071698660929", "position": None, "flags": None}],
            channels=[{"id": GENERAL, "type": 0, "name": "general", "permission_overwrites": None}, thread | nothing],
            members=[member(ADA, at(-100), nick=None, pending=None, flags=None), member(BOB, at(-50), roles=None)],
            messages=[quiet],
        )
    )
    await played.player.play()
    assert [m.content for m in played.client.of("message")] == ["hello"]
    assert [t.name for t in played.client.of("thread_create")] == ["talk"]


async def test_the_clock_waits_until_the_client_has_read(open_stage):
    played = await open_stage(recording(messages=[message(at(n / 24), str(n)) for n in range(150)]))
    heard: list[timedelta] = []
    clock = played.server.world.clock

    async def on_message(told: discord.Message) -> None:
        heard.append(clock.now() - told.created_at)

    played.client.on_message = on_message
    await played.player.play()
    assert len(heard) == 150
    assert max(heard[:-1]) <= timedelta(hours=2)
