"""Sentences held against their facts: the true ones pass in any wording, no false one does."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.model.edition import Fact, Sentence
from bot.narrate.claims.figures import figures
from bot.narrate.claims.known import mentioned
from bot.narrate.edition import narrate
from bot.narrate.grounding import check, hold, texts_for
from tests.grounding_cases import CASES as FIRST_CASES
from tests.grounding_cases import Case
from tests.grounding_files import FILED_CASES
from tests.grounding_more_cases import MORE_CASES
from tests.weeks import AUGUST, MARCH, edition_of, settings_of

CASES = [*FIRST_CASES, *MORE_CASES]
ALL_CASES = [*CASES, *FILED_CASES]
TRUE = [(case, sentence) for case in CASES for sentence in case.true]


def test_at_least_95_percent_of_true_sentences_pass() -> None:
    told = [(sentence, check(sentence, case.facts).reasons) for case in ALL_CASES for sentence in case.true]
    refused = [one for one in told if one[1]]
    assert len(told) > 400
    assert len(refused) <= len(told) * 0.05, refused


def test_every_false_sentence_is_refused() -> None:
    told = [(kind, text, case) for case in ALL_CASES for kind, texts in case.false.items() for text in texts]
    passed = [(kind, text) for kind, text, case in told if check(text, case.facts).supported]
    assert len(told) > 600
    assert passed == []


# --- errors planted in true sentences ---------------------------------------------------------------------------------

STRANGERS = ["Zelenka", "Quillfeather", "Okonkwo", "Brandvold"]
UNITS = {
    "%": ["kg", "GB"],
    "percent": ["hours", "gigabytes"],
    "GB": ["MB", "TB", "GiB"],
    "TB": ["GB"],
    "kg": ["km"],
    "h": ["min"],
    "hours": ["minutes", "days"],
    "s": ["ms", "h"],
    "seconds": ["minutes", "milliseconds"],
    "ms": ["s"],
    "days": ["hours", "weeks"],
    "milliseconds": ["seconds"],
    "billion": ["million", "trillion"],
    "years": ["weeks"],
}
STATES = {
    "merged": [
        ("is still open", "was merged"),
        ("remains a draft", "was merged"),
        ("was closed without being merged", "was merged"),
    ],
    "open": [("was merged", "remains open"), ("was closed", "is still open")],
    "draft": [("was merged", "is still a draft"), ("was closed", "is still a draft")],
    "closed": [("was merged", "was closed"), ("is still open", "was closed")],
}
WAYS = [
    *[("rose", "fell"), ("fell", "rose"), ("dropped", "climbed"), ("drops", "climbs"), ("grew", "shrank")],
    *[("cut", "raised"), ("up from", "down from"), ("down from", "up from"), ("faster", "slower"), ("less", "more")],
    ("slipped", "rose"),
]


def planted(case: Case, sentence: str, random_: random.Random) -> Iterator[tuple[str, str]]:
    """False variants of a true sentence: (kind of error, sentence)."""
    known = {abs(figure.value) for fact in case.facts for figure in figures(fact)}
    yield from _numbers(sentence, known, random_)
    yield from _references(case, sentence, random_)
    yield from _names(case, sentence)
    yield from _units(sentence)
    yield from _ways(sentence)
    if "](http" in sentence:
        yield "link", re.sub(r"\]\(https?://([^/]+)", r"](https://\1.example.org", sentence)
        yield "link", re.sub(r"\]\((https?://[^)]*)\)", r"](\1/x9)", sentence)


def _numbers(sentence: str, known: set[object], random_: random.Random) -> Iterator[tuple[str, str]]:
    for match in re.finditer(r"(?<![\w#.,/:-])\d+(?:[.,]\d+)*(?![\w/-]|[.,]\d)", sentence):
        digits = match[0]
        for at in range(len(digits)):
            for new in random_.sample("123456789", 4) if digits[at].isdigit() else ():
                other = digits[:at] + new + digits[at + 1 :]
                value = figures(other + " ")
                if value and value[0].value not in known and other != digits:
                    yield "number", sentence[: match.start()] + other + sentence[match.end() :]


def _references(case: Case, sentence: str, random_: random.Random) -> Iterator[tuple[str, str]]:
    known = {one.number for fact in case.facts for one in mentioned(fact)}
    for match in re.finditer(r"#(\d+)", sentence):
        for other in (int(match[1]) + step for step in (-11, -1, 1, 7, random_.randrange(20, 5_000))):
            if other not in known and other > 0:
                yield "reference", sentence[: match.start()] + f"#{other}" + sentence[match.end() :]
    for match in re.finditer(r"(?<!/)\b([a-z]+)/([a-z]+)#", sentence):
        yield "reference", sentence.replace(f"{match[1]}/{match[2]}#", f"{match[1]}/somewhere-else#")


def _names(case: Case, sentence: str) -> Iterator[tuple[str, str]]:
    for fact in case.facts:
        for person in re.finditer(r"(?m)(?:^Author: | by |^)([A-Z][a-z]+) ([A-Z][a-z]+)(?: \(| in #|$)", fact):
            for name in (person[1], person[2]):
                if re.search(rf"\b{name}\b", sentence):
                    yield from (("name", re.sub(rf"\b{name}\b", stranger, sentence)) for stranger in STRANGERS)


def _units(sentence: str) -> Iterator[tuple[str, str]]:
    for unit, others in UNITS.items():
        pattern = rf"(?<=\d)%" if unit == "%" else rf"(?<=\d )\b{unit}\b"  # noqa: F541
        if re.search(pattern, sentence):
            for other in others:
                yield "unit", re.sub(pattern, f" {other}" if unit == "%" else other, sentence)


def _ways(sentence: str) -> Iterator[tuple[str, str]]:
    for way, other in WAYS:
        if re.search(rf"\b{way}\b", sentence) and re.search(r"(?<![#\d])\b\d", re.sub(r"\S*#\S*", "", sentence)):
            yield "direction", re.sub(rf"\b{way}\b", other, sentence)
    for match in re.finditer(r"from (\d[\d.,]*(?: ?[a-zA-Z%/]+)?) to (\d[\d.,]*\d?(?: ?[a-zA-Z%/]+)?)", sentence):
        yield "ends", sentence.replace(match[0], f"from {match[2]} to {match[1]}")


def _states(case: Case) -> Iterator[tuple[str, str, bool]]:
    for fact in case.facts:
        state, subject = re.search(r"State: (\w+)", fact), mentioned(fact)
        if state and subject:
            for false, true in STATES[state[1]]:
                for text in (f"#{subject[0].number} {{}}.", f"The work on #{subject[0].number} {{}} this week."):
                    yield "state", text.format(false), False
                    yield "state", text.format(true), True


def test_no_planted_error_passes() -> None:
    random_ = random.Random(7)
    lies = {(case, lie): kind for case, sentence in TRUE for kind, lie in planted(case, sentence, random_)}
    lies |= {(case, text): kind for case in CASES for kind, text, true in _states(case) if not true}
    passed = [(kind, lie) for (case, lie), kind in lies.items() if check(lie, case.facts).supported]
    assert passed == []
    assert len(lies) >= 2_000
    assert set(lies.values()) == {"number", "reference", "name", "unit", "direction", "ends", "link", "state"}


@pytest.mark.parametrize("week", [AUGUST, MARCH])
def test_in_an_edition_every_sentence_passes_and_no_planted_error_does(week: str) -> None:
    edition = narrate(edition_of(week), settings_of(week))
    told = [one for section in edition.sections for one in section.narrative] + list(edition.community.narrative)
    assert [one.text for one in told if not hold(one, edition.facts).supported] == []
    random_ = random.Random(11)
    passed = []
    count = 0
    for one in told:
        lies = list(planted(Case(texts_for(one, edition.facts), (), {}), one.text, random_))
        for kind, lie in random_.sample(lies, min(len(lies), 2)):
            count += 1
            if hold(replace(one, text=lie), edition.facts).supported:
                passed.append((kind, lie))
    assert passed == []
    assert count > len(told)


def test_states_as_they_are_pass() -> None:
    told = [(case, text) for case in CASES for _, text, true in _states(case) if true]
    assert [text for case, text in told if not check(text, case.facts).supported] == []
    assert len(told) > 10


# --- single rules -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sentence", "fact"),
    [
        ("It reached 22.87 percent.", "It reached 22.87%."),
        ("It holds 917 billion tokens.", "It holds 917B tokens."),
        ("The batch is 1536.", "The batch is 1,536."),
        ("Between 3 and 4 regions were shown.", "3–4 regions were shown."),
        ("The coefficient is 8.21e-3.", "The coefficient is 8.21 × 10⁻³."),
        ("Both scores are percentages: 17.67% and 27%.", "Scores go 17.67 → 27 (percent)."),
        ("Twelve families are sent.", "A dozen families are sent."),
        ("The change halved the time from 8 s to 4 s.", "Time went from 8 s to 4 s."),
        ("It is on for September 1st.", "It is on for 2026-09-01."),
        ("It reached about 23%.", "It reached 22.87%."),
        ("Around 1.2 million people came.", "1,193,482 people came."),
        ("Nearly half of them failed.", "47% of them failed."),
        ("A third of the hosts were hit.", "5 of 15 hosts were hit."),
        ("The time nearly doubled from 4 s to 7.8 s.", "The time went from 4 s to 7.8 s."),
        ("It is four times faster.", "It takes 2 s instead of 8 s."),
        ("Two thousand five hundred tests passed.", "2,500 tests passed."),
    ],
)
def test_another_way_to_tell_a_figure_is_the_same_figure(sentence: str, fact: str) -> None:
    assert check(sentence, [fact]).reasons == ()


@pytest.mark.parametrize(
    ("sentence", "fact"),
    [
        ("It reached 23%.", "It reached 22.87%."),
        ("It reached about 22%.", "It reached 22.87%."),
        ("Almost 22% were reached.", "It reached 22.87%."),
        ("More than 23% were reached.", "It reached 22.87%."),
        ("Nearly half of them failed.", "63% of them failed."),
        ("The time nearly doubled from 4 s to 6 s.", "The time went from 4 s to 6 s."),
        ("Altogether 85 people came.", "45 people came on Monday, 40 on Tuesday."),
        ("It was some 4 points better.", "It went from 60% to 64%."),
        ("It holds 917 million tokens.", "It holds 917B tokens."),
        ("It takes 1,024 MB.", "It takes 1 GB."),
    ],
)
def test_wrong_rounding_summing_and_converting_are_inventions(sentence: str, fact: str) -> None:
    assert not check(sentence, [fact]).supported


def test_a_count_of_what_the_sentence_lists_needs_no_fact() -> None:
    facts = ["Pull request o/r#1\nState: merged\nAuthor: Ann Lee", "Pull request o/r#2\nState: merged\nAuthor: Ann Lee"]
    assert check("Ann Lee merged two pull requests (#1, #2).", facts).supported
    assert not check("Ann Lee merged three pull requests (#1, #2).", facts).supported


def test_a_link_to_an_item_that_facts_name_is_borne() -> None:
    facts = ["Pull request o/r#1\nState: merged"]
    assert check("It was merged ([#1](https://github.com/o/r/pull/1)).", facts).supported
    assert not check("It was merged ([#1](https://github.com/o/r/pull/2)).", facts).supported
    assert not check("It was merged ([#1](https://github.com.evil.org/o/r/pull/1)).", facts).supported


def test_a_sentence_of_an_edition_is_held_against_the_facts_it_names() -> None:
    facts = {
        "o/r#1": Fact(
            text="Speed up\nPull request o/r#1\nState: open\n\nNow 3 s.", url="https://github.com/o/r/pull/1"
        ),
        "count/joins": Fact(text="45"),
    }
    told = Sentence(
        text="Now it takes 3 s ([#1](https://github.com/o/r/pull/1)).", references=("o/r#1",), facts=("o/r#1",)
    )
    assert hold(told, facts).supported
    elsewhere = Sentence(text="Now it takes 45 s (#1).", references=("o/r#1",), facts=("o/r#1",))
    assert not hold(elsewhere, facts).supported


@pytest.mark.parametrize(
    "unit", ["#", "9", "⁰", "a/", "a-", "aB", "[a](b", "from a to ", "instead of ", "1 ", "not ", "‘", "<"]
)
def test_hostile_texts_are_read_to_their_end(unit: str) -> None:
    long = unit * (20_000 // len(unit))
    assert not check(long, ["A fact."]).supported
    assert check("A fact stands here.", ["A fact stands here.", long]).supported


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=120), st.lists(st.text(max_size=120), max_size=3))
def test_no_text_raises(sentence: str, facts: list[str]) -> None:
    check(sentence, facts)


@settings(max_examples=60, deadline=None)
@given(st.integers(min_value=2, max_value=10**9), st.integers(min_value=2, max_value=10**9))
def test_a_number_passes_exactly_when_it_stands_in_a_fact(told: int, said: int) -> None:
    assert check(f"The run saw {said} things.", [f"The run saw {told} things."]).supported == (told == said)


def test_a_login_with_figures_in_it_does_what_its_item_says() -> None:
    fact = "network: Deprecate the queue metrics\nPull request a/b#7\nState: merged\nAuthor: dev55\n\nRef #35"
    assert check("dev55 deprecated the queue metrics (#7).", [fact, "a/b#7"]).supported
