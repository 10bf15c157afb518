"""Moderators' changes to an edition: found again after a rebuild, whatever stands around them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from bot.model.edition import (
    Community,
    Edition,
    ExternalContributor,
    Fact,
    GuildName,
    Highlight,
    Item,
    Section,
    Sentence,
    to_json,
)
from bot.model.schedule import Period
from bot.publish.revisions import COMMUNITY, DROP, MOVE, NOTE, TEXT, items_of, paragraphs_of, revise

WEEK = Period(datetime(2030, 5, 6, tzinfo=UTC), datetime(2030, 5, 13, tzinfo=UTC))
A, B, C = "acme/anvil#1", "acme/anvil#2", "acme/anvil#3"
TALK = Highlight(
    message_ids=(50, 51),
    channel="general",
    channel_id=7,
    authors=("Anna",),
    author_ids=(8,),
    excerpt="The slipway is open",
    url="https://discord.com/channels/1/7/50",
)


def _item(reference: str) -> Item:
    url = f"https://github.com/{reference.replace('#', '/pull/')}"
    return Item(reference=reference, kind="pull_request", title=f"Title of {reference}", url=url, state="merged")


def _said(text: str, *references: str, paragraph: int = 0, facts: tuple[str, ...] = ()) -> Sentence:
    return Sentence(text=text, references=references, facts=(*references, *facts), paragraph=paragraph)


def _edition() -> Edition:
    boats = Section(
        key="boats",
        title="Boats",
        items=(_item(A), _item(B)),
        narrative=(_said("A was merged.", A), _said("B too.", B), _said("Both at once.", A, B, paragraph=1)),
    )
    birds = Section(key="birds", title="Birds", items=(_item(C),), narrative=(_said("C flew.", C),))
    community = Community(
        available=True,
        highlights=(TALK,),
        narrative=(_said("People spoke of the slipway.", facts=("message/50",)), _said("Nobody left.", paragraph=1)),
        external_contributors=(
            ExternalContributor(login="eve", merged=(A,)),
            ExternalContributor(login="ann", merged=(A, C)),
        ),
    )
    facts = {"message/50": Fact(text="The slipway is open"), A: Fact(text="a")}
    return Edition(
        guild=GuildName(id=1, name="Acme"),
        title="Week",
        layout="themes",
        period=WEEK,
        facts=facts,
        sections=(boats, birds),
        community=community,
    )


def _texts(edition: Edition, key: str) -> list[str]:
    return [paragraph.text for paragraph in paragraphs_of(to_json(edition)) if paragraph.section == key]


def _rewritten(edition: Edition, key: str, text: str, *, holding: str) -> tuple[str, dict[str, Any]]:
    (old,) = [each for each in paragraphs_of(to_json(edition)) if each.section == key and holding in each.text]
    return TEXT, {"section": key, "anchor": list(old.anchor), "before": old.text, "text": text}


def test_a_rewritten_paragraph_takes_the_place_of_the_old_one_and_is_the_editors() -> None:
    edition = _edition()
    revised = revise(edition, [_rewritten(edition, "boats", "Boats\nmove.\n\nAnd how!", holding="B too")])
    assert _texts(revised, "boats") == ["Boats move.", "And how!", "Both at once."]
    assert [sentence.source for sentence in revised.sections[0].narrative] == ["editor", "editor", "extractive"]
    assert revised.sections[0].narrative[0].references == (A, B)


def test_a_rewritten_paragraph_is_found_after_a_rebuild_by_what_it_is_about() -> None:
    edition = _edition()
    edit = _rewritten(edition, "birds", "C is a gull.", holding="flew")
    worded = replace(
        edition.sections[1], narrative=(_said("News.", "acme/anvil#9"), _said("C soared high.", C, paragraph=1))
    )
    rebuilt = replace(edition, sections=(edition.sections[0], worded))
    assert _texts(revise(rebuilt, [edit]), "birds") == ["News.", "C is a gull."]


def test_a_text_whose_paragraph_is_gone_is_kept_at_the_end() -> None:
    edition = _edition()
    edit = _rewritten(edition, "birds", "C is a gull.", holding="flew")
    without = replace(edition, sections=(edition.sections[0],))
    assert _texts(revise(without, [edit]), COMMUNITY)[-1] == "C is a gull."


def test_an_emptied_paragraph_is_left_out_and_edits_build_on_each_other() -> None:
    edition = _edition()
    first = _rewritten(edition, "birds", "C is a gull.", holding="flew")
    revised = revise(edition, [first])
    second = _rewritten(revised, "birds", "C is a tern.", holding="gull")
    assert _texts(revise(edition, [first, second]), "birds") == ["C is a tern."]
    assert _texts(revise(edition, [first, _rewritten(revised, "birds", " ", holding="gull")]), "birds") == []


def test_a_dropped_item_is_gone_from_everything_that_told_of_it() -> None:
    revised = revise(_edition(), [(DROP, {"value": A})])
    assert [item.reference for section in revised.sections for item in section.items] == [B, C]
    assert _texts(revised, "boats") == ["B too."]
    assert [(each.login, each.merged) for each in revised.community.external_contributors] == [("ann", (C,))]
    assert [section.key for section in revise(revised, [(DROP, {"value": B})]).sections] == ["birds"]


def test_a_dropped_conversation_is_quoted_nowhere() -> None:
    edition = _edition()
    assert [each.value for each in items_of(to_json(edition))][-1] == "message/50"
    revised = revise(edition, [(DROP, {"value": "message/50"})])
    assert revised.community.highlights == () and _texts(revised, COMMUNITY) == ["Nobody left."]
    assert "message/50" not in revised.facts


def test_a_moved_item_takes_its_sentences_along() -> None:
    revised = revise(_edition(), [(MOVE, {"value": B, "section": "birds", "title": "Birds"})])
    assert [item.reference for item in revised.sections[1].items] == [C, B]
    assert _texts(revised, "birds") == ["C flew.", "B too."]
    assert _texts(revised, "boats") == ["A was merged.", "Both at once."]


def test_an_item_moves_to_a_section_that_the_edition_does_not_have_yet() -> None:
    revised = revise(_edition(), [(MOVE, {"value": C, "section": "fish", "title": "Fish"})])
    assert [(section.key, section.title) for section in revised.sections] == [("boats", "Boats"), ("fish", "Fish")]


def test_what_is_not_there_any_more_changes_nothing() -> None:
    edition = _edition()
    gone: list[tuple[str, dict[str, Any]]] = [
        (DROP, {"value": "acme/anvil#99"}),
        (MOVE, {"value": "acme/anvil#99", "section": "birds", "title": "Birds"}),
        ("a kind of tomorrow", {"x": 1}),
    ]
    assert revise(edition, gone) == edition


def test_the_last_editors_note_stands_first() -> None:
    revised = revise(_edition(), [(NOTE, {"text": "One"}), (NOTE, {"text": "Two\n\nThree"})])
    assert _texts(revised, COMMUNITY)[:3] == ["Two", "Three", "People spoke of the slipway."]
    assert "Two" not in _texts(revise(revised, [(NOTE, {"text": ""})]), COMMUNITY)
