"""Files become the same record as if the bot had been there, however often they are read."""

from __future__ import annotations

import gc
import json
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.capture import importer
from bot.capture.importer import ImportReport, import_file
from bot.errors import InputError
from bot.model.messages import MessageType, Speaker
from bot.model.settings import parse_settings
from bot.model.snowflakes import first_id_at
from bot.store import guilds, members, privacy
from bot.store.engine import Store
from tests.capture_fixtures import references_of, stored_messages
from tests.conftest import EXAMPLES

GUILD, CHANNEL = 1191168914227200001, 1191168914227200002
FIRST = 1542701554660936661


def exported(number: int, **fields: Any) -> dict[str, Any]:
    return {
        "id": str(FIRST + (number << 22)),
        "type": "Default",
        "timestamp": "2026-08-28T01:05:12.64+00:00",
        "timestampEdited": None,
        "isPinned": False,
        "content": f"message {number}, see #{number}",
        "author": {"id": "300", "name": "ada", "discriminator": "0000", "nickname": "Ada", "isBot": False, "roles": []},
        "attachments": [],
        "embeds": [],
        "stickers": [],
        "reactions": [],
        "mentions": [],
    } | fields


def export(*records: Any, **channel: Any) -> dict[str, Any]:
    return {
        "guild": {"id": str(GUILD), "name": "A guild", "iconUrl": "https://cdn.example.org/i.png"},
        "channel": {
            "id": str(CHANNEL),
            "type": "GuildTextChat",
            "categoryId": "7",
            "category": "Talk",
            "name": "general",
            "topic": None,
        }
        | channel,
        "dateRange": {"after": None, "before": None},
        "exportedAt": "2026-08-30T00:00:00+00:00",
        "messages": list(records),
        "messageCount": len(records),
    }


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def written(document: Any, name: str = "export.json") -> Path:
        path = tmp_path / name
        path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
        return path

    return written


async def settled(store: Store) -> None:
    settings = parse_settings('[github]\nrepositories = ["o/r"]\n')
    async with store.write() as connection:
        await guilds.store_settings(connection, GUILD, settings, at=datetime(2026, 8, 1, tzinfo=UTC))


async def test_an_export_is_read_as_discord_would_have_told_it(store: Store, write: Any) -> None:
    await settled(store)
    path = write(
        export(
            exported(1),
            exported(
                2,
                type="Reply",
                timestampEdited="2026-08-28T02:00:00+00:00",
                reference={"messageId": str(FIRST + (1 << 22)), "channelId": str(CHANNEL), "guildId": str(GUILD)},
                reactions=[{"emoji": {"id": "", "name": "🎉", "code": "tada"}, "count": 3, "users": []}],
                attachments=[{"id": "5", "url": "https://cdn.example.org/x", "fileName": "x.png", "fileSizeBytes": 9}],
            ),
            exported(3, type="GuildMemberJoin", content="Joined the server.", author=_person(301, "bob")),
            exported(4, author=_person(9001, "Feed", bot=True, discriminator="0000")),
            exported(5, author=_person(9002, "Helper", bot=True, discriminator="1234")),
            exported(6, type="21", content=""),
            exported(7, content="", forwardedMessage={"content": "from afar #9", "attachments": [], "embeds": []}),
        )
    )
    report = await import_file(store, path)
    assert (report.guild_id, report.messages, report.skipped) == (GUILD, 7, [])
    stored = [message for _, message in sorted((await stored_messages(store)).items())]
    assert [message.message_type for message in stored] == [0, 19, 7, 0, 0, 21, 0]
    assert [message.speaker for message in stored[3:5]] == [Speaker.WEBHOOK, Speaker.BOT]
    assert stored[1].reply_to_id == stored[0].message_id
    assert stored[1].edited_at == datetime(2026, 8, 28, 2, tzinfo=UTC)
    assert stored[1].reactions == (("🎉", 3),)
    assert stored[1].attachments[0].filename == "x.png"
    assert stored[2].content == ""
    assert stored[6].content == "from afar #9"
    assert stored[6].forward is not None
    assert await references_of(store, stored[0].message_id) == {"o/r#1"}
    async with store.read() as connection:
        stays = await members.stays_of(connection, GUILD, [301])
    assert stays[301][0].joined_at == stored[2].created_at


def _person(user_id: int, name: str, *, bot: bool = False, discriminator: str = "0000") -> dict[str, Any]:
    return {"id": str(user_id), "name": name, "discriminator": discriminator, "nickname": name, "isBot": bot}


async def test_a_second_import_changes_nothing(store: Store, write: Any) -> None:
    path = write(export(*(exported(number) for number in range(50))))
    await import_file(store, path)
    before = await stored_messages(store)
    await import_file(store, path)
    assert await stored_messages(store) == before
    assert len(before) == 50


async def test_an_older_export_does_not_undo_an_edit(sqlite_store: Store, write: Any) -> None:
    newer = exported(1, content="new words", timestampEdited="2026-08-28T03:00:00+00:00")
    await import_file(sqlite_store, write(export(newer), "newer.json"))
    await import_file(sqlite_store, write(export(exported(1, content="old words")), "older.json"))
    assert [message.content for message in (await stored_messages(sqlite_store)).values()] == ["new words"]


@pytest.mark.parametrize(("made", "count"), [("2026-08-29T00:00:00+00:00", 3), ("2026-08-31T00:00:00+00:00", 1)])
async def test_counts_of_reactions_are_those_of_the_newer_file(
    sqlite_store: Store, write: Any, made: str, count: int
) -> None:
    def document(number: int, made: str) -> dict[str, Any]:
        reactions = [{"emoji": {"id": "", "name": "🎉"}, "count": number}]
        last = exported(2, id=str(first_id_at(datetime(2026, 8, 30, tzinfo=UTC))))
        return export(exported(1, reactions=reactions), last) | {"exportedAt": made}

    await import_file(sqlite_store, write(document(3, "2026-08-30T00:00:00+00:00")))
    await import_file(sqlite_store, write(document(1, made)))
    stored = await stored_messages(sqlite_store)
    assert stored[min(stored)].reactions == (("🎉", count),)


async def test_a_bad_record_is_named_by_its_position_and_skipped_only_when_asked(
    sqlite_store: Store, write: Any
) -> None:
    path = write(export(exported(1), {"id": "12", "content": "no author"}, exported(3)))
    with pytest.raises(
        InputError, match=r"export\.json: messages\[1\] \(message 12\).*'author' is missing.*--skip-bad"
    ):
        await import_file(sqlite_store, path)
    report = await import_file(sqlite_store, path, skip_bad=True)
    assert report.messages == 2
    assert report.skipped == ["messages[1] (message 12) cannot be read: 'author' is missing"]


@pytest.mark.parametrize("number", ["-5", str(1 << 63), "12a", None])
async def test_an_id_that_is_none_is_a_bad_record(sqlite_store: Store, write: Any, number: str | None) -> None:
    path = write(export(exported(1), exported(2) | {"id": number}, exported(3) | {"author": {"id": number}}))
    report = await import_file(sqlite_store, path, skip_bad=True)
    assert len(await stored_messages(sqlite_store)) == 1
    assert [told.partition(" ")[0] for told in report.skipped] == ["messages[1]", "messages[2]"]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("captured", {"start": "yesterday"}),
        ("guild", {"id": "9" * 40, "name": "Far"}),
        ("messages", [{"type": [None]}]),
    ],
)
async def test_a_recording_with_what_nobody_could_store_is_one_clear_line(
    sqlite_store: Store, write: Any, key: str, value: Any
) -> None:
    said = {"id": "5", "channel_id": "2", "type": 0, "content": "hello", "author": {"id": "3", "username": "ann"}}
    recording: dict[str, Any] = {"guild": {"id": "1", "name": "G"}, "channels": [], "roles": [], "messages": [said]}
    broken = recording | {key: [said | value[0]] if key == "messages" else value}
    await import_file(sqlite_store, write(recording, "whole.json"))
    with pytest.raises(InputError, match=r"broken\.json: .* cannot be read"):
        await import_file(sqlite_store, write(broken, "broken.json"))


async def test_messages_that_are_no_list_are_no_empty_file(sqlite_store: Store, write: Any) -> None:
    with pytest.raises(InputError, match=r"export\.json: messages is no list"):
        await import_file(sqlite_store, write(export() | {"messages": {"1": exported(1)}}))


@pytest.mark.parametrize("cut", [False, True], ids=["a bad record", "a file that is cut off"])
async def test_what_came_before_a_bad_place_is_stored(
    sqlite_store: Store, write: Any, monkeypatch: pytest.MonkeyPatch, *, cut: bool
) -> None:
    monkeypatch.setattr(importer, "BATCH", 10)
    records = [exported(number) for number in range(25)]
    text = json.dumps(export(*records, {"id": "12"}))
    path = write(text[: text.index('{"id": "12"}')] if cut else text)
    told: list[int] = []
    with pytest.raises(InputError):
        await import_file(sqlite_store, path, progress=lambda _read, stored: told.append(stored))
    assert told == [10, 20, 25]
    assert len(await stored_messages(sqlite_store)) == 25


@pytest.mark.parametrize(
    "text",
    [
        '{"guild": {"id": "1"}, "channel": {"id": "2"}, "messages": [{"id": "3"',
        "",
        "[]",
        '{"a": 1}',
        "no json",
        "\x08\x7f",
    ],
    ids=["cut off", "empty", "a list", "something else", "not JSON", "no text"],
)
async def test_a_file_that_is_no_export_is_one_clear_line(sqlite_store: Store, write: Any, text: str) -> None:
    with pytest.raises(InputError) as raised:
        await import_file(sqlite_store, write(text))
    assert "export.json: " in str(raised.value)
    assert "\n" not in str(raised.value)
    assert "^" not in str(raised.value)


async def test_a_missing_file_is_named(sqlite_store: Store, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.json: cannot be read: No such file"):
        await import_file(sqlite_store, tmp_path / "nowhere.json")


async def test_what_is_not_to_be_recorded_is_not_imported(sqlite_store: Store, write: Any) -> None:
    async with sqlite_store.write() as connection:
        await privacy.opt_out(connection, GUILD, 300, at=datetime(2026, 8, 1, tzinfo=UTC))
    report = await import_file(sqlite_store, write(export(exported(1), exported(2, author=_person(301, "bob")))))
    assert (report.messages, report.left_out) == (1, 1)
    assert {message.author_id for message in (await stored_messages(sqlite_store)).values()} == {301}
    settings = parse_settings('[channels]\nexclude = ["general"]\n')
    async with sqlite_store.write() as connection:
        await guilds.store_settings(connection, GUILD, settings, at=datetime(2026, 8, 1, tzinfo=UTC))
    report = await import_file(sqlite_store, write(export(exported(3, author=_person(301, "bob")))))
    assert (report.messages, report.left_out) == (0, 1)


async def test_a_recording_is_imported_with_its_joins_and_without_what_was_deleted(sqlite_store: Store) -> None:
    path = EXAMPLES / "marin-2026-08-24" / "discord.json"
    recorded = json.loads(path.read_text(encoding="utf-8"))
    report: ImportReport = await import_file(sqlite_store, path)
    stored = await stored_messages(sqlite_store)
    hidden = {int(each["id"]) for each in recorded["channels"] if each["permission_overwrites"]}
    expected = {int(each["id"]) for each in recorded["messages"] if int(each["channel_id"]) not in hidden}
    assert stored.keys() == expected
    assert report.messages == len(expected) + len(recorded["deleted_messages"])
    people = {int(each["user"]["id"]) for each in recorded["members"]}
    async with sqlite_store.read() as connection:
        stays = await members.stays_of(connection, report.guild_id, sorted(people))
    assert stays.keys() == people
    arrivals = [message for message in stored.values() if message.message_type == MessageType.ARRIVAL]
    assert arrivals


async def test_memory_does_not_grow_with_the_file(
    sqlite_store: Store, write: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is held after the last messages is what was held after the first."""
    monkeypatch.setattr(importer, "BATCH", 100)
    held: list[int] = []

    def progress(_read: int, stored: int) -> None:
        if stored % 500 == 0:
            gc.collect()
            held.append(tracemalloc.get_traced_memory()[0])

    await import_file(sqlite_store, write(export(*(exported(number) for number in range(500)))))
    path = write(export(*(exported(number) for number in range(4000))))
    tracemalloc.start()
    try:
        await import_file(sqlite_store, path, progress=progress)
    finally:
        tracemalloc.stop()
    assert len(held) >= 8
    assert max(held) < 1.2 * held[0] < path.stat().st_size
