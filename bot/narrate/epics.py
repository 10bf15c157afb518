"""What an epic says of itself, and what was said on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.model.edition import Epic, Fact
from bot.narrate.language.en.clauses import Form
from bot.narrate.material import Said, said_of_epic
from bot.narrate.people import People

SUMMARY_WORDS = 45
COMMENTS = 5  # clauses of comments told of one epic


@dataclass(frozen=True, slots=True)
class EpicWords:
    """`summary`: the epic's purpose in its own words; `comments`: the clauses of the period's comments to tell."""

    summary: str
    comments: tuple[Said, ...]

    @property
    def length(self) -> int:
        """Words that the epic takes besides its items, about."""
        return len(self.summary.split()) + sum(said.clause.words + 4 for said in self.comments)


def words_of_epic(epic: Epic, people: People, facts: Mapping[str, Fact]) -> EpicWords:
    """The beginning of the epic's body with whatever figures it holds, and the best of the comments on it."""
    own, comments = said_of_epic(epic, people, facts)
    best = sorted(comments, key=lambda said: -said.clause.value)[:COMMENTS]
    told = [said for said in best if said.clause.figures or said.clause.form is not Form.NOUN]
    return EpicWords(_summary(own), tuple(said for said in comments if said in told))


def _summary(own: tuple[Said, ...]) -> str:
    sentences: list[str] = []
    length = 0
    for clause in (said.clause for said in own):
        if length + clause.words <= SUMMARY_WORDS and (not sentences or clause.figures):
            end = "" if clause.text.endswith(("?", "!", "。")) else "."
            sentences.append(clause.text[0].upper() + clause.text[1:] + end)
            length += clause.words
    return " ".join(sentences)
