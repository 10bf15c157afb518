"""JSON files of any size, by ijson: the members of the outermost object, and the items of a long list in it."""

from __future__ import annotations

import codecs
from collections.abc import Collection, Iterator
from typing import Any, BinaryIO

import ijson

JsonError = ijson.JSONError
"""What stands in the file is not JSON; the message says what is wrong."""

_BEGINS = ("start_map", "start_array")
_ENDS = ("end_map", "end_array")


def members(file: BinaryIO, *, lists: Collection[str]) -> Iterator[tuple[str, Any]]:
    """The members of the file's outermost object, in their order; none where the file holds another value.

    The value of a list named in `lists` is passed over and given as None. Raises JsonError.
    """
    events = ijson.basic_parse(_from_start(file), use_float=True)
    if next(events)[0] != "start_map":
        return
    for kind, key in events:
        if kind != "map_key":
            continue
        first = next(events)
        if key in lists and first[0] == "start_array":
            yield key, None
            _pass_over(events)
        else:
            yield key, _value(first, events)


def items(file: BinaryIO, name: str) -> Iterator[Any]:
    """The items of the list that is the member `name` of the file's outermost object. Raises JsonError."""
    return iter(ijson.items(_from_start(file), f"{name}.item", use_float=True))


def _from_start(file: BinaryIO) -> BinaryIO:
    file.seek(0)
    if file.read(len(codecs.BOM_UTF8)) != codecs.BOM_UTF8:
        file.seek(0)
    return file


def _value(first: tuple[str, Any], events: Iterator[tuple[str, Any]]) -> Any:
    builder = ijson.ObjectBuilder()
    depth = 0
    kind, value = first
    while True:
        builder.event(kind, value)
        depth += (kind in _BEGINS) - (kind in _ENDS)
        if depth == 0:
            return builder.value
        kind, value = next(events)


def _pass_over(events: Iterator[tuple[str, Any]]) -> None:
    """Go on behind the list that has begun."""
    depth = 1
    while depth:
        kind, _ = next(events)
        depth += (kind in _BEGINS) - (kind in _ENDS)
