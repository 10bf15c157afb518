"""GitHub by GraphQL: many items a request, with people's names. Needs a token."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from bot.errors import GitHubError
from bot.github import queries
from bot.github.client import GoneError, GraphQLAnswer, RefusedError, Requests, UnreachableError
from bot.github.convert import comment_from_graphql, item_from_graphql
from bot.model.github import Comment, GitHubItem, Repository

_SMALLEST_PAGE = 5
_FINAL = ("NOT_FOUND", "FORBIDDEN")  # asking again gives the same
_UNKNOWN_FIELD = "doesn't exist on type"


class OutdatedError(GitHubError):
    """The server is an older one, which does not know what we ask for; its REST API does."""


class GraphQLSource:
    """GitHub's GraphQL API as a `Source`.

    A query that GitHub finds too much (a time-out, an answer with holes) is asked again for half as many
    items; what is still missing from the smallest page is left out and told in `gaps`.
    """

    comments_since = False
    batch = queries.BATCH

    def __init__(self, requests: Requests) -> None:
        self._requests = requests
        self._page = queries.PAGE
        self.gaps: list[str] = []

    async def repository(self, name: str) -> Repository:
        answer = await self._ask(queries.REPOSITORY, name)
        found = (answer.data or {}).get("repository")
        if not found:
            raise _refusal(answer, name)
        return Repository(found["nameWithOwner"], found["isPrivate"])

    async def updated(
        self, name: str, *, since: datetime, comments_from: datetime
    ) -> AsyncIterator[Sequence[GitHubItem]]:
        since_text = since.strftime("%Y-%m-%dT%H:%M:%SZ")
        async for nodes in self._pages(queries.UPDATED_ISSUES, name, since=since_text):
            yield await self._complete(name, nodes, comments_from)
        async for nodes in self._pages(queries.UPDATED_PULLS, name):
            recent = [node for node in nodes if datetime.fromisoformat(node["updatedAt"]) >= since]
            yield await self._complete(name, recent, comments_from)
            if len(recent) < len(nodes):
                return

    async def epics(self, name: str, labels: Collection[str]) -> Sequence[GitHubItem]:
        found = [
            item_from_graphql(node)
            for label in labels
            async for nodes in self._pages(queries.EPICS, name, labels=[label])
            for node in nodes
        ]
        return list({item.key: item for item in found}.values())

    async def by_number(
        self, name: str, numbers: Sequence[int], *, comments_from: datetime
    ) -> tuple[Sequence[GitHubItem], Collection[int]]:
        found: list[GitHubItem] = []
        gone: set[int] = set()
        waiting, size = list(numbers), queries.BATCH
        while waiting:
            some = waiting[:size]
            try:
                answer = await self._ask(queries.items_by_number(some), name)
            except UnreachableError:
                if size == 1:
                    raise
                size = max(size // 4, 1)
                continue
            fields = (answer.data or {}).get("repository")
            if _is_holey(answer) and len(some) > 1:
                size = max(size // 4, 1)
                continue
            if not fields:
                raise _refusal(answer, name)
            nodes = [fields[f"i{number}"] for number in some if _is_at(fields.get(f"i{number}"), name, number)]
            found += await self._complete(name, nodes, comments_from)
            unanswered = set(some) - {node["number"] for node in nodes}
            if unanswered and _is_holey(answer):
                self.gaps.append(f"GitHub did not answer for {name}#{some[0]}.")
            else:
                gone |= unanswered
            waiting = waiting[size:]
        return found, gone

    async def gone(self, name: str, numbers: Sequence[int]) -> Collection[int]:
        gone: set[int] = set()
        for first in range(0, len(numbers), queries.PAGE):
            some = numbers[first : first + queries.PAGE]
            answer = await self._ask(queries.places(some), name)
            fields = (answer.data or {}).get("repository")
            if fields and not _is_holey(answer):
                gone |= {number for number in some if not _is_at(fields.get(f"i{number}"), name, number)}
        return gone

    async def _pages(self, query: str, name: str, **variables: Any) -> AsyncIterator[list[Mapping[str, Any]]]:
        """The nodes of each page. A page with holes, or none at all, is asked for again in smaller pieces."""
        after: str | None = None
        while True:
            small = self._page <= _SMALLEST_PAGE
            try:
                answer = await self._ask(query, name, first=self._page, after=after, **variables)
            except UnreachableError:
                if small:
                    raise
                self._halve()
                continue
            if _is_holey(answer) and not small:
                self._halve()
                continue
            page = ((answer.data or {}).get("repository") or {}).get("page")
            if page is None:
                raise _refusal(answer, name)
            if missing := sum(node is None for node in page["nodes"]):
                self.gaps.append(f"GitHub did not answer for {missing} of the items of {name}.")
            yield [node for node in page["nodes"] if node]
            if not page["pageInfo"]["hasNextPage"]:
                return
            after = page["pageInfo"]["endCursor"]

    def _halve(self) -> None:
        self._page = max(self._page // 2, _SMALLEST_PAGE)

    async def _ask(self, query: str, name: str, **variables: Any) -> GraphQLAnswer:
        owner, _, short = name.partition("/")
        answer = await self._requests.graphql(query, owner=owner, name=short, **variables)
        if answer.data is None and any(_UNKNOWN_FIELD in error.get("message", "") for error in answer.errors):
            raise OutdatedError("This GitHub server is an older one.")
        return answer

    async def _complete(
        self, name: str, nodes: Sequence[Mapping[str, Any]], comments_from: datetime
    ) -> list[GitHubItem]:
        """The items of `nodes`, with the comments since `comments_from` that did not fit into them."""
        items = {node["number"]: item_from_graphql(node) for node in nodes}
        cursors = {node["number"]: _older(node.get("comments"), comments_from) for node in nodes}
        while wanted := {number: cursor for number, cursor in cursors.items() if cursor}:
            some = dict(list(wanted.items())[: queries.BATCH])
            answer = await self._ask(queries.older_comments(some), name)
            found = (answer.data or {}).get("repository") or {}
            for number in some:
                page = (found.get(f"i{number}") or {}).get("comments")
                if page is None:
                    self.gaps.append(f"GitHub did not give every comment of {name}#{number}.")
                comments = [comment_from_graphql(node) for node in (page or {}).get("nodes") or [] if node]
                items[number] = _with_comments(items[number], comments)
                cursors[number] = _older(page, comments_from)
        return list(items.values())


def _is_at(node: Mapping[str, Any] | None, name: str, number: int) -> bool:
    """Whether the item is (still) there; the number of a transferred issue leads to where it is now."""
    there = node and (node["number"], node["repository"]["nameWithOwner"].lower())
    return bool(there == (number, name.lower()))


def _older(page: Mapping[str, Any] | None, comments_from: datetime) -> str | None:
    """The cursor from which older comments of interest go on, if there may be any."""
    if not page or not page["pageInfo"]["hasPreviousPage"]:
        return None
    oldest = next((node for node in page["nodes"] if node), None)
    if oldest and datetime.fromisoformat(oldest["createdAt"]) < comments_from:
        return None
    cursor: str | None = page["pageInfo"]["startCursor"]
    return cursor


def _with_comments(item: GitHubItem, comments: Sequence[Comment]) -> GitHubItem:
    return replace(item, comments=tuple(sorted([*comments, *item.comments], key=lambda one: one.created_at)))


def _is_holey(answer: GraphQLAnswer) -> bool:
    """Whether something is missing that asking again might bring."""
    return any(error.get("type") not in _FINAL for error in answer.errors)


def _refusal(answer: GraphQLAnswer, name: str) -> GitHubError:
    kinds = {error.get("type") for error in answer.errors}
    if "NOT_FOUND" in kinds:
        return GoneError(f"GitHub shows no repository {name}; check the name and what the token may see.")
    if "FORBIDDEN" in kinds:
        return RefusedError(f"The token may not read {name}.")
    return UnreachableError(f"GitHub did not answer for {name}.")
