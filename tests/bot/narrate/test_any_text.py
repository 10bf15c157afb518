"""Whatever people write, an edition is told: nothing raises, every item is linked, no sentence breaks out."""

from __future__ import annotations

import re

from hypothesis import HealthCheck, given
from hypothesis import settings as budget
from hypothesis import strategies as st

from bot.narrate.edition import narrate
from tests.narrate_fixtures import SETTINGS, community, conversation, edition, issue, message, newcomer, pull, sentences

SNIPPETS = st.sampled_from(
    [
        "Add a tile",
        "fix(core): ",
        "[a][b] ",
        "- [x] done",
        "```\ncode\n```",
        "||hidden||",
        "# Big",
        "> quoted",
        "@everyone",
        "<!-- x -->",
        "it went from 3 ms -> 5 ms",
        "1. one\n2. two",
        "(1) a b c; (2) d e f; (3) g h i",
        "Fixes #12",
        "…",
        "“",
        "”",
        "https://example.org/a_(b)",
        "<@123>",
        "[x](https://evil.test)",
        "**bold**",
        "_it_",
        "\x00",
        "\u202e",
        "🦞",
        "名前",
        "مرحبا",
        "We think that 90% is fine.",
        "e.g. this",
        "v1.2.3",
        "99.9% of 10,000",
        "\u200b",
        "`a_b`",
        "|",
        "\\",
        "''",
        ": ",
        "; ",
        ", ",
    ]
)
TEXT = st.lists(st.one_of(SNIPPETS, st.text(max_size=30)), max_size=8).map(" ".join)


@budget(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    title=TEXT,
    body=TEXT,
    comment=TEXT,
    said=TEXT,
    hello=TEXT,
    name=TEXT,
    state=st.sampled_from(["merged", "open", "draft", "closed"]),
)
def test_any_text_is_told_in_whole_sentences_that_hold(
    title: str, body: str, comment: str, said: str, hello: str, name: str, state: str
) -> None:
    items = (
        pull(title, body, state=state, name=name, said=[("bob", comment)], number=1),
        issue(title, body, state="closed" if state == "closed" else "open", said=[("bob", comment)], number=2),
    )
    made = edition(
        *items,
        community=community([newcomer(1, name, hello)], silent=1, highlights=(conversation(message(5, name, said)),)),
    )
    told = sentences(narrate(made, SETTINGS))
    for item in items:
        assert any(item.url in sentence.text for sentence in told)
    for sentence in told:
        assert sentence.text.strip()
        assert "\n" not in sentence.text
        assert "||" not in sentence.text
        assert not re.search(r"@(everyone|here)\b|[\x00\u202e]", sentence.text)
