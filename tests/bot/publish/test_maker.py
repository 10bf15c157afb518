"""An edition is made from the stages' own work, with the one mention, and knows what it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.model.clock import ManualClock
from bot.model.edition import (
    ComingEvent,
    Community,
    Edition,
    Fact,
    GuildName,
    Highlight,
    IntroducedPerson,
    Introductions,
    QuotedMessage,
    Section,
    SharedLink,
)
from bot.model.github import SyncReport
from bot.model.guilds import Guild, Role
from bot.model.parts import Part, Place, Rendered
from bot.model.publication import EditionStatus, Source
from bot.model.schedule import Period
from bot.model.settings import GuildSettings
from bot.publish.maker import Maker, Stages, make_edition, sources, with_ping
from bot.store import editions, guilds, parts
from bot.store.engine import Store

NOW = datetime(2026, 8, 31, 9, tzinfo=UTC)
WEEK = Period(NOW - timedelta(days=7), NOW)
SETTINGS = {"publish": {"channel": "digest", "ping_role": "readers"}, "schedule": {"timezone": "Europe/Berlin"}}


class Newsroom:
    """Stages that keep what they were asked, and an edition of one word."""

    def __init__(self) -> None:
        self.word = "News"
        self.asked: list[dict[str, Any]] = []
        self.syncs = 0
        self.stages = Stages(
            sync=self.sync, compile=self.compile, narrate=self.narrate, render=self.render, revise=self.revise
        )

    async def sync(self, guild_id: int, settings: GuildSettings, period: Period) -> SyncReport:
        self.syncs += 1
        return SyncReport("partial", ("Something was missing.",))

    async def compile(self, store: Store, **asked: Any) -> Edition:
        self.asked.append(asked)
        quoted = Highlight(
            message_ids=(5,), channel="a", channel_id=2, authors=("A",), author_ids=(7,), excerpt="", url=""
        )
        return Edition(
            guild=GuildName(id=asked["guild_id"], name="Guild"),
            title=self.word,
            layout="themes",
            period=asked["period"],
            facts={},
            community=Community(highlights=(quoted,)),
        )

    async def narrate(self, edition: Edition, settings: GuildSettings) -> Edition:
        return replace(edition, title=f"{edition.title} told")

    async def revise(self, store: Store, guild_id: int, edition: Edition) -> Edition:
        return replace(edition, title=f"{edition.title} and revised")

    def render(self, edition: Edition, settings: GuildSettings) -> Rendered:
        return Rendered((Part(Place.HEAD, edition.title), Part(Place.SUMMARY, "More")), f"# {edition.title}", "<p>")


@pytest.fixture
def newsroom() -> Newsroom:
    return Newsroom()


@pytest.fixture
async def guild(sqlite_store: Store) -> int:
    role = Role(role_id=55, guild_id=1, name="Readers", permissions=0)
    everyone = Role(role_id=1, guild_id=1, name="@everyone", permissions=0)
    async with sqlite_store.write() as connection:
        await guilds.store_guild(connection, Guild(guild_id=1, name="Guild"))
        await guilds.store_roles(connection, [role, everyone])
        await guilds.store_settings(connection, 1, GuildSettings.model_validate(SETTINGS), at=NOW)
    return 1


async def set_publish(store: Store, **publish: Any) -> None:
    settings = GuildSettings.model_validate({**SETTINGS, "publish": {"channel": "digest", **publish}})
    async with store.write() as connection:
        await guilds.store_settings(connection, 1, settings, at=NOW)


async def test_the_stages_work_one_after_the_other_on_the_guilds_period(
    sqlite_store: Store, guild: int, newsroom: Newsroom
) -> None:
    made = await make_edition(sqlite_store, newsroom.stages, guild_id=guild, period=WEEK)
    assert made.title == "News told and revised"
    assert made.period == replace(WEEK, timezone="Europe/Berlin")
    assert newsroom.asked[0]["period"].timezone == "Europe/Berlin"
    assert newsroom.asked[0]["github"] == SyncReport("partial", ("Something was missing.",))
    assert made.document["format"] == "gazette.edition/1"
    assert made.sources == (Source(message_id=5, user_id=7),)


@pytest.mark.parametrize(
    ("wanted", "role_id"),
    [("readers", 55), ("@Readers", 55), ("55", 55), (None, None), ("nobody", None), ("@everyone", None), ("1", None)],
)
async def test_the_first_part_mentions_the_one_role_and_never_everyone(
    sqlite_store: Store, guild: int, newsroom: Newsroom, wanted: str | None, role_id: int | None
) -> None:
    await set_publish(sqlite_store, ping_role=wanted)
    made = await make_edition(sqlite_store, newsroom.stages, guild_id=guild, period=WEEK)
    mention = "" if role_id is None else f"<@&{role_id}>\n"
    assert made.ping_role_id == role_id
    assert [part.content for part in made.parts] == [f"{mention}News told and revised", "More"]


def test_a_mention_for_which_there_is_no_room_stands_by_itself() -> None:
    full = Part(Place.HEAD, "🦞" * 1000)
    assert with_ping((full,), 55) == (Part(Place.HEAD, "<@&55>"), full)
    assert with_ping((Part(Place.HEAD, "x" * 1993),), 55) == (Part(Place.HEAD, "<@&55>\n" + "x" * 1993),)


async def test_a_draft_is_made_anew_and_what_is_being_posted_is_not(
    sqlite_store: Store, guild: int, clock: ManualClock, newsroom: Newsroom
) -> None:
    maker = Maker(sqlite_store, clock, newsroom.stages)
    edition_id = await maker.make(guild, WEEK)
    newsroom.word = "Later news"
    assert await maker.make(guild, WEEK) == edition_id
    async with sqlite_store.write() as connection:
        assert (await editions.fetch_edition(connection, edition_id)).title == "Later news told and revised"
        await editions.set_status(connection, edition_id, EditionStatus.PUBLISHING, expected=[EditionStatus.DRAFT])
    newsroom.word = "Latest news"
    assert await maker.make(guild, WEEK) == edition_id
    async with sqlite_store.read() as connection:
        assert (await editions.fetch_edition(connection, edition_id)).title == "Later news told and revised"


async def test_making_anew_does_not_ask_github_again_and_tells_of_it_as_before(
    sqlite_store: Store, guild: int, clock: ManualClock, newsroom: Newsroom
) -> None:
    maker = Maker(sqlite_store, clock, newsroom.stages)
    edition_id = await maker.make(guild, WEEK)
    async with sqlite_store.write() as connection:
        await editions.set_status(connection, edition_id, EditionStatus.PUBLISHED, expected=[EditionStatus.DRAFT])
        for part in await parts.parts_of(connection, edition_id):
            await parts.confirm_part(connection, edition_id, part.ordinal, channel_id=2, message_id=9, at=NOW)
    newsroom.word = "Other news"
    await maker.remake(edition_id)
    assert newsroom.syncs == 1
    async with sqlite_store.read() as connection:
        told = await parts.parts_of(connection, edition_id)
        assert (await editions.fetch_edition(connection, edition_id)).title == "Other news told and revised"
    assert [(part.content.split("\n")[-1], part.pending) for part in told] == [
        ("Other news told and revised", True),
        ("More", False),
    ]


def test_an_edition_rests_on_every_message_that_it_shows() -> None:
    quoted = QuotedMessage(message_id=1, author="A", author_id=11, text="", url="")

    def highlight(message_ids: tuple[int, ...], author_ids: tuple[int, ...]) -> Highlight:
        return Highlight(
            message_ids=message_ids,
            channel="",
            channel_id=2,
            authors=("A",) * len(author_ids),
            author_ids=author_ids,
            excerpt="",
            url="",
            messages=(quoted,),
        )

    facts: Mapping[str, Fact] = {"message/8": Fact(text=""), "o/r#1": Fact(text=""), "count/joins": Fact(text="1")}
    edition = Edition(
        guild=GuildName(id=1, name="Guild"),
        title="",
        layout="themes",
        period=WEEK,
        facts=facts,
        sections=(Section(key="a", title="A", highlights=(highlight((1, 2), (11, 12)),)),),
        community=Community(
            highlights=(highlight((3,), (13,)),),
            introductions=Introductions(
                count=1, people=(IntroducedPerson(user_id=14, name="", message_ids=(4, 5), url="", excerpt=""),)
            ),
            shared_links=(SharedLink(url="", title=None, channel="", author="", message_id=6, author_id=16),),
            events=(
                ComingEvent(what="", date=NOW.date(), announced_by=None, message_id=7),
                ComingEvent(what="", date=NOW.date(), announced_by=None, message_id=None),
            ),
        ),
    )
    found = {source.message_id: source.user_id for source in sources(edition)}
    assert found == {1: 11, 2: None, 3: 13, 4: 14, 5: 14, 6: 16, 7: None, 8: None}
