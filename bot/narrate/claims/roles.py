"""Who has which part in what, and whose words a fact is, as raw facts tell it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from bot.narrate.claims.known import WORD, FactText
from bot.narrate.claims.nearness import DULL, root
from bot.narrate.claims.vocabulary import COMMON

_ROLE = re.compile(
    r"(?m)^(?P<role>author|on behalf of|credited(?: to)?|merged by|closed by|reviewed by|commented by|opened by|"
    r"external contributor|shared by|announced by)(?::\s*|\s+)(?P<who>[^\n;]{1,120})$",
    re.IGNORECASE,
)
_LOGIN = re.compile(r"\(@?([\w.-]+(?:\[bot\])?)\)\s*$")
_SPEAKER = (
    re.compile(r"^(?P<how>comment|review) on \S+ by (?P<who>[^,\n]{1,100})", re.IGNORECASE),
    re.compile(r"^(?P<who>[^\n#]{1,80}) in #[\w-]+(?:\s*$|: )", re.MULTILINE),
    re.compile(r"\A(?P<who>[^\n#:.]{2,60})\n\n"),
    re.compile(r"^author: (?P<who>[^\n]{1,100})$", re.MULTILINE | re.IGNORECASE),
)
_WHO = r"(?P<who>[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*)"
_PROSE_ROLES = (
    ("author", re.compile(rf"\b(?:opened|filed|reported|written|authored|proposed|submitted) by {_WHO}")),
    ("author", re.compile(rf"^(?:PR|[Pp]ull request|[Ii]ssue) \S*#\d+[^.\n]{{0,200}}[\"”] by {_WHO}")),
    ("reviewed by", re.compile(rf"\breview(?:ed)? by {_WHO}")),
    ("merged by", re.compile(rf"\bmerged by {_WHO}")),
    ("closed by", re.compile(rf"\bclosed by {_WHO}")),
)


@dataclass(frozen=True, slots=True)
class Role:
    """A person in a role of one fact; `forms` are the ways to name them, lower case."""

    role: str
    forms: frozenset[str]


@lru_cache(maxsize=2048)
def roles_in(fact: FactText) -> tuple[Role, ...]:
    roles = [
        Role(match["role"].lower(), forms_of(who))
        for match in _ROLE.finditer(fact.text)
        for who in re.split(r",\s(?=\w)", match["who"])
    ]
    roles += [
        Role(role, forms_of(match["who"])) for role, pattern in _PROSE_ROLES for match in pattern.finditer(fact.text)
    ]
    if said := _SPEAKER[0].match(fact.text):
        roles.append(Role(f"{said['how'].lower()} by", forms_of(said["who"])))
    return tuple(roles)


def forms_of(who: str) -> frozenset[str]:
    login = _LOGIN.search(who)
    name = who[: login.start()].strip() if login else who.strip()
    forms = {name.lower()}
    if login:
        forms.add(login[1].lower())
    parts = name.split()
    if len(parts) > 1:
        forms |= {parts[0].lower(), parts[-1].lower()}
    return frozenset(form for form in forms if len(form) > 1)


def named_in(clause: str, people: set[str]) -> list[tuple[str, int]]:
    """The longest forms of names in the clause, where they stand."""
    lower = clause.lower()
    found: list[tuple[str, int]] = []
    taken: list[tuple[int, int]] = []
    for form in sorted(people, key=len, reverse=True):
        for match in re.finditer(rf"(?<![\w-]){re.escape(form)}(?![\w-])", lower):
            written = clause[match.start()]
            if any(start <= match.start() < end for start, end in taken) or (written.islower() and form in COMMON):
                continue
            taken.append(match.span())
            found.append((form, match.start()))
    return sorted(found, key=lambda one: one[1])


@lru_cache(maxsize=2048)
def speaker_of(fact: FactText) -> frozenset[str]:
    for pattern in _SPEAKER:
        if match := pattern.search(fact.text):
            return forms_of(match["who"])
    for role in roles_in(fact):
        if role.role == "author":
            return role.forms
    return frozenset()


@lru_cache(maxsize=512)
def roots_of_fact(fact: FactText) -> frozenset[str]:
    return frozenset(root(word[0]) for word in WORD.finditer(fact.text)) - DULL
