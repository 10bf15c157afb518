"""Tags, suggestions and marks: several moderators do not disturb each other, and the last word counts."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

from bot.model.schedule import Period
from bot.model.snowflakes import first_id_at
from bot.store import tags
from bot.store.engine import Store
from bot.store.tags import Suggestion, Tag

START = datetime(2026, 5, 4, tzinfo=UTC)
WEEK = Period(START, START + timedelta(days=7))
MESSAGE = first_id_at(START + timedelta(days=1))


def tag(user_id: int = 7, *, source: str = "menu", message_id: int = MESSAGE, hours: int = 30, **more: str) -> Tag:
    return Tag(
        guild_id=1,
        message_id=message_id,
        channel_id=5,
        user_id=user_id,
        source=source,
        tagged_at=START + timedelta(hours=hours),
        **more,  # type: ignore[arg-type]
    )


async def tagged(store: Store, period: Period = WEEK) -> list[tags.TaggedMessage]:
    async with store.read() as connection:
        return await tags.tagged_between(connection, 1, period)


async def test_tags_of_several_moderators_stand_together(store: Store) -> None:
    async with store.write() as connection:
        assert await tags.store_tag(connection, tag(7, section="data", note="first"))
        assert await tags.store_tag(connection, tag(8, source="reaction", hours=31, section="evals"))
    (found,) = await tagged(store)
    assert found.tagged_by == (7, 8)
    assert (found.section, found.note) == ("evals", "first")


async def test_tagging_again_by_the_same_means_changes_the_tag(store: Store) -> None:
    async with store.write() as connection:
        await tags.store_tag(connection, tag(note="old"))
        assert not await tags.store_tag(connection, tag(note="new", rewrite="In short."))
    (found,) = await tagged(store)
    assert (found.note, found.rewrite, found.tagged_by) == ("new", "In short.", (7,))


async def test_a_message_stays_tagged_while_one_tag_stands(store: Store) -> None:
    async with store.write() as connection:
        await tags.store_tag(connection, tag(7))
        await tags.store_tag(connection, tag(7, source="reaction"))
        await tags.store_tag(connection, tag(8))
    async with store.write() as connection:
        assert await tags.remove_tags(connection, 1, MESSAGE, at=WEEK.end, by=7, user_id=7, source="menu") == 1
    assert [t.tagged_by for t in await tagged(store)] == [(7, 8)]
    async with store.write() as connection:
        assert await tags.remove_tags(connection, 1, MESSAGE, at=WEEK.end, by=9) == 2
    assert await tagged(store) == []
    async with store.read() as connection:
        assert {t.removed_by for t in await tags.tags_of(connection, 1, MESSAGE)} == {7, 9}


async def test_two_moderators_at_once_both_tag(store: Store) -> None:
    async def by(user_id: int) -> bool:
        async with store.write() as connection:
            return await tags.store_tag(connection, tag(user_id))

    assert await asyncio.gather(*(by(user_id) for user_id in range(10, 18))) == [True] * 8
    (found,) = await tagged(store)
    assert sorted(found.tagged_by) == list(range(10, 18))


async def test_a_message_belongs_to_its_week_or_to_that_of_a_late_tag(sqlite_store: Store) -> None:
    old = first_id_at(START - timedelta(days=10))
    async with sqlite_store.write() as connection:
        await tags.store_tag(connection, tag(message_id=old, hours=40))
        await tags.store_tag(connection, tag(message_id=old + 1, hours=-200))
        await tags.store_tag(connection, tag(hours=24 * 9))
        await tags.store_tag(connection, tag(message_id=first_id_at(WEEK.end), hours=24 * 8))
    assert [t.message_id for t in await tagged(sqlite_store)] == [old, MESSAGE]


async def test_a_suggestion_is_kept_once_for_each_member_and_can_be_taken_back(store: Store) -> None:
    def suggestion(user_id: int) -> Suggestion:
        return Suggestion(
            guild_id=1, message_id=MESSAGE, channel_id=5, user_id=user_id, suggested_at=START + timedelta(days=2)
        )

    async with store.write() as connection:
        assert await tags.store_suggestion(connection, suggestion(3))
        assert not await tags.store_suggestion(connection, suggestion(3))
        assert await tags.store_suggestion(connection, suggestion(4))
        assert await tags.remove_suggestion(connection, MESSAGE, 3) == 1
    async with store.read() as connection:
        assert [s.user_id for s in await tags.suggestions_between(connection, 1, WEEK)] == [4]
    assert await tagged(store) == []


async def test_a_moderators_last_word_on_an_introduction_counts(store: Store) -> None:
    for hour, is_introduction in ((1, False), (2, True)):
        async with store.write() as connection:
            await tags.store_introduction_mark(
                connection,
                guild_id=1,
                message_id=MESSAGE,
                is_introduction=is_introduction,
                by=7,
                at=START + timedelta(hours=hour),
            )
    async with store.read() as connection:
        assert await tags.introduction_marks(connection, 1, WEEK) == {MESSAGE: True}
        assert await tags.introduction_marks(connection, 2, WEEK) == {}
