"""Which words stand near a place in a text, and whether two places have changed their words."""

from __future__ import annotations

import re
from functools import lru_cache

from bot.narrate.claims.known import WORD
from bot.narrate.claims.units import UNITS, plural_to_singular
from bot.narrate.wordset import word_set

DULL = word_set(
    """the a an of to in on for with by at from and or is are was were be been it its that this than as per vs versus
    against while but not up down over under about around roughly only just now still each both all one two more
    less higher lower above below rose fell rises falls goes went reached reaches reach gets got has have had using
    uses compared percent points point percentage which respectively measured score scores scored value values"""
)

_HARD = re.compile(r"[;.](?=\s)|\n")
_SOFT = re.compile(r"[,:](?=\s)|[()]|\s(?:and|but|while|whereas|against|versus|vs\.?|compared|than)\s", re.IGNORECASE)
_REACH = 40


@lru_cache(maxsize=8192)
def around(text: str, start: int, end: int) -> dict[str, float]:
    """The telling words near a place ("AIME24" of the 27 in "AIME24 rose to 27"), with how near: 1 right beside it."""
    near: dict[str, float] = {}
    for side in (-1, 1):
        piece = text[max(0, start - 160) : start] if side < 0 else text[end : end + 160].replace(" (", "  ", 1)
        words = list(WORD.finditer(piece))
        for steps, word in enumerate(reversed(words) if side < 0 else words):
            between = piece[word.end() :] if side < 0 else piece[: word.start()]
            distance = 1 + steps + 3 * len(_SOFT.findall(between)) + 14 * len(_HARD.findall(between))
            word_root = root(word[0])
            if side < 0 and near and ": " in between and text[start : start + 1].isdigit():
                break  # a heading over several things: `Baseline: wheat 41 min, yeast 48 s`
            if distance < _REACH and word_root not in DULL and word_root not in UNITS and not word_root[0].isdigit():
                near[word_root] = max(near.get(word_root, 0.0), 1 / distance)
    return near


@lru_cache(maxsize=16384)
def root(word: str) -> str:
    """A form in which "original" and "originally" are one word."""
    word = plural_to_singular(word)
    for ending in ("ing", "ed", "ly", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)][:6]
    return word[:6]


_CONTRASTS = frozenset(
    root(word)
    for word in word_set(
        "old new now once before after baseline control original originally former previous latter first second without"
    )
)
_CONTRAST = 3.0


def alignment(
    mine: tuple[dict[str, float], dict[str, float]], theirs: tuple[dict[str, float], dict[str, float]], shared: set[str]
) -> tuple[float, float]:
    """How well the words of two figures in the sentence go with those in the fact, straight and crosswise."""
    (one, two), (of_one, of_two) = mine, theirs
    straight = crossed = 0.0
    for word in ((one.keys() | two.keys()) & (of_one.keys() | of_two.keys())) - shared:
        here = one.get(word, 0.0) - two.get(word, 0.0)
        there = of_one.get(word, 0.0) - of_two.get(word, 0.0)
        spread = max(one.get(word, 0.0), two.get(word, 0.0)) * max(of_one.get(word, 0.0), of_two.get(word, 0.0))
        agreement = here * there / spread * (_CONTRAST if word in _CONTRASTS else 1) if spread else 0.0
        if agreement > 0:
            straight += agreement
        else:
            crossed -= agreement
    return straight, crossed
