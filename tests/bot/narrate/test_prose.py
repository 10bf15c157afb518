"""How sentences read: the kinds of wording that an editor would strike do not come up."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from bot.model.edition import Coverage, SharedLink
from bot.narrate.edition import narrate
from tests.narrate_fixtures import (
    SETTINGS,
    START,
    community,
    conversation,
    edition,
    issue,
    message,
    newcomer,
    pull,
    sentences,
    words,
)


def told(*items: object, **more: object) -> str:
    return words(narrate(edition(*items, **more), SETTINGS))  # type: ignore[arg-type]


# --- the same author -----------------------------------------------------------------------------------------------


def test_what_an_author_merged_and_proposed_shares_a_sentence() -> None:
    text = told(pull("[cache] Add eviction", number=1), issue("[cache] Drop the old locks", number=2))
    assert text == "In the cache, ann added eviction (#1) and opened an issue to drop the old locks (#2)."


def test_an_author_who_was_just_named_is_they_and_never_the_same_author() -> None:
    text = told(*[pull(f"{verb} the wheel", number=n) for n, verb in enumerate(("Add", "Drop", "Move", "Turn"), 1)])
    assert "They also moved the wheel (#3) and turned the wheel (#4)." in text
    many = [pull(f"[part] Add thing {n}", f"It is {n} times faster.", number=n) for n in range(2, 20)]
    assert "same author" not in told(*many)


def test_behind_an_explanation_nobody_is_they() -> None:
    text = told(
        pull("[cache] Bound the chunks", "Chunks could take 125 GB. The bound is 4 GB.", number=1),
        pull("[cache] Rename keys", number=2),
    )
    assert "They" not in text
    assert re.search(r"(?:ann also|Another change|ann) renamed keys", text)


def test_a_verb_is_said_once_for_two_objects() -> None:
    assert "ann staged checkpoints (#1) and slices (#2)." in told(
        pull("Stage checkpoints", number=1), pull("Stage slices", number=2)
    )


def test_neighbours_of_one_topic_share_a_sentence() -> None:
    assert told(pull("[web] Add pages", number=1), pull("[web] Drop frames", number=2, by="bob")) in (
        "In web, ann added pages (#1), and bob dropped frames (#2).",
        "In web, bob dropped frames (#2), and ann added pages (#1).",
    )


def test_what_belongs_to_no_topic_does_not_seem_to_belong_to_the_one_before() -> None:
    text = told(
        pull("[web] Add pages", number=1, by="bob"),
        pull("[web] Drop frames", number=2, by="bob"),
        pull("Rename the keys of the store", number=3),
    )
    assert "Elsewhere, ann renamed the keys of the store (#3)." in text


@pytest.mark.parametrize(
    ("scope", "opening"),
    [
        ("ecs", "In ECS, "),
        ("editor", "In the editor, "),
        ("render", "On the render side, "),
        ("physics", "In physics, "),
        ("rl", "In RL, "),
    ],
)
def test_a_topic_is_named_as_one_would_say_it(scope: str, opening: str) -> None:
    assert told(pull(f"{scope}: add pages", number=1), pull(f"{scope}: drop frames", number=2)).startswith(opening)


# --- clauses of bodies and comments --------------------------------------------------------------------------------


def body(text: str, title: str = "[a] Bound the store of chunks", **more: object) -> str:
    return told(pull(title, text, number=1, **more))  # type: ignore[arg-type]


def test_what_is_no_sentence_is_quoted_with_whose_it_is() -> None:
    text = body("Memory falls from 9 GB to 4 GB. Same rack, both arms from step 6000: loss 22.87 against 22.71.")
    assert "The pull request says: “Same rack, both arms from step 6000: loss 22.87 against 22.71.”" in text
    assert "In addition" not in text
    assert "In detail" not in text


def test_a_phrase_that_hangs_on_a_colon_gets_its_article() -> None:
    assert "(#1): a launcher of its own for 12 hosts." in body("Launcher of its own for 12 hosts.")
    assert "(#1): the second half of 40 steps." in body("Second half of 40 steps.")
    assert "(#1): snapshots of 12 hosts." in body("Snapshots of 12 hosts.")


def test_a_change_is_the_subject_of_what_it_does() -> None:
    assert "bounded the store of chunks (#1); the change removes 12 old locks." in body("Removes 12 old locks.")
    opened = told(pull("Add a wheel", "Removes 12 old locks.", state="open", number=1), pull("Turn it", state="open"))
    assert "; the change removes 12 old locks" in opened or "pull request to add a wheel (#1); it removes 12" in opened


def test_what_a_revert_says_is_not_said_of_the_revert() -> None:
    text = told(pull('Revert "Dockable panels"', "Breaks setups with 2 monitors.", number=1))
    assert "The pull request says: “Breaks setups with 2 monitors.”" in text
    assert "it breaks" not in text


def test_what_an_issue_says_is_told_as_its_word() -> None:
    first = issue("[x] Leak in the saver", "Memory grows by 30 MB on every write.", number=2)
    text = told(first, issue("[x] Leak in the loader", "Memory grows by 40 MB on every reload.", number=1))
    assert "According to the issue, memory grows by 40 MB on every reload." in text


def test_no_sentence_begins_with_a_numeral() -> None:
    bodies = ("They move fast. 7 jobs run at night.", "66% of the rows kept came from one table, so they go.")
    items = [pull(f"[a] Bound store {n}", bodies[n % 2], number=n) for n in range(1, 9)]
    made = narrate(edition(*items, community=community(silent=326)), SETTINGS)
    assert not [s.text for s in sentences(made) if s.text[0].isdigit()]
    assert "A total of 326 people joined without introducing themselves." in words(made)


def test_brackets_do_not_follow_brackets() -> None:
    assert "ann landed a budget for transfers (10 GB; #1)." in told(pull("Budget for transfers (10 GB)", number=1))


def test_what_people_add_is_credited_where_it_is_no_sentence_of_its_own() -> None:
    text = told(
        issue(
            "Slow start",
            number=1,
            events=(),
            said=[("bob", "The loader reads 40 files at start. Aim: 10 files by June. Plan: 4 workers in May.")],
        )
    )
    assert "bob added: “Aim: 10 files by June.”" in text
    assert "bob also wrote: “Plan: 4 workers in May.”" in text


def test_what_a_form_leaves_open_is_not_told() -> None:
    assert told(pull("Add a wheel", "Release note: NONE\n\nTested: no", number=1)) == "ann added a wheel (#1)."


# --- titles --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("fix(render): shadow acne on steep slopes", "ann fixed shadow acne on steep slopes (#1)."),
        ("fix: build errors on Windows", "ann fixed build errors on Windows (#1)."),
        ("fix: retry lost uploads", "ann retried lost uploads (#1)."),
        ("don't lose the selection on undo", "ann avoided losing the selection on undo (#1)."),
        ("Add netcode with rollback", "ann added netcode with rollback (#1)."),
        ("Retry lost store operations after restart", "ann retried lost store operations after restart (#1)."),
        ("CCD for fast bodies, part 2", "ann landed part 2 of CCD for fast bodies (#1)."),
        ("explicit axis mapping (continued)", "ann landed more explicit axis mapping (#1)."),
        ("lsp: crash on unsaved files", "fixed the crash on unsaved files (#1)."),
        ("Typo", "ann fixed the typo (#1)."),
        ("Cleanup temporary files", "ann cleaned up temporary files (#1)."),
        ("Cleanup and doc-drift jobs", "ann landed cleanup and doc-drift jobs (#1)."),
        ("lsp: go to definition for rules", "“go to definition for rules” (#1)."),
        ("WIP: incremental builds", "ann landed “incremental builds” (#1)."),
    ],
)
def test_a_title_is_told_as_what_it_means(title: str, expected: str) -> None:
    assert expected in told(pull(title, number=1))


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Build hangs at 99% with 128 jobs", "ann reported that the build hangs at 99% with 128 jobs (#1)."),
        ("Question: can I use it with Bazel?", "ann asked: “Can I use it with Bazel?” (#1)."),
        ("Feature request: dark theme", "ann opened the feature request “dark theme” (#1)."),
        ("Watch mode uses 100% of the CPU", "ann reported that the watch mode uses 100% of the CPU (#1)."),
    ],
)
def test_an_issue_is_told_as_what_it_is(title: str, expected: str) -> None:
    assert expected in told(issue(title, number=1))


def test_what_machines_write_is_not_told() -> None:
    text = told(issue("Empty file", "thread 'main' panicked at src/config.rs:88\nIt needs 2 lines.", number=1))
    assert "config.rs" not in text
    assert "2 lines" in text


def test_what_was_done_to_something_unnamed_is_quoted() -> None:
    assert "says: “Tested on a repository with 120k files.”" in body("Tested on a repository with 120k files.")


# --- people and talk -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("This week we read chapters 12 to 18.", "“This week we read chapters 12 to 18.”"),
        ("Right now the build takes 40 minutes.", "“Right now the build takes 40 minutes.”"),
        ("Update the loader before Friday!", "“Update the loader before Friday!”"),
        ("Heads up: the loader changes on Friday.", "“The loader changes on Friday.”"),
    ],
)
def test_only_what_stands_by_itself_is_taken_for_a_greeting(text: str, quote: str) -> None:
    assert quote in told(community=community(highlights=(conversation(message(1, "Di", text)),)))


def test_quotation_marks_within_a_quotation_open_and_close() -> None:
    talk = conversation(message(1, "Di", 'We read "Erklär mir, Liebe" on Friday at noon.'))
    assert "Di wrote: “We read ‘Erklär mir, Liebe’ on Friday at noon.”" in told(community=community(highlights=(talk,)))


def test_languages_without_spaces_are_quoted_in_whole_sentences() -> None:
    talk = conversation(message(1, "Yuki", "凡例の翻訳を手伝ってくれる人を探しています。約40語です。"))
    text = told(community=community(highlights=(talk,)))
    assert "“凡例の翻訳を手伝ってくれる人を探しています。約40語です。”" in text


def test_agreement_is_told_by_its_verb() -> None:
    talk = conversation(
        message(1, "Di", "Should we drop the old mode?"), message(2, "Ed", "yes please, nobody uses it any more")
    )
    assert "Ed agreed: “Nobody uses it any more.”" in told(community=community(highlights=(talk,)))


def test_newcomers_are_quoted_once_each_without_their_greeting() -> None:
    people = [
        newcomer(1, "Bea", "hi, I'm Bea, cache engineer from Leipzig"),
        newcomer(2, "Ona", "Ona\nPhD at an institute\ncaches for language models"),
        newcomer(3, "Gil", "Hi. I keep a cache for a chemistry group. Nice place. I teach caches at a university."),
    ]
    text = told(pull("[cache] Add eviction"), pull("[cache] Drop locks"), community=community(people))
    assert "Bea (“cache engineer from Leipzig”)" in text
    assert "Ona (“PhD at an institute, caches for language models”)" in text
    assert "Gil (“I keep a cache for a chemistry group … I teach caches at a university”)" in text


def test_many_newcomers_are_named_in_more_than_one_sentence() -> None:
    people = [newcomer(n, f"P{n}", f"P{n}, cache engineer number {n} at a lab") for n in range(2, 50)]
    text = told(pull("[cache] Add eviction"), pull("[cache] Drop locks"), community=community(people))
    assert text.count("cache engineer number") == 9
    assert "Also new are" in text


def test_a_link_that_a_conversation_shows_is_not_shared_again() -> None:
    talk = conversation(message(1, "Gus", "The slides are at https://example.org/a and worth an hour."))
    links = (
        SharedLink(url="https://example.org/a", title=None, channel="dev", author="Gus", message_id=1),
        SharedLink(url="https://example.org/b", title=None, channel="dev", author="Gus", message_id=2),
    )
    text = told(community=community(highlights=(talk,), shared_links=links))
    assert "shared example.org/a" not in text
    assert "Gus shared example.org/b in #dev." in text


# --- weeks in a row, weeks without anything ------------------------------------------------------------------------


def test_what_became_of_last_week_is_said() -> None:
    last = {"continues": "opened", "created_at": START - timedelta(days=3)}
    text = told(
        pull("Turn the wheel", number=1, state="closed", **last),
        issue("Wheels crash", number=2, state="closed", closed_by="bob", **last),
        issue("Wheels squeak in the rain", number=3, events=(), said=[("cem", "Found a loose bolt in it.")], **last),
        pull("Fix the brake", "Fixes #5", number=4, closes=("acme/rocket#5",)),
        issue("Brakes fail", number=5, state="closed", by="dan", **last),
    )
    assert "A pull request by ann to turn the wheel (#1), opened last week, was closed without a merge." in text
    assert "bob closed last week's issue “Wheels crash” (#2)." in text or "last week's report that wheels crash" in text
    assert "On last week's" in text
    assert "(#4, closing #5 reported by dan last week)" in text


@pytest.mark.parametrize(
    ("messages", "people", "github", "expected"),
    [
        (5, 3, "off", "It was a quiet week: three people wrote five messages."),
        (1, 1, "off", "It was a quiet week: one person wrote one message."),
        (0, 0, "off", "It was a quiet week: no messages were recorded."),
        (
            21,
            2,
            "complete",
            "It was a quiet week: two people wrote 21 messages, and nothing was merged, opened or discussed on GitHub.",
        ),
    ],
)
def test_a_quiet_week_is_told_by_what_is_known(messages: int, people: int, github: str, expected: str) -> None:
    made = edition(community=community(messages=messages, authors=people), github=github)
    assert made.coverage == Coverage(github=github)
    assert words(narrate(made, SETTINGS)) == expected


def test_a_week_of_automated_changes_is_quiet_otherwise() -> None:
    bumps = [pull(f"Bump {name} from 1 to 2", by="renovate[bot]", bot=True) for name in ("left", "right")]
    text = told(*bumps, community=community(messages=2, authors=1))
    assert text.endswith("Apart from automated changes it was a quiet week: one person wrote two messages.")


def test_of_many_automated_changes_a_few_are_linked() -> None:
    bumps = [pull(f"Bump lib{n} from 1 to 2", by="renovate[bot]", bot=True, number=n) for n in range(1, 41)]
    text = told(*bumps)
    assert "by the bot renovate were merged (#1, #2," in text
    assert "#11 and others)" in text
    assert "#12" not in text


def test_automated_changes_that_were_dropped_are_not_called_open() -> None:
    bumps = [pull(f"Bump lib{n} from 1 to 2", by="renovate[bot]", bot=True, state="closed") for n in (1, 2)]
    text = told(*bumps)
    assert "Two automated pull requests by the bot renovate were closed without a merge" in text
    assert "open" not in text
