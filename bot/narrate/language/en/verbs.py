"""English verbs as they open titles and sentences of software projects: recognised and inflected."""

from __future__ import annotations

from functools import cache

from bot.narrate.language.en.verb_list import DOUBLING, IRREGULAR, MOSTLY_VERBS, NOUN_TOO, REGULAR

__all__ = ["MOSTLY_VERBS", "NOUN_TOO"]


VERBS = REGULAR | frozenset(IRREGULAR)


def is_verb(word: str) -> bool:
    """Whether `word` (any case) is a verb's base form that we can inflect."""
    lowered = word.lower()
    return _root(lowered) is not None


def _root(word: str) -> tuple[str, str] | None:
    """A known verb and the prefix before it: `rerank` is `re` and `rank`."""
    if word in VERBS:
        return "", word
    for prefix in (
        "re-",
        "auto-",
        "pre-",
        "de-",
        "un-",
        "re",
        "auto",
        "pre",
        "de",
        "un",
        "over",
        "mis",
        "co-",
        "fine-",
    ):
        rest = word[len(prefix) :]
        if word.startswith(prefix) and len(rest) > 2 and rest in VERBS:
            return prefix, rest
    return None


@cache
def past(verb: str) -> str:
    """`rework` -> `reworked`, `build` -> `built`, `drop` -> `dropped`."""
    return _inflected(verb, 0)


@cache
def participle(verb: str) -> str:
    """The form behind "has been": `write` -> `written`."""
    return _inflected(verb, 1)


def _inflected(verb: str, form: int) -> str:
    if verb in IRREGULAR:
        return IRREGULAR[verb][form]
    for prefix in ("re", "over", "under", "un", "mis", "out", "with", "pre"):
        root = verb.removeprefix(prefix)
        if root != verb and root in IRREGULAR and verb not in _NOT_COMPOUND:
            return prefix + IRREGULAR[root][form]
    return _with_ed(verb)


_NOT_COMPOUND = frozenset({"relay", "prelay", "unlay", "outlay", "relead"})


def _with_ed(verb: str) -> str:
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ied"
    return (verb + verb[-1] if verb in DOUBLING else verb) + "ed"


@cache
def third(verb: str) -> str:
    """`fix` -> `fixes`, `carry` -> `carries`."""
    if verb == "be":
        return "is"
    if verb == "have":
        return "has"
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


@cache
def gerund(verb: str) -> str:
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) and verb != "be":
        return verb[:-1] + "ing"
    return (verb + verb[-1] if verb in DOUBLING else verb) + "ing"


_OF_PAST = {past(verb): verb for verb in sorted(VERBS)}
_OF_THIRD = {third(verb): verb for verb in sorted(VERBS)}
_OF_PARTICIPLE = {participle(verb): verb for verb in sorted(VERBS)}
_OF_GERUND = {gerund(verb): verb for verb in sorted(VERBS)}


def _inverse(word: str, table: dict[str, str]) -> str | None:
    lowered = word.lower()
    if lowered in table:
        return table[lowered]
    for prefix in ("re", "un", "de", "pre", "over"):
        if lowered.startswith(prefix) and lowered[len(prefix) :] in table:
            return prefix + table[lowered[len(prefix) :]]
    return None


def base_of_past(word: str) -> str | None:
    """The verb whose past form `word` is, or None: `reran` -> `rerun`."""
    return _inverse(word, _OF_PAST)


def is_only_past(word: str) -> bool:
    """Whether the word can be nothing but a past tense: `broke`, `grew`, `wrote`."""
    return any(word == told != done and word != base for base, (told, done) in IRREGULAR.items())


def base_of_third(word: str) -> str | None:
    return _inverse(word, _OF_THIRD)


def base_of_participle(word: str) -> str | None:
    return _inverse(word, _OF_PARTICIPLE)


def base_of_gerund(word: str) -> str | None:
    return _inverse(word, _OF_GERUND)


def is_verbal(word: str) -> bool:
    """Whether the word is any form of a verb."""
    return bool(
        is_verb(word) or base_of_past(word) or base_of_participle(word) or base_of_third(word) or base_of_gerund(word)
    )
