"""Items that belong together, and the order in which they are told."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from bot.compile.items import is_pull_request, number_of
from bot.model.edition import Item

_NUMBER = re.compile(r"(?<![\w/#&])#(\d{1,9})(?!\w)")
_FULL = re.compile(r"(?<![\w.-])([\w.-]{1,100}/[\w.-]{1,100})#(\d{1,9})(?!\w)")
_ADDRESS = re.compile(r"github\.com/([\w.-]{1,100}/[\w.-]{1,100})/(?:pull|issues)/(\d{1,9})")

MOST_LINKS = 6
"""What names more others than this, or is named by more, is an overview that would tie everything together."""


def named_in(text: str, repository: str) -> set[str]:
    """The items that a body or comment of `repository` names, as references in lower case."""
    found = {f"{repository}#{number}".lower() for number in _NUMBER.findall(text)}
    found |= {f"{name}#{number}".lower() for name, number in _FULL.findall(text)}
    return found | {f"{name}#{number}".lower() for name, number in _ADDRESS.findall(text)}


def weight(item: Item) -> float:
    """How much happened to the item in the period: what was merged weighs most, what only stands by nothing."""
    events = set(item.events)
    points = 4.0 * ("merged" in events) + 2.0 * ("opened" in events) + 2.0 * ("closed" in events)
    points += 1.0 * ("reopened" in events) + 0.5 * min(len(item.comments), 4) + 0.5 * min(len(item.mentioned_in), 4)
    return points + (1.0 if is_pull_request(item) else 0.0)


def arranged(items: Sequence[Item]) -> tuple[Item, ...]:
    """The items with related ones side by side, the group to which most happened first.

    Related are a pull request and the issue it closes, and items one of which names the other in its body or
    comments: stacks, an experiment and its follow-up. Within a group the earlier number comes first.
    """
    groups = _groups(items)
    heaviest = sorted(groups, key=lambda group: (-sum(weight(i) for i in group), number_of(group[0].reference)))
    return tuple(item for group in heaviest for item in group)


def _groups(items: Sequence[Item]) -> list[list[Item]]:
    by_key = {item.reference.lower(): item for item in items}
    leader = {key: key for key in by_key}

    def find(key: str) -> str:
        while leader[key] != key:
            leader[key] = leader[leader[key]]
            key = leader[key]
        return key

    named = {key: links(item) & by_key.keys() for key, item in by_key.items()}
    times = Counter(other for others in named.values() for other in others)
    for key, others in named.items():
        for other in others:
            if times[other] <= MOST_LINKS:
                leader[find(other)] = find(key)
    groups: dict[str, list[Item]] = {}
    for key, item in by_key.items():
        groups.setdefault(find(key), []).append(item)
    return [sorted(group, key=lambda i: (number_of(i.reference), i.reference)) for group in groups.values()]


def links(item: Item) -> set[str]:
    """The references (lower case) that tie the item to others."""
    repository = item.reference.partition("#")[0]
    named = named_in("\n".join([item.body, *(c.body for c in item.comments)]), repository)
    own = {reference.lower() for reference in item.closes}
    return (own | named if len(named) <= MOST_LINKS else own) - {item.reference.lower()}
