"""What figures belong to: claims that can be false although every number stands in a fact."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from bot.narrate.claims.changes import SPLIT
from bot.narrate.claims.figures import Figure, comparable, is_same
from bot.narrate.claims.known import WORD, Known
from bot.narrate.claims.units import UNITS, plural_to_singular
from bot.narrate.wordset import word_set


def owner_faults(text: str, said: Sequence[Figure], known: Known) -> Iterator[str]:
    """Where figures are given to other things than those of which the facts tell them."""
    yield from _crossed_pairs(text, said, known)
    yield from _swapped_owners(text, said, known)
    yield from _swapped_nouns(said, known)


_DULL = word_set(
    """the a an of to in on for with by at from and or is are was were be been it its that this than as per vs versus
    against while but not up down over under about around roughly only just now still each both all one two more
    less higher lower above below rose fell rises falls goes went reached reaches reach gets got has have had using
    uses compared percent points point percentage which respectively measured score scores scored value values"""
)


def _segments(text: str, found: Sequence[Figure]) -> list[tuple[set[str], list[Figure]]]:
    """Clauses with the telling words and the figures of each."""
    bounds = [0, *(match.end() for match in SPLIT.finditer(text)), len(text)]
    segments = []
    for start, end in pairwise(bounds):
        here = [figure for figure in found if start <= figure.start < end]
        bare = text[start:end]
        for figure in here:
            bare = bare.replace(figure.text, " ")
        words = {plural_to_singular(word[0]) for word in WORD.finditer(bare)} - _DULL
        segments.append((words, here))
    return segments


def _swapped_owners(text: str, said: Sequence[Figure], known: Known) -> Iterator[str]:
    """Two figures and two owners, told crosswise: the first's number of the second and the other way round."""
    facts = [segment for fact in known.facts for segment in _segments(fact.numbers, fact.figures) if segment[1]]
    mine = [segment for segment in _segments(text, said) if segment[1]]
    for words, here in mine:
        own = [other for other in facts if words & other[0]]
        if not own:
            continue
        for figure in here:
            holders = [other for other in facts if any(is_same(figure, theirs) for theirs in other[1])]
            if not holders or any(words & holder[0] for holder in holders):
                continue
            rivals = set().union(*(holder[0] for holder in holders))
            names = {plural_to_singular(word[0]) for word in WORD.finditer(text) if _is_label(word[0], known)}
            labels = {
                word
                for word in words & names
                if any(word in other[0] for other in own) and word not in {other.noun for other in said}
            }
            if labels and rivals and _crossed(labels, rivals, figure, mine, facts):
                yield f"gives {figure.text} to {', '.join(sorted(labels))}, of which the facts tell another figure"
                return


def _is_label(word: str, known: Known) -> bool:
    """A name that figures are listed under: `AIME24`, `MATH-500`, `ZeroBubble`, or one that facts write as a name."""
    if any(char.isdigit() for char in word) or any(char.isupper() for char in word[1:]):
        return True
    return word[0].isupper() and any(re.search(rf"[a-z,] {re.escape(word)}\b", fact.text) for fact in known.facts)


def _crossed(
    labels: set[str],
    rivals: set[str],
    figure: Figure,
    mine: Sequence[tuple[set[str], list[Figure]]],
    facts: Sequence[tuple[set[str], list[Figure]]],
) -> bool:
    """Whether the owner in the sentence has figures of its own in the facts, of the same unit, and a telling name."""
    for words, theirs in facts:
        if labels & words and not rivals & labels:
            return any(comparable(other, figure) and not is_same(figure, other) for other in theirs)
    return False


def _swapped_nouns(said: Sequence[Figure], known: Known) -> Iterator[str]:
    """`57 bindings` where the facts count 57 targets and 197 bindings."""
    told = [figure for figure in known.figures if figure.noun]
    for figure in said:
        if not figure.noun:
            continue
        counted = {other.noun for other in told if other.value == figure.value}
        of_noun = {other.value for other in told if other.noun == figure.noun}
        bare = any(other.value == figure.value and not other.noun for other in known.figures)
        if counted and not bare and figure.noun not in counted and of_noun and figure.value not in of_noun:
            yield f"counts {figure.text} {figure.noun}, where the facts count {', '.join(sorted(counted))}"


_HARD = re.compile(r"[;.](?=\s)|\n")
_SOFT = re.compile(r"[,:](?=\s)|[()]|\s(?:and|but|while|whereas|against|versus|vs\.?|compared|than)\s", re.IGNORECASE)
_REACH = 40
_LINK = re.compile(r"[^.;,\n]{0,24}(?:-|–|—|→|->|\bto\b|\bor\b|\bfrom\b)[^.;,\n]{0,24}")


def _crossed_pairs(text: str, said: Sequence[Figure], known: Known) -> Iterator[str]:
    """Two figures of one kind, each told in the words that belong to the other in the facts."""
    mine = [figure for figure in said if any(is_same(figure, other) for other in known.figures)]
    if not 2 <= len(mine) <= 16:
        return
    nouns = {figure.noun for figure in said if figure.noun}
    shared = {_root(noun) for noun in nouns} if len(nouns) == 1 else set()
    here = [_around(text, figure) for figure in mine]
    there = [_told_around(figure, known) for figure in mine]
    for at, one in enumerate(mine):
        for other in range(at + 1, len(mine)):
            two = mine[other]
            if one.value == two.value or not _of_one_kind(one, two, known) or _linked(one, two, known):
                continue
            straight, crossed = _alignment((here[at], here[other]), (there[at], there[other]), shared)
            if crossed > straight + 0.6 and crossed > 1.8 * straight:
                yield f"tells {one.text} and {two.text} crosswise"
                return


def _of_one_kind(one: Figure, two: Figure, known: Known) -> bool:
    """Whether the facts tell both with the same unit, or both without any."""
    units = [{other.unit for other in known.figures if is_same(figure, other)} for figure in (one, two)]
    return comparable(one, two) and bool(units[0] & units[1])


def _told_around(figure: Figure, known: Known) -> dict[str, float]:
    """The words near a figure wherever the facts tell it."""
    near: dict[str, float] = {}
    for fact in known.facts:
        for other in fact.figures:
            if is_same(figure, other):
                for word, nearness in _around(fact.numbers, other).items():
                    near[word] = max(near.get(word, 0.0), nearness)
    return near


def _linked(one: Figure, two: Figure, known: Known) -> bool:
    """Whether some fact tells the two as ends of one change or range, so that words around belong to both."""
    for fact in known.facts:
        places = [at for at, other in enumerate(fact.figures) if is_same(one, other) or is_same(two, other)]
        for start, end in pairwise(places):
            chain = fact.figures[start : end + 1]
            if len(chain) < 6 and all(_LINK.fullmatch(fact.numbers[a.end : b.start]) for a, b in pairwise(chain)):
                return True
    return False


def _around(text: str, figure: Figure) -> dict[str, float]:
    """The telling words near a figure ("AIME24" of "AIME24 rose to 27"), with how near they are: 1 right beside it."""
    near: dict[str, float] = {}
    for side in (-1, 1):
        start, end = (max(0, figure.start - 160), figure.start) if side < 0 else (figure.end, figure.end + 160)
        piece = text[start:end]
        words = list(WORD.finditer(piece))
        for steps, word in enumerate(reversed(words) if side < 0 else words):
            between = piece[word.end() :] if side < 0 else piece[: word.start()]
            distance = 1 + steps + 3 * len(_SOFT.findall(between)) + 14 * len(_HARD.findall(between))
            root = _root(word[0])
            if distance < _REACH and root not in _DULL and root not in UNITS and not root[0].isdigit():
                near[root] = max(near.get(root, 0.0), 1 / distance)
    return near


def _root(word: str) -> str:
    return plural_to_singular(word)[:6]


_CONTRASTS = frozenset(
    _root(word)
    for word in [
        "old",
        "new",
        "before",
        "after",
        "baseline",
        "control",
        "original",
        "originally",
        "former",
        "previous",
        "latter",
        "first",
        "second",
        "without",
    ]
)
_CONTRAST = 3.0


def _alignment(
    mine: tuple[dict[str, float], dict[str, float]], theirs: tuple[dict[str, float], dict[str, float]], shared: set[str]
) -> tuple[float, float]:
    """How well the words of two figures in the sentence go with those in the fact, straight and crosswise."""
    (one, two), (of_one, of_two) = mine, theirs
    straight = crossed = 0.0
    for word in ((one.keys() | two.keys()) & (of_one.keys() | of_two.keys())) - shared:
        here = one.get(word, 0.0) - two.get(word, 0.0)
        there = of_one.get(word, 0.0) - of_two.get(word, 0.0)
        spread = max(one.get(word, 0.0), two.get(word, 0.0)) * max(of_one.get(word, 0.0), of_two.get(word, 0.0))
        agreement = here * there / spread * (_CONTRAST if word in _CONTRASTS else 1) if spread else 0.0
        if agreement > 0:
            straight += agreement
        else:
            crossed -= agreement
    return straight, crossed
