"""A Discord in a process of its own that streams messages when told so: what the benchmarks of capturing connect to.

The first line on standard output tells the addresses of the API and the gateway, as JSON. Then each line on
standard input is a command: `prepare COUNT` makes so many MESSAGE_CREATE and answers `ready`, `go` sends them.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from bot.model.clock import SystemClock
from bot.model.snowflakes import first_id_at
from bot.replay.discord_server import DiscordServer

GUILD, CHANNELS, PEOPLE = 100, tuple(range(200, 220)), 500
SAID = "the run finished overnight and the loss looks fine so far but somebody should look at the new shard"
WORDS = SAID.split(" ")


def payloads(count: int, *, first: int = 0) -> Iterator[dict[str, Any]]:
    """Messages as Discord's gateway sends them; every fifth speaks of a pull request."""
    base = first_id_at(datetime(2026, 8, 24, tzinfo=UTC))
    for number in range(first, first + count):
        author = number * 7919 % PEOPLE
        said = " ".join(WORDS[(number * 7 + step) % len(WORDS)] for step in range(6 + number % 12))
        yield {
            "id": str(base + (number * 40 << 22)),
            "type": 0,
            "channel_id": str(CHANNELS[number % len(CHANNELS)]),
            "guild_id": str(GUILD),
            "author": {
                "id": str(10_000 + author),
                "username": f"person{author}",
                "global_name": f"Person {author}",
                "discriminator": "0",
                "avatar": "a" * 32,
                "public_flags": 0,
            },
            "member": {
                "nick": None,
                "roles": [str(GUILD + 1)],
                "joined_at": "2025-01-01T00:00:00+00:00",
                "deaf": False,
                "mute": False,
                "flags": 0,
            },
            "content": f"{said} #{number % 900 + 1}" if number % 5 == 0 else said,
            "timestamp": "2026-08-24T00:00:00+00:00",
            "edited_timestamp": None,
            "tts": False,
            "mention_everyone": False,
            "mentions": [],
            "mention_roles": [],
            "attachments": [],
            "embeds": [],
            "components": [],
            "pinned": False,
            "flags": 0,
        }


async def main() -> None:
    server = DiscordServer(SystemClock())
    server.world.add_guild(
        {"id": GUILD, "name": "Benchmark"}, channels=[{"id": each, "name": f"channel-{each}"} for each in CHANNELS]
    )
    await server.start()
    print(json.dumps({"api": server.api_url, "gateway": server.gateway_url, "token": server.token}), flush=True)
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    sent = 0
    frames: list[str] = []
    while line := (await reader.readline()).split():
        if line[0] == b"prepare":
            count = int(line[1])
            frames = [json.dumps(each) for each in payloads(count, first=sent)]
            sent += count
            print("ready", flush=True)
        else:
            for frame in frames:
                server.gateway.dispatch_raw("MESSAGE_CREATE", frame, guild_id=GUILD)
    await server.close()


if __name__ == "__main__":
    asyncio.run(main())
