"""Addresses in a text: those of GitHub refer to pull requests and issues, all others to nothing."""

from __future__ import annotations

import re
from typing import NamedTuple


class Hit(NamedTuple):
    """A number at a place, and the repository as it is named there (lower case, "" for one that is not ours)."""

    at: int
    repository: str
    number: int
    explicit: bool = False  # the repository is spelled out


_INNER = re.compile(r":(?=//)|\.(?=[A-Za-z]{2,24}(?::\d{1,5})?(?:/|\?\w))|@(?<=\w@)(?=[\w-]{1,63}\.\w)")
_REST = re.compile(r"[^\s<>()`\"|\u0080-\uffff]*(?:\([^\s()<>]{0,200}\)[^\s<>()`\"|\u0080-\uffff]*)*")
_GITHUB = re.compile(
    r"""(?:https?:/{1,2})?(?:[^\s/@]{1,64}@)?
    (?:(?:(?:www|redirect)\.)?github\.(?:com|dev)(?::\d+)?/+|api\.github\.com/+repos/+)
    (?P<repository>[a-z0-9-]+/+[a-z0-9._-]+)/+(?:pulls?|issues)/+(?P<number>[1-9]\d{0,8})
    (?![a-z0-9]|[_-][a-z0-9])(?P<more>[/?\#]|\.(?:diff|patch)\b)?""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
_OTHER_ITEM = re.compile(
    r"(?:/(?:issues?|pulls?|pull-requests|merge_requests|tickets?|bugs?|discussions|browse)/(?:[A-Z]{2,10}-)?"
    r"|[?&](?:id|issue|ticket|bug)=)(\d{1,9})(?!\w)"
)
_PLAIN = re.compile(
    r"https://github\.com/([A-Za-z0-9-]+/[A-Za-z0-9._-]+)/(?:pull|issues)/([1-9][0-9]{0,8})(?![A-Za-z0-9_%.-])"
    r"(?:[/?#][^\s<>()`\"|\u0080-\uffff]*+(?!\()|(?![/?#]))"
)
_APART = frozenset(["", *' \t\n(<>|`"'])  # before a scheme: it is no part of another address
_MENTION_BEGINS = re.compile(r"<[#@at:is/]")
_MENTION = re.compile(
    r"<(?:[#@]|@!|@&|a?:\w{1,40}:|t:-?|id:|sound:|/[^<>\n:]{1,110}:)\d{0,25}[^<>\s]{0,20}>|&#\d{1,7};"
)


def without_addresses(text: str) -> tuple[str, list[Hit]]:
    """The text with mentions and addresses blanked, and what the addresses refer to; places are those of that text."""
    if ("<" in text and _MENTION_BEGINS.search(text)) or "&#" in text:
        text = _MENTION.sub(" ", text)
    hits: list[Hit] = []
    if "https://github.com/" in text:
        text = _without_plain_ones(text, hits)
    if "://" in text or ("." in text and ("/" in text or "@" in text or "?" in text)):
        plain = len(hits)
        text = _without_others(text, hits)
        if 0 < plain < len(hits):
            hits.sort()
    return text, hits


def _without_plain_ones(text: str, hits: list[Hit]) -> str:
    """As most addresses are written, in one look; one that may be part of another is left for a closer look."""
    pieces: list[str] = []
    done = 0
    for found in _PLAIN.finditer(text):
        start, end = found.span()
        if text[start - 1 : start] not in _APART:
            continue
        hits.append(Hit(start, found[1].lower(), int(found[2]), True))
        pieces += text[done:start], "\x00" * (end - start)
        done = end
    pieces.append(text[done:])
    return "".join(pieces)


def _without_others(text: str, hits: list[Hit]) -> str:
    pieces: list[str] = []
    done = 0
    while inner := _INNER.search(text, done):
        mark = inner.start()
        start = _start_of_address(text, done, mark)
        rest = _REST.match(text, mark)
        address = text[start : rest.end() if rest else mark + 1]
        length = _read(address, start, hits)
        pieces += text[done:start], "\x00" * length
        done = start + length
    pieces.append(text[done:])
    return "".join(pieces)


def _start_of_address(text: str, done: int, mark: int) -> int:
    """Where the address begins that has a colon, dot or at sign at `mark`."""
    if text[mark] == ":":
        for scheme in ("https", "http"):
            if text[mark - len(scheme) : mark].lower() == scheme:
                return mark - len(scheme)
    before = text[max(done, mark - 260) : mark]
    return mark - len(before) + len(before.rstrip(_LETTERS if text[mark] == ":" else _HOST))


_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_HOST = _LETTERS + "0123456789-.+"


def _read(address: str, at: int, hits: list[Hit]) -> int:
    """Add what the address refers to; its length: behind a bare number of GitHub's whatever follows is text."""
    if ours := _GITHUB.match(address):
        repository = ours["repository"].lower()
        if "//" in repository:
            repository = _SLASHES.sub("/", repository)
        hits.append(Hit(at, repository, int(ours["number"]), True))
        return len(address) if ours["more"] else ours.end()
    hits += [Hit(at, "", int(other[1]), explicit=True) for other in _OTHER_ITEM.finditer(address)]
    return len(address)


_SLASHES = re.compile("//+")
