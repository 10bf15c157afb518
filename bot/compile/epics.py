"""The arrangement by GitHub epics: each epic with what happened under it, then everything else."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from bot.compile.items import is_pull_request, number_of, told_comments
from bot.compile.related import arranged
from bot.compile.sections import OTHER_KEY, OTHER_TITLE, as_key
from bot.compile.text import readable
from bot.model.edition import Epic, Highlight, Item, Section
from bot.model.github import GitHubItem, ItemKind, epics_of, is_touched
from bot.model.schedule import Period

_MOVES = frozenset({"opened", "merged", "closed", "reopened"})


def is_epic(item: GitHubItem, epic_labels: Collection[str]) -> bool:
    """Whether the item is an issue with one of the labels, in any case."""
    wanted = {label.casefold() for label in epic_labels}
    return item.kind is ItemKind.ISSUE and any(label.casefold() in wanted for label in item.labels)


def by_epics(
    items: Sequence[Item],
    records: Sequence[GitHubItem],
    highlights: Sequence[Highlight],
    *,
    period: Period,
    epic_labels: Collection[str],
) -> tuple[Section, ...]:
    """A section for each epic with activity in or under it, the livelier ones first; then "Other Changes".

    `records` is everything known, epics and items between them included; `items` what the edition shows.
    """
    epics = [r for r in records if is_epic(r, epic_labels) and r.created_at < period.end]
    above = epics_of(records, records, epic_labels=epic_labels)
    own = {epic.key for epic in epics}
    under: dict[str, list[Item]] = {}
    for item in items:
        key = item.reference.lower()
        if key not in own:
            under.setdefault(above.get(key, "").lower(), []).append(item)
    place = {i.reference.lower(): key for key, group in under.items() for i in group if key in own}
    place |= {key: key for key in own}
    told = _told(highlights, place)
    sections = [
        Section(
            key=as_key(epic.reference),
            title=epic.title,
            epic=_epic(epic, period),
            activity=_activity(epic, under.get(epic.key, ()), period),
            items=arranged(under.get(epic.key, ())),
            highlights=tuple(told.get(epic.key, ())),
        )
        for epic in epics
    ]
    lively = [s for s in sections if s.activity != "none" or s.highlights]
    lively.sort(key=lambda s: (s.activity != "normal", s.activity == "none", _order(s)))
    rest = [item for key, group in under.items() if key not in own for item in group]
    if rest:
        lively.append(Section(key=OTHER_KEY, title=OTHER_TITLE, items=arranged(rest)))
    return tuple(lively)


def _told(highlights: Sequence[Highlight], place: Mapping[str, str]) -> dict[str, list[Highlight]]:
    told: dict[str, list[Highlight]] = {}
    for highlight in highlights:
        key = next((place[r.lower()] for r in highlight.references if r.lower() in place), None)
        if key is not None:
            told.setdefault(key, []).append(highlight)
    return told


def _order(section: Section) -> tuple[str, int]:
    reference = section.epic.reference if section.epic else ""
    return reference.partition("#")[0].lower(), number_of(reference)


def _epic(epic: GitHubItem, period: Period) -> Epic:
    return Epic(
        reference=epic.reference,
        title=epic.title,
        url=epic.url,
        body=readable(epic.body),
        comments=told_comments(epic, period),
    )


def _activity(epic: GitHubItem, items: Sequence[Item], period: Period) -> str:
    if any(is_pull_request(item) and _MOVES & set(item.events) for item in items):
        return "normal"
    return "light" if items or is_touched(epic, period) else "none"
