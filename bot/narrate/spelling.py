"""How the week's own texts spell a word: what is a name and keeps its capital, what is not."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

_NOISE = re.compile(r"https?://\S+|`[^`]*`|[\w.-]+/[\w.-]+#?\d*|\S*[_/\\@]\S*")
_WORD = re.compile(r"(?<![\w.-])[A-Za-z][A-Za-z'-]*[A-Za-z](?![\w-])")
_OPENING = re.compile(r"(?:^|[.!?:;\n(\[\"“]\s*|^[-*]\s+)$")


class Spelling:
    """Counts how words stand within sentences of `texts`; the beginning of a sentence proves nothing."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._within: dict[str, Counter[str]] = {}
        for text in texts:
            cleaned = _NOISE.sub(" ", text)
            for match in _WORD.finditer(cleaned):
                word = match[0]
                before = cleaned[max(0, match.start() - 3) : match.start()]
                if match.start() == 0 or _OPENING.search(before):
                    continue
                self._within.setdefault(word.lower(), Counter())[word] += 1

    def usual(self, word: str) -> str:
        """The usual spelling within sentences, or the word itself."""
        seen = self._within.get(word.lower())
        return min(seen, key=lambda form: (-seen[form], form)) if seen else word

    def is_common(self, word: str) -> bool:
        """Whether the week's texts write the word small within sentences."""
        seen = self._within.get(word.lower())
        return seen is not None and seen[word.lower()] * 2 >= sum(seen.values())

    def is_name(self, word: str) -> bool:
        """Whether the week's texts write the word with a capital within sentences."""
        return word in self._within.get(word.lower(), {})

    def name(self, word: str) -> str:
        """The spelling of a project's part named by a prefix: with its capital where the texts ever give it one."""
        seen = self._within.get(word.lower())
        if not seen:
            return word
        capital = {form: count for form, count in seen.items() if form != form.lower()}
        return min(capital, key=lambda form: (-capital[form], form)) if capital else word
