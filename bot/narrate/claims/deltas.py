"""By how much, or to how much: `added 96 MB` where the facts tell a level of 96 MB."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bot.narrate.claims.changes import told_changes
from bot.narrate.claims.figures import Figure, is_same
from bot.narrate.claims.known import FactText, Known

_MORE = r"(?:only |just |about |around |another |an extra |roughly |nearly |almost |over |some )*"
_BY = re.compile(
    rf"\b(?:by|add(?:s|ed|ing)?|sav(?:es|ed|ing)|gain(?:s|ed|ing)?|plus|extra|another) {_MORE}$", re.IGNORECASE
)
_MORE_BEHIND = re.compile(
    r"^[^\w.;]{0,2}(?:more|less|fewer|higher|lower|larger|smaller|longer|shorter|faster|slower|better|worse|heavier|lighter|behind|ahead|later|earlier|apart|off)\b",
    re.IGNORECASE,
)
_AT = re.compile(
    rf"\b(?:(?:up |down |back )?to|at|is|was|are|were|reach(?:es|ed|ing)?|hits?|stays? at|remains? at) {_MORE}$",
    re.IGNORECASE,
)


def delta_faults(text: str, said: Sequence[Figure], known: Known) -> Iterator[str]:
    """Where a difference is told as a level, or a level as a difference."""
    for figure in said:
        if figure.unit == "x":
            continue
        signs = {_sign(fact.numbers, other) for fact in known.facts for other in fact.figures if is_same(figure, other)}
        if (sign := _sign(text, figure)) and signs == {"minus" if sign == "plus" else "plus"}:
            yield f"tells {figure.text.strip()} as a {sign}, where it is a {signs.pop()}"
        mine = way_of(text, figure)
        if not mine:
            continue
        told = {_told_way(fact, other) for fact in known.facts for other in fact.figures if is_same(figure, other)}
        if told and told <= {"level" if mine == "delta" else "delta"}:
            yield f"tells {figure.text.strip()} as a {mine}, where it is a {told.pop()}"


_SIGN = re.compile(
    r"^[^\w.;]{0,2}(?:(?P<plus>more|higher|larger|longer|heavier|later)|"
    r"(?P<minus>less|fewer|lower|smaller|shorter|lighter|earlier))\b(?P<than> than\b)?",
    re.IGNORECASE,
)


def _sign(text: str, figure: Figure) -> str:
    """Whether a difference is told as a plus or a minus, "" where it is neither or is compared `than` something."""
    match = _SIGN.match(text[figure.end : figure.end + 20])
    return "" if match is None or match["than"] else "plus" if match["plus"] else "minus"


def _told_way(fact: FactText, figure: Figure) -> str:
    ends = (end for pair in told_changes(fact) for end in pair)
    return way_of(fact.numbers, figure) or ("level" if any(end is figure for end in ends) else "")


def way_of(text: str, figure: Figure) -> str:
    """Whether a figure is told as a `delta` or a `level`, "" where it is told as neither."""
    before = text[max(0, figure.start - 40) : figure.start]
    if _MORE_BEHIND.match(text[figure.end : figure.end + 12]):
        return "delta"
    if _BY.search(before) and (figure.unit or figure.noun != "person"):
        return "delta"
    return "level" if _AT.search(before) else ""
