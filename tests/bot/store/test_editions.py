"""Editions and their parts, as they are stored."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from bot.model.parts import Part, PartFile, Place
from bot.model.publication import EditionStatus, MadeEdition, Source
from bot.model.schedule import Period
from bot.store import editions, edits, parts, sources
from bot.store.engine import Store

NOW = datetime(2026, 8, 31, 9, tzinfo=UTC)
WEEK = Period(NOW - timedelta(days=7), NOW, "Europe/Berlin")
HEAD = Part(Place.HEAD, "# The week", (PartFile("edition.md", b"# The week\n"), PartFile("joins.png", b"png", "Joins")))
SUMMARY = Part(Place.SUMMARY, "A story.")


def made(
    *, guild_id: int = 1, period: Period = WEEK, told: tuple[Part, ...] = (HEAD, SUMMARY), **more: object
) -> MadeEdition:
    values = {
        "title": "The week",
        "document": {"period": {"timezone": period.timezone}, "guild": {"id": str(guild_id)}},
        "markdown": "# The week\n",
        "html": "<h1>The week</h1>",
        "sources": (Source(message_id=10, user_id=100), Source(message_id=11, user_id=101)),
    }
    return MadeEdition(guild_id=guild_id, period=period, parts=told, **(values | more))  # type: ignore[arg-type]


async def stored(store: Store, edition: MadeEdition | None = None) -> int:
    async with store.write() as connection:
        return await editions.store_edition(connection, edition or made(), at=NOW)


async def publish(store: Store, edition_id: int) -> None:
    async with store.write() as connection:
        await editions.set_status(
            connection, edition_id, EditionStatus.PUBLISHED, expected=[EditionStatus.DRAFT], published_at=NOW
        )
        for part in await parts.parts_of(connection, edition_id):
            await parts.confirm_part(
                connection, edition_id, part.ordinal, channel_id=5, message_id=50 + part.ordinal, at=NOW
            )


async def test_an_edition_comes_back_as_it_was_stored(store: Store) -> None:
    edition_id = await stored(store, made(ping_role_id=7))
    async with store.read() as connection:
        edition = await editions.fetch_edition(connection, edition_id)
        assert edition == await editions.edition_for(connection, 1, WEEK)
        head, summary = await parts.parts_of(connection, edition_id)
        assert await sources.sources_of(connection, edition_id) == list(made().sources)
    assert (edition.title, edition.status, edition.revision) == ("The week", EditionStatus.DRAFT, 1)
    assert edition.period == WEEK
    assert (head.place, head.content, head.files, head.ping_role_id) == (Place.HEAD, HEAD.content, HEAD.files, 7)
    assert (summary.place, summary.content, summary.files, summary.ping_role_id) == (
        Place.SUMMARY,
        "A story.",
        (),
        None,
    )
    assert head.nonce != summary.nonce
    assert len(head.nonce) <= 25


async def test_making_a_draft_anew_replaces_it_and_keeps_the_nonces(store: Store) -> None:
    first = await stored(store)
    async with store.read() as connection:
        before = await parts.parts_of(connection, first)
    assert await stored(store, made(told=(SUMMARY,), sources=())) == first
    async with store.read() as connection:
        edition = await editions.fetch_edition(connection, first)
        (only,) = await parts.parts_of(connection, first)
        assert await sources.sources_of(connection, first) == []
    assert edition.revision == 2
    assert (only.content, only.files, only.nonce) == ("A story.", (), before[0].nonce)


async def test_an_edition_that_is_being_published_is_not_replaced(store: Store) -> None:
    edition_id = await stored(store)
    async with store.write() as connection:
        assert await editions.set_status(
            connection, edition_id, EditionStatus.PUBLISHING, expected=[EditionStatus.DRAFT]
        )
        assert not await editions.set_status(connection, edition_id, EditionStatus.HELD, expected=[EditionStatus.DRAFT])
    assert await stored(store, made(title="Another", told=(SUMMARY,))) == edition_id
    async with store.read() as connection:
        assert (await editions.fetch_edition(connection, edition_id)).title == "The week"
        assert len(await parts.parts_of(connection, edition_id)) == 2


async def test_the_first_attempt_of_a_part_is_the_one_kept(sqlite_store: Store) -> None:
    edition_id = await stored(sqlite_store)
    async with sqlite_store.write() as connection:
        await parts.note_attempt(connection, edition_id, 0, channel_id=5, after_id=40)
        await parts.note_attempt(connection, edition_id, 0, channel_id=5, after_id=45)
        assert (await parts.parts_of(connection, edition_id))[0].after_id == 40


async def test_a_change_to_a_quoted_message_or_its_author_finds_the_edition(store: Store) -> None:
    first, second = await stored(store), await stored(store, made(guild_id=2))
    other = await stored(store, made(guild_id=3, sources=()))
    async with store.write() as connection:
        for edition_id in (first, second, other):
            await editions.set_status(
                connection, edition_id, EditionStatus.PUBLISHED, expected=[EditionStatus.DRAFT], published_at=NOW
            )
            for part in await parts.parts_of(connection, edition_id):
                await parts.confirm_part(connection, edition_id, part.ordinal, channel_id=5, message_id=50, at=NOW)
        assert await editions.unsettled_editions(connection) == []
        assert await sources.messages_changed(connection, [10, 99], reason="edited", at=NOW) == [first, second]
        assert await sources.user_withdrew(connection, 101, guild_id=2, reason="left", at=NOW) == [second]
        assert await sources.user_withdrew(connection, 999, guild_id=None, reason="left", at=NOW) == []
        assert await editions.unsettled_editions(connection) == [first, second]


async def test_somebody_who_is_only_counted_is_found_as_well(store: Store) -> None:
    counted = await stored(store, made(sources=(), document={"community": {"joins": {"silent_user_ids": ["101"]}}}))
    await stored(store, made(guild_id=2, sources=(), document={"community": {"joins": {"silent_user_ids": ["1012"]}}}))
    async with store.write() as connection:
        found = await sources.user_withdrew(connection, 101, guild_id=None, reason="left", at=NOW)
    assert found == [counted]


async def test_a_change_that_comes_while_an_edition_is_made_anew_stays_noted(store: Store) -> None:
    edition_id = await stored(store)
    await publish(store, edition_id)
    async with store.write() as connection:
        await sources.messages_changed(connection, [10], reason="edited", at=NOW)
        seen = (await editions.fetch_edition(connection, edition_id)).stale_since
        await sources.messages_changed(connection, [11], reason="deleted", at=NOW)
        await editions.amend_edition(connection, edition_id, made(title="Anew"), seen=seen)
        assert (await editions.fetch_edition(connection, edition_id)).stale_reason == "deleted"
        seen = (await editions.fetch_edition(connection, edition_id)).stale_since
        await editions.amend_edition(connection, edition_id, made(title="Anew"), seen=seen)
        edition = await editions.fetch_edition(connection, edition_id)
        assert (edition.stale_since, edition.title, edition.revision) == (None, "Anew", 3)
        assert await editions.unsettled_editions(connection) == []


async def test_a_part_not_yet_right_on_discord_is_unsettled_until_it_is_or_is_gone(sqlite_store: Store) -> None:
    edition_id = await stored(sqlite_store)
    await publish(sqlite_store, edition_id)
    async with sqlite_store.write() as connection:
        await parts.change_part(connection, edition_id, 0, "Shorter", (PartFile("new.md", b"new"),))
        changed = (await parts.parts_of(connection, edition_id))[0]
        assert (changed.content, changed.files, changed.pending) == ("Shorter", (PartFile("new.md", b"new"),), True)
        assert await editions.unsettled_editions(connection) == [edition_id]
        await parts.settle_part(connection, edition_id, 0)
        assert await editions.unsettled_editions(connection) == []
        await parts.add_part(connection, edition_id, 2, Place.SUMMARY, "More.", ())
        assert await editions.unsettled_editions(connection) == [edition_id]
        await parts.lose_part(connection, edition_id, 2, at=NOW)
        assert await editions.unsettled_editions(connection) == []
        await parts.drop_part(connection, edition_id, 0)
        assert [part.ordinal for part in await parts.parts_of(connection, edition_id)] == [1, 2]


async def test_the_archive_shows_what_was_made_public_and_published(sqlite_store: Store) -> None:
    earlier = Period(WEEK.start - timedelta(days=7), WEEK.start)
    old, new, secret = (
        await stored(sqlite_store, made(period=earlier)),
        await stored(sqlite_store),
        await stored(sqlite_store, made(guild_id=2)),
    )
    draft = await stored(sqlite_store, made(guild_id=3))
    for edition_id in (old, new, secret):
        await publish(sqlite_store, edition_id)
    async with sqlite_store.write() as connection:
        for edition_id in (old, new, draft):
            await editions.set_public(connection, edition_id, True)
        assert [e.edition_id for e in await editions.public_editions(connection)] == [new, old]
        assert await editions.public_editions(connection, 2) == []
        assert [e.edition_id for e in await editions.history(connection, 1)] == [new, old]
        assert len(await editions.earlier_documents(connection, 1, WEEK.start)) == 1
        await editions.delete_edition(connection, new)
        assert [e.edition_id for e in await editions.history(connection, 1)] == [old]
        assert await parts.parts_of(connection, new) == []


async def test_a_moderators_edit_is_kept_until_it_is_undone(sqlite_store: Store) -> None:
    async with sqlite_store.write() as connection:
        first = await edits.store_edit(
            connection, guild_id=1, period_start=WEEK.start, user_id=9, kind="drop", data={"reference": "o/r#1"}, at=NOW
        )
        second = await edits.store_edit(
            connection, guild_id=1, period_start=WEEK.start, user_id=9, kind="note", data={"text": "Hi"}, at=NOW
        )
        assert [edit[:2] for edit in await edits.edits_of(connection, 1, WEEK.start)] == [
            (first, "drop"),
            (second, "note"),
        ]
        assert await edits.undo_edit(connection, first, NOW)
        assert not await edits.undo_edit(connection, first, NOW)
        assert await edits.edits_of(connection, 1, WEEK.start) == [(second, "note", {"text": "Hi"})]
