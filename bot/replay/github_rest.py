"""A recorded week as the answers of GitHub's REST API, as far as the bot asks for them.

Source: https://docs.github.com/rest
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Mapping
from typing import Any

from bot.replay.github_recording import GitHubRecording, Json, RecordedItem, TimelineEvent, instant_of, user_of

Query = Mapping[str, str]
_REPOSITORY = r"/repos/(?P<owner>[^/]+)/(?P<name>[^/]+)"


class Missing(Exception):
    """There is nothing at this address; `status` is 404, or 410 for what was removed."""

    def __init__(self, status: int = 404) -> None:
        super().__init__(status)
        self.status = status


class Moved(Exception):
    """The repository has another name now; `path` is the address to ask instead."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


class RestAnswers:
    """Answers to GET requests. `base` is the API's own address, `removed` what answers 410."""

    def __init__(self, recording: GitHubRecording, *, base: str, removed: set[tuple[str, int]]) -> None:
        self._recording = recording
        self._base = base
        self._removed = removed
        self._routes: list[tuple[str, Callable[..., Any]]] = [
            (r"/users/(?P<login>[^/]+)", self._user),
            (_REPOSITORY, self._repository),
            (_REPOSITORY + r"/issues", self._issues),
            (_REPOSITORY + r"/issues/comments", self._comments),
            (_REPOSITORY + r"/issues/events", self._events),
            (_REPOSITORY + r"/issues/(?P<number>\d+)", self._issue),
            (_REPOSITORY + r"/issues/(?P<number>\d+)/comments", self._comments),
            (_REPOSITORY + r"/issues/(?P<number>\d+)/events", self._events),
            (_REPOSITORY + r"/issues/(?P<number>\d+)/sub_issues", self._sub_issues),
            (_REPOSITORY + r"/issues/(?P<number>\d+)/parent", self._parent),
            (_REPOSITORY + r"/pulls/(?P<number>\d+)", self._pull_request),
            (_REPOSITORY + r"/pulls/(?P<number>\d+)/reviews", self._reviews),
        ]

    def answer(self, path: str, query: Query, *, sees_private: bool) -> Any:
        """The value at `path`; a list is the whole of it, to be cut into pages. Raises Missing or Moved."""
        for pattern, handler in self._routes:
            if found := re.fullmatch(pattern, path):
                parts = found.groupdict()
                if "owner" not in parts:
                    return handler(**parts)
                repository = self._known(parts.pop("owner"), parts.pop("name"), path, sees_private)
                return handler(repository, query, **parts)
        raise Missing

    def _known(self, owner: str, name: str, path: str, sees_private: bool) -> str:
        asked = f"{owner}/{name}"
        found = self._recording.repository(asked)
        if found is None or (found.private and not sees_private):
            raise Missing
        if found.name.lower() != asked.lower():
            raise Moved(path.replace(f"/repos/{asked}", f"/repos/{found.name}", 1))
        return found.name

    def _found(self, repository: str, number: str) -> RecordedItem:
        if (repository.lower(), int(number)) in self._removed:
            raise Missing(410)
        item = self._recording.item(repository, int(number))
        if item is None:
            raise Missing
        return item

    def _user(self, login: str) -> Json:
        user = self._recording.user(login)
        if user is None:
            raise Missing
        return {**(account(user) or {}), "name": self._recording.display_name(login)}

    def _repository(self, repository: str, _query: Query) -> Json:
        found = self._recording.repository(repository)
        private = bool(found and found.private)
        return {
            "id": zlib.crc32(repository.lower().encode()),
            "name": repository.partition("/")[2],
            "full_name": repository,
            "private": private,
            "visibility": "private" if private else "public",
            "has_issues": True,
            "html_url": f"https://github.com/{repository}",
            "url": f"{self._base}/repos/{repository}",
        }

    def _issues(self, repository: str, query: Query) -> list[Json]:
        items = self._recording.items(repository)
        state = query.get("state", "open")
        labels = {label.lower() for label in query.get("labels", "").split(",") if label}
        since = query.get("since")
        chosen = [
            item
            for item in items
            if (state == "all" or (state == "open") == item.is_open)
            and labels <= {label.lower() for label in item.labels}
            and (not since or instant_of(item.updated_at) >= instant_of(since))
        ]
        by_update = query.get("sort") == "updated"
        chosen.sort(
            key=lambda i: (instant_of(i.updated_at if by_update else i.fields["created_at"]), i.number),
            reverse=query.get("direction", "desc") == "desc",
        )
        return [self.issue(item) for item in chosen]

    def _issue(self, repository: str, _query: Query, number: str) -> Json:
        item = self._found(repository, number)
        closer = item.fields.get("closed_by") or item.actor_of("closed")
        return {**self.issue(item), "closed_by": account(closer) if item.closed_at else None}

    def _parent(self, repository: str, _query: Query, number: str) -> Json:
        parent = self._found(repository, number).parent
        if parent is None:
            raise Missing
        return self.issue(parent)

    def _sub_issues(self, repository: str, _query: Query, number: str) -> list[Json]:
        return [self.issue(item) for item in self._found(repository, number).sub_issues]

    def _pull_request(self, repository: str, _query: Query, number: str) -> Json:
        item = self._found(repository, number)
        if not item.is_pull_request:
            raise Missing
        merged = item.merged_at is not None
        shared = {key: value for key, value in self.issue(item).items() if key != "pull_request"}
        return {
            **shared,
            "merged": merged,
            "merged_at": item.merged_at,
            "merged_by": account(item.actor_of("merged")) if merged else None,
        }

    def _reviews(self, repository: str, _query: Query, number: str) -> list[Json]:
        item = self._found(repository, number)
        return [
            {
                "id": review["id"],
                "user": account(review.get("user")),
                "body": review.get("body") or "",
                "state": (review.get("state") or "COMMENTED").upper(),
                "html_url": review.get("html_url") or f"{item.url}#pullrequestreview-{review['id']}",
                "submitted_at": review.get("submitted_at") or review.get("created_at"),
                "author_association": review.get("author_association") or "NONE",
            }
            for review in item.reviews
        ]

    def _comments(self, repository: str, query: Query, number: str | None = None) -> list[Json]:
        items = [self._found(repository, number)] if number else self._recording.items(repository)
        found = [self._comment(item, comment) for item in items for comment in item.comments]
        if since := query.get("since"):
            found = [one for one in found if instant_of(one["updated_at"]) >= instant_of(since)]
        by_update = query.get("sort") == "updated"
        found.sort(
            key=lambda one: (instant_of(one["updated_at" if by_update else "created_at"]), one["id"]),
            reverse=query.get("direction", "asc") == "desc",
        )
        return found

    def _comment(self, item: RecordedItem, comment: Json) -> Json:
        return {
            "id": comment["id"],
            "user": account(comment.get("user")),
            "author_association": comment.get("author_association") or "NONE",
            "created_at": comment["created_at"],
            "updated_at": comment.get("updated_at") or comment["created_at"],
            "body": comment.get("body") or "",
            "html_url": comment["html_url"],
            "issue_url": f"{self._base}/repos/{item.repository}/issues/{item.number}",
        }

    def _events(self, repository: str, _query: Query, number: str | None = None) -> list[Json]:
        """One item's events, oldest first, or a whole repository's, newest first, each with its issue."""
        if number:
            return [self._event(event) for event in self._found(repository, number).timeline]
        found = [
            {**self._event(event), "issue": self.issue(item)}
            for item in self._recording.items(repository)
            for event in item.timeline
        ]
        return sorted(found, key=lambda one: (instant_of(one["created_at"]), one["id"]), reverse=True)

    @staticmethod
    def _event(event: TimelineEvent) -> Json:
        label = {"label": {"name": event.label}} if event.label else {}
        return {
            "id": event.event_id,
            "event": event.kind,
            "actor": account(event.actor),
            "created_at": event.at,
            **label,
        }

    def issue(self, item: RecordedItem) -> Json:
        """An issue as a list shows it; a pull request is one too, with `pull_request`."""
        fields = item.fields
        address = f"{self._base}/repos/{item.repository}/issues/{item.number}"
        shown = {
            "id": zlib.crc32(address.encode()),
            "number": item.number,
            "title": fields["title"],
            "user": account(fields.get("user")),
            "author_association": fields.get("author_association") or "NONE",
            "state": "open" if item.is_open else "closed",
            "state_reason": None if item.is_open else fields.get("state_reason") or "completed",
            "labels": [{"name": name} for name in item.labels],
            "comments": len(item.comments),
            "created_at": fields["created_at"],
            "updated_at": item.updated_at,
            "closed_at": item.closed_at,
            "body": fields.get("body"),
            "html_url": item.url,
            "url": address,
            "repository_url": f"{self._base}/repos/{item.repository}",
        }
        if item.is_pull_request:
            pull = {"url": address.replace("/issues/", "/pulls/"), "html_url": item.url}
            return {
                **shown,
                "draft": bool(fields.get("draft")),
                "pull_request": {**pull, "merged_at": item.merged_at},
            }
        done = sum(not one.is_open for one in item.sub_issues)
        parent = item.parent
        return {
            **shown,
            "sub_issues_summary": {"total": len(item.sub_issues), "completed": done},
            "parent_issue_url": f"{self._base}/repos/{parent.repository}/issues/{parent.number}" if parent else None,
        }


def account(value: Any) -> Json | None:
    """A user as REST shows it; null where the account is gone."""
    user = user_of(value)
    if user is None:
        return None
    login = user["login"]
    return {
        "login": login,
        "id": zlib.crc32(login.lower().encode()),
        "type": user["type"],
        "html_url": f"https://github.com/{login}",
    }
