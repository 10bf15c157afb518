"""Whether the facts bear a sentence: nothing is said that they do not say.

`check` reads what can be checked in a sentence and holds each against the raw facts:

- **Numbers** with their units, in digits or words. Other ways of writing one number are the same number; a rounded, a
  summed or a converted one is another and is not borne. The count of what the sentence itself lists is.
- **Dates**, **references** (`#12`, `owner/repo#12`), **addresses**, **names** of people, accounts, channels and
  products, code and quotations: they have to stand in a fact.
- **States** ("merged" said of an open one), who did it where facts name roles, what kind of item it is.
- **Comparisons**: the direction and the ends of a change, which of two figures belongs to which of two things.
- **Contraries**: `disabled` where the facts say `enabled`, a denial that no fact makes.
- **Form**: no mentions, headings, lists, code blocks, pictures, HTML or unseen characters.

It errs to the side of refusing: what cannot be read in the facts does not pass. What has nothing that can be checked
passes when it shares its words with the facts.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bot.model.edition import Fact, Sentence
from bot.narrate.common_words import COMMON
from bot.narrate.comparisons import comparison_faults
from bot.narrate.contests import contest_faults
from bot.narrate.figures import MONTHS, UNITS, Day, Figure, days, figures, plural_to_singular
from bot.narrate.known import WORD, Known, Mentioned, blanked, mentioned, read_facts
from bot.narrate.markup import read_markup, same_address
from bot.narrate.names import name_faults
from bot.narrate.opposites import opposite_faults
from bot.narrate.people_claims import people_faults
from bot.narrate.states import state_faults


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a sentence may stand, and if not, every reason why; a reason continues "the sentence ..."."""

    supported: bool
    reasons: tuple[str, ...] = ()


def check(sentence: str, facts: Sequence[str]) -> Verdict:
    """Hold one sentence (Markdown) against the raw texts it may rest on. Pure; never raises on any text."""
    markup = read_markup(sentence)
    known = read_facts(facts)
    text = markup.words
    items = mentioned(text)
    told = days(text)
    numbers = blanked(text, [*((m.start, m.end) for m in items), *((d.start, d.end) for d in told)])
    said = [figure for figure in figures(numbers) if not _is_no_quantity(numbers, figure)]
    reasons = [
        *markup.faults,
        *_address_faults(markup.addresses, known),
        *_reference_faults(items, known),
        *_day_faults(text, told, known),
        *_figure_faults(numbers, said, items, known),
        *name_faults(sentence, text, known),
        *state_faults(text, known),
        *people_faults(text, known),
        *comparison_faults(numbers, said, known),
        *contest_faults(text, known),
        *opposite_faults(text, known),
        *_invention_faults(text, said, items, known),
    ]
    return Verdict(not reasons, tuple(dict.fromkeys(reasons)))


def hold(sentence: Sentence, facts: Mapping[str, Fact]) -> Verdict:
    """Hold a sentence of an edition against the facts that it names, their keys and addresses."""
    texts = [facts[key].text for key in sentence.facts if key in facts]
    keys = [key for key in (*sentence.facts, *sentence.references) if "#" in key]
    addresses = [address for key in sentence.facts if key in facts and (address := facts[key].url)]
    return check(sentence.text, [*texts, *keys, *addresses])


def _address_faults(addresses: Sequence[str], known: Known) -> Iterator[str]:
    have = known.addresses
    for address in addresses:
        same = same_address(address)
        if same not in have and not _is_item_address(same, known):
            yield f"links to {address}, which stands in no fact"


def _is_item_address(address: str, known: Known) -> bool:
    """GitHub's own address of a pull request or issue that the facts name with its repository."""
    match = re.fullmatch(r"github\.com/([\w.-]+/[\w.-]+)/(?:pull|issues)/(\d+)", address, re.IGNORECASE)
    if match is None:
        return False
    wanted = Mentioned(match[1].lower(), int(match[2]), 0, 0)
    named = any(one.repository == wanted.repository for one in known.mentioned)
    return any(("/" in one.repository or named) and one.is_same(wanted) for one in known.mentioned)


def _reference_faults(items: Sequence[Mentioned], known: Known) -> Iterator[str]:
    have = known.mentioned
    for item in items:
        if not any(item.is_same(other) for other in have):
            yield f"refers to {item.repository}#{item.number}, which stands in no fact"


_MONTH_NAME = re.compile(rf"\b(?:{'|'.join(name.capitalize() for name in MONTHS if name != 'may')}|(?<=[a-z] )May)\b")
_WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_WEEKDAY = re.compile(rf"\b({'|'.join(_WEEKDAYS)})s?\b")


def _day_faults(text: str, told: Sequence[Day], known: Known) -> Iterator[str]:
    have = known.days
    for day in told:
        if not any(day.agrees(other) for other in have):
            yield f"names the day {text[day.start : day.end]}, which stands in no fact"
    for month in _MONTH_NAME.finditer(text):
        number = MONTHS.index(month[0].lower()) + 1
        stands = month[0].lower() in known.words or month[0][:3].lower() in known.words
        if have and not stands and not any(day.month == number for day in have):
            yield f"names {month[0]}, which stands in no fact"
    weekdays = {_WEEKDAYS[_weekday(day)].lower() for day in have if day.year}
    told_weekdays = {name.lower() for name in _WEEKDAYS} & known.words
    for weekday in _WEEKDAY.finditer(text):
        name = weekday[1].lower()
        if (weekdays or told_weekdays) and name not in weekdays | told_weekdays:
            yield f"names {weekday[1]}, which stands in no fact"


def _weekday(day: Day) -> int:
    try:
        return datetime.date(day.year, day.month, day.day).weekday()
    except ValueError:
        return 0


# --- figures ----------------------------------------------------------------------------------------------------------

_COUNTED_ITEMS = frozenset(
    """pull pr request issue change fix patch item reference contribution improvement commit one of other merged open
    draft closed new separate further more small bug panel follow-up piece part thing proposal experiment update""".split()
)


def _is_no_quantity(text: str, figure: Figure) -> bool:
    """`one` and the like where nothing is counted; a number of words that only look like one."""
    word = figure.text.split()[0].lower() if figure.text else ""
    if word == "one":
        measured = figure.unit and figure.unit not in ("pp", "x", "d", "h", "wk", "mo", "yr", "s", "min")
        return not measured
    if word == "half" and re.search(r"\b(?:other|first|second|one|latter) $", text[: figure.start], re.IGNORECASE):
        return True
    return word in ("second", "third")


def _figure_faults(text: str, said: Sequence[Figure], items: Sequence[Mentioned], known: Known) -> Iterator[str]:
    have = known.figures
    words = known.words
    listed = len({(item.repository, item.number) for item in items})
    for figure in said:
        if _stands(figure, have, words) or _derived(text, figure, said, have, known):
            continue
        if figure.value == listed and listed > 1 and _counts_items(text, figure):
            continue
        yield f"tells {figure.text.strip()}, which stands in no fact"
    for times in ("doubled", "doubling", "doubles", "halved", "halving", "halves", "tripled", "triples", "quadrupled"):
        if re.search(rf"\b{times}\b", text, re.IGNORECASE) and not _grows_so(times, said, known):
            yield f"says {times}, which no fact tells"


def _stands(figure: Figure, have: Sequence[Figure], words: frozenset[str]) -> bool:
    if figure.vague:
        top = 120 if figure.value == 12 else figure.value * 1000
        return any(figure.value * 2 <= other.value < top for other in have) or figure.text.split()[0].lower() in words
    same = [other for other in have if abs(other.value) == abs(figure.value) and not other.vague]
    if any(_signs_agree(figure, other) and _units_agree(figure, other) for other in same):
        return True
    bare = [other for other in same if not other.unit and _signs_agree(figure, other)]
    if not figure.unit or not bare:
        return False
    return any(form in words for form, unit in UNITS.items() if unit == figure.unit) or any(
        other.unit == figure.unit for other in have
    )


def _signs_agree(one: Figure, other: Figure) -> bool:
    return one.value == other.value or one.value > 0 > other.value


def _units_agree(one: Figure, other: Figure) -> bool:
    return not one.unit or one.unit == other.unit


def _counts_items(text: str, figure: Figure) -> bool:
    behind = [plural_to_singular(word[0]) for word in WORD.finditer(text, figure.end, figure.end + 60)][:4]
    return bool(figure.noun in _COUNTED_ITEMS or set(behind[:2]) & _COUNTED_ITEMS or not behind)


def _derived(text: str, figure: Figure, said: Sequence[Figure], have: Sequence[Figure], known: Known) -> bool:
    """A half that the facts tell as 50%, a `twice` that they tell as 2x or as two figures of which one is double."""
    if figure.text.lower().startswith(("twice", "half", "thrice")):
        ratios = {"twice": 2, "thrice": 3, "half": 2}
        ratio = ratios[re.match(r"[a-z]+", figure.text.lower())[0]]  # type: ignore[index]
        if (
            any(other.value == 50 and other.unit == "%" for other in have)
            and ratio == 2
            and figure.text.lower().startswith("half")
        ):
            return True
        return _has_ratio(ratio, said, have)
    return False


def _has_ratio(ratio: int, said: Sequence[Figure], have: Sequence[Figure]) -> bool:
    values = {figure.value for figure in have}
    if any(figure.value == ratio and figure.unit == "x" for figure in have):
        return True
    told = {figure.value for figure in said if figure.value in values} or values
    return any(value and value * ratio in values for value in told) or any(
        value and value / ratio in values for value in told
    )


def _grows_so(times: str, said: Sequence[Figure], known: Known) -> bool:
    if times[:5] in known.lower:
        return True
    ratio = {"d": 2, "h": 2, "t": 3, "q": 4}[times[0]]
    ratio = 2 if times.startswith(("doubl", "halv")) else ratio
    return (
        _has_ratio(ratio, said, known.figures)
        or (times.startswith("halv") and "half" in known.words)
        or (times.startswith("doubl") and "twice" in known.words)
    )


# --- invention --------------------------------------------------------------------------------------------------------


def _invention_faults(text: str, said: Sequence[Figure], items: Sequence[Mentioned], known: Known) -> Iterator[str]:
    """A sentence that says much and shares next to nothing with its facts rests on something else."""
    have = known.words
    telling = [plural_to_singular(word[0]) for word in WORD.finditer(text)]
    telling = [word for word in telling if len(word) > 3 and word not in COMMON and not word[0].isdigit()]
    if len(have) < 8 or len(telling) < 4 or said:
        return
    stems = {word[:5] for word in have}
    shared = sum(word in have or word[:5] in stems for word in telling)
    if shared < len(telling) * (0.15 if items else 0.25):
        yield "says what the facts do not speak of"
