"""A file of any size is read as the standard library would read it, and no further than needed."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.capture.json_stream import JsonError, items, members

_SCALARS = st.none() | st.booleans() | st.integers(-(1 << 60), 1 << 60) | st.text()
_VALUES = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=12
)


@given(
    document=st.dictionaries(st.text("abc"), _VALUES, max_size=4),
    said=st.lists(_VALUES, max_size=5),
    indent=st.sampled_from([None, 1]),
    begin=st.sampled_from(["", "\ufeff"]),
)
def test_members_and_items_are_those_of_the_document(
    document: dict[str, Any], said: list[Any], indent: int | None, begin: str
) -> None:
    whole = {"first": 1, "said": said, **document}
    file = io.BytesIO((begin + json.dumps(whole, indent=indent)).encode())
    assert dict(members(file, lists=["said"])) == {**whole, "said": None}
    assert list(items(file, "said")) == said


@pytest.mark.parametrize("content", [b"[]", b" 5", b"null"])
def test_another_value_has_no_members(content: bytes) -> None:
    assert list(members(io.BytesIO(content), lists=())) == []


@pytest.mark.parametrize("content", [b"", b'{"a": [1, 2', b'{"a": [1 2]}', b'{"a": "x', b'{"a" 1}', b'{"a": "\xff"}'])
def test_what_is_not_json_is_an_error(content: bytes) -> None:
    with pytest.raises(JsonError):
        list(members(io.BytesIO(content), lists=["a"]))


def test_what_stands_before_a_broken_item_is_given() -> None:
    found = items(io.BytesIO(b'{"a": [{"id": 1}, {"id" 2}]}'), "a")
    assert next(found) == {"id": 1}
    with pytest.raises(JsonError):
        next(found)
