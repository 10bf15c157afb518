"""Whether the figures of a sentence stand in its facts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from fractions import Fraction
from itertools import pairwise

from bot.narrate.claims.changes import changes
from bot.narrate.claims.days import Day
from bot.narrate.claims.figures import Figure
from bot.narrate.claims.known import WORD, Known, Mentioned
from bot.narrate.claims.units import UNITS, plural_to_singular
from bot.narrate.wordset import word_set

_COUNTED_ITEMS = word_set(
    """pull pr request issue change fix patch item reference contribution improvement commit one of other merged open
    draft closed new separate further more small bug panel follow-up piece part thing proposal experiment update"""
)
# A number told by one word, and how many times as much it means.
_RATIOS = {
    "twice": 2, "thrice": 3, "half": 2, "doubled": 2, "doubling": 2, "doubles": 2, "double": 2, "halved": 2,
    "halving": 2, "halves": 2, "tripled": 3, "tripling": 3, "triples": 3, "quadrupled": 4,
}  # fmt: skip
_RATIO_VERB = re.compile(r"\b(?:doubl(?:ed|ing|es)|halv(?:ed|ing|es)|tripl(?:ed|ing|es)|quadrupled)\b", re.IGNORECASE)
_DAYS = {"d": 1, "wk": 7}


def is_no_quantity(text: str, figure: Figure) -> bool:
    """`one` where nothing is measured, `the other half`, and ordinals: words that only look like a number."""
    word = figure.text.split()[0].lower() if figure.text else ""
    if word == "one":
        return figure.unit in ("", "pp", "x", "d", "h", "wk", "mo", "yr", "s", "min")
    if word == "half":
        return re.search(r"\b(?:other|first|second|latter) $", text[: figure.start], re.IGNORECASE) is not None
    return word in ("second", "third")


def figure_faults(text: str, said: Sequence[Figure], items: Sequence[Mentioned], known: Known) -> Iterator[str]:
    """Figures that stand in no fact, and that follow from none: nothing is rounded, summed or converted."""
    listed = len({(item.repository, item.number) for item in items})
    for figure in said:
        if _stands(figure, known) or _follows(figure, said, known):
            continue
        if figure.value == listed > 1 and _counts_items(text, figure):
            continue
        yield f"tells {figure.text.strip()}, which stands in no fact"
    for verb in _RATIO_VERB.finditer(text):
        stem = verb[0].lower()[:5]
        down = stem.startswith("halv")
        if stem not in known.lower and not _has_ratio(_RATIOS[verb[0].lower()], said, known, down=down):
            yield f"says {verb[0]}, which no fact tells"


_ORDINALS = ["third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
_ORDINAL = re.compile(rf"\b({'|'.join(_ORDINALS)}|second)\b(?!s)(?:[ -](\w+))?", re.IGNORECASE)
_PLACED = re.compile(rf"\b(?:first|second|{'|'.join(_ORDINALS)}|last)[ -](\w+)")


def ordinal_faults(text: str, known: Known) -> Iterator[str]:
    """`a third bitmap` where the facts tell of a second one."""
    placed = {match[1] for match in _PLACED.finditer(known.lower)}
    for match in _ORDINAL.finditer(text):
        word = match[1].lower()
        place = _ORDINALS.index(word) + 3 if word != "second" else 2
        if word in known.words or place in _numbers_as_places(known):
            continue
        if match.start() == 0 and text[match.end(1) :].startswith(",") and f"({place})" in known.lower:
            continue  # the facts enumerate: "(3) wide tiles"
        if word != "second" or (match[2] or "").lower() in placed:
            yield f"says {match[0]}, which no fact tells"


def _numbers_as_places(known: Known) -> set[int]:
    return {int(number) for number in re.findall(r"\b(\d{1,2})(?:st|nd|rd|th)\b", known.lower)}


def _stands(figure: Figure, known: Known) -> bool:
    """Whether a fact tells the number, with the same unit or with none where the unit stands elsewhere."""
    if figure.vague:
        top = 120 if figure.value == 12 else figure.value * 1000
        within = any(figure.value * 2 <= other.value < top for other in known.figures)
        return within or figure.text.split()[0].lower() in known.words
    same = [
        other
        for other in known.figures
        if not other.vague and (other.value == figure.value or other.value == -figure.value < 0)
    ]
    if any(not figure.unit or figure.unit == other.unit for other in same):
        return True
    if all(other.unit for other in same):
        return False
    spelled = any(form in known.words for form, unit in UNITS.items() if unit == figure.unit)
    return spelled or any(other.unit == figure.unit for other in known.figures)


def _counts_items(text: str, figure: Figure) -> bool:
    behind = [plural_to_singular(word[0]) for word in WORD.finditer(text, figure.end, figure.end + 60)][:2]
    return figure.noun in _COUNTED_ITEMS or not behind or not _COUNTED_ITEMS.isdisjoint(behind)


def _follows(figure: Figure, said: Sequence[Figure], known: Known) -> bool:
    """A half that the facts tell as 50%, a `twice` of two figures told, the days between two dates told."""
    word = figure.text.split()[0].lower()
    if word in _RATIOS:
        halved = word == "half" and any(other.value == 50 and other.unit == "%" for other in known.figures)
        return halved or _has_ratio(_RATIOS[word], said, known)
    return figure.unit in _DAYS and figure.value * _DAYS[figure.unit] in _days_between(known.days)


def _has_ratio(ratio: int, said: Sequence[Figure], known: Known, *, down: bool | None = None) -> bool:
    """Whether the facts tell the ratio itself, or a change by it, or the sentence two figures of them that have it.

    `down` says which way a change has to go, None for either.
    """
    if down is None and any(figure.value == ratio and figure.unit == "x" for figure in known.figures):
        return True
    told = [pair for fact in known.facts for pair in changes(fact.numbers, fact.figures, loose=True)]
    ends = [(one.value, two.value) for one, two in told]
    have = {figure.value for figure in known.figures}
    mine = [figure.value for figure in said if figure.value in have]
    ends += list(pairwise(mine))
    both = [(one, two) for one, two in ends if one and two]
    falls = down is not False and any(one / two == ratio for one, two in both)
    return falls or (down is not True and any(two / one == ratio for one, two in both))


def _days_between(days: Sequence[Day]) -> set[Fraction]:
    dates = []
    for day in days:
        if day.year:
            try:
                dates.append(date(day.year, day.month, day.day))
            except ValueError:
                continue
    return {Fraction(abs((one - other).days)) for one in dates for other in dates}
