"""What the bot asks GitHub by GraphQL. Each stands alone and is valid by GitHub's public schema.

Lists inside an item are short: an item with more comments of the period is asked again (`older_comments`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

PAGE = 100  # items a query; halved where GitHub finds it too much
BATCH = 50  # items asked for by number in one query

_ACCOUNT = """
fragment AccountParts on Actor {
  __typename
  login
  ... on User { name }
  ... on Organization { name }
}
"""

_COMMENT = """
fragment CommentParts on IssueComment {
  fullDatabaseId
  author { ...AccountParts }
  authorAssociation
  createdAt
  body
  url
}
"""

_ISSUE = """
fragment IssueParts on Issue {
  number
  title
  url
  body
  issueState: state
  createdAt
  updatedAt
  closedAt
  authorAssociation
  author { ...AccountParts }
  repository { nameWithOwner }
  labels(first: 30) { nodes { name } }
  parent { number repository { nameWithOwner } }
  comments(last: 30) { pageInfo { hasPreviousPage startCursor } nodes { ...CommentParts } }
  timelineItems(last: 30, itemTypes: [CLOSED_EVENT, REOPENED_EVENT]) {
    nodes {
      __typename
      ... on ClosedEvent { createdAt actor { ...AccountParts } }
      ... on ReopenedEvent { createdAt actor { ...AccountParts } }
    }
  }
}
"""

_PULL = """
fragment PullParts on PullRequest {
  number
  title
  url
  body
  pullState: state
  isDraft
  createdAt
  updatedAt
  closedAt
  mergedAt
  authorAssociation
  author { ...AccountParts }
  mergedBy { ...AccountParts }
  repository { nameWithOwner }
  labels(first: 30) { nodes { name } }
  closingIssuesReferences(first: 20) { nodes { number repository { nameWithOwner } } }
  comments(last: 30) { pageInfo { hasPreviousPage startCursor } nodes { ...CommentParts } }
  reviews(last: 50) {
    nodes { fullDatabaseId author { ...AccountParts } authorAssociation submittedAt body url }
  }
  timelineItems(
    last: 30
    itemTypes: [CLOSED_EVENT, REOPENED_EVENT, MERGED_EVENT, CONVERT_TO_DRAFT_EVENT, READY_FOR_REVIEW_EVENT]
  ) {
    nodes {
      __typename
      ... on ClosedEvent { createdAt actor { ...AccountParts } }
      ... on ReopenedEvent { createdAt actor { ...AccountParts } }
      ... on MergedEvent { createdAt actor { ...AccountParts } }
      ... on ConvertToDraftEvent { createdAt actor { ...AccountParts } }
      ... on ReadyForReviewEvent { createdAt actor { ...AccountParts } }
    }
  }
}
"""

REPOSITORY = """
query Repository($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) { nameWithOwner isPrivate }
}
"""

UPDATED_ISSUES = (
    """
query UpdatedIssues($owner: String!, $name: String!, $first: Int!, $after: String, $since: DateTime!) {
  repository(owner: $owner, name: $name) {
    page: issues(
      first: $first
      after: $after
      filterBy: {since: $since}
      orderBy: {field: UPDATED_AT, direction: DESC}
    ) {
      pageInfo { hasNextPage endCursor }
      nodes { __typename ...IssueParts }
    }
  }
}
"""
    + _ISSUE
    + _COMMENT
    + _ACCOUNT
)

UPDATED_PULLS = (
    """
query UpdatedPulls($owner: String!, $name: String!, $first: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    page: pullRequests(first: $first, after: $after, orderBy: {field: UPDATED_AT, direction: DESC}) {
      pageInfo { hasNextPage endCursor }
      nodes { __typename ...PullParts }
    }
  }
}
"""
    + _PULL
    + _COMMENT
    + _ACCOUNT
)

EPICS = (
    """
query Epics($owner: String!, $name: String!, $first: Int!, $after: String, $labels: [String!]) {
  repository(owner: $owner, name: $name) {
    page: issues(
      first: $first
      after: $after
      labels: $labels
      states: OPEN
      orderBy: {field: UPDATED_AT, direction: DESC}
    ) {
      pageInfo { hasNextPage endCursor }
      nodes { __typename ...IssueParts }
    }
  }
}
"""
    + _ISSUE
    + _COMMENT
    + _ACCOUNT
)


def items_by_number(numbers: Sequence[int]) -> str:
    """A query for items whose kind is not known; the field `i12` answers for number 12."""
    fields = "\n".join(
        f"    i{number}: issueOrPullRequest(number: {number}) {{ __typename ...IssueParts ...PullParts }}"
        for number in numbers
    )
    return (
        f"query ItemsByNumber($owner: String!, $name: String!) {{\n"
        f"  repository(owner: $owner, name: $name) {{\n{fields}\n  }}\n}}\n{_ISSUE}{_PULL}{_COMMENT}{_ACCOUNT}"
    )


def places(numbers: Sequence[int]) -> str:
    """A query for where items are now, if anywhere; the field `i12` answers for number 12."""
    place = "number repository { nameWithOwner }"
    fields = "\n".join(
        f"    i{number}: issueOrPullRequest(number: {number}) {{ __typename "
        f"... on Issue {{ {place} }} ... on PullRequest {{ {place} }} }}"
        for number in numbers
    )
    return (
        f"query Places($owner: String!, $name: String!) {{\n"
        f"  repository(owner: $owner, name: $name) {{\n{fields}\n  }}\n}}\n"
    )


def older_comments(cursors: Mapping[int, str]) -> str:
    """A query for the hundred comments before each cursor; the field `i12` answers for number 12."""

    def comments(cursor: str) -> str:
        page = "pageInfo { hasPreviousPage startCursor } nodes { ...CommentParts }"
        return f"comments(last: 100, before: {json.dumps(cursor)}) {{ {page} }}"

    fields = "\n".join(
        f"    i{number}: issueOrPullRequest(number: {number}) {{ __typename "
        f"... on Issue {{ {comments(cursor)} }} ... on PullRequest {{ {comments(cursor)} }} }}"
        for number, cursor in cursors.items()
    )
    return (
        f"query OlderComments($owner: String!, $name: String!) {{\n"
        f"  repository(owner: $owner, name: $name) {{\n{fields}\n  }}\n}}\n{_COMMENT}{_ACCOUNT}"
    )
