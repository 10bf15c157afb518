"""Pull requests, issues and people as GitHub tells of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.model.github_links import part_of_references, task_references
from bot.model.schedule import Period
from bot.model.settings import GitHubSettings


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


@dataclass(frozen=True, slots=True)
class SyncReport:
    """How a sync with GitHub went. `status`: complete, partial, unavailable, off; `notes` say what is missing.

    `is_outage`: GitHub itself is down or its limit reached, so that asking again at once is of no use.
    """

    status: str
    notes: tuple[str, ...] = ()
    is_outage: bool = False


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository under the name that GitHub gives it today."""

    name: str
    private: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityLink:
    """A member's claim to a GitHub login; in force once a moderator (a user id) confirmed it."""

    guild_id: int
    user_id: int
    login: str
    requested_at: datetime
    confirmed_at: datetime | None = None
    confirmed_by: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GitHubItem:
    """A pull request or issue, with what happened to it.

    `reference` is canonical (`owner/repo#number`). `state`, `draft` and so on are those of `fetched_at`; the
    state at another instant follows from `events`, `created_at`, `merged_at` and `closed_at`.
    `parent` is an issue's parent issue, `closes` what a pull request closes, both canonical.
    `first_time` is None where unknown. `draft` is kept when a pull request closes. `private` is that of the
    repository: nothing of such an item may be shown in a channel that was not allowed it.
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
    draft: bool = False
    private: bool = False
    fetched_at: datetime | None = None

    @property
    def repository(self) -> str:
        return self.reference.partition("#")[0]

    @property
    def number(self) -> int:
        return int(self.reference.partition("#")[2])

    @property
    def key(self) -> str:
        """The reference in lower case, as which items are held against each other."""
        return self.reference.lower()


def state_at(item: GitHubItem, instant: datetime) -> ItemState:
    """The state in which `item` stood just before `instant`, whatever happened since.

    Told from the events that are known; where none are, from the times of merging and closing. With the end
    of a half-open period it is the state at the period's end.
    """
    if item.merged_at and item.merged_at < instant:
        return ItemState.MERGED
    if _was_closed(item, instant):
        return ItemState.CLOSED
    return ItemState.DRAFT if _was_draft(item, instant) else ItemState.OPEN


def _closings(item: GitHubItem) -> list[datetime]:
    """Every known closing, the one that `closed_at` tells of included."""
    told = [event.at for event in item.events if event.kind is EventKind.CLOSED]
    return [*told, item.closed_at] if item.closed_at and not any(at >= item.closed_at for at in told) else told


def _reopenings(item: GitHubItem) -> list[datetime]:
    return [event.at for event in item.events if event.kind is EventKind.REOPENED]


def _was_closed(item: GitHubItem, instant: datetime) -> bool:
    changes = sorted([(at, True) for at in _closings(item)] + [(at, False) for at in _reopenings(item)])
    if before := [closed for at, closed in changes if at < instant]:
        return before[-1]
    return bool(changes) and not changes[0][1]  # what is first seen reopened was closed until then


def _was_draft(item: GitHubItem, instant: datetime) -> bool:
    turns = [event for event in item.events if event.kind in (EventKind.DRAFTED, EventKind.READY)]
    if before := [event for event in turns if event.at < instant]:
        return before[-1].kind is EventKind.DRAFTED
    if turns:
        return turns[0].kind is EventKind.READY
    return item.draft or item.state is ItemState.DRAFT


def events_between(item: GitHubItem, period: Period) -> tuple[str, ...]:
    """What happened to `item` within `period`: of opened, merged, closed, reopened, commented, in this order.

    The closing that comes with a merge is the merge.
    """
    reopenings, closings = _reopenings(item), _closings(item)
    if item.merged_at:
        closings = [at for at in closings if any(again >= at for again in reopenings)]
    happened = {
        "opened": [item.created_at],
        "merged": [item.merged_at] if item.merged_at else [],
        "closed": closings,
        "reopened": reopenings,
        "commented": [comment.created_at for comment in item.comments],
    }
    return tuple(name for name, instants in happened.items() if any(at in period for at in instants))


def is_touched(item: GitHubItem, period: Period) -> bool:
    """Whether something happened to `item` within `period`, be it only that it was last changed then."""
    return item.updated_at in period or bool(events_between(item, period))


class LinkKind(StrEnum):
    PARENT = "parent"
    CLOSES = "closes"
    PART_OF = "part_of"
    TASK = "task"


@dataclass(frozen=True, slots=True)
class Link:
    """An item names another: as its parent, as what it closes or is part of, or in its task list."""

    kind: LinkKind
    target: str


def links_of(item: GitHubItem) -> tuple[Link, ...]:
    """Every other item that `item` names in a way that counts."""
    if item.kind is ItemKind.PULL_REQUEST:
        part_of = part_of_references(item.body, item.repository)
        return (
            *(Link(LinkKind.CLOSES, target) for target in item.closes),
            *(Link(LinkKind.PART_OF, target) for target in part_of),
        )
    parent = (Link(LinkKind.PARENT, item.parent),) if item.parent else ()
    tasks = task_references(item.body, item.repository)
    return (*parent, *(Link(LinkKind.TASK, target) for target in tasks))


def epic_of(item: GitHubItem, items: Iterable[GitHubItem], *, epic_labels: Collection[str] = ("epic",)) -> str | None:
    """The reference of the epic to which `item` belongs; the nearest, where epics hold epics.

    An issue belongs as a sub-issue, however deep, or through a task list. A pull request belongs through an
    issue that it closes, through a "Part of #N" line, or through a task list, in this order; GitHub gives
    pull requests no parent. An epic is an issue with one of `epic_labels` (any case).
    """
    return epics_of([item], items, epic_labels=epic_labels).get(item.key)


def epics_of(
    wanted: Iterable[GitHubItem], items: Iterable[GitHubItem], *, epic_labels: Collection[str] = ("epic",)
) -> dict[str, str]:
    """`epic_of` for many items at once: item's key (lower case) to the epic's reference, where there is one."""
    known = {item.key: item for item in items}
    labels = {label.lower() for label in epic_labels}
    listed_in: dict[str, list[str]] = {}
    for item in known.values():
        for link in links_of(item):
            if link.kind is LinkKind.TASK:
                listed_in.setdefault(link.target.lower(), []).append(item.key)

    def ways_up(item: GitHubItem) -> list[str]:
        own = [link.target.lower() for link in links_of(item) if link.kind is not LinkKind.TASK]
        return [*own, *listed_in.get(item.key, [])]

    def find(start: GitHubItem) -> str | None:
        queue, seen = ways_up(start), {start.key}
        while queue:
            key = queue.pop(0)
            above = known.get(key)
            if key in seen or above is None:
                continue
            seen.add(key)
            if above.kind is ItemKind.ISSUE and labels & {label.lower() for label in above.labels}:
                return above.reference
            queue.extend(ways_up(above))
        return None

    return {item.key: epic for item in wanted if (epic := find(item))}


def agent_of(account: Account | None, settings: GitHubSettings) -> str | None:
    """The login for which an agent's account works, "" for the team, None where `account` is no agent's."""
    if account is None:
        return None
    return {login.lower(): owner for login, owner in settings.agents.items()}.get(account.login.lower())


def is_team(account: Account | None, settings: GitHubSettings) -> bool:
    """Whether the account is the team's: by association, by the settings' `team`, or an agent or its principal.

    GitHub shows a private member as CONTRIBUTOR or NONE, hence the logins in the settings.
    """
    if account is None or account.bot:
        return False
    named = {login.lower() for login in (*settings.team, *settings.agents, *settings.agents.values())}
    return account.association in TEAM_ASSOCIATIONS or account.login.lower() in named


def is_external(account: Account | None, settings: GitHubSettings) -> bool:
    """Whether a known person outside the team: no bot, no agent, not gone."""
    return account is not None and not account.bot and not is_team(account, settings)


def is_newcomer(association: str) -> bool:
    """Whether GitHub calls the author a first-time contributor; it no longer does once something is merged.

    Source: https://docs.github.com/graphql/reference/enums#commentauthorassociation
    """
    return association in ("FIRST_TIME_CONTRIBUTOR", "FIRST_TIMER")
