"""Who is said to have done what, against the roles that facts give."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from bot.narrate.claims.known import WORD, Known, Mentioned, mentioned
from bot.narrate.claims.nearness import DULL, root
from bot.narrate.claims.roles import Role, forms_of, named_in, roles_in, roots_of_fact
from bot.narrate.claims.states import fixes_meant, subject_of
from bot.narrate.language.en import verbs

_AUTHORING = frozenset(("author", "on behalf of", "credited", "credited to", "opened by", "external contributor"))
_BETWEEN_CLAUSES = re.compile(r"[;]\s|,\s(?:and|while|but|whereas|which|who)\s|\swhile\s|\swhereas\s|[.!?]\s")


def people_faults(words: str, known: Known) -> Iterator[str]:
    """Where somebody is credited with an item that the facts give to another."""
    yield from _reviewer_faults(words, known)
    items = [item for item in _items(known) if any(role.role in _AUTHORING for role in item[1])]
    people = {form for _, roles in items for role in roles for form in role.forms}
    if not items:
        return
    start = 0
    for end in [*(match.end() for match in _BETWEEN_CLAUSES.finditer(words)), len(words)]:
        clause, start = words[start:end], end
        named = named_in(clause, people)
        here = mentioned(clause)
        if named and here:
            here = [
                replace(one, start=item.start, end=item.end)
                for item in here
                for one in fixes_meant(clause, item, known) or [item]
            ]
            yield from _clause_faults(clause, named, here, items)
        elif len(named) == 1 and (about := about_item(clause, known)) is not None:
            yield from _deed_faults(clause, named[0], about, items, known)


_REVIEWED = re.compile(r"^\s(?:also |then |had |has )*(?:reviewed|approved)\b")
_REVIEWED_BY = re.compile(r"\b(?:reviewed|approved) by $")
_REVIEWERS = frozenset(("reviewed by", "review by", "commented by", "comment by"))


def _reviewer_faults(words: str, known: Known) -> Iterator[str]:
    """`Ann reviewed` where the facts name reviewers, and Ann is none of them."""
    roles = [role for fact in known.facts for role in roles_in(fact)]
    reviewers = {form for role in roles if role.role in _REVIEWERS for form in role.forms}
    if not any(role.role == "reviewed by" for role in roles):
        return
    for form, at in named_in(words, {form for role in roles for form in role.forms} - reviewers):
        if _REVIEWED.match(words[at + len(form) :]) or _REVIEWED_BY.search(words[:at]):
            yield f"has {form} review what others did"
            return


def _deed_faults(
    clause: str, named: tuple[str, int], about: Mentioned, items: list[tuple[Mentioned, list[Role]]], known: Known
) -> Iterator[str]:
    """Somebody who only reviewed or merged, or did nothing, said to have done the work of an item that is not cited."""
    form, at = named
    parts = {role.role for subject, roles in items if subject.is_same(about) for role in roles if form in role.forms}
    behind = clause[at + len(form) :].lower()
    author = next(
        (role for subject, roles in items if subject.is_same(about) for role in roles if role.role == "author"), None
    )
    if not parts and author is not None and _WROTE.match(behind) and not _is_spoken_of(form, about, known):
        yield f"credits {form} with #{about.number}, in which they have no part"
    if (
        parts
        and (_did_more(clause, at, form, parts) or re.match(r"\s(?:is|was) credited with", behind))
        and not (parts & _AUTHORING)
    ):
        yield f"credits {form} with #{about.number}, where their part is: {', '.join(sorted(parts))}"


def _is_spoken_of(form: str, item: Mentioned, known: Known) -> bool:
    """Whether any fact that names the item names somebody too."""
    return any(form in fact.lower for fact in known.facts if any(one.is_same(item) for one in fact.mentioned))


def about_item(clause: str, known: Known) -> Mentioned | None:
    """The item that a clause without a reference speaks of: the one whose facts share most of its words by far."""
    telling = {root(word[0]) for word in WORD.finditer(clause)} - DULL
    scores: dict[int, tuple[int, Mentioned]] = {}
    for fact in known.facts:
        subject = subject_of(fact)
        if subject is not None:
            best = max(len(telling & roots_of_fact(fact)), scores.get(subject.number, (0, subject))[0])
            scores[subject.number] = (best, subject)
    ranked = sorted(scores.values(), key=lambda one: -one[0])
    if not ranked or ranked[0][0] < 3 or (len(ranked) > 1 and ranked[1][0] >= ranked[0][0]):
        return None
    return ranked[0][1]


_PERSON = re.compile(r"(?:person/\S+: )?[^():\n]{2,60} \((?P<login>[\w.\[\]-]+)\)")


def _with_names(role: Role, names: Mapping[str, frozenset[str]]) -> Role:
    """A role given by login, with the name that another fact gives to the login."""
    more = [forms for login, forms in names.items() if login in role.forms]
    return Role(role.role, role.forms.union(*more)) if more else role


_LISTED = re.compile(r"([\w./-]*#\d+) \(([^()\n]{2,80})\)")


def _items(known: Known) -> list[tuple[Mentioned, list[Role]]]:
    """What the facts are about, with everybody's part in it."""
    items: list[tuple[Mentioned, list[Role]]] = []
    names = {m["login"].lower(): forms_of(m[0]) for fact in known.facts if (m := _PERSON.fullmatch(fact.text.strip()))}
    for fact in known.facts:
        if re.search(r"(?m)^(?:merged|open|closed|draft): ", fact.text):
            items += [
                (mentioned(listed[1])[0], [Role("author", forms_of(listed[2]))])
                for listed in _LISTED.finditer(fact.text)
            ]
            continue
        subject, roles = subject_of(fact), [_with_names(role, names) for role in roles_in(fact)]
        if subject is None or not roles:
            continue
        same = next((known_roles for known_subject, known_roles in items if known_subject.is_same(subject)), None)
        if same is None:
            items.append((subject, roles))
        else:
            same += roles
    return items


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
        ended = re.match(r"\s(?:has |then |also )?(closed|merged)\b", verb)
        by = f"{ended[1]} by" if ended else ""
        enders = [role for _, roles in own for role in roles if role.role == by]
        if enders and by not in parts:
            yield f"has {form} do to #{own[0][0].number} what the facts tell of another"
        elif not parts and elsewhere:
            yield f"credits {form} with #{own[0][0].number}, in which they have no part"
        elif (
            parts and not parts & _AUTHORING and (_is_authoring(verb, led, parts) or _did_more(clause, at, form, parts))
        ):
            yield f"credits {form} with #{own[0][0].number}, where their part is: {', '.join(sorted(parts))}"


_AUTHORED = (
    "opened|added|wrote(?!:| that|,)|fixed|proposed|implemented|introduced|built|authored|created|removed|contributed|"
    "replaced|submitted|upgraded|restored|rebuilt|rewrote|moved|switched|cut|raised|made"
)
_WROTE = re.compile(rf"^(?:['’]s)?\s(?:also |then |has |have |and [\w ]{{1,30}} )?(?:{_AUTHORED})\b")
_BY_OTHERS = re.compile(
    r"(?:merged|closed|reviewed|approved|comment\w*|review\w*)(?: on)?(?: and \w+)? by (?:[\w ]{0,20})$"
)


def _is_authoring(verb: str, led: str, parts: set[str]) -> bool:
    if _BY_OTHERS.search(led):
        return False
    return (
        re.match(r"^\s(?:is|was) (?:credited with|the author|behind)", verb) is not None
        or _WROTE.match(verb) is not None
        or re.search(r"(?:written|authored|opened|proposed|contributed) by $", led) is not None
    )


_PART_VERBS = re.compile(
    r"^\s(?:\w+ly\s|also\s|then\s|has\s|have\s|had\s|both\s)*(?:review\w*|approv\w*|merg\w*|clos\w*|land\w*|shipp\w*|comment\w*|"
    r"ask\w*|not\w*|sa(?:id|ys)|sign\w*|accept\w*|thank\w*|test\w*|is|was|were|who|wrote|point\w*|found|confirm\w*)\b"
)
_DID = re.compile(r"^\s(?:\w+ly\s|also\s|then\s|has\s)*(?P<verb>[a-z]+)")


def _did_more(clause: str, at: int, form: str, parts: set[str]) -> bool:
    """Whether somebody who only reviewed, merged or closed is said to have done the work."""
    if not parts <= {"reviewed by", "merged by", "closed by"}:
        return False
    behind = clause[at + len(form) :].lower()
    did = _DID.match(behind)
    if did is None or _PART_VERBS.match(behind):
        return False
    verb = did["verb"]
    return (
        verb.endswith("ed")
        or verbs.base_of_third(verb) is not None
        or verbs.base_of_past(verb) is not None
        or verbs.is_only_past(verb)
    )
