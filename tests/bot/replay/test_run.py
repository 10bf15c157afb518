"""A recorded week, from its files to what was posted: the real bot, over real sockets."""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.errors import GazetteError, InputError
from bot.replay.run import Replay, replay
from bot.replay.week import read_week
from tests.conftest import EXAMPLES
from tests.discord_schema import DiscordSchema

SUPPRESS_EMBEDS = 4
WEEKS = ("marin-2026-08-24", "marin-2026-03-09")


def _silent(_what: str, _done: int, _of: int) -> None:
    return None


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _posted_as_promised(posted: list[dict[str, Any]]) -> None:
    """The community section in the channel, the summary in a thread under it; quiet, within Discord's measures."""
    head = [message for message in posted if message["thread"] is None]
    rest = posted[len(head) :]
    assert head and rest
    assert posted[: len(head)] == head, "the head comes first"
    assert {message["channel"] for message in head} == {"digest"}
    assert len({message["channel_id"] for message in rest}) == 1
    assert rest[0]["channel_id"] == head[0]["message_id"] or rest[0]["thread"]
    assert any("edition.md" in message["files"] for message in posted)
    for message in posted:
        payload = message["payload"]
        assert len(payload["content"].encode("utf-16-le")) // 2 <= 2000
        assert payload["flags"] & SUPPRESS_EMBEDS
        assert payload["allowed_mentions"] == {"parse": []}
        assert payload["nonce"] and payload["enforce_nonce"] is True
    assert len({message["message_id"] for message in posted}) == len(posted)


def _linked(edition: dict[str, Any], posted: list[dict[str, Any]]) -> None:
    """Every item of the edition stands in the posted text with its link."""
    text = "\n".join(message["payload"]["content"] for message in posted)
    for section in edition["sections"]:
        for item in section["items"]:
            assert item["url"] in text, item["reference"]


@pytest.mark.parametrize("week", WEEKS)
async def test_an_example_week_becomes_a_posted_digest(
    week: str, tmp_path: Path, shared_file: Callable[[str], Path]
) -> None:
    played = Replay(read_week(EXAMPLES / week), f"sqlite:///{tmp_path}/replay.sqlite3", _silent)
    out = tmp_path / "out"
    out.mkdir()
    report = await played.run(out)
    edition, posted = _read(out / "edition.json"), _read(out / "posted.json")
    expected = _read(EXAMPLES / week / "expected.json")

    assert edition["title"] == expected["title"] == report.title
    assert report.messages == len(posted)
    assert (out / "edition.html").read_text().startswith("<!doctype html>")
    assert edition["coverage"]["github"] == "complete"
    assert edition["coverage"]["gaps"] == []
    _posted_as_promised(posted)
    _linked(edition, posted)

    told = {reference for section in edition["sections"] for s in section["narrative"] for reference in s["references"]}
    epics = {section["epic"]["reference"] for section in edition["sections"] if section["epic"]}
    cited = {entry["reference"] for entry in expected["cited_references"]}
    assert cited <= told | epics

    again = Replay(read_week(EXAMPLES / week), f"sqlite:///{tmp_path}/replay.sqlite3", _silent)
    with pytest.raises(InputError, match="holds this week's digest already"):
        await again.run(out)
    assert _read(out / "posted.json") == posted

    schema = shared_file("DISCORD_OPENAPI")
    assert DiscordSchema.read(schema).problems_of(played.discord.requests) == []
    checker = shared_file("CHECK_EDITION")
    verdict = await asyncio.create_subprocess_exec(
        sys.executable, checker, out, EXAMPLES / week / "expected.json", stdout=asyncio.subprocess.PIPE
    )
    told, _ = await verdict.communicate()
    assert verdict.returncode == 0, told.decode()


async def test_a_schedule_of_another_day_tells_of_the_week_that_was_recorded(tmp_path: Path) -> None:
    week = tmp_path / "week"
    shutil.copytree(EXAMPLES / "marin-2026-08-24", week)
    text = (week / "settings.toml").read_text()
    text = text.replace('weekday = "monday"', 'weekday = "sunday"').replace('time = "09:00"', 'time = "18:30"')
    (week / "settings.toml").write_text(text)
    report = await replay(week, tmp_path / "out", progress=_silent)
    assert [each.date().isoformat() for each in report.period] == ["2026-08-23", "2026-08-30"]
    assert report.recorded > 600


async def test_a_folder_keeps_its_files_where_a_replay_fails(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "edition.md").write_text("the last one")
    broken = tmp_path / "week"
    broken.mkdir()
    (broken / "discord.json").write_text('{"guild": {"id": "1", "name": "g"}')
    with pytest.raises(GazetteError, match=r"discord\.json, line 1"):
        await replay(broken, out, progress=_silent)
    assert [path.name for path in out.iterdir()] == ["edition.md"]
    assert (out / "edition.md").read_text() == "the last one"
