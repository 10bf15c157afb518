"""What belongs to which item, person or channel: told of one, though the facts tell it of another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bot.narrate.claims.clauses import roots_of
from bot.narrate.claims.figures import Figure, is_same
from bot.narrate.claims.known import FactText, Known, Mentioned, mentioned
from bot.narrate.claims.states import subject_of
from bot.narrate.claims.vocabulary import COMMON, GENERAL_NAMES

_CLAUSE = re.compile(r"[;:]\s|,\s(?:and|while|but|whereas|which|who)\s|\s(?:while|whereas|but|than)\s|[.!?]\s")
_CLOSES = re.compile(r"\b(?:close[sd]?(?: by)?|fix(?:es|ed by)?|resolve[sd]?(?: by)?)\b:?[^.\n]{0,120}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Group:
    """The facts about one item: its own, its comments, those of what it closes, and what speaks of it elsewhere."""

    item: Mentioned
    facts: tuple[FactText, ...]


def belonging_faults(
    text: str, numbers: str, said: Sequence[Figure], items: Sequence[Mentioned], known: Known
) -> Iterator[str]:
    """Figures, words and links between items that the facts tell of another item, person or channel."""
    groups = _groups(known)
    yield from _figures_of_items(text, said, items, groups, known)
    yield from _linked_items(text, items, groups, known)
    yield from _figures_of_names(numbers, said, known)
    yield from _words_of_items(text, items, groups)


def _words_of_items(text: str, items: Sequence[Mentioned], groups: Sequence[Group]) -> Iterator[str]:
    """A clause about one item in words that only the facts of another one use."""
    if len({item.number for item in items}) != 1:
        return
    own = next((group for group in groups if group.item.is_same(items[0])), None)
    telling = set(roots_of(text))
    if own is None or len(telling) > 4 or telling & _words(own):
        return
    for other in groups:
        apart = not any(one.is_same(other.item) for fact in own.facts for one in fact.mentioned) and not any(
            one.is_same(own.item) for fact in other.facts for one in fact.mentioned
        )
        if other is not own and apart and len(telling & _words(other)) >= 2:
            yield f"tells of #{own.item.number} what the facts tell of #{other.item.number}"
            return


def _words(group: Group) -> set[str]:
    return {root for fact in group.facts for root in roots_of(fact.text)}


def _groups(known: Known) -> list[Group]:
    own: dict[tuple[str, int], list[FactText]] = {}
    subjects: dict[tuple[str, int], Mentioned] = {}
    for fact in known.facts:
        subject = subject_of(fact)
        if subject is None:
            continue
        key = next((key for key, one in subjects.items() if one.is_same(subject)), (subject.repository, subject.number))
        subjects.setdefault(key, subject)
        own.setdefault(key, []).append(fact)
    return [
        Group(
            subject, (*own[key], *(fact for fact in known.facts if fact not in own[key] and _is_linked(subject, fact)))
        )
        for key, subject in subjects.items()
        if any(len(fact.text) > 60 for fact in own[key])
    ]


def _is_linked(item: Mentioned, fact: FactText) -> bool:
    """Whether another fact speaks of the item: a message that names it, or an item that closes it or the reverse."""
    if not any(one.is_same(item) for one in fact.mentioned):
        return False
    if subject_of(fact) is None or not re.search(r"(?m)^(?:pull request|issue|epic) ", fact.text, re.IGNORECASE):
        return True
    return any(one.is_same(item) for closing in _CLOSES.finditer(fact.text) for one in mentioned(closing[0]))


def clause_bounds(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _CLAUSE.finditer(text):
        yield start, match.end()
        start = match.end()
    yield start, len(text)


def _figures_of_items(
    text: str, said: Sequence[Figure], items: Sequence[Mentioned], groups: Sequence[Group], known: Known
) -> Iterator[str]:
    for start, end in clause_bounds(text):
        here = {item.number: item for item in items if start <= item.start < end}
        if len(here) != 1:
            continue
        item = next(iter(here.values()))
        group = next((one for one in groups if one.item.is_same(item)), None)
        if group is None:
            continue
        for figure in (figure for figure in said if start <= figure.start < end and figure.value > 2):
            behind = next((one for one in items if one.start > figure.start), item)
            own = [fact for one in groups if one is group or one.item.is_same(behind) for fact in one.facts]
            mine = any(is_same(figure, other) for fact in own for other in fact.figures)
            counts = _COUNTS_ITEMS.match(text, figure.end)
            if not mine and not counts and any(is_same(figure, other) for other in known.figures):
                yield f"tells {figure.text.strip()} of #{item.number}, of which no fact tells it"


_COUNTS_ITEMS = re.compile(
    r"\s(?:\w+\s)?(?:pull requests?|PRs?|issues?|changes|commits|fixes|of them)\b", re.IGNORECASE
)

_RELATION = re.compile(
    r"\b(?:supersed\w+|replac\w+|clos(?:es|ed|ing)|fix(?:es|ed)|resolv\w+|part of|depends? on|duplicat\w+|revert\w+|"
    r"block(?:s|ed)|caused|follow\w*|builds? on|based on)\b",
    re.IGNORECASE,
)


_STRICT_RELATION = re.compile(
    r"\b(?:supersed\w+|replac\w+|duplicat\w+|revert\w+|instead of|in favou?r of)\b", re.IGNORECASE
)


_BY = re.compile(r"\b(?:(?:supersed\w+|replaced) by|in favou?r of) ", re.IGNORECASE)


def _follows(pattern: re.Pattern[str], fact: FactText, item: Mentioned) -> bool:
    """Whether the item stands right behind such words in a fact."""
    return any(
        one.is_same(item) and one.start == match.end()
        for match in pattern.finditer(fact.text)
        for one in fact.mentioned
    )


def _linked_items(text: str, items: Sequence[Mentioned], groups: Sequence[Group], known: Known) -> Iterator[str]:
    """`#1 was superseded by #2` where neither fact speaks of the other."""
    for one, two in pairwise(items):
        gap = text[one.end : two.start]
        if (
            one.number == two.number
            or len(gap) > 40
            or not _RELATION.search(gap)
            or re.search(r"[;.]\s|, |\sand\s", gap)
        ):
            continue
        holders = [group for group in groups if group.item.is_same(one) or group.item.is_same(two)]
        if not holders:
            continue
        other_of = {one.number: two, two.number: one}
        linked = any(
            mention.number == other_of[group.item.number].number
            for group in holders
            for fact in group.facts
            if group.item.number in other_of
            for mention in fact.mentioned
        )
        own = [
            fact
            for fact in known.facts
            if (subject := subject_of(fact)) and (subject.is_same(one) or subject.is_same(two))
        ]
        strict = _STRICT_RELATION.search(gap)
        borne = strict is None or any(_STRICT_RELATION.search(fact.text) for fact in own)
        reverse = _BY.search(gap) and any(
            subject_of(fact) == subject and _follows(_BY, fact, one)
            for fact in own
            if (subject := subject_of(fact)) is not None and subject.is_same(two)
        )
        if not linked or not borne or reverse:
            yield f"links #{one.number} with #{two.number}, which no fact does"


_NAME = re.compile(r"#[a-z][\w-]*|(?<![\w#/])[A-Za-z]+\d[\w-]*|(?<![\w#/])[A-Z][\w’'-]*[\w](?:\s[A-Z][\w’'-]*[\w])*")


def _figures_of_names(numbers: str, said: Sequence[Figure], known: Known) -> Iterator[str]:
    """A figure told of a name that leads its clause, where no fact that knows the name tells it."""
    if len(known.facts) < 2:
        return
    subject: tuple[str, list[FactText]] | None = None
    for start, end in clause_bounds(numbers):
        subject = _leading(numbers[start:end], known) or subject
        if subject is None:
            continue
        name, holders = subject
        words = set(roots_of(numbers[start:end])) - set(roots_of(name))
        for figure in (figure for figure in said if start <= figure.start < end and figure.value > 2):
            elsewhere = [fact for fact in known.facts if any(is_same(figure, other) for other in fact.figures)]
            if not elsewhere or any(fact in holders for fact in elsewhere):
                continue
            until = min((other.start for other in said if other.start > figure.start), default=end)
            if any(fact in elsewhere for fact in _knowing(numbers[start : min(until, end)], known)):
                continue
            like = any(
                other.unit == figure.unit and _may_count_alike(other, figure) and other.value != figure.value
                for fact in holders
                for other in fact.figures
            )
            if like and words:
                yield f"tells {figure.text.strip()} of {name}, of which no fact tells it"
                return


def _may_count_alike(one: Figure, two: Figure) -> bool:
    return one.noun == two.noun or not one.noun or not two.noun


def _knowing(text: str, known: Known) -> Iterator[FactText]:
    """The facts that know any of the names in a text."""
    for match in _NAME.finditer(text):
        name = match[0].lower()
        if name not in COMMON:
            yield from (fact for fact in known.facts if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", fact.lower))


def _leading(clause: str, known: Known) -> tuple[str, list[FactText]] | None:
    """The first name of a clause that some facts know and others do not, with those that do."""
    for match in _NAME.finditer(clause):
        name = re.sub(r"['’]s$", "", match[0]).lower()
        parts = [name, *re.split(r"\s", name)] if " " in name else [name]
        if name in COMMON or name in GENERAL_NAMES:
            continue
        holders = [
            fact
            for fact in known.facts
            if any(re.search(rf"(?<![\w-]){re.escape(part)}(?![\w-])", fact.lower) for part in parts)
        ]
        if holders:
            linked = [fact for fact in known.facts if any(_shares_item(fact, holder) for holder in holders)]
            return match[0], [*holders, *linked]
    return None


def _shares_item(one: FactText, other: FactText) -> bool:
    mine, theirs = subject_of(one), subject_of(other)
    if mine is None or theirs is None:
        return False
    return mine.is_same(theirs) or _is_linked(mine, other) or _is_linked(theirs, one)
