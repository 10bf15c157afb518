"""The narrative of an edition, as a reader would meet it."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest

from bot.model.edition import ComingEvent, ExternalContributor, Section, SharedLink
from bot.narrate.edition import narrate
from tests.narrate_fixtures import (
    REPOSITORY,
    SETTINGS,
    START,
    community,
    conversation,
    edition,
    epic,
    issue,
    message,
    newcomer,
    pull,
    sentences,
    settings,
    words,
)


def told(*items: object, **more: object) -> str:
    return words(narrate(edition(*items, **more), SETTINGS))  # type: ignore[arg-type]


# --- pull requests and issues ------------------------------------------------------------------------------------


def test_items_of_one_author_and_topic_are_joined_in_one_sentence() -> None:
    text = told(
        pull("[cache] Add eviction", number=1),
        pull("[cache] Drop the old locks", number=2),
        pull("[cache] Rename keys", number=3),
    )
    assert "In the cache, ann added eviction (#1), dropped the old locks (#2) and renamed keys (#3)." in text


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (pull("Add a tile", number=1), "ann added a tile (#1)."),
        (pull("Add a tile", number=1, state="open"), "ann proposed to add a tile (#1)."),
        (pull("Add a tile", number=1, state="draft"), "ann drafted a change to add a tile (#1)."),
        (
            pull("Add a tile", number=1, state="closed"),
            "A pull request by ann to add a tile (#1) was closed without a merge.",
        ),
        (issue("Add a tile", number=1), "ann opened an issue to add a tile (#1)."),
        (issue("Tiles are slow on start", number=1), "ann reported that tiles are slow on start (#1)."),
        (issue("Slow tiles", number=1), "ann opened the issue “Slow tiles” (#1)."),
        (issue("Add a tile", number=1, labels=("experiment",)), "ann opened an experiment to add a tile (#1)."),
        (issue("Add a tile", number=1, state="closed"), "ann’s request to add a tile (#1) was closed."),
        (
            issue("Add a tile", number=1, state="closed", closed_by="bob"),
            "bob closed the request to add a tile (#1).",
        ),
        (pull("Add a tile", number=1, by=None), "An author whose account is gone added a tile (#1)."),
        (pull("Add a tile", number=1, by="helper", credited="bob"), "bob added a tile (#1)."),
    ],
)
def test_state_and_credit_are_told_in_plain_words(item: object, expected: str) -> None:
    assert expected in told(item)


def test_people_are_named_as_the_settings_say() -> None:
    items = edition(pull("Add a tile", by="kito", name="Kim Ito"))
    assert words(narrate(items, settings(edition={"credit": "name"}))).startswith("Kim Ito added")
    assert words(narrate(items, settings(edition={"credit": "login"}))).startswith("kito added")


def test_an_agent_of_the_team_is_said_to_work_for_it() -> None:
    text = words(narrate(edition(pull("Add a tile", by="weaver")), settings(github={"agents": {"weaver": ""}})))
    assert "weaver, working for the team, added a tile" in text


def test_figures_of_body_and_comments_are_kept_one_clause_a_sentence() -> None:
    body = "Rendering 10,000 rows takes 93 ms instead of 812 ms; memory stays at 40 MiB. Follow-up to earlier work."
    result = narrate(
        edition(pull("Cache templates", body, said=[("bob", "Measured again: 91 ms on 12 machines.")])), SETTINGS
    )
    text = words(result)
    for figure in ("10,000", "93 ms", "812 ms", "40 MiB", "91 ms", "12 machines"):
        assert figure in text
    assert not any("812" in s.text and "40 MiB" in s.text for s in sentences(result))
    assert "bob" in text


def test_a_sentence_names_the_facts_it_rests_on() -> None:
    result = narrate(
        edition(pull("Cache templates", "It takes 93 ms.", number=7, said=[("bob", "It is 91 ms.")])), SETTINGS
    )
    for sentence in sentences(result):
        known = "".join(result.facts[key].text for key in sentence.facts)
        assert sentence.facts
        for figure in re.findall(r"\d+ ms", sentence.text):
            assert figure in known


def test_a_closed_issue_goes_with_what_closes_it() -> None:
    text = told(
        issue("Retry fails after a restart", number=1, state="closed", by="bob"),
        pull("Retry lost uploads", number=2, closes=(f"{REPOSITORY}#1",)),
    )
    assert "ann retried lost uploads (#2, closing #1 reported by bob)" in text


def test_an_open_fix_is_only_meant_to_close() -> None:
    text = told(
        issue("Retry fails after a restart", number=1, by="bob"),
        pull("Retry lost uploads", number=2, state="open", body="Fixes #1"),
    )
    assert "(#2, meant to close #1)" in text
    assert "bob reported that" in text


def test_what_was_said_is_credited_to_who_said_it() -> None:
    text = told(
        issue("Slow start", number=1, events=(), said=[("bob", "Pinned the exact commit of the loader.")]),
        issue("Slow stop", number=2, events=(), said=[("cem", "I think we should wait for 3 more reports.")]),
    )
    assert "On the issue “Slow start” (#1), bob pinned the exact commit of the loader." in text
    assert "cem wrote: “I think we should wait for 3 more reports.”" in text


def test_automated_changes_are_counted_together() -> None:
    bumps = [pull(f"Bump {name} from 1 to 2", by="renovate[bot]", bot=True) for name in ("left", "right", "middle")]
    text = told(*bumps, pull("Add a tile"))
    assert "Three automated pull requests by the bot renovate were merged" in text
    assert "upgrades of left, right and middle" in text


def test_what_an_earlier_edition_left_open_is_followed_up() -> None:
    text = told(pull("Add a tile", number=1, continues="opened", created_at=START - timedelta(days=3)))
    assert "Following last week's pull request, ann added a tile (#1)." in text
    text = told(issue("Tiles crash", number=1, state="closed", closed_by="bob", continues="announced"))
    assert "Following up on an earlier edition, bob closed" in text


def test_a_draft_of_earlier_weeks_is_not_drafted_again() -> None:
    again = [pull(title, number=n, state="draft", events=("commented",)) for n, title in ((1, "Add a tile"), (2, "縞"))]
    text = told(*again)
    assert "ann still has a draft open to add a tile (#1) and still has “縞” (#2) in draft." in text


def test_a_title_that_may_be_a_command_with_an_unknown_verb_is_quoted() -> None:
    assert "ann submitted “zorble the seams” (#1) for review." in told(
        pull("feat(land): zorble the seams", number=1, state="open")
    )
    assert "The pull request “hot reload of shaders” (#2) by ann was closed without a merge." in told(
        pull("feat: hot reload of shaders", number=2, state="closed")
    )


def test_what_is_said_in_another_language_is_quoted_without_an_english_word_in_it() -> None:
    text = told(
        pull("Deduplicador para cadastros", "Duplicatas caem de 11,2% para 3,4%.", number=1),
        issue("Erster Aufruf ist langsam", number=2, said=[("bob", "Erster Aufruf dauert 120 ms.")]),
    )
    assert "“Duplicatas caem de 11,2% para 3,4%.”" in text
    assert "“Erster Aufruf dauert 120 ms.”" in text


def test_a_report_that_begins_in_passing_is_quoted() -> None:
    text = told(
        issue("Slow", number=1, events=(), said=[("bob", "Almost there, 12 seams remain at the corners of 48 tiles.")])
    )
    assert "bob wrote: “Almost there, 12 seams remain at the corners of 48 tiles.”" in text


@pytest.mark.parametrize(
    "item", [pull("", ""), pull("###", "---"), issue("?", "<!-- -->"), pull("a" * 300, "b" * 3000)]
)
def test_an_item_that_says_nothing_is_still_linked(item: object) -> None:
    result = narrate(edition(item), SETTINGS)  # type: ignore[arg-type]
    assert item.url in "".join(s.text for s in sentences(result))  # type: ignore[attr-defined]


def test_a_title_of_another_language_is_quoted_not_bent() -> None:
    text = told(pull("Ajouter la pagination aux listes", number=1), pull("修复登录错误", number=2))
    assert "“Ajouter la pagination aux listes” (#1)" in text
    assert "“修复登录错误” (#2)" in text


def test_a_short_change_is_told_with_its_topic() -> None:
    assert "In the tokenizer, ann handled CRLF (#1)." in told(pull("tokenizer: handle CRLF", number=1))
    assert "“API v2: breaking changes” (#2)" in told(pull("API v2: breaking changes", number=2))


def test_another_repository_is_named_in_the_link() -> None:
    item = pull("Add a tile", number=5)
    other = type(item)(**{**{n: getattr(item, n) for n in item.__slots__}, "reference": "acme/engine#5"})
    assert "(engine#5)" in told(other)


def test_nobodys_gender_is_guessed() -> None:
    many = [pull(f"[cache] Add thing {n}", f"It is {n} times faster.", by=f"dev{n % 3}") for n in range(2, 40)]
    talk = community([newcomer(n, f"P{n}", "I cache things in a lab") for n in range(20)], silent=3)
    assert not re.search(r"\b(?:he|she|his|her|hers|him|himself|herself)\b", told(*many, community=talk), re.IGNORECASE)


# --- epics ---------------------------------------------------------------------------------------------------------


def epics(*sections: Section) -> str:
    return words(narrate(edition(sections=sections, layout="epics"), SETTINGS))


def test_an_epic_tells_its_summary_what_was_merged_and_what_was_said() -> None:
    section = Section(
        key="e1",
        title="Speed",
        epic=epic(
            1, "Speed", "Goal: serve 500 users by June. Details follow.", [("bob", "Reached 312 users at 40 ms.")]
        ),
        items=(pull("Cache pages", number=2), pull("Pool sockets", number=3, by="cem")),
    )
    result = narrate(edition(sections=[section], layout="epics"), SETTINGS)
    assert result.sections[0].epic is not None
    assert "Goal: serve 500 users by June" in result.sections[0].epic.summary
    assert "Two pull requests by ann and cem were merged for this epic (#1)." in words(result)
    assert "bob" in words(result)
    assert "312" in words(result)


def test_light_activity_is_said_with_what_happened() -> None:
    section = Section(
        key="e1",
        title="Speed",
        epic=epic(1, "Speed"),
        activity="light",
        items=(issue("Which cache?", number=2, events=(), said=[("bob", "The small one gains 3 of 4 points.")]),),
    )
    assert epics(section).startswith("Light activity this week (#1).")
    assert "3 of 4 points" in epics(section)


# --- the community -------------------------------------------------------------------------------------------------


def test_external_contributors_are_told_with_what_their_changes_do() -> None:
    text = told(
        pull("Retry lost uploads", number=1, by="eve", external=True),
        pull("Reject empty names", number=2, by="eve", external=True, state="open"),
        community=community(
            external_contributors=(
                ExternalContributor(
                    login="eve", merged=(f"{REPOSITORY}#1",), open=(f"{REPOSITORY}#2",), first_time=True
                ),
            )
        ),
    )
    assert "One person from outside the team contributed this week." in text
    assert "eve, contributing for the first time, retried lost uploads (#1, merged)" in text
    assert "to reject empty names (#2, open)" in text


def test_several_open_changes_of_a_contributor_are_several_pull_requests() -> None:
    numbers = {"eve": (1, 2), "fay": (3, 4), "gus": (5, 6)}
    text = told(
        *(
            pull(f"Reject names of {number} letters", number=number, by=who, external=True, state="open")
            for who, theirs in numbers.items()
            for number in theirs
        ),
        community=community(
            external_contributors=tuple(
                ExternalContributor(login=who, open=tuple(f"{REPOSITORY}#{number}" for number in theirs))
                for who, theirs in numbers.items()
            )
        ),
    )
    assert "opened pull requests to reject" in text
    assert "opened a pull request" not in text


def test_a_conversation_is_told_in_its_channel_and_credited_to_each() -> None:
    talk = conversation(
        message(1, "Di", "What is the best way to deploy this on ARM?"),
        message(2, "Ed", "Use the arm64 image, it works since 2.3."),
        message(3, "Fay", "Agreed. It also starts twice as fast here."),
        message(4, "Di", "thx!"),
        channel="ops",
    )
    text = told(community=community(highlights=(talk,)))
    assert "In #ops, Di asked: “What is the best way to deploy this on ARM?”" in text
    assert "Ed replied: “Use the arm64 image, it works since 2.3.”" in text
    assert "Fay agreed: “It also starts twice as fast here.”" in text
    assert "thx" not in text


def test_what_members_hide_or_shout_does_not_reach_a_sentence() -> None:
    hostile = conversation(
        message(
            1,
            "Ann",
            "ok\n# BIG\n> fake\n@everyone the ||secret plan|| is out. We ship on Friday at noon!\n```\nrm -rf\n```",
        )
    )
    text = told(
        pull("Add a tile", "||hidden 42|| numbers. # Loud\n<img src=x onerror=alert(1)>"),
        community=community([newcomer(5, "Zed", "I build tiles, ||my secret||")], highlights=(hostile,)),
    )
    for forbidden in ("secret", "@everyone", "rm -rf", "hidden", "fake", "onerror", "\n#"):
        assert forbidden not in text
    assert "We ship on Friday at noon!" in text


def test_a_moderators_words_stand_as_they_were_written() -> None:
    talk = conversation(message(1, "Ivy", "raw"), rewrite="Ivy showed a demo that runs in 3 ms.", note="Worth a look")
    result = narrate(edition(community=community(highlights=(talk,))), SETTINGS)
    editor = [s for s in result.community.narrative if s.source == "editor"]
    assert editor[0].text.startswith("Ivy showed a demo that runs in 3 ms.")
    assert any("Worth a look" in s.text for s in editor)
    assert "raw" not in words(result)


def test_addresses_become_short_links_within_a_quotation_and_before_it() -> None:
    inside = conversation(message(1, "Gus", "The slides are at <https://example.org/a_(b)> and worth an hour."))
    before = conversation(
        message(2, "Hal", f"https://github.com/{REPOSITORY}/issues/9\nPlease try it on your own machine.")
    )
    result = narrate(edition(pull("Add a tile", number=9), community=community(highlights=(inside, before))), SETTINGS)
    slides, tile = (s.text for s in result.community.narrative)
    assert "“The slides are at [example.org](https://example.org/a_(b)) and worth an hour.”" in slides
    assert (
        f"Hal pointed to [#9](https://github.com/{REPOSITORY}/issues/9): “Please try it on your own machine.”" in tile
    )


def test_newcomers_are_named_for_what_meets_the_work_in_their_own_words() -> None:
    people = [
        newcomer(1, "Bea", "bea, cache engineer at a startup. hi!"),
        newcomer(2, "Gil", "I like long walks"),
        newcomer(3, "Ona", "PhD student, thinking about caches all day"),
    ]
    text = told(pull("[cache] Add eviction"), pull("[cache] Drop locks"), community=community(people, silent=2))
    assert "Three people introduced themselves and two more joined silently." in text
    assert "Bea (“cache engineer at a startup”)" in text
    assert "Ona" in text
    assert "Gil" not in text


def test_of_few_newcomers_some_are_named_even_where_nobodys_words_meet_the_work() -> None:
    one = newcomer(1, "Gil", "Hi! I repair accordions in Cork")
    two = newcomer(2, "Ona", "大学院生で、普段は織物を研究しています。")
    assert "They are Gil (“I repair accordions in Cork”) and Ona" in told(community=community([one, two]))
    assert "It was Gil (“I repair accordions in Cork”)." in told(community=community([one]))


def test_a_question_with_a_version_in_it_is_asked_and_a_short_reply_in_another_script_is_told() -> None:
    asked = conversation(message(1, "Ann", "Should 0.10 drop OpenGL?"), message(2, "Bo", "はい、賛成です。"))
    text = told(community=community(highlights=(asked,)))
    assert "Ann asked: “Should 0.10 drop OpenGL?”" in text
    assert "Bo replied: “はい、賛成です。”" in text


def test_links_and_coming_events_are_told_with_their_people() -> None:
    text = told(
        community=community(
            shared_links=(
                SharedLink(url="https://example.org/p", title="A [b] | c", channel="dev", author="Gus", message_id=8),
            ),
            events=(
                ComingEvent(what="Panel on Sept 1, come!", date=date(2026, 9, 1), announced_by="Ann", message_id=1),
            ),
        )
    )
    assert "Gus shared A (b) | c in #dev." in text
    assert "Still to come on September 1st, as announced by Ann: “Panel on Sept 1, come!”" in text


def test_several_days_of_one_announcement_are_told_together() -> None:
    days = (date(2026, 9, 1), date(2026, 9, 8))
    events = tuple(
        ComingEvent(what="Panels on Sept 1 and 8", date=day, announced_by="Ann", message_id=1) for day in days
    )
    text = told(community=community(events=events))
    assert "Still to come on September 1st and September 8th, as announced by Ann: “Panels on Sept 1 and 8.”" in text


# --- nothing, too much, not known ----------------------------------------------------------------------------------


@pytest.mark.parametrize("with_discord", [True, False])
def test_a_week_without_anything_is_a_valid_short_edition(with_discord: bool) -> None:
    result = narrate(edition(community=community() if with_discord else None), SETTINGS)
    assert words(result) == (
        "It was a quiet week: no messages were recorded, and nothing was merged, opened or discussed on GitHub."
        if with_discord
        else "It was a quiet week: nothing was merged, opened or discussed on GitHub."
    )


@pytest.mark.parametrize(("status", "said"), [("partial", "in full"), ("unavailable", "could not be read this week")])
def test_what_could_not_be_read_is_said_and_not_called_quiet(status: str, said: str) -> None:
    text = words(narrate(edition(community=community(), github=status), SETTINGS))
    assert said in text
    assert "quiet" not in text


@pytest.mark.parametrize("budget", [300, 600, 1000, 3500])
def test_the_budget_is_kept_and_what_it_costs_is_said(budget: int) -> None:
    many = [pull(f"Add thing {n}", f"It makes it {n} times faster.", by=f"dev{n % 7}", number=n) for n in range(2, 150)]
    talk = [conversation(message(n, "Ann", f"We found {n} ways to do this better. " * 4)) for n in range(1, 5)]
    result = narrate(
        edition(*many, community=community(silent=4, highlights=tuple(talk))), settings(narrative={"words": budget})
    )
    length = sum(len(s.text.split()) for s in sentences(result))
    assert length <= budget * 1.03
    named = {reference for s in sentences(result) for reference in s.references}
    assert named == {item.reference for item in many}
    assert bool(result.omitted) == any("left out here for length" in s.text for s in sentences(result))


def test_what_is_left_out_is_the_least_important() -> None:
    small = [pull(f"Tweak thing {n}", number=n, by=f"dev{n}") for n in range(2, 60)]
    large = pull("Rework the engine", "Throughput rises from 300 to 900 requests a second.", number=1, external=True)
    result = narrate(edition(*small, large), settings(narrative={"words": 200}))
    assert result.omitted
    assert large.reference not in result.omitted
    assert "900" in words(result)


def test_the_same_edition_is_told_the_same_way() -> None:
    made = edition(
        *[pull(f"[t{n % 4}] Add thing {n}", f"It takes {n} ms.", by=f"dev{n % 3}", number=n) for n in range(2, 50)],
        community=community([newcomer(1, "Bea", "thing engineer at a lab")], silent=2),
    )
    assert narrate(made, SETTINGS) == narrate(made, SETTINGS)
