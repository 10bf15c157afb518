"""GitHub's answers, from GraphQL and from REST, become model values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from bot.model.github import (
    TEAM_ASSOCIATIONS,
    Account,
    Comment,
    EventKind,
    GitHubItem,
    ItemEvent,
    ItemKind,
    ItemState,
    is_newcomer,
)
from bot.model.github_links import closing_references

Json = Mapping[str, Any]

_GHOST = "ghost"  # in whose name GitHub shows what accounts left behind that are gone
_GRAPHQL_EVENTS = {
    "ClosedEvent": EventKind.CLOSED,
    "ReopenedEvent": EventKind.REOPENED,
    "MergedEvent": EventKind.MERGED,
    "ConvertToDraftEvent": EventKind.DRAFTED,
    "ReadyForReviewEvent": EventKind.READY,
}
_REST_EVENTS = {
    "closed": EventKind.CLOSED,
    "reopened": EventKind.REOPENED,
    "merged": EventKind.MERGED,
    "convert_to_draft": EventKind.DRAFTED,
    "ready_for_review": EventKind.READY,
}


def item_from_graphql(node: Json) -> GitHubItem:
    """An Issue or PullRequest node of `bot.github.queries`. Lists that came out null count as empty."""
    is_pull = node["__typename"] == "PullRequest"
    association = node["authorAssociation"]
    merged_at = _instant(node.get("mergedAt"))
    events = tuple(_graphql_events(node))
    closers = [event.actor for event in events if event.kind is EventKind.CLOSED]
    comments = [comment_from_graphql(comment) for comment in _nodes(node.get("comments"))]
    comments += [_review_from_graphql(review) for review in _nodes(node.get("reviews")) if review["submittedAt"]]
    draft = bool(node.get("isDraft"))
    state = node["pullState"] if is_pull else node["issueState"]
    return GitHubItem(
        reference=f"{node['repository']['nameWithOwner']}#{node['number']}",
        kind=ItemKind.PULL_REQUEST if is_pull else ItemKind.ISSUE,
        title=_clean(node["title"]),
        url=node["url"],
        author=_graphql_account(node["author"], association),
        created_at=_required(node["createdAt"]),
        updated_at=_required(node["updatedAt"]),
        state=_state(state, draft),
        draft=draft,
        body=_clean(node["body"]),
        merged_at=merged_at,
        closed_at=_instant(node["closedAt"]),
        merged_by=_graphql_account(node.get("mergedBy")),
        closed_by=closers[-1] if closers and node["closedAt"] and not merged_at else None,
        labels=tuple(label["name"] for label in _nodes(node["labels"])),
        parent=_reference(node.get("parent")),
        closes=tuple(filter(None, map(_reference, _nodes(node.get("closingIssuesReferences"))))),
        comments=tuple(sorted(comments, key=lambda comment: comment.created_at)),
        events=events,
        first_time=_first_time(association, merged_at) if is_pull else None,
    )


def comment_from_graphql(node: Json) -> Comment:
    return Comment(
        comment_id=int(node["fullDatabaseId"]),
        author=_graphql_account(node["author"], node["authorAssociation"]),
        created_at=_required(node["createdAt"]),
        body=_clean(node["body"]),
        url=node["url"],
    )


def _review_from_graphql(node: Json) -> Comment:
    return Comment(
        comment_id=int(node["fullDatabaseId"]),
        author=_graphql_account(node["author"], node["authorAssociation"]),
        created_at=_required(node["submittedAt"]),
        body=_clean(node["body"]),
        url=node["url"],
        is_review=True,
    )


def item_from_rest(issue: Json, repository: str) -> GitHubItem:
    """An element of REST's list of issues, which holds pull requests too; comments and events come apart."""
    pull = issue.get("pull_request")
    association = issue.get("author_association") or ""
    merged_at = _instant(pull.get("merged_at")) if pull else None
    reference = f"{repository}#{issue['number']}"
    body = _clean(issue.get("body") or "")
    draft = bool(issue.get("draft"))
    return GitHubItem(
        reference=reference,
        kind=ItemKind.PULL_REQUEST if pull else ItemKind.ISSUE,
        title=_clean(issue["title"]),
        url=issue["html_url"],
        author=account_from_rest(issue["user"], association),
        created_at=_required(issue["created_at"]),
        updated_at=_required(issue["updated_at"]),
        state=_state("merged" if merged_at else issue["state"], draft),
        draft=draft,
        body=body,
        merged_at=merged_at,
        closed_at=_instant(issue["closed_at"]),
        closed_by=account_from_rest(issue.get("closed_by")),
        labels=tuple(label["name"] for label in issue["labels"]),
        parent=_reference_of_address(issue.get("parent_issue_url")),
        closes=closing_references(body, repository) if pull else (),
        first_time=_first_time(association, merged_at) if pull else None,
    )


def comment_from_rest(comment: Json) -> Comment:
    return Comment(
        comment_id=comment["id"],
        author=account_from_rest(comment["user"], comment.get("author_association") or ""),
        created_at=_required(comment["created_at"]),
        body=_clean(comment.get("body") or ""),
        url=comment["html_url"],
    )


def event_from_rest(event: Json) -> ItemEvent | None:
    """A timeline event of REST; None for kinds that do not change an item's state."""
    kind = _REST_EVENTS.get(event["event"])
    if kind is None:
        return None
    return ItemEvent(kind=kind, at=_required(event["created_at"]), actor=account_from_rest(event["actor"]))


def account_from_rest(user: Json | None, association: str = "") -> Account | None:
    if user is None or user["login"] == _GHOST:
        return None
    bot = user.get("type") == "Bot" or user["login"].endswith("[bot]")
    return Account(login=user["login"], bot=bot, association=association)


def _graphql_account(actor: Json | None, association: str = "") -> Account | None:
    """GraphQL leaves the "[bot]" off a bot's login, by which everybody knows it."""
    if actor is None or actor["login"] == _GHOST:
        return None
    bot = actor["__typename"] == "Bot" or actor["login"].endswith("[bot]")
    login = f"{actor['login'].removesuffix('[bot]')}[bot]" if bot else actor["login"]
    return Account(login=login, name=_clean(actor.get("name") or "") or None, bot=bot, association=association)


def _graphql_events(node: Json) -> Iterable[ItemEvent]:
    for event in _nodes(node.get("timelineItems")):
        kind = _GRAPHQL_EVENTS.get(event["__typename"])
        if kind:
            yield ItemEvent(kind=kind, at=_required(event["createdAt"]), actor=_graphql_account(event["actor"]))


def _state(name: str, draft: bool) -> ItemState:
    state = ItemState(name.lower())
    return ItemState.DRAFT if state is ItemState.OPEN and draft else state


def _first_time(association: str, merged_at: datetime | None) -> bool | None:
    """Whether the author's first contribution; None where GitHub's word no longer tells.

    After a merge everybody is a contributor, so that CONTRIBUTOR says something only before it.
    """
    if is_newcomer(association):
        return True
    if association in TEAM_ASSOCIATIONS or (association == "CONTRIBUTOR" and merged_at is None):
        return False
    return None


def _reference(node: Json | None) -> str | None:
    return f"{node['repository']['nameWithOwner']}#{node['number']}" if node else None


def _reference_of_address(address: str | None) -> str | None:
    """`owner/repo#12` from an API address `.../repos/owner/repo/issues/12`."""
    if not address:
        return None
    owner, name, _, number = address.rstrip("/").split("/")[-4:]
    return f"{owner}/{name}#{number}"


def _nodes(connection: Json | None) -> list[Any]:
    return [node for node in (connection or {}).get("nodes") or [] if node]


def _clean(text: str) -> str:
    """Without NUL, which PostgreSQL does not take, and with plain line ends."""
    return text.replace("\0", "").replace("\r\n", "\n")


def _instant(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _required(text: str) -> datetime:
    return datetime.fromisoformat(text)
