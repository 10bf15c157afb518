"""The command line as its user meets it: what it prints, and one clear line with code 2 where something is wrong."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import gazette, one_line
from tests.conftest import EXAMPLES, ROOT


def test_it_runs_as_a_module(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bot", "--version"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("gazette ")


def test_without_a_token_it_says_what_to_do(tmp_path: Path) -> None:
    told = one_line(gazette("run", cwd=tmp_path))
    assert "GAZETTE_TOKEN is not set" in told
    assert "developer portal" in told
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("WEB_PORT", "99999"),
        ("LOG_LEVEL", "LOUD"),
        ("SHARD_IDS", "one"),
        ("SHARD_IDS", "0,1"),
        ("GITHUB_PRIVATE_GUILDS", "secret"),
        ("DATABASE_URL", "mysql://u:secret@h/d"),
        ("DISCORD_API_URL", "secret.example"),
    ],
)
def test_a_wrong_setting_is_named_without_its_value(tmp_path: Path, name: str, value: str) -> None:
    told = one_line(gazette("migrate", cwd=tmp_path, **{f"GAZETTE_{name}": value}))
    assert name in told or "database" in told
    assert "secret" not in told


def test_a_setting_set_to_nothing_counts_as_not_set(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("GAZETTE_DATABASE_URL=\nGAZETTE_SHARD_COUNT=\n")
    assert gazette("migrate", cwd=tmp_path).returncode == 0
    assert (tmp_path / "gazette.sqlite3").exists()


@pytest.mark.parametrize("command", [("export",), ("erase", "--yes"), ("settings", "export")])
def test_what_is_no_id_is_refused(command: tuple[str, ...], tmp_path: Path) -> None:
    for number in ("99999999999999999999", "0", "ada"):
        ended = gazette(*command, number, cwd=tmp_path)
        assert ended.returncode == 2
        assert "Invalid value" in ended.stderr


def test_settings_go_in_and_come_out_the_same(tmp_path: Path) -> None:
    source = EXAMPLES / "marin-2026-08-24" / "settings.toml"
    assert gazette("settings", "import", 42, source, cwd=tmp_path).returncode == 0
    exported = gazette("settings", "export", 42, cwd=tmp_path)
    (tmp_path / "again.toml").write_text(exported.stdout)
    assert gazette("settings", "import", 42, "again.toml", cwd=tmp_path).returncode == 0
    assert gazette("settings", "export", 42, cwd=tmp_path).stdout == exported.stdout
    assert 'title = "Marin: Week of {week} summary"' in exported.stdout


def test_wrong_settings_change_nothing(tmp_path: Path) -> None:
    (tmp_path / "wrong.toml").write_text('[edition]\ntitel = "x"\n')
    told = one_line(gazette("settings", "import", 42, "wrong.toml", cwd=tmp_path))
    assert "wrong.toml, line 2" in told
    assert "titel" in told


@pytest.mark.parametrize(
    ("file", "content", "told"),
    [
        ("discord.json", '{"guild": ', "discord.json, line 1"),
        ("github.json", "[]", "github.json: holds a list"),
        ("settings.toml", '[schedule]\ntimezone = "Nowhere"\n', "settings.toml, line 2"),
        ("settings.toml", '[publish]\nchanel = "x"\n', "settings.toml, line 2: unknown key"),
    ],
)
def test_a_broken_week_is_named_and_nothing_is_written(tmp_path: Path, file: str, content: str, told: str) -> None:
    week = Path(shutil.copytree(EXAMPLES / "marin-2026-08-24", tmp_path / "week"))
    (week / file).write_text(content)
    assert told in one_line(gazette("replay", week, "--out", tmp_path / "out", cwd=tmp_path))
    assert not (tmp_path / "out").exists()


def test_a_missing_week(tmp_path: Path) -> None:
    assert "no such folder" in one_line(
        gazette("replay", tmp_path / "nowhere", "--out", tmp_path / "out", cwd=tmp_path)
    )


def test_a_folder_that_cannot_be_written_to(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    week = EXAMPLES / "marin-2026-03-09"
    told = one_line(gazette("replay", week, "--out", tmp_path / "file", cwd=tmp_path))
    assert str(tmp_path / "file") in told
    told = one_line(gazette("replay", week, "--out", tmp_path / "file" / "below", cwd=tmp_path))
    assert str(tmp_path / "file") in told


def test_a_full_disk_is_told_and_leaves_no_half_written_folder(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    address = "sqlite:////dev/full"
    told = one_line(gazette("replay", EXAMPLES / "marin-2026-03-09", "--out", "out", "--store", address, cwd=tmp_path))
    assert "database" in told
    assert not (tmp_path / "out").exists() or list((tmp_path / "out").iterdir()) == []


def test_a_database_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    import sqlite3

    assert gazette("migrate", cwd=tmp_path).returncode == 0
    with sqlite3.connect(tmp_path / "gazette.sqlite3") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    address = f"sqlite:///{tmp_path}/gazette.sqlite3"
    week = EXAMPLES / "marin-2026-03-09"
    told = one_line(gazette("replay", week, "--out", "out", "--store", address, cwd=tmp_path))
    assert "9999" in told
    assert "newer" in told


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "gazette.sqlite3").write_text("this is no database" * 100)
    assert "database" in one_line(gazette("migrate", cwd=tmp_path))


@pytest.mark.parametrize("address", ["sqlite:////nowhere/at/all.sqlite3", "sqlite:////dev"])
def test_a_database_that_cannot_be_opened(tmp_path: Path, address: str) -> None:
    told = one_line(gazette("migrate", cwd=tmp_path, GAZETTE_DATABASE_URL=address))
    assert address.removeprefix("sqlite:///") in told


def test_a_database_at_an_address_that_nobody_knows(tmp_path: Path) -> None:
    told = one_line(gazette("migrate", cwd=tmp_path, GAZETTE_DATABASE_URL="postgresql://u:secret@nowhere.invalid/d"))
    assert "GAZETTE_DATABASE_URL" in told
    assert "secret" not in told


def test_settings_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"\xff\xfe")
    assert ".env" in one_line(gazette("migrate", cwd=tmp_path))


def test_importing_what_is_no_file_makes_no_database(tmp_path: Path) -> None:
    assert "is a folder" in one_line(gazette("import", tmp_path, cwd=tmp_path))
    assert "no such file" in one_line(gazette("import", "nowhere.json", cwd=tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_the_day_of_posting_stands_for_the_week_that_begins_on_it(tmp_path: Path) -> None:
    assert gazette("import", EXAMPLES / "marin-2026-08-24" / "discord.json", cwd=tmp_path).returncode == 0
    guild = json.loads((EXAMPLES / "marin-2026-08-24" / "discord.json").read_text())["guild"]["id"]
    for day in ("2026-08-24", "2026-08-30"):
        assert "Week of August 24th" in gazette("compile", guild, "--week", day, cwd=tmp_path).stdout
    assert "2015" in one_line(gazette("compile", guild, "--week", "9999-12-31", cwd=tmp_path))


def test_compiling_prints_the_edition_as_json(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/gazette.sqlite3"
    week = EXAMPLES / "marin-2026-03-09"
    assert gazette("replay", week, "--out", "out", "--store", store, cwd=tmp_path).returncode == 0
    printed = gazette(
        "compile", 1, "--week", "2026-03-10", "--json", cwd=tmp_path, GAZETTE_GITHUB_API_URL="http://127.0.0.1:9"
    )
    edition = json.loads(printed.stdout)
    assert edition["format"] == "gazette.edition/1"
    assert edition["period"]["start"] == "2026-03-09T00:00:00Z"
    assert edition["coverage"]["github"] == "unavailable"


def test_compiling_for_an_unknown_guild(tmp_path: Path) -> None:
    assert "77" in one_line(gazette("compile", 77, cwd=tmp_path))
