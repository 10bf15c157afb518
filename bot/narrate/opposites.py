"""Words that say the contrary of a fact: `disabled` for `enabled`, a `not` too many or too few."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.narrate.known import Known

_PAIRS = (
    ("enabl", "disabl"),
    ("succe", "fail"),
    ("pass", "fail"),
    ("accept", "reject"),
    ("includ", "exclud"),
    ("upgrad", "downgrad"),
    ("increas", "decreas"),
    ("increas", "reduc"),
    ("rais", "lower"),
    ("faster", "slower"),
    ("higher", "lower"),
    ("more", "fewer"),
    ("add", "remov"),
    ("introduc", "remov"),
    ("start", "stop"),
    ("allow", "forbid"),
    ("allow", "prevent"),
    ("improv", "regress"),
    ("improv", "worsen"),
    ("better", "worse"),
    ("first", "last"),
    ("before", "after"),
    ("join", "left"),
    ("synchron", "asynchron"),
    ("stable", "unstable"),
    ("always", "never"),
    ("required", "optional"),
    ("public", "private"),
    ("internal", "external"),
    ("minimum", "maximum"),
    ("open", "clos"),
)
_STRICT = {("before", "after"), ("first", "last"), ("open", "clos"), ("more", "fewer"), ("join", "left")}
_NOT = re.compile(
    r"\b(?:not|never|no longer|cannot|neither|nor|without|fail(?:s|ed)? to|hardly)\b|n['’]t\b", re.IGNORECASE
)
_SOFT_NO = re.compile(
    r"\b(?:no|none|nobody|nothing|un\w+|dis\w+|fail\w*|stop\w*|silent\w*|skip\w*|only|instead|avoid\w*|prevent\w*|miss\w*|lack\w*|"
    r"remov\w*|drop\w*|open|draft|away|gone|ceas\w*|reject\w*|declin\w*|refus\w*|but|yet|rather|zero|0|crash\w*|broke\w*|exclud\w*|ignor\w*|too|hung|hang\w*|lost|loses?|bug\w*|fix\w*|block\w*|without|closed|free|clear\w*|ends?|fewer|less)\b",
    re.IGNORECASE,
)
_AVERTED = re.compile(r"\b(?:avoid|prevent|stop|fix|without|no longer|refus|forbid|block|protect|guard)")
_NOT_VERB = re.compile(r"\b(?:not|never|cannot)\s+(?:yet\s+)?([a-z]{4,})|n['’]t\s+([a-z]{4,})", re.IGNORECASE)
_WORDS = re.compile(r"[a-z][a-z-]*", re.IGNORECASE)
_DULL = frozenset(
    "the a an of to in on for with by at from and or is are was were be been it its that this than as new".split()
)


# Verdicts and verbs of change: what they are said of may stand on either side.
_EITHER_SIDE = ("enabl", "disabl", "succe", "fail", "pass", "accept", "reject", "rais", "lower", "increas", "decreas", "reduc",
                "improv", "regress", "worsen", "faster", "slower", "better", "worse", "higher", "stable", "unstable", "required", "optional")  # fmt: skip


def opposite_faults(words: str, known: Known) -> Iterator[str]:
    """Where the sentence says of the same thing the contrary of what the facts say."""
    facts = known.lower
    said, told = _surroundings(words.lower()), _surroundings(facts)
    negated = _NOT.search(words) is not None
    for pair in _PAIRS:
        for mine, other in (pair, pair[::-1]):
            if negated or not any(word.startswith(mine) for word, _, _ in said):
                continue
            if any(word.startswith(mine) for word, _, _ in told) or any(word.startswith(other) for word, _, _ in said):
                continue
            if _things(said, mine) & _things(told, other) and pair not in _STRICT:
                yield f"says {mine}… where the facts say {other}…"
    if negated and not _NOT.search(facts) and not _SOFT_NO.search(facts):
        yield "denies something that no fact denies"
    yield from _dropped_negation(words, facts, negated)


def _things(text: list[tuple[str, frozenset[str], frozenset[str]]], stem: str) -> set[str]:
    """What the words with this stem are said of."""
    either = stem in _EITHER_SIDE
    return {
        thing
        for word, before, behind in text
        if word.startswith(stem)
        for thing in (behind | before if either else behind)
    }


def _surroundings(text: str) -> list[tuple[str, frozenset[str], frozenset[str]]]:
    """Each telling word with the three before it and the three behind it."""
    telling = [word[0] for word in _WORDS.finditer(text)]
    telling = [word for word in telling if word not in _DULL and len(word) > 2]
    roots = [_root(word) for word in telling]
    return [
        (word, frozenset(roots[max(0, at - 3) : at]), frozenset(roots[at + 1 : at + 4]))
        for at, word in enumerate(telling)
    ]


def _root(word: str) -> str:
    return word[:-1] if word.endswith("s") and len(word) > 3 else word


def _dropped_negation(words: str, facts: str, negated: bool) -> Iterator[str]:
    """`changes the default` where the facts say `does not change the default`."""
    lower = words.lower()
    if negated or _AVERTED.search(lower):
        return
    for match in _NOT_VERB.finditer(facts):
        verb = (match[1] or match[2]).rstrip("e")
        stem = verb[:-2] if verb.endswith("ed") else verb
        if len(stem) < 4 or not re.search(rf"\b{re.escape(stem)}", lower):
            continue
        affirmed = len(re.findall(rf"\b{re.escape(stem)}", facts)) > len(
            re.findall(rf"(?:not|never|cannot|n['’]t)\s+(?:yet\s+)?{re.escape(stem)}", facts)
        )
        before = re.split(r"[.\n]\s?", facts[max(0, match.start() - 80) : match.start()])[-1]
        behind = re.split(r"[.\n]", facts[match.end() : match.end() + 60])[0]
        things = {word[0] for word in _WORDS.finditer(f"{before} {behind}") if len(word[0]) > 3} - _DULL
        if not affirmed and things & {word[0] for word in _WORDS.finditer(lower)}:
            yield f"says {stem}…, which the facts deny"
            return
