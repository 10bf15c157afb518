"""How fast exports are imported, and in how much memory: scripts/bench import.

An export of DiscordChatExporter is read into a SQLite file, references and all; beside it the same rows, those of the
references included, go in by a bare SQLAlchemy Core `executemany`. Each run is a process of its own, so that the memory
is that of one import.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import insert

from benchmarks import kit
from benchmarks.message_stream import payloads
from bot.capture.convert import message_from_payload
from bot.capture.exports import message_from_export
from bot.capture.importer import BATCH, import_file
from bot.model.messages import Message
from bot.model.references import extract_references
from bot.model.settings import parse_settings
from bot.store import guilds
from bot.store.engine import Store
from bot.store.message_rows import row_values
from bot.store.tables import Base
from bot.store.tables.messages import MessageReferenceRow, MessageRow

GUILD, CHANNEL = 1191168914227200001, 1191168914227200002
REPOSITORY = "o/r"


def exported(count: int) -> Iterator[dict[str, Any]]:
    """Messages as the exporter writes them."""
    for each in payloads(count):
        author = each["author"]
        yield {
            "id": each["id"],
            "type": "Default",
            "timestamp": each["timestamp"],
            "timestampEdited": None,
            "callEndedTimestamp": None,
            "isPinned": False,
            "content": each["content"],
            "author": {
                "id": author["id"],
                "name": author["username"],
                "discriminator": "0000",
                "nickname": author["global_name"],
                "color": None,
                "isBot": False,
                "roles": [],
                "avatarUrl": "https://cdn.discordapp.com/embed/avatars/0.png",
            },
            "attachments": [],
            "embeds": [],
            "stickers": [],
            "reactions": [],
            "mentions": [],
            "inlineEmojis": [],
        }


def write_export(path: Path, count: int) -> None:
    head = {
        "guild": {"id": str(GUILD), "name": "Benchmark", "iconUrl": ""},
        "channel": {"id": str(CHANNEL), "type": "GuildTextChat", "categoryId": None, "name": "general", "topic": None},
        "dateRange": {"after": None, "before": None},
    }
    with path.open("w", encoding="utf-8") as file:
        file.write(json.dumps(head)[:-1] + ', "messages": [')
        for number, message in enumerate(exported(count)):
            file.write((",\n" if number else "\n") + json.dumps(message))
        file.write("]}")


async def _store(path: Path) -> Store:
    store = Store.open(f"sqlite:///{path}")
    async with store.engine.begin() as connection:
        await connection.run_sync(Base.metadata.create_all)
    async with store.write() as connection:
        wanted = parse_settings(f'[github]\nrepositories = ["{REPOSITORY}"]\n')
        await guilds.store_settings(connection, GUILD, wanted, at=datetime(2026, 8, 1, tzinfo=UTC))
    return store


async def one(side: str, export: Path, count: int, folder: Path) -> float:
    """Seconds that one side takes."""
    store = await _store(folder / f"{side}.sqlite3")
    if side == "import":
        start = time.perf_counter()
        report = await import_file(store, export)
        taken = time.perf_counter() - start
        assert report.messages == count
    else:
        taken = 0.0
        batch: list[dict[str, Any]] = []
        referring: list[dict[str, Any]] = []
        for number, each in enumerate(exported(count), 1):
            payload = message_from_export(each, channel_id=str(CHANNEL))
            message = message_from_payload(payload, guild_id=GUILD, self_id=None)
            batch.append(row_values(message))
            referring += _reference_rows(message)
            if len(batch) == BATCH or number == count:
                start = time.perf_counter()
                async with store.write() as connection:
                    await connection.execute(insert(MessageRow), batch)
                    if referring:
                        await connection.execute(insert(MessageReferenceRow), referring)
                taken += time.perf_counter() - start
                batch, referring = [], []
    await store.close()
    return taken


def _reference_rows(message: Message) -> list[dict[str, Any]]:
    found = extract_references(message.content, default_repository=REPOSITORY, repositories=[REPOSITORY])
    return [{"message_id": message.message_id, "reference": each.canonical.lower()} for each in found]


def _in_a_process(side: str, export: Path, count: int) -> tuple[float, float]:
    """Seconds and megabytes of one side."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "benchmarks.import_", "--side", side, str(export), str(count), folder]
        answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return answer["seconds"], answer["megabytes"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--large", type=int, default=1_000_000, help="for the memory; 0: left out")
    parser.add_argument("--runs", type=int, default=kit.RUNS)
    parser.add_argument("--side", nargs=4, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.side:
        side, export, count, folder = asked.side
        taken = asyncio.run(one(side, Path(export), int(count), Path(folder)))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps({"seconds": taken, "megabytes": peak}))
        return
    count = asked.messages
    with tempfile.TemporaryDirectory() as folder:
        export = Path(folder) / "export.json"
        write_export(export, count)
        rounds = [
            (_in_a_process("import", export, count), _in_a_process("bare", export, count)) for _ in range(asked.runs)
        ]
        ours = count / statistics.median(round_[0][0] for round_ in rounds)
        bare = count / statistics.median(round_[1][0] for round_ in rounds)
        small = statistics.median(round_[0][1] for round_ in rounds)
        figures = [
            kit.Figure(
                figure="import",
                value=round(ours),
                unit="messages/s",
                beside="bare executemany of the same rows",
                beside_value=round(bare),
                ratio=round(ours / bare, 3),
                runs=asked.runs,
            )
        ]
        if asked.large:
            write_export(export, asked.large)
            _, large = _in_a_process("import", export, asked.large)
            figures.append(
                kit.Figure(
                    figure=f"memory, {asked.large:,} messages",
                    value=round(large, 1),
                    unit="MB",
                    beside=f"{count:,} messages",
                    beside_value=round(small, 1),
                    ratio=round(small / large, 3),
                    runs=1,
                )
            )
    kit.write("import", figures)


if __name__ == "__main__":
    main()
