"""Which way figures went and what they belong to: claims that can be false although every number stands in a fact."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from bot.narrate.figures import UNITS, Figure, plural_to_singular
from bot.narrate.known import WORD, Known

_UP = (
    "rise rises rose risen rising increase increases increased increasing grow grows grew grown growing climb climbs "
    "climbed climbing gain gains gained raise raises raised raising jump jumps jumped higher up upward exceed exceeds "
    "exceeded above double doubles doubled triple tripled expand expanded"
)
_DOWN = (
    "fall falls fell fallen falling decrease decreases decreased decreasing drop drops dropped dropping decline declines "
    "declined reduce reduces reduced reducing reduction lower lowers lowered lowering shrink shrinks shrank shrunk "
    "shrinking cut cuts cutting down below halve halves halved slash slashed trim trimmed"
)
# Words that exclude each other when they are said of one figure.
AXES = [
    (set(_UP.split()), set(_DOWN.split())),
    ({"faster", "quicker", "speedup", "sped"}, {"slower", "slowdown", "slowed"}),
    ({"more"}, {"fewer", "less"}),
    ({"above", "over", "exceeds", "higher", "more"}, {"below", "under", "lower", "less", "fewer"}),
    ({"better", "improvement", "improved", "improves", "gain", "win"}, {"worse", "regression", "regressed", "degraded", "loss"}),
    ({"larger", "bigger", "greater"}, {"smaller"}),
    ({"longer"}, {"shorter"}),
    ({"ahead", "beat", "beats", "outperforms", "outperformed"}, {"behind", "trails", "trailed", "underperforms"}),
    ({"maximum", "most"}, {"minimum", "least"}),
    ({"earlier", "before"}, {"later"}),
]  # fmt: skip

_FROM_TO = re.compile(r"\bfrom\s*$", re.IGNORECASE)
_TO = re.compile(
    r"^\s*(?:[A-Za-z%/]+\s){0,3}?(?:up to|down to|to|→|->|=>)\s*(?:(?:only|just|about|around|a|an|the)\s)*$",
    re.IGNORECASE,
)
_BETWEEN = {
    "up": re.compile(
        r"^[^.;]{0,40}?\b(?:up from|higher than|more than|above|over|ahead of|greater than|larger than|exceed(?:s|ing|ed)?|beat(?:s|ing)?|faster than"
        r"|outperform(?:s|ing|ed)?|better than|compared (?:with|to) a lower)\b[^.;\d]{0,40}$",
        re.IGNORECASE,
    ),
    "down": re.compile(
        r"^[^.;]{0,40}?\b(?:down from|lower than|less than|fewer than|below|under|behind|smaller than|worse than|slower than)\b[^.;\d]{0,40}$",
        re.IGNORECASE,
    ),
}
_SPLIT = re.compile(r"[;:,.](?=\s)|\n|\s(?:and|but|while|whereas|against|versus|vs\.?|compared)\s|[()]", re.IGNORECASE)


def comparison_faults(text: str, said: Sequence[Figure], known: Known) -> Iterator[str]:
    """Where a direction, the ends of a change, or the owner of a figure is not as the facts tell."""
    yield from _against_itself(text, said)
    yield from _swapped_ends(text, said, known)
    yield from _other_way(text, said, known)
    yield from _against_change(text, said, known)
    yield from _crossed_pairs(text, said, known)
    yield from _swapped_owners(text, said, known)
    yield from _swapped_nouns(said, known)


def _changes(text: str, found: Sequence[Figure]) -> Iterator[tuple[Figure, Figure]]:
    """Pairs told as a change: `from A to B`, `A → B`."""
    for at, (one, two) in enumerate(pairwise(found)):
        gap = text[one.end : two.start]
        begins_another = at + 2 < len(found) and _TO.match(text[two.end : found[at + 2].start])
        arrow = "→" in gap or "->" in gap
        if _TO.match(gap) and (arrow or _FROM_TO.search(text[max(0, one.start - 8) : one.start])):
            yield one, two
        elif not begins_another and re.match(r"^[^.;\n]{0,30}?\b(?:from|instead of)\s*$", gap, re.IGNORECASE):
            yield two, one


def _comparable(one: Figure, two: Figure) -> bool:
    return not (one.unit and two.unit and one.unit != two.unit)


def _against_itself(text: str, said: Sequence[Figure]) -> Iterator[str]:
    """`fell from 17 to 27`, `30, below 20`: the sentence's own figures deny its words."""
    for one, two in _changes(text, said):
        if not _comparable(one, two) or one.value == two.value:
            continue
        clause = _clause_around(text, min(one.start, two.start), max(one.end, two.end))
        ups, downs = _axis(clause, 0)
        if ups and not downs and one.value > two.value:
            yield f"says {ups[0]} of {one.text} to {two.text}"
        if downs and not ups and one.value < two.value:
            yield f"says {downs[0]} of {one.text} to {two.text}"
    for one, two in pairwise(said):
        gap = text[one.end : two.start]
        if not _comparable(one, two) or one.unit == "x" or two.unit == "x":
            continue
        if _BETWEEN["up"].match(gap) and one.value < two.value and _same_kind(one, two):
            yield f"puts {one.text} above {two.text}"
        if _BETWEEN["down"].match(gap) and one.value > two.value and _same_kind(one, two):
            yield f"puts {one.text} below {two.text}"


def _same_kind(one: Figure, two: Figure) -> bool:
    return one.unit == two.unit and (one.noun == two.noun or not one.noun or not two.noun)


def _axis(words: Sequence[str], axis: int) -> tuple[list[str], list[str]]:
    up, down = AXES[axis]
    return [word for word in words if word in up], [word for word in words if word in down]


def _clause_around(text: str, start: int, end: int) -> list[str]:
    """The words of the clause in which `[start, end)` stands, lower case."""
    left = max((match.end() for match in _SPLIT.finditer(text, 0, start)), default=0)
    right = _SPLIT.search(text, end)
    return [word[0].lower() for word in WORD.finditer(text[left : right.start() if right else len(text)])]


def _swapped_ends(text: str, said: Sequence[Figure], known: Known) -> Iterator[str]:
    told = {
        (one.value, two.value) for fact in known.facts for one, two in _changes(fact.numbers, fact.figures)
    } | {
        (one.value, two.value)
        for fact in known.facts
        for one, two in pairwise(fact.figures)
        if re.search(r"\b(?:before|was|baseline|old)\b", fact.numbers[max(0, one.start - 25) : two.start], re.IGNORECASE)
        and re.search(r"\b(?:after|now|new)\b", fact.numbers[one.end : two.end + 25], re.IGNORECASE)
    }  # fmt: skip
    for one, two in _changes(text, said):
        if (two.value, one.value) in told and (one.value, two.value) not in told:
            yield f"tells the change from {two.text} to {one.text} the other way round"


def _other_way(text: str, said: Sequence[Figure], known: Known) -> Iterator[str]:
    """A figure told with `faster` whose facts say `slower`, and only so."""
    for figure in said:
        here = _clause_around(text, figure.start, figure.end)
        there = [
            _clause_around(fact.numbers, other.start, other.end)
            for fact in known.facts
            for other in fact.figures
            if other.value == figure.value
        ]
        for axis in range(len(AXES)):
            ups, downs = _axis(here, axis)
            if bool(ups) == bool(downs):
                continue
            opposite = [(_axis(words, axis)) for words in there]
            if opposite and all(bool(other[1 if ups else 0]) and not other[0 if ups else 1] for other in opposite):
                yield f"says {(ups or downs)[0]} of {figure.text}, where the facts say {opposite[0][1 if ups else 0][0]}"
                break


def _against_change(text: str, said: Sequence[Figure], known: Known) -> Iterator[str]:
    """`lowered to 10.0` where the facts tell a change from 8.0 to 10.0."""
    changes = [pair for fact in known.facts for pair in _changes(fact.numbers, fact.figures)]
    for figure in said:
        ends = [(one, two) for one, two in changes if _same(two, figure) or _same(one, figure)]
        ups, downs = _axis(_clause_around(text, figure.start, figure.end), 0)
        if (
            not ends
            or bool(ups) == bool(downs)
            or any(_same(other, figure) is False and _in(other, ends) for other in said)
        ):
            continue
        if ups and all(one.value > two.value for one, two in ends):
            yield f"says {ups[0]} of {figure.text}, which the facts tell of as falling"
        if downs and all(one.value < two.value for one, two in ends):
            yield f"says {downs[0]} of {figure.text}, which the facts tell of as rising"


def _in(figure: Figure, pairs: Sequence[tuple[Figure, Figure]]) -> bool:
    return any(_same(figure, end) for pair in pairs for end in pair)


_DULL = frozenset(
    """the a an of to in on for with by at from and or is are was were be been it its that this than as per vs versus
    against while but not up down over under about around roughly only just now still each both all one two more less
    higher lower above below rose fell rises falls goes went reached reaches reach gets got has have had using uses
    compared percent points point percentage which respectively measured score scores scored value values""".split()
)


def _segments(text: str, found: Sequence[Figure]) -> list[tuple[set[str], list[Figure]]]:
    """Clauses with the telling words and the figures of each."""
    bounds = [0, *(match.end() for match in _SPLIT.finditer(text)), len(text)]
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
            holders = [other for other in facts if any(_same(figure, theirs) for theirs in other[1])]
            if not holders or any(words & holder[0] for holder in holders):
                continue
            rivals = set().union(*(holder[0] for holder in holders))
            names = {plural_to_singular(word[0]) for word in WORD.finditer(text) if _is_label(word[0])}
            labels = {word for word in words & names if any(word in other[0] for other in own) and word not in {other.noun for other in said}}
            if labels and rivals and _crossed(labels, rivals, figure, mine, facts):
                yield f"gives {figure.text} to {', '.join(sorted(labels))}, of which the facts tell another figure"
                return


def _is_label(word: str) -> bool:
    """A name that figures are listed under: `AIME24`, `MATH-500`, `ZeroBubble`."""
    return any(char.isdigit() for char in word) or any(char.isupper() for char in word[1:])


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
            return any(_comparable(other, figure) and not _same(figure, other) for other in theirs)
    return False


def _same(one: Figure, two: Figure) -> bool:
    return one.value == two.value and _comparable(one, two)


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
    mine = [figure for figure in said if any(_same(figure, other) for other in known.figures)]
    if not 2 <= len(mine) <= 16:
        return
    nouns = {figure.noun for figure in said if figure.noun}
    shared = {_root(noun) for noun in nouns} if len(nouns) == 1 else set()
    here = [_around(text, figure) for figure in mine]
    there = [_told_around(figure, known) for figure in mine]
    for at, one in enumerate(mine):
        for other in range(at + 1, len(mine)):
            two = mine[other]
            if one.value == two.value or not _comparable(one, two) or _linked(one, two, known):
                continue
            straight, crossed = _alignment((here[at], here[other]), (there[at], there[other]), shared)
            if crossed > straight + 0.6 and crossed > 1.8 * straight:
                yield f"tells {one.text} and {two.text} crosswise"
                return


def _told_around(figure: Figure, known: Known) -> dict[str, float]:
    """The words near a figure wherever the facts tell it."""
    near: dict[str, float] = {}
    for fact in known.facts:
        for other in fact.figures:
            if _same(figure, other):
                for word, nearness in _around(fact.numbers, other).items():
                    near[word] = max(near.get(word, 0.0), nearness)
    return near


def _linked(one: Figure, two: Figure, known: Known) -> bool:
    """Whether some fact tells the two as ends of one change or range, so that words around belong to both."""
    for fact in known.facts:
        places = [at for at, other in enumerate(fact.figures) if _same(one, other) or _same(two, other)]
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
        agreement = here * there / spread if spread else 0.0
        if agreement > 0:
            straight += agreement
        else:
            crossed -= agreement
    return straight, crossed
