"""Every query is valid by GitHub's public schema, and the local GitHub answers it as GraphQL's reference does."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from graphql import (
    ExecutionResult,
    GraphQLError,
    GraphQLObjectType,
    GraphQLResolveInfo,
    GraphQLSchema,
    build_schema,
    graphql_sync,
    parse,
    validate,
)

from bot.github import queries
from bot.replay.github_graph import IMPLEMENTS, query_root
from bot.replay.github_recording import GitHubRecording
from bot.replay.graphql import Refusal, answer

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
ASKED = {"owner": "marin-community", "name": "marin"}
QUERIES: dict[str, tuple[str, dict[str, Any]]] = {
    "repository": (queries.REPOSITORY, {}),
    "updated issues": (queries.UPDATED_ISSUES, {"first": 20, "after": None, "since": "2026-03-10T00:00:00Z"}),
    "updated pull requests": (queries.UPDATED_PULLS, {"first": 30, "after": None}),
    "epics": (queries.EPICS, {"first": 2, "after": None, "labels": ["epic"]}),
    "items by number": (queries.items_by_number([3096, 3657, 1, 2262]), {}),
    "places": (queries.places([3096, 3657, 1, 2262]), {}),
    "older comments": (queries.older_comments({3096: "Y3Vyc29yOjE=", 3657: "Y3Vyc29yOjE="}), {}),
}


@pytest.fixture(scope="module")
def _schemas() -> dict[Path, GraphQLSchema]:
    return {}


@pytest.fixture
def schema(shared_file: Callable[[str], Path], _schemas: dict[Path, GraphQLSchema]) -> GraphQLSchema:
    path = shared_file("GITHUB_SCHEMA")
    if path not in _schemas:
        _schemas[path] = build_schema(path.read_text(), assume_valid=True, assume_valid_sdl=True)
    return _schemas[path]


@pytest.fixture(scope="module")
def recording() -> GitHubRecording:
    return GitHubRecording(json.loads((EXAMPLES / "marin-2026-03-09" / "github.json").read_text()))


@pytest.mark.parametrize("name", QUERIES)
def test_a_query_is_valid_by_githubs_schema(name: str, schema: GraphQLSchema) -> None:
    assert validate(schema, parse(QUERIES[name][0])) == []


@pytest.mark.parametrize("name", QUERIES)
def test_the_local_answer_is_the_reference_implementations(
    name: str, schema: GraphQLSchema, recording: GitHubRecording
) -> None:
    query, variables = QUERIES[name]
    root = query_root(recording, sees_private=True, refuses=lambda _: False)
    ours = answer(query, ASKED | variables, root, implements=IMPLEMENTS)
    theirs: ExecutionResult = graphql_sync(
        schema, query, root, variable_values=ASKED | variables, field_resolver=_resolve
    )
    assert ours["data"] == theirs.data
    told = {error["message"]: error["path"] for error in ours.get("errors", [])}
    assert told == {error.message: error.path for error in theirs.errors or []}
    assert ours["data"]["repository"]


def _resolve(source: Any, info: GraphQLResolveInfo, **arguments: Any) -> Any:
    value = source[info.field_name]
    value = value(**arguments) if callable(value) else value
    if isinstance(value, Refusal):
        raise GraphQLError(value.message)
    return value


def test_no_object_has_a_field_that_github_lacks(schema: GraphQLSchema, recording: GitHubRecording) -> None:
    root = query_root(recording, sees_private=True, refuses=lambda _: False)
    repository = root["repository"](**ASKED)
    nodes = repository["issues"](first=100)["nodes"] + repository["pullRequests"](first=100)["nodes"]
    nodes += [node["author"]() for node in nodes]
    nodes += [one for node in nodes if "comments" in node for one in node["comments"](first=9)["nodes"]]
    nodes += [one for node in nodes if "timelineItems" in node for one in node["timelineItems"](first=9)["nodes"]]
    seen = set()
    for node in [root, repository, *nodes]:
        kind = schema.get_type(node["__typename"])
        assert isinstance(kind, GraphQLObjectType)
        assert node.keys() - kind.fields.keys() == {"__typename"}
        seen.add(kind.name)
    assert {"Issue", "PullRequest", "User", "IssueComment", "ClosedEvent", "MergedEvent"} <= seen
