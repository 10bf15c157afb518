"""People's words made fit to be told: what hides, reverses or floods goes, scripts and emoji stay."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model.text import clean, clusters, cut, excerpt, hide_spoilers, one_line, plain, safe_name

FAMILY = "👨‍👩‍👧‍👦"


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("ok\n# BIG\n> fake", "ok\nBIG\nfake"),
        ("- one\n* two\n1. three\n- [x] done", "one\ntwo\nthree\ndone"),
        ("-# small\n>>> all of it", "small\nall of it"),
        ("**bold**, *it*, _em_, ~~gone~~ and __under__ lines", "bold, it, em, gone and __under__ lines"),
        ("__two words__ but __init__.py, a_b_c and 2 * 3 * 4", "two words but __init__.py, a_b_c and 2 * 3 * 4"),
        ("see `x_y` and ```py\ncode\n```", "see x_y and code"),
        ("[label](https://e.example/a_(b)) <https://e.example>", "label https://e.example"),
        ("[[inner](https://a.example)](https://b.example)", "inner"),
        ("![diagram](https://a.example/x.png)", "diagram"),
        ("<b>strong</b> <!-- note --> a < b > c", "strong a < b > c"),
        (r"\*not bold\* and a\_b", "*not bold* and a_b"),
        ("@everyone and @here", "everyone and here"),
        ("<t:1700000000:D> <t:1700000000> </ask me:123456>", "2023-11-14 2023-11-14 22:13 UTC /ask me"),
        ("<:lobster:123456789> <a:wave:987654321>", ":lobster: :wave:"),
    ],
)
def test_plain_keeps_the_words_and_drops_the_markup(written: str, told: str) -> None:
    assert plain(written) == told


def test_plain_names_whom_it_knows() -> None:
    names = {1: "Zoë\n# BIG", 2: "general", 3: "Mods"}
    assert plain("<@1> <@!1> in <#2> for <@&3>, <@9> <#9> <@&9>", names) == (
        "@Zoë # BIG @Zoë # BIG in #general for @Mods, @member #channel @role"
    )


def test_a_spoiler_is_gone_before_anything_is_cut() -> None:
    secret = "before ||" + "the butler did it " * 30 + "|| after"
    assert hide_spoilers(secret) == "before [spoiler] after"
    assert "butler" not in excerpt(secret, 40)
    assert "butler" not in plain(secret)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("名前", "名前"),
        ("مرحبا", "مرحبا"),
        ("Zoë 🦞", "Zoë 🦞"),
        ("\u200b\u200d\u2060", "someone"),
        ("\u3164\u2800", "someone"),
        ("\u202egnimoc\u202c", "gnimoc"),
        ("ok\n# BIG\n> fake", "ok # BIG > fake"),
        ("e" + "\u0301" * 60, "e" + "\u0301" * 4),
        ("", "someone"),
        ("क्‍ष", "क्‍ष"),
    ],
)
def test_a_name_shows_something_on_one_line(name: str, shown: str) -> None:
    assert safe_name(name) == shown


@given(st.text())
def test_nothing_that_hides_or_reverses_survives(text: str) -> None:
    line = one_line(text)
    assert "\n" not in line
    assert not set(line) & set(
        "\x00\u200b\u2060\ufeff\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f"
    )
    assert clean(clean(text)) == clean(text)
    line.encode()


@given(st.text(alphabet=st.sampled_from("ab *_`~|[]()<>@#\\\n:/1.-" + FAMILY)), st.integers(min_value=1, max_value=40))
def test_an_excerpt_fits_and_holds_no_markup_a_sentence_would_read(text: str, limit: int) -> None:
    taken = excerpt(text, limit)
    assert len(taken) <= limit
    assert "`" not in plain(text)
    assert "||" not in plain(text)


def test_a_cut_keeps_characters_whole() -> None:
    assert cut(f"ab {FAMILY}{FAMILY}", 8) == "ab…"
    assert cut("one two three", 9) == "one two…"
    assert cut("short", 5) == "short"


@given(st.text())
def test_clusters_are_the_text(text: str) -> None:
    assert "".join(clusters(text)) == text


def test_a_cluster_is_what_a_reader_sees() -> None:
    assert list(clusters(f"{FAMILY}🇩🇪🇫🇷👍🏽e\u0301각1️⃣\r\nx")) == [
        FAMILY, "🇩🇪", "🇫🇷", "👍🏽", "e\u0301", "각", "1️⃣", "\r\n", "x",
    ]  # fmt: skip
