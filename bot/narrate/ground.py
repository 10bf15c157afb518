"""Every sentence is held against the facts it names before it may stand in an edition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from bot.model.edition import Fact, Grounding, Sentence
from bot.narrate.drafts import Draft
from bot.narrate.grounding import hold


@dataclass(slots=True)
class Tally:
    """How sentences fared;"""

    sentences: int = 0
    kept: int = 0
    replaced: int = 0
    dropped: int = 0

    def grounding(self, before: Grounding) -> Grounding:
        return replace(
            before,
            sentences=before.sentences + self.sentences,
            kept=before.kept + self.kept,
            replaced=before.replaced + self.replaced,
            dropped=before.dropped + self.dropped,
        )


def grounded(drafts: Iterable[Draft], facts: Mapping[str, Fact], tally: Tally) -> tuple[Sentence, ...]:
    """The drafts that their facts bear, a simpler form where only that is borne, nothing where none is."""
    sentences: list[Sentence] = []
    for draft in drafts:
        tally.sentences += 1
        told = _borne(draft, facts)
        if not told:
            tally.dropped += 1
        elif told == [_sentence(draft, facts)]:
            tally.kept += 1
        else:
            tally.replaced += 1
        sentences += told
    return tuple(sentences)


def _borne(draft: Draft, facts: Mapping[str, Fact]) -> list[Sentence]:
    sentence = _sentence(draft, facts)
    if draft.given or draft.source == "editor" or hold(sentence, facts).supported:
        return [sentence]
    return [told for simpler in draft.simpler for told in _borne(simpler, facts)]


def _sentence(draft: Draft, facts: Mapping[str, Fact]) -> Sentence:
    return Sentence(
        text=draft.text,
        references=draft.references,
        facts=tuple(key for key in draft.facts if key in facts),
        source=draft.source,
        paragraph=draft.paragraph,
    )
