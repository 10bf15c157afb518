"""Pull requests, issues and people as GitHub tells of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class ItemKind(StrEnum):
    PULL_REQUEST = "pull_request"
    ISSUE = "issue"
    UNKNOWN = "unknown"


class ItemState(StrEnum):
    OPEN = "open"
    DRAFT = "draft"
    MERGED = "merged"
    CLOSED = "closed"


TEAM_ASSOCIATIONS = frozenset({"OWNER", "MEMBER", "COLLABORATOR"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A GitHub account. `association` is GitHub's author_association with the item's repository, "" if unknown."""

    login: str
    name: str | None = None
    bot: bool = False
    association: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A comment or review on an item. `author` is None where the account is gone."""

    comment_id: int
    author: Account | None
    created_at: datetime
    body: str
    url: str
    is_review: bool = False


class EventKind(StrEnum):
    CLOSED = "closed"
    REOPENED = "reopened"
    MERGED = "merged"
    DRAFTED = "drafted"
    READY = "ready"


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemEvent:
    kind: EventKind
    at: datetime
    actor: Account | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GitHubItem:
    """A pull request or issue, with what happened to it.

    `reference` is canonical (`owner/repo#number`). `state`, `draft` and so on are those of `fetched_at`; the
    state at another instant follows from `events`, `created_at`, `merged_at` and `closed_at`.
    `parent` is an issue's parent issue, `closes` what a pull request closes, both canonical.
    `first_time` is None where unknown.
    """

    reference: str
    kind: ItemKind
    title: str
    url: str
    author: Account | None
    created_at: datetime
    updated_at: datetime
    state: ItemState
    body: str = ""
    merged_at: datetime | None = None
    closed_at: datetime | None = None
    merged_by: Account | None = None
    closed_by: Account | None = None
    labels: tuple[str, ...] = ()
    parent: str | None = None
    closes: tuple[str, ...] = ()
    comments: tuple[Comment, ...] = ()
    events: tuple[ItemEvent, ...] = ()
    first_time: bool | None = None
    private: bool = False
    fetched_at: datetime | None = None

    @property
    def repository(self) -> str:
        return self.reference.partition("#")[0]

    @property
    def number(self) -> int:
        return int(self.reference.partition("#")[2])
