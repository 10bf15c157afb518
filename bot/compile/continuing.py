"""What goes on from earlier editions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.model.edition import Item

_UNSETTLED = frozenset({"open", "draft"})
_SETTLES = frozenset({"merged", "closed"})


def continued(items: Sequence[Item], earlier: Sequence[Mapping[str, Any]]) -> list[Item]:
    """The items, those that settle what an earlier edition (`gazette.edition/1`) left open marked with what it said.

    "opened" where the earlier edition told of its opening, "announced" where it stood open there or a highlight
    of it spoke of the item. The latest of the earlier editions that knew the item decides. What an earlier edition
    told of the opening of and is only talked about now is marked too.
    """
    said = _said(sorted(earlier, key=lambda d: str(d.get("period", {}).get("end", ""))))
    return [
        replace(item, continues=said[item.reference.lower()])
        if _goes_on(item, said.get(item.reference.lower()))
        else item
        for item in items
    ]


def _goes_on(item: Item, before: str | None) -> bool:
    return (
        before is not None and "opened" not in item.events and (bool(_SETTLES & set(item.events)) or before == "opened")
    )


def _said(documents: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    said: dict[str, str] = {}
    for document in documents:
        sections = document.get("sections", ())
        highlights = [h for s in sections for h in s.get("highlights", ())]
        highlights += document.get("community", {}).get("highlights", ())
        for reference in (r for h in highlights for r in h.get("references", ())):
            said[reference.lower()] = "announced"
        for entry in (i for s in sections for i in s.get("items", ())):
            key = entry["reference"].lower()
            if entry.get("state") in _UNSETTLED:
                said[key] = "opened" if "opened" in entry.get("events", ()) else "announced"
            else:
                said.pop(key, None)
    return said
