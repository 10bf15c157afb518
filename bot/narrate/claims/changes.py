"""Which way figures went: rose or fell, from which to which."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice, pairwise

from bot.narrate.claims.directions import AXES, DOWN, UP
from bot.narrate.claims.figures import Figure, comparable, is_same
from bot.narrate.claims.known import WORD, FactText, Known
from bot.narrate.wordset import word_set

_FROM_TO = re.compile(r"\bfrom\s*$", re.IGNORECASE)
_TO = re.compile(
    r"^\s*(?:[\w%/-]+\s){0,4}?(?:up to|down to|to|→|->|=>)\s*(?:(?:only|just|about|around|a|an|the)\s)*$",
    re.IGNORECASE,
)
_LOOSE = re.compile(r"\s*to\s*")
_AGAINST = re.compile(
    r"^[^.;\n]{0,20}\b(?:against|vs\.?|versus|compared (?:with|to)|instead of|rather than)\s+$", re.IGNORECASE
)
_INSTEAD = re.compile(r"^[^.;\n]{0,30}?\b(?:from|in(?:stead| place) of)\s*$", re.IGNORECASE)
_UP_FROM = re.compile(r"^[^.;\n]{0,90}?,? (?:up|down) from\s*$", re.IGNORECASE)
_OF_ALL = re.compile(r"\s(?:out )?of (?:the |our |its |all )*")  # `412 of the 430 files`
_WAS = re.compile(r"\s?[,;(]\s?\(?(?:it )?(?:was|were|formerly|previously|earlier|up from|down from)\s", re.IGNORECASE)
_THIS = re.compile(r"[^.;\n]{0,24}\bthis (?:week|month|year|time)\b,?[^.;\n]{0,6}$", re.IGNORECASE)
_LAST = re.compile(r"[^.;\n]{0,24}\b(?:last (?:week|month|year|time)|the (?:week|month|year) before)\b", re.IGNORECASE)
_FORMERLY = re.compile(r"[^.;\n\d]{0,20}\b(?:before|previously|earlier|formerly|until now|so far)\b", re.IGNORECASE)
_BEFORE = re.compile(r"\b(?:before|was|baseline|old|used to|could|had been)\b", re.IGNORECASE)
_AFTER = re.compile(r"\b(?:after|now|new)\b", re.IGNORECASE)
_ABOVE = (
    r"up from|higher than|more than|above|over|ahead of|greater than|larger than|exceed(?:s|ing|ed)?|beat(?:s|ing)?|"
    r"faster than|outperform(?:s|ing|ed)?|better than"
)
_BELOW = r"down from|lower than|less than|fewer than|below|under|behind|smaller than|worse than|slower than"
_BETWEEN = {
    side: re.compile(rf"^[^.;]{{0,40}}?\b(?:{words})\b[^.;\d]{{0,40}}$", re.IGNORECASE)
    for side, words in (("up", _ABOVE), ("down", _BELOW))
}
SPLIT = re.compile(r"[;:,.](?=\s)|\n|\s(?:and|but|while|whereas|against|versus|vs\.?|compared)\s|[()]", re.IGNORECASE)


def change_faults(text: str, said: Sequence[Figure], known: Known) -> Iterator[str]:
    """Where a direction or the ends of a change are not as the facts tell."""
    yield from _against_itself(text, said)
    yield from _swapped_ends(text, said, known)
    yield from _other_way(text, said, known)
    yield from _against_change(text, said, known)
    yield from _nowhere_to_come_from(text, said, known)
    yield from _speed_of_ends(text, said, known)


def changes(text: str, found: Sequence[Figure], *, loose: bool = False) -> Iterator[tuple[Figure, Figure]]:
    """Pairs told as a change: `from A to B`, `A → B`, `B instead of A`; loosely also `A to B`, `B against A before`."""
    found = [
        figure
        for at, figure in enumerate(found)
        if not (
            at
            and (
                (figure.unit in _TIMES and found[at - 1].unit in _TIMES and _is_blank(text, found[at - 1], figure))
                or _OF_ALL.fullmatch(text[found[at - 1].end : figure.start])
            )
        )
    ]
    for at, (one, two) in enumerate(pairwise(found)):
        gap = text[one.end : two.start]
        begins_another = at + 2 < len(found) and _TO.match(text[two.end : found[at + 2].start])
        arrow = "→" in gap or "->" in gap
        if (_TO.match(gap) and (arrow or _FROM_TO.search(text[max(0, one.start - 8) : one.start]))) or (
            loose and _LOOSE.fullmatch(gap) and one.unit == two.unit
        ):
            yield one, two
        elif (loose and _tells_newer_first(one, two, text)) or (
            not begins_another and (_INSTEAD.match(gap) or _UP_FROM.match(gap))
        ):
            yield two, one


@lru_cache(maxsize=2048)
def told_changes(fact: FactText) -> tuple[tuple[Figure, Figure], ...]:
    """Everything that a fact tells as a change, also loosely."""
    return tuple(changes(fact.numbers, fact.figures, loose=True))


def _tells_newer_first(one: Figure, two: Figure, text: str) -> bool:
    """`5 h, was 9 h`, `20 this week, 12 last week`, `5 against 9 before`."""
    gap = text[one.end : two.start]
    if _WAS.fullmatch(gap) or (_THIS.match(gap) and _LAST.match(text, two.end)):
        return True
    return _AGAINST.match(gap) is not None and _is_newer(one, two, text)


_TIMES = ("h", "min", "s", "ms", "d")


def _is_blank(text: str, one: Figure, two: Figure) -> bool:
    """Whether two figures make one measure: `4 min 10 s`, `4 minutes and 10 seconds`."""
    return re.fullmatch(r"\s*(?:and\s+)?", text[one.end : two.start]) is not None


_LESS = word_set("less fewer lower smaller down")
_MORE = word_set("more higher larger greater up")


def _is_newer(one: Figure, two: Figure, text: str) -> bool:
    """Whether in `A against B` A came after B: B was before, or the words behind say so."""
    if _FORMERLY.match(text, two.end):
        return True
    clause = re.split(r"[.;](?=\s|$)", text[two.end : two.end + 50])[0]
    behind = {word[0].lower() for word in WORD.finditer(clause)}
    return bool(behind & (_LESS if one.value < two.value else _MORE))


def _against_itself(text: str, said: Sequence[Figure]) -> Iterator[str]:
    """`fell from 17 to 27`, `30, below 20`: the sentence's own figures deny its words."""
    for one, two in changes(text, said):
        if not comparable(one, two) or one.value == two.value:
            continue
        clause = _clause_around(text, min(one.start, two.start), max(one.end, two.end))
        ups, downs = _axis(clause, 0)
        if ups and not downs and one.value > two.value:
            yield f"says {ups[0]} of {one.text} to {two.text}"
        if downs and not ups and one.value < two.value:
            yield f"says {downs[0]} of {one.text} to {two.text}"
    for one, two in pairwise(said):
        gap = text[one.end : two.start]
        if not comparable(one, two) or one.unit == "x" or two.unit == "x":
            continue
        if re.search(r"\bfrom\s+$", gap) and re.match(r"\s*to\s", text[two.end :]):
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
    left = max((match.end() for match in SPLIT.finditer(text, max(0, start - 300), start)), default=max(0, start - 300))
    right = SPLIT.search(text, end, end + 300)
    return [word[0].lower() for word in WORD.finditer(text[left : right.start() if right else end + 300])]


def _sentence_around(text: str, at: int) -> list[str]:
    """The words of the sentence in which `at` stands, lower case."""
    left = max((text.rfind(end, 0, at) for end in (". ", "; ", "\n")), default=-1) + 1
    right = re.compile(r"[.;](?=\s)|\n").search(text, at)
    return [word[0].lower() for word in WORD.finditer(text[left : right.start() if right else len(text)])]


def _swapped_ends(text: str, said: Sequence[Figure], known: Known) -> Iterator[str]:
    told = {
        (one.value, two.value) for fact in known.facts for one, two in told_changes(fact)
    } | {
        (one.value, two.value)
        for fact in known.facts
        for one, two in pairwise(fact.figures)
        if _BEFORE.search(fact.numbers[max(0, one.start - 25) : two.start])
        and _AFTER.search(fact.numbers[one.end : two.end + 25])
    }  # fmt: skip
    for one, two in changes(text, said):
        if (two.value, one.value) in told and (one.value, two.value) not in told:
            yield f"tells the change from {two.text} to {one.text} the other way round"
        like = [pair for fact in known.facts for pair in told_changes(fact) if pair[0].unit == pair[1].unit == one.unit]
        begins = any(new.value == two.value for _, new in like)
        is_end = any(one.value == end.value for pair in like for end in pair)
        if begins and not is_end and one.unit == two.unit and one.value != two.value:
            yield f"tells a change from {one.text} to {two.text}, which no fact tells"


MENTIONS = 24
"""So many places at which facts tell a figure are looked at; more say nothing new."""


def _told(figure: Figure, known: Known) -> Iterator[tuple[FactText, Figure]]:
    return ((fact, other) for fact in known.facts for other in fact.figures if other.value == figure.value)


def _other_way(text: str, said: Sequence[Figure], known: Known) -> Iterator[str]:
    """A figure told with `faster` whose facts say `slower`, and only so."""
    for figure in said:
        here = _clause_around(text, figure.start, figure.end)
        there = [
            _clause_around(fact.numbers, other.start, other.end)
            for fact, other in islice(_told(figure, known), MENTIONS)
        ]
        for axis in range(len(AXES)):
            ups, downs = _axis(here, axis)
            if bool(ups) == bool(downs):
                continue
            opposite = [(_axis(words, axis)) for words in there]
            if opposite and all(bool(other[1 if ups else 0]) and not other[0 if ups else 1] for other in opposite):
                contrary = opposite[0][1 if ups else 0][0]
                yield f"says {(ups or downs)[0]} of {figure.text}, where the facts say {contrary}"
                break


_LED = re.compile(
    rf"\b({'|'.join(sorted(UP | DOWN))}) (?:back )?(?:up |down )?to (?:about |around |just )?$", re.IGNORECASE
)


def _against_change(text: str, said: Sequence[Figure], known: Known) -> Iterator[str]:
    """`lowered to 10.0` where the facts tell a change from 8.0 to 10.0."""
    told = [pair for fact in known.facts for pair in told_changes(fact)]
    for figure in said:
        ends = [(one, two) for one, two in told if is_same(two, figure) or is_same(one, figure)]
        words = _clause_around(text, figure.start, figure.end)
        ups, downs = _axis(words, 0)
        if not ups and not downs and figure.unit.endswith("/s"):
            ups, downs = _axis(words, 1)
        elif not ups and not downs and figure.unit in ("ms", "s", "min", "h"):
            downs, ups = _axis(words, 1)
        if led := _LED.search(text[: figure.start]):
            ups, downs = [led[1]] if led[1].lower() in UP else [], [led[1]] if led[1].lower() in DOWN else []
        both_ends = any(not is_same(other, figure) and _in(other, ends) for other in said)
        if not ends or both_ends or bool(ups) == bool(downs):
            continue
        if ups and all(one.value > two.value for one, two in ends):
            yield f"says {ups[0]} of {figure.text}, which the facts tell of as falling"
        if downs and all(one.value < two.value for one, two in ends):
            yield f"says {downs[0]} of {figure.text}, which the facts tell of as rising"


_BETTER = re.compile(r"better|worse|improv|regress|fast|slow|sav|win|optimi|gain|loss|cost", re.IGNORECASE)


def _nowhere_to_come_from(text: str, said: Sequence[Figure], known: Known) -> Iterator[str]:
    """`rose to 74.8%` where the facts tell no direction, and of all its like 74.8% is the least."""
    for figure in said:
        led = re.search(r"(\w+) (?:back )?(?:up |down )?to (?:only |just |about |around )?$", text[: figure.start])
        if led is not None and re.search(r"\b(?:may|can|could|up to)\s\w+ (?:up )?to\s$", text[: figure.start]):
            continue
        if led is None or (len([other for other in said if other.unit == figure.unit]) > 1 and "from" in text):
            continue
        if led[1].lower() in ("up", "down"):
            continue  # `up to 512`
        up, down = led[1].lower() in UP, led[1].lower() in DOWN
        told = [(fact, other) for fact in known.facts for other in fact.figures if is_same(figure, other)]
        if not (up or down) or not told:
            continue
        near = [_sentence_around(fact.numbers, other.start) for fact, other in told]
        if any(_axis(words, 0) != ([], []) or _BETTER.search(" ".join(words)) for words in near):
            continue
        likes = [other.value for fact, _ in told for other in fact.figures if other.unit == figure.unit]
        if not any(value < figure.value if up else value > figure.value for value in likes):
            yield f"says {led[1]} to {figure.text}, a direction that no fact tells"


def _speed_of_ends(text: str, said: Sequence[Figure], known: Known) -> Iterator[str]:
    """`faster: 7.9 s against 6.1 s` where the facts tell 6.1 s as what was before."""
    told = [pair for fact in known.facts for pair in told_changes(fact)]
    for one, two in pairwise(said):
        way = next((pair for pair in told if {pair[0].value, pair[1].value} == {one.value, two.value}), None)
        if way is None or one.value == two.value or not (_TIMED.fullmatch(two.unit) or two.unit.endswith("/s")):
            continue
        words = [word[0].lower() for word in WORD.finditer(text[max(0, one.start - 90) : two.end + 40])]
        faster, slower = _axis(words, 1)
        rose = way[0].value < way[1].value
        quicker = rose if two.unit.endswith("/s") else not rose
        if bool(faster) != bool(slower) and bool(faster) != quicker:
            yield f"says {(faster or slower)[0]} of {one.text} and {two.text}, which the facts tell the other way"


_TIMED = re.compile("|".join(_TIMES))


def _in(figure: Figure, pairs: Sequence[tuple[Figure, Figure]]) -> bool:
    return any(is_same(figure, end) for pair in pairs for end in pair)
