"""JSON files of any size: the members of the outermost object one by one, and long lists in it item by item.

The standard library's parser reads each value; here it is only found out where the file has to be read on.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Collection, Iterator
from json import JSONDecodeError, JSONDecoder
from typing import Any, BinaryIO

_CHUNK = 1 << 16
"""Bytes that are read at a time; twice as many each time that a value has not ended."""

_SPACE = re.compile(r"[ \t\n\r]*")
_COMMA = re.compile(r"[ \t\n\r]*,[ \t\n\r]*")
_LONGEST_SIGN = len("e+")
_LONGEST_ESCAPE = len(r"\u0000")


class JsonError(ValueError):
    """What stands in the file is not JSON; the message says what is wrong and at which character."""


def members(file: BinaryIO, *, lists: Collection[str] = ()) -> Iterator[tuple[str, Any]]:
    """The members of the file's outermost object, in their order; none where the file holds another value.

    The value of a list named in `lists` is an iterator of its items. What is not taken of it is passed over.
    Raises JsonError.
    """
    text = _Text(file)
    if text.peek() != "{":
        return
    text.take("{")
    while text.peek() != "}":
        key = str(text.value())
        text.take(":")
        if key in lists and text.peek() == "[":
            items = text.items()
            yield key, items
            for _ in items:
                pass
        else:
            yield key, text.value()
        if text.peek() != "}":
            text.take(",")
    text.take("}")
    if text.peek():
        raise text.error("the file should end")


class _Text:
    """The text of a file, of which what has been taken is forgotten."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._parse = JSONDecoder().raw_decode
        self._text = ""
        self._at = 0
        self._forgotten = 0
        self._ended = False

    def peek(self) -> str:
        """The next character that is no white space; "" at the end."""
        while True:
            self._at = _end(_SPACE, self._text, self._at)
            if self._at < len(self._text):
                return self._text[self._at]
            if self._ended:
                return ""
            self._read(_CHUNK)

    def take(self, expected: str) -> None:
        if self.peek() != expected:
            raise self.error(f"{expected!r} is missing")
        self._at += 1

    def value(self) -> Any:
        """The value that begins here or behind white space, with as much of the file as it needs."""
        if not self._text[self._at : self._at + 1].strip():
            self.peek()
        size = _CHUNK
        while True:
            try:
                value, end = self._parse(self._text, self._at)
            except JSONDecodeError as error:
                if self._ended or not self._may_be_cut(error):
                    raise self.error(error.msg, at=error.pos) from error
            except RecursionError as error:
                raise self.error("a value is nested too deeply") from error
            except ValueError as error:
                raise self.error(str(error)) from error
            else:
                if end + _LONGEST_SIGN < len(self._text) or self._ended:  # a number may go on: 1, 1.5, 1e+5
                    self._at = end
                    return value
            self._read(size)
            size *= 2

    def items(self) -> Iterator[Any]:
        """The items of the list that begins here."""
        self.take("[")
        while self.peek() != "]":
            yield self.value()
            while between := _COMMA.match(self._text, self._at):
                self._at = between.end()
                yield self.value()
            if self.peek() != "]":
                self.take(",")
        self.take("]")

    def error(self, what: str, *, at: int | None = None) -> JsonError:
        return JsonError(f"{what} at character {self._forgotten + (self._at if at is None else at) + 1}")

    def _may_be_cut(self, error: JSONDecodeError) -> bool:
        """Whether the value is only not whole yet; not so where the parser stumbled before the end."""
        return error.msg.startswith("Unterminated string") or error.pos >= len(self._text) - _LONGEST_ESCAPE

    def _read(self, size: int) -> None:
        raw = self._file.read(size)
        self._ended = not raw
        try:
            more = self._decoder.decode(raw, final=self._ended)
        except UnicodeDecodeError as error:
            raise self.error(f"not UTF-8 ({error.reason}) behind what stands", at=len(self._text)) from error
        self._forgotten += self._at
        self._text = self._text[self._at :] + more
        self._at = 0


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return at if found is None else found.end()
