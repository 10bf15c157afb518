"""Which sentences stand together: stories of one author or one topic, paragraph by paragraph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from bot.compile.related import links
from bot.model.edition import Item
from bot.narrate.language.en.clauses import words_of
from bot.narrate.language.en.joining import Story
from bot.narrate.material import Material, Said

PARAGRAPH = 6  # stories in a paragraph, where a topic or an author has more
SMALL = 3  # fewer stories than these share a paragraph with others


def stories_of(
    materials: Sequence[Material], chosen: Mapping[str, Sequence[Said]], elsewhere: Mapping[str, Item]
) -> list[Story]:
    """The stories of a section: closed issues go with what closes them, follow-ups with what they follow.

    `elsewhere` are all items of the edition by reference in lower case: what a pull request closes in another
    section is told there and only named here.
    """
    by_key = {one.reference.lower(): one for one in materials}
    folded: dict[str, list[Material]] = {}
    named: dict[str, list[str]] = {}
    taken: set[str] = set()
    for one in materials:
        for key in (closed.lower() for closed in one.closes):
            issue = by_key.get(key)
            settled = issue is not None and not issue.is_pull_request and issue.item.state == "closed"
            if issue and settled and issue.reference not in taken:
                folded.setdefault(one.reference, []).append(issue)
                taken.add(issue.reference)
            elif key in elsewhere and not settled:
                named.setdefault(one.reference, []).append(elsewhere[key].reference)
    stories = {
        one.reference: Story(
            one,
            tuple(chosen.get(one.reference, ())),
            tuple(folded.get(one.reference, ())),
            closes=tuple(named.get(one.reference, ())),
            of_folded=tuple(
                (issue, said) for issue in folded.get(one.reference, ()) for said in chosen.get(issue.reference, ())
            ),
        )
        for one in materials
        if one.reference not in taken
    }
    return _with_followers(stories)


def _with_followers(stories: dict[str, Story]) -> list[Story]:
    followed: set[str] = set()
    for reference, story in list(stories.items()):
        main = _main_of(story, stories, followed)
        if main:
            stories[main] = replace(stories[main], followers=(*stories[main].followers, stories[reference]))
            followed.add(reference)
    return [story for reference, story in stories.items() if reference not in followed]


def _main_of(story: Story, stories: Mapping[str, Story], followed: set[str]) -> str | None:
    """What the story follows up: an earlier item of the same author, told with figures, that its own text names."""
    if story.followers or not story.material.is_pull_request:
        return None
    named = links(replace(story.material.item, comments=()))
    for reference, other in stories.items():
        one = other.material
        if (
            reference.lower() in named
            and reference not in followed
            and one.author == story.material.author
            and one.is_pull_request
            and one.item.state == "merged"
            and not other.followers
            and other.said
            and _kin(one, story.material)
        ):
            return reference
    return None


def _kin(one: Material, other: Material) -> bool:
    """Whether two titles speak of the same thing."""
    return len(_telling(one) & _telling(other)) >= 2


def _telling(material: Material) -> set[str]:
    return {word.lower() for word in words_of(material.title.rest or material.title.text) if len(word) > 3}


def paragraphs_by_scope(stories: Sequence[Story]) -> list[list[Story]]:
    """By topic, then by author; small topics share a paragraph."""
    groups: dict[str, list[Story]] = {}
    for story in stories:
        groups.setdefault(story.material.scope, []).append(story)
    return _packed([_by_author(group) for group in _heaviest(groups)])


def paragraphs_by_author(stories: Sequence[Story]) -> list[list[Story]]:
    """By author, then by topic; authors with little share a paragraph."""
    groups: dict[str, list[Story]] = {}
    for story in stories:
        groups.setdefault(story.material.author or "", []).append(story)
    return _packed([_by_scope(group) for group in _heaviest(groups)])


def _heaviest(groups: Mapping[str, list[Story]]) -> list[list[Story]]:
    return sorted(groups.values(), key=lambda group: -sum(_weight(story) for story in group))


def _weight(story: Story) -> float:
    return story.material.weight + sum(_weight(one) for one in story.followers)


def _by_author(stories: Sequence[Story]) -> list[Story]:
    return _grouped(stories, lambda story: story.material.author or "")


def _by_scope(stories: Sequence[Story]) -> list[Story]:
    return _grouped(stories, lambda story: story.material.scope)


def _grouped(stories: Sequence[Story], key: Callable[[Story], str]) -> list[Story]:
    groups: dict[str, list[Story]] = {}
    for story in stories:
        groups.setdefault(key(story), []).append(story)
    return [story for group in _heaviest(groups) for story in _rich_first(group)]


def _rich_first(stories: Sequence[Story]) -> list[Story]:
    return sorted(stories, key=lambda story: (story.is_plain, -_weight(story)))


def _packed(groups: Sequence[list[Story]]) -> list[list[Story]]:
    """Paragraphs of a good size: long groups are cut between authors or topics, small neighbours joined."""
    paragraphs: list[list[Story]] = []
    rest: list[Story] = []
    for group in groups:
        if len(group) < SMALL:
            rest += group
        else:
            paragraphs += _cut(group)
    return paragraphs + _cut(rest)


def _cut(group: Sequence[Story]) -> list[list[Story]]:
    paragraphs: list[list[Story]] = []
    here: list[Story] = []
    for run in runs_of(group):
        if here and len(here) + len(run) > PARAGRAPH:
            paragraphs.append(here)
            here = []
        if len(run) > PARAGRAPH + 2:
            pieces = -(-len(run) // PARAGRAPH)
            size = -(-len(run) // pieces)
            paragraphs += [list(run[start : start + size]) for start in range(0, len(run), size)]
            continue
        here += run
    if len(here) == 1 and paragraphs and len(paragraphs[-1]) <= PARAGRAPH:
        return [*paragraphs[:-1], [*paragraphs[-1], *here]]
    return [*paragraphs, here] if here else paragraphs


def runs_of(paragraph: Sequence[Story], scope: Callable[[Story], str] | None = None) -> list[list[Story]]:
    """Neighbours of one author and one topic."""
    topic = scope or (lambda story: story.material.scope)
    return [list(run) for _, run in groupby(paragraph, key=lambda story: (story.material.author, topic(story)))]
