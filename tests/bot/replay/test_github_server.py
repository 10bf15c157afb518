"""The local GitHub behaves as the real one where it matters, over HTTP."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.errors import InputError
from bot.model.clock import ManualClock
from bot.replay.github_server import Fault, GitHubServer

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
NOT_GITHUBS = {"source", "cited", "estimated", "acts_for", "state_seen_later", "login_seen_on_public_thread", "kind"}
MARIN = "/repos/marin-community/marin"


@pytest.fixture(params=sorted(path.parent.name for path in EXAMPLES.glob("*/github.json")))
def document(request: pytest.FixtureRequest) -> dict[str, Any]:
    return json.loads((EXAMPLES / request.param / "github.json").read_text())


def small(**more: Any) -> dict[str, Any]:
    def item(number: int, kind: str, **fields: Any) -> dict[str, Any]:
        return {
            "repo": "a/b",
            "number": number,
            "kind": kind,
            "title": f"T{number}",
            "user": {"login": "ann", "type": "User"},
            "author_association": "NONE",
            "state": "open",
            "created_at": "2030-01-01T00:00:00Z",
            "updated_at": f"2030-01-{number:02}T00:00:00Z",
            "html_url": f"https://github.com/a/b/issues/{number}",
            **fields,
        }

    done = {"state": "closed", "merged": True, "merged_at": "2030-01-05T00:00:00Z", "closed_at": "2030-01-05T00:00:00Z"}
    items = [
        item(1, "issue", acts_for="x", source="summary", parent=3),
        item(2, "pull_request", body="Fixes #1", **done),
        item(3, "issue", labels=["epic"], user=None, state="closed", closed_at="2030-01-03T00:00:00Z"),
    ]
    return {"repository": "a/b", "items": items, **more}


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(headers={"Authorization": "token t"}) as opened:
        yield opened


async def get(session: aiohttp.ClientSession, address: str, **options: Any) -> tuple[int, Any, Any]:
    async with session.get(address, **options) as response:
        text = await response.text()
        return response.status, json.loads(text) if text.startswith(("{", "[")) else text, response.headers


def keys_of(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value) | {key for one in value.values() for key in keys_of(one)}
    return {key for one in value for key in keys_of(one)} if isinstance(value, list) else set()


async def test_nothing_is_served_that_github_lacks(session: aiohttp.ClientSession, document: dict[str, Any]) -> None:
    async with GitHubServer(document) as server:
        for path in ("issues?state=all&per_page=100", "issues/comments", "issues/events", "issues/3096", "pulls/3657"):
            _, body, _ = await get(session, f"{server.url}{MARIN}/{path}")
            assert keys_of(body) & NOT_GITHUBS == set()
            assert "parent" not in keys_of(body)


async def test_every_item_is_served_page_by_page(session: aiohttp.ClientSession, document: dict[str, Any]) -> None:
    async with GitHubServer(document) as server:
        address, found = f"{server.url}{MARIN}/issues?state=all&per_page=20", []
        while address:
            async with session.get(address) as response:
                found += [issue["number"] for issue in await response.json()]
                address = str(response.links["next"]["url"]) if "next" in response.links else ""
        wanted = [i["number"] for i in document["items"] if i["repo"].endswith("/marin")]
        assert sorted(found) == sorted(wanted)


async def test_kinds_parents_and_closings_are_githubs(session: aiohttp.ClientSession) -> None:
    async with GitHubServer(small()) as server:
        base = f"{server.url}/repos/a/b"
        _, issue, _ = await get(session, f"{base}/issues/1")
        _, pull, _ = await get(session, f"{base}/pulls/2")
        _, epic, _ = await get(session, f"{base}/issues/3")
        assert issue["parent_issue_url"] == f"{base}/issues/3"
        assert "pull_request" not in issue
        assert (pull["merged"], pull["merged_at"], pull["state"]) == (True, "2030-01-05T00:00:00Z", "closed")
        assert (epic["user"], epic["sub_issues_summary"]["total"]) == (None, 1)
        assert [i["number"] for i in (await get(session, f"{base}/issues/3/sub_issues"))[1]] == [1]
        assert (await get(session, f"{base}/pulls/1"))[0] == 404
        assert (await get(session, f"{base}/issues?state=all&since=2030-01-02T00:00:00Z&labels=epic"))[1][0][
            "number"
        ] == 3


async def test_a_timeline_holds_what_was_recorded_and_what_it_implies(session: aiohttp.ClientSession) -> None:
    actor = {"login": "eve", "type": "User"}
    told = [
        {"repo": "a/b", "number": 3, "event": "closed", "actor": actor, "created_at": "2030-01-03T00:00:01Z"},
        {"repo": "a/b", "number": 2, "event": "labeled", "actor": actor, "created_at": "2030-01-04T00:00:00Z"},
        {"repo": "a/b", "number": 2, "event": "merged", "actor": actor, "created_at": "2030-01-05T00:00:00Z"},
    ]
    async with GitHubServer(small(events=told)) as server:
        _, merged, _ = await get(session, f"{server.url}/repos/a/b/issues/2/events")
        _, closed, _ = await get(session, f"{server.url}/repos/a/b/issues/3/events")
        _, pull, _ = await get(session, f"{server.url}/repos/a/b/pulls/2")
    assert [event["event"] for event in merged] == ["labeled", "merged", "closed"]
    assert [(event["event"], event["actor"]["login"]) for event in closed] == [("closed", "eve")]
    assert pull["merged_by"]["login"] == "eve"


async def test_a_sparse_recording_is_served_with_what_github_always_has(session: aiohttp.ClientSession) -> None:
    item = {"repo": "a/b", "number": 1, "kind": "issue", "title": "T", "created_at": "2030-01-01T00:00:00Z"}
    comment = {"repo": "a/b", "number": 1, "created_at": "2030-01-02T00:00:00Z", "body": "hi"}
    async with GitHubServer({"items": [item], "comments": [comment]}) as server:
        _, issue, _ = await get(session, f"{server.url}/repos/a/b/issues/1")
        _, comments, _ = await get(session, f"{server.url}/repos/a/b/issues/1/comments")
    assert (issue["html_url"], issue["user"], issue["state"]) == ("https://github.com/a/b/issues/1", None, "open")
    assert (issue["updated_at"], issue["author_association"]) == ("2030-01-01T00:00:00Z", "NONE")
    assert comments[0]["html_url"] == "https://github.com/a/b/issues/1"


def test_an_event_that_names_no_item_is_told_with_its_place() -> None:
    with pytest.raises(InputError, match=r"events\[0\] lacks 'number'"):
        GitHubServer({"events": [{"repo": "a/b", "event": "closed", "created_at": "2030-01-01T00:00:00Z"}]})


async def test_an_unchanged_answer_is_304_and_free_for_those_who_are_known(session: aiohttp.ClientSession) -> None:
    async with GitHubServer(small()) as server:
        address = f"{server.url}/repos/a/b/issues"
        _, _, first = await get(session, address)
        status, body, second = await get(session, address, headers={"If-None-Match": first["ETag"]})
        assert (status, body) == (304, "")
        _, _, third = await get(session, address)
        left = [int(headers["X-RateLimit-Remaining"]) for headers in (first, second, third)]
        assert left[0] - left[2] == 1


async def test_a_spent_budget_is_refused_until_its_reset() -> None:
    clock = ManualClock(datetime(2030, 1, 1, tzinfo=UTC))
    async with GitHubServer(small(), clock=clock) as server, aiohttp.ClientSession() as anonymous:
        server.anonymous_budget = 1
        address = f"{server.url}/repos/a/b"
        assert (await get(anonymous, address))[0] == 200
        status, _, headers = await get(anonymous, address)
        assert (status, headers["X-RateLimit-Remaining"]) == (403, "0")
        clock.set(datetime.fromtimestamp(int(headers["X-RateLimit-Reset"]), UTC))
        assert (await get(anonymous, address))[0] == 200


async def test_moved_private_and_removed_are_told_apart(session: aiohttp.ClientSession) -> None:
    async with (
        GitHubServer(small(renamed_repositories={"old/b": "a/b"})) as server,
        aiohttp.ClientSession() as anonymous,
    ):
        status, body, headers = await get(session, f"{server.url}/repos/old/b/issues/1", allow_redirects=False)
        assert (status, headers["Location"]) == (301, f"{server.url}/repos/a/b/issues/1")
        assert (await get(session, headers["Location"]))[1]["number"] == 1
        server.remove("a/b", 1)
        assert (await get(session, f"{server.url}/repos/a/b/issues/1"))[0] == 410
        server.recording.add_repository("a/b", private=True)
        assert (await get(anonymous, f"{server.url}/repos/a/b"))[0] == 404
        assert (await get(session, f"{server.url}/repos/a/b"))[1]["private"] is True
        assert body["message"] == "Moved Permanently"


async def test_a_recording_may_say_which_repositories_are_private(session: aiohttp.ClientSession) -> None:
    ways: list[dict[str, Any]] = [
        {"repositories": [{"full_name": "a/b", "private": True}]},
        {"private_repositories": ["a/b"]},
        {"items": [{**small()["items"][0], "private": True}]},
    ]
    for more in ways:
        async with GitHubServer({**small(), **more}) as server:
            assert (await get(session, f"{server.url}/repos/a/b"))[1]["private"] is True


async def test_graphql_needs_a_name_and_answers_in_part(session: aiohttp.ClientSession) -> None:
    query = '{ repository(owner: "A", name: "B") { x: issueOrPullRequest(number: 9) { __typename } nameWithOwner } }'
    async with GitHubServer(small()) as server, aiohttp.ClientSession() as anonymous:
        async with anonymous.post(f"{server.url}/graphql", json={"query": query}) as response:
            assert response.status == 401
        async with session.post(f"{server.url}/api/graphql", json={"query": query}) as response:
            body = await response.json()
    assert body["data"] == {"repository": {"x": None, "nameWithOwner": "a/b"}}
    assert [(error["type"], error["path"]) for error in body["errors"]] == [("NOT_FOUND", ["repository", "x"])]


async def test_a_fault_meets_the_requests_it_is_meant_for(session: aiohttp.ClientSession) -> None:
    async with GitHubServer(small()) as server:
        server.faults.append(Fault(status=502, body="no", path="/issues", after=1, times=2))
        statuses = [(await get(session, f"{server.url}/repos/a/b/issues"))[0] for _ in range(4)]
        assert (await get(session, f"{server.url}/repos/a/b"))[0] == 200
    assert statuses == [200, 502, 502, 200]
