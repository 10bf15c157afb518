"""What a body says of its item's place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model.github_links import closing_references, part_of_references, task_references


@pytest.mark.parametrize(
    "body, closed",
    [
        ("Fixes #1", ["o/r#1"]),
        ("This closes #1, fixes: #2 and resolved other/one#3.", ["o/r#1", "o/r#2", "other/one#3"]),
        ("CLOSES https://github.com/a/b/issues/7#issuecomment-1", ["a/b#7"]),
        ("Fixes GH-9", ["o/r#9"]),
        ("Fixed #1. Fixes #1.", ["o/r#1"]),
        ("prefixes #1, fixing #2, see #3, fixes the #4", []),
        ("<!-- Closes #123 -->", []),
        ("<!-- Closes #123", []),
        ("```\nfixes #1\n```\nand `fixes #2`", []),
        ("~~~\nfixes #1\n~~~\nfixes #2", ["o/r#2"]),
        ("Closes #1\r\nCloses #2", ["o/r#1", "o/r#2"]),
        ("", []),
    ],
)
def test_closing_words(body: str, closed: list[str]) -> None:
    assert closing_references(body, "o/r") == tuple(closed)


@pytest.mark.parametrize(
    "body, named",
    [
        ("Part of #1", ["o/r#1"]),
        ("Words.\n\n- **Part of** epic #1 and a/b#2", ["o/r#1", "a/b#2"]),
        ("part of: https://git.corp.example/a/b/issues/3", ["a/b#3"]),
        ("> Part of #4", ["o/r#4"]),
        ("_Part of #5._", ["o/r#5"]),
        ("_Part of_ #6", ["o/r#6"]),
        ("Part often seen in #7", []),
        ("This is part of #1", []),
        ("Part of the plan\n#1", []),
        ("party of #1", []),
        ("`Part of #1`", []),
    ],
)
def test_part_of_lines(body: str, named: list[str]) -> None:
    assert part_of_references(body, "o/r") == tuple(named)


@pytest.mark.parametrize(
    "body, listed",
    [
        ("- [ ] #1\n- [x] #2\n* [X] a/b#3\n+ [ ] https://github.com/a/b/pull/4", ["o/r#1", "o/r#2", "a/b#3", "a/b#4"]),
        ("1. [ ] #1\n2) [x] Docs (#2), after #3", ["o/r#1", "o/r#2"]),
        ("  - [ ] nested #1\n\t- [ ] deeper #2", ["o/r#1", "o/r#2"]),
        ("- #1\n[ ] #2\n- [] #3\n- [ ]#4\nsee - [ ] #5", []),
        ("```\n- [ ] #1\n```", []),
        ("- [ ] nothing here", []),
    ],
)
def test_task_lists(body: str, listed: list[str]) -> None:
    assert task_references(body, "o/r") == tuple(listed)


@given(st.text(st.sampled_from("Part of#12 -[]x\n`~<!>/.:closesfixes"), max_size=300))
def test_any_text_is_read_and_gives_only_what_stands_in_it(body: str) -> None:
    for read in (closing_references, part_of_references, task_references):
        for reference in read(body, "o/r"):
            assert reference.partition("#")[2] in body.replace("0", "")


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "piece", ["<!--", "`", "```\n", "~~~\n", "\n", "part of ", "- [ ] ", "a/", "a.", "#", "fixes ", "> ", "https://a/"]
)
def test_the_longest_body_that_github_takes_is_read_whole(piece: str) -> None:
    body = "Fixes #1\n- [ ] #2\nPart of #3\n" + piece * (65_000 // len(piece))
    assert closing_references(body, "o/r") == ("o/r#1",)
    assert task_references(body, "o/r") == ("o/r#2",)
    assert part_of_references(body, "o/r") == ("o/r#3",)
