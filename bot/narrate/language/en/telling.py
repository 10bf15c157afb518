"""Sentences about pull requests and issues, in English: an item with its clauses, several items in one sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.narrate.drafts import Draft, merged_facts
from bot.narrate.language.en import numbers
from bot.narrate.language.en.clauses import Form
from bot.narrate.language.en.speaking import finished, further, possessive, reported
from bot.narrate.language.en.voice import Predicate, Voice
from bot.narrate.material import Material, Said

ALSO_TOUCHED = "Also touched this week"
_COLON_AT_MOST = 34  # words of a sentence whose second half hangs on a colon
_DASH_AT_MOST = 44  # the same, behind a dash
_CHANGE = re.compile(r"^(?P<what>[\w\s-]+?) went (?P<how>from .*)$")


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


def told(voice: Voice, story: Story, *, opener: str = "", again: bool = False) -> list[Draft]:
    """The sentences about one item: what happened, what follows it up, then a sentence for each further clause."""
    mode = voice.mode(story.material)
    comments = [said for said in story.said if said.is_comment]
    spoken_on = mode in ("discussed", "stayed", "closed", "reopened") or mode.startswith("still")
    if spoken_on and comments:
        first, used = _through_comment(voice, story, comments[0]), [comments[0]]
    else:
        body = [said for said in story.said if not said.is_comment]
        first, used = _lead(voice, story, mode, body[:1], opener, again)
    material_reference = story.material.reference
    about = (*story.references, *(one.material.reference for one in story.followers))
    return [
        first,
        *(draft for follower in story.followers for draft in told(voice, follower, again=True)),
        *further(
            voice,
            story.material,
            [said for said in story.said if said not in used],
            about=about,
            before=used[0] if used and used[0].is_comment else None,
        ),
        *(
            draft
            for issue, said in story.of_folded
            for draft in further(voice, issue, [said], about=(issue.reference, material_reference), before=None)
        ),
    ]


def together(voice: Voice, stories: Sequence[Story], *, opener: str = "", again: bool = False) -> Draft:
    """One sentence about several items of one author, all with the same mode."""
    predicates = [voice.predicate(story.material) for story in stories]
    facts = merged_facts(*(story.references for story in stories))
    if len(stories) > 1:
        simpler = tuple(together(voice, [story], again=again) for story in stories)
    else:
        simpler = (_quoted(voice, stories[0].material),)
    text = _worded(voice, stories, predicates, again=again)
    if len(stories) == 1:
        opener += voice.following(stories[0].material)
    return Draft(text=finished(voice, opener + text), references=facts, facts=facts, simpler=simpler)


def _worded(voice: Voice, stories: Sequence[Story], predicates: Sequence[Predicate], *, again: bool) -> str:
    material, mode, several = stories[0].material, predicates[0].mode, len(stories) > 1
    references = [_cited(voice, story) for story in stories]
    parts = numbers.listed([f"{p.part} {r}" for p, r in zip(predicates, references, strict=True)])
    name = voice.name_of(material)
    again = again and material.author is not None
    also = name
    if again and mode not in ("did", "closed", "reopened", "discussed", "stayed") and not mode.startswith("withdrawn"):
        also = voice.also(name)
    turn = "again" if again and not several else "first"
    match mode.partition("-")[0]:
        case "did" | "landed":
            lead = f"{predicates[0].lead} " if predicates[0].lead else ""
            subject = voice.subject(name, again=again, several=len(stories)) if mode == "did" else also
            return f"{subject} {lead}{parts}"
        case "withdrawn":
            by = "" if again else f" by {name}"
            what = f"pull requests{by}" if several else f"a pull request{by}"
            if mode == "withdrawn-np":
                closed = "pull requests" if several else "pull request"
                return f"the {closed} {parts}{by} {'were' if several else 'was'} closed without a merge"
            return f"{what} {parts} {'were' if several else 'was'} closed without a merge"
        case "open" if turn == "again" and mode == "open-to":
            form = voice.choose("open again", "proposed", "would", "proposed", "still")
            if form == "would":
                return f"a pull request that is still open would {parts.removeprefix('to ')}"
            return f"still open is a pull request {parts}" if form == "still" else f"{also} proposed {parts}"
        case "asked" if turn == "again":
            form = voice.choose("asked again", "also", "new")
            if form == "new":
                noun = voice.issue_noun(material)
                return f"a new {noun} {'asks' if noun == 'issue' else 'is'} {parts}"
        case "reported" if turn == "again" and voice.choose("reported again", "also", "new") == "new":
            return f"a new report says {parts}"
        case "closed" | "reopened":
            return _closed(voice, stories, mode, again=again)
        case "discussed" | "stayed":
            owned = numbers.listed([_owned(voice, story) for story in stories])
            if mode == "stayed":
                return f"{owned} stayed open"
            return f"{owned} {'were' if several else 'was'} discussed further"
        case "still" if mode == "still-draft-np":
            return f"{also} still has {parts} in draft"
        case "open" | "still" if mode.endswith("np"):
            return f"{also} has {parts} in review" if mode == "still-np" else f"{also} submitted {parts} for review"
    lead = _several(predicates[0].lead) if several else predicates[0].lead
    return f"{also} {lead} {parts}"


def _cited(voice: Voice, story: Story) -> str:
    closed = [_reported_by(voice, one, story.material) for one in story.folded]
    return voice.reference(story.material, [*closed, *(voice.links.link(one) for one in story.closes)])


def _reported_by(voice: Voice, issue: Material, fix: Material) -> str:
    """The issue's link, with who reported it where that was somebody else."""
    link = voice.links.link(issue.reference)
    return link if issue.author in (None, fix.author) else f"{link} reported by {issue.author}"


def _several(lead: str) -> str:
    """`opened an issue` -> `opened issues`, for several of them."""
    return re.sub(r"\b(?:an? |(the ))(pull request|issue|experiment|change)\b", r"\1\2s", lead)


def _closed(voice: Voice, stories: Sequence[Story], mode: str, *, again: bool) -> str:
    closer = stories[0].material.closer
    if mode == "reopened" or closer is None:
        verb = "reopened" if mode == "reopened" else "closed"
        owned = numbers.listed([_owned(voice, story) for story in stories])
        return f"{owned} {'were' if len(stories) > 1 else 'was'} {verb}"
    phrases = [f"{voice.issue_phrase(story.material)} {_cited(voice, story)}" for story in stories]
    return (
        f"{closer}{' also' if again and closer == stories[0].material.author else ''} closed {numbers.listed(phrases)}"
    )


def _owned(voice: Voice, story: Story) -> str:
    """An issue as a subject, with whose it is: "Ann's request to add a tile (#1)"."""
    material = story.material
    phrase = voice.issue_phrase(material)
    if material.is_pull_request:
        phrase = f"the pull request {voice.quoted(material.title)}"
    if material.author:
        phrase = phrase.replace("the ", f"{possessive(material.author)} ", 1)
    return f"{phrase} {_cited(voice, story)}"


def _lead(
    voice: Voice, story: Story, mode: str, said: Sequence[Said], opener: str, again: bool
) -> tuple[Draft, list[Said]]:
    """What happened to the item, with a clause of its body hung on where it fits."""
    plain = together(voice, [story.bare], opener=opener, again=again)
    if not said or said[0].clause.ordinal or mode == "closed":
        return plain, []
    attached = hung_on(voice, plain.text.removesuffix("."), said[0], story.material)
    if attached is None:
        return plain, []
    facts = merged_facts(plain.facts, said[0].facts)
    return replace(plain, text=finished(voice, attached), facts=facts, simpler=(plain,)), [said[0]]


def hung_on(voice: Voice, main: str, said: Said, material: Material) -> str | None:
    """The sentence with the clause hung on it; None where the clause should have a sentence of its own."""
    clause = said.clause
    text = voice.linked(said, material.reference)
    small = voice.small(text)
    fits = len(main.split()) + clause.words <= _COLON_AT_MOST
    if (change := _CHANGE.match(text)) and change["what"].lower() in material.title.text.lower():
        before, bracket, reference = main.rpartition(" (")
        return f"{before} {change['how']}{bracket}{reference}" if bracket else None
    if clause.form is Form.PRESENT:
        return f"{main}; it {small}" if fits else None
    if ": " in re.sub(r"“[^”]*”", "", main):
        return f"{main} – {small}" if fits and ": " not in text and clause.form is not Form.PERSONAL else None
    if clause.form in (Form.PERSONAL, Form.QUESTION):
        return None
    if ": " in text:
        fits = len(main.split()) + clause.words <= _DASH_AT_MOST
        return f"{main} – {small}" if fits and clause.form in (Form.NOUN, Form.GERUND) else None
    if clause.form is Form.STATEMENT and not text[0].isdigit():
        return f"{main}: {small}" if fits and voice.choose("colon", "yes", "no") == "yes" else None
    return f"{main}: {small}"


def _through_comment(voice: Voice, story: Story, said: Said) -> Draft:
    """An item on which somebody spoke: "On the issue “...” (#1), now closed, Ann reported that ..."."""
    material = story.material
    done = voice.mode(material) == "closed"
    phrase = (
        f"the pull request {voice.quoted(material.title)}" if material.is_pull_request else voice.issue_phrase(material)
    )
    where = f"{phrase} {_cited(voice, story)}"
    if done and material.closer and material.closer == said.speaker and said.clause.form is Form.PAST:
        text = f"{material.closer} closed {where} and {voice.small(voice.linked(said, material.reference))}"
    else:
        text = f"on {where}{', now closed' if done else ''}, {reported(voice, said, material.reference)}"
    return Draft(
        text=finished(voice, text),
        references=story.references,
        facts=merged_facts(story.references, said.facts),
        simpler=(together(voice, [story.bare]),),
    )


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
