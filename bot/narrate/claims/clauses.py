"""Clauses: what each speaks of, and whether it denies it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise

from bot.narrate.claims.known import WORD
from bot.narrate.claims.nearness import DULL, root
from bot.narrate.language.en import verbs
from bot.narrate.wordset import word_set

_END = re.compile(
    r"[.;:!?](?=\s|$)|\n|[()]|,\s|\s(?:but|while|whereas|although|though|because|so|which|who|unless|and)\s",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.;!?](?=\s|$)|\n")
_EMPTY = re.compile(r"\b(?:not (?:only|just|merely)|no matter|no\. ?\d)\b", re.IGNORECASE)
NEGATION = re.compile(
    r"\b(?:not|never|cannot|no longer|no|without|none|nobody|nothing|neither|nor|fail(?:s|ed)? to|unable to)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)
_NOTHING = re.compile(r"\b([a-z]{3,})(?: is| was|:)? (?:zero|none)\s*$", re.IGNORECASE)  # `drift zero`
_SCOPE_END = re.compile(
    r"(?<![\w-])(?:when|if|until|unless|after|before|since|because|than|yet|any longer)\b", re.IGNORECASE
)
_ELLIPTIC = re.compile(r"\b(?:do|does|did|is|are|was|were|can|could|will)\s?$")  # `routing does not`
_FUNCTION = DULL | word_set(
    """he she they we you i it its who which also now then there here very too still yet will would can could should may
    might must do does did done have has had being am not never cannot no none nobody nothing neither nor without all
    every any some other only their them his her our my your so far any longer anymore already even again ever what
    whose when if until unless after before since because get got make made nearly almost approximately roughly"""
)


@dataclass(frozen=True, slots=True)
class Clause:
    """`roots` are its telling words; `denied` those of them that a negation before them covers, nearest first."""

    text: str
    roots: frozenset[str]
    denied: tuple[str, ...]
    denies: bool
    sentence: frozenset[str]  # the telling words of the whole sentence


@lru_cache(maxsize=8192)
def lemma(word: str) -> str:
    """A form in which the forms of one word are alike: `lost` and `losing`, `agrees` and `agreed`."""
    lower = word.lower().removesuffix("'s").removesuffix("’s")
    for base in (verbs.base_of_past, verbs.base_of_participle, verbs.base_of_gerund, verbs.base_of_third):
        if found := base(lower):
            return root(found)
    return root(lower)


@lru_cache(maxsize=16384)
def roots_of(text: str) -> tuple[str, ...]:
    """The telling words of a text in order, as lemmas."""
    return tuple(
        lemma(word[0])
        for word in WORD.finditer(text)
        if word[0].lower() not in _FUNCTION and not word[0][0].isdigit() and len(word[0]) > 2
    )


@lru_cache(maxsize=4096)
def clauses_of(text: str) -> tuple[Clause, ...]:
    """The clauses of a text that say anything."""
    found = []
    for start, end in sentence_bounds(text):
        around = frozenset(roots_of(text[start:end]))
        found += [_clause(part, around) for part in _parts(text[start:end])]
    return tuple(clause for clause in found if clause.roots)


@lru_cache(maxsize=4096)
def sentences_of(text: str) -> tuple[Clause, ...]:
    """The sentences of a text, each as one clause."""
    parts = [text[start:end] for start, end in sentence_bounds(text)]
    return tuple(_clause(part, frozenset(roots_of(part))) for part in parts if part.strip())


def sentence_bounds(text: str) -> list[tuple[int, int]]:
    """Where the sentences of a text stand, semicolons and line ends taken as their ends too."""
    bounds = [0, *(match.end() for match in _SENTENCE_END.finditer(text)), len(text)]
    return list(pairwise(bounds))


def _parts(sentence: str) -> list[str]:
    return [part for part in _END.split(sentence) if part and part.strip()]


def _clause(text: str, sentence: frozenset[str]) -> Clause:
    denied: list[str] = []
    bare = _EMPTY.sub(" ", text)
    negations = list(islice(NEGATION.finditer(bare), 20))
    for negation in negations:
        behind = _SCOPE_END.split(bare[negation.end() : negation.end() + 120], maxsplit=1)[0]
        covered = roots_of(" ".join(behind.split()[:8]))
        before = bare[: negation.start()]
        denied += roots_of(before) if not covered and _ELLIPTIC.search(before) else covered
    if nothing := _NOTHING.search(bare):
        denied += roots_of(nothing[1])
    return Clause(text, frozenset(roots_of(text)), tuple(denied), bool(negations or nothing), sentence)
