"""An edition without what may not be told any more, where what it rests on is no longer there to make it anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bot.model.edition import (
    ComingEvent,
    Community,
    Edition,
    Fact,
    Highlight,
    IntroducedPerson,
    Section,
    Sentence,
    SharedLink,
)
from bot.model.withdrawal import Withdrawal


def without(edition: Edition, gone: Withdrawal) -> Edition:
    """The edition without these people and messages: whatever tells of them goes, figures stay as they were told.

    What is said of work on GitHub stays, also where it is by somebody of the same name: it comes from there.
    """
    facts = {key: _fact(key, fact, gone) for key, fact in edition.facts.items() if not _is_message(key, gone)}
    return replace(
        edition,
        facts=facts,
        sections=tuple(_section(section, facts, gone) for section in edition.sections),
        community=_community(edition.community, facts, gone),
    )


def _section(section: Section, facts: Mapping[str, Fact], gone: Withdrawal) -> Section:
    return replace(
        section,
        items=tuple(
            replace(item, mentioned_in=tuple(each for each in item.mentioned_in if each not in gone.message_ids))
            for item in section.items
        ),
        highlights=_highlights(section.highlights, gone),
        narrative=_sentences(section.narrative, facts, gone),
    )


def _community(community: Community, facts: Mapping[str, Fact], gone: Withdrawal) -> Community:
    people = tuple(person for person in community.introductions.people if not _introduces(person, gone))
    silent = tuple(each for each in community.joins.silent_user_ids if each not in gone.user_ids)
    return replace(
        community,
        introductions=replace(community.introductions, people=people),
        joins=replace(community.joins, silent_user_ids=silent),
        highlights=_highlights(community.highlights, gone),
        shared_links=tuple(link for link in community.shared_links if not _shares(link, gone)),
        events=tuple(event for event in community.events if not _announces(event, gone)),
        narrative=_sentences(community.narrative, facts, gone),
    )


def _highlights(highlights: tuple[Highlight, ...], gone: Withdrawal) -> tuple[Highlight, ...]:
    return tuple(
        replace(
            highlight,
            tagged_by=tuple(each for each in highlight.tagged_by if each not in gone.user_ids),
            excerpt=gone.taken_out_of(highlight.excerpt),
            note=gone.taken_out_of(highlight.note) if highlight.note else highlight.note,
            messages=tuple(replace(each, text=gone.taken_out_of(each.text)) for each in highlight.messages),
        )
        for highlight in highlights
        if gone.message_ids.isdisjoint(highlight.message_ids) and gone.user_ids.isdisjoint(highlight.author_ids)
    )


def _introduces(person: IntroducedPerson, gone: Withdrawal) -> bool:
    return person.user_id in gone.user_ids or not gone.message_ids.isdisjoint(person.message_ids)


def _shares(link: SharedLink, gone: Withdrawal) -> bool:
    return link.message_id in gone.message_ids or link.author_id in gone.user_ids or link.author in gone.names


def _announces(event: ComingEvent, gone: Withdrawal) -> bool:
    return event.message_id in gone.message_ids or event.announced_by in gone.names


def _sentences(sentences: tuple[Sentence, ...], facts: Mapping[str, Fact], gone: Withdrawal) -> tuple[Sentence, ...]:
    """Those that rest only on what is still told, and that name nobody who is gone."""
    return tuple(
        sentence
        for sentence in sentences
        if all(not _is_message(key, gone) for key in sentence.facts)
        and (_is_of_github(sentence) or not gone.is_in(sentence.text))
    )


def _is_of_github(sentence: Sentence) -> bool:
    return bool(sentence.facts) and all("#" in key for key in sentence.facts)


def _is_message(key: str, gone: Withdrawal) -> bool:
    kind, _, number = key.partition("/")
    return kind == "message" and number.isdecimal() and int(number) in gone.message_ids


def _fact(key: str, fact: Fact, gone: Withdrawal) -> Fact:
    return fact if "#" in key else replace(fact, text=gone.taken_out_of(fact.text))
