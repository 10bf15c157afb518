"""Messages of an edition: within Discord's limit by both measures, nothing lost, nothing torn."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.render.split import LIMIT, split, units

FAMILY = "👨‍👩‍👧‍👦"
EMOJI = "<:lobster:1191168914227200001>"
LINK = "[#12](<https://github.com/lumen/lumen/pull/12>)"

WORDS = ["a", "loader", "Überlegung", "слово", "単語がある", "مرحبا", "१२३", "𝒳𝒴", "n" * 40, "2026"]
words = st.text(st.characters(categories=["Lu", "Ll", "Lo", "Nd"]), min_size=1, max_size=12)
sentences = st.lists(
    st.sampled_from([*WORDS, LINK, EMOJI, FAMILY, "🦞", "`x = 1`", "a\\_b"]), min_size=1, max_size=40
).map(lambda parts: " ".join(parts) + ".")
markup = st.sampled_from(
    ["```", "`", "||", "**", "> ", "\n", "\n\n", ">>> ", "# ", "-# ", "<", ">", "[", "](", ")", "\\"]
)


def squeezed(text: str) -> str:
    return re.sub(r"\s", "", text)


@given(st.text(), st.integers(min_value=2, max_value=60))
def test_any_text_fits_by_code_points_and_by_utf_16_units(text: str, limit: int) -> None:
    for part in split(text, limit):
        assert part.strip()
        assert len(part) <= limit
        assert units(part) <= limit


@given(
    st.lists(words | sentences | markup | st.text(max_size=30)).map("".join), st.integers(min_value=20, max_value=90)
)
@settings(max_examples=120)
def test_nothing_is_lost_whatever_markup_stands_in_the_text(text: str, limit: int) -> None:
    parts = split(text, limit)
    assert all(units(part) <= limit for part in parts)
    letters = [character for character in text if character.isalnum()]
    kept = [character for part in parts for character in part if character.isalnum()]
    if "```" not in text:  # a fence opened again repeats its language
        assert kept == letters
    assert set(letters) <= set(kept)


@given(st.lists(sentences, min_size=1, max_size=30))
@settings(max_examples=40)
def test_prose_comes_back_when_the_parts_are_joined(paragraphs: list[str]) -> None:
    text = "\n\n".join(paragraphs)
    parts = split(text)
    assert squeezed("".join(parts)) == squeezed(text)
    for part in parts:
        assert part.count("[") == part.count("](<") == part.count(">)") == part.count(LINK)
        assert part.count("<:") == part.count(EMOJI)
        assert part.count("\u200d") == part.count(FAMILY) * 3
        assert part.count("`") % 2 == 0
        assert not part.endswith("\\")


@given(st.lists(st.text("abcßé🦞", min_size=1, max_size=30), min_size=40, max_size=90))
@settings(max_examples=30)
def test_fences_and_spoilers_are_closed_at_a_cut_and_opened_behind_it(lines: list[str]) -> None:
    code = "\n".join(lines)
    parts = split(f"Before.\n\n```py\n{code}\n```\n\n||{' '.join(lines)}|| after.", 300)
    for part in parts:
        assert units(part) <= 300
        assert part.count("```") % 2 == 0
        assert part.count("||") % 2 == 0
    inside = [
        line for part in parts for fence in re.findall(r"```py\n([\s\S]*?)\n```", part) for line in fence.split("\n")
    ]
    assert inside == lines
    outside = re.sub(r"```[\s\S]*?```|\|\|[\s\S]*?\|\|", "", "\n".join(parts))
    assert outside.split() == ["Before.", "after."]


def test_the_cut_is_between_paragraphs() -> None:
    paragraphs = [f"{number} " + "word " * 150 for number in range(12)]
    parts = split("\n\n".join(paragraph.strip() for paragraph in paragraphs))
    assert [part[0] for part in parts] == ["0", "2", "4", "6", "8", "1"]
    assert all(len(part.split("\n\n")) == 2 for part in parts)


def test_a_heading_stays_with_its_paragraph() -> None:
    parts = split("first " * 320 + "\n\n## Heading\n\n" + "second " * 100)
    assert [part.split()[0] for part in parts] == ["first", "##"]
    long = split("first " * 320 + "\n\n## Heading\n" + "One more sentence here. " * 200)
    assert not any(part.endswith("## Heading") for part in long)


def test_lobsters_a_family_and_an_emoji_of_the_guild_stay_whole_on_the_boundary() -> None:
    for before in range(990, 1001):
        parts = split("🦞" * before + FAMILY + EMOJI + "🇩🇪" + "👍🏽" + "🦞" * 500)
        assert all(len(part) <= LIMIT and units(part) <= LIMIT for part in parts)
        assert sum(part.count(FAMILY) for part in parts) == 1
        assert sum(part.count(EMOJI) for part in parts) == 1
        assert sum(part.count("🇩🇪") for part in parts) == 1
        assert sum(part.count("👍🏽") for part in parts) == 1
        assert "".join(parts).count("🦞") == before + 500


def test_a_long_secret_stays_hidden_in_every_part() -> None:
    parts = split("The end: ||" + "the butler did it, " * 300 + "|| they say.")
    assert len(parts) > 2
    for part in parts:
        assert "butler" not in re.sub(r"\|\|[\s\S]*?\|\|", "", part)


@pytest.mark.parametrize("prefix", ["> ", ">>> ", "-# "])
def test_a_quote_goes_on_as_a_quote(prefix: str) -> None:
    parts = split(prefix + "many words " * 500)
    assert len(parts) > 2
    assert all(part.startswith(prefix) for part in parts)
    assert sum(part.count("many words") for part in parts) + sum(part.endswith("many") for part in parts) == 500


def test_a_quote_that_fits_is_not_cut() -> None:
    quote = "\n".join(f"> line {number} " + "x" * 60 for number in range(15))
    parts = split("Before. " * 150 + "\n" + quote)
    assert quote in parts


def test_white_space_alone_is_no_message() -> None:
    assert split(" \n\n \t") == []
    assert split("") == []
