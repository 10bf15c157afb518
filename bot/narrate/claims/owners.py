"""What figures belong to: claims that can be false although every number stands in a fact."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise

from bot.narrate.claims.changes import MENTIONS, SPLIT, changes, told_changes
from bot.narrate.claims.clauses import roots_of, sentence_bounds
from bot.narrate.claims.deltas import way_of
from bot.narrate.claims.figures import Figure, comparable, is_same
from bot.narrate.claims.known import WORD, FactText, Known
from bot.narrate.claims.nearness import DULL, alignment, around, root
from bot.narrate.claims.units import dimension, plural_to_singular
from bot.narrate.wordset import word_set


def owner_faults(text: str, said: Sequence[Figure], known: Known) -> Iterator[str]:
    """Where figures are given to other things than those of which the facts tell them."""
    yield from _crossed_pairs(text, said, known)
    yield from _swapped_owners(text, said, known)
    yield from _swapped_nouns(said, known)
    yield from _swapped_conditions(text, said, known)
    yield from _swapped_places(text, said, known)


@dataclass(frozen=True, slots=True)
class _Segment:
    """A clause with figures: its telling words, and the first of them before any figure, its subject."""

    words: frozenset[str]
    subject: str
    figures: tuple[Figure, ...]


def _segments(text: str, found: Sequence[Figure]) -> Iterator[_Segment]:
    bounds = [0, *(match.end() for match in SPLIT.finditer(text)), len(text)]
    heading: int | None = None  # `AIME24: 27` is of AIME24
    for start, end in pairwise(bounds):
        here = tuple(figure for figure in found if start <= figure.start < end)
        if not here:
            heading = start if re.fullmatch(r"\s*\S+:\s?", text[start:end]) else None
            continue
        start, heading = (start if heading is None else heading), None
        bare = text[start:end]
        for figure in here:
            bare = bare.replace(figure.text, " ")
        words = frozenset(plural_to_singular(word[0]) for word in WORD.finditer(bare)) - DULL
        led = [plural_to_singular(word[0]) for word in WORD.finditer(text[start : here[0].start])]
        behind = [plural_to_singular(word[0]) for word in WORD.finditer(text[here[0].end : end])]
        yield _Segment(words, next((word for word in (*led, *behind) if word not in DULL), ""), here)


@lru_cache(maxsize=2048)
def _segments_of(fact: FactText) -> tuple[_Segment, ...]:
    return tuple(_segments(fact.numbers, fact.figures))


def _swapped_owners(text: str, said: Sequence[Figure], known: Known) -> Iterator[str]:
    """A figure given to a thing of which the facts tell another, while they tell it of another thing."""
    facts = [segment for fact in known.facts for segment in _segments_of(fact)]
    headed = [
        (segment, frozenset(plural_to_singular(word[0]) for word in WORD.finditer(_heading(fact.text))))
        for fact in known.facts
        for segment in _segments_of(fact)
    ]
    labels = {plural_to_singular(word[0]) for word in WORD.finditer(text) if _is_label(word[0], known)}
    everything = {plural_to_singular(word[0]) for word in WORD.finditer(text)}
    for segment in _segments(text, said):
        for figure in segment.figures:
            holders = [other for other in facts if any(is_same(figure, theirs) for theirs in other.figures)]
            if _is_difference(figure, said):
                continue
            owners = _owners(figure, segment, holders, labels - {other.noun for other in said}, everything)
            for owner in owners:
                if any(owner in heading for one, heading in headed if one in holders):
                    continue
                own = [other for other in facts if owner in other.words and other not in holders]
                if any(is_same(one, theirs) for one in segment.figures for other in own for theirs in other.figures):
                    continue
                if any(_may_be_told_instead(theirs, figure) for other in own for theirs in other.figures):
                    yield f"gives {figure.text} to {owner}, of which the facts tell another figure"
                    return


def _heading(text: str) -> str:
    """The lines that say what a fact is about and by whom, above its body."""
    return text.partition("\n\n")[0] if "\n\n" in text else ""


def _may_be_told_instead(one: Figure, two: Figure) -> bool:
    if one.text.lower() == "one":
        return False  # `one host got it late` tells no figure
    return comparable(one, two) or dimension(one.unit) == dimension(two.unit)


def _owners(
    figure: Figure, segment: _Segment, holders: Sequence[_Segment], labels: set[str], everything: set[str]
) -> list[str]:
    """Whom the sentence gives a figure to, as far as they have no part in the clauses that hold it."""
    if not holders:
        return []
    strangers = [word for word in segment.words if not any(word in holder.words for holder in holders)]
    named = [word for word in strangers if word in labels and not any(segment.words & one.words for one in holders)]
    rivals = all(one.subject and one.subject not in everything for one in holders)
    return [
        *named,
        *(word for word in strangers if rivals and (word in labels or (word == segment.subject and figure.unit))),
    ]


def _is_label(word: str, known: Known) -> bool:
    """A name that figures are listed under: `AIME24`, `MATH-500`, `ZeroBubble`, or one that facts write as a name."""
    if any(char.isdigit() for char in word) or any(char.isupper() for char in word[1:]):
        return True
    return word[0].isupper() and any(re.search(rf"[a-z,] {re.escape(word)}\b", fact.text) for fact in known.facts)


# What is counted in runs and texts: none of these is another word for one of the others.
_MEASURES = word_set(
    """step epoch iteration token sample row column byte bit file line layer node worker host gpu tpu request message
    document word character parameter batch shard replica expert head test error hour minute second day week seed"""
)


def _swapped_nouns(said: Sequence[Figure], known: Known) -> Iterator[str]:
    """`57 bindings` where the facts count 57 targets and 197 bindings."""
    told = [figure for figure in known.figures if figure.noun]
    for figure in said:
        if not figure.noun or figure.vague:
            continue
        counted = {other.noun for other in told if other.value == figure.value}
        of_noun = {other.value for other in told if other.noun == figure.noun}
        bare = any(other.value == figure.value and not other.noun for other in known.figures)
        measured = not figure.unit and all(
            other.unit or "." in other.text for other in known.figures if other.value == figure.value
        )
        if measured and of_noun and figure.value not in of_noun:
            yield f"counts {figure.text} {figure.noun}, where the facts measure so much of something else"
        elsewhere = of_noun and figure.value not in of_noun
        of_another = figure.noun in _MEASURES and bool(counted & _MEASURES)
        if counted and not bare and figure.noun not in counted and (elsewhere or of_another):
            yield f"counts {figure.text} {figure.noun}, where the facts count {', '.join(sorted(counted))}"


_LINK = re.compile(
    r"[^.;,\n]{0,24}(?:-|–|—|→|->|\b(?:to|or|from|in place of|instead of|rather than|of)\b|^\s?$)[^.;,\n]{0,24}"
)


def _crossed_pairs(text: str, said: Sequence[Figure], known: Known) -> Iterator[str]:
    """Two figures of one kind, each told in the words that belong to the other in the facts."""
    mine = [figure for figure in said if any(is_same(figure, other) for other in known.figures)]
    if not 2 <= len(mine) <= 16:
        return
    nouns = {figure.noun for figure in said if figure.noun}
    shared = {root(noun) for noun in nouns} if len(nouns) == 1 else set()
    here = [around(text, figure.start, figure.end) for figure in mine]
    there = [_told_around(figure, known) for figure in mine]
    for at, one in enumerate(mine):
        for other in range(at + 1, len(mine)):
            two = mine[other]
            if one.value == two.value or not _of_one_kind(one, two, text, known) or _linked(one, two, known):
                continue
            if _is_difference(one, mine) or _is_difference(two, mine) or _is_part(one, two, text, known):
                continue
            if {way_of(text, one), way_of(text, two)} == {"delta", "level"}:
                continue  # `by 12 GiB to 138 GiB`
            straight, crossed = alignment((here[at], here[other]), (there[at], there[other]), shared)
            if crossed > straight + 0.45 and crossed > 1.8 * straight:
                yield f"tells {one.text} and {two.text} crosswise"
                return


def _is_difference(figure: Figure, said: Sequence[Figure]) -> bool:
    """Whether a figure is how far two others of the sentence lie apart."""
    others = [other.value for other in said if other is not figure and comparable(other, figure)]
    return any(abs(one - two) == figure.value for one in others for two in others)


_PART = re.compile(r"\s(?:out\s)?of\s(?:the\s|these\s|those\s|all\s)*$", re.IGNORECASE)


def _is_part(one: Figure, two: Figure, text: str, known: Known) -> bool:
    """`six of the seventeen` where the facts tell `17 people, 6 of them`."""
    if not _PART.fullmatch(text[one.end : two.start]):
        return False
    nouns = [{other.noun for other in known.figures if is_same(figure, other)} - {""} for figure in (one, two)]
    return bool(nouns[0] & nouns[1]) or any(
        re.match(r"\s(?:\w+\s)?of (?:them|these|those|which|whom)\b", fact.numbers[other.end :])
        for fact in known.facts
        for other in fact.figures
        if is_same(one, other)
    )


def _of_one_kind(one: Figure, two: Figure, text: str, known: Known) -> bool:
    """Whether the facts tell both in units of the same dimension, or both without any; a bare last one is of any."""
    units = [{dimension(other.unit) for other in known.figures if is_same(figure, other)} for figure in (one, two)]
    elliptic = any(not figure.unit and re.match(r"\W*(?:$|and\b)", text[figure.end :]) for figure in (one, two))
    return bool(units[0] & units[1]) or (elliptic and all(units))


def _told_around(figure: Figure, known: Known) -> dict[str, float]:
    """The words near a figure wherever the facts tell it."""
    near: dict[str, float] = {}
    places = ((fact, other) for fact in known.facts for other in fact.figures if is_same(figure, other))
    for fact, other in islice(places, MENTIONS):
        for word, nearness in around(fact.numbers, other.start, other.end).items():
            near[word] = max(near.get(word, 0.0), nearness)
    return near


def _linked(one: Figure, two: Figure, known: Known) -> bool:
    """Whether some fact tells the two as ends of one change or range, so that words around belong to both."""
    for fact in known.facts:
        if any({a.value, b.value} == {one.value, two.value} for a, b in told_changes(fact)):
            return True
        places = [at for at, other in enumerate(fact.figures) if is_same(one, other) or is_same(two, other)]
        for start, end in pairwise(places):
            chain = fact.figures[start : end + 1]
            if len(chain) < 6 and all(_LINK.fullmatch(fact.numbers[a.end : b.start]) for a, b in pairwise(chain)):
                return True
    return False


def _swapped_conditions(text: str, said: Sequence[Figure], known: Known) -> Iterator[str]:
    """`at 3e18 ... 0.99` where the facts tell 0.99 beside another such figure, and never beside 3e18."""
    beside = [
        [figure for figure in fact.figures if start <= figure.start < end]
        for fact in known.facts
        for start, end in sentence_bounds(fact.numbers)
    ]
    for one, two in pairwise(said):
        shape = _shape(one)
        if not shape or not re.search(
            r"\b(?:at|with|for|on|of) $", text[max(0, one.start - 6) : one.start], re.IGNORECASE
        ):
            continue
        holding = [here for here in beside if any(is_same(two, other) for other in here)]
        together = any(is_same(one, other) for here in holding for other in here)
        rivals = [other for here in holding for other in here if _shape(other) == shape and not is_same(other, two)]
        if holding and rivals and not together:
            yield f"tells {two.text} beside {one.text}, where the facts tell it beside {rivals[0].text}"


_PLACE = re.compile(r"\s(?:on|for|in|at|with|of) (?:the |an? )?([\w-]+(?: [\w-]+)?)")


def _swapped_places(text: str, said: Sequence[Figure], known: Known) -> Iterator[str]:
    """`on the wing from 126 to 38` where the facts tell that of the cavity, and another change of the wing."""
    mine = {(one.value, two.value) for one, two in changes(text, said)}
    words = set(roots_of(text))
    for fact in known.facts:
        placed = [
            ((one.value, two.value), set(roots_of(place[1])))
            for one, two in told_changes(fact)
            if (place := _PLACE.match(fact.numbers, max(one.end, two.end)))
        ]
        for ends, place_words in placed:
            rivals = [other for pair, other in placed if pair != ends and other - place_words]
            if ends in mine and not words & place_words and any(words & (other - place_words) for other in rivals):
                yield f"tells a change of {', '.join(sorted(rivals[0]))} that the facts tell of another"
                return


def _shape(figure: Figure) -> str:
    """How a figure is written, for those that are written in a telling way: with an exponent, or with a unit."""
    return "exponent" if re.search(r"\de\d", figure.text) else figure.unit
