"""The arrangement by themes, by rules and without."""

from __future__ import annotations

import pytest

from bot.compile.scopes import as_scope, scopes_of
from bot.compile.sections import Rules, by_themes
from bot.model.edition import Author, Highlight, Item, Person
from bot.model.settings import SectionSettings


def item(number: int, title: str = "", *, bot: bool = False, repository: str = "o/r", **more: object) -> Item:
    fields: dict[str, object] = {
        "reference": f"{repository}#{number}",
        "kind": "pull_request",
        "title": title or f"change {number}",
        "url": "",
        "state": "merged",
        "events": ("merged",),
        "author": Author(login="somebot[bot]" if bot else "ana", bot=bot),
    }
    return Item(**{**fields, **more})  # type: ignore[arg-type]


def section(key: str, order: int, **more: object) -> SectionSettings:
    return SectionSettings(key=key, title=key.title(), order=order, **more)  # type: ignore[arg-type]


def placed(
    items: list[Item], rules: Rules, highlights: list[tuple[Highlight, str | None]] | None = None
) -> dict[str, list[int]]:
    found = by_themes(items, highlights or [], rules)
    return {s.key: [int(i.reference.partition("#")[2]) for i in s.items] for s in found}


@pytest.mark.parametrize(
    ("title", "scopes"),
    [
        ("[iris] Fix it", ("iris",)),
        ("[epic][rl] Train", ("epic", "rl")),
        ("fix(iris): repair", ("iris", "fix")),
        ("feat(a,b)!: both", ("a", "b", "feat")),
        ("lm/eval: bridge", ("lm/eval", "lm", "eval")),
        ("iris: move", ("iris",)),
        ("Add a thing: with a colon", ()),
        ("https://example.org broke", ()),
    ],
)
def test_scopes_of_a_title(title: str, scopes: tuple[str, ...]) -> None:
    assert scopes_of(title) == scopes


@pytest.mark.parametrize("setting", ["iris", "[iris]", "iris:", "fix(iris):", " Iris "])
def test_a_prefix_may_be_written_as_it_stands_in_titles(setting: str) -> None:
    assert as_scope(setting) == "iris"


def test_the_first_that_matches_by_order_wins_and_orders_are_numbers() -> None:
    rules = Rules(sections=[section("late", 1000, labels=["x"]), section("early", 200, prefixes=["b"])])
    assert placed([item(1, "[b] both", labels=("X",)), item(2, labels=("x",))], rules) == {"early": [1], "late": [2]}


@pytest.mark.parametrize(
    ("rule", "matching"),
    [
        ({"repositories": ["O/Other"]}, item(1, repository="o/other")),
        ({"authors": ["ANA"]}, item(1)),
        ({"authors": ["Mo Li"]}, item(1, credited=Person(login="mo", name="Mo Li"))),
        ({"labels": ["Area: Data"]}, item(1, labels=("area: data",))),
        ({"channels": ["#evals"]}, item(1, mentioned_in=(10, 11, 12))),
    ],
)
def test_each_kind_of_rule(rule: dict[str, list[str]], matching: Item) -> None:
    rules = Rules(
        sections=[section("mine", 1, **rule)],
        channel_of={10: 5, 11: 5, 12: 6},
        names_of={5: frozenset({"evals", "5"}), 6: frozenset({"general", "6"})},
    )
    other = item(2, author=Author(login="zoe"), mentioned_in=(12, 12, 10))
    assert placed([matching, other], rules) == {"mine": [1], "other": [2]}


def test_a_moderators_choice_wins_over_every_rule() -> None:
    rules = Rules(sections=[section("a", 1, prefixes=["a"]), section("b", 2)], chosen={"o/r#1": "b"})
    assert placed([item(1, "[a] x")], rules) == {"b": [1]}


def test_what_no_rule_places_goes_with_what_it_is_related_to_else_to_other_changes() -> None:
    rules = Rules(sections=[section("a", 1, prefixes=["a"])])
    items = [item(1, "[a] x"), item(2, body="Follow-up of #1"), item(3, closes=("o/r#2",)), item(4)]
    found = by_themes(items, [], rules)
    assert [(s.title, [i.reference for i in s.items]) for s in found] == [
        ("A", ["o/r#1", "o/r#2", "o/r#3"]),
        ("Other Changes", ["o/r#4"]),
    ]


def test_what_bots_did_stands_under_other_changes() -> None:
    rules = Rules(sections=[section("a", 1, prefixes=["a"])])
    assert placed([item(1, "[a] x"), item(2, "[a] bump", bot=True)], rules) == {"a": [1], "other": [2]}


def test_related_items_stand_together_the_liveliest_group_first() -> None:
    items = [
        item(1, events=("commented",), state="open"),
        item(2, kind="issue", events=("closed",), state="closed"),
        item(3, events=("opened",), state="open"),
        item(9, closes=("o/r#2",), events=("opened", "merged")),
        item(10, body="Stacked on #9"),
    ]
    rules = Rules(sections=[section("all", 1, authors=["ana"])])
    assert placed(items, rules) == {"all": [2, 9, 10, 3, 1]}


def test_without_rules_sections_are_found_and_small_groups_merged() -> None:
    items = [
        *(item(n, f"[iris] {n}") for n in range(1, 5)),
        *(item(n, f"fix(RL): {n}") for n in range(5, 8)),
        *(item(n, labels=("docs-site", "bug")) for n in range(8, 11)),
        item(11, "[rare] one"),
        item(12, "fix: two"),
    ]
    found = by_themes(items, [], Rules())
    assert [(s.title, len(s.items)) for s in found] == [("Iris", 4), ("RL", 3), ("Docs-site", 3), ("Other Changes", 2)]


def test_a_highlight_stands_where_its_items_are_or_where_its_channel_is_told() -> None:
    def highlight(message_id: int, *references: str) -> Highlight:
        return Highlight(
            message_ids=(message_id,),
            channel="c",
            channel_id=5,
            authors=("Mo",),
            author_ids=(1,),
            excerpt="",
            url="",
            references=references,
        )

    rules = Rules(
        sections=[section("a", 1, prefixes=["a"]), section("b", 2, channels=["evals"]), section("c", 3)],
        channel_of={1: 6, 2: 5, 3: 6, 4: 6},
        names_of={5: frozenset({"evals"}), 6: frozenset({"general"})},
    )
    told = [(highlight(1, "O/R#1"), None), (highlight(2), None), (highlight(3, "o/r#1"), "c"), (highlight(4), None)]
    found = by_themes([item(1, "[a] x")], told, rules)
    assert {s.key: [h.message_ids[0] for h in s.highlights] for s in found} == {"a": [1], "b": [2], "c": [3]}
