"""Messages in the store, on both databases."""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select

from bot.model.messages import Attachment, Forward, LinkPreview, Message, Speaker
from bot.model.settings import parse_settings
from bot.model.snowflakes import first_id_at
from bot.store import guilds, message_rows, messages
from bot.store.engine import Store
from bot.store.reactions import Reaction, change_reactions
from bot.store.references import rewrite_references
from bot.store.tables.messages import MessageReferenceRow, MessageRow
from bot.store.tables.moderation import TagRow
from bot.store.upsert import chunks, upsert

GUILD, CHANNEL = 1191168914227200001, 1191168914227200002
START = datetime(2026, 8, 24, tzinfo=UTC)


def message(number: int, content: str = "hello", **fields: object) -> Message:
    given = {
        "message_id": first_id_at(START + timedelta(seconds=number)) + 1,
        "guild_id": GUILD,
        "channel_id": CHANNEL,
        "author_id": 300,
        "author_name": "Ada",
        "content": content,
    }
    return Message(**(given | fields))  # type: ignore[arg-type]


async def settled(store: Store) -> None:
    async with store.write() as connection:
        wanted = parse_settings('[github]\nrepositories = ["o/r"]\n')
        await guilds.store_settings(connection, GUILD, wanted, at=START)


async def stored(store: Store, message_id: int) -> Message | None:
    async with store.read() as connection:
        return (await messages.messages_by_id(connection, [message_id])).get(message_id)


async def references(store: Store) -> set[str]:
    async with store.read() as connection:
        return set((await connection.execute(select(MessageReferenceRow.reference))).scalars())


async def test_everything_of_a_message_comes_back_as_it_was(store: Store) -> None:
    whole = message(
        1,
        "x" * 4000 + " 名前 🦞",
        speaker=Speaker.PROXIED,
        edited_at=START + timedelta(hours=1),
        reply_to_id=1191168914227200003,
        forward=Forward(message_id=1, channel_id=2, guild_id=3, author_id=None),
        webhook_id=1191168914227200004,
        attachments=(Attachment(1191168914227200005, "a.png", 12, "image/png"),),
        previews=(LinkPreview("https://example.org", "A title"),),
        reactions=(("🎉", 2), ("lobster:1191168914227200006", 1)),
        mentioned_user_ids=(1191168914227200007,),
        pinned=True,
    )
    async with store.write() as connection:
        await messages.store_messages(connection, [whole])
    assert await stored(store, whole.message_id) == whole


async def test_ids_of_64_bits_are_exact_there_and_back_json_included(store: Store) -> None:
    exact = message(0, message_id=1191168914227200001, author_id=9007199254740993)
    async with store.write() as connection:
        await messages.store_messages(connection, [exact])
    back = await stored(store, 1191168914227200001)
    assert back is not None
    assert (back.message_id, back.author_id) == (1191168914227200001, 9007199254740993)
    assert json.loads(json.dumps({"id": str(back.message_id)}))["id"] == "1191168914227200001"


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]], ids=str)
async def test_the_newest_version_stands_whatever_the_order(store: Store, order: list[int]) -> None:
    await settled(store)
    versions = [
        message(1, "fixes #12"),
        message(1, "fixes #21", edited_at=START + timedelta(minutes=1)),
        message(1, "fixes #22", edited_at=START + timedelta(minutes=2)),
    ]
    for number in order:
        async with store.write() as connection:
            await messages.store_messages(connection, [versions[number]])
    back = await stored(store, versions[0].message_id)
    assert back == versions[2]
    assert await references(store) == {"o/r#22"}


async def test_a_deletion_is_final_also_when_it_comes_first(store: Store) -> None:
    await settled(store)
    first, second = message(1, "see #1"), message(2, "see #2")
    async with store.write() as connection:
        await messages.store_messages(connection, [second])
    for _ in range(2):
        async with store.write() as connection:
            ids = [first.message_id, second.message_id]
            await messages.delete_messages(connection, GUILD, CHANNEL, ids, at=START + timedelta(hours=1))
            later = replace(second, content="see #3", edited_at=START + timedelta(hours=2))
            await messages.store_messages(connection, [first, second, later])
    for each in (first, second):
        back = await stored(store, each.message_id)
        assert back is not None
        assert (back.content, back.deleted_at) == ("", START + timedelta(hours=1))
        assert not back.is_said
    assert await references(store) == set()


async def test_counts_of_history_replace_and_events_add(store: Store) -> None:
    said = message(1)
    ada = said.message_id
    async with store.write() as connection:
        await messages.store_messages(connection, [replace(said, reactions=(("🎉", 3),))])
        await messages.store_messages(connection, [said], counts=messages.Counts.UNTOLD)
        await change_reactions(
            connection,
            [
                Reaction(message_id=ada, emoji="🎉", added=True),
                Reaction(message_id=ada, emoji="👀", added=True),
                Reaction(message_id=ada, emoji="👀", added=False),
                Reaction(message_id=ada, emoji="👀", added=False),
                Reaction(message_id=ada + 1, emoji="👀", added=True),
            ],
        )
    back = await stored(store, ada)
    assert back is not None
    assert back.reactions == (("🎉", 4),)
    async with store.write() as connection:
        await messages.store_messages(connection, [said])
    back = await stored(store, ada)
    assert back is not None
    assert back.reactions == ()


async def test_what_lies_in_a_deleted_channel_does_not_come_back(store: Store) -> None:
    from bot.model.guilds import Channel

    said = message(1)
    async with store.write() as connection:
        channel = Channel(channel_id=CHANNEL, guild_id=GUILD, name="gone", channel_type=0)
        await guilds.store_channels(connection, [channel])
        await messages.store_messages(connection, [said])
        await guilds.delete_channels(connection, [CHANNEL], at=START)
        await messages.delete_messages_in(connection, [CHANNEL], at=START)
        await messages.store_messages(connection, [said, message(2)])
    back = await stored(store, said.message_id)
    assert back is not None
    assert back.deleted_at == START
    assert await stored(store, message(2).message_id) is None


async def test_two_large_batches_in_opposite_order_at_once_do_not_deadlock(store: Store) -> None:
    batch = [message(number, f"number {number}") for number in range(3_000)]
    twice = batch + random.Random(1).sample(batch, 500)

    async def write(some: list[Message]) -> None:
        async with store.write() as connection:
            await messages.store_messages(connection, some)

    async with asyncio.timeout(60):
        await asyncio.gather(write(twice), write(twice[::-1]))
    async with store.read() as connection:
        count = (await connection.execute(select(func.count()).select_from(MessageRow))).scalar_one()
    assert count == 3_000


async def test_rows_of_one_upsert_in_opposite_order_at_once_do_not_deadlock(store: Store) -> None:
    rows = [message_rows.row_values(message(number)) for number in range(12_000)]

    async def write(some: list[dict[str, object]]) -> None:
        async with store.write() as connection:
            await upsert(connection, MessageRow, some + some[:200])

    async with asyncio.timeout(60):
        await asyncio.gather(write(rows), write(rows[::-1]))
    async with store.read() as connection:
        count = (await connection.execute(select(func.count()).select_from(MessageRow))).scalar_one()
    assert count == 12_000


async def test_a_moderator_tags_while_messages_are_recorded(store: Store) -> None:
    async def record() -> None:
        for some in chunks([message(number) for number in range(200)], 20):
            async with store.write() as connection:
                await messages.store_messages(connection, some)

    async def tag() -> None:
        for number in range(10):
            async with store.write() as connection:
                await connection.execute(select(func.count()).select_from(MessageRow))
                tagged = {"guild_id": GUILD, "channel_id": CHANNEL, "user_id": 1, "source": "menu", "tagged_at": START}
                await connection.execute(
                    TagRow.__table__.insert().values(message_id=number, **tagged)  # type: ignore[attr-defined]
                )

    await asyncio.gather(record(), tag())
    async with store.read() as connection:
        assert (await connection.execute(select(func.count()).select_from(MessageRow))).scalar_one() == 200
        assert (await connection.execute(select(func.count()).select_from(TagRow))).scalar_one() == 10


async def test_references_are_found_anew_when_the_repositories_change(store: Store) -> None:
    await settled(store)
    async with store.write() as connection:
        await messages.store_messages(connection, [message(number, f"fixes #{number}") for number in range(1, 4)])
        wanted = parse_settings('[github]\nrepositories = ["new/home"]\n')
        await guilds.store_settings(connection, GUILD, wanted, at=START)
        await rewrite_references(connection, GUILD)
    assert await references(store) == {"new/home#1", "new/home#2", "new/home#3"}
