"""What bodies and comments say, as sentences of their own, in English."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.narrate.drafts import Draft, merged_facts
from bot.narrate.language.en.clauses import Form, is_statement, subject_end
from bot.narrate.language.en.voice import Voice
from bot.narrate.language.en.words import COUNTS
from bot.narrate.material import Material, Said

_ORDINALS = ("", "First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Ninth", "Tenth")
_LABEL = re.compile(
    r"^(?:checked|update|status|(?:weekly |daily )?sync|news|results?|progress|tl;dr|summary|note|finding"
    r"|conclusion):\s+|^(?:confirmed|yes|yep|indeed|correct|right|agreed|same here)[,:.!–-]+\s+",
    re.IGNORECASE,
)
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")  # scripts that know no such full stop
GONE = "somebody whose account is gone"


def finished(voice: Voice, text: str) -> str:
    """The sentence with its capital and one full stop, which stands within a closing quotation mark."""
    text = voice.large(text.strip())
    if text.endswith(("”", "’")) and _WIDE.match(text[-2]):
        return text + "."
    if text.endswith(("”", "’")) and text[-2] not in ".!?…。！？":
        return f"{text[:-1]}.{text[-1]}"
    return text if re.search(r"[.!?…。！？][”’)]?$", text) else text + "."


def possessive(name: str) -> str:
    return f"{name}’" if name.endswith("s") else f"{name}’s"


def quoted(text: str) -> str:
    """In quotation marks, those within made single."""
    inner = re.sub(r'"([^"]+)"', r"‘\1’", text.replace("“", "‘").replace("”", "’"))
    return "“" + inner.replace('"', "’") + "”"


def reported(voice: Voice, said: Said, reference: str) -> str:
    """A clause of a comment as its writer's report; in quotation marks where it speaks of itself or is no clause."""
    who, clause = said.speaker or GONE, said.clause
    text = _LABEL.sub("", voice.linked(said, reference))
    if clause.form is Form.PAST:
        return f"{who} {voice.small(text)}"
    if clause.form is Form.QUESTION:
        return f"{who} asked: {quoted(_verbatim(voice, said, reference))}"
    if clause.form is Form.PERSONAL or clause.ordinal:
        return f"{who} {voice.choose('wrote', 'wrote', 'said')}: {quoted(_verbatim(voice, said, reference))}"
    if ": " in text:
        return f"{who} {voice.choose('reported:', 'reported', 'wrote')}: {quoted(_verbatim(voice, said, reference))}"
    if clause.form is Form.STATEMENT and ", " in text[: subject_end(text) or 0]:
        return f"{who} wrote: {quoted(_verbatim(voice, said, reference))}"
    if clause.form is Form.STATEMENT:
        return f"{who} {voice.choose('reported that', 'reported', 'noted')} that {voice.small(text)}"
    if _is_result(text):
        return f"{who} reported {voice.phrase(text)}"
    return f"{who} wrote: {quoted(_verbatim(voice, said, reference))}"


def _is_result(text: str) -> bool:
    """Whether a phrase can be the object of "reported": it begins with a count."""
    first = text.split()[0].lower()
    return first in COUNTS or first[0].isdigit()


def _stands_alone(text: str) -> bool:
    """Whether a clause is a sentence by itself: it states something from its beginning, which is no numeral."""
    label, colon, _ = text.partition(": ")
    return not text[0].isdigit() and (not colon or is_statement(label))


def _verbatim(voice: Voice, said: Said, reference: str) -> str:
    """The words as they were written, for quotation marks."""
    return voice.large(
        voice.links.linked(_LABEL.sub("", said.clause.raw or said.clause.text), reference.partition("#")[0])
    )


def goes_on(voice: Voice, said: Said, reference: str) -> str:
    """A further clause by the person who was just named."""
    text = _LABEL.sub("", voice.linked(said, reference))
    who, clause = said.speaker or GONE, said.clause
    if clause.form is Form.PAST:
        return f"{who} also {voice.small(text)}"
    if clause.form is Form.STATEMENT and _stands_alone(text):
        return text
    if clause.form is Form.STATEMENT and ": " not in text:
        return f"{who} added that {voice.small(text)}"
    if clause.form is Form.NOUN and ": " not in text and _is_result(text):
        return f"{who} also reported {voice.phrase(text)}"
    verb = voice.choose("goes on", "added", "also wrote")
    return f"{who} {verb}: {quoted(_verbatim(voice, said, reference))}"


def _update(voice: Voice, said: Said, reference: str) -> str:
    """A comment by the item's own author, whose name the sentence before holds."""
    text = _LABEL.sub("", voice.linked(said, reference))
    clause = said.clause
    if clause.form is Form.PAST:
        return f"{said.speaker} then {voice.small(text)}"
    if clause.form is Form.STATEMENT and ": " not in text:
        return f"{voice.choose('update', 'an update says', 'a comment adds')} that {voice.small(text)}"
    if clause.form is Form.NOUN and ": " not in text and _is_result(text):
        return f"an update reports {voice.phrase(text)}"
    lead = voice.choose("update:", "an update says", "a comment adds")
    return f"{lead}: {quoted(_verbatim(voice, said, reference))}"


def of_body(voice: Voice, said: Said, material: Material) -> str:
    """A clause of an item's body as a sentence behind the one that told of the item.

    What an issue says is told as its word; a change's own text speaks for itself where it is a whole sentence.
    """
    clause = said.clause
    text = voice.linked(said, material.reference)
    what = "pull request" if material.is_pull_request else voice.issue_noun(material)
    if clause.ordinal:
        return f"{_ORDINALS[min(clause.ordinal, 10)]}, {voice.small(text)}"
    if clause.form is Form.PRESENT and material.title.verb != "revert":
        return f"the {'change' if material.item.state == 'merged' else what} also {voice.small(text)}"
    if clause.form is Form.QUESTION:
        return f"the {what} asks: {quoted(_verbatim(voice, said, material.reference))}"
    if clause.form is Form.STATEMENT and _stands_alone(text) and what != "issue":
        return text
    if clause.form is Form.STATEMENT and ": " not in text:
        according = f"according to the {what}, {voice.small(text)}"
        return voice.choose("of body", according, f"the {what} says that {voice.small(text)}")
    if clause.form is Form.NOUN and ": " not in text and _is_result(text):
        return f"the {what} reports {voice.phrase(text)}"
    words = quoted(_verbatim(voice, said, material.reference))
    return voice.choose("of words", f"the {what} says: {words}", f"in the words of the {what}: {words}")


def further(
    voice: Voice, material: Material, left: Sequence[Said], *, about: tuple[str, ...], before: Said | None
) -> list[Draft]:
    """A sentence for each clause that is left; `before` is the comment which the sentence before told, if any."""
    drafts: list[Draft] = []
    speaker = before.speaker if before else None
    heard = before is not None
    for said in left:
        if not said.is_comment:
            text = of_body(voice, said, material)
        elif heard and said.speaker == speaker:
            text = goes_on(voice, said, material.reference)
        elif said.speaker is not None and said.speaker == material.author and not heard:
            text = _update(voice, said, material.reference)
        else:
            text = reported(voice, said, material.reference)
        if said.is_comment:
            speaker, heard = said.speaker, True
        facts = merged_facts(about, said.facts)
        drafts.append(Draft(text=finished(voice, text), references=about, facts=facts))
    return drafts
