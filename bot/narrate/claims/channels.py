"""In which channel something was said."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.narrate.claims.clauses import roots_of
from bot.narrate.claims.known import FactText, Known

_HEAD = re.compile(r"\A(?P<who>[^\n#]{1,80}) in #(?P<channel>[\w-]+)(?:\s*(?:\n|$)|: )")
_SHARED = re.compile(r"\b(?:shared|announced|posted|written) by (?P<who>[^\n#]{1,80}) in #(?P<channel>[\w-]+)")
_SAID = re.compile(r"(?<![\w&/])#([^\W\d_][\w-]*)")


def channel_faults(words: str, known: Known) -> Iterator[str]:
    """Where the sentence puts into one channel what its facts put into another."""
    said = {match[1].lower().rstrip("-") for match in _SAID.finditer(words)}
    heads = [
        (match, fact) for fact in known.facts for match in (_HEAD.search(fact.text), _SHARED.search(fact.text)) if match
    ]
    if len(said) != 1 or not heads:
        return
    channel = said.pop()
    own = [fact for match, fact in heads if match["channel"].lower() == channel]
    elsewhere = [(match, fact) for match, fact in heads if match["channel"].lower() != channel]
    speakers = {
        match["who"].strip()
        for match, _ in heads
        if any(re.search(rf"(?<!\w){re.escape(part)}(?!\w)", words) for part in _names(match["who"]))
    }
    there = [match for match, _ in heads if match["who"].strip() in speakers]
    if there and all(match["channel"].lower() != channel for match in there):
        yield f"puts into #{channel} what stands in #{there[0]['channel']}"
        return
    telling = set(roots_of(words)) - set(roots_of(channel))
    best = max((len(telling & _roots(fact)) for _, fact in elsewhere), default=0)
    mine = max((len(telling & _roots(fact)) for fact in own), default=0)
    others = [fact for fact in known.facts if f"#{channel}" in fact.lower and fact not in own]
    if best >= 3 and mine == 0 and not others:
        yield f"puts into #{channel} what stands in another channel"


def _names(who: str) -> list[str]:
    return [who.strip(), who.split()[0], who.split()[-1]] if who.split() else []


def _roots(fact: FactText) -> set[str]:
    return set(roots_of(fact.text))
