"""Something else where the facts put one thing: `a panel on licences` for one on the hero run, invented causes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from bot.narrate.claims.clauses import lemma, roots_of
from bot.narrate.claims.known import FactText, Known
from bot.narrate.claims.vocabulary import COMMON, GENERAL_NAMES

_SLOT = re.compile(
    r"(?=\b(?P<head>[A-Za-z][\w-]{2,}) (?P<link>of|on|about|for|with|against|into|in|from|by|under|behind|and) "
    r"(?:(?:the|a|an|its|their|our|this|that|his|her|my) )?(?P<word>[A-Za-z][\w-]{2,}(?: [A-Za-z][\w-]{2,})?))"
)
_DIRECT = re.compile(r"\b(?P<head>[a-z]{4,}) (?:the )?(?P<word>[A-Z][\w-]*[A-Za-z0-9])(?![\w'’])")
_CAUSE = re.compile(
    r"\b(?:because(?: of)?|due to|owing to|thanks to|caused by|as a result of|so that|in order to|on account of|"
    r"(?<=, )since(?= (?:the|it|its|they|he|she|this|that|there|nobody|people)\b))\s(?P<cause>[^.;]*)",
    re.IGNORECASE,
)


def slot_faults(words: str, known: Known) -> Iterator[str]:
    """Where a known word is followed by another than the facts ever let follow it, and where a cause is made up."""
    yield from _other_words(words, known)
    yield from _other_names(words, known)
    yield from _other_kinds(words, known)
    yield from _causes(words, known)


@lru_cache(maxsize=2048)
def _slots(text: str) -> tuple[tuple[str, str, frozenset[str]], ...]:
    return tuple((lemma(one["head"]), one["link"], frozenset(roots_of(one["word"]))) for one in _SLOT.finditer(text))


def _other_words(words: str, known: Known) -> Iterator[str]:
    mine = set(roots_of(words))
    have = _roots(known)
    for match in _SLOT.finditer(words):
        head, link = lemma(match["head"]), match["link"]
        put = {lemma(word): word.lower() for word in match["word"].split() if roots_of(word)}
        known_ones = [root in have or word in known.words or word in GENERAL_NAMES for root, word in put.items()]
        if not put or all(known_ones) or any(word in COMMON and word not in known.words for word in put.values()):
            continue
        filled = {
            root
            for fact in known.facts
            for one, by, others in _slots(fact.text)
            if (one, by) == (head, link)
            for root in others
        }
        if filled and not filled & mine:
            yield f"says {match['head']} {link} {match['word']}, where the facts say {', '.join(sorted(filled))}"
            return


_KIND = re.compile(
    r"\b(?i:on|in|at|from|to|of|by|for) (?:the |an? )?(?P<kind>[a-z][\w-]{3,}(?<!ing)(?<!ed)) "
    r"(?P<thing>[a-z][\w-]{3,})\b"
)


def _other_kinds(words: str, known: Known) -> Iterator[str]:
    """`on the production server` where the facts speak of the staging server."""
    have, mine = _roots(known), set(roots_of(words))
    for match in _KIND.finditer(words):
        kind, thing = match["kind"], match["thing"]
        if lemma(kind) in have or kind in known.words or kind in COMMON or not roots_of(kind):
            continue
        stem = re.escape(thing.removesuffix("s"))
        told = re.findall(rf"\b([a-z][\w-]{{3,}}) {stem}s?\b", known.lower)
        others = {lemma(one) for one in told if one not in COMMON and roots_of(one)}
        if others and len(told) == len(re.findall(rf"\b{stem}s?\b", known.lower)) and not others & mine:
            yield f"says {kind} {thing}, where the facts say {told[0]} {thing}"
            return


def _other_names(words: str, known: Known) -> Iterator[str]:
    """`favour Muon` where the facts only have `favour AdamW`."""
    for match in _DIRECT.finditer(words):
        head, word = match["head"], match["word"]
        if head in COMMON or word.lower() in GENERAL_NAMES:
            continue
        stem = re.escape(head[: max(4, len(head) - 2)])
        followed = [
            other
            for fact in known.facts
            for other in re.findall(rf"\b{stem}\w* (?:the )?(\S+(?: \S+){{0,3}})", fact.text)
        ]
        names = [other.split()[0].strip(".,;:()") for other in followed if other[0].isupper()]
        near = any(word.lower() in other.lower() for other in followed)
        if names and not near and not any(name in words for name in names):
            yield f"says {match[0]!r}, where the facts say {head} {names[0]}"
            return


def _causes(words: str, known: Known) -> Iterator[str]:
    have = _roots(known)
    for match in _CAUSE.finditer(words):
        cause = list(dict.fromkeys(roots_of(match["cause"])))
        if cause and sum(root in have for root in cause) * 2 <= len(cause):
            yield "names a cause that no fact tells"
            return
        effect = set(roots_of(re.split(r"[.;]\s", words[: match.start()])[-1]))
        if _are_apart(_speaking_of(effect, known), _speaking_of(set(cause), known)):
            yield "names as a cause what the facts tell of something else"
            return


def _speaking_of(roots: set[str], known: Known) -> list[FactText]:
    """The facts that share the most words with what is said, at least two, or one that no other has."""
    shared = [(len(roots & _fact_roots(fact.text)), fact) for fact in known.facts]
    most = max((number for number, _ in shared), default=0)
    best = [fact for number, fact in shared if number and number * 2 >= most]
    return best if most >= 2 or len(best) == 1 else []


def _are_apart(some: list[FactText], others: list[FactText]) -> bool:
    """Whether no fact is among both, and none names what the others name."""
    return bool(some and others) and not any(
        one is two or any(mine.is_same(theirs) for mine in one.mentioned for theirs in two.mentioned)
        for one in some
        for two in others
    )


def _roots(known: Known) -> set[str]:
    return {root for fact in known.facts for root in _fact_roots(fact.text)}


@lru_cache(maxsize=4096)
def _fact_roots(text: str) -> frozenset[str]:
    return frozenset(roots_of(text))
