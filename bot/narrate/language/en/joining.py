"""One sentence about several pull requests and issues, in English: joined by author, by topic, by what was done."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from bot.narrate.drafts import Draft, merged_facts
from bot.narrate.language.en import numbers
from bot.narrate.language.en.speaking import finished, possessive
from bot.narrate.language.en.voice import Before, Predicate, Voice
from bot.narrate.material import Material, Said

_VERB = re.compile(r"(?:to )?[a-z]+ (?!(?:up|out|off|down|back|away|on|over|to|from|in|for|with|by|at|into)\b)")
_ONE_THING = re.compile(
    r"\b(?:an? |(the ))(pull request|issue|experiment|change|feature request|bug report|question|proposal)\b"
)
ALSO_TOUCHED = "Also touched this week"


@dataclass(frozen=True, slots=True)
class Story:
    """An item and how much of it is told: its clauses, the issues folded into it, what follows it up.

    `closes` are issues that stand in another section; `of_folded` what is told of the folded ones.
    """

    material: Material
    said: tuple[Said, ...] = ()
    folded: tuple[Material, ...] = ()
    followers: tuple[Story, ...] = ()
    closes: tuple[str, ...] = ()
    of_folded: tuple[tuple[Material, Said], ...] = ()

    @property
    def is_plain(self) -> bool:
        return not (self.said or self.followers or self.of_folded or self.material.item.continues)

    @property
    def bare(self) -> Story:
        return replace(self, said=(), followers=(), of_folded=())

    @property
    def references(self) -> tuple[str, ...]:
        return (self.material.reference, *(one.reference for one in self.folded))


def together(voice: Voice, stories: Sequence[Story], *, opener: str = "", before: Before = Before.OTHERS) -> Draft:
    """One sentence about items of one author; those of several modes (`is_joined`) share their subject."""
    facts = merged_facts(*(story.references for story in stories))
    text = _worded(voice, stories, before)
    with voice.aside():
        simpler = (
            tuple(
                together(voice, [story], before=before if story is stories[0] else Before.EARLIER) for story in stories
            )
            if len(stories) > 1
            else (_quoted(voice, stories[0].material),)
        )
    if len(stories) == 1:
        opener += voice.following(stories[0].material)
    return Draft(text=finished(voice, opener + text), references=facts, facts=facts, simpler=simpler)


def side_by_side(voice: Voice, groups: Sequence[Sequence[Story]], *, opener: str = "") -> Draft:
    """One sentence about items of several authors: "Ann added a tile (#1), and Bob dropped another (#2)"."""
    with voice.aside():
        alone = tuple(together(voice, stories) for stories in groups)
    facts = merged_facts(*(draft.facts for draft in alone))
    clauses = [f"{voice.name_of(stories[0].material)} {_done(voice, stories)}" for stories in groups]
    text = finished(voice, opener + numbers.listed_clauses(clauses))
    return Draft(text=text, references=facts, facts=facts, simpler=alone)


def is_joined(mode: str) -> bool:
    """Whether items of this mode have their author as the subject, so that one sentence can go on to other modes."""
    return not mode.startswith(("withdrawn", "closed", "reopened", "discussed", "stayed"))


def _worded(voice: Voice, stories: Sequence[Story], before: Before) -> str:
    material, several = stories[0].material, len(stories) > 1
    mode = voice.mode(material)
    name = voice.name_of(material)
    if is_joined(mode):
        aside = None if several or before is Before.OTHERS else _without_author(voice, stories[0], mode)
        changes = len(stories) if all(voice.mode(story.material) == "did" for story in stories) else 0
        return aside or f"{voice.subject(material, name, before, changes=changes)} {_done(voice, stories)}"
    if mode in ("closed", "reopened"):
        return _closed(voice, stories, mode, before)
    were = "were" if several else "was"
    if mode.startswith("withdrawn"):
        by = f" by {name}" if before is Before.OTHERS else ""
        were = f", opened last week, {were}" if voice.is_from_last_week(material) else f" {were}"
        parts = _parts(voice, stories, _predicates(voice, stories))
        noun = "pull requests" if several else "pull request"
        if mode == "withdrawn-np":
            return f"the {noun} {parts}{by}{were} closed without a merge"
        return f"{'' if several else 'a '}{noun}{by} {parts}{were} closed without a merge"
    owned = numbers.listed([_owned(voice, story) for story in stories])
    return f"{owned} stayed open" if mode == "stayed" else f"{owned} {were} discussed further"


def _done(voice: Voice, stories: Sequence[Story]) -> str:
    """What the author did, without the author: "added a tile (#1) and opened a pull request to drop it (#2)"."""
    told = [
        _predicated(voice, list(group)) for _, group in groupby(stories, key=lambda story: voice.mode(story.material))
    ]
    inner = any(" and " in part for part in told[:-1])
    return numbers.listed_clauses(told) if inner else numbers.listed(told)


def _predicated(voice: Voice, stories: Sequence[Story]) -> str:
    predicates = _predicates(voice, stories)
    parts = _parts(voice, stories, predicates)
    match predicates[0].mode:
        case "open-np":
            return f"submitted {parts} for review"
        case "still-np":
            return f"has {parts} in review"
        case "still-draft-np":
            return f"still has {parts} in draft"
    lead = _several(predicates[0].lead) if len(stories) > 1 else predicates[0].lead
    return f"{lead} {parts}".strip()


def _predicates(voice: Voice, stories: Sequence[Story]) -> list[Predicate]:
    """The predicates of items of one mode; only the first one's lead is said, so the others take no turns."""
    first = voice.predicate(stories[0].material)
    with voice.aside():
        return [first, *(voice.predicate(story.material) for story in stories[1:])]


def _parts(voice: Voice, stories: Sequence[Story], predicates: Sequence[Predicate]) -> str:
    """The predicates' parts in a row; a verb that the one before has is not said again."""
    parts: list[str] = []
    verb = ""
    for predicate, story in zip(predicates, stories, strict=True):
        part = cited(voice, predicate.part, story)
        opening = (
            _VERB.match(predicate.part)
            if predicate.mode in ("did", "asked") or predicate.mode.endswith("-to")
            else None
        )
        again = opening is not None and opening[0] == verb
        parts.append(part.removeprefix(verb) if again else part)
        verb = opening[0] if opening and " and " not in predicate.part else ""
    return numbers.listed(parts)


def _without_author(voice: Voice, story: Story, mode: str) -> str | None:
    """A further item of the author who was just named, told by itself where it is that one's turn."""
    forms = {
        "open-to": ("", "a pull request that is still open would {}", "", "still open is a pull request to {}"),
        "asked": ("", "a new {noun} asks to {}" if voice.issue_noun(story.material) == "issue" else ""),
        "reported": ("", "a new report says {}"),
    }
    form = voice.choose(f"{mode} again", *forms[mode]) if mode in forms else ""
    if not form:
        return None
    part = cited(voice, voice.predicate(story.material).part, story)
    return form.format(part.removeprefix("to "), noun="issue")


def cited(voice: Voice, text: str, story: Story) -> str:
    """The text with the item's reference behind it, in the brackets with which it ends where it does."""
    closed = [_reported_by(voice, one, story.material) for one in story.folded]
    reference = voice.reference(story.material, [*closed, *(voice.links.link(one) for one in story.closes)])
    ending = re.search(r"(?<=\s)\(([^()\[\]]{1,30})\)$", text)
    return f"{text[: ending.start()]}({ending[1]}; {reference[1:]}" if ending else f"{text} {reference}"


def _reported_by(voice: Voice, issue: Material, fix: Material) -> str:
    """The issue's link, with who reported it where that was somebody else, and when if an edition told of it."""
    link = voice.links.link(issue.reference)
    earlier = voice.is_from_last_week(issue)
    if issue.author in (None, fix.author):
        return f"{link} from last week" if earlier else link
    return f"{link} reported by {issue.author}{' last week' if earlier else ''}"


def _several(lead: str) -> str:
    """`opened an issue` -> `opened issues`, for several of them."""
    return _ONE_THING.sub(r"\1\2s", lead)


def _closed(voice: Voice, stories: Sequence[Story], mode: str, before: Before) -> str:
    closer = stories[0].material.closer
    if mode == "reopened" or closer is None:
        verb = "reopened" if mode == "reopened" else "closed"
        owned = numbers.listed([_owned(voice, story) for story in stories])
        return f"{owned} {'were' if len(stories) > 1 else 'was'} {verb}"
    phrases = [cited(voice, from_when(voice, story.material), story) for story in stories]
    also = before is not Before.OTHERS and closer == stories[0].material.author
    return f"{closer}{' also' if also else ''} closed {numbers.listed(phrases)}"


def _owned(voice: Voice, story: Story) -> str:
    """An issue as a subject, with whose it is: "Ann's request to add a tile (#1)"."""
    material = story.material
    phrase = voice.item_phrase(material)
    if material.author:
        phrase = phrase.replace("the ", f"{possessive(material.author)} ", 1)
    opened = ", opened last week," if voice.is_from_last_week(material) else ""
    return cited(voice, phrase, story) + opened


def from_when(voice: Voice, material: Material) -> str:
    """An item as the object of a sentence, last week's named as such."""
    phrase = voice.item_phrase(material)
    return phrase.replace("the ", "last week's ", 1) if voice.is_from_last_week(material) else phrase


def _quoted(voice: Voice, material: Material) -> Draft:
    """The plainest form there is: whose it is, and its title as it stands."""
    who = material.author or "Author unknown"
    return Draft(
        text=f"{who}: {voice.quoted(material.title)} ({voice.links.link(material.reference)}).",
        references=(material.reference,),
        facts=(material.reference,),
        simpler=(
            Draft(
                text=f"{ALSO_TOUCHED}: {voice.links.link(material.reference)}.",
                references=(material.reference,),
                facts=(material.reference,),
                given=True,
            ),
        ),
    )
