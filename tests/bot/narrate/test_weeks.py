"""The narrative of the two example weeks, held against what a correct digest of them has to state."""

from __future__ import annotations

import importlib.util
import re
from functools import cache
from typing import Any

import pytest

from bot.model.edition import Edition, to_json
from bot.narrate.edition import narrate
from bot.narrate.grounding import hold
from tests.narrate_fixtures import sentences
from tests.weeks import AUGUST, MARCH, edition_of, load, settings_of

WEEKS = (AUGUST, MARCH)
WORDS = {AUGUST: 3750, MARCH: 900}


@cache
def told(week: str) -> Edition:
    return narrate(edition_of(week), settings_of(week))


def about(edition: Edition, reference: str) -> str:
    """The sentences about a reference, and an epic's own summary."""
    texts = [s.text for s in sentences(edition) if reference in s.references]
    texts += [s.epic.summary for s in edition.sections if s.epic and s.epic.reference == reference]
    return "\n".join(texts)


@pytest.mark.parametrize("week", WEEKS)
def test_every_reference_of_the_published_summary_is_told(week: str) -> None:
    text = "\n".join(s.text for s in sentences(told(week)))
    for cited in load(week, "expected.json")["cited_references"]:
        assert f"#{cited['reference'].partition('#')[2]}]" in text, cited


@pytest.mark.parametrize("week", WEEKS)
def test_most_figures_of_the_published_summary_are_told(week: str) -> None:
    figures = load(week, "expected.json")["figures"]
    kept = [f for f in figures if f["value"].rstrip("%") in about(told(week), f["reference"])]
    assert len(kept) >= 0.8 * len(figures)


@pytest.mark.parametrize("week", WEEKS)
def test_the_length_is_kept(week: str) -> None:
    edition = told(week)
    summaries = [s.epic.summary for s in edition.sections if s.epic]
    assert sum(len(text.split()) for text in [*(s.text for s in sentences(edition)), *summaries]) <= WORDS[week]


@pytest.mark.parametrize("week", WEEKS)
def test_every_sentence_is_borne_by_its_facts_and_counted(week: str) -> None:
    edition = told(week)
    for sentence in sentences(edition):
        assert hold(sentence, edition.facts).supported, sentence.text
        assert set(sentence.facts) <= set(edition.facts)
    assert edition.grounding.kept == len(sentences(edition))
    assert edition.grounding.dropped == edition.grounding.replaced == 0


def test_newcomers_like_those_of_the_published_summary_are_named() -> None:
    text = "\n".join(s.text for s in told(AUGUST).community.narrative)
    named = [p["name"] for p in load(AUGUST, "expected.json")["community"]["named_introductions"]]
    assert sum(name in text for name in named) >= 5


def test_all_that_was_said_is_told_where_and_by_whom() -> None:
    text = "\n".join(s.text for s in told(AUGUST).community.narrative)
    for mention in load(AUGUST, "expected.json")["community"]["channel_mentions"]:
        assert mention["name"] in text
        assert f"[#{mention['channel']}]" in text


def test_the_community_section_keeps_its_order() -> None:
    told_first = [
        next(number for number, s in enumerate(told(AUGUST).community.narrative) if mark in s.text)
        for mark in ("outside the team", "In [#", "introduced themselves", "Still to come")
    ]
    assert told_first == sorted(told_first)


def test_light_activity_is_said_where_no_pull_request_moved() -> None:
    light = [s for s in told(MARCH).sections if s.activity == "light"]
    assert light
    assert all(section.narrative[0].text.startswith("Light activity this week") for section in light)
    assert all(len(section.narrative) > 1 for section in light)


@pytest.mark.parametrize("week", WEEKS)
def test_the_prose_has_no_seams(week: str) -> None:
    for sentence in sentences(told(week)):
        text = re.sub(r"\]\([^)]*\)", "]", sentence.text)
        assert re.search(r"[.!?。！？][”’)]?$", text), text
        assert not re.search(r" {2}|\.\.|,\.|: ?\.|\( |[,;:] ?[,;]|“”|\bthe the\b|\ba an?\b", text), text
        assert text.count("“") == text.count("”"), text
        assert text.count("(") == text.count(")"), text
        assert "None" not in text


@pytest.mark.parametrize("week", WEEKS)
def test_no_form_is_repeated_for_long(week: str) -> None:
    for section in told(week).sections:
        openings = [s.text.split(" ")[:2] for s in section.narrative]
        for three in zip(openings, openings[1:], openings[2:], strict=False):
            assert not three[0] == three[1] == three[2], three


@pytest.mark.parametrize("week", WEEKS)
def test_the_check_of_editions_finds_nothing_in_the_words(week: str, shared_file: Any) -> None:
    path = shared_file("CHECK_EDITION")
    spec = importlib.util.spec_from_file_location("check_edition", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    rows = module.check(to_json(told(week)), [], load(week, "expected.json"))
    for group, required, _, _, misses in rows:
        if required and group != "posted messages":
            assert not misses, group
