"""Whether the figures of a sentence stand in its facts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from fractions import Fraction
from itertools import pairwise

from bot.narrate.claims.changes import told_changes
from bot.narrate.claims.days import Day
from bot.narrate.claims.figures import Figure, is_same
from bot.narrate.claims.known import WORD, FactText, Known, Mentioned
from bot.narrate.claims.rounding import borne_fractions, hedge_before, ratio_agrees
from bot.narrate.claims.states import states_of, subject_of
from bot.narrate.claims.units import UNITS, plural_to_singular
from bot.narrate.claims.vocabulary import COMMON
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
        if period := _other_period(text, figure, known):
            yield f"tells {figure.text.strip()} {period}, which no fact does"
        if word := _other_measure(text, figure, known) or _swapped_measure(text, figure, known):
            yield f"measures {figure.text.strip()} in {word}, which no fact does"
        if _stands(figure, known) or _follows(figure, said, items, known, text):
            continue
        if figure.value == listed > 1 and _counts_items(text, figure):
            continue
        if _counts_what_follows(text, figure) or _counts_the_facts(text, figure, known):
            continue
        yield f"tells {figure.text.strip()}, which stands in no fact"
    for verb in _RATIO_VERB.finditer(text):
        stem = verb[0].lower()[:5]
        down = stem.startswith("halv")
        hedge = hedge_before(text, verb.start())
        if stem not in known.lower and not _has_ratio(_RATIOS[verb[0].lower()], said, known, down=down, hedge=hedge):
            yield f"says {verb[0]}, which no fact tells"


_EVERY = {"nightly": "night", "daily": "day", "hourly": "hour", "weekly": "week", "monthly": "month", "yearly": "year"}
_OFTEN = re.compile(
    r"\b(?:(?:every|each|once an?|per) (night|day|hour|week|month|year|minute)|"
    r"(nightly|daily|hourly|weekly|monthly|yearly))\b",
    re.IGNORECASE,
)


def frequency_faults(text: str, known: Known) -> Iterator[str]:
    """`every week` where the facts say `every night`."""
    told = {_often(match) for match in _OFTEN.finditer(known.lower)}
    for match in _OFTEN.finditer(text):
        often = _often(match)
        same = {often, "day" if often == "night" else "night" if often == "day" else often}
        if told and not same & told and often not in known.words:
            yield f"says {match[0]}, which no fact says"


def _often(match: re.Match[str]) -> str:
    return match[1].lower() if match[1] else _EVERY[match[2].lower()]


_PERIOD = re.compile(
    r"^(?:\s[a-z]+){0,2}?\s?(?:(?:per|an?|each|every)\s|/\s?)(second|sec|s|minute|min|hour|h|day|night|week|month|year)\b",
    re.IGNORECASE,
)


def _other_period(text: str, figure: Figure, known: Known) -> str:
    """`118 EUR a day` where the facts tell 118 EUR a month."""
    mine = _PERIOD.match(text[figure.end :])
    if mine is None or figure.unit.endswith("/s"):
        return ""
    told = [
        _PERIOD.match(fact.numbers[one.end :]) for fact in known.facts for one in fact.figures if is_same(one, figure)
    ]
    same = any(one is None or one[1][0].lower() == mine[1][0].lower() for one in told)
    return "" if same or not told else mine[0].strip()


_BEHIND = re.compile(r"\s([A-Za-z]{2,9})\b(?![-'’])")


def _other_measure(text: str, figure: Figure, known: Known) -> str:
    """The unknown word right behind a decimal that the facts tell in another measure: `0.99 nats` for `0.99 BPB`."""
    behind = _BEHIND.match(text, figure.end)
    if figure.unit or figure.value.denominator == 1 or behind is None:
        return ""
    word = behind[1].lower()
    if word in COMMON or word in known.words or plural_to_singular(word) in known.words:
        return ""
    told = [(fact, other) for fact in known.facts for other in fact.figures if other.value == figure.value]
    measured = [_BEHIND.match(fact.numbers, other.end) for fact, other in told]
    return word if measured and all(one and one[1].lower() not in COMMON for one in measured) else ""


_MEASURE = re.compile(r"\s?([A-Za-zµ°]*[A-Z][A-Za-z]*)\b(?![-'’])")


def _swapped_measure(text: str, figure: Figure, known: Known) -> str:
    """`868 dBi` where the facts tell 868 MHz, and dBi of another figure."""
    mine = _MEASURE.match(text, figure.end) if not figure.unit else None
    if mine is None or not any(char.islower() for char in mine[1]):
        return ""
    behind = [
        (other.value, fact.numbers[other.start : other.end + 12]) for fact in known.facts for other in fact.figures
    ]
    own = [told for value, told in behind if value == figure.value]
    others = [told for value, told in behind if value != figure.value]
    swapped = (
        own and not any(mine[1] in told for told in own) and any(re.search(rf"\d\s?{mine[1]}\b", t) for t in others)
    )
    return mine[1] if swapped else ""


_ORDINALS = ["third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
_ORDINAL = re.compile(rf"\b({'|'.join(_ORDINALS)}|second)\b(?!s)(?:[ -](\w+))?", re.IGNORECASE)
_PLACED = re.compile(rf"\b(?:first|second|{'|'.join(_ORDINALS)}|last)[ -](\w+)")


def ordinal_faults(text: str, known: Known) -> Iterator[str]:
    """`a third bitmap` where the facts tell of a second one."""
    fractions = list(borne_fractions(text, known))
    placed = {match[1] for match in _PLACED.finditer(known.lower)}
    for match in _ORDINAL.finditer(text):
        word = match[1].lower()
        place = _ORDINALS.index(word) + 3 if word != "second" else 2
        if word in known.words or place in _numbers_as_places(known):
            continue
        if any(start <= match.start() < end for start, end in fractions):
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
    whole = "." not in figure.text
    same = [
        other
        for other in known.figures
        if not other.vague
        and not (whole and not other.unit and "." in other.text and other.value.denominator == 1)
        and (other.value == figure.value or (other.value == -figure.value < 0 and other.unit != "°"))
    ]
    if any(not figure.unit or figure.unit == other.unit for other in same):
        return True
    if all(other.unit or other.noun for other in same):
        return False
    spelled = any(form in known.words for form, unit in UNITS.items() if unit == figure.unit)
    return spelled or any(other.unit == figure.unit for other in known.figures)


_LIST = re.compile(r"(?:\s[\w-]+){1,4}(?:,|:|\s[–—-])\s([^.;()]+)")


def _counts_what_follows(text: str, figure: Figure) -> bool:
    """`two rungs, d512 and d768`: the count of a list that follows at once."""
    if not 2 <= figure.value <= 12 or (listed := _LIST.match(text, figure.end)) is None:
        return False
    parts = re.split(r"(,\s(?:and\s)?|\sand\s)", listed[1])
    last = 2 * int(figure.value) - 1
    items = parts[: last + 1 : 2]
    return len(parts) >= last and "and" in parts[last - 2] and all(len(one.split()) <= 5 for one in items[:-1])


_ALL_ITEMS = re.compile(r"\s(?:changes|pull requests|PRs|issues)\b")


def _counts_the_facts(text: str, figure: Figure, known: Known) -> bool:
    """`all four changes`, of as many items in one state as the facts tell of."""
    states = {(one.repository, one.number): state for one, state in states_of(known) if one is not None}
    led = re.search(r"\b(?:all|all the|these|the) $", text[: figure.start], re.IGNORECASE)
    counted = _ALL_ITEMS.match(text, figure.end) is not None or _ALL_ITEMS.search(figure.text) is not None
    return bool(led and counted) and len(states) == figure.value and len(set(states.values())) == 1


def _counts_items(text: str, figure: Figure) -> bool:
    behind = [plural_to_singular(word[0]) for word in WORD.finditer(text, figure.end, figure.end + 60)][:2]
    return figure.noun in _COUNTED_ITEMS or not behind or not _COUNTED_ITEMS.isdisjoint(behind)


_FASTER = re.compile(
    r"^\s(?:as\s)?(?P<way>fast\w*|quick\w*|slow\w*|more|less|few\w*|high\w*|low\w*|larg\w*|bigger|small\w*)\b"
)


def _is_ratio_told(text: str, figure: Figure, known: Known) -> bool:
    """`eight times faster` where the facts tell a change from 48 s to 6 s."""
    way = _FASTER.match(text[figure.end :])
    if figure.unit != "x" or way is None:
        return False
    hedge = hedge_before(text, figure.start)
    pairs = [pair for fact in known.facts for pair in (*told_changes(fact), *_against(fact))]
    down = re.match("less|few|low|small", way["way"]) is not None
    for old, new in pairs:
        if not old.value or not new.value:
            continue
        falls = down or (re.match("fast|quick", way["way"]) is not None and not (old.unit or new.unit).endswith("/s"))
        falls = not falls if way["way"].startswith("slow") and (old.unit or new.unit).endswith("/s") else falls
        real = old.value / new.value if falls else new.value / old.value
        if ratio_agrees(figure.value, real, hedge):
            return True
    return False


def _against(fact: FactText) -> Iterator[tuple[Figure, Figure]]:
    """`11 minutes where the old one needs 52`: what it is compared with first."""
    for one, two in pairwise(fact.figures):
        if re.fullmatch(r"\s(?:where|while|whereas)\s[^.;,\n]{0,40}", fact.numbers[one.end : two.start]):
            yield two, one


def _days_of(items: Sequence[Mentioned], known: Known) -> Sequence[Day]:
    """The dates of the items that the sentence cites, all dates without one."""
    own = [
        day
        for fact in known.facts
        if (subject := subject_of(fact)) and any(subject.is_same(item) for item in items)
        for day in fact.days
    ]
    return own or known.days


def _follows(figure: Figure, said: Sequence[Figure], items: Sequence[Mentioned], known: Known, text: str) -> bool:
    """A half that the facts tell as 50%, a `twice` of two figures told, the days between two dates told."""
    word = figure.text.split()[0].lower()
    if _is_ratio_told(text, figure, known):
        return True
    if word in _RATIOS:
        halved = word == "half" and any(other.value == 50 and other.unit == "%" for other in known.figures)
        return halved or _has_ratio(_RATIOS[word], said, known)
    return figure.unit in _DAYS and figure.value * _DAYS[figure.unit] in _days_between(_days_of(items, known))


def _has_ratio(ratio: int, said: Sequence[Figure], known: Known, *, down: bool | None = None, hedge: str = "") -> bool:
    """Whether the facts tell the ratio itself, or a change by it, or the sentence two figures of them that have it.

    `down` says which way a change has to go, None for either.
    """
    if down is None and any(figure.value == ratio and figure.unit == "x" for figure in known.figures):
        return True
    told = [pair for fact in known.facts for pair in told_changes(fact)]
    ends = [(one.value, two.value) for one, two in told]
    have = {figure.value for figure in known.figures}
    mine = [figure.value for figure in said if figure.value in have]
    ends += list(pairwise(mine))
    both = [(one, two) for one, two in ends if one and two]
    falls = down is not False and any(ratio_agrees(ratio, one / two, hedge) for one, two in both)
    return falls or (down is not True and any(ratio_agrees(ratio, two / one, hedge) for one, two in both))


def _days_between(days: Sequence[Day]) -> set[Fraction]:
    dates = []
    for day in days:
        if day.year:
            try:
                dates.append(date(day.year, day.month, day.day))
            except ValueError:
                continue
    return {Fraction(abs((one - other).days)) for one in dates for other in dates}
