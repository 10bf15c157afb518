"""Paragraphs of a guild's published editions, to show a language model how the guild writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, groupby, zip_longest
from typing import Any

from bot.model.edition import Edition
from bot.narrate.model_prompt import LONGEST_EXAMPLE, unlinked
from bot.store.editions import earlier_documents
from bot.store.engine import Store

MOST = 3
"""Paragraphs that are shown at most, from so many editions."""


async def own_paragraphs(store: Store, edition: Edition) -> tuple[str, ...]:
    """Up to three paragraphs of earlier editions as they were published, the latest edition's first."""
    async with store.read() as connection:
        documents = await earlier_documents(connection, edition.guild.id, edition.period.start, limit=MOST)
    return chosen_paragraphs(documents)


def chosen_paragraphs(documents: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """The longest paragraphs that are short enough to be shown whole, in turn from each edition."""
    ranked = [sorted(_paragraphs(document), key=len, reverse=True) for document in documents]
    in_turn = chain.from_iterable(zip_longest(*ranked))
    return tuple(paragraph for paragraph in in_turn if paragraph)[:MOST]


def _paragraphs(document: Mapping[str, Any]) -> Iterator[str]:
    """An edition's paragraphs of two sentences or more, without links."""
    for section in document.get("sections", ()):
        for _, told in groupby(section.get("narrative", ()), key=lambda one: one.get("paragraph", 0)):
            sentences = [unlinked(one["text"]) for one in told]
            text = " ".join(sentences)
            if len(sentences) > 1 and len(text) <= LONGEST_EXAMPLE:
                yield text
