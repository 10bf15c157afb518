"""Who is said to have done what, against the roles that facts give."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from bot.narrate.claims.known import WORD, FactText, Known, Mentioned, mentioned
from bot.narrate.claims.nearness import DULL, root
from bot.narrate.claims.states import subject_of
from bot.narrate.claims.vocabulary import COMMON

_ROLE = re.compile(
    r"(?m)^(?P<role>author|on behalf of|credited(?: to)?|merged by|closed by|reviewed by|commented by|opened by|"
    r"external contributor|shared by|announced by)(?::\s*|\s+)(?P<who>[^\n;]{1,120})$",
    re.IGNORECASE,
)
_LOGIN = re.compile(r"\(@?([\w.-]+(?:\[bot\])?)\)\s*$")
_SPEAKER = (
    re.compile(r"^(?P<how>comment|review) on \S+ by (?P<who>[^,\n]{1,100})", re.IGNORECASE),
    re.compile(r"^(?P<who>[^\n#]{1,80}) in #[\w-]+\s*$", re.MULTILINE),
    re.compile(r"\A(?P<who>[^\n#:.]{2,60})\n\n"),
    re.compile(r"^author: (?P<who>[^\n]{1,100})$", re.MULTILINE | re.IGNORECASE),
)

_AUTHORING = frozenset(("author", "on behalf of", "credited", "credited to", "opened by", "external contributor"))


@dataclass(frozen=True, slots=True)
class Role:
    """A person in a role of one fact; `forms` are the ways to name them, lower case."""

    role: str
    forms: frozenset[str]


def roles_in(fact: FactText) -> list[Role]:
    roles = [Role(match["role"].lower(), _forms(match["who"])) for match in _ROLE.finditer(fact.text)]
    if said := _SPEAKER[0].match(fact.text):
        roles.append(Role(f"{said['how'].lower()} by", _forms(said["who"])))
    return roles


def _forms(who: str) -> frozenset[str]:
    login = _LOGIN.search(who)
    name = who[: login.start()].strip() if login else who.strip()
    forms = {name.lower()}
    if login:
        forms.add(login[1].lower())
    parts = name.split()
    if len(parts) > 1:
        forms |= {parts[0].lower(), parts[-1].lower()}
    return frozenset(form for form in forms if len(form) > 1)


_BETWEEN_CLAUSES = re.compile(r"[;]\s|,\s(?:and|while|but|whereas)\s|\swhile\s|\swhereas\s|[.!?]\s")


def people_faults(words: str, known: Known) -> Iterator[str]:
    """Where somebody is credited with an item that the facts give to another."""
    items = [item for item in _items(known) if any(role.role in _AUTHORING for role in item[1])]
    people = {form for _, roles in items for role in roles for form in role.forms}
    if not items:
        return
    start = 0
    for end in [*(match.end() for match in _BETWEEN_CLAUSES.finditer(words)), len(words)]:
        clause, start = words[start:end], end
        named = _named(clause, people)
        here = mentioned(clause)
        if named and here:
            yield from _clause_faults(clause, named, here, items)


def _items(known: Known) -> list[tuple[Mentioned, list[Role]]]:
    """What the facts are about, with everybody's part in it."""
    items: list[tuple[Mentioned, list[Role]]] = []
    for fact in known.facts:
        subject, roles = subject_of(fact), roles_in(fact)
        if subject is None or not roles:
            continue
        same = next((known_roles for known_subject, known_roles in items if known_subject.is_same(subject)), None)
        if same is None:
            items.append((subject, roles))
        else:
            same += roles
    return items


def _named(clause: str, people: set[str]) -> list[tuple[str, int]]:
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


def _clause_faults(
    clause: str, named: list[tuple[str, int]], here: list[Mentioned], items: list[tuple[Mentioned, list[Role]]]
) -> Iterator[str]:
    for index, (form, at) in enumerate(named):
        until = named[index + 1][1] if index + 1 < len(named) else len(clause)
        theirs = [mention for mention in here if at < mention.start < until] or ([] if len(named) > 1 else here)
        own = [(subject, roles) for mention in theirs for subject, roles in items if mention.is_same(subject)]
        if not own:
            continue
        parts = {role.role for _, roles in own for role in roles if form in role.forms}
        elsewhere = any(form in role.forms for _, roles in items for role in roles)
        verb = clause[at + len(form) :][:40].lower()
        led = clause[max(0, at - 24) : at].lower()
        if not parts and elsewhere:
            yield f"credits {form} with #{own[0][0].number}, in which they have no part"
        elif parts and not parts & _AUTHORING and _is_authoring(verb, led, parts):
            yield f"credits {form} with #{own[0][0].number}, where their part is: {', '.join(sorted(parts))}"


_AUTHORED = (
    "opened|added|wrote(?!:| that|,)|fixed|proposed|implemented|introduced|built|authored|created|removed|contributed|"
    "replaced|submitted"
)
_WROTE = re.compile(rf"^(?:['’]s)?\s(?:also |then |has |have |and [\w ]{{1,30}} )?(?:{_AUTHORED})\b")
_BY_OTHERS = re.compile(
    r"(?:merged|closed|reviewed|approved|comment\w*|review\w*)(?: on)?(?: and \w+)? by (?:[\w ]{0,20})$"
)


def _is_authoring(verb: str, led: str, parts: set[str]) -> bool:
    if _BY_OTHERS.search(led):
        return False
    return (
        _WROTE.match(verb) is not None
        or re.search(r"(?:written|authored|opened|proposed|contributed) by $", led) is not None
    )


def speaker_faults(words: str, known: Known) -> Iterator[str]:
    """Where somebody is said to do or say what stands in the words of another."""
    spoken = [(_speaker(fact), fact) for fact in known.facts]
    people = {form for who, _ in spoken for form in who}
    named = [one for one in _named(words, people) if _DOES.match(words[one[1] + len(one[0]) :])]
    if len(_named(words, people)) != 1 or not named:
        return
    form = named[0][0]
    telling = {root(word[0]) for word in WORD.finditer(words)} - DULL - {root(part) for part in form.split()}
    scores = []
    for who, fact in spoken:
        others = {word for _, other in spoken if other is not fact for word in _roots(other)}
        scores.append((len((telling & _roots(fact)) - others), who, fact))
    best, who, fact = max(scores, key=lambda score: score[0])
    own = max((score for score, whose, _ in scores if form in whose), default=0)
    if best >= 3 and own == 0 and who and form not in who and not re.search(rf"\b{re.escape(form)}\b", fact.lower):
        yield f"has {form} say or do what stands in another's words"


_DOES = re.compile(r"\s(?:\w+ly )?(?:[a-z]+ed|[a-z]+s|is|was|could|can|will|would|had|said|wrote|found|has)\b")


def _speaker(fact: FactText) -> frozenset[str]:
    for pattern in _SPEAKER:
        if match := pattern.search(fact.text):
            return _forms(match["who"])
    return frozenset()


@lru_cache(maxsize=512)
def _roots(fact: FactText) -> frozenset[str]:
    return frozenset(root(word[0]) for word in WORD.finditer(fact.text)) - DULL
