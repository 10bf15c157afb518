"""A file is read as the standard library would read it, however its bytes come, and no further than needed."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any, BinaryIO, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.capture.json_stream import JsonError, members

_SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
_VALUES = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=12
)


class _Trickle(io.BytesIO):
    """A file that gives a few bytes at a time, whatever is asked of it."""

    def __init__(self, content: bytes, step: int) -> None:
        super().__init__(content)
        self._step = step

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(self._step)


def read(file: BinaryIO | io.BytesIO, *lists: str) -> dict[str, Any]:
    return {
        key: list(value) if isinstance(value, Iterator) else value
        for key, value in members(cast("BinaryIO", file), lists=lists)
    }


@given(
    document=st.dictionaries(st.text(), _VALUES, max_size=4),
    said=st.lists(_VALUES, max_size=5),
    indent=st.sampled_from([None, 1]),
    ascii_only=st.booleans(),
    step=st.integers(1, 9),
)
def test_members_and_items_are_those_of_the_document(
    document: dict[str, Any], said: list[Any], indent: int | None, ascii_only: bool, step: int
) -> None:
    document["said"] = said
    text = json.dumps(document, indent=indent, ensure_ascii=ascii_only)
    content = text.encode("utf-8", "surrogatepass" if ascii_only else "replace")
    assert read(_Trickle(content, step), "said") == json.loads(content)


def test_a_list_that_is_not_looked_at_is_passed_over() -> None:
    seen = [key for key, _ in members(io.BytesIO(b'{"a": [1, [2], {"b": 3}], "c": 4}'), lists=("a",))]
    assert seen == ["a", "c"]


def test_a_file_may_begin_with_a_byte_order_mark_and_end_with_a_line() -> None:
    assert read(io.BytesIO('\ufeff{"a": 1}\n'.encode())) == {"a": 1}


@pytest.mark.parametrize("content", [b"", b"[]", b" 5", b"null"])
def test_another_value_has_no_members(content: bytes) -> None:
    assert read(io.BytesIO(content)) == {}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"a": [1, 2', "',' is missing at character 12"),
        (b'{"a": [1 2]}', "',' is missing at character 10"),
        (b'{"a": [1, tru', "Expecting value at character 11"),
        (b'{"a": "x', "Unterminated string starting at at character 7"),
        (b'{"a" 1}', "':' is missing at character 6"),
        (b'{"a": 1} x', "the file should end at character 10"),
        (b'{"a": "\xff"}', "not UTF-8"),
        (b'{"a": ' + b"[" * 100_000, "nested too deeply"),
        (b'{"a": ' + b"9" * 5000 + b"}", "digits"),
    ],
)
@pytest.mark.parametrize("step", [1 << 20, 3])
def test_what_is_wrong_is_told_with_its_place(content: bytes, said: str, step: int) -> None:
    with pytest.raises(JsonError) as raised:
        read(_Trickle(content, step if len(content) < 1000 else 1 << 20), "a")
    assert said in str(raised.value)


def test_a_broken_item_is_found_without_reading_the_file_to_its_end() -> None:
    items = ",".join(['{"text": "%s"}' % ("x" * 100)] * 100_000)
    file = io.BytesIO(('{"a": [{"id": 1}, {"id" 2},' + items + "]}").encode())
    with pytest.raises(JsonError, match=r"at character 25"):
        read(file, "a")
    assert file.tell() < len(file.getvalue()) / 10
