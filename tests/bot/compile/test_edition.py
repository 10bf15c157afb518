"""A whole edition: both example weeks, and who may see what."""

from __future__ import annotations

import dataclasses
import json
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import insert

from bot.compile.edition import assemble, compile_edition
from bot.compile.gather import gather
from bot.compile.titles import title_of
from bot.errors import NotFoundError
from bot.model.edition import Edition, to_json
from bot.model.github import Account, GitHubItem, ItemKind, ItemState, SyncReport
from bot.model.guilds import VIEW_CHANNEL, Channel, ChannelType, Guild, Join, Member, Overwrite, Role
from bot.model.messages import Forward, Message
from bot.model.schedule import Period
from bot.model.settings import ChannelSettings, EditionSettings, GitHubSettings, GuildSettings, PublishSettings
from bot.model.snowflakes import first_id_at
from bot.store import coverage, guilds, members, messages, tags
from bot.store.coverage import Gap
from bot.store.engine import Store
from bot.store.tables.moderation import OptOutRow
from tests.weeks import AUGUST, MARCH, edition_of, load

START = datetime(2026, 5, 4, tzinfo=UTC)
WEEK = Period(START, START + timedelta(days=7))
PUBLISH, GENERAL, SECRET, INTRODUCTIONS, THREAD = 10, 11, 12, 13, 14
MODERATORS = 50
SETTINGS = GuildSettings(
    publish=PublishSettings(channel="digest"),
    channels=ChannelSettings(introductions="introductions"),
    github=GitHubSettings(repositories=["o/open", "o/closed"]),
)
LONG = "The new loader reads every shard twice as fast as before, measured on two machines over a night"


def said(hours: float, content: str = LONG, *, channel: int = GENERAL, author: int = 1, reactions: int = 0) -> Message:
    return Message(
        message_id=first_id_at(START + timedelta(hours=hours)) + author,
        guild_id=1,
        channel_id=channel,
        author_id=author,
        author_name=f"member {author}",
        content=content,
        reactions=(("👍", reactions),) if reactions else (),
    )


def record(reference: str, *, private: bool = False) -> GitHubItem:
    return GitHubItem(
        reference=reference,
        kind=ItemKind.PULL_REQUEST,
        title="change",
        url="https://github.com",
        author=Account(login="ana", association="MEMBER"),
        created_at=START + timedelta(days=1),
        updated_at=START + timedelta(days=1),
        state=ItemState.OPEN,
        private=private,
    )


@pytest.fixture
async def community(sqlite_store: Store) -> Store:
    """A guild with a public channel and its thread, a closed one, an introductions channel, and a moderator."""
    hidden = (Overwrite(1, True, 0, VIEW_CHANNEL), Overwrite(MODERATORS, True, VIEW_CHANNEL, 0))
    kinds = {
        PUBLISH: ("digest", ChannelType.TEXT, None, ()),
        GENERAL: ("general", ChannelType.TEXT, None, ()),
        SECRET: ("secret", ChannelType.TEXT, None, hidden),
        INTRODUCTIONS: ("introductions", ChannelType.TEXT, None, ()),
        THREAD: ("a thread", ChannelType.PUBLIC_THREAD, GENERAL, ()),
    }
    async with sqlite_store.write() as connection:
        await guilds.store_guild(connection, Guild(guild_id=1, name="Guild"))
        await guilds.store_settings(connection, 1, SETTINGS, at=START)
        await guilds.store_channels(
            connection,
            [
                Channel(
                    channel_id=channel_id, guild_id=1, name=name, channel_type=kind, parent_id=parent, overwrites=only
                )
                for channel_id, (name, kind, parent, only) in kinds.items()
            ],
        )
        await guilds.store_roles(
            connection,
            [
                Role(role_id=1, guild_id=1, name="@everyone", permissions=VIEW_CHANNEL),
                Role(role_id=MODERATORS, guild_id=1, name="mods", permissions=1 << 13),
            ],
        )
        await guilds.store_members(
            connection,
            [
                Member(user_id=1, guild_id=1, username="ana", global_name="Ana"),
                Member(user_id=2, guild_id=1, username="mo", global_name="Mo", role_ids=(MODERATORS,)),
            ],
        )
    return sqlite_store


async def keep(store: Store, *found: Message) -> None:
    async with store.write() as connection:
        await messages.store_messages(connection, found)


async def compiled(store: Store, settings: GuildSettings = SETTINGS, records: tuple[GitHubItem, ...] = ()) -> Edition:
    async with store.read() as connection:
        found = await gather(connection, guild_id=1, settings=settings, period=WEEK)
    return assemble(found, records, settings=settings, period=WEEK)


def told(edition: Edition) -> set[int]:
    return {m for h in edition.community.highlights for m in h.message_ids}


async def test_nothing_of_a_channel_that_the_audience_cannot_read_is_told_or_counted(community: Store) -> None:
    secret = said(1, "o/open#7 https://secret.example " + LONG, channel=SECRET, reactions=90)
    seen = said(2, reactions=30)
    await keep(community, secret, seen)
    async with community.write() as connection:
        await tags.store_tag(
            connection,
            tags.Tag(
                guild_id=1, message_id=secret.message_id, channel_id=SECRET, user_id=2, source="menu", tagged_at=START
            ),
        )
    edition = await compiled(community, records=(record("o/open#7"),))
    assert told(edition) == {seen.message_id}
    assert edition.community.messages == 1
    assert edition.sections[0].items[0].mentioned_in == ()
    assert "secret" not in json.dumps(to_json(edition))


async def test_a_publish_channel_of_moderators_may_tell_what_moderators_read(community: Store) -> None:
    await keep(community, said(1, channel=SECRET, reactions=90))
    settings = SETTINGS.model_copy(update={"publish": PublishSettings(channel="secret")})
    assert (await compiled(community, settings)).community.messages == 1
    wider = SETTINGS.model_copy(update={"publish": PublishSettings(channel="secret", full_summary="general")})
    assert (await compiled(community, wider)).community.messages == 0


async def test_excluded_and_not_included_channels_are_left_out(community: Store) -> None:
    await keep(community, said(1), said(2, channel=THREAD), said(3, channel=PUBLISH))
    excluded = SETTINGS.model_copy(update={"channels": ChannelSettings(exclude=["general"])})
    included = SETTINGS.model_copy(update={"channels": ChannelSettings(include=["#General"])})
    assert [c.name for c in (await compiled(community, excluded)).community.channels] == ["digest"]
    (general,) = (await compiled(community, included)).community.channels
    assert (general.name, general.messages, general.authors) == ("general", 2, 1)


async def test_a_private_repository_appears_only_where_it_was_allowed(community: Store) -> None:
    await keep(community, said(1, f"o/closed#1 and o/open#2: {LONG}", reactions=30))
    records = (record("o/closed#1", private=True), record("o/open#2"))

    def references(edition: Edition) -> list[str]:
        items = [item.reference for section in edition.sections for item in section.items]
        return sorted({*items, *(r for h in edition.community.highlights for r in h.references)})

    allowing = SETTINGS.github.model_copy(update={"allowed_private": {"O/Closed": ["digest"]}})
    elsewhere = SETTINGS.github.model_copy(update={"allowed_private": {"o/closed": ["general"]}})
    assert references(await compiled(community, records=records)) == ["o/open#2"]
    for github, found in ((allowing, ["o/closed#1", "o/open#2"]), (elsewhere, ["o/open#2"])):
        settings = SETTINGS.model_copy(update={"github": github})
        assert references(await compiled(community, settings, records)) == found


async def test_a_repository_that_the_settings_call_private_is_private_whatever_github_says(community: Store) -> None:
    named = SETTINGS.github.model_copy(update={"allowed_private": {"o/closed": ["general"]}})
    settings = SETTINGS.model_copy(update={"github": named})
    edition = await compiled(community, settings, (record("o/closed#1"), record("o/open#2")))
    assert [item.reference for section in edition.sections for item in section.items] == ["o/open#2"]


async def test_who_opted_out_is_neither_quoted_nor_counted(community: Store) -> None:
    await keep(
        community,
        said(1, author=1, reactions=30),
        said(2, author=9, reactions=40),
        said(3, "Hi, I'm Zed, a baker from Leeds", author=9, channel=INTRODUCTIONS),
    )
    async with community.write() as connection:
        await members.store_joins(connection, [Join(guild_id=1, user_id=9, joined_at=START + timedelta(hours=1))])
        await connection.execute(insert(OptOutRow).values(guild_id=1, user_id=9, since=START))
    edition = await compiled(community)
    assert (edition.community.messages, edition.community.authors, edition.community.introductions.count) == (1, 1, 0)
    assert edition.community.joins.count == 1
    assert edition.community.joins.silent_user_ids == ()
    assert "Zed" not in json.dumps(to_json(edition))


async def test_a_forward_is_credited_to_who_wrote_it_or_not_quoted(community: Store) -> None:
    def forwarded(hours: float, author_id: int | None) -> Message:
        origin = Forward(message_id=1, channel_id=2, guild_id=3, author_id=author_id)
        return dataclasses.replace(said(hours, author=9, reactions=30), forward=origin, author_name="Forwarder")

    await keep(community, forwarded(1, None), forwarded(2, 1), forwarded(3, 77), forwarded(4, 8))
    async with community.write() as connection:
        await connection.execute(insert(OptOutRow).values(guild_id=0, user_id=8, since=START))
    edition = await compiled(community)
    assert sorted(h.authors for h in edition.community.highlights) == [("Ana",), ("someone",)]
    assert "Forwarder" not in json.dumps(to_json(edition))


async def test_a_forward_of_the_week_is_told_once_where_it_was_said(community: Store) -> None:
    original = said(1, author=1, reactions=6)
    origin = Forward(message_id=original.message_id, channel_id=GENERAL, guild_id=1, author_id=1)
    forward = dataclasses.replace(said(3, author=2, channel=THREAD, reactions=30), forward=origin)
    await keep(community, original, forward)
    edition = await compiled(community)
    assert [h.message_ids for h in edition.community.highlights] == [(original.message_id,)]
    assert edition.community.highlights[0].channel_id == GENERAL


async def test_a_forward_out_of_a_closed_channel_is_not_quoted(community: Store) -> None:
    origin = Forward(message_id=7, channel_id=SECRET, guild_id=1, author_id=1)
    await keep(community, dataclasses.replace(said(3, author=2, reactions=30), forward=origin))
    assert not (await compiled(community)).community.highlights


async def test_joins_that_nobody_could_see_are_not_zero(community: Store) -> None:
    await keep(community, said(1))
    assert not (await compiled(community)).community.joins.available
    async with community.write() as connection:
        await members.store_joins(connection, [Join(guild_id=1, user_id=9, joined_at=START - timedelta(days=9))])
    joins = (await compiled(community)).community.joins
    assert (joins.available, joins.count) == (True, 0)


async def test_a_welcome_channel_that_is_not_recorded_does_not_make_joins_known(community: Store) -> None:
    channels = ChannelSettings(introductions="introductions", welcome="secret")
    settings = SETTINGS.model_copy(update={"channels": channels})
    assert not (await compiled(community, settings)).community.joins.available
    async with community.write() as connection:
        await coverage.add_coverage(connection, 1, SECRET, WEEK.start, WEEK.end)
    assert (await compiled(community, settings)).community.joins.available


async def test_a_week_without_anything_is_an_edition_too(community: Store) -> None:
    edition = await compiled(community)
    assert edition.sections == ()
    assert edition.community.messages == 0
    assert [day.messages for day in edition.community.days] == [0] * 7


async def test_days_are_those_of_the_guilds_time_zone(community: Store) -> None:
    await keep(community, said(1), said(23), said(24 * 6.9))
    tokyo = Period(START, WEEK.end, "Asia/Tokyo")
    async with community.read() as connection:
        found = await gather(connection, guild_id=1, settings=SETTINGS, period=tokyo)
    days = assemble(found, (), settings=SETTINGS, period=tokyo).community.days
    assert [(d.date.day, d.messages) for d in days] == [
        (4, 1),
        (5, 1),
        (6, 0),
        (7, 0),
        (8, 0),
        (9, 0),
        (10, 0),
        (11, 1),
    ]


async def test_what_was_not_read_is_named(community: Store) -> None:
    gap = Gap(guild_id=1, channel_id=GENERAL, start=START, end=START + timedelta(hours=1), reason="offline")
    async with community.write() as connection:
        await coverage.add_coverage(connection, 1, GENERAL, WEEK.start, WEEK.end)
        await coverage.note_gaps(connection, [gap, dataclasses.replace(gap, channel_id=SECRET)])
        await guilds.note_unreadable(connection, INTRODUCTIONS, "Missing Access")
    found = (await compiled(community)).coverage
    assert (found.channels_read, found.channels_unreadable) == (1, ("introductions",))
    assert [(g.channel_id, g.recovered) for g in found.gaps] == [(GENERAL, False)]


async def test_with_github_down_people_still_speak_of_items(community: Store) -> None:
    await keep(community, said(1, f"#7: {LONG}", reactions=30))
    edition = await compile_edition(
        community, guild_id=1, settings=SETTINGS, period=WEEK, github=SyncReport("unavailable", ("It is down.",))
    )
    assert [h.references for h in edition.community.highlights] == [("o/open#7",)]
    assert (edition.coverage.github, edition.coverage.notes) == ("unavailable", ("It is down.",))


async def test_without_a_sync_the_edition_says_so(community: Store) -> None:
    edition = await compile_edition(community, guild_id=1, settings=SETTINGS, period=WEEK)
    assert edition.coverage.github == "unavailable"


async def test_an_unknown_guild_is_an_error(sqlite_store: Store) -> None:
    with pytest.raises(NotFoundError):
        await compile_edition(sqlite_store, guild_id=404, settings=SETTINGS, period=WEEK)


@pytest.mark.parametrize(
    ("title", "language", "expected"),
    [
        ("{guild}: Week of {week}", "en", "Guild: Week of May 4th"),
        ("{repository}, {week}", "de", "o/open, 4. Mai"),
        ("{week}", "not-a-language", "May 4th"),
    ],
)
def test_titles(title: str, language: str, expected: str) -> None:
    settings = SETTINGS.model_copy(update={"edition": EditionSettings(title=title, language=language)})
    assert title_of(settings, "Guild", WEEK) == expected


def test_the_week_of_themes_tells_every_fact_of_its_community() -> None:
    edition, facts = edition_of(AUGUST), load(AUGUST, "expected.json")["community"]
    community = edition.community
    assert {str(p.user_id) for p in community.introductions.people} == {
        p["user_id"] for p in facts["introductions"]["people"]
    }
    assert community.joins.count == facts["joined_in_window"]
    assert set(map(str, community.joins.silent_user_ids)) == set(facts["silent_joins"]["user_ids"])
    shown = {str(m) for m in told(edition)}
    assert {m for mention in facts["channel_mentions"] for m in mention["message_ids"]} <= shown
    assert len(community.highlights) <= len(facts["channel_mentions"])
    assert {(e.date.isoformat(), str(e.message_id)) for e in community.events} == {
        (e["date"], e["message_id"]) for e in facts["events"]
    }


@pytest.mark.parametrize("week", [AUGUST, MARCH])
def test_an_example_week_shows_every_cited_item_in_its_state(week: str) -> None:
    expected = load(week, "expected.json")
    edition = edition_of(week)
    items = {item.reference: item for section in edition.sections for item in section.items}
    epics = {section.epic.reference for section in edition.sections if section.epic}
    assert {c["reference"] for c in expected["cited_references"]} <= items.keys() | epics
    states = {
        reference: state
        for state in ("open", "draft", "merged", "closed")
        for reference in expected["states_at_window_end"].get(state, ())
    }
    assert {reference: items[reference].state for reference in states} == states


@pytest.mark.parametrize("week", [AUGUST, MARCH])
def test_every_item_message_and_count_is_a_fact(week: str) -> None:
    edition = edition_of(week)
    facts = edition.facts
    for section in edition.sections:
        for item in section.items:
            assert f"State: {item.state}" in facts[item.reference].text
            assert all(f"{item.reference}/comment/{c.comment_id}" in facts for c in item.comments)
    for highlight in edition.community.highlights:
        assert all(m.text in facts[f"message/{m.message_id}"].text for m in highlight.messages)
    for person in edition.community.introductions.people:
        assert all(f"message/{m}" in facts for m in person.message_ids)
    assert facts["count/introductions"].text == str(edition.community.introductions.count)
    assert json.loads(json.dumps(to_json(edition)))["format"] == "gazette.edition/1"
