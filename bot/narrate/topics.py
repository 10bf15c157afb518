"""What the project works on in a period, as words: to see whose words meet it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.model.edition import Edition
from bot.narrate.language.en.nouns import is_common_noun
from bot.narrate.language.en.verbs import is_verbal
from bot.narrate.language.en.words import COMMON, FUNCTION_WORDS
from bot.narrate.material import Material
from bot.narrate.wordset import word_set

_TOKEN = re.compile(r"[^\W\d_][\w+#]*", re.UNICODE)


@dataclass(frozen=True, slots=True)
class Topics:
    """Weights of words (lower case, singular) by how many items tell of them."""

    weights: dict[str, float]

    @classmethod
    def of(cls, edition: Edition, materials: Sequence[Material]) -> Topics:
        marks: Counter[str] = Counter()
        words: Counter[str] = Counter()
        technical: set[str] = set()
        for one in materials:
            marks.update({token for mark in (*one.title.scopes, *one.item.labels) for token in _tokens(mark)})
            words.update(set(_tokens(one.item.title)))
            technical |= {
                _singular(word.lower())
                for word in _TOKEN.findall(f"{one.title.text} {one.item.body}")
                if _is_technical(word)
            }
        for section in edition.sections:
            marks.update({token: max(len(section.items), 1) for token in _tokens(section.title)})
        weights: dict[str, float] = {}
        for token in {*marks, *words, *technical}:
            if token in FUNCTION_WORDS or len(token) < 2 or token in _EVERYDAY:
                continue
            if token in technical:
                weights[token] = 1.6
            elif marks[token] > 1:
                weights[token] = 1.5
            elif words[token] > 1 and token not in COMMON and len(token) > 3:
                weights[token] = 0.3 if is_verbal(token) or is_common_noun(token) else 1.0
            if token in weights and marks[token] > 1:
                weights[token] += 0.4
        return cls(weights)

    def matches(self, text: str) -> dict[str, float]:
        """The topics that the text names, with their weights."""
        return {token: self.weights[token] for token in dict.fromkeys(_tokens(text)) if token in self.weights}


_EVERYDAY = word_set(
    """
    agent bug change code community docs documentation draft epic experiment feature fix generated help issue
    job name new other question review run task test time tooling wip work
    """
)


def _is_technical(word: str) -> bool:
    """An acronym or a name with capitals or digits inside: RL, MoE, JAX, H100."""
    return len(word) > 1 and (
        any(c.isupper() for c in word[1:]) or (word[0].isupper() and any(c.isdigit() for c in word))
    )


def _tokens(text: str) -> Iterable[str]:
    for match in _TOKEN.finditer(text):
        yield _singular(match[0].lower())


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word[:-1] if word in ("llms", "gpus", "tpus") else word
