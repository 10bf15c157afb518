"""The small reader of GraphQL: what it answers, and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest

from bot.replay.graphql import GraphQLSyntaxError, Refusal, answer

ROOT: dict[str, Any] = {
    "__typename": "Query",
    "a": {"__typename": "Cat", "name": "Tom", "legs": 4},
    "pets": [
        {"__typename": "Cat", "name": "Tom", "legs": 4},
        {"__typename": "Fish", "name": "Flip", "fins": 3},
        Refusal("too wet", "WET"),
    ],
    "echo": lambda **arguments: repr(arguments),
    "gone": Refusal("not here", "NOT_FOUND"),
}
IMPLEMENTS = {"Cat": frozenset({"Animal"}), "Fish": frozenset({"Animal"})}


def ask(query: str, **variables: Any) -> dict[str, Any]:
    return answer(query, variables, ROOT, implements=IMPLEMENTS)


def test_aliases_and_typenames() -> None:
    assert ask("{ x: a { name } y: a { n: name __typename } }") == {
        "data": {"x": {"name": "Tom"}, "y": {"n": "Tom", "__typename": "Cat"}}
    }


def test_fragments_apply_to_their_type_and_its_interfaces() -> None:
    query = """
    query Pets { pets { ...Any ... on Cat { legs } ... on Fish { fins } ... on Dog { bark } ... { name } } }
    fragment Any on Animal { kind: __typename }
    """
    assert ask(query)["data"]["pets"][:2] == [
        {"kind": "Cat", "legs": 4, "name": "Tom"},
        {"kind": "Fish", "fins": 3, "name": "Flip"},
    ]


def test_a_refusal_leaves_a_hole_and_an_error_with_its_path() -> None:
    assert ask("{ gone { x } pets { name } }") == {
        "data": {"gone": None, "pets": [{"name": "Tom"}, {"name": "Flip"}, None]},
        "errors": [
            {"type": "NOT_FOUND", "path": ["gone"], "message": "not here"},
            {"type": "WET", "path": ["pets", 2], "message": "too wet"},
        ],
    }


def test_arguments_of_every_kind() -> None:
    query = """
    query Q($v: [String!]! = ["d"], $w: Int) {   # a comment
      echo(a: 1, b: -2.5, c: "x \\"y\\"", d: true, e: null, f: ENUM, g: [1, $w], h: {k: $v, l: {}})
    }
    """
    expected = {
        "a": 1,
        "b": -2.5,
        "c": 'x "y"',
        "d": True,
        "e": None,
        "f": "ENUM",
        "g": [1, 7],
        "h": {"k": ["d"], "l": {}},
    }
    assert ask(query, w=7) == {"data": {"echo": repr(expected)}}


@pytest.mark.parametrize(
    "query", ["{ a { tail } }", "{ a { name }", "{ ~ }", "mutation { a }", "{ echo(a: ) }", "{ a {"]
)
def test_what_cannot_be_answered_is_an_error(query: str) -> None:
    with pytest.raises(GraphQLSyntaxError):
        ask(query)
