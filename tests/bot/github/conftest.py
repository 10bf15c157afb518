"""A recording in a few words, a local GitHub that serves it, and a client whose waiting takes no time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.github.client import GitHubClient
from bot.model.clock import ManualClock
from bot.model.schedule import Period
from bot.replay.github_server import GitHubServer

REPOSITORY = "acme/anvil"
PERIOD = Period(datetime(2030, 5, 6, tzinfo=UTC), datetime(2030, 5, 13, tzinfo=UTC))


class LeapingClock(ManualClock):
    """Whoever waits is there at once; `waits` tells for how long they would have waited."""

    def __init__(self, start: datetime) -> None:
        super().__init__(start)
        self.waits: list[float] = []

    async def sleep_until(self, instant: datetime) -> None:
        self.waits.append((instant - self.now()).total_seconds())
        self.set(instant)
        await super().sleep_until(instant)


class Recorded:
    """Builds a `github.json`; days count from the period's start and may be fractions."""

    def __init__(self) -> None:
        self.document: dict[str, Any] = {"repository": REPOSITORY, "items": [], "comments": [], "events": []}

    @staticmethod
    def at(day: float) -> str:
        return f"{PERIOD.start + timedelta(days=day):%Y-%m-%dT%H:%M:%SZ}"

    def _item(self, kind: str, number: int, fields: dict[str, Any]) -> dict[str, Any]:
        created, updated = fields.pop("created", 1.0), fields.pop("updated", None)
        merged, closed = fields.pop("merged", None), fields.pop("closed", None)
        closed = merged if closed is None else closed
        login = fields.pop("login", "wile")
        latest = max(day for day in (created, merged, closed) if day is not None)
        path = "pull" if kind == "pull_request" else "issues"
        repo = fields.pop("repo", REPOSITORY)
        item = {
            "repo": repo,
            "number": number,
            "kind": kind,
            "title": f"Number {number}",
            "user": login and {"login": login, "type": "Bot" if login.endswith("[bot]") else "User"},
            "name": login and login.title(),
            "author_association": "MEMBER",
            "state": "open" if closed is None else "closed",
            "draft": False,
            "merged": merged is not None,
            "merged_at": None if merged is None else self.at(merged),
            "closed_at": None if closed is None else self.at(closed),
            "closed_by": None,
            "created_at": self.at(created),
            "updated_at": self.at(latest if updated is None else updated),
            "labels": [],
            "parent": None,
            "body": "",
            "html_url": f"https://github.com/{repo}/{path}/{number}",
            **fields,
        }
        self.document["items"].append(item)
        return item

    def pull(self, number: int, **fields: Any) -> dict[str, Any]:
        return self._item("pull_request", number, fields)

    def issue(self, number: int, **fields: Any) -> dict[str, Any]:
        return self._item("issue", number, fields)

    def comment(self, comment_id: int, number: int, day: float, login: str | None = "rudi") -> None:
        self.document["comments"].append(
            {
                "id": comment_id,
                "repo": REPOSITORY,
                "number": number,
                "user": login and {"login": login, "type": "User"},
                "author_association": "NONE",
                "created_at": self.at(day),
                "updated_at": self.at(day),
                "body": f"Comment {comment_id}",
                "html_url": f"https://github.com/{REPOSITORY}/issues/{number}#issuecomment-{comment_id}",
            }
        )

    def event(self, number: int, event: str, day: float, actor: str = "rudi") -> None:
        self.document["events"].append(
            {
                "repo": REPOSITORY,
                "number": number,
                "event": event,
                "actor": {"login": actor, "type": "User"},
                "created_at": self.at(day),
            }
        )


@pytest.fixture
def recorded() -> Recorded:
    return Recorded()


@pytest.fixture
def leaping() -> LeapingClock:
    """A clock just after the period's end."""
    return LeapingClock(PERIOD.end + timedelta(hours=9))


@pytest.fixture
async def github(leaping: LeapingClock) -> AsyncIterator[Callable[..., Any]]:
    """Start a local GitHub for a recording, and a client for it: `server, client = await github(recorded)`."""
    async with AsyncExitStack() as stack:

        async def start(
            recorded: Recorded, *, token: str | None = "s3cret", prefix: str = "", **options: Any
        ) -> tuple[GitHubServer, GitHubClient]:
            server = await stack.enter_async_context(GitHubServer(recorded.document, clock=leaping))
            client = GitHubClient(api_url=server.url + prefix, token=token, clock=leaping, **options)
            return server, await stack.enter_async_context(client)

        yield start
