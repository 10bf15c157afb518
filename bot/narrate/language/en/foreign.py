"""Whether a text is in another language: then it is quoted, and no English word is put into it."""

from __future__ import annotations

import re
import unicodedata

from bot.narrate.language.en import verbs
from bot.narrate.language.en.nouns import is_common_noun
from bot.narrate.language.en.words import COMMON, FUNCTION_WORDS
from bot.narrate.wordset import word_set

_ENGLISH = word_set(
    """
    the of to for with from by is are was were be been has have had when while if that this these those it its
    they their we our you your at into off up out over not now only than then because after before between within
    without via each all both new and or but can could should would will
    """
)
_FOREIGN = word_set(
    """
    alle anche au auch auf aux avec bei beim ces cet cette chez com con da dai dans das de dei del della delle
    den der des desde di dos du ein eine einen einer el els em en er está et für hasta het ich il ist jest jetzt
    kann la las le les los mais mit muito muy más na nach nas nicht nie noch nur não o och oraz os où para pas
    pela pelo più por pour que qui sans se sem ser sie sind się sono su sua suas sur são também toda todas todo
    todos tous tout toutes tutte tutti um uma un una und une van vom von voor wenn werden wir wird y za zu zum
    zur że
    """
)
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_FEW = 3
"""A text of fewer words than these is not judged by how many of them are known."""


def is_foreign(text: str) -> bool:
    """Whether the text is clearly not English: by its script, its small words, its accents, or that none is known."""
    words = _WORD.findall(text)
    letters = [c for c in text if c.isalpha()]
    if not words or not letters:
        return False
    if sum(not _is_latin(c) for c in letters) * 4 > len(letters):
        return True
    lowered = [word.lower() for word in words]
    english = sum(word in _ENGLISH for word in lowered)
    foreign = sum(word in _FOREIGN for word in lowered)
    accented = sum(not word.isascii() and (word.islower() or place == 0) for place, word in enumerate(words))
    if foreign + accented > english:
        return True
    plain = [word for word in words if word.isascii() and (word.islower() or word is words[0])]
    return len(plain) >= _FEW and not any(_is_known(word.lower()) for word in plain)


def _is_latin(character: str) -> bool:
    return character.isascii() or unicodedata.name(character, "").startswith("LATIN")


def _is_known(word: str) -> bool:
    return (
        word in _ENGLISH
        or word in FUNCTION_WORDS
        or word in COMMON
        or is_common_noun(word)
        or bool(verbs.is_verb(word) or verbs.base_of_third(word) or verbs.base_of_past(word))
    )
