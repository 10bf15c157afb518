"""A week's folder is looked over before anything starts; what is wrong is named with file and place."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from bot.errors import InputError, SettingsError
from bot.replay.week import read_week
from tests.conftest import EXAMPLES


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(EXAMPLES / "marin-2026-08-24", tmp_path / "week"))


def _change(path: Path, **changes: Any) -> None:
    document = json.loads(path.read_text())
    document.update(changes)
    path.write_text(json.dumps(document))


def test_both_example_weeks_are_whole() -> None:
    august = read_week(EXAMPLES / "marin-2026-08-24")
    march = read_week(EXAMPLES / "marin-2026-03-09")
    assert august.discord is not None and august.github is not None
    assert march.discord is None and march.guild_id == 1
    assert march.settings.edition.layout == "epics"


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        read_week(tmp_path / "nowhere")


def test_an_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing to replay"):
        read_week(tmp_path)


def test_a_channel_that_the_recording_does_not_have_is_told_before_anything_starts(folder: Path) -> None:
    path = folder / "settings.toml"
    path.write_text(path.read_text().replace('channel = "digest"', 'channel = "digets"'))
    with pytest.raises(InputError, match=r"settings\.toml: .*'digets' is not in the recording; it has .*#digest"):
        read_week(folder)


def test_a_truncated_file_is_named_with_line_and_column(folder: Path) -> None:
    text = (folder / "discord.json").read_text()
    (folder / "discord.json").write_text(text[: len(text) // 2])
    with pytest.raises(InputError, match=r"discord\.json, line \d+, column \d+"):
        read_week(folder)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"guild": None}, "no guild"),
        ({"messages": {}}, "messages: expected a list, found {}"),
        ({"messages": ["x"]}, r"messages\[0\]: expected an object"),
        ({"messages": [{"id": "1", "author": {"id": "1", "username": "a"}}]}, r"messages\[0\]: no channel_id"),
        (
            {"messages": [{"id": "x", "channel_id": "1", "author": {"id": "1", "username": "a"}}]},
            "id: expected an id, found 'x'",
        ),
        ({"messages": [{"id": "5", "channel_id": "9", "author": {"id": "1", "username": "a"}}]}, "no channel 9"),
        ({"window": {"start": "2026-01-02T00:00:00Z", "end": "2026-01-01T00:00:00Z"}}, "ends before it starts"),
        (
            {"window": {"start": "monday", "end": "2026-01-01T00:00:00Z"}},
            "window.start: expected a time .*, found 'monday'",
        ),
    ],
)
def test_an_ill_formed_recording_is_named_by_place(folder: Path, changes: dict[str, Any], told: str) -> None:
    _change(folder / "discord.json", **changes)
    with pytest.raises(InputError, match=told):
        read_week(folder)


@pytest.mark.parametrize(
    ("file", "place", "value", "told"),
    [
        ("discord.json", ("channels", 0, "type"), "text", r"channels\[0\].type: expected a whole number, found 'text'"),
        ("discord.json", ("members", 0, "roles"), 7, r"members\[0\].roles: expected a list, found 7"),
        ("discord.json", ("messages", 0, "reactions"), [{"count": 1}], r"reactions\[0\]: no emoji"),
        ("discord.json", ("messages", 0, "reaction_users"), {"x": ["y"]}, r"reaction_users.x\[0\]: expected an id"),
        ("discord.json", ("guild", "id"), 1 << 70, "guild.id: expected an id"),
        ("github.json", ("items", 0, "user"), 5, r"items\[0\].user: expected"),
        ("github.json", ("items", 0, "merged_at"), "soon", r"items\[0\].merged_at: expected a time"),
        ("github.json", ("comments", 0, "number"), {}, r"comments\[0\].number: expected a positive number"),
        ("github.json", ("items", 0, "labels"), [None], r"items\[0\].labels\[0\]: found null in a list"),
    ],
)
def test_a_field_of_another_kind_is_named_by_place(
    folder: Path, file: str, place: tuple[Any, ...], value: Any, told: str
) -> None:
    document = json.loads((folder / file).read_text())
    *way, last = place
    holder = document
    for step in way:
        holder = holder[step]
    holder[last] = value
    (folder / file).write_text(json.dumps(document))
    with pytest.raises(InputError, match=told):
        read_week(folder)


def test_a_thread_may_stand_only_at_its_first_message(folder: Path) -> None:
    document = json.loads((folder / "discord.json").read_text())
    first = document["messages"][0]
    first["thread"] = {"id": first["id"], "type": 11, "parent_id": first["channel_id"], "name": "talk"}
    document["messages"].append({**first, "id": str(int(first["id"]) + 1), "channel_id": first["id"], "thread": None})
    (folder / "discord.json").write_text(json.dumps(document))
    assert read_week(folder).discord is not None


def test_an_ill_formed_item_is_named_by_place(folder: Path) -> None:
    _change(folder / "github.json", items=[{"repo": "a/b", "number": 1, "kind": "pull_request", "title": "x"}])
    with pytest.raises(InputError, match=r"github\.json: items\[0\]: no created_at"):
        read_week(folder)


def test_settings_without_a_channel_are_refused(folder: Path) -> None:
    (folder / "settings.toml").write_text('[edition]\nlayout = "themes"\n')
    with pytest.raises(InputError, match=r"\[publish\] channel is missing"):
        read_week(folder)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[edition]\ntitel = "x"\n', r"line 2: unknown key 'edition.titel'"),
        ('[schedule]\nevery = "week"\ntimezone = "Mars/Olympus"\n', r"line 3: schedule.timezone: .*no IANA time zone"),
        ('[schedule]\ntime = "25:00"\n', r"line 2: schedule.time: '25:00' is no time of day"),
        ('[[sections]]\nkey = "a"\ntitle = "A"\n[[sections]]\nkey = "a"\ntitle = "B"\n', "line 5: .*stands twice"),
        ('[[sections]]\nkey = "a"\ntitle = "A"\n[[sections]]\nkey = "b"\ncolour = 1\ntitle = "B"\n', "line 6: unknown"),
        ("[edition\n", "not valid TOML"),
    ],
)
def test_wrong_settings_are_named_with_their_line(folder: Path, text: str, told: str) -> None:
    (folder / "settings.toml").write_text(text)
    with pytest.raises(SettingsError, match=told):
        read_week(folder)
