"""What is kept for a time only goes when the time is over; what was counted stays."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select

from bot.model.clock import ManualClock
from bot.model.guilds import Guild, Join, Member, Witness
from bot.model.messages import Attachment, Message
from bot.model.settings import GuildSettings
from bot.model.snowflakes import first_id_at
from bot.publish.retention import GRACE, Sweeper
from bot.store import editions, guilds, members, messages, period, privacy
from bot.store.engine import Store
from bot.store.tables import Base
from bot.store.tables.messages import MessageReferenceRow, MessageRow
from tests.publish_fixtures import WEEK, made, told

GUILD, OTHER = 100, 101
NOW = datetime(2026, 8, 31, 9, 0, tzinfo=UTC)


def said(days_ago: int, number: int, *, guild_id: int = GUILD) -> Message:
    return Message(
        message_id=first_id_at(NOW - timedelta(days=days_ago)) + number,
        guild_id=guild_id,
        channel_id=guild_id * 10,
        author_id=number + 1,
        author_name=f"person {number}",
        content=f"words of {days_ago} days ago #12",
        attachments=(Attachment(1, "report.pdf", 10),),
        reactions=(("👍", 3),),
        mentioned_user_ids=(5,),
    )


@pytest.fixture
async def recorded(store: Store) -> Store:
    async with store.write() as connection:
        for guild_id in (GUILD, OTHER):
            await guilds.store_guild(connection, Guild(guild_id=guild_id, name=f"Guild {guild_id}", self_id=1))
            settings = GuildSettings.model_validate(
                {"github": {"repositories": ["acme/anvil"]}, "privacy": {"retention_days": 30}}
            )
            await guilds.store_settings(connection, guild_id, settings, at=NOW)
            found = [said(days, number, guild_id=guild_id) for number, days in enumerate([1, 29, 31, 200])]
            offset = 0 if guild_id == GUILD else 100
            await messages.store_messages(
                connection,
                [Message(**{**_fields(each), "message_id": each.message_id + offset}) for each in found],
            )
            await guilds.store_members(connection, [Member(user_id=9, guild_id=guild_id, username="nine")])
            joined = NOW - timedelta(days=200)
            join = Join(guild_id=guild_id, user_id=9, joined_at=joined, bot=False, witness=Witness.EVENT)
            await members.store_joins(connection, [join])
    return store


def _fields(message: Message) -> dict[str, object]:
    return {name: getattr(message, name) for name in message.__dataclass_fields__}


async def test_content_goes_and_counts_stay(recorded: Store) -> None:
    everything = WEEK.__class__(NOW - timedelta(days=365), NOW)
    async with recorded.read() as connection:
        before = await period.tallies(connection, GUILD, everything)
    await Sweeper(recorded, ManualClock(NOW)).sweep()
    async with recorded.read() as connection:
        rows = (
            await connection.execute(
                select(MessageRow.__table__).where(MessageRow.guild_id == GUILD).order_by(MessageRow.message_id.desc())
            )
        ).all()
        assert [bool(row.content) for row in rows] == [True, True, False, False]
        assert [row.reaction_count for row in rows] == [3, 3, 3, 3]
        for row in rows[2:]:
            assert (row.author_name, row.attachments, row.mentioned_user_ids) == ("", None, None)
        assert await period.tallies(connection, GUILD, everything) == before
        references = select(func.count()).select_from(MessageReferenceRow)
        assert (await connection.execute(references)).scalar_one() == 8


async def test_a_longer_retention_keeps_more(recorded: Store) -> None:
    async with recorded.write() as connection:
        longer = GuildSettings.model_validate({"privacy": {"retention_days": 365}})
        await guilds.store_settings(connection, OTHER, longer, at=NOW)
    await Sweeper(recorded, ManualClock(NOW)).sweep()
    async with recorded.read() as connection:
        kept = select(MessageRow.guild_id, func.count()).where(MessageRow.content != "").group_by(MessageRow.guild_id)
        assert dict(map(tuple, (await connection.execute(kept)).all())) == {
            GUILD: 2,
            OTHER: 4,
        }


async def test_digests_keep_their_words_and_lose_the_raw_ones(recorded: Store) -> None:
    facts = {"message/7": {"text": "raw words", "url": "u"}, "acme/anvil#1": {"text": "public", "url": "u"}}
    document = {"period": {"timezone": "UTC"}, "facts": facts, "title": "kept"}
    async with recorded.write() as connection:
        edition_id = await editions.store_edition(connection, made(told(), document=document), at=NOW)
    await Sweeper(recorded, ManualClock(NOW + timedelta(days=29))).sweep()
    async with recorded.read() as connection:
        assert (await editions.fetch_edition(connection, edition_id)).document["facts"] == facts
    await Sweeper(recorded, ManualClock(NOW + timedelta(days=31))).sweep()
    async with recorded.read() as connection:
        left = (await editions.fetch_edition(connection, edition_id)).document
    assert left["facts"]["message/7"] == {"text": "", "url": "u"}
    assert left["facts"]["acme/anvil#1"]["text"] == "public"
    assert left["title"] == "kept"


async def test_a_guild_that_removed_the_bot_is_forgotten_after_the_grace_time(recorded: Store) -> None:
    async with recorded.write() as connection:
        await editions.store_edition(connection, made(told(), guild_id=OTHER), at=NOW)
        await privacy.opt_out(connection, OTHER, 77, at=NOW)
        await guilds.leave_guild(connection, OTHER, at=NOW)
    await Sweeper(recorded, ManualClock(NOW + GRACE)).sweep()
    assert await rows_of(recorded, OTHER) > 5
    await Sweeper(recorded, ManualClock(NOW + GRACE + timedelta(seconds=1))).sweep()
    assert await rows_of(recorded, OTHER) == 1, "who opted out stays known"
    assert await rows_of(recorded, GUILD) > 5
    async with recorded.read() as connection:
        for table in ("parts", "part_files", "edition_sources"):
            assert (await connection.exec_driver_sql(f"SELECT count(*) FROM {table}")).scalar_one() == 0
        references = (await connection.exec_driver_sql("SELECT count(*) FROM message_references")).scalar_one()
    assert references == 4


async def rows_of(store: Store, guild_id: int) -> int:
    total = 0
    async with store.read() as connection:
        for table in Base.metadata.sorted_tables:
            if "guild_id" in table.c:
                count = select(func.count()).select_from(table).where(table.c.guild_id == guild_id)
                total += (await connection.execute(count)).scalar_one()
    return total
