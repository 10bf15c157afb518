"""What was recorded of a period: only what the community said, and nobody who opted out."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy import insert

from bot.model.guilds import Channel, ChannelType, Join, Member, Witness
from bot.model.messages import LinkPreview, Message, MessageType, Speaker
from bot.model.schedule import Period
from bot.model.settings import GitHubSettings, GuildSettings
from bot.model.snowflakes import first_id_at
from bot.store import guilds, members, messages, period
from bot.store.engine import Store
from bot.store.tables.moderation import OptOutRow

START = datetime(2026, 5, 4, tzinfo=UTC)
WEEK = Period(START, START + timedelta(days=7))
GENERAL, THREAD, OTHER = 5, 6, 8


def said(
    hours: float, *, author: int = 1, channel: int = GENERAL, content: str = "some words", **more: object
) -> Message:
    fields: dict[str, object] = {
        "message_id": first_id_at(START + timedelta(hours=hours)) + author,
        "guild_id": 1,
        "channel_id": channel,
        "author_id": author,
        "author_name": f"member {author}",
        "content": content,
    }
    return Message(**{**fields, **more})  # type: ignore[arg-type]


async def keep(store: Store, *found: Message) -> None:
    async with store.write() as connection:
        await messages.store_messages(connection, found)


async def test_only_what_the_community_said_in_the_period_is_counted(store: Store) -> None:
    await keep(
        store,
        said(0),
        said(1),
        said(2, author=2),
        said(30, author=2, channel=OTHER),
        said(-0.001),
        said(24 * 7),
        said(3, speaker=Speaker.BOT, author=9),
        said(4, speaker=Speaker.WEBHOOK, author=9),
        said(5, speaker=Speaker.PROXIED, author=3),
        said(6, message_type=MessageType.PIN_NOTICE),
        said(7, deleted_at=START + timedelta(hours=8)),
        said(8, author=4),
        said(9, guild_id=2),
    )
    async with store.write() as connection:
        await connection.execute(insert(OptOutRow).values(guild_id=0, user_id=4, since=START))
    async with store.read() as connection:
        found = await period.tallies(connection, 1, WEEK, until=[START + timedelta(hours=2), START + timedelta(days=1)])
        everybody = await period.people(connection, 1, WEEK)
        without = await period.people(connection, 1, WEEK, without=[OTHER, GENERAL])
        assert await period.opted_out(connection, 1) == {4}
    assert sorted((t.channel_id, t.messages, t.people, t.before) for t in found) == [
        (GENERAL, 4, 3, (2, 4)),
        (OTHER, 1, 1, (0, 0)),
    ]
    assert (everybody, without) == (3, 0)


async def test_a_person_in_a_channel_and_its_thread_is_one_person(store: Store) -> None:
    async with store.write() as connection:
        await guilds.store_channels(
            connection,
            [
                Channel(channel_id=GENERAL, guild_id=1, name="general", channel_type=ChannelType.TEXT),
                Channel(
                    channel_id=THREAD, guild_id=1, name="t", channel_type=ChannelType.PUBLIC_THREAD, parent_id=GENERAL
                ),
            ],
        )
    await keep(store, said(1), said(2, channel=THREAD), said(3, author=2, channel=THREAD), said(4, channel=OTHER))
    async with store.read() as connection:
        assert await period.people_with_threads(connection, 1, WEEK) == {GENERAL: 2, OTHER: 1}
        assert await period.people_with_threads(connection, 1, WEEK, without=[THREAD]) == {GENERAL: 1, OTHER: 1}


async def test_reactions_are_counted_and_the_favourites_found(store: Store) -> None:
    await keep(
        store,
        said(1, reactions=(("👍", 3),)),
        said(2, reactions=(("👍", 3),)),
        said(3, reactions=(("🎉", 4), ("👍", 5))),
        said(4, channel=OTHER, reactions=(("👍", 40),)),
        said(5),
    )
    async with store.read() as connection:
        assert await period.reaction_counts(connection, 1, WEEK) == {(GENERAL, 3): 2, (GENERAL, 9): 1, (OTHER, 40): 1}
        best = await period.most_reacted(connection, 1, WEEK, at_least=3, channel_ids={GENERAL}, limit=2)
    assert [m.reaction_count for m in best] == [9, 3]


async def test_links_with_a_preview_or_reactions_are_found(store: Store) -> None:
    await keep(
        store,
        said(1, content="https://a.example", previews=(LinkPreview("https://a.example", "A"),)),
        said(2, content="https://b.example", reactions=(("👍", 5),)),
        said(3, content="https://c.example"),
        said(4, content="no address", reactions=(("👍", 9),)),
    )
    async with store.read() as connection:
        found = await period.messages_with_links(connection, 1, WEEK, at_least=5, limit=10)
    assert [m.content for m in found] == ["https://b.example", "https://a.example"]
    assert found[1].previews[0].title == "A"


async def test_answers_are_found_by_the_people_who_gave_them(store: Store) -> None:
    root = said(1)
    replies = [said(n, author=n, reply_to_id=root.message_id, message_type=MessageType.REPLY) for n in (2, 3)]
    await keep(store, root, *replies)
    async with store.read() as connection:
        (talk,) = await period.answered(connection, 1, WEEK, people=2, limit=5)
        assert (talk.message_id, talk.replies, talk.people) == (root.message_id, 2, 2)
        assert await period.answered(connection, 1, WEEK, people=3, limit=5) == []
        assert len(await period.replies_to(connection, 1, [root.message_id], WEEK)) == 2


async def test_messages_of_channels_come_oldest_first_the_newest_where_there_are_too_many(store: Store) -> None:
    await keep(store, *(said(n, channel=GENERAL if n % 2 else OTHER) for n in range(10)))
    async with store.read() as connection:
        found = await period.messages_of_channels(connection, 1, [GENERAL, OTHER], WEEK, limit=3)
    assert [m.created_at.hour for m in found] == [7, 8, 9]


async def test_originals_show_what_was_answered_whoever_wrote_it(store: Store) -> None:
    prompt = said(1, speaker=Speaker.BOT, author=9)
    await keep(store, prompt)
    async with store.read() as connection:
        assert await period.messages_by_id(connection, 1, [prompt.message_id]) == []
        (found,) = await period.originals(connection, 1, [prompt.message_id])
    assert found.speaker is Speaker.BOT


async def test_stays_that_began_or_ended_in_the_period(store: Store) -> None:
    def stay(user_id: int, joined: float, left: float | None = None) -> Join:
        at = START + timedelta(days=joined)
        return Join(
            guild_id=1, user_id=user_id, joined_at=at, left_at=None if left is None else START + timedelta(days=left)
        )

    async with store.write() as connection:
        await members.store_joins(connection, [stay(1, 0), stay(2, -9, 2), stay(3, -9), stay(4, 7), stay(5, -20, -9)])
    async with store.read() as connection:
        assert [s.user_id for s in await members.stays(connection, 1, WEEK)] == [2, 1]
        assert await members.witnesses(connection, 1) == {Witness.EVENT}
        assert await members.witnesses(connection, 2) == frozenset()


async def test_moderators_are_found_by_their_roles(store: Store) -> None:
    people = [
        Member(user_id=1, guild_id=1, username="a", role_ids=(70, 71)),
        Member(user_id=2, guild_id=1, username="b", role_ids=(72,)),
        Member(user_id=3, guild_id=1, username="c"),
        Member(user_id=4, guild_id=1, username="d", role_ids=(70,), bot=True),
    ]
    async with store.write() as connection:
        await guilds.store_members(connection, people)
    async with store.read() as connection:
        assert await members.members_with_roles(connection, 1, [70]) == {1}
        assert await members.members_with_roles(connection, 1, []) == frozenset()


async def test_mentions_come_with_their_place(store: Store) -> None:
    settings = GuildSettings(github=GitHubSettings(repositories=["o/r"]))
    async with store.write() as connection:
        await guilds.store_settings(connection, 1, settings, at=START)
    await keep(store, said(1, content="see #12 and #13"), said(2, author=9, content="#14", speaker=Speaker.BOT))
    async with store.read() as connection:
        found = await period.mentions(connection, 1, WEEK)
    assert [(m.reference, m.channel_id) for m in found] == [("o/r#12", GENERAL), ("o/r#13", GENERAL)]
