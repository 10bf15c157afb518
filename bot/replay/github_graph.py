"""A recorded week as the objects of GitHub's GraphQL API, as far as the bot asks for them.

Source: https://docs.github.com/graphql/reference/objects
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from typing import Any

from bot.replay.github_recording import GitHubRecording, Json, RecordedItem, TimelineEvent, instant_of, user_of
from bot.replay.graphql import Refusal

IMPLEMENTS = {
    "User": frozenset({"Actor", "Node"}),
    "Bot": frozenset({"Actor", "Node"}),
    "Organization": frozenset({"Actor", "Node"}),
    "Issue": frozenset({"Comment", "Closable", "Node", "Labelable"}),
    "PullRequest": frozenset({"Comment", "Closable", "Node", "Labelable"}),
}
_EVENT_TYPES = {
    "closed": "ClosedEvent",
    "reopened": "ReopenedEvent",
    "merged": "MergedEvent",
    "convert_to_draft": "ConvertToDraftEvent",
    "ready_for_review": "ReadyForReviewEvent",
}
_LARGEST_PAGE = 100


def query_root(recording: GitHubRecording, *, sees_private: bool, refuses: Callable[[Json], bool]) -> Json:
    """The root of all queries. Of a list's nodes those that `refuses` picks are answered with an error."""
    graph = _Graph(recording, refuses)

    def repository(owner: str, name: str, followRenames: bool = True) -> Any:  # noqa: N803 - GitHub's name
        found = recording.repository(f"{owner}/{name}")
        moved = found is not None and found.name.lower() != f"{owner}/{name}".lower()
        if found is None or (found.private and not sees_private) or (moved and not followRenames):
            told = f"Could not resolve to a Repository with the name '{owner}/{name}'."
            return Refusal(told, "NOT_FOUND")
        return graph.repository(found.name, found.private)

    return {"__typename": "Query", "repository": repository}


class _Graph:
    def __init__(self, recording: GitHubRecording, refuses: Callable[[Json], bool]) -> None:
        self._recording = recording
        self._refuses = refuses

    def repository(self, name: str, private: bool) -> Json:
        def issues(
            labels: list[str] | None = None,
            states: list[str] | None = None,
            filterBy: Json | None = None,  # noqa: N803 - GitHub's name
            **page: Any,
        ) -> Any:
            found = [item for item in self._recording.items(name) if not item.is_pull_request]
            if since := (filterBy or {}).get("since"):
                found = [i for i in found if instant_of(i.updated_at) >= instant_of(since)]
            wanted = {label.lower() for label in labels or ()}
            found = [i for i in found if not wanted or wanted & {label.lower() for label in i.labels}]
            return self._items([i for i in found if not states or self._state(i) in states], page)

        def pull_requests(states: list[str] | None = None, **page: Any) -> Any:
            found = [item for item in self._recording.items(name) if item.is_pull_request]
            return self._items([i for i in found if not states or self._state(i) in states], page)

        def issue_or_pull_request(number: int) -> Any:
            if item := self._recording.item(name, number):
                return self.item(item)
            told = f"Could not resolve to an issue or pull request with the number of {number}."
            return Refusal(told, "NOT_FOUND")

        return {
            "__typename": "Repository",
            "nameWithOwner": name,
            "isPrivate": private,
            "issues": issues,
            "pullRequests": pull_requests,
            "issueOrPullRequest": issue_or_pull_request,
        }

    def _items(self, items: list[RecordedItem], page: Json) -> Any:
        order = page.pop("orderBy", None) or {"field": "CREATED_AT", "direction": "ASC"}
        by_update = order["field"] == "UPDATED_AT"
        items.sort(key=lambda i: (instant_of(i.updated_at if by_update else i.fields["created_at"]), i.number))
        return connection(items[::-1] if order["direction"] == "DESC" else items, self.item, **page)

    def _node(self, node: Json) -> Json | Refusal:
        return Refusal("Something went wrong while executing your query.") if self._refuses(node) else node

    @staticmethod
    def _state(item: RecordedItem) -> str:
        return "MERGED" if item.merged_at else "OPEN" if item.is_open else "CLOSED"

    def item(self, item: RecordedItem) -> Any:
        fields = item.fields
        common = {
            "__typename": "PullRequest" if item.is_pull_request else "Issue",
            "number": item.number,
            "title": fields["title"],
            "url": item.url,
            "body": fields.get("body") or "",
            "author": lambda: self.actor(fields.get("user")),
            "authorAssociation": fields.get("author_association") or "NONE",
            "state": self._state(item),
            "createdAt": fields["created_at"],
            "updatedAt": item.updated_at,
            "closedAt": item.closed_at,
            "labels": lambda **page: connection(item.labels, _label, **page),
            "comments": lambda **page: connection(item.comments, self._comment, **page),
            "timelineItems": lambda **page: self._timeline(item, **page),
            "repository": lambda: self._repository_of(item),
        }
        return self._node(common | (self._pull_request(item) if item.is_pull_request else self._issue(item)))

    def _pull_request(self, item: RecordedItem) -> Json:
        return {
            "isDraft": bool(item.fields.get("draft")),
            "merged": item.merged_at is not None,
            "mergedAt": item.merged_at,
            "mergedBy": lambda: self.actor(item.actor_of("merged")) if item.merged_at else None,
            "closingIssuesReferences": lambda **page: connection(item.closes, self.item, **page),
            "reviews": lambda **page: connection(item.reviews, lambda one: self._review(item, one), **page),
        }

    def _issue(self, item: RecordedItem) -> Json:
        return {
            "stateReason": None if item.is_open else (item.fields.get("state_reason") or "completed").upper(),
            "parent": lambda: self.item(item.parent) if item.parent else None,
            "subIssues": lambda **page: connection(item.sub_issues, self.item, **page),
        }

    def _repository_of(self, item: RecordedItem) -> Json:
        found = self._recording.repository(item.repository)
        return self.repository(item.repository, bool(found and found.private))

    def _comment(self, comment: Json) -> Json:
        return {
            "__typename": "IssueComment",
            "fullDatabaseId": str(comment["id"]),
            "author": lambda: self.actor(comment.get("user")),
            "authorAssociation": comment.get("author_association") or "NONE",
            "createdAt": comment["created_at"],
            "updatedAt": comment.get("updated_at") or comment["created_at"],
            "body": comment.get("body") or "",
            "url": comment["html_url"],
        }

    def _review(self, item: RecordedItem, review: Json) -> Json:
        at = review.get("submitted_at") or review.get("created_at")
        return {
            "__typename": "PullRequestReview",
            "fullDatabaseId": str(review["id"]),
            "author": lambda: self.actor(review.get("user")),
            "authorAssociation": review.get("author_association") or "NONE",
            "submittedAt": at,
            "createdAt": at,
            "body": review.get("body") or "",
            "state": (review.get("state") or "COMMENTED").upper(),
            "url": review.get("html_url") or f"{item.url}#pullrequestreview-{review['id']}",
        }

    def _timeline(self, item: RecordedItem, itemTypes: list[str] | None = None, **page: Any) -> Any:  # noqa: N803
        shown = [event for event in item.timeline if event.kind in _EVENT_TYPES]
        wanted = set(itemTypes or ())
        shown = [event for event in shown if not wanted or _type_name(event) in wanted]
        return connection(shown, self._event, **page)

    def _event(self, event: TimelineEvent) -> Json:
        return {
            "__typename": _EVENT_TYPES[event.kind],
            "createdAt": event.at,
            "actor": lambda: self.actor(event.actor),
        }

    def actor(self, value: Any) -> Json | None:
        """An account; null where it is gone. A bot's login stands here without its "[bot]"."""
        user = user_of(value)
        if user is None:
            return None
        if user["type"] == "Bot":
            return {"__typename": "Bot", "login": user["login"].removesuffix("[bot]")}
        return {
            "__typename": user["type"],
            "login": user["login"],
            "name": self._recording.display_name(user["login"]),
        }


def _type_name(event: TimelineEvent) -> str:
    """ClosedEvent as CLOSED_EVENT."""
    name = _EVENT_TYPES[event.kind]
    return "".join(f"_{letter}" if letter.isupper() else letter.upper() for letter in name).lstrip("_")


def _label(name: str) -> Json:
    return {"__typename": "Label", "name": name}


def connection(
    nodes: Sequence[Any],
    shown: Callable[[Any], Any],
    *,
    first: int | None = None,
    after: str | None = None,
    last: int | None = None,
    before: str | None = None,
    **_order: Any,
) -> Json | Refusal:
    """One page of `nodes`, each as `shown` makes it, with cursors. `first` or `last` is required, at most 100."""
    if first is None and last is None:
        return Refusal(
            "You must provide a `first` or `last` value to properly paginate.", "MISSING_PAGINATION_BOUNDARIES"
        )
    if (first or last or 0) > _LARGEST_PAGE:
        return Refusal("Requesting more than 100 records exceeds the `first` limit.", "EXCESSIVE_PAGINATION")
    start = _position(after) + 1 if after else 0
    end = _position(before) if before else len(nodes)
    if first is not None:
        end = min(end, start + first)
    if last is not None:
        start = max(start, end - last)
    return {
        "__typename": "Connection",
        "totalCount": len(nodes),
        "nodes": [shown(node) for node in nodes[start:end]],
        "pageInfo": {
            "__typename": "PageInfo",
            "hasNextPage": end < len(nodes),
            "hasPreviousPage": start > 0,
            "startCursor": _cursor(start) if start < end else None,
            "endCursor": _cursor(end - 1) if start < end else None,
        },
    }


def _cursor(position: int) -> str:
    return base64.b64encode(f"cursor:{position}".encode()).decode()


def _position(cursor: str) -> int:
    return int(base64.b64decode(cursor).decode().removeprefix("cursor:"))
