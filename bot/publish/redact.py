"""An edition without what may not be told any more, where what it rests on is no longer there to make it anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
from bot.model.withdrawal import UNTITLED, Withdrawal


def without(edition: Edition, gone: Withdrawal) -> Edition:
    """The edition without these people and messages: whatever tells of them goes, figures stay as they were told.

    What is said of work on GitHub stays, also where it is by somebody of the same name: it comes from there.
    """
    gone = gone.with_words(_words(edition, gone))
    facts = {key: fact for key, fact in edition.facts.items() if _is_of_github(key) or not _tells(key, fact, gone)}
    return replace(
        edition,
        facts=facts,
        sections=tuple(_section(section, facts, gone) for section in edition.sections),
        community=_community(edition.community, facts, gone),
    )


def _words(edition: Edition, gone: Withdrawal) -> Iterator[str]:
    """What the edition itself quotes of them: it may stand there when it is stored nowhere else any more."""
    for highlight in (*edition.community.highlights, *(h for s in edition.sections for h in s.highlights)):
        yield from (each.text for each in highlight.messages if each.author_id in gone.user_ids)
        if set(highlight.author_ids) <= gone.user_ids or set(highlight.message_ids) <= gone.message_ids:
            yield highlight.excerpt
    yield from (each.excerpt for each in edition.community.introductions.people if _introduces(each, gone))
    for message_id in gone.message_ids:
        if fact := edition.facts.get(f"message/{message_id}"):
            yield fact.text.partition("\n\n")[2] or fact.text


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
            note=None if highlight.note and gone.is_in(highlight.note) else highlight.note,
            channel=UNTITLED if gone.is_in(highlight.channel) else highlight.channel,
            rewrite=None if highlight.rewrite and gone.is_in(highlight.rewrite) else highlight.rewrite,
        )
        for highlight in highlights
        if gone.message_ids.isdisjoint(highlight.message_ids)
        and gone.user_ids.isdisjoint(highlight.author_ids)
        and not any(gone.is_in(text) for text in (highlight.excerpt, *(each.text for each in highlight.messages)))
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
        if all(key in facts for key in sentence.facts)
        and ((sentence.facts and all(map(_is_of_github, sentence.facts))) or not gone.is_in(sentence.text))
    )


def _is_of_github(key: str) -> bool:
    return "#" in key


def _tells(key: str, fact: Fact, gone: Withdrawal) -> bool:
    return any(gone.is_in(text) for text in (key, fact.text, fact.url or ""))
