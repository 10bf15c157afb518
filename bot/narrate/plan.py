"""How much is told of each item: the length budget, spent where a reader gains most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.narrate.language.en.clauses import Form
from bot.narrate.material import Material, Said

PER_ITEM = 12  # words of a plain sentence about an item
PLAIN_CLAUSE = 1.25  # value from which a clause without figures is worth its words
PLAIN_SHARE = 0.6  # items that may have one, of all
NOVEL = 0.6  # share of its words that the title lacks
MOST_CLAUSES = 5
FOR_CLAUSES = 0.25  # share of a crowded edition that goes to what makes its items worth telling


@dataclass(frozen=True, slots=True)
class Plan:
    """`chosen`: the clauses to tell, by reference, in the order of the text. `left_out`: items not told at all."""

    chosen: Mapping[str, tuple[Said, ...]]
    left_out: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Offer:
    worth: float
    words: int
    reference: str
    place: int
    said: Said


def is_crowded(materials: Sequence[Material], words: int) -> bool:
    """Whether not even a plain sentence for each item fits."""
    return PER_ITEM * len(materials) > words


def plan(materials: Sequence[Material], words: int, *, crowded: bool = False) -> Plan:
    """Choose clauses for about `words` words; in a crowded edition leave the least important items out."""
    by_weight = sorted(materials, key=lambda one: -one.weight)
    room = max(int(words * (1 - FOR_CLAUSES)) // PER_ITEM, 1) if crowded else len(materials)
    left_out = frozenset(one.reference for one in by_weight[room:])
    kept = [one for one in materials if one.reference not in left_out]
    budget = words - PER_ITEM * len(kept)
    chosen: dict[str, list[tuple[int, Said]]] = {}
    plain = 0
    for offer in sorted(_offers(kept), key=lambda o: (-o.worth, o.reference, o.place)):
        if offer.words > budget or len(chosen.get(offer.reference, ())) >= MOST_CLAUSES:
            continue
        if not offer.said.clause.figures:
            if plain >= PLAIN_SHARE * len(kept):
                continue
            plain += 1
        chosen.setdefault(offer.reference, []).append((offer.place, offer.said))
        budget -= offer.words
    ordered = {
        reference: tuple(said for _, said in sorted(some, key=lambda one: one[0])) for reference, some in chosen.items()
    }
    return Plan(ordered, left_out)


def _offers(materials: Sequence[Material]) -> list[_Offer]:
    """Clauses worth telling: those with figures, and for each item the best one without."""
    offers: list[_Offer] = []
    for material in materials:
        figured = [(place, said) for place, said in enumerate(material.said) if said.clause.figures]
        plain = [(place, said) for place, said in enumerate(material.said) if not said.clause.figures]
        offers += [_offer(material, place, said) for place, said in figured]
        best = max(plain, key=lambda one: (_value(material, one[1]), -one[0]), default=None)
        if best and not figured and _value(material, best[1]) >= PLAIN_CLAUSE and best[1].clause.novelty >= NOVEL:
            offers.append(_offer(material, *best))
    return offers


def _offer(material: Material, place: int, said: Said) -> _Offer:
    return _Offer(
        _value(material, said) + material.weight * 0.1, said.clause.words + 1, material.reference, place, said
    )


def _value(material: Material, said: Said) -> float:
    value = said.clause.value
    if said.clause.form is Form.STATEMENT and not said.is_comment and ": " not in said.clause.text:
        value += 0.3  # a whole sentence
    if said.is_comment:
        value += 1.2  # what was said within the period is news
    if not material.item.events or set(material.item.events) == {"commented"}:
        value += 3.0 if said.is_comment else -2.0
    if material.item.kind == "issue" and material.item.state == "closed" and not said.is_comment:
        value -= 1.5  # what the matter was, once it is settled
    return value


def natural_length(materials: Sequence[Material], layout: str) -> int:
    """How many words the items are worth, whatever the settings would allow: figures and talk want room."""
    figures = sum(min(sum(1 for said in one.said if said.clause.figures), 3) for one in materials)
    return (13 if layout == "epics" else 19) * len(materials) + 11 * figures
