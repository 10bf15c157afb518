"""Raw facts read once: what stands in them to rest a sentence on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from bot.narrate.claims.days import VERSION, Day, days
from bot.narrate.claims.figures import Figure, figures
from bot.narrate.claims.markup import addresses_in, plain, same_address
from bot.narrate.claims.units import plural_to_singular

REFERENCE = re.compile(
    r"(?:(?<![\w./-])(?P<repository>[\w.-]+(?:/[\w.-]+)?)|(?<![\w&/]))#(?P<number>\d{1,9})(?!\w)"
    r"|\b(?P<word>PRs?|pull requests?|issues?|GH)[ -](?P<plain>\d{1,6})(?![\w%]|[.,]\d)",
    re.IGNORECASE,
)
_ITEM_ADDRESS = re.compile(r"github\.com/(?:repos/)?([\w.-]+/[\w.-]+)/(?:pulls?|issues)/(\d{1,9})(?!\w)", re.IGNORECASE)
WORD = re.compile(r"[^\W_](?:[\w'’.+-]*[\w+])?")


@dataclass(frozen=True, slots=True)
class Mentioned:
    """A pull request or issue as mentioned: `repository` is "" for a bare number; lower case."""

    repository: str
    number: int
    start: int
    end: int

    def is_same(self, other: Mentioned) -> bool:
        mine, theirs = self.repository, other.repository
        return self.number == other.number and (
            not mine or not theirs or mine == theirs or mine.endswith(f"/{theirs}") or theirs.endswith(f"/{mine}")
        )


def mentioned(text: str) -> list[Mentioned]:
    """The references in a text, in order."""
    found = []
    for match in REFERENCE.finditer(text):
        number = int(match["number"] or match["plain"])
        repository = (match["repository"] or "").lower().strip("_-.")
        if repository in ("pr", "prs", "issue", "issues", "gh"):
            repository = ""
        found.append(Mentioned(repository, number, match.start(), match.end()))
    return found


def blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text with the spans made blank, at equal length."""
    pieces = list(text)
    for start, end in spans:
        pieces[start:end] = " " * (end - start)
    return "".join(pieces)


@dataclass(frozen=True, slots=True, eq=False)
class FactText:
    """One raw fact, read. Each text is read once, so that what is found in it can be kept by identity."""

    text: str  # without addresses and marks
    lower: str
    addresses: frozenset[str]
    mentioned: tuple[Mentioned, ...]
    figures: tuple[Figure, ...]
    numbers: str  # the text in which the figures stand: references and dates are blank
    days: tuple[Day, ...]
    versions: frozenset[str]
    words: frozenset[str]  # lower case, as written and in singular, compounds and their parts


@lru_cache(maxsize=4096)
def read_fact(raw: str) -> FactText:
    raw = _from_json(raw)
    text = plain(raw)
    items = [*mentioned(text), *_from_addresses(raw)]
    told = days(text)
    versions = list(VERSION.finditer(text))
    spans = [
        *((m.start, m.end) for m in items if m.end),
        *((d.start, d.end) for d in told),
        *(v.span() for v in versions),
    ]
    numbers = blanked(text, spans)
    return FactText(
        text=text,
        lower=text.lower(),
        addresses=frozenset(same_address(address) for address in addresses_in(raw)),
        mentioned=tuple(items),
        figures=tuple(figures(numbers)),
        numbers=numbers,
        days=tuple(told),
        versions=frozenset(version[0].lower().removeprefix("v") for version in versions),
        words=frozenset(words_of(raw)),
    )


_HEADS = (
    ("state", "State"),
    ("user", "Author"),
    ("author", "Author"),
    ("merged_by", "Merged by"),
    ("closed_by", "Closed by"),
    ("created_at", "Opened"),
    ("merged_at", "Merged"),
    ("closed_at", "Closed"),
)


def _from_json(raw: str) -> str:
    """A pull request or issue that is given as GitHub's JSON, in the form in which the program writes facts."""
    if not raw.startswith("{"):
        return raw
    try:
        item = json.loads(raw)
    except ValueError:
        return raw
    if not isinstance(item, dict) or not isinstance(item.get("number"), int):
        return raw
    kind = "Pull request" if item.get("merged") is not None or "pull_request" in item else "Issue"
    told = {**item, "state": "merged" if item.get("merged") is True else item.get("state")}
    lines = [str(item.get("title", "")), f"{kind} #{item['number']}"]
    lines += [f"{head}: {_login(told[key])}" for key, head in _HEADS if told.get(key)]
    return "\n".join(lines) + f"\n\n{item.get('body') or ''}"


def _login(value: object) -> object:
    return value.get("login", "") if isinstance(value, dict) else value


def _from_addresses(raw: str) -> list[Mentioned]:
    return [Mentioned(match[1].lower(), int(match[2]), 0, 0) for match in _ITEM_ADDRESS.finditer(raw)]


_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+")


def words_of(text: str) -> set[str]:
    """Words as they may be named again: lower case, singular, whole compounds and their parts."""
    found: set[str] = set()
    for match in WORD.finditer(text):
        word = match[0].lower().replace("’", "'")
        for form in (word, *re.split(r"[-_./+']", word), *re.split(r"[_.\s/]", word)):
            if form:
                found |= {form, plural_to_singular(form)}
        if len(match[0]) < 60 and not match[0].islower():
            found |= {part.lower() for part in _CAMEL.findall(match[0])}
    return found


@dataclass(frozen=True, slots=True)
class Known:
    """All facts of one sentence."""

    facts: tuple[FactText, ...]
    words: frozenset[str]
    lower: str
    figures: tuple[Figure, ...]
    days: tuple[Day, ...]
    mentioned: tuple[Mentioned, ...]
    addresses: frozenset[str]


def read_facts(facts: Sequence[str]) -> Known:
    read = tuple(read_fact(fact) for fact in facts)
    return Known(
        facts=read,
        words=frozenset(word for fact in read for word in fact.words),
        lower="\n".join(fact.lower for fact in read),
        figures=tuple(figure for fact in read for figure in fact.figures),
        days=tuple(day for fact in read for day in fact.days),
        mentioned=tuple(mention for fact in read for mention in fact.mentioned),
        addresses=frozenset(address for fact in read for address in fact.addresses),
    )
