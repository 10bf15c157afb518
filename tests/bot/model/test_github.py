"""An item's state and events at any instant, the epic it belongs to, and whose account somebody's is."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model.github import (
    Account,
    Comment,
    EventKind,
    GitHubItem,
    ItemEvent,
    ItemKind,
    ItemState,
    agent_of,
    epic_of,
    events_between,
    is_external,
    is_team,
    is_touched,
    state_at,
)
from bot.model.schedule import Period
from bot.model.settings import GitHubSettings

START = datetime(2030, 5, 6, tzinfo=UTC)
WEEK = Period(START, START + timedelta(days=7))


def day(number: float) -> datetime:
    return START + timedelta(days=number)


def make(number: int = 1, kind: ItemKind = ItemKind.PULL_REQUEST, created: float = 1.0, **fields: Any) -> GitHubItem:
    defaults = {"title": "t", "url": "u", "author": None, "state": ItemState.OPEN, "updated_at": day(created)}
    return GitHubItem(reference=f"o/r#{number}", kind=kind, created_at=day(created), **(defaults | fields))


def issue(number: int, **fields: Any) -> GitHubItem:
    return make(number, ItemKind.ISSUE, **fields)


def event(kind: EventKind, at: float) -> ItemEvent:
    return ItemEvent(kind=kind, at=day(at))


def comment(at: float) -> Comment:
    return Comment(comment_id=1, author=None, created_at=day(at), body="", url="")


MERGED_LATER = make(state=ItemState.MERGED, merged_at=day(9), closed_at=day(9), events=(event(EventKind.CLOSED, 9),))
REOPENED_LATER = make(events=(event(EventKind.CLOSED, 3), event(EventKind.REOPENED, 9)))
DRAFTED_LATER = make(state=ItemState.DRAFT, draft=True, events=(event(EventKind.DRAFTED, 9),))


@pytest.mark.parametrize(
    "item, state, events",
    [
        (make(), "open", ("opened",)),
        (make(created=-5), "open", ()),
        (make(state=ItemState.MERGED, merged_at=day(2), closed_at=day(2)), "merged", ("opened", "merged")),
        (make(created=-9, state=ItemState.MERGED, merged_at=day(-2), closed_at=day(-2)), "merged", ()),
        (MERGED_LATER, "open", ("opened",)),
        (replace(MERGED_LATER, merged_at=WEEK.end, closed_at=WEEK.end), "open", ("opened",)),
        (make(state=ItemState.CLOSED, closed_at=day(2)), "closed", ("opened", "closed")),
        (make(created=-5, state=ItemState.CLOSED, closed_at=WEEK.start), "closed", ("closed",)),
        (REOPENED_LATER, "closed", ("opened", "closed")),
        (
            make(events=(event(EventKind.CLOSED, 3), event(EventKind.REOPENED, 4))),
            "open",
            ("opened", "closed", "reopened"),
        ),
        (
            make(
                state=ItemState.MERGED,
                merged_at=day(5),
                closed_at=day(5),
                events=(
                    event(EventKind.CLOSED, 3),
                    event(EventKind.REOPENED, 4),
                    event(EventKind.MERGED, 5),
                    event(EventKind.CLOSED, 5),
                ),
            ),
            "merged",
            ("opened", "merged", "closed", "reopened"),
        ),
        (make(events=(event(EventKind.REOPENED, 9),), created=-9), "closed", ()),
        (make(state=ItemState.DRAFT, draft=True), "draft", ("opened",)),
        (DRAFTED_LATER, "open", ("opened",)),
        (make(events=(event(EventKind.READY, 9),)), "draft", ("opened",)),
        (make(draft=True, state=ItemState.CLOSED, closed_at=day(9)), "draft", ("opened",)),
        (make(draft=True, state=ItemState.CLOSED, closed_at=day(3)), "closed", ("opened", "closed")),
        (make(created=-5, comments=(comment(-1), comment(2), comment(8))), "open", ("commented",)),
        (make(created=-5, comments=(comment(-1), comment(7))), "open", ()),
        (make(created=7), "open", ()),
    ],
)
def test_state_and_events_are_those_of_the_period(item: GitHubItem, state: str, events: tuple[str, ...]) -> None:
    assert state_at(item, WEEK.end) == state
    assert events_between(item, WEEK) == events


KINDS = st.sampled_from([EventKind.CLOSED, EventKind.REOPENED, EventKind.DRAFTED, EventKind.READY])


@given(st.lists(st.tuples(KINDS, st.floats(0, 6.9)), max_size=8), st.lists(st.tuples(KINDS, st.floats(7, 99))))
def test_what_comes_after_the_period_changes_nothing(
    within: list[tuple[EventKind, float]], after: list[tuple[EventKind, float]]
) -> None:
    """Where the events of the period are known, no later ones turn its state or its events."""
    begun = [event(EventKind.CLOSED, 0), event(EventKind.READY, 0)]
    known = [*begun, *(event(kind, at) for kind, at in sorted(within, key=lambda one: one[1]))]
    later = [event(kind, at) for kind, at in sorted(after, key=lambda one: one[1])]
    then, now = make(created=-9, events=tuple(known)), make(created=-9, events=(*known, *later))
    assert state_at(now, WEEK.end) == state_at(then, WEEK.end)
    assert events_between(now, WEEK) == events_between(then, WEEK)


def test_a_mere_change_in_the_period_touches() -> None:
    assert is_touched(make(created=-5, updated_at=day(2)), WEEK)
    assert not is_touched(make(created=-5, updated_at=day(7)), WEEK)
    assert is_touched(make(created=-5, updated_at=day(9), comments=(comment(2),)), WEEK)


EPIC = issue(1, labels=("Epic", "x"))


@pytest.mark.parametrize(
    "item, others",
    [
        (issue(9, parent="o/r#1"), []),
        (issue(9, parent="O/R#2"), [issue(2, parent="o/r#1")]),
        (issue(9), [replace(EPIC, body="- [ ] #9")]),
        (issue(9), [issue(2, parent="o/r#1", body="* [x] o/r#9 done")]),
        (make(9, closes=("o/r#2",)), [issue(2, parent="o/r#1")]),
        (make(9, closes=("o/r#1",)), []),
        (make(9, body="Does it.\n\nPart of #1"), []),
        (make(9, body="Part of #2"), [issue(2, parent="o/r#1")]),
        (make(9), [replace(EPIC, body="1. [ ] https://github.com/o/r/pull/9")]),
        (make(9, closes=("o/r#404",), body="Part of #1"), []),
    ],
)
def test_an_item_belongs_to_its_epic(item: GitHubItem, others: list[GitHubItem]) -> None:
    known = {one.key: one for one in [EPIC, *others, item]}
    assert epic_of(item, known.values()) == "o/r#1"


@pytest.mark.parametrize(
    "item, others",
    [
        (issue(9, body="Part of #1"), []),
        (make(9, parent="o/r#1"), []),
        (make(9, body="see #1"), []),
        (issue(9, parent="o/r#2"), [issue(2)]),
        (issue(9), [make(2, body="- [ ] #9", labels=("epic",))]),
        (make(9, body="Part of #2"), [make(2, labels=("epic",))]),
        (issue(9, parent="o/r#2"), [issue(2, parent="o/r#9")]),
        (EPIC, []),
    ],
)
def test_an_item_belongs_to_no_epic_by_other_ways(item: GitHubItem, others: list[GitHubItem]) -> None:
    assert epic_of(item, [EPIC, *others, item]) is None


def test_what_is_closed_counts_before_what_is_named_and_the_nearest_epic_wins() -> None:
    other = issue(2, labels=("epic",), parent="o/r#1")
    items = [EPIC, other, issue(3, parent="o/r#2")]
    assert epic_of(make(9, closes=("o/r#3",), body="Part of #404"), items) == "o/r#2"
    assert epic_of(make(9, closes=("o/r#2",), body="Part of #1"), items) == "o/r#2"
    assert epic_of(other, items) == "o/r#1"
    assert epic_of(make(9, body="Part of #1"), items, epic_labels=("theme",)) is None


SETTINGS = GitHubSettings(team=["Shy"], agents={"helper-agent": "boss", "house-bot": ""})


@pytest.mark.parametrize(
    "account, team, external",
    [
        (Account(login="a", association="OWNER"), True, False),
        (Account(login="a", association="MEMBER"), True, False),
        (Account(login="a", association="COLLABORATOR"), True, False),
        (Account(login="a", association="CONTRIBUTOR"), False, True),
        (Account(login="a", association="NONE"), False, True),
        (Account(login="shy", association="NONE"), True, False),
        (Account(login="Boss", association="CONTRIBUTOR"), True, False),
        (Account(login="Helper-Agent", association="NONE"), True, False),
        (Account(login="x[bot]", bot=True, association="CONTRIBUTOR"), False, False),
        (None, False, False),
    ],
)
def test_who_is_team_and_who_is_external(account: Account | None, team: bool, external: bool) -> None:
    assert (is_team(account, SETTINGS), is_external(account, SETTINGS)) == (team, external)


def test_an_agent_works_for_a_person_or_for_the_team() -> None:
    assert agent_of(Account(login="HELPER-agent"), SETTINGS) == "boss"
    assert agent_of(Account(login="house-bot"), SETTINGS) == ""
    assert agent_of(Account(login="boss"), SETTINGS) is None
    assert agent_of(None, SETTINGS) is None
