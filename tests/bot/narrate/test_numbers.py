"""Number words, dates, lists and agreement."""

from __future__ import annotations

from datetime import date

import pytest

from bot.narrate.language.en import numbers, phrases


@pytest.mark.parametrize(
    ("introduced", "silent", "told"),
    [
        (0, 0, ""),
        (0, 1, "One person joined without introducing themselves."),
        (0, 2, "Two people joined without introducing themselves."),
        (0, 21, "Twenty-one people joined without introducing themselves."),
        (1, 0, "One person introduced themselves."),
        (1, 1, "One person introduced themselves and one more joined silently."),
        (21, 2, "Twenty-one people introduced themselves and two more joined silently."),
        (45, 290, "Forty-five people introduced themselves and 290 more joined silently."),
        (1200, 1, "A total of 1,200 people introduced themselves and one more joined silently."),
    ],
)
def test_newcomers_are_counted_with_the_right_noun_and_verb(introduced: int, silent: int, told: str) -> None:
    assert phrases.newcomers(introduced, silent) == told


def test_joins_that_could_not_be_seen_are_no_zero() -> None:
    assert "could not be seen" in phrases.newcomers(3, None)


@pytest.mark.parametrize(
    ("day", "told"),
    [
        (1, "1st"),
        (2, "2nd"),
        (3, "3rd"),
        (4, "4th"),
        (11, "11th"),
        (12, "12th"),
        (13, "13th"),
        (21, "21st"),
        (22, "22nd"),
    ],
)
def test_dates_are_ordinal(day: int, told: str) -> None:
    assert numbers.day(date(2026, 9, day)) == f"September {told}"


@pytest.mark.parametrize(
    ("parts", "told"),
    [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")],
)
def test_lists_end_with_and(parts: list[str], told: str) -> None:
    assert numbers.listed(parts) == told


@pytest.mark.parametrize(
    ("count", "told"),
    [
        (1, "One automated pull request by the bot tidy was merged (x)"),
        (21, "Twenty-one automated pull requests by the bot tidy were merged (x)"),
    ],
)
def test_automated_changes_agree_with_their_count(count: int, told: str) -> None:
    assert phrases.automated("tidy[bot]", count, "x", "merged") == told


@pytest.mark.parametrize(("count", "verb"), [(1, "item is"), (2, "items are"), (21, "items are")])
def test_what_is_left_out_agrees_with_its_count(count: int, verb: str) -> None:
    assert verb in phrases.omitted(count, ["#1"], more=0)
