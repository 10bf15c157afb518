"""The example weeks as editions, compiled from their recordings without Discord, GitHub or a network."""

from __future__ import annotations

import asyncio
import json
import tempfile
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from bot.capture.recording_import import import_recording
from bot.compile.edition import assemble
from bot.compile.gather import gather
from bot.model.edition import Edition
from bot.model.github import (
    Account,
    Comment,
    EventKind,
    GitHubItem,
    ItemEvent,
    ItemKind,
    ItemState,
)
from bot.model.guilds import Guild
from bot.model.schedule import Period
from bot.model.settings import GuildSettings, parse_settings
from bot.store import guilds
from bot.store.engine import Store
from bot.store.tables import Base

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
AUGUST, MARCH = "marin-2026-08-24", "marin-2026-03-09"
THEMES, EPICS = AUGUST, MARCH


def load(week: str, name: str) -> Any:
    """A JSON file of an example week; None where it has none."""
    path = EXAMPLES / week / name
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def settings_of(week: str) -> GuildSettings:
    return parse_settings((EXAMPLES / week / "settings.toml").read_text(encoding="utf-8"))


def period_of(week: str) -> Period:
    window = load(week, "github.json")["window"]
    return Period(_instant(window["start"]), _instant(window["end"]), window["timezone"])  # type: ignore[arg-type]


def items_of(week: str) -> list[GitHubItem]:
    """The pull requests and issues of a week's github.json as the store would hand them out."""
    document = load(week, "github.json")
    comments: dict[str, list[Comment]] = {}
    for raw in document["comments"]:
        comments.setdefault(f"{raw['repo']}#{raw['number']}", []).append(
            Comment(
                comment_id=raw["id"],
                author=_account(raw),
                created_at=_instant(raw["created_at"]),  # type: ignore[arg-type]
                body=raw["body"],
                url=raw["html_url"],
            )
        )
    return [_item(raw, tuple(comments.get(f"{raw['repo']}#{raw['number']}", ()))) for raw in document["items"]]


def _item(raw: dict[str, Any], comments: tuple[Comment, ...]) -> GitHubItem:
    kind = ItemKind(raw["kind"])
    closed_at = _instant(raw["closed_at"])
    by = raw.get("closed_by")
    closer = Account(login=by if isinstance(by, str) else by["login"]) if by else None
    state = ItemState.MERGED if raw["merged"] else ItemState.CLOSED if raw["state"] == "closed" else ItemState.OPEN
    if state is ItemState.OPEN and raw["draft"]:
        state = ItemState.DRAFT
    events = () if closed_at is None else (ItemEvent(kind=EventKind.CLOSED, at=closed_at, actor=closer),)
    return GitHubItem(
        reference=f"{raw['repo']}#{raw['number']}",
        kind=kind,
        title=raw["title"],
        url=raw["html_url"],
        author=_account(raw),
        created_at=_instant(raw["created_at"]),  # type: ignore[arg-type]
        updated_at=_instant(raw["updated_at"]),  # type: ignore[arg-type]
        state=state,
        body=raw["body"] or "",
        merged_at=_instant(raw["merged_at"]),
        closed_at=closed_at,
        closed_by=closer,
        labels=tuple(raw["labels"]),
        parent=f"{raw['repo']}#{raw['parent']}" if raw["parent"] else None,
        comments=comments,
        events=events,
        first_time=raw["author_association"] in ("FIRST_TIME_CONTRIBUTOR", "FIRST_TIMER") or None,
        draft=raw["draft"],
    )


def _account(raw: dict[str, Any]) -> Account | None:
    user = raw["user"]
    if user is None:
        return None
    return Account(
        login=user["login"], name=raw.get("name"), bot=user["type"] == "Bot", association=raw["author_association"]
    )


def _instant(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


@cache
def edition_of(week: str) -> Edition:
    """The compiled edition of an example week: facts, no narrative."""
    return asyncio.run(_compiled(week))


async def _compiled(week: str) -> Edition:
    settings, period = settings_of(week), period_of(week)
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(f"sqlite:///{folder}/week.sqlite3")
        try:
            async with store.engine.begin() as connection:
                await connection.run_sync(Base.metadata.create_all)
            guild_id = await _recorded(store, week, settings)
            async with store.read() as connection:
                gathered = await gather(connection, guild_id=guild_id, settings=settings, period=period)
        finally:
            await store.close()
    return assemble(gathered, items_of(week), settings=settings, period=period)


async def _recorded(store: Store, week: str, settings: GuildSettings) -> int:
    if document := load(week, "discord.json"):
        return await import_recording(store, document, settings=settings)
    async with store.write() as connection:
        await guilds.store_guild(connection, Guild(guild_id=1, name="Gazette"))
    return 1
