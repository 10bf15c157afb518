"""Addresses in a text: those of GitHub refer to pull requests and issues, all others to nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hit:
    """A number at a place, and the repository as it is named there (lower case, "" for one that is not ours)."""

    at: int
    repository: str
    number: int
    explicit: bool = False  # the repository is spelled out


_INNER = re.compile(r"://|\.[A-Za-z]{2,24}(?::\d{1,5})?(?:/|\?\w)|\w@[\w-]{1,63}\.\w")
_REST = re.compile(r"(?:[^\s<>()`\"|\u0080-\uffff]|\([^\s()<>]{0,200}\))*")
_GITHUB = re.compile(
    r"""(?:https?:/{1,2})?(?:[^\s/@]*@)?
    (?:(?:(?:www|redirect)\.)?github\.(?:com|dev)(?::\d+)?/+|api\.github\.com/+repos/+)
    (?P<repository>[a-z0-9-]+/+[a-z0-9._-]+)/+(?:pulls?|issues)/+(?P<number>[1-9]\d{0,8})
    (?![a-z0-9]|[_-][a-z0-9])(?P<more>[/?\#]|\.(?:diff|patch)\b)?""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
_OTHER_ITEM = re.compile(r"/(?:issues|pulls?|merge_requests|tickets?|bugs?|discussions)/(\d{1,9})(?!\w)")
_MENTION = re.compile(r"<(?:[#@]|@!|@&|a?:\w{1,40}:|t:-?|id:|/[^<>\n:]{1,110}:)\d{0,25}[^<>\s]{0,20}>|&#\d{1,7};")


def without_addresses(text: str) -> tuple[str, list[Hit]]:
    """The text with mentions and addresses blanked at equal length, and what the addresses refer to."""
    if "<" in text or "&#" in text:
        text = _MENTION.sub(lambda mention: " " * len(mention[0]), text)
    hits: list[Hit] = []
    if "." not in text and "://" not in text:
        return text, hits
    pieces: list[str] = []
    done = 0
    while inner := _INNER.search(text, done):
        start = _start_of_address(text, done, inner)
        rest = _REST.match(text, inner.end() - 1)
        end = max(inner.end(), rest.end() if rest else 0)
        found, length = _address(text[start:end], start)
        hits += found
        pieces += text[done:start], "\x00" * length
        done = start + length
    pieces.append(text[done:])
    return "".join(pieces), hits


def _start_of_address(text: str, done: int, inner: re.Match[str]) -> int:
    """Where the scheme or the host begins, of which `inner` is the end."""
    at = inner.start() + (inner[0][1] == "@")
    before = text[max(done, at - 260) : at]
    scheme = inner[0] == "://"
    start = at - len(before) + len(before.rstrip(_LETTERS if scheme else _HOST))
    if scheme and (http := text.rfind("http", start, at)) > start:
        return http
    return start


_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_HOST = _LETTERS + "0123456789-.+"


def _address(address: str, at: int) -> tuple[list[Hit], int]:
    """What the address refers to, and its length: behind a bare number of GitHub's whatever follows is text."""
    if ours := _GITHUB.match(address):
        repository = re.sub("/+", "/", ours["repository"]).lower()
        length = len(address) if ours["more"] else ours.end()
        return [Hit(at, repository, int(ours["number"]), explicit=True)], length
    others = [Hit(at, "", int(other[1]), explicit=True) for other in _OTHER_ITEM.finditer(address)]
    return others, len(address)
