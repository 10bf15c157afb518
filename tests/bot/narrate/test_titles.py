"""Titles of pull requests and issues, taken apart and retold."""

from __future__ import annotations

import pytest

from bot.narrate.language.en.clauses import Form
from bot.narrate.language.en.titles import in_past, infinitive, parse


@pytest.mark.parametrize(
    ("title", "told"),
    [
        ("[core] Rework the retry loop", "reworked the retry loop"),
        ("Rewrite the parser", "rewrote the parser"),
        ("Rebuild the index on start", "rebuilt the index on start"),
        ("Drop support for Node 16", "dropped support for Node 16"),
        ("Bound the chunk cache", "bounded the chunk cache"),
        ("Submit jobs in batches", "submitted jobs in batches"),
        ("Retry lost uploads", "retried lost uploads"),
        ("Overlap reads with writes", "overlapped reads with writes"),
        ("Reset counters at midnight", "reset counters at midnight"),
        ("Rerank faster", "reranked faster"),
        ("auto-improve lint rules", "auto-improved lint rules"),
        ("feat(api): add pagination to list endpoints", "added pagination to list endpoints"),
        ("fix(queue): deadlock on shutdown", "fixed the deadlock on shutdown"),
        ("fix: leak, race, typo", "fixed leak, race and typo"),
        ("Fixed a bug where users could not log in", "fixed a bug where users could not log in"),
        ("Adds dark mode", "added a dark mode"),
        ("Support ARM images", "added support for ARM images"),
        ("Do not hang the coordinator when workers die", "avoided hanging the coordinator when workers die"),
        ("[ci] Fail the nightly when the build fails", "made the nightly fail when the build fails"),
        ("Report stages and rank faster", "reported stages and rank faster"),
        ("Parse dates and reject bad ones", "parsed dates and rejected bad ones"),
        ("Add tile", "added a tile"),
        ("Add image cache", "added an image cache"),
        ("Add checkpointing", "added checkpointing"),
        ("Add metrics", "added metrics"),
        ("Restart server after panic", "restarted the server after panic"),
        ("Improve performance of the tokenizer", "improved the performance of the tokenizer"),
        ("v3.0.0-rc1", "released v3.0.0-rc1"),
        ("chore(main): release 2.4.0", "released 2.4.0"),
        ('Revert "Add dark mode"', "reverted “Add dark mode”"),
        ("Bump the dev-deps group with 14 updates", "bumped the dev-deps group with 14 updates"),
        ("Lower default timeout", "lowered the default timeout"),
        ("Support Python 3.14, drop 3.9", "added support for Python 3.14 and dropped 3.9"),
        ("Get rid of global state", "got rid of global state"),
        ("Undo accidental changes", "undid accidental changes"),
        ("Trace diffs back to their pull requests", "traced diffs back to their pull requests"),
        ("core: keep wrong^H^H^H^H^Hright order (#12)", "kept right order"),
    ],
)
def test_a_command_becomes_what_was_done(title: str, told: str) -> None:
    assert in_past(parse(title)) == told


@pytest.mark.parametrize(
    ("title", "told"),
    [
        ("[core] Rework the retry loop", "rework the retry loop"),
        ("Support ARM images", "support ARM images"),
        ("Added a tile", "add a tile"),
        ("Do not hang on exit", "no longer hang on exit"),
    ],
)
def test_a_command_stands_behind_to(title: str, told: str) -> None:
    assert infinitive(parse(title)) == told


@pytest.mark.parametrize(
    ("title", "scopes"),
    [
        ("[core] Add x", ("core",)),
        ("[epic][rl] Add x", ("epic", "rl")),
        ("[experiment, agentic RL] Add x", ("experiment", "agentic RL")),
        ("fix(core, net): x broke", ("core", "net")),
        ("core: add x", ("core",)),
        ("feat: add x", ()),
        ("TypeError: x is undefined", ()),
        ("Add scheduler: runs jobs at night", ()),
        ("Add x", ()),
    ],
)
def test_prefixes_are_recognised_in_every_style(title: str, scopes: tuple[str, ...]) -> None:
    assert parse(title).scopes == scopes


@pytest.mark.parametrize(
    ("title", "form"),
    [
        ("Login page is slow on Safari", Form.STATEMENT),
        ("[core] Workers stay idle after a preemption", Form.STATEMENT),
        ("Parser returns wrong offsets", Form.STATEMENT),
        ("Sidebar disappears when resizing", Form.STATEMENT),
        ("Preempted head cannot reform its gang", Form.STATEMENT),
        ("How do I configure a proxy?", Form.QUESTION),
        ("Identifying good candidates", Form.GERUND),
        ("Evaluating whether a model fits", Form.GERUND),
        ("Data inspection improvements", Form.NOUN),
        ("Scatter sidecar serialization format", Form.NOUN),
        ("automated PR fixes", Form.NOUN),
        ("Unterstützung für PostgreSQL", Form.NOUN),
        ("修复登录错误", Form.NOUN),
    ],
)
def test_what_is_no_command_is_not_made_one(title: str, form: Form) -> None:
    assert parse(title).form is form


def test_markup_in_a_title_is_no_markup_in_a_sentence() -> None:
    title = parse("Mention @everyone in **bold** and [here](https://evil.test)")
    assert in_past(title) == "mentioned everyone in bold and here"
