"""What of an edition's document the public may see."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bot.model.text import hide_spoilers

_HIDDEN = frozenset({"silent_user_ids", "user_id", "author_id", "author_ids", "tagged_by", "coverage"})


def public_document(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document without whom it is about by id, who tagged what, and how it was read.

    Of the facts only those stay on which a sentence rests: the others are what members wrote and nobody told.
    What stood in spoilers is gone.
    """
    told = set(_facts_told(document))
    facts = {key: _public_fact(fact) for key, fact in document.get("facts", {}).items() if key in told}
    return {**{key: _without_hidden(value) for key, value in document.items() if key not in _HIDDEN}, "facts": facts}


def _without_hidden(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _without_hidden(inner) for key, inner in value.items() if key not in _HIDDEN}
    if isinstance(value, list):
        return [_without_hidden(inner) for inner in value]
    return value


def _public_fact(fact: Mapping[str, Any]) -> dict[str, Any]:
    return {**fact, "text": hide_spoilers(str(fact.get("text", "")))}


def _facts_told(document: Mapping[str, Any]) -> Iterator[str]:
    for part in (document.get("community") or {}, *document.get("sections", ())):
        for sentence in part.get("narrative", ()):
            yield from sentence.get("facts", ())
