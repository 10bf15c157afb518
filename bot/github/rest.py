"""GitHub by REST: what remains without a token, and for servers whose GraphQL is too old.

Lists of a whole repository keep the requests few; display names and reviews would take one for each person
or pull request and are left out. They are read from the newest on: what is updated meanwhile moves to the front,
where the next sync finds it, and pushes nothing off a page that was not read yet.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from bot.github.client import GoneError, Requests
from bot.github.convert import comment_from_rest, event_from_rest, item_from_rest
from bot.model.github import Comment, EventKind, GitHubItem, ItemEvent, Repository

_PAGE = 100


class RestSource:
    """GitHub's REST API as a `Source`."""

    comments_since = True
    batch = 10  # each takes a request; what is there already is kept where the budget ends

    def __init__(self, requests: Requests) -> None:
        self._requests = requests
        self.gaps: list[str] = []

    async def repository(self, name: str) -> Repository:
        try:
            found = await self._requests.fetch(f"/repos/{name}")
        except GoneError:
            raise GoneError(f"GitHub shows no repository {name}; a private one needs a token.") from None
        return Repository(found["full_name"], found["private"])

    async def updated(
        self, name: str, *, since: datetime, comments_from: datetime
    ) -> AsyncIterator[Sequence[GitHubItem]]:
        comments = await self._comments(name, min(since, comments_from))
        events = await self._events(name, min(since, comments_from))
        path = f"/repos/{name}/issues"
        batch: list[GitHubItem] = []
        query = {"state": "all", "since": _text(since), "sort": "updated", "direction": "desc"}
        async for issue in self._requests.pages(path, **query):
            item = item_from_rest(issue, name)
            batch.append(_with(item, comments[item.number], events[item.number]))
            if len(batch) == _PAGE:
                yield batch
                batch = []
        yield batch

    async def epics(self, name: str, labels: Collection[str]) -> Sequence[GitHubItem]:
        found = [
            item_from_rest(issue, name)
            for label in labels
            async for issue in self._requests.pages(f"/repos/{name}/issues", state="open", labels=label)
        ]
        return list({item.key: item for item in found if item.kind == "issue"}.values())

    async def by_number(
        self, name: str, numbers: Sequence[int], *, comments_from: datetime
    ) -> tuple[Sequence[GitHubItem], Collection[int]]:
        found, gone = [], set()
        for number in numbers:
            path = f"/repos/{name}/issues/{number}"
            try:
                issue = await self._requests.fetch(path)
            except GoneError:
                gone.add(number)
                continue
            if not issue["repository_url"].lower().endswith(f"/{name.lower()}") or issue["number"] != number:
                gone.add(number)  # transferred: its number leads to where it is now
                continue
            comments: list[Comment] = []
            if issue["comments"] and datetime.fromisoformat(issue["updated_at"]) >= comments_from:
                since = _text(comments_from)
                comments = [comment_from_rest(c) async for c in self._requests.pages(f"{path}/comments", since=since)]
            found.append(_with(item_from_rest(issue, name), comments, []))
        return found, gone

    async def gone(self, name: str, numbers: Sequence[int]) -> Collection[int]:
        return ()  # it would take one request each

    async def _comments(self, name: str, since: datetime) -> dict[int, list[Comment]]:
        found: dict[int, list[Comment]] = defaultdict(list)
        path = f"/repos/{name}/issues/comments"
        async for comment in self._requests.pages(path, since=_text(since), sort="updated", direction="desc"):
            found[int(comment["issue_url"].rpartition("/")[2])].append(comment_from_rest(comment))
        return found

    async def _events(self, name: str, since: datetime) -> dict[int, list[ItemEvent]]:
        """State changes, read from the newest back to `since`."""
        found: dict[int, list[ItemEvent]] = defaultdict(list)
        async for told in self._requests.pages(f"/repos/{name}/issues/events"):
            if datetime.fromisoformat(told["created_at"]) < since:
                break
            issue: dict[str, Any] | None = told.get("issue")
            if issue and (event := event_from_rest(told)):
                found[issue["number"]].append(event)
        return found


def _with(item: GitHubItem, comments: Sequence[Comment], events: Sequence[ItemEvent]) -> GitHubItem:
    ordered = tuple(sorted(events, key=lambda event: event.at))
    closers = [event.actor for event in ordered if event.kind is EventKind.CLOSED]
    mergers = [event.actor for event in ordered if event.kind is EventKind.MERGED]
    is_closed = item.closed_at is not None and item.merged_at is None
    return replace(
        item,
        comments=tuple(sorted(comments, key=lambda comment: comment.created_at)),
        events=ordered,
        closed_by=item.closed_by or (closers[-1] if closers and is_closed else None),
        merged_by=mergers[-1] if mergers else None,
    )


def _text(instant: datetime) -> str:
    return instant.strftime("%Y-%m-%dT%H:%M:%SZ")
