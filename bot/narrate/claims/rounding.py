"""Numbers that say of themselves that they are rounded: `about 1.2 million`, `nearly half`, `more than doubled`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from bot.narrate.claims.figures import Figure
from bot.narrate.claims.known import Known

_HEDGES = (
    ("below", r"nearly|almost|close to|just under|just below|just shy of|approaching|not quite|a little under"),
    ("above", r"more than|over|above|just over|just above|upwards of|at least|well over|slightly over|a little over"),
    ("under", r"less than|fewer than|under|below|at most"),
    ("about", r"about|around|roughly|approximately|some|circa|ca\.|or so|~|≈"),
)
_HEDGE = [
    (name, re.compile(rf"(?:(?<!\w)|^)(?:{words})\s*(?:a\s|the\s|[$€])?$", re.IGNORECASE)) for name, words in _HEDGES
]
_HALF = {"below": (45, 50), "above": (50, 60), "under": (40, 50), "about": (45, 55)}  # percent
_NEAR = Fraction(1, 20)  # how far a rounded number may be from the number
_FAR = Fraction(1, 10)  # how far `more than` and `less than` may be


def hedge_before(text: str, at: int) -> str:
    """With which kind of hedge a number at this place is told, "" without one."""
    before = text[max(0, at - 24) : at]
    return next((name for name, pattern in _HEDGE if pattern.search(before)), "")


def meant(text: str, figure: Figure, known: Known) -> Figure:
    """The figure as the facts tell it where the sentence says that it is rounded, and rounds it rightly."""
    hedge = hedge_before(text, figure.start) or ("about" if figure.text[:1] in "~≈" else "")
    if not hedge or figure.vague:
        return figure
    if figure.text.lower().startswith("half"):
        low, high = _HALF[hedge]
        shares = [share for share in shares_in(known) if low <= share <= high and share != 50]
        return replace(figure, value=shares[0], unit="%") if shares else figure
    if any(other.value == figure.value and other.unit == figure.unit for other in known.figures):
        return figure
    near = [
        other for other in known.figures if _may_mean(figure, other) and _is_rounded(figure.value, other.value, hedge)
    ]
    if not near:
        return figure
    best = min(near, key=lambda other: abs(other.value - figure.value))
    return replace(figure, value=best.value)


def _may_mean(figure: Figure, other: Figure) -> bool:
    return figure.unit == other.unit and (not figure.noun or not other.noun or figure.noun == other.noun)


def _is_rounded(told: Fraction, real: Fraction, hedge: str) -> bool:
    if told <= 0 or real <= 0 or told == real or (real.denominator == 1 and real < 10):
        return False
    if not _is_about(told, real, hedge):
        return False
    step = _last_digit(told)
    if hedge in ("about", "below"):
        return (real / step + Fraction(1, 2)) // 1 * step == told
    return abs(real - told) < step


def _is_about(told: Fraction, real: Fraction, hedge: str) -> bool:
    far = abs(told - real) / real if real else Fraction(1)
    if hedge == "about":
        return far <= _NEAR
    if hedge == "below":
        return real < told and far <= (_NEAR if told >= 10 else _FAR + _NEAR)
    if hedge == "above":
        return real > told and far <= _FAR
    return real < told and far <= _FAR


def _last_digit(told: Fraction) -> Fraction:
    """The worth of the last digit that is not zero: 10 for 320, 1/10 for 1.2."""
    step = Fraction(1)
    while told % step:
        step /= 10
    while told % (step * 10) == 0:
        step *= 10
    return step


_OF = re.compile(r"\s(?:out\s)?of\s(?:the\s|our\s|all\s)*$")
_FRACTION = re.compile(
    r"\b(?P<of>a|one|two|three|four)[ -](?P<part>third|quarter|fifth|tenth)s?\b"
    r"(?=\s(?:of|fewer|less|more|lower|higher|fast|slow)|[.,;)]|$)"
)
_PARTS = {"third": 3, "quarter": 4, "fifth": 5, "tenth": 10}
_TIMES = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4}


def shares_in(known: Known) -> list[Fraction]:
    """The shares that facts tell, in percent: `45%`, `5 of 38`."""
    told = [figure.value for figure in known.figures if figure.unit == "%"]
    for fact in known.facts:
        for one, two in zip(fact.figures, fact.figures[1:], strict=False):
            if one.value and two.value > one.value and _OF.fullmatch(fact.numbers[one.end : two.start]):
                told.append(one.value / two.value * 100)
    return told


def borne_fractions(text: str, known: Known) -> Iterator[tuple[int, int]]:
    """Where the sentence tells a share as a fraction that is one of the facts' shares: `a third` of 33%."""
    for match in _FRACTION.finditer(text.lower()):
        share = Fraction(_TIMES[match["of"]] * 100, _PARTS[match["part"]])
        hedge = hedge_before(text, match.start()) or "exactly"
        for real in shares_in(known):
            near = abs(real - share) <= Fraction(1, 2) if hedge == "exactly" else _is_about(share, real, hedge)
            if near:
                yield match.span()
                break


def ratio_agrees(ratio: int | Fraction, real: Fraction, hedge: str) -> bool:
    """Whether `doubled`, with its hedge, may be said of a change by the factor `real`."""
    if hedge == "above":
        return ratio < real < ratio * Fraction(3, 2)
    if hedge in ("below", "about"):
        if ratio >= 100 * _last_digit(Fraction(ratio)):
            return False  # nobody rounds to three digits
        return abs(real - ratio) <= ratio * _FAR and (hedge == "about" or real < ratio)
    return real == ratio
