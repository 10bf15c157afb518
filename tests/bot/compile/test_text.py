"""Texts of any kind are read in reasonable time, and what people would read stays as it stands."""

from __future__ import annotations

import pytest

from bot.compile.related import named_in
from bot.compile.text import READ_AT_MOST, readable, weight_of_words
from bot.model.github_links import closing_references, part_of_references, task_references


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Two paragraphs.\n\nWith 42 figures, `code` and a list:\n- one\n  - two\n",
        "https://storage.example/" + "a" * 100 + "?signature=" + "b" * 100,
        "日本語の文章は空白なしに続くことがある。" * 60,
        "    indented code\n        more of it",
        "| a | b |\n|---|---|\n| 1 | 2 |",
    ],
)
def test_what_people_write_stays_as_it_stands(text: str) -> None:
    assert readable(text) == text


@pytest.mark.parametrize("unit", ["x", "é", "名", "#", "a-", "\n", " ", "0", "_a", "x/"])
def test_endless_runs_are_cut(unit: str) -> None:
    shown = readable(f"before {unit * 60_000} after 12 ms")
    assert len(shown) < 1_000
    assert shown.startswith("before") and shown.endswith("after 12 ms")


def test_of_a_very_long_text_the_beginning_is_read_up_to_a_line() -> None:
    shown = readable("\n".join(f"line {n} of the log" for n in range(9_000)))
    assert len(shown) <= READ_AT_MOST
    assert shown.endswith(" of the log")


@pytest.mark.parametrize("unit", ["x", "0", "a.", "a-", "_a", "a/", "#", "1. ", "[", "\n"])
def test_links_are_found_behind_any_text(unit: str) -> None:
    text = f"{unit * (60_000 // len(unit))}\nFixes #7\nPart of o/r#8\n- [ ] #9 {unit * 20_000}\n"
    assert "o/r#7" in closing_references(text, "o/r")
    assert "o/r#8" in part_of_references(text, "o/r")
    assert "o/r#9" in task_references(text, "o/r")
    assert "o/r#7" in named_in(text, "o/r")
    assert weight_of_words(text[:4_000]) >= 0
