"""Sentences about one pull request or issue with what its body and comments say, in English."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from bot.narrate.drafts import Draft, merged_facts
from bot.narrate.language.en.clauses import Form, is_participle
from bot.narrate.language.en.joining import Story, cited, from_when, together
from bot.narrate.language.en.speaking import finished, further, reported
from bot.narrate.language.en.voice import Before, Voice
from bot.narrate.material import Material, Said

_COLON_AT_MOST = 34  # words of a sentence whose second half hangs on a colon
_DASH_AT_MOST = 44  # the same, behind a dash
_CHANGE = re.compile(r"^(?P<what>[\w\s-]+?) went (?P<how>from .*)$")


def told(voice: Voice, story: Story, *, opener: str = "", before: Before = Before.OTHERS) -> list[Draft]:
    """The sentences about one item: what happened, what follows it up, then a sentence for each further clause."""
    mode = voice.mode(story.material)
    comments = [said for said in story.said if said.is_comment]
    spoken_on = mode in ("discussed", "stayed", "closed", "reopened") or mode.startswith("still")
    if spoken_on and comments:
        first, used = _through_comment(voice, story, comments[0]), [comments[0]]
    else:
        body = [said for said in story.said if not said.is_comment]
        first, used = _lead(voice, story, mode, body[:1], opener, before)
    material_reference = story.material.reference
    about = (*story.references, *(one.material.reference for one in story.followers))
    return [
        first,
        *(draft for follower in story.followers for draft in told(voice, follower, before=Before.EARLIER)),
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


def _lead(
    voice: Voice, story: Story, mode: str, said: Sequence[Said], opener: str, before: Before
) -> tuple[Draft, list[Said]]:
    """What happened to the item, with a clause of its body hung on where it fits."""
    plain = together(voice, [story.bare], opener=opener, before=before)
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
    small = voice.phrase(text) if clause.form is Form.NOUN else voice.small(text)
    fits = len(main.split()) + clause.words <= _COLON_AT_MOST
    if (change := _CHANGE.match(text)) and change["what"].lower() in material.title.text.lower():
        before, bracket, reference = main.rpartition(" (")
        return f"{before} {change['how']}{bracket}{reference}" if bracket else None
    if clause.form is Form.PRESENT and material.title.verb == "revert":
        return None  # it tells of what was reverted
    if clause.form is Form.PRESENT:
        what = "it" if re.search(r"\b(?:pull request|issue|experiment|change)\b", main) else "the change"
        return f"{main}; {what} {small}" if fits else None
    if is_participle(text):
        return None
    if ": " in re.sub(r"“[^”]*”", "", main):
        return f"{main} – {small}" if fits and ": " not in text and clause.form is not Form.PERSONAL else None
    if clause.form in (Form.PERSONAL, Form.QUESTION, Form.PAST):
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
    where = cited(voice, from_when(voice, material), story)
    if done and material.closer and material.closer == said.speaker and said.clause.form is Form.PAST:
        text = f"{material.closer} closed {where} and {voice.small(voice.linked(said, material.reference))}"
    else:
        text = f"on {where}{', now closed' if done else ''}, {reported(voice, said, material.reference)}"
    with voice.aside():
        simpler = (together(voice, [story.bare]),)
    return Draft(
        text=finished(voice, text),
        references=story.references,
        facts=merged_facts(story.references, said.facts),
        simpler=simpler,
    )
