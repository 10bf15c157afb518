"""Both example weeks, through the real client over HTTP into the store and out again."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.github.client import GitHubClient
from bot.github.sync import sync
from bot.model.clock import ManualClock
from bot.model.github import GitHubItem, epics_of, events_between, state_at
from bot.model.schedule import Period
from bot.model.settings import GuildSettings, parse_settings
from bot.replay.github_server import GitHubServer
from bot.store.engine import Store
from bot.store.github import items_between

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
WEEKS = {
    "marin-2026-08-24": Period(datetime(2026, 8, 24, tzinfo=UTC), datetime(2026, 8, 31, tzinfo=UTC)),
    "marin-2026-03-09": Period(datetime(2026, 3, 9, tzinfo=UTC), datetime(2026, 3, 16, tzinfo=UTC)),
}


def settings_of(week: str) -> GuildSettings:
    return parse_settings((EXAMPLES / week / "settings.toml").read_text())


def document(week: str, name: str) -> dict:
    return json.loads((EXAMPLES / week / name).read_text())


async def synced(week: str, store: Store, token: str | None = "secret") -> list[GitHubItem]:
    period = WEEKS[week]
    clock = ManualClock(period.end)
    repositories = settings_of(week).github.tracked
    async with (
        GitHubServer(document(week, "github.json"), clock=clock) as server,
        GitHubClient(api_url=server.url, token=token, clock=clock) as client,
    ):
        report = await sync(client, store, repositories=repositories, period=period, clock=clock)
        assert report.status == ("complete" if token else "partial")
        assert len(server.seen) <= (4 if token else 7) * len(repositories) + 2
    async with store.read() as connection:
        return await items_between(connection, repositories, period)


@pytest.mark.parametrize("token", ["secret", None], ids=["graphql", "rest"])
@pytest.mark.parametrize("week", WEEKS)
async def test_every_cited_item_has_its_state_at_the_weeks_end(
    week: str, token: str | None, sqlite_store: Store
) -> None:
    found = {item.key: item for item in await synced(week, sqlite_store, token)}
    expected = document(week, "expected.json")
    missing = [c["reference"] for c in expected["cited_references"] if c["reference"].lower() not in found]
    assert missing == []
    states = {
        reference: state
        for state, references in expected["states_at_window_end"].items()
        if state in ("open", "draft", "merged", "closed")
        for reference in references
    }
    assert {r: state_at(found[r.lower()], WEEKS[week].end).value for r in states} == states


@pytest.mark.parametrize("week", WEEKS)
async def test_everything_recorded_is_told_as_recorded(week: str, sqlite_store: Store) -> None:
    found = {item.key: item for item in await synced(week, sqlite_store)}
    recorded = {f"{i['repo']}#{i['number']}".lower(): i for i in document(week, "github.json")["items"]}
    assert found.keys() == recorded.keys()
    for key, item in found.items():
        fields = recorded[key]
        assert item.author is not None
        assert item.author.login == fields["user"]["login"]
        assert item.author.bot == (fields["user"]["type"] == "Bot")
        assert item.author.association == fields["author_association"]
        assert (item.title, item.body, item.url) == (fields["title"], fields["body"], fields["html_url"])
        assert sorted(item.labels) == sorted(fields["labels"])
        assert item.kind.value == fields["kind"]
        assert ("merged" in events_between(item, WEEKS[week])) == fields["merged"]


async def test_every_cited_pull_request_stands_under_its_epic(sqlite_store: Store) -> None:
    week = "marin-2026-03-09"
    items = await synced(week, sqlite_store)
    epics = epics_of(items, items)
    for epic in document(week, "expected.json")["epics"]:
        assert {epics.get(reference.lower()) for reference in epic["references"]} == {epic["reference"]}
