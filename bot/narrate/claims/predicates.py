"""What is said of figures, things and people, each clause against the clauses of the facts that speak of the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from bot.narrate.claims.clauses import NEGATION, Clause, clauses_of, lemma, roots_of, sentence_bounds
from bot.narrate.claims.figures import Figure, is_same
from bot.narrate.claims.known import FactText, Known
from bot.narrate.claims.vocabulary import COMMON

_BREAK = re.compile(r"[;:,.](?=\s|$)|\n|\s(?:and|but|while|whereas|against|of)\s|[()]", re.IGNORECASE)


def predicate_faults(words: str, text: str, said: Sequence[Figure], known: Known) -> Iterator[str]:
    """Where a figure, a clause or a person gets what the facts say of another.

    `text` is `words` with references, dates and versions blank.
    """
    yield from _figures_with_anothers_deed(text, said, known)
    yield from _crossed_clauses(text, known)
    yield from _made_up_people(text, known)
    yield from _only_wished(words, said, known)
    yield from _signs(text, said, known)
    yield from _made_up_examples(text, known)
    yield from _other_kind(text, said, known)
    yield from _other_number(text, known)
    yield from _trouble(words, known)


def _figures_with_anothers_deed(text: str, said: Sequence[Figure], known: Known) -> Iterator[str]:
    """`23 people left` where the facts count 23 who came and 18 who left."""
    parts = [(fact, start, end) for fact in known.facts for start, end in _pieces(fact.numbers)]
    for start, end in _pieces(text):
        here = [figure for figure in said if start <= figure.start < end]
        if len(here) != 1 or not here[0].noun:
            continue
        figure = here[0]
        if re.search(r"\bof (?:the |these |those |our |all )*$", text[: figure.start]):
            continue
        deeds = set(roots_of(text[start:end])) - {lemma(figure.noun), *roots_of(figure.text)}
        holders = [_roots(part) for part in parts if _tells(part, figure)]
        if not deeds or not holders or any(deeds & roots for roots in holders):
            continue
        for fact, begin, stop in parts:
            rival = any(
                begin <= other.start < stop and other.noun == figure.noun and other.value != figure.value
                for other in fact.figures
            )
            if rival and deeds <= _roots((fact, begin, stop)):
                yield f"tells {figure.text.strip()} what the facts tell of another figure"
                return


def _pieces(text: str) -> list[tuple[int, int]]:
    bounds = [0, *(match.end() for match in _BREAK.finditer(text)), len(text)]
    return [(start, end) for start, end in pairwise(bounds) if end > start]


def _tells(part: tuple[FactText, int, int], figure: Figure) -> bool:
    fact, start, end = part
    return any(start <= other.start < end and is_same(figure, other) for other in fact.figures)


def _roots(part: tuple[FactText, int, int]) -> set[str]:
    fact, start, end = part
    return set(roots_of(fact.numbers[start:end]))


def _crossed_clauses(text: str, known: Known) -> Iterator[str]:
    """`writes go to the replica, tiles to the primary` where the facts tell it the other way round."""
    said = clauses_of(text)
    if len(said) != 2:
        return
    for fact in known.facts:
        for one, two in pairwise(clauses_of(fact.text)):
            if one.sentence is two.sentence and _is_crossed(said[0], said[1], one, two):
                yield "gives two things each other's part"
                return


def _is_crossed(one: Clause, two: Clause, first: Clause, second: Clause) -> bool:
    of_first, of_second = first.roots - second.roots, second.roots - first.roots
    mine, theirs = one.roots - two.roots, two.roots - one.roots
    split = all(part & own for part in (of_first, of_second) for own in (mine, theirs))
    return split and len(first.roots) <= 6 and len(second.roots) <= 6 and len(mine) <= 5 and len(theirs) <= 5


_IS_A = re.compile(
    r"\b[A-Z][\w'’-]+ (?:is|was|works as|worked as|became) (?:an?|the) (?P<how>(?:[a-z-]+ ){0,2}?)"
    r"(?P<what>[a-z-]{4,})(?= (?:at|in|of|from|for|by|who|and)\b|[.,;])"
)


def _made_up_people(text: str, known: Known) -> Iterator[str]:
    """`Ilse is a professor` where no fact says so of anybody."""
    have = {root for fact in known.facts for root in roots_of(fact.text)}
    for match in _IS_A.finditer(text):
        what = match["what"]
        how = [word for word in match["how"].split() if lemma(word) not in have and word not in known.words]
        if lemma(what) in have and how and not any(what.startswith(end) for end in ("contribut", "member", "person")):
            yield f"says {match[0]!r}, which no fact says"
        if lemma(what) not in have and what not in known.words and what not in COMMON:
            yield f"says {match[0]!r}, which no fact says"


_EXAMPLES = re.compile(r"\b(?:such as|including|namely|for example|e\.g\.),? (?P<what>[^.;:()]{3,80})", re.IGNORECASE)


def _made_up_examples(text: str, known: Known) -> Iterator[str]:
    """`such as spoons` where the facts name forks and knives."""
    have = {root for fact in known.facts for root in roots_of(fact.text)}
    for match in _EXAMPLES.finditer(text):
        roots = roots_of(match["what"])
        if roots and roots[0] not in have:
            yield f"says {match[0]!r}, which no fact says"


_PAIR = re.compile(r"(?=\b([A-Za-z][\w-]{2,}) ([a-z][\w-]{3,})\b)")


def _other_kind(text: str, said: Sequence[Figure], known: Known) -> Iterator[str]:
    """`91.4% on thin objects` where the facts tell 91.4% of the YCB objects and 58% of thin ones."""
    sentences = [(fact, start, end) for fact in known.facts for start, end in sentence_bounds(fact.numbers)]
    for start, end in _pieces(text):
        here = [figure for figure in said if start <= figure.start < end]
        if len(here) != 1:
            continue
        holding = [part for part in sentences if _tells(part, here[0])]
        for match in _PAIR.finditer(text[start:end]):
            kind, thing = lemma(match[1]), lemma(match[2])
            if not roots_of(match[1]) or not roots_of(match[2]) or not holding:
                continue
            of_others = all(thing in _roots(part) and kind not in _roots(part) for part in holding)
            if of_others and any(
                (kind, thing) in _pairs(part) and any(_may_stand_for(other, here[0], part) for other in part[0].figures)
                for part in sentences
            ):
                yield f"tells {here[0].text.strip()} of {match[1]} {match[2]}, of which the facts tell another figure"
                return


def _pairs(part: tuple[FactText, int, int]) -> set[tuple[str, str]]:
    fact, start, end = part
    return {(lemma(match[1]), lemma(match[2])) for match in _PAIR.finditer(fact.numbers[start:end])}


def _may_stand_for(other: Figure, figure: Figure, part: tuple[FactText, int, int]) -> bool:
    return part[1] <= other.start < part[2] and other.unit == figure.unit and other.value != figure.value


_WISH = re.compile(
    r"\b(?:goals?|aims?|(?<!\d )targets?|plan(?:s|ned)?|wants?|wish\w*|hopes?|expect\w*|estimat\w*|should|"
    r"would(?! rather)|ought|intend\w*)\b",
    re.IGNORECASE,
)
_STILL_TO_COME = re.compile(
    rf"{_WISH.pattern}|\b(?:will|propos\w*|could|can|may|to be|is to|are to|by|until|"
    r"ask\w*|suggest\w*|meant|announc\w*|next|draft\w*|open\w*|plann\w*)\b",
    re.IGNORECASE,
)


def _only_wished(words: str, said: Sequence[Figure], known: Known) -> Iterator[str]:
    """`aligns a genome in 20 min` where that is the goal."""
    if _STILL_TO_COME.search(words):
        return
    for figure in said:
        holding = [
            fact.numbers[start:end]
            for fact in known.facts
            for start, end in sentence_bounds(fact.numbers)
            if _tells((fact, start, end), figure)
        ]
        if holding and all(_WISH.search(sentence) for sentence in holding):
            yield f"tells {figure.text.strip()} as a fact, which is only wished for"
            return


_LESS = re.compile(
    r"\b(?:sav(?:es|ed|ing)|less|fewer|lower\w*|reduc\w+|cut\w*|fell|falls|dropp\w+|down)\b", re.IGNORECASE
)
_MORE = re.compile(r"\b(?:more|add\w*|cost\w*|rose|rises|grew|grows|increas\w+|higher|up)\b", re.IGNORECASE)


def _signs(text: str, said: Sequence[Figure], known: Known) -> Iterator[str]:
    """`saves 3 GB` where the facts tell `+3 GB`."""
    for figure in said:
        signs = {
            fact.numbers[other.start : other.start + 1]
            for fact in known.facts
            for other in fact.figures
            if other.unit == figure.unit and abs(other.value) == abs(figure.value)
        }
        near = text[max(0, figure.start - 30) : figure.end + 12]
        if signs == {"+"} and _LESS.search(near) and not _MORE.search(near):
            yield f"tells {figure.text.strip()} as less, where it is more"
        if signs and signs <= {"-", "−"} and figure.unit != "°" and _MORE.search(near) and not _LESS.search(near):
            yield f"tells {figure.text.strip()} as more, where it is less"


_NUMBERED = re.compile(
    r"\b(table|chapter|section|step|page|part|version|level|zoom|gauge|room|phase|stage|round|line|layer|seed|exercise|"
    r"question|appendix|port|volume|episode|act|figure|lesson|track|item|rule|lab|hall|building|track|season|day)s? "
    r"(\d+(?:[.,]\d+)*)(?![\w%])",
    re.IGNORECASE,
)


def _other_number(text: str, known: Known) -> Iterator[str]:
    """`table 3` where the facts only know a table 2."""
    told: dict[str, set[str]] = {}
    for fact in known.facts:
        for match in _NUMBERED.finditer(fact.text):
            told.setdefault(match[1].lower(), set()).add(match[2].replace(",", ""))
    for match in _NUMBERED.finditer(text):
        word, number = match[1].lower(), match[2].replace(",", "")
        near = re.compile(rf"\b{word}s?\b[^.;\n]{{0,24}}(?<![\d.]){re.escape(match[2])}(?![\d])", re.IGNORECASE)
        if word in told and number not in told[word] and not any(near.search(fact.text) for fact in known.facts):
            yield f"names {match[0]}, which stands in no fact"


_FINE = re.compile(
    r"\b(?:(?:is|are|was|were|works?|worked|stays?|runs?) (?:fine|ok|okay|good|unaffected|well)|not affected)\b"
)
_TROUBLE = re.compile(
    r"\b(?:crash\w*|fail\w*|affected|broken|missing|wrong|errors?|404|500|hang\w*|hung|lost|corrupt\w*|slow|bug\w*)\b"
)
_LABEL = re.compile(r"\b(?:[a-z]+ \d+|v?\d+(?:\.\d+)+|[A-Z][\w-]*[A-Z\d][\w-]*)\b")


def _trouble(text: str, known: Known) -> Iterator[str]:
    """`1.7.4 crashes` where the facts say that 1.7.4 is fine."""
    if NEGATION.search(text) or not _TROUBLE.search(text) or _FINE.search(text):
        return
    labels = {match[0] for match in _LABEL.finditer(text)}
    for fact in known.facts:
        for part in re.split(r"[.;,](?=\s)|\n", fact.text):
            well = {match[0] for match in _LABEL.finditer(part)} if _FINE.search(part) else set()
            if well & labels:
                yield f"tells trouble of {min(well & labels)}, which is fine"
                return
