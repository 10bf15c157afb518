"""Quantities told without a verb."""

from __future__ import annotations

import re

from bot.narrate.language.en import nouns, verbs
from bot.narrate.language.en.nouns import is_plural
from bot.narrate.language.en.words import FINITE, PREPOSITIONS
from bot.narrate.wordset import word_set

_MEASURE = re.compile(
    r"^(?P<subject>[^\d,;:()]*?[A-Za-z][^,;:()]*?)\s(?P<rest>(?:from\s)?[~≈<>]?\d[\d.,]*(?:e\d+)?(?:%|x|k|M|B|T)?(?![\w.]).*)$"
)
_NO_SUBJECT_END = word_set(
    """
    version v step steps number issue pr pull part round phase page line seed section at of to by about over
    under around than with for in on from and or up down only all the a an first last top some every each
    january february march april may june july august september october november december jan feb mar apr jun
    jul aug sept sep oct nov dec monday tuesday wednesday thursday friday saturday sunday gpt python cuda since
    until
    """
)


def with_verb(text: str) -> str | None:
    """A measure told without a verb, with one: `peak memory 137.9 GiB` -> `peak memory was 137.9 GiB`.

    None where the text is not clearly a quantity followed by its value.
    """
    match = _MEASURE.match(text)
    if not match:
        return None
    subject, rest = match["subject"], match["rest"]
    words = subject.split()
    if words[0].lower() in PREPOSITIONS or any(word.lower() in FINITE for word in words):
        return None
    last = words[-1].lower().strip("()")
    if words[-1][0].isupper() and not words[-1].isupper() and not rest.startswith("from ") and len(words) == 1:
        return None
    if len(words) > 1 and verbs.is_verb(last) and not nouns.is_common_noun(last):
        return None
    if len(words) > 6 or last in _NO_SUBJECT_END or verbs.base_of_participle(last) or verbs.base_of_gerund(words[0]):
        return None
    third = verbs.base_of_third(last)
    if third and (rest.startswith("from ") or third not in verbs.NOUN_TOO):
        return None  # "drops from 31 to 19" has its verb
    if rest.startswith("from "):
        return f"{subject} went {rest}" if " to " in rest else None
    if not re.match(
        r"[~≈<>]?\d[\d.,]*(?:e\d+)?(?:%|x|k|M|B|T)?(?:\s?(?:%|[KMGT]i?B(?:/s)?|pp|ms|s|tok/s|TB/s))?(?:\s\([^)]*\))?(?=$|,|\.$|\s(?:and|against|vs\.?|versus|at|to|on|for|in)\s|\sthan\s)",
        rest,
    ):
        return None
    return f"{subject} {'were' if is_plural(last) else 'was'} {rest}"
