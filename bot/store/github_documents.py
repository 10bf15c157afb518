"""How a pull request or issue stands in the `document` of its row, and comes out of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from bot.model.github import Account, Comment, EventKind, GitHubItem, ItemEvent, ItemKind, ItemState

Json = dict[str, Any]


def document_of(item: GitHubItem) -> Json:
    """What no column holds, as JSON."""
    return {
        "reference": item.reference,
        "title": item.title,
        "url": item.url,
        "author": _from_account(item.author),
        "state": item.state.value,
        "draft": item.draft,
        "body": item.body,
        "merged_at": _from_instant(item.merged_at),
        "closed_at": _from_instant(item.closed_at),
        "merged_by": _from_account(item.merged_by),
        "closed_by": _from_account(item.closed_by),
        "labels": list(item.labels),
        "parent": item.parent,
        "closes": list(item.closes),
        "comments": [
            {
                "id": str(comment.comment_id),
                "author": _from_account(comment.author),
                "at": comment.created_at.isoformat(),
                "body": comment.body,
                "url": comment.url,
                "review": comment.is_review,
            }
            for comment in item.comments
        ],
        "events": [
            {"kind": event.kind.value, "at": event.at.isoformat(), "actor": _from_account(event.actor)}
            for event in item.events
        ],
        "first_time": item.first_time,
    }


def item_of(row: Any, *, private: bool) -> GitHubItem:
    """The item of a row of the items table."""
    document: Json = row.document
    return GitHubItem(
        reference=document["reference"],
        kind=ItemKind(row.kind),
        title=document["title"],
        url=document["url"],
        author=_to_account(document["author"]),
        created_at=row.created_at,
        updated_at=row.updated_at,
        state=ItemState(document["state"]),
        draft=document["draft"],
        body=document["body"],
        merged_at=_to_instant(document["merged_at"]),
        closed_at=_to_instant(document["closed_at"]),
        merged_by=_to_account(document["merged_by"]),
        closed_by=_to_account(document["closed_by"]),
        labels=tuple(document["labels"]),
        parent=document["parent"],
        closes=tuple(document["closes"]),
        comments=tuple(
            Comment(
                comment_id=int(comment["id"]),
                author=_to_account(comment["author"]),
                created_at=datetime.fromisoformat(comment["at"]),
                body=comment["body"],
                url=comment["url"],
                is_review=comment["review"],
            )
            for comment in document["comments"]
        ),
        events=tuple(
            ItemEvent(
                kind=EventKind(event["kind"]),
                at=datetime.fromisoformat(event["at"]),
                actor=_to_account(event["actor"]),
            )
            for event in document["events"]
        ),
        first_time=document["first_time"],
        private=private,
        fetched_at=row.fetched_at,
    )


def joined(earlier: GitHubItem, later: GitHubItem, *, comments_since: datetime | None = None) -> GitHubItem:
    """`later`, with what was seen before and is not told again.

    Comments older than the oldest told now are kept, or, where `later` knows comments only from
    `comments_since` on, those before that. Events are kept. Somebody first seen as a newcomer stays one:
    GitHub forgets it with their first merge.
    """
    oldest = min((comment.created_at for comment in later.comments), default=None)
    horizon = comments_since or oldest
    kept = [comment for comment in earlier.comments if horizon and comment.created_at < horizon]
    comments = {comment.comment_id: comment for comment in (*kept, *later.comments)}
    events = {(event.kind, event.at): event for event in (*earlier.events, *later.events)}
    return replace(
        later,
        comments=tuple(sorted(comments.values(), key=lambda one: (one.created_at, one.comment_id))),
        events=tuple(sorted(events.values(), key=lambda one: one.at)),
        first_time=True if earlier.first_time else later.first_time,
    )


def accounts_in(item: GitHubItem) -> Mapping[str, Account]:
    """Everybody with a part in `item`, by login in lower case."""
    seen = [item.author, item.merged_by, item.closed_by]
    seen += [comment.author for comment in item.comments] + [event.actor for event in item.events]
    return {account.login.lower(): account for account in seen if account}


def _from_account(account: Account | None) -> Json | None:
    if account is None:
        return None
    return {
        "login": account.login,
        "name": account.name,
        "bot": account.bot,
        "association": account.association,
    }


def _to_account(value: Json | None) -> Account | None:
    return Account(**value) if value else None


def _from_instant(instant: datetime | None) -> str | None:
    return instant.isoformat() if instant else None


def _to_instant(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
