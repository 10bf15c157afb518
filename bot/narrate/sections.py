"""A section in sentences: what was done and said under a theme or an epic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from bot.model.edition import Highlight, Item, Section
from bot.narrate.arrange import paragraphs_by_author, paragraphs_by_scope, runs_of, stories_of
from bot.narrate.conversations import told_conversation
from bot.narrate.drafts import Draft, merged_facts
from bot.narrate.epics import EpicWords
from bot.narrate.language.en import phrases
from bot.narrate.language.en.joining import Story, is_joined, side_by_side, together
from bot.narrate.language.en.speaking import finished, goes_on, reported
from bot.narrate.language.en.telling import told
from bot.narrate.language.en.voice import Before, Voice
from bot.narrate.material import Material, Said

TOGETHER = 3  # items of one author in one sentence
BESIDE = 2  # authors in one sentence
QUOTE_WORDS = 30
WHOLE = 3  # words from which on what was done is clear without its topic
UPGRADING = frozenset(("bump", "update", "upgrade"))


def section_drafts(
    section: Section,
    materials: Sequence[Material],
    chosen: Mapping[str, Sequence[Said]],
    voice: Voice,
    *,
    elsewhere: Mapping[str, Item] | None = None,
    epic: EpicWords | None = None,
    untold: Sequence[Highlight] = (),
) -> list[Draft]:
    """The section's sentences in paragraphs, the automated changes counted at its end."""
    by_hand = [one for one in materials if not one.is_automated]
    stories = stories_of(by_hand, chosen, elsewhere or {})
    arranged = paragraphs_by_author(stories) if section.epic else paragraphs_by_scope(stories)
    blocks: list[list[Draft]] = []
    opening = [*_epic_opening(section, materials, voice, epic.comments if epic else ())]
    if opening:
        blocks.append(opening)
    before: Story | None = None
    for paragraph in arranged:
        blocks.append(list(_paragraph(paragraph, voice, named_scopes=_told_scopes(materials), before=before)))
        before = paragraph[-1]
    blocks.extend(told_conversation(highlight, voice, QUOTE_WORDS) for highlight in untold)
    if automated := list(_automated([one for one in materials if one.is_automated], voice)):
        blocks.append(automated)
    return [draft.in_paragraph(number) for number, block in enumerate(blocks) for draft in block]


def _told_scopes(materials: Sequence[Material]) -> frozenset[str]:
    """Prefixes that stand for a topic: more than one item has them, or an item needs them."""
    counts = Counter(one.scope for one in materials if one.scope)
    needed = {one.scope for one in materials if one.title.verb and len(one.title.rest.split()) < WHOLE}
    return frozenset(
        scope
        for scope, count in counts.items()
        if (count > 1 or scope in needed) and not phrases.GENERIC_TOPIC.search(scope)
    )


def _epic_opening(
    section: Section, materials: Sequence[Material], voice: Voice, comments: Sequence[Said]
) -> Iterator[Draft]:
    epic = section.epic
    if epic is None:
        return
    link = voice.links.link(epic.reference)
    own = merged_facts([epic.reference, f"section/{section.key}"])
    if section.activity == "light":
        yield Draft(text=phrases.light_activity(link), references=(epic.reference,), facts=own)
    elif section.activity == "none":
        yield Draft(text=phrases.no_activity(link), references=(epic.reference,), facts=own)
    else:
        text, people = _workers(link, materials)
        yield Draft(text=text, references=(epic.reference,), facts=merged_facts(own, people))
    speaker: str | None = None
    for said in comments:
        tell = reported if said.speaker != speaker or speaker is None else goes_on
        speaker = said.speaker
        yield Draft(
            text=finished(voice, tell(voice, said, epic.reference)),
            references=(epic.reference,),
            facts=merged_facts([epic.reference, *said.facts]),
        )


def _workers(link: str, materials: Sequence[Material]) -> tuple[str, tuple[str, ...]]:
    """How much was merged under an epic, by whom, and the items that show it."""
    merged = [one for one in materials if one.item.state == "merged" and "merged" in one.item.events]
    counts = Counter(one.author for one in merged if one.author)
    names = [name for name, _ in counts.most_common()]
    most = names[0] if names and len(names) > 1 and counts[names[0]] * 2 > len(merged) else None
    listed = [*names[:4], "others"] if len(names) > 5 else names
    return phrases.work_on_epic(link, len(merged), listed, most=most), tuple(one.reference for one in merged)


def _paragraph(
    paragraph: Sequence[Story], voice: Voice, *, named_scopes: frozenset[str], before: Story | None
) -> Iterator[Draft]:
    scope = _scope(before, named_scopes) if before else ""
    author: str | None = None
    runs = runs_of(paragraph, lambda story: _scope(story, named_scopes))
    for place, near in enumerate(_neighbours(runs)):
        run = near[0]
        here = _scope(run[0], named_scopes)
        opener = ""
        if here and here != scope:
            opener = phrases.topic(voice.spelling.name(here), voice.turn("topic"))
        elif scope and not here and place and not run[0].material.item.continues:
            opener = voice.choose("elsewhere", *phrases.ELSEWHERE)
        again = author is not None and run[0].material.author == author
        scope, author = here, near[-1][0].material.author
        if len(near) > 1:
            yield side_by_side(voice, near, opener=opener)
        else:
            yield from _run(run, voice, opener=opener, before=Before.EARLIER if again else Before.OTHERS)


def _scope(story: Story, named: frozenset[str]) -> str:
    return story.material.scope if story.material.scope in named else ""


def _run(run: Sequence[Story], voice: Voice, *, opener: str, before: Before) -> Iterator[Draft]:
    """One author's stories of one topic: the rich ones by themselves, the plain ones together by what was done."""
    for story in (one for one in run if not one.is_plain):
        yield from told(voice, story, opener=opener, before=Before.OTHERS if opener else before)
        opener, before = "", Before.EARLIER if _author_spoke_last(story) else Before.OTHERS
    for group in _joined(_by_mode([one for one in run if one.is_plain], voice), voice):
        draft = together(voice, group, opener=opener, before=Before.OTHERS if opener else before)
        yield draft
        named = draft.text.startswith(("They ", group[0].material.author or "They "))
        joined = is_joined(voice.mode(group[0].material))
        opener, before = "", Before.AUTHOR if joined and (named or opener) else Before.EARLIER


def _by_mode(plain: Sequence[Story], voice: Voice) -> Iterator[list[Story]]:
    """Stories to which the same was done, a sentence's worth at a time."""
    groups: dict[tuple[str, str], list[Story]] = {}
    for story in plain:
        mode = voice.mode(story.material)
        groups.setdefault((mode, story.material.closer or "" if mode == "closed" else ""), []).append(story)
    for group in groups.values():
        ordered = sorted(group, key=lambda story: (bool(story.folded), story.material.scope, _number(story)))
        parts = -(-len(ordered) // TOGETHER)
        size = -(-len(ordered) // parts)
        yield from (ordered[start : start + size] for start in range(0, len(ordered), size))


def _joined(groups: Iterable[list[Story]], voice: Voice) -> list[list[Story]]:
    """Small groups in one sentence: what was merged, and what the same author proposed."""
    joined: list[list[Story]] = []
    for group in groups:
        if (
            joined
            and not any(story.folded for story in joined[-1])  # who reported what was closed is not to be mistaken
            and len(joined[-1]) + len(group) <= TOGETHER
            and all(is_joined(voice.mode(story.material)) for story in (*joined[-1], *group))
        ):
            joined[-1] = [*joined[-1], *group]
        else:
            joined.append(group)
    return joined


def _neighbours(runs: Sequence[list[Story]]) -> list[list[list[Story]]]:
    """Runs with, behind each other, several authors' single changes of one topic: they go into one sentence."""
    near: list[list[list[Story]]] = []
    for run in runs:
        before = near[-1][-1] if near else []
        alike = _is_single(run) and _is_single(before) and run[0].material.scope == before[0].material.scope
        if alike and len(near[-1]) < BESIDE:
            near[-1].append(run)
        else:
            near.append([run])
    return near


def _is_single(run: Sequence[Story]) -> bool:
    material = run[0].material if run else None
    return bool(
        material
        and len(run) == 1
        and run[0].is_plain
        and not run[0].folded
        and material.is_pull_request
        and material.item.state == "merged"
        and material.author
    )


def _author_spoke_last(story: Story) -> bool:
    material = story.material
    others = any(said.is_comment and said.speaker != material.author for said in story.said)
    return not others and not (material.closer and "closed" in material.item.events)


def _number(story: Story) -> tuple[str, int]:
    repository, _, number = story.material.reference.partition("#")
    return repository, int(number) if number.isdigit() else 0


def _automated(materials: Sequence[Material], voice: Voice) -> Iterator[Draft]:
    """Bots' changes, counted together by account; a single one is told as anybody's."""
    by_account: dict[tuple[str, str], list[Material]] = {}
    for one in materials:
        state = "open" if one.item.state == "draft" else one.item.state
        by_account.setdefault((one.author or "", state), []).append(one)
    for (account, state), group in by_account.items():
        if len(group) == 1:
            yield together(voice, [Story(replace(group[0], author=phrases.bot(account)))])
        else:
            yield _counted(account, group, voice, state)


def _counted(account: str, group: Sequence[Material], voice: Voice, state: str) -> Draft:
    references = tuple(one.reference for one in group)
    facts = (f"automated/{account}", *references)
    links = phrases.some(list(map(voice.links.link, references)))
    plain = f"{phrases.automated(account, len(group), links, state)}."
    upgraded = [one.title.rest.split()[0] for one in group if one.title.verb in UPGRADING and one.title.rest]
    common = {one.said[0].clause.text if one.said else "" for one in group}
    text = plain
    if len(upgraded) == len(group):
        text = f"{plain[:-1]}: {phrases.upgrades(list(dict.fromkeys(upgraded)))}."
    elif len(common) == 1 and (said := common.pop()):
        text = f"{plain[:-1]}: {voice.small(said)}."
    uncounted = f"{phrases.automated(account, None, links, state)}."
    barest = Draft(text=uncounted, references=references, facts=facts)
    counted = Draft(text=plain, references=references, facts=facts, simpler=(barest,))
    return counted if text == plain else Draft(text=text, references=references, facts=facts, simpler=(counted,))
