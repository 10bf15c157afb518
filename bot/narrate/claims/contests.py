"""Who beats whom: comparisons between two named things, without any figure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.narrate.claims.clauses import sentence_bounds
from bot.narrate.claims.figures import Figure, comparable
from bot.narrate.claims.known import WORD, FactText, Known
from bot.narrate.claims.units import plural_to_singular
from bot.narrate.wordset import word_set

_WINS = r"beat(?:s|en|ing)?|w[io]ns?|winning|outperform(?:s|ed|ing)?|exceed(?:s|ed)?|surpass(?:es|ed)?"
_CONTESTS = (
    (_WINS, r"los(?:es?|t|ing)|trail(?:s|ed)|underperform(?:s|ed)"),
    (r"faster|quicker|sooner", r"slower"),
    (r"better", r"worse"),
    (r"higher|more|greater|larger|bigger|above", r"lower|less|fewer|smaller|below"),
    (r"longer", r"shorter"),
    (r"cheaper", r"costlier|dearer"),
)
_COMPILED = [tuple(re.compile(rf"\b(?:{side})\b", re.IGNORECASE) for side in sides) for sides in _CONTESTS]
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n")
_PASSIVE = re.compile(r"\b(?:is|are|was|were|been|be|gets?|got)\s+(?:\w+ly\s+)?$", re.IGNORECASE)


def contest_faults(words: str, known: Known) -> Iterator[str]:
    """Where the sentence has the loser win, or says `slower` of what the facts call faster."""
    for sides in _COMPILED:
        at_comparative = sides is not _COMPILED[0]
        for at, pattern in enumerate(sides):
            for match in pattern.finditer(words):
                if _PASSIVE.search(words[: match.start()]) and re.match("beat|lost", match[0], re.IGNORECASE):
                    continue
                before, behind = _sides(words, match)
                placed = match[0].lower() in ("above", "below")
                if at_comparative and not placed and not re.search(r"\bthan\b", words[match.end() :]):
                    behind = set()
                for fact in known.facts:
                    for told in _SENTENCE.split(fact.text):
                        if fault := _held_against(before, behind, told, sides[at], sides[1 - at]):
                            yield f"says {match[0]} {fault}"
                            return
    yield from _by_figures(words, known)


_AHEAD = re.compile(
    r"\b(?:ahead of|in front of|(?:more|higher|larger|bigger|greater)\b[^.;,]{0,24}\bthan|(?:beat|beats|outnumbered))\b"
)
_BEHIND = re.compile(r"\b(?:behind|(?:fewer|less|lower|smaller)\b[^.;,]{0,24}\bthan)\b")
_NAME = re.compile(r"[A-Z#][\w-]+(?:\s[A-Z][\w-]+)*")


def _by_figures(words: str, known: Known) -> Iterator[str]:
    """`Stoner came in ahead of Middlemarch` where the facts give Middlemarch the higher figure."""
    for pattern, ahead in ((_AHEAD, True), (_BEHIND, False)):
        for match in pattern.finditer(words):
            before = list(_NAME.finditer(re.split(r"[;,]\s", words[: match.start()])[-1]))
            behind = _NAME.match(words[match.end() :].lstrip().removeprefix("the ").removeprefix("in "))
            if not before or behind is None:
                continue
            for fact in known.facts:
                for start, end in sentence_bounds(fact.numbers):
                    one, two = (_figure_of(name, fact, start, end) for name in (before[0][0], behind[0]))
                    if (
                        one
                        and two
                        and comparable(one, two)
                        and (one.value < two.value if ahead else one.value > two.value)
                    ):
                        yield f"puts {before[0][0]} {match[0]} {behind[0]}, which the facts tell the other way round"
                        return


def _figure_of(name: str, fact: FactText, start: int, end: int) -> Figure | None:
    """The figure right behind a name in a sentence of a fact."""
    found = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])", re.IGNORECASE).search(fact.numbers, start, end)
    if found is None:
        return None
    behind = [figure for figure in fact.figures if found.end() <= figure.start <= found.end() + 12]
    return behind[0] if behind else None


def _sides(text: str, match: re.Match[str]) -> tuple[set[str], set[str]]:
    clause_end = re.search(r"[;.](?=\s|$)", text[match.end() :])
    behind = text[match.end() : match.end() + clause_end.start() if clause_end else len(text)]
    before = re.split(r"[;.]\s", text[: match.start()])[-1]
    return _telling(before), _telling(behind)


def _telling(text: str) -> set[str]:
    words = {plural_to_singular(word[0])[:8] for word in WORD.finditer(text)}
    return {word for word in words if len(word) > 2 and word not in _DULL and not word.isdigit()}


def _held_against(
    before: set[str], behind: set[str], told: str, same: re.Pattern[str], contrary: re.Pattern[str]
) -> str:
    for match in same.finditer(told):
        first, second = _sides(told, match)
        subjects, objects = first - second, second - first
        beaten = behind & subjects
        unnamed = not before & first and (len(beaten) > 1 or not objects & behind)
        if beaten and (before & objects or unnamed):
            return "the other way round"
    if same.search(told):
        return ""
    for match in contrary.finditer(told):
        first, second = _sides(told, match)
        of_same = before & (first - second) and not before & (second - first) and not behind & (first - second)
        if of_same and (not behind or behind & second or len(behind) < 2):
            return f"where the facts say {match[0]}"
    return ""


_DULL = word_set(
    """the and for with that this than are was were has had have its their his her who which what when where while but
    not all any each every time from into over under about then also both only just very much more most less one two"""
)
