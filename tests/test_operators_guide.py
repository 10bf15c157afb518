"""docs/operators.md does what it says: its commands are run, in their order, in an empty folder."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

GUIDE = (ROOT / "docs" / "operators.md").read_text(encoding="utf-8")


def commands() -> list[str]:
    """The blocks that are marked to be run as they stand."""
    blocks = re.findall(r"^( *)```sh\n(.*?)^ *```", GUIDE, re.DOTALL | re.MULTILINE)
    return ["\n".join(line.removeprefix(indent) for line in text.splitlines()) for indent, text in blocks]


def installed(folder: Path) -> None:
    """What the first block of the guide comes to, without fetching everything anew."""
    (folder / ".gazette" / "bin").mkdir(parents=True)
    for name, what in (("python", '"$@"'), ("gazette", '-m bot "$@"')):
        script = folder / ".gazette" / "bin" / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {what}\n')
        script.chmod(0o755)


def sh(script: str, folder: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GAZETTE_")}
    environment |= {"PYTHONPATH": str(ROOT), "GAZETTE_DISCORD_API_URL": "http://127.0.0.1:9"}
    done = subprocess.run(
        ["sh", "-eu", "-c", script],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, f"{script}\n{done.stdout}{done.stderr}"
    return done.stdout


def test_the_commands_of_the_guide_work_one_after_the_other(tmp_path: Path) -> None:
    install, *rest = commands()
    assert "--require-hashes -r requirements.txt" in install
    assert (ROOT / "requirements.txt").exists()
    installed(tmp_path)
    told = sh(install.splitlines()[-1], tmp_path)
    assert told.startswith("gazette ")
    for block in rest:
        told += sh(block, tmp_path)
    key = re.search(r"^GAZETTE_SECRET_KEY=([0-9a-f]{64})$", (tmp_path / ".env").read_text(), re.MULTILINE)
    assert key is not None
    assert (tmp_path / ".env").stat().st_mode & 0o077 == 0
    assert "!!" in told, "gazette check says what is missing"
    assert "The database was up to date" in told
    with sqlite3.connect(tmp_path / "gazette.sqlite3") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`(GAZETTE_[A-Z_]+)", GUIDE))))
def test_every_setting_that_the_guide_names_exists(name: str) -> None:
    from bot.config import Settings

    assert name.removeprefix("GAZETTE_").lower() in Settings.model_fields


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`(gazette_[a-z_]+)`", GUIDE))))
def test_every_metric_that_the_guide_names_exists(name: str) -> None:
    from prometheus_client import REGISTRY, generate_latest

    import bot.app  # noqa: F401

    assert name in generate_latest(REGISTRY).decode()


@pytest.mark.parametrize("command", sorted(set(re.findall(r"`gazette ([a-z]+)", GUIDE))))
def test_every_command_that_the_guide_names_exists(command: str) -> None:
    import typer

    from bot.cli import app

    assert command in typer.main.get_command(app).commands  # type: ignore[attr-defined]
