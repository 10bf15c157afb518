"""Checking, erasing and exporting as an operator meets them, and a stop in order."""

from __future__ import annotations

import json
import signal
import sqlite3
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.model.clock import SystemClock
from bot.replay.discord_server import DiscordServer
from bot.store.engine import Store
from tests.command_line import Running, gazette, one_line, start
from tests.conftest import EXAMPLES

TOKEN = "canary-token-7f3a"
GUILD, GENERAL, DIGEST = 4 << 22, 200, 220
ADA = {"id": "700000000000000007", "username": "adalindq", "global_name": "Adalind Quux"}


@pytest.fixture
async def server() -> AsyncIterator[DiscordServer]:
    made = DiscordServer(SystemClock(), token=TOKEN)
    made.world.add_guild(
        {"id": GUILD, "name": "Test guild"},
        channels=[{"id": GENERAL, "name": "general"}, {"id": DIGEST, "name": "digest"}],
        members=[{"user": ADA, "joined_at": datetime(2025, 1, 1, tzinfo=UTC).isoformat()}],
    )
    await made.start()
    yield made
    await made.close()


def begin(server: DiscordServer, folder: Path, *arguments: str, **more: str) -> Running:
    """Start a command against the local Discord."""
    environment = {
        "GAZETTE_TOKEN": TOKEN,
        "GAZETTE_DATABASE_URL": f"sqlite:///{folder}/gazette.sqlite3",
        "GAZETTE_DISCORD_API_URL": server.api_url,
        "GAZETTE_DISCORD_GATEWAY_URL": server.gateway_url,
        "GAZETTE_LOG_FORMAT": "json",
    }
    return start(*arguments, cwd=folder, **(environment | more))


async def output(running: Running) -> tuple[int, str]:
    """The code with which the command ended, and all that it told."""
    ended = await running.ended()
    return ended.returncode, ended.told


async def test_a_stop_in_order_loses_nothing_of_the_queue_and_logs_no_words(
    server: DiscordServer, tmp_path: Path
) -> None:
    process = begin(server, tmp_path, "run", GAZETTE_LOG_LEVEL="DEBUG")
    await server.gateway.wait_ready()
    await server.settle()
    for number in range(300):
        server.world.create_message(GENERAL, author=ADA, content=f"zebrafish {number}")
    await server.settle()
    process.send_signal(signal.SIGTERM)
    code, told = await output(process)
    assert code == 0, told
    with sqlite3.connect(tmp_path / "gazette.sqlite3") as connection:
        assert connection.execute("SELECT count(*) FROM messages").fetchone() == (300,)
    for line in told.splitlines():
        if line.startswith("{"):
            assert {"event", "level", "timestamp"} <= json.loads(line).keys()
    assert TOKEN not in told
    assert "zebrafish" not in told
    assert "Adalind" not in told


async def test_checking_names_what_is_missing_then_finds_all_well(server: DiscordServer, tmp_path: Path) -> None:
    code, told = await output(begin(server, tmp_path, "check"))
    assert code == 0, told
    assert "will be made when the bot starts" in told
    assert not (tmp_path / "gazette.sqlite3").exists()
    process = begin(server, tmp_path, "run")
    await server.gateway.wait_ready()
    await server.settle()
    process.send_signal(signal.SIGTERM)
    await output(process)
    (tmp_path / "settings.toml").write_text('[publish]\nchannel = "nowhere"\n')
    await output(begin(server, tmp_path, "settings", "import", str(GUILD), "settings.toml"))
    code, told = await output(begin(server, tmp_path, "check"))
    assert code == 2, told
    assert "!!  Test guild: The channel 'nowhere'" in told
    (tmp_path / "settings.toml").write_text('[publish]\nchannel = "digest"\n')
    await output(begin(server, tmp_path, "settings", "import", str(GUILD), "settings.toml"))
    code, told = await output(begin(server, tmp_path, "check"))
    assert code == 0, told
    assert "All is well." in told
    server.world.withheld_intents = 1 << 15
    code, told = await output(begin(server, tmp_path, "check"))
    assert "!!  Message Content Intent" in told


async def test_a_wrong_token_is_told_and_printed_nowhere(server: DiscordServer, tmp_path: Path) -> None:
    wrong = "another-canary-91c2"
    for command in (("check",), ("run",)):
        code, told = await output(begin(server, tmp_path, *command, GAZETTE_TOKEN=wrong, GAZETTE_LOG_LEVEL="DEBUG"))
        assert code == 2, told
        assert "GAZETTE_TOKEN" in told
        assert wrong not in told


async def test_a_mistyped_setting_is_named_with_the_one_that_may_be_meant(
    server: DiscordServer, tmp_path: Path
) -> None:
    (tmp_path / ".env").write_text("GAZETTE_WEBHOST=localhost\n")
    code, told = await output(begin(server, tmp_path, "check", GAZETTE_GITHUB_TOKE="x"))
    assert code == 2, told
    assert "!!  GAZETTE_GITHUB_TOKE: There is no such setting; GAZETTE_GITHUB_TOKEN may be meant" in told
    assert "GAZETTE_WEB_HOST may be meant" in told


async def test_keys_are_printed_nowhere(server: DiscordServer, tmp_path: Path) -> None:
    secret = "canary-key-55ab"
    keys = dict.fromkeys(["GAZETTE_GITHUB_TOKEN", "GAZETTE_LLM_API_KEY", "GAZETTE_SECRET_KEY"], secret)
    nowhere = dict.fromkeys(["GAZETTE_GITHUB_API_URL", "GAZETTE_LLM_BASE_URL"], "http://127.0.0.1:9")
    database = f"postgresql://u:{secret}@127.0.0.1:9/x"
    more = {"GAZETTE_DATABASE_URL": database, "GAZETTE_LLM_MODEL": "played"}
    code, told = await output(begin(server, tmp_path, "check", **keys, **nowhere, **more))
    assert code == 2, told
    for what in ("database", "GitHub", "language model"):
        assert f"!!  {what}" in told
    assert secret not in told


def test_a_guild_is_exported_and_a_person_erased(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/gazette.sqlite3"
    week = EXAMPLES / "marin-2026-08-24" / "discord.json"
    assert gazette("import", week, cwd=tmp_path).returncode == 0
    guild = json.loads(week.read_text())["guild"]["id"]
    assert "is not recorded" in one_line(gazette("export", 7, cwd=tmp_path))
    (tmp_path / "kept.json").write_text("an older one")
    one_line(gazette("export", 7, "--out", "kept.json", cwd=tmp_path))
    assert (tmp_path / "kept.json").read_text() == "an older one"
    assert gazette("export", guild, "--out", "kept.json", cwd=tmp_path).returncode == 0
    exported = json.loads(gazette("export", guild, cwd=tmp_path, GAZETTE_DATABASE_URL=store).stdout)
    assert json.loads((tmp_path / "kept.json").read_text()) == exported
    assert exported["format"] == "gazette.guild/1"
    author = exported["messages"][0]["author_id"]
    assert any(each["user_id"] == author for each in exported["members"])
    assert gazette("erase", author, cwd=tmp_path).returncode != 0, "nobody was there to say yes"
    done = gazette("erase", author, "--yes", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Messages removed: " in done.stdout
    assert author not in gazette("export", guild, cwd=tmp_path).stdout
    assert len((tmp_path / "gazette.sqlite3.erased").read_text().split()) == 1


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--shard-ids", "one", "--shard-count", "2"), "write numbers"),
        (("--shard-ids", "0,1"), "--shard-count"),
        (("--shard-ids", "0,2", "--shard-count", "2"), "from 0 to 1"),
    ],
)
def test_shards_that_make_no_sense(tmp_path: Path, options: tuple[str, ...], told: str) -> None:
    assert told in one_line(gazette("run", *options, cwd=tmp_path))


async def test_two_processes_share_the_guilds_by_shards(tmp_path: Path) -> None:
    server = DiscordServer(SystemClock(), token=TOKEN, shards=2)
    for number in (1, 2):
        server.world.add_guild(
            {"id": number << 22, "name": f"Guild {number}"}, channels=[{"id": (number << 22) + 1, "name": "general"}]
        )
    await server.start()
    try:
        processes = []
        for shard in (0, 1):
            options = ("run", "--shard-ids", str(shard), "--shard-count", "2")
            processes.append(begin(server, tmp_path, *options))
            await server.gateway.wait_ready(shard + 1)
        await server.settle()
        for number in range(40):
            server.world.create_message(((number % 2 + 1) << 22) + 1, author=ADA, content=f"{number}")
        await server.settle()
        for process in processes:
            process.send_signal(signal.SIGTERM)
        for process in processes:
            code, told = await output(process)
            assert code == 0, told
        store = Store.open(f"sqlite:///{tmp_path}/gazette.sqlite3")
        async with store.read() as connection:
            rows = (await connection.exec_driver_sql("SELECT guild_id, count(*) FROM messages GROUP BY 1")).all()
        await store.close()
        assert [tuple(row) for row in rows] == [(1 << 22, 20), (2 << 22, 20)]
    finally:
        await server.close()
