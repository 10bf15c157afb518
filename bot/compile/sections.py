"""The arrangement by themes: which item stands in which section."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from bot.compile.items import is_automated
from bot.compile.related import arranged, links
from bot.compile.scopes import KINDS_OF_CHANGE, as_scope, is_abbreviation, scopes_of
from bot.compile.vocabulary import listed
from bot.model.edition import Highlight, Item, Section
from bot.model.settings import SectionSettings

OTHER_KEY, OTHER_TITLE = "other", "Other Changes"
ONLY_TITLE = "Pull Requests and Issues"
"""The title of what stands in no section where there is no other."""
SMALL = 3
"""A group found without rules needs so many items to be a section of its own."""
MOST_FOUND = 12
"""So many sections are found without rules at most."""

_SAYS_LITTLE = listed(
    """
    bug bugs enhancement question duplicate invalid wontfix stale epic good first issue help wanted documentation
    dependencies triage needs-triage agent-generated p0 p1 p2 p3 high low medium priority tldr
    """
) | {"good first issue", "help wanted"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The guild's sections and moderators' choices.

    `channel_of` gives the channel of a message, `names_of` the names (lower case) and ids by which a setting may
    mean a channel or what it stands in; `chosen` is the section key that a moderator chose, by reference in
    lower case.
    """

    sections: Sequence[SectionSettings] = ()
    channel_of: Mapping[int, int] = field(default_factory=dict)
    names_of: Mapping[int, frozenset[str]] = field(default_factory=dict)
    chosen: Mapping[str, str] = field(default_factory=dict)


def by_themes(
    items: Sequence[Item], highlights: Sequence[tuple[Highlight, str | None]], rules: Rules
) -> tuple[Section, ...]:
    """The sections with their items and highlights, in order; empty ones are left out.

    A highlight comes with the section that its moderator chose, or None; it goes where its items are, else to
    the section of its channel. One that belongs nowhere stays in the community's part alone.
    """
    ordered = sorted(rules.sections, key=lambda s: s.order)
    place = _by_rules(ordered, rules) if ordered else _by_what_is_found(items, rules)
    keys = _with_related(items, {item.reference.lower(): place(item) for item in items})
    titles = {s.key: s.title for s in ordered} if ordered else _titles(items, keys)
    emoji = {s.key: s.emoji for s in ordered}
    grouped: dict[str, list[Item]] = {key: [] for key in [*titles, OTHER_KEY]}
    for item in items:
        grouped.setdefault(keys[item.reference.lower()], []).append(item)
    told: dict[str, list[Highlight]] = {}
    for highlight, choice in highlights:
        if key := _place_of_highlight(highlight, choice, keys, ordered, rules):
            told.setdefault(key, []).append(highlight)
    filled = [key for key in grouped if grouped[key] or told.get(key)]
    rest = ONLY_TITLE if filled == [OTHER_KEY] else OTHER_TITLE
    return tuple(
        Section(
            key=key,
            title=titles.get(key, rest),
            items=arranged(grouped[key]),
            highlights=tuple(told.get(key, ())),
            emoji=emoji.get(key),
        )
        for key in filled
    )


def _with_related(items: Sequence[Item], keys: Mapping[str, str]) -> dict[str, str]:
    """Let items that no rule places stand with most of those they are related to."""
    near: dict[str, set[str]] = {}
    for item in items:
        key = item.reference.lower()
        for other in links(item):
            if other in keys:
                near.setdefault(key, set()).add(other)
                near.setdefault(other, set()).add(key)
    placed = dict(keys)
    loose = [i.reference.lower() for i in items if keys[i.reference.lower()] == OTHER_KEY and not is_automated(i)]
    for _ in range(3):  # what is related to something loose follows it
        before = dict(placed)
        for key in loose:
            around = Counter(before[other] for other in near.get(key, ()) if before[other] != OTHER_KEY)
            if around:
                placed[key] = min(around, key=lambda name: (-around[name], name))
    return placed


def _by_rules(ordered: Sequence[SectionSettings], rules: Rules) -> Callable[[Item], str]:
    known = {s.key for s in ordered}

    def place(item: Item) -> str:
        choice = rules.chosen.get(item.reference.lower())
        if choice in known and choice is not None:
            return choice
        if is_automated(item):
            return OTHER_KEY
        return next((s.key for s in ordered if _matches(item, s, rules)), OTHER_KEY)

    return place


def _matches(item: Item, section: SectionSettings, rules: Rules) -> bool:
    scopes = set(scopes_of(item.title))
    labels = {label.casefold() for label in item.labels}
    repository = item.reference.partition("#")[0].lower()
    people = {
        name.casefold()
        for who in (item.author, item.credited)
        if who is not None
        for name in (who.login, who.name or "")
        if name
    }
    return (
        any(as_scope(prefix) in scopes for prefix in section.prefixes)
        or any(label.casefold() in labels for label in section.labels)
        or any(name.lower() == repository for name in section.repositories)
        or any(author.casefold() in people for author in section.authors)
        or _mentioned_mostly_in(item.mentioned_in, section.channels, rules)
    )


def _mentioned_mostly_in(message_ids: Sequence[int], channels: Sequence[str], rules: Rules) -> bool:
    wanted = {name.strip().removeprefix("#").casefold() for name in channels}
    if not wanted or not message_ids:
        return False
    places = [rules.channel_of.get(message_id, 0) for message_id in message_ids]
    there = sum(1 for place in places if wanted & rules.names_of.get(place, frozenset()))
    return there * 2 > len(message_ids)


def _place_of_highlight(
    highlight: Highlight,
    choice: str | None,
    keys: Mapping[str, str],
    ordered: Sequence[SectionSettings],
    rules: Rules,
) -> str | None:
    if choice in {s.key for s in ordered}:
        return choice
    places = Counter(keys[r.lower()] for r in highlight.references if r.lower() in keys)
    themes = [key for key, _ in places.most_common() if key != OTHER_KEY]
    if themes:
        return themes[0]
    return next((s.key for s in ordered if _mentioned_mostly_in(highlight.message_ids, s.channels, rules)), None)


def _by_what_is_found(items: Sequence[Item], rules: Rules) -> Callable[[Item], str]:
    """Groups by the scopes that several titles share, then by labels, then by repositories."""
    people = [item for item in items if not is_automated(item)]
    scopes = Counter(scope for item in people for scope in _telling_scopes(item))
    labels = Counter(label for item in people for label in _telling_labels(item))
    repositories = Counter(_repository(item) for item in people)
    several = len(repositories) > 1

    def best(names: Sequence[str], counts: Counter[str]) -> str | None:
        shared = [name for name in names if counts[name] >= SMALL]
        return min(shared, key=lambda name: (-counts[name], name), default=None)

    def first_choice(item: Item) -> str | None:
        if is_automated(item):
            return None
        found = best(_telling_scopes(item), scopes) or best(_telling_labels(item), labels)
        if found is None and several and repositories[_repository(item)] < len(people) / 2:
            found = best([_repository(item)], repositories)
        return found

    wanted = {item.reference.lower(): first_choice(item) for item in items}
    sizes = Counter(name for name in wanted.values() if name)
    kept = {name for name, count in sizes.most_common(MOST_FOUND) if count >= SMALL}

    def place(item: Item) -> str:
        name = wanted[item.reference.lower()]
        return as_key(name) if name in kept and name is not None else OTHER_KEY

    return place


def _titles(items: Sequence[Item], keys: Mapping[str, str]) -> dict[str, str]:
    """Titles of the sections that were found, most items first, spelled as the items spell them most."""
    sizes = Counter(key for key in keys.values() if key != OTHER_KEY)
    spelled: dict[str, Counter[str]] = {}
    for item in items:
        key = keys[item.reference.lower()]
        for name in (*_spelled_scopes(item), *item.labels, _repository(item).rpartition("/")[2]):
            if as_key(name) == key or as_key(_repository(item)) == key:
                spelled.setdefault(key, Counter())[name] += 1
    return {key: _headline(spelled[key].most_common(1)[0][0]) for key, _ in sizes.most_common() if key in spelled}


def _headline(name: str) -> str:
    """The name as a title; what is no word to be spoken ("rl", "ci") is an abbreviation."""
    if is_abbreviation(name.lower()):
        return name.upper()
    return name[:1].upper() + name[1:]


def _spelled_scopes(item: Item) -> list[str]:
    return [
        match[0]
        for scope in scopes_of(item.title)
        if (match := re.search(re.escape(scope), item.title, re.IGNORECASE)) is not None
    ]


def _telling_scopes(item: Item) -> list[str]:
    return [scope for scope in scopes_of(item.title) if scope not in KINDS_OF_CHANGE and "/" not in scope]


def _telling_labels(item: Item) -> list[str]:
    return [label.casefold() for label in item.labels if label.casefold() not in _SAYS_LITTLE]


def _repository(item: Item) -> str:
    return item.reference.partition("#")[0].lower()


def as_key(name: str) -> str:
    """A section key for a name that was found."""
    return re.sub(r"\W+", "-", name.casefold()).strip("-_") or OTHER_KEY
