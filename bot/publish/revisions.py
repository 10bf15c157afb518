"""Moderators' changes to an edition, as pure functions. What a moderator wrote is kept however the rest changes.

A change names what it concerns by what that is about, not by where it stood: an edited paragraph finds its place
by its wording or else by the items and facts it tells of, an item by its reference.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import groupby
from typing import Any

from bot.model.edition import Edition, ExternalContributor, Item, Section, Sentence

TEXT, DROP, MOVE, NOTE = "text", "drop", "move", "note"
APPROVE, HOLD = "approve", "hold"
"""A moderator's word on whether the edition of a period may be posted; of several the last counts."""
COMMUNITY = ""
"""The key that stands for the community's part."""

Paragraphs = list[list[Sentence]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """A paragraph of a stored edition. `anchor`: the references and facts that it tells of."""

    section: str
    title: str
    text: str
    anchor: tuple[str, ...]

    @property
    def mark(self) -> str:
        """A short name for just this text in just this section."""
        return blake2b(f"{self.section}/{self.text}".encode(), digest_size=6).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """An item or a conversation of a stored edition, as a list shows it. `value` names it in a change."""

    value: str
    label: str
    section: str


def paragraphs_of(document: Mapping[str, Any]) -> list[Paragraph]:
    """The paragraphs of an edition (`gazette.edition/1`) in the order in which they are read."""
    groups = [(COMMUNITY, "Community", document["community"])]
    groups += [(section["key"], section["title"], section) for section in document["sections"]]
    found = []
    for key, title, group in groups:
        for _, sentences in groupby(group["narrative"], key=lambda sentence: sentence["paragraph"]):
            told = list(sentences)
            anchor = dict.fromkeys(name for each in told for name in (*each["references"], *each["facts"]))
            text = " ".join(each["text"] for each in told)
            found.append(Paragraph(section=key, title=title, text=text, anchor=tuple(anchor)))
    return found


def items_of(document: Mapping[str, Any], *, conversations: bool = True) -> list[Listed]:
    """The items and, if wanted, the conversations of an edition, section by section."""
    found = [
        Listed(value=item["reference"], label=f"{_number(item['reference'])} {item['title']}", section=section["title"])
        for section in document["sections"]
        for item in section["items"]
    ]
    if conversations:
        highlights = [*document["community"]["highlights"]]
        highlights += [each for section in document["sections"] for each in section["highlights"]]
        told = {each["message_ids"][0]: each for each in highlights if each["message_ids"]}
        found += [
            Listed(value=f"message/{first}", label=f"#{each['channel']}: {each['excerpt']}", section="Conversations")
            for first, each in told.items()
        ]
    return list({each.value: each for each in found}.values())


def _number(reference: str) -> str:
    repository, _, number = reference.partition("#")
    return f"{repository.rpartition('/')[2]}#{number}"


def revise(edition: Edition, edits: Iterable[tuple[str, Mapping[str, Any]]]) -> Edition:
    """The edition with the changes (kind, data) made to it, the earliest first. An unknown kind changes nothing."""
    for kind, data in edits:
        if change := _CHANGES.get(kind):
            edition = change(edition, data)
    return edition


# -- the kinds of change


def _text(edition: Edition, data: Mapping[str, Any]) -> Edition:
    def replaced(narrative: Sequence[Sentence]) -> tuple[Sentence, ...]:
        paragraphs = _paragraphs(narrative)
        at = _place(paragraphs, str(data["before"]), set(data["anchor"]))
        old = [] if at is None else paragraphs[at]
        references = tuple(dict.fromkeys(name for sentence in old for name in sentence.references))
        facts = tuple(dict.fromkeys(name for sentence in old for name in sentence.facts))
        new = [
            [Sentence(text=text, references=references, facts=facts, source="editor")]
            for text in _written(str(data["text"]))
        ]
        at = len(paragraphs) if at is None else at
        return _flat([*paragraphs[:at], *new, *paragraphs[at + 1 :]])

    return _in_section(edition, str(data["section"]), replaced)


def _place(paragraphs: Paragraphs, before: str, anchor: set[str]) -> int | None:
    """The paragraph that was meant: the one with the same wording, else the one that tells of most of the same."""
    for number, sentences in enumerate(paragraphs):
        if " ".join(sentence.text for sentence in sentences) == before:
            return number
    shared = [len(anchor & _anchor(sentences)) for sentences in paragraphs]
    best = max(shared, default=0)
    return shared.index(best) if best else None


def _drop(edition: Edition, data: Mapping[str, Any]) -> Edition:
    kind, _, message = str(data["value"]).partition("/")
    if kind == "message" and message.isdecimal():
        return _drop_conversation(edition, int(message))
    reference = str(data["value"])

    def gone(narrative: Sequence[Sentence]) -> tuple[Sentence, ...]:
        return tuple(sentence for sentence in narrative if reference not in sentence.references)

    community = edition.community
    return replace(
        edition,
        sections=_without_empty(
            replace(
                section,
                items=tuple(item for item in section.items if item.reference != reference),
                narrative=gone(section.narrative),
            )
            for section in edition.sections
        ),
        community=replace(
            community,
            narrative=gone(community.narrative),
            external_contributors=tuple(
                left for each in community.external_contributors if (left := _without(each, reference)) is not None
            ),
        ),
        omitted=tuple(name for name in edition.omitted if name != reference),
    )


def _without(contributor: ExternalContributor, reference: str) -> ExternalContributor | None:
    """The contributor without the item; None where nothing else is told of them."""

    def rest(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name for name in names if name != reference)

    left = replace(
        contributor, merged=rest(contributor.merged), open=rest(contributor.open), closed=rest(contributor.closed)
    )
    return left if left == contributor or left.merged or left.open or left.closed else None


def _drop_conversation(edition: Edition, message_id: int) -> Edition:
    found = [edition.community.highlights, *(section.highlights for section in edition.sections)]
    gone = {each for highlights in found for h in highlights if message_id in h.message_ids for each in h.message_ids}
    facts = {f"message/{each}" for each in gone}
    urls = {h.url for highlights in found for h in highlights if message_id in h.message_ids}

    def told(narrative: Sequence[Sentence]) -> tuple[Sentence, ...]:
        return tuple(
            sentence
            for sentence in narrative
            if not facts & set(sentence.facts) and not any(url in sentence.text for url in urls)
        )

    community = edition.community
    return replace(
        edition,
        facts={key: fact for key, fact in edition.facts.items() if key not in facts},
        sections=_without_empty(
            replace(
                section,
                highlights=tuple(each for each in section.highlights if message_id not in each.message_ids),
                narrative=told(section.narrative),
            )
            for section in edition.sections
        ),
        community=replace(
            community,
            highlights=tuple(each for each in community.highlights if message_id not in each.message_ids),
            narrative=told(community.narrative),
        ),
    )


def _move(edition: Edition, data: Mapping[str, Any]) -> Edition:
    reference, key = str(data["value"]), str(data["section"])
    source = next((each for each in edition.sections if any(i.reference == reference for i in each.items)), None)
    if source is None or source.key == key:
        return edition
    item = next(each for each in source.items if each.reference == reference)
    moved = tuple(sentence for sentence in source.narrative if sentence.references[:1] == (reference,))
    sections = [_taken(each, item, moved) if each is source else each for each in edition.sections]
    if all(each.key != key for each in sections):
        sections.append(Section(key=key, title=str(data["title"])))
    return replace(
        edition, sections=_without_empty(_given(each, item, moved) if each.key == key else each for each in sections)
    )


def _taken(section: Section, item: Item, moved: tuple[Sentence, ...]) -> Section:
    return replace(
        section,
        items=tuple(each for each in section.items if each is not item),
        narrative=tuple(sentence for sentence in section.narrative if sentence not in moved),
    )


def _given(section: Section, item: Item, moved: tuple[Sentence, ...]) -> Section:
    narrative = _flat([*_paragraphs(section.narrative), *([list(moved)] if moved else [])])
    activity = "normal" if section.activity == "none" else section.activity
    return replace(section, items=(*section.items, item), narrative=narrative, activity=activity)


def _note(edition: Edition, data: Mapping[str, Any]) -> Edition:
    """The editor's note stands first of all; a later one takes the place of an earlier one."""
    paragraphs = _paragraphs(edition.community.narrative)
    old = [each for each in paragraphs if not (each[0].source == "editor" and each[0].facts == (_NOTE_FACT,))]
    new = [[Sentence(text=text, facts=(_NOTE_FACT,), source="editor")] for text in _written(str(data["text"]))]
    return replace(edition, community=replace(edition.community, narrative=_flat([*new, *old])))


_NOTE_FACT = "editor/note"
_CHANGES: dict[str, Callable[[Edition, Mapping[str, Any]], Edition]] = {
    TEXT: _text,
    DROP: _drop,
    MOVE: _move,
    NOTE: _note,
}


# -- paragraphs


def _paragraphs(narrative: Sequence[Sentence]) -> Paragraphs:
    return [list(sentences) for _, sentences in groupby(narrative, key=lambda sentence: sentence.paragraph)]


def _flat(paragraphs: Paragraphs) -> tuple[Sentence, ...]:
    return tuple(replace(sentence, paragraph=n) for n, each in enumerate(paragraphs) for sentence in each)


def _anchor(sentences: Sequence[Sentence]) -> set[str]:
    return {name for sentence in sentences for name in (*sentence.references, *sentence.facts)}


def _written(text: str) -> list[str]:
    """What somebody typed as paragraphs, each on one line; empty lines part them."""
    blocks = re.split(r"\n\s*\n", text.replace("\r\n", "\n"))
    return [line for block in blocks if (line := " ".join(block.split()))]


def _in_section(edition: Edition, key: str, change: Callable[[Sequence[Sentence]], tuple[Sentence, ...]]) -> Edition:
    if key == COMMUNITY or all(section.key != key for section in edition.sections):
        return replace(edition, community=replace(edition.community, narrative=change(edition.community.narrative)))
    return replace(
        edition,
        sections=tuple(
            replace(section, narrative=change(section.narrative)) if section.key == key else section
            for section in edition.sections
        ),
    )


def _without_empty(sections: Iterable[Section]) -> tuple[Section, ...]:
    return tuple(each for each in sections if each.items or each.highlights or each.narrative or each.epic)
