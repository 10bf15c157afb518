"""An edition read back from its JSON (`gazette.edition/1`), as far as the format holds it."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import date, datetime
from functools import cache
from typing import Any

from bot.model.edition import Edition


def edition_from_json(document: Mapping[str, Any]) -> Edition:
    """The edition of a document that `bot.model.edition.to_json` wrote.

    Working material that is not written (bodies, comments) is empty; fields that the document lacks take their
    defaults, and those it has beyond are left aside. Raises ValueError where a required one is missing.
    """
    edition: Edition = _decode(Edition, document)
    return edition


def _decode(kind: Any, value: Any) -> Any:
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return None if value is None else _decode(next(each for each in args if each is not type(None)), value)
    if origin is tuple:
        return tuple(_decode(args[0], each) for each in value)
    if origin is not None and issubclass(origin, Mapping):
        return {str(key): _decode(args[1], each) for key, each in value.items()}
    if is_dataclass(kind):
        return _decode_class(kind, value)
    if kind is datetime:
        return datetime.fromisoformat(value)
    if kind is date:
        return date.fromisoformat(value)
    return int(value) if kind is int else value


def _decode_class(kind: Any, value: Mapping[str, Any]) -> Any:
    given: dict[str, Any] = {}
    hints = _hints(kind)
    for field in fields(kind):
        if field.metadata.get("hidden"):
            continue
        if field.name in value:
            given[field.name] = _decode(hints[field.name], value[field.name])
        elif field.default is MISSING and field.default_factory is MISSING:
            raise ValueError(f"an edition's {kind.__name__} lacks {field.name!r}")
    return kind(**given)


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return typing.get_type_hints(kind)
