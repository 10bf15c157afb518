"""Who opted out or had everything erased is nowhere: in no table, post, page, log or byte, whatever the way in."""

from __future__ import annotations

import json
import shutil
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import aiohttp
import pytest

from bot.app import App
from bot.capture.importer import import_file
from bot.errors import ConflictError, SettingsError
from bot.store import editions, privacy
from bot.web.app import create_app, serving
from tests.privacy_fixtures import (
    ADA,
    GENERAL,
    GUILD,
    INTRODUCTIONS,
    MAY_POINT_THERE,
    NOW,
    SAID,
    START,
    Community,
    a_community,
    a_week,
    leave_more_traces,
    left_in,
    left_in_files,
    left_in_tables,
    publish,
    running,
    settle,
)

ME = int(ADA["id"])


WHERE_A_PERSON_STANDS = frozenset(
    {
        "messages.author_id", "messages.author_name", "messages.content", "messages.mentioned_user_ids",
        "members.user_id", "members.global_name", "joins.user_id", "tags.note", "suggestions.user_id",
        "introduction_marks.marked_by", "actions.user_id", "actions.data", "identity_links.user_id",
        "scheduled_events.creator_id", "guild_settings.updated_by", "model_answers.answer", "notices.text",
        "channels.name", "edits.user_id", "edits.data", "editions.document", "editions.markdown", "editions.html",
        "edition_sources.message_id", "parts.content", "part_files.content",
    }
)  # fmt: skip
"""As table.column; a search that found nothing beforehand would prove nothing afterwards."""


@pytest.fixture
async def community() -> AsyncIterator[Community]:
    async with a_community() as made:
        yield made


async def pages(app: App) -> list[str]:
    """Every page of the archive."""
    found = []
    async with serving(create_app(app.store), host="127.0.0.1", port=0) as url, aiohttp.ClientSession() as session:
        async with app.store.read() as connection:
            public = await editions.public_editions(connection, GUILD)
        paths = ["/", "/feed.atom", f"/guilds/{GUILD}/", f"/guilds/{GUILD}/feed.atom"]
        paths += [f"/editions/{each.edition_id}{form}" for each in public for form in ("", ".md", ".json")]
        for path in paths:
            async with session.get(url + path) as answer:
                found.append(await answer.text())
    return found


async def assert_nothing_left(app: App, community: Community) -> None:
    assert await left_in_tables(app.store, community.needles) == []
    assert left_in(community.posted(), community.needles) == []
    assert left_in(await pages(app), community.needles) == []


async def test_erasure_leaves_no_trace_anywhere(
    community: Community, database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", logger="bot")
    async with running(community, database_url, pictures=True) as app:
        await a_week(app, community)
        edition_id = await publish(app, community)
        await leave_more_traces(app, community)
        before = {each.split(":")[0] for each in await left_in_tables(app.store, community.needles)}
        assert before >= WHERE_A_PERSON_STANDS
        assert left_in(community.posted(), ["zebrafish", "Adalind Quux", "accordion"]) != []
        assert left_in(await pages(app), ["Adalind Quux"]) != []

        done = await app.privacy.erase(ME)

        assert (done.messages, done.posted) == (len(community.said), 1)
        assert await left_in_tables(app.store, community.needles) == []
        await app.publishing.amender.settle_all()
        await assert_nothing_left(app, community)
        exported = [
            json.dumps({name: row[name] for name in row.keys() - MAY_POINT_THERE}, ensure_ascii=False)
            async for _, row in app.export_guild(GUILD)
        ]
        assert left_in(exported, community.needles) == []
        if app.store.is_sqlite:
            assert done.file_is_clean
            await app.store.compact()
            assert left_in_files(database_url, community.needles) == []
        edition, _ = await app.publishing.show(edition_id)
        assert edition.stale_since is None
        assert "Bob" in json.dumps(edition.document) or edition.document["community"]["messages"] >= 2
        logged = [record.getMessage() + str(record.__dict__) for record in caplog.records]
        assert left_in(logged, ["zebrafish", "accordion", "Adalind Quux", "adalindq"]) == []


async def test_who_was_erased_stays_out_by_every_way_in(community: Community, tmp_path: Path, sqlite_url: str) -> None:
    world, clock = community.server.world, community.clock
    async with running(community, sqlite_url) as app:
        await a_week(app, community)
        await publish(app, community)
        await app.privacy.erase(ME)
        await app.publishing.amender.settle_all()
        # live
        clock.set(clock.now() + timedelta(minutes=1))
        said = community.ada_says(GENERAL, SAID)
        proxy = {"id": "9100", "username": "A.Q.", "bot": True}
        world.create_message(
            GENERAL, author=proxy, webhook_id="9100", application_id="466378653216014359", content=SAID
        )
        world.delete_message(GENERAL, said)
        community.said.remove(said)  # that some message was deleted is kept, without its author
        said = community.ada_says(GENERAL, SAID)
        world.edit_message(GENERAL, community.said[1], content=SAID + " indeed")
        reference = {"message_id": str(said), "channel_id": str(GENERAL), "guild_id": str(GUILD)}
        community.bob_says(f"> {SAID}\n<@{ME}> nice", mentions=[ADA])
        community.bob_says(f"> {SAID}\nnice", type=19, message_reference=reference)
        snapshot = [{"message": {"content": SAID, "type": 0}}]
        community.bob_says("", message_reference={**reference, "type": 1}, message_snapshots=snapshot)
        world.add_reaction(GENERAL, community.bob_says("fine"), "📌", ME)
        world.update_member(GUILD, ME, nick="Adalind Quux")
        world.remove_member(GUILD, ME)
        world.add_member(GUILD, ADA, joined_at=clock.now())
        world.create_thread(GENERAL, message_id=said, name="The bandoneon again", owner_id=str(ME))
        world.update_guild(GUILD, owner_id=str(ME))
        await settle(app, community)
        await assert_nothing_left(app, community)
        # read back, member by member and message by message
        for channel_id in (GENERAL, INTRODUCTIONS):
            await app.read_back.backfill(GUILD, channel_id, START - timedelta(days=1), clock.now())
        await settle(app, community)
        await assert_nothing_left(app, community)
    # a new session, with the guild and its member list as they are now
    async with running(community, sqlite_url) as app:
        await assert_nothing_left(app, community)
        # an export of the channel
        export = {
            "guild": {"id": str(GUILD), "name": "Test guild"},
            "channel": {"id": str(GENERAL), "name": "general", "type": "GuildTextChat"},
            "messages": [
                {
                    "id": str(each),
                    "type": "Default",
                    "timestamp": "2026-08-25T10:00:00+00:00",
                    "content": SAID,
                    "author": {"id": str(ME), "name": "adalindq", "isBot": False},
                }
                for each in community.said
            ],
        }
        (tmp_path / "export.json").write_text(json.dumps(export))
        report = await import_file(app.store, tmp_path / "export.json", exclusions=app.exclusions)
        assert report.left_out == len(community.said)
        # a recording, with a thread of theirs
        thread = {"id": "201", "type": 11, "parent_id": str(GENERAL), "name": "Old bandoneons", "owner_id": str(ME)}
        recording = {
            "guild": export["guild"],
            "channels": [{"id": str(GENERAL), "type": 0, "name": "general"}, thread],
            "messages": [],
        }
        (tmp_path / "recording.json").write_text(json.dumps(recording))
        await import_file(app.store, tmp_path / "recording.json", exclusions=app.exclusions)
        await assert_nothing_left(app, community)
        await app.store.compact()
        assert left_in_files(sqlite_url, community.needles) == []


async def test_a_restored_backup_does_not_bring_somebody_back(
    community: Community, tmp_path: Path, sqlite_url: str
) -> None:
    path, backup = tmp_path / "gazette.sqlite3", tmp_path / "backup"
    async with running(community, sqlite_url) as app:
        await a_week(app, community)
        await publish(app, community)
        await app.store.compact()
        shutil.copyfile(path, backup)
        await app.privacy.erase(ME)
        await app.publishing.amender.settle_all()
    for beside in ("-wal", "-shm"):
        Path(f"{path}{beside}").unlink(missing_ok=True)
    shutil.copyfile(backup, path)
    async with running(community, sqlite_url) as app:
        assert await left_in_tables(app.store, community.needles) == []
        await app.publishing.amender.settle_all()
        await assert_nothing_left(app, community)
        assert left_in_files(sqlite_url, community.needles) == []


async def test_a_lost_key_is_noticed_before_anybody_comes_back(community: Community, sqlite_url: str) -> None:
    async with running(community, sqlite_url, secret_key="the key") as app:
        await app.privacy.erase(ME)
    with pytest.raises(SettingsError, match="GAZETTE_SECRET_KEY"):
        async with running(community, sqlite_url, secret_key="another"):
            pass
    async with running(community, sqlite_url, secret_key="the key") as app:
        assert app.exclusions.is_excluded(GUILD, ME)


async def test_opting_out_holds_at_once_in_one_guild_and_can_be_taken_back(
    community: Community, sqlite_url: str
) -> None:
    async with running(community, sqlite_url) as app:
        await a_week(app, community)
        await publish(app, community)
        done = await app.privacy.opt_out(ME, GUILD)
        assert done.messages == len(community.said)
        await app.publishing.amender.settle_all()
        left = await left_in_tables(app.store, community.needles)
        assert left == [f"opt_outs.user_id: {ME}"], left
        assert left_in(community.posted(), community.needles) == []
        assert left_in(await pages(app), community.needles) == []
        with pytest.raises(ConflictError):
            await app.privacy.opt_out(ME, GUILD)
        said = community.ada_says(GENERAL, SAID)
        await settle(app, community)
        with pytest.raises(Exception, match="does not want to appear"):
            await app.tagging.tag(GUILD, GENERAL, said, by=5, source="menu")
        await app.read_back.backfill(GUILD, GENERAL, START, NOW + timedelta(days=1))
        assert await left_in_tables(app.store, community.needles) == [f"opt_outs.user_id: {ME}"]
        await app.privacy.opt_in(ME, GUILD)
        community.ada_says(GENERAL, "I am back with the xylophone")
        await settle(app, community)
        assert any("messages.content: xylophone" in each for each in await left_in_tables(app.store, ["xylophone"]))
        with pytest.raises(ConflictError):
            await app.privacy.opt_in(ME, GUILD)


async def test_an_opt_out_by_another_process_holds_from_its_commit(community: Community, database_url: str) -> None:
    async with running(community, database_url) as app:
        async with app.store.write() as connection:
            await privacy.opt_out(connection, GUILD, ME, at=NOW)
        community.ada_says(GENERAL, SAID)
        await settle(app, community)
        assert await left_in_tables(app.store, ["zebrafish"]) == []


async def test_drafts_in_the_review_channel_lose_who_withdrew_before_and_after_posting(
    community: Community, sqlite_url: str
) -> None:
    async with running(community, sqlite_url) as app:
        await app.publishing.settings_changed(GUILD)
        await a_week(app, community)
        draft = await app.reviews.show_next(GUILD)
        assert left_in(community.posted(), ["zebrafish", "Adalind Quux"]) != []
        await app.privacy.opt_out(ME, GUILD)
        await app.reviews._step()
        assert left_in(community.posted(), community.needles) == []
        await app.privacy.opt_in(ME, GUILD)
        await app.read_back.backfill(GUILD, GENERAL, START, NOW)
        await app.reviews.rebuild(GUILD, draft.edition.edition_id, (await app.reviews.draft(1)).edition.revision)
        await app.publishing.publisher.publish(draft.edition.edition_id)
        assert left_in(community.posted(), ["zebrafish"]) != []
        await app.privacy.erase(ME)
        await app.publishing.amender.settle_all()
        await app.reviews._step()
        await settle(app, community)
        await assert_nothing_left(app, community)


async def test_an_edition_whose_sources_are_gone_loses_who_withdrew(community: Community, sqlite_url: str) -> None:
    async with running(community, sqlite_url) as app:
        await a_week(app, community)
        edition_id = await publish(app, community)
        community.clock.set(NOW + timedelta(days=200))
        await app.sweeper.sweep()
        before, _ = await app.publishing.show(edition_id)
        assert "Adalind Quux" in before.markdown
        await app.privacy.erase(ME)
        await app.publishing.amender.settle_all()
        await assert_nothing_left(app, community)
        edition, _ = await app.publishing.show(edition_id)
        assert edition.document["community"]["messages"] == before.document["community"]["messages"]


async def test_the_export_holds_everything_of_the_person_and_nothing_of_others(
    community: Community, sqlite_url: str
) -> None:
    async with running(community, sqlite_url) as app:
        await a_week(app, community)
        await publish(app, community)
        data = await app.privacy.export(ME)
        text = json.dumps(data, ensure_ascii=False)
        assert {"messages", "members", "joins", "suggestions", "identity_links", "told_in_editions"} <= data.keys()
        assert all(needle in text for needle in community.needles)
        assert "how long did it take" not in text
