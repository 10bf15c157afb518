"""GraphQL, as far as a stand-in for an API needs it: queries are read and answered from plain values.

An object is a mapping from field names to values, with its `__typename`. A value that is a function is called
with the field's arguments; one that is a `Refusal` becomes null and an entry of the answer's errors, as a
server that can only answer in part does it. Mutations, subscriptions, directives and introspection are left
out. Source: https://spec.graphql.org
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

_TOKEN = re.compile(
    r"[\s,\ufeff]+|#[^\n]*"
    r'|(?P<token>\.\.\.|[!$&():=@\[\]{|}]|[_A-Za-z]\w*|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|"(?:[^"\\\n]|\\.)*")'
)


class GraphQLSyntaxError(ValueError):
    """The document is no query that can be answered; the text says where."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A field that cannot be answered. `kind` is GitHub's error type, such as NOT_FOUND."""

    message: str
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class Variable:
    name: str


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    key: str  # the alias, else the name
    arguments: Mapping[str, Any]
    selections: tuple[Selection, ...]


@dataclass(frozen=True, slots=True)
class Spread:
    """A fragment: inline on `on`, or the named one."""

    name: str | None
    on: str | None
    selections: tuple[Selection, ...]


Selection = Field | Spread


@dataclass(slots=True)
class Document:
    selections: tuple[Selection, ...] = ()
    defaults: dict[str, Any] = field(default_factory=dict)
    fragments: dict[str, Spread] = field(default_factory=dict)


def answer(
    query: str,
    variables: Mapping[str, Any],
    root: Mapping[str, Any],
    *,
    implements: Mapping[str, frozenset[str]] | None = None,
) -> dict[str, Any]:
    """Answer `query` from `root`: `{"data": ...}`, with "errors" where a part was refused.

    `implements` names the interfaces of each type, for fragments on them. Raises GraphQLSyntaxError for a
    document that cannot be read or asks for a field that an object does not have.
    """
    document = _Reader(query).document()
    execution = _Execution(document, {**document.defaults, **variables}, implements or {})
    data = execution.select(root, document.selections, [])
    return {"data": data, "errors": execution.errors} if execution.errors else {"data": data}


@dataclass(slots=True)
class _Execution:
    document: Document
    variables: Mapping[str, Any]
    implements: Mapping[str, frozenset[str]]
    errors: list[dict[str, Any]] = field(default_factory=list)

    def select(self, value: Any, selections: tuple[Selection, ...], path: list[str | int]) -> Any:
        if isinstance(value, Refusal):
            kind = {"type": value.kind} if value.kind else {}
            self.errors.append({**kind, "path": path, "message": value.message})
            return None
        if isinstance(value, list):
            return [self.select(one, selections, [*path, index]) for index, one in enumerate(value)]
        if not isinstance(value, Mapping):
            return value
        result: dict[str, Any] = {}
        for wanted in self._fields(value, selections):
            if wanted.name not in value:
                raise GraphQLSyntaxError(f"Field '{wanted.name}' doesn't exist on type '{value.get('__typename')}'")
            found = value[wanted.name]
            if callable(found):
                found = found(**self._value(wanted.arguments))
            result[wanted.key] = self.select(found, wanted.selections, [*path, wanted.key])
        return result

    def _fields(self, value: Mapping[str, Any], selections: tuple[Selection, ...]) -> Iterator[Field]:
        for selection in selections:
            if isinstance(selection, Field):
                yield selection
                continue
            fragment = self.document.fragments[selection.name] if selection.name else selection
            kind = value.get("__typename", "")
            if fragment.on in (None, kind) or fragment.on in self.implements.get(kind, ()):
                yield from self._fields(value, fragment.selections)

    def _value(self, value: Any) -> Any:
        if isinstance(value, Variable):
            return self.variables.get(value.name)
        if isinstance(value, Mapping):
            return {key: self._value(one) for key, one in value.items()}
        return [self._value(one) for one in value] if isinstance(value, list) else value


class _Reader:
    def __init__(self, text: str) -> None:
        self._tokens = list(_tokens(text))
        self._at = 0

    @property
    def _next(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self, expected: str | None = None) -> str:
        token = self._next
        if not token or (expected and token != expected):
            raise GraphQLSyntaxError(f"Expected {expected or 'more'}, found {token or 'the end'}")
        self._at += 1
        return token

    def _skip(self, token: str) -> bool:
        found = self._next == token
        self._at += found
        return found

    def document(self) -> Document:
        document = Document()
        while self._next:
            if self._skip("fragment"):
                name = self._take()
                document.fragments[name] = self._fragment(name)
                continue
            if self._next != "{":
                self._take("query")
                if self._next not in ("{", "("):
                    self._take()
                document.defaults.update(self._variables())
            document.selections = self._selections()
        return document

    def _variables(self) -> dict[str, Any]:
        defaults: dict[str, Any] = {}
        if self._skip("("):
            while not self._skip(")"):
                self._take("$")
                name = self._take()
                self._take(":")
                self._type()
                if self._skip("="):
                    defaults[name] = self._value()
        return defaults

    def _type(self) -> None:
        if self._skip("["):
            self._type()
            self._take("]")
        else:
            self._take()
        self._skip("!")

    def _fragment(self, name: str | None) -> Spread:
        on = self._take() if self._skip("on") else None
        return Spread(name, on, self._selections())

    def _selections(self) -> tuple[Selection, ...]:
        self._take("{")
        found: list[Selection] = []
        while not self._skip("}"):
            found.append(self._selection())
        return tuple(found)

    def _selection(self) -> Selection:
        if self._skip("..."):
            return self._fragment(None) if self._next in ("on", "{") else Spread(self._take(), None, ())
        key = name = self._take()
        if self._skip(":"):
            name = self._take()
        arguments: dict[str, Any] = self._pairs(")") if self._skip("(") else {}
        return Field(name, key, arguments, self._selections() if self._next == "{" else ())

    def _pairs(self, end: str) -> dict[str, Any]:
        pairs: dict[str, Any] = {}
        while not self._skip(end):
            name = self._take()
            self._take(":")
            pairs[name] = self._value()
        return pairs

    def _value(self) -> Any:
        lexeme = self._take()
        if lexeme == "$":
            return Variable(self._take())
        if lexeme == "{":
            return self._pairs("}")
        if lexeme == "[":
            values: list[Any] = []
            while not self._skip("]"):
                values.append(self._value())
            return values
        if lexeme[0] in '"-0123456789' or lexeme in ("true", "false", "null"):
            return json.loads(lexeme)
        return lexeme  # an enum's value


def _tokens(text: str) -> Iterator[str]:
    position = 0
    while position < len(text):
        found = _TOKEN.match(text, position)
        if not found:
            raise GraphQLSyntaxError(f"Unexpected {text[position]!r} at character {position}")
        position = found.end()
        if lexeme := found["token"]:
            yield lexeme
