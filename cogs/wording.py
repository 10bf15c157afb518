"""How the cogs put things: instants, periods, lists that fit into a message. Not a cog itself."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import discord

from bot.model.parts import Part, PartFile
from bot.model.publication import EditionStatus, StoredPart
from bot.model.schedule import Period

LIMIT = 2000
STATUS = {
    EditionStatus.DRAFT: "draft",
    EditionStatus.APPROVED: "approved",
    EditionStatus.HELD: "held back",
    EditionStatus.PUBLISHING: "being posted",
    EditionStatus.PUBLISHED: "posted",
    EditionStatus.FAILED: "failed",
    EditionStatus.SKIPPED: "skipped",
}


def moment(instant: datetime, style: str = "F") -> str:
    """An instant that each reader sees in their own time zone."""
    return f"<t:{int(instant.timestamp())}:{style}>"


def days(period: Period) -> str:
    """A period as its first and last day in the guild's time zone."""
    zone = ZoneInfo(period.timezone)
    first = period.start.astimezone(zone)
    last = (period.end - timedelta(microseconds=1)).astimezone(zone)
    return f"{first:%Y-%m-%d} to {last:%Y-%m-%d}"


def fitting(lines: Iterable[str], *, limit: int = LIMIT) -> str:
    """As many of the lines as one message holds, and how many there are beyond."""
    kept: list[str] = []
    room = limit - 30
    rest = 0
    for line in lines:
        if rest or len(line.encode("utf-16-le")) // 2 + 1 > room:
            rest += 1
            continue
        room -= len(line.encode("utf-16-le")) // 2 + 1
        kept.append(line)
    return "\n".join([*kept, *([f"… and {rest} more"] if rest else [])])


def pages(lines: Sequence[str]) -> list[str]:
    """The lines as messages of at most 2,000 characters each."""
    found = [""]
    for line in lines:
        if len(found[-1].encode("utf-16-le")) // 2 + len(line.encode("utf-16-le")) // 2 + 1 > LIMIT:
            found.append("")
        found[-1] += ("\n" if found[-1] else "") + line
    return found


def files(of: Part | StoredPart | Sequence[PartFile]) -> list[discord.File]:
    given = of.files if isinstance(of, Part | StoredPart) else of
    return [discord.File(io.BytesIO(file.content), file.name, description=file.description) for file in given]
