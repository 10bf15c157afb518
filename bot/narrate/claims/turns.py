"""What took the place of what, and who did which: things told the other way round."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from bot.narrate.claims.clauses import sentence_bounds
from bot.narrate.claims.known import WORD, Known
from bot.narrate.claims.nearness import DULL, alignment, around, root
from bot.narrate.claims.roles import roles_in
from bot.narrate.claims.vocabulary import COMMON, GENERAL_NAMES

_MARK = re.compile(
    r"\bfrom\b|\b(?:was|were|is|are) replaced (?:with|by)\b|\breplac(?:e|es|ed|ing)\b"
    r"|\b(?:in place of|instead of|rather than)\b|,\s(?:and\s)?not\b",
    re.IGNORECASE,
)
_END = re.compile(r"[,;:()]|\.(?=\s|$)|\n|\s(?:and|so|which|in)\s", re.IGNORECASE)
_START = re.compile(r"[,;:()]|\.(?=\s|$)|\n")
_TURN = {"from": re.compile(r"\sto\s", re.IGNORECASE), "replac": re.compile(r"\s(?:with|by)\s", re.IGNORECASE)}
_SIDE = 7  # words of either side that are looked at


def turn_faults(words: str, known: Known) -> Iterator[str]:
    """Where the sentence tells what was replaced as what replaced it, or gives two subjects each other's deeds."""
    said = list(_turns(words))
    told = [turn for fact in known.facts for turn in _told_turns(fact.text)]
    for old, new in said:
        for former, latter in told:
            if old & latter and new & former and not old & former and len(new & latter) <= len(new & former):
                yield f"turns {', '.join(sorted(new & former))} and {', '.join(sorted(old & latter))} round"
                return
    yield from _crossed_subjects(words, known)
    yield from _substituted(words, known)


@lru_cache(maxsize=2048)
def _told_turns(text: str) -> tuple[tuple[set[str], set[str]], ...]:
    return tuple(_turns(text))


@lru_cache(maxsize=2048)
def _sentence_roots(text: str) -> tuple[frozenset[str], ...]:
    return tuple(
        frozenset(root(word[0]) for word in WORD.finditer(text[start:end])) - DULL
        for start, end in sentence_bounds(text)
    )


def _turns(text: str) -> Iterator[tuple[set[str], set[str]]]:
    """(old, new) as sets of telling words."""
    for mark in islice(_MARK.finditer(text), 200):
        said = mark[0].lower()
        behind = _END.split(text[mark.end() : mark.end() + 120], maxsplit=1)[0]
        before = _START.split(text[max(0, mark.start() - 120) : mark.start()])[-1].split()[-_SIDE:]
        turn = next((pattern for word, pattern in _TURN.items() if said.startswith(word)), None)
        if turn is not None:
            old, found, new = _parted(turn, behind)
            one = _telling(old)
            two = _telling(" ".join(new.split()[:_SIDE])) if found else set()
            if not found and said in ("replaces", "replaced"):
                two = _telling(" ".join(before))  # `the catalog replaces the ledger`
        else:
            one, two = _telling(" ".join(before)), _telling(" ".join(behind.split()[:_SIDE]))
            if "replaced" not in said:
                one, two = two, one
        yield one - two, two - one


def _parted(pattern: re.Pattern[str], text: str) -> tuple[str, bool, str]:
    found = pattern.search(text)
    return (text[: found.start()], True, text[found.end() :]) if found else (text, False, "")


def _telling(text: str) -> set[str]:
    words = {root(word[0]) for word in WORD.finditer(text)}
    return {word for word in words if word not in DULL and not word.isdigit() and len(word) > 1}


def _crossed_subjects(words: str, known: Known) -> Iterator[str]:
    """Two names of the sentence, each with the words that belong to the other in a sentence of the facts."""
    names = {
        match[0].lower(): match
        for match in WORD.finditer(words)
        if match[0][0].isupper() and match[0].lower() not in COMMON | GENERAL_NAMES
    }
    if not 2 <= len(names) <= 6:
        return
    for fact in known.facts:
        for start, end in sentence_bounds(fact.text):
            told = fact.text[start:end]
            places = {
                name: place for name in names if (place := re.search(rf"\b{re.escape(name)}\b", told, re.IGNORECASE))
            }
            if len(places) != 2:
                continue
            one, two = places
            mine = (around(words, *names[one].span()), around(words, *names[two].span()))
            theirs = (around(told, *places[one].span()), around(told, *places[two].span()))
            straight, crossed = alignment(mine, theirs, {root(one), root(two)})
            if crossed > straight + 1.2 and crossed > 2.5 * straight:
                yield f"gives {one} and {two} each other's part"
                return


def _substituted(words: str, known: Known) -> Iterator[str]:
    """A sentence of the facts with one name in it exchanged for another that stands elsewhere."""
    written = {root(match[0]): match[0] for match in WORD.finditer(words)}
    said = {word for word in written if word not in DULL and not word.isdigit()}
    if not 3 <= len(said) <= 12:
        return
    told = [sentence for fact in known.facts for sentence in _sentence_roots(fact.text)]
    elsewhere = frozenset().union(*told) if told else set()
    if any(said <= sentence for sentence in told):
        return
    for sentence in told:
        missing, extra = said - sentence, sentence - said
        if len(missing) != 1 or not 1 <= len(extra) <= 3 or not missing <= elsewhere:
            continue
        name = written[missing.pop()]
        if any(name.lower() in role.forms for fact in known.facts for role in roles_in(fact)):
            continue  # who did it stands in a line of its own
        if any(char.isdigit() for char in name) or any(char.isupper() for char in name[1:]):
            yield f"tells of {name} what the facts tell of {' or '.join(sorted(extra))}"
            return
