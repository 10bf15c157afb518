"""Items as they stood at the period's end, with everybody's part; epics and contributors made of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.compile.continuing import continued
from bot.compile.contributors import automated, external_contributors
from bot.compile.epics import by_epics
from bot.compile.items import shown_items, with_agents
from bot.model.edition import Item
from bot.model.github import Account, Comment, EventKind, GitHubItem, ItemEvent, ItemKind, ItemState
from bot.model.schedule import Period
from bot.model.settings import GitHubSettings

START = datetime(2026, 5, 4, tzinfo=UTC)
WEEK = Period(START, START + timedelta(days=7))
ANA = Account(login="ana", name="Ana Paz", association="MEMBER")
MO = Account(login="mo", name="Mo Li", association="COLLABORATOR")
ZOE = Account(login="zoe", name="Zoe", association="CONTRIBUTOR")
BOT = Account(login="dependabot[bot]", bot=True, association="NONE")
SETTINGS = GitHubSettings(repositories=["o/r"])


def day(number: float) -> datetime:
    return START + timedelta(days=number)


def record(
    number: int, *, kind: ItemKind = ItemKind.PULL_REQUEST, author: Account | None = ANA, **more: object
) -> GitHubItem:
    fields: dict[str, object] = {
        "reference": f"o/r#{number}",
        "kind": kind,
        "title": f"change {number}",
        "url": f"https://github.com/o/r/issues/{number}",
        "author": author,
        "created_at": day(1),
        "updated_at": day(2),
        "state": ItemState.OPEN,
    }
    return GitHubItem(**{**fields, **more})  # type: ignore[arg-type]


def issue(number: int, **more: object) -> GitHubItem:
    return record(number, kind=ItemKind.ISSUE, **more)  # type: ignore[arg-type]


def merged(number: int, at: float = 2, **more: object) -> GitHubItem:
    return record(number, state=ItemState.MERGED, merged_at=day(at), closed_at=day(at), **more)  # type: ignore[arg-type]


def comment(number: int, author: Account | None, at: float = 3, *, review: bool = False) -> Comment:
    return Comment(comment_id=number, author=author, created_at=day(at), body="fine", url="", is_review=review)


def shown(
    *records: GitHubItem, settings: GitHubSettings = SETTINGS, mentioned: dict[str, list[int]] | None = None
) -> list[Item]:
    return shown_items(records, period=WEEK, settings=settings, mentioned_in=mentioned or {})


def test_what_happened_after_the_end_does_not_show() -> None:
    (item,) = shown(merged(1, at=9, comments=(comment(1, MO), comment(2, ZOE, at=8)), updated_at=day(9)))
    assert (item.state, item.events, item.merged_at) == ("open", ("opened", "commented"), None)
    assert [p.login for p in item.people] == ["mo"]
    assert [c.comment_id for c in item.comments] == [1]
    assert shown(record(2, created_at=day(7), updated_at=day(8))) == []


def test_old_items_are_shown_where_touched_or_mentioned_and_not_for_context() -> None:
    old = {"created_at": day(-50), "updated_at": day(-40)}
    touched = issue(3, created_at=day(-50), updated_at=day(6))
    found = shown(issue(1, **old), issue(2, **old), touched, mentioned={"o/r#2": [77]})
    assert [(i.reference, i.mentioned_in) for i in found] == [("o/r#2", (77,)), ("o/r#3", ())]


def test_everybody_has_their_weightiest_part_once_and_bots_have_none() -> None:
    item = merged(
        1,
        merged_by=MO,
        comments=(comment(1, MO), comment(2, ZOE), comment(3, ZOE, review=True), comment(4, BOT), comment(5, ANA)),
    )
    assert [(p.login, p.role) for p in shown(item)[0].people] == [("mo", "merged"), ("zoe", "reviewed")]
    closed = issue(
        2, state=ItemState.CLOSED, closed_at=day(3), events=(ItemEvent(kind=EventKind.CLOSED, at=day(3), actor=ZOE),)
    )
    assert [(p.login, p.role) for p in shown(closed)[0].people] == [("zoe", "closed")]


def test_an_agents_work_is_credited_to_the_person() -> None:
    agent = Account(login="helper-x", association="NONE")
    settings = GitHubSettings(repositories=["o/r"], agents={"helper-x": "ana"})
    item, known = shown(merged(1, author=agent), merged(2), settings=settings)
    assert item.credited is not None
    assert (item.credited.login, item.credited.name) == ("ana", "Ana Paz")
    assert item.author is not None
    assert not item.author.external
    assert known.credited is None


def test_an_agent_of_the_team_shows_itself_by_its_name_and_an_outsider_cannot() -> None:
    agent = Account(login="ana-agent", association="COLLABORATOR")
    stranger = Account(login="mo-agent", association="NONE")
    records = [merged(1), merged(2, author=agent), merged(3, author=stranger), merged(4, author=MO)]
    settings = with_agents(SETTINGS, records)
    assert settings.agents == {"ana-agent": "ana"}
    configured = GitHubSettings(repositories=["o/r"], agents={"ana-agent": ""})
    assert with_agents(configured, records).agents == {"ana-agent": ""}


def test_an_account_that_is_gone_has_no_name() -> None:
    assert shown(merged(1, author=None))[0].author is None


def test_outsiders_count_with_what_they_opened_or_merged() -> None:
    items = shown(
        merged(1, author=ZOE),
        record(2, author=ZOE, draft=True, state=ItemState.DRAFT),
        record(3, author=ZOE, state=ItemState.CLOSED, closed_at=day(4)),
        merged(4),
        issue(5, author=Account(login="kim", association="NONE")),
        record(6, author=BOT),
        record(7, author=Account(login="lee", association="NONE"), created_at=day(-9), comments=(comment(1, MO),)),
    )
    (zoe,) = external_contributors(items, {"o/r#1": False, "o/r#2": None})
    assert (zoe.login, zoe.merged, zoe.open, zoe.closed) == ("zoe", ("o/r#1",), ("o/r#2",), ("o/r#3",))
    assert zoe.first_time is False
    assert [(a.login, a.references) for a in automated(items)] == [("dependabot[bot]", ("o/r#6",))]


@pytest.mark.parametrize("login", ["zoe", "ZOE"])
def test_the_settings_team_is_no_outsider(login: str) -> None:
    settings = GitHubSettings(repositories=["o/r"], team=[login])
    assert external_contributors(shown(merged(1, author=ZOE), settings=settings), {}) == ()


def test_epics_hold_what_hangs_on_them_and_say_how_lively_they_are() -> None:
    quiet = issue(3, labels=("epic",), created_at=day(-90), updated_at=day(-80))
    records = [
        issue(1, labels=("Epic",), created_at=day(-90), updated_at=day(-80), title="Speed"),
        issue(2, labels=("epic",), created_at=day(-90), updated_at=day(-80), comments=(comment(1, MO),)),
        quiet,
        issue(10, parent="o/r#1", created_at=day(-20), updated_at=day(-19)),
        merged(11, closes=("o/r#10",)),
        merged(12, body="Makes it fast.\n\nPart of #1"),
        issue(13, parent="o/r#2", created_at=day(-5), updated_at=day(3), comments=(comment(2, ZOE),)),
        merged(14),
    ]
    epics = {"o/r#1", "o/r#2", "o/r#3"}
    items = [i for i in shown(*records) if i.reference not in epics]
    sections = by_epics(items, records, [], period=WEEK, epic_labels=["EPIC"])
    assert [(s.title, s.activity, [i.reference for i in s.items]) for s in sections] == [
        ("Speed", "normal", ["o/r#11", "o/r#12"]),
        ("change 2", "light", ["o/r#13"]),
        ("Other Changes", "normal", ["o/r#14"]),
    ]
    assert sections[1].epic is not None
    assert [c.comment_id for c in sections[1].epic.comments] == [1]


def test_what_an_earlier_edition_left_open_goes_on() -> None:
    def document(end: str, *items: dict[str, object], announced: tuple[str, ...] = ()) -> dict[str, object]:
        return {
            "period": {"end": end},
            "sections": [{"items": list(items), "highlights": []}],
            "community": {"highlights": [{"references": list(announced)}]},
        }

    earlier = [
        document("2026-05-04T00:00:00Z", {"reference": "o/r#2", "state": "merged", "events": ["merged"]}),
        document(
            "2026-04-27T00:00:00Z",
            {"reference": "o/r#1", "state": "open", "events": ["opened"]},
            {"reference": "o/r#2", "state": "open", "events": ["opened"]},
            announced=("O/R#3",),
        ),
    ]
    old = {"created_at": day(-9)}
    items = shown(merged(1, **old), merged(2, **old), merged(3, **old), record(4, **old), merged(5))
    assert [i.continues for i in continued(items, earlier)] == ["opened", None, "announced", None, None]
    talked_about = shown(record(1, **old), record(3, **old))
    assert [i.continues for i in continued(talked_about, earlier)] == ["opened", None]
