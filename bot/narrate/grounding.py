"""Whether the facts bear a sentence: nothing is said that they do not say.

`check` reads what can be checked in a sentence and holds each against the raw facts:

- **Numbers** with their units, in digits or words. Other ways of writing one number are the same number; a summed
  or a converted one is another and is not borne, and a rounded one only where the sentence says so (`about`, `nearly`,
  `more than`) and rounds rightly. The count of what the sentence itself lists is borne.
- **Dates**, **references** (`#12`, `owner/repo#12`), **addresses**, **names** of people, accounts, channels and
  products, code and quotations: they have to stand in a fact.
- **States** ("merged" said of an open one), who did it where facts name roles, what kind of item it is.
- **Comparisons**: the direction and the ends of a change, a change taken for a value, which of two figures belongs to
  which of two things, items, people and channels.
- **Words**: who said it and where; something else in a place that the facts fill; made-up causes and examples.
- **Contraries**: `disabled` where the facts say `enabled`, a denial too many or too few.
- **What leaves no exception**: `all`, `only`, `first`, `never`, superlatives.
- **Form**: no mentions, headings, lists, code blocks, pictures, HTML or unseen characters.

It errs to the side of refusing: what cannot be read in the facts does not pass. What has nothing that can be checked
passes when it shares its words with the facts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bot.model.edition import Fact, Sentence
from bot.narrate.claims.absolutes import absolute_faults
from bot.narrate.claims.belonging import belonging_faults
from bot.narrate.claims.changes import change_faults
from bot.narrate.claims.channels import channel_faults
from bot.narrate.claims.clauses import roots_of
from bot.narrate.claims.contests import contest_faults
from bot.narrate.claims.days import MONTHS, VERSION, WEEKDAY, WEEKDAYS, Day, days
from bot.narrate.claims.deltas import delta_faults
from bot.narrate.claims.events import event_faults
from bot.narrate.claims.figures import Figure, figures
from bot.narrate.claims.known import WORD, Known, Mentioned, blanked, mentioned, read_facts
from bot.narrate.claims.markup import read_markup, same_address
from bot.narrate.claims.names import name_faults
from bot.narrate.claims.opposites import opposite_faults
from bot.narrate.claims.owners import owner_faults
from bot.narrate.claims.people import people_faults
from bot.narrate.claims.polarity import polarity_faults
from bot.narrate.claims.predicates import predicate_faults
from bot.narrate.claims.quantities import figure_faults, frequency_faults, is_no_quantity, ordinal_faults
from bot.narrate.claims.rounding import meant
from bot.narrate.claims.slots import slot_faults
from bot.narrate.claims.speakers import speaker_faults
from bot.narrate.claims.states import state_faults
from bot.narrate.claims.turns import turn_faults
from bot.narrate.claims.units import plural_to_singular
from bot.narrate.claims.vocabulary import COMMON

LONGEST = 4_000
"""Characters of a sentence that are read; nothing longer is one."""


MOST_FIGURES = 60


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a sentence may stand, and if not, every reason why; a reason continues "the sentence ..."."""

    supported: bool
    reasons: tuple[str, ...] = ()


def check(sentence: str, facts: Sequence[str]) -> Verdict:
    """Hold one sentence (Markdown) against the raw texts it may rest on. Pure; never raises on any text."""
    if len(sentence) > LONGEST:
        return Verdict(False, (f"is longer than {LONGEST} characters",))
    markup = read_markup(sentence)
    known = read_facts(facts)
    text = markup.words
    items = mentioned(text)
    told = days(text)
    versions = list(VERSION.finditer(text))
    spans = [*((m.start, m.end) for m in items), *((d.start, d.end) for d in told), *(v.span() for v in versions)]
    numbers = blanked(text, spans)
    said = [figure for figure in figures(numbers) if not is_no_quantity(numbers, figure)]
    if len(said) > MOST_FIGURES:
        return Verdict(False, (f"tells more than {MOST_FIGURES} figures",))
    said = [meant(numbers, figure, known) for figure in said]
    reasons = [
        *markup.faults,
        *_address_faults(markup.addresses, known),
        *_reference_faults(items, known),
        *_day_faults(text, told, said, known),
        *_version_faults([version[0] for version in versions], known),
        *figure_faults(numbers, said, items, known),
        *ordinal_faults(numbers, known),
        *frequency_faults(text, known),
        *name_faults(sentence, text, known),
        *state_faults(text, known),
        *people_faults(text, known),
        *speaker_faults(text, known),
        *change_faults(numbers, said, known),
        *delta_faults(numbers, said, known),
        *owner_faults(numbers, said, known),
        *belonging_faults(text, numbers, said, items, known),
        *event_faults(text, told, items, known),
        *channel_faults(text, known),
        *contest_faults(text, known),
        *predicate_faults(text, numbers, said, known),
        *turn_faults(text, known),
        *slot_faults(text, known),
        *opposite_faults(text, known),
        *polarity_faults(text, known),
        *absolute_faults(numbers, said, known),
        *_invention_faults(text, said, items, known),
    ]
    return Verdict(not reasons, tuple(dict.fromkeys(reasons)))


def hold(sentence: Sentence, facts: Mapping[str, Fact]) -> Verdict:
    """Hold a sentence of an edition against the facts that it names."""
    return check(sentence.text, texts_for(sentence, facts))


def texts_for(sentence: Sentence, facts: Mapping[str, Fact]) -> tuple[str, ...]:
    """What a sentence may rest on: the texts of the facts it names, their addresses, and the references themselves."""
    named = [facts[key] for key in sentence.facts if key in facts]
    keys = [key for key in (*sentence.facts, *sentence.references) if "#" in key]
    return (*(fact.text for fact in named), *keys, *(fact.url for fact in named if fact.url))


def _address_faults(addresses: Sequence[str], known: Known) -> Iterator[str]:
    have = known.addresses
    for address in addresses:
        same = same_address(address)
        if same not in have and not _is_item_address(same, known) and not _is_beginning(address, have):
            yield f"links to {address}, which stands in no fact"


def _is_beginning(address: str, have: Iterable[str]) -> bool:
    """A host, or the beginning of an address before an ellipsis, of an address that stands in a fact."""
    if "://" in address:
        return False
    beginning = same_address(address.rstrip("…"))
    whole_host = "/" not in beginning
    return any(
        other.partition("/")[0] == beginning if whole_host else address.endswith("…") and other.startswith(beginning)
        for other in have
    )


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


def _version_faults(versions: Sequence[str], known: Known) -> Iterator[str]:
    for version in versions:
        bare = version.lower().removeprefix("v")
        if not any(bare in fact.versions or bare in fact.lower for fact in known.facts):
            yield f"names the version {version}, which stands in no fact"


_MONTH_NAME = re.compile(rf"\b(?:{'|'.join(name.capitalize() for name in MONTHS if name != 'may')}|(?<=[a-z] )May)\b")


def _day_faults(text: str, told: Sequence[Day], said: Sequence[Figure], known: Known) -> Iterator[str]:
    have = known.days
    for day in told:
        if not any(day.agrees(other) for other in have):
            yield f"names the day {text[day.start : day.end]}, which stands in no fact"
    for month in _MONTH_NAME.finditer(text):
        number = MONTHS.index(month[0].lower()) + 1
        stands = month[0].lower() in known.words or month[0][:3].lower() in known.words
        if have and not stands and not any(day.month == number for day in have):
            yield f"names {month[0]}, which stands in no fact"
    telling = set(roots_of(text))
    weekdays = {
        day.weekday.lower()
        for fact in known.facts
        for day in fact.days
        if day.year and (len(known.facts) == 1 or telling & set(roots_of(fact.text)))
    }
    told_weekdays = {name.lower() for name in WEEKDAYS} & known.words
    values = {figure.value for figure in said}
    nearest = max(
        known.facts,
        key=lambda fact: len(telling & set(roots_of(fact.text))) + len(values & {one.value for one in fact.figures}),
        default=None,
    )
    if nearest is not None and (own := {name.lower() for name in WEEKDAYS} & nearest.words):
        dated = {day.weekday.lower() for day in nearest.days if day.year}
        weekdays, told_weekdays = weekdays & dated, own
    for weekday in WEEKDAY.finditer(text):
        name = weekday[1].lower()
        if (weekdays or told_weekdays) and name not in weekdays | told_weekdays:
            yield f"names {weekday[1]}, which stands in no fact"


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
