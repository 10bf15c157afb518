"""Words that say the contrary of a fact: `disabled` for `enabled`, a `not` too many or too few."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice

from bot.narrate.claims.known import Known
from bot.narrate.wordset import word_set

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
    ("complet", "missing"),
    ("present", "missing"),
    ("stable", "unstable"),
    ("always", "never"),
    ("required", "optional"),
    ("public", "private"),
    ("internal", "external"),
    ("minimum", "maximum"),
    ("open", "clos"),
    ("large", "small"),
    ("same", "different"),
    ("same", "another"),
    ("east", "west"),
    ("north", "south"),
    ("sav", "cost"),
    ("big", "small"),
    ("upper", "lower"),
    ("wider", "narrower"),
    ("thick", "thin"),
    ("early", "late"),
    ("manual", "automatic"),
    ("serial", "parallel"),
    ("local", "remote"),
    ("hit", "miss"),
    ("positive", "negative"),
    ("upload", "download"),
    ("encrypt", "decrypt"),
    ("northern", "southern"),
    ("kept", "emptied"),
    ("kept", "delet"),
    ("kept", "drop"),
    ("visible", "hidden"),
    ("warm", "cold"),
    ("full", "empty"),
    ("import", "export"),
    ("night", "morning"),
    ("morning", "evening"),
    ("rising", "falling"),
    ("growing", "shrinking"),
    ("rose", "fell"),
    ("grew", "shrank"),
)
_PHRASES = (
    ("on by default", "off by default"),
    ("enabled by default", "off by default"),
    ("enabled by default", "disabled by default"),
    ("on by default", "disabled by default"),
    ("switched on", "switched off"),
    ("turned on", "turned off"),
    ("opt-in", "opt-out"),
    ("since the last", "since the first"),
    ("too high", "too low"),
    ("too large", "too small"),
    ("too long", "too short"),
    ("too early", "too late"),
    ("too fast", "too slow"),
    ("member of the team", "external contributor"),
    ("team member", "external contributor"),
    ("belongs to the team", "external contributor"),
    ("from the team", "external contributor"),
    ("maintainer", "external contributor"),
)
_STRICT = {("before", "after"), ("first", "last"), ("open", "clos"), ("more", "fewer"), ("join", "left")}
_NOT = re.compile(
    r"\b(?:not|never|no longer|cannot|neither|nor|nothing|nobody|none|without|fail(?:s|ed)? to|unable to|hardly)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)
# Words with which facts deny things without a "not".
_DENYING = """no none nobody nothing only instead away gone ceas but yet rather zero 0 crash broke too hung hang lost
    lose bug fix block closed free clear end fewer less fail stop silent skip avoid prevent miss lack remov drop open
    draft reject declin refus exclud ignor un dis"""
_SOFT_NO = re.compile(rf"\b(?:{'|'.join(_DENYING.split())})", re.IGNORECASE)
_AVERTED = re.compile(r"\b(?:avoid|prevent|stop|fix|without|no longer|refus|forbid|block|protect|guard)")
_NOT_VERB = re.compile(r"\b(?:not|never|cannot)\s+(?:yet\s+)?([a-z]{4,})|n['’]t\s+([a-z]{4,})", re.IGNORECASE)
_WORDS = re.compile(r"[a-z][a-z-]*", re.IGNORECASE)
_THINGS = re.compile(r"[a-z0-9](?:[\w.-]*\w)?")
_DULL = word_set(
    """the a an of to in on for with by at from and or is are was were be been it its that this than as new"""
)


# Verdicts and verbs of change: what they are said of may stand on either side.
_EITHER_SIDE = word_set(
    """enabl disabl succe fail pass accept reject rais lower increas decreas reduc improv regress worsen faster slower
    better worse higher complet missing present stable unstable required optional rising falling growing shrinking
    rose fell grew shrank night morning evening"""
)


def opposite_faults(words: str, known: Known) -> Iterator[str]:
    """Where the sentence says of the same thing the contrary of what the facts say."""
    facts = known.lower
    said, told = _surroundings(words.lower()), _surroundings(facts)
    negated = _NOT.search(words) is not None
    for pair in _PAIRS:
        for mine, other in (pair, pair[::-1]):
            if negated or mine not in words.lower() or not any(word.startswith(mine) for word, _, _ in said):
                continue
            if any(word.startswith(mine) for word, _, _ in told) or any(word.startswith(other) for word, _, _ in said):
                continue
            if re.search(rf"(?:\bnot|n['’]t) (?:yet )?{other}", facts):
                continue  # what is not enabled is disabled
            if _things(said, mine) & _things(told, other) and pair not in _STRICT:
                yield f"says {mine}… where the facts say {other}…"
    for phrase, contrary in (*_PHRASES, *(pair[::-1] for pair in _PHRASES)):
        if phrase in words.lower() and contrary in facts and phrase not in facts and not negated:
            yield f"says {phrase!r} where the facts say {contrary!r}"
    if negated and not _NOT.search(facts) and not _SOFT_NO.search(facts):
        yield "denies something that no fact denies"
    yield from _dropped_negation(words, facts, negated)
    yield from _prefixed(words, known)
    yield from _unchanged(words, known)
    yield from _other_quality(words, known)
    yield from _unprefixed(words, known, negated)


_PREFIXED = re.compile(r"\b(un|dis|in|im|ir|non-?)([a-z]{4,})\b")
_NOT_PREFIXED = word_set(
    """unmerged until under understand import inform input inside install instance discover display discharge
    distribute dispatch dispose unless improve impress
    intend invest inspect invent indeed infer insert include increase indent index"""
)


def _prefixed(words: str, known: Known) -> Iterator[str]:
    """`unstable` where the facts say `stable`, and the other way round."""
    for match in _PREFIXED.finditer(words.lower()):
        word, rest = match[0], match[2]
        if any(word.startswith(other) for other in _NOT_PREFIXED) or word[:6] in known.lower:
            continue
        if re.search(rf"(?:\bnot|n['’]t) {rest}", known.lower):
            continue
        if rest in known.words or any(rest == other[:-1] or rest[:-1] == other for other in known.words):
            yield f"says {word} where the facts say {rest}"


_QUALITIES = (
    "single double", "old new", "large small", "big small", "first last", "upper lower", "left right", "north south",
    "east west", "public private", "internal external", "local remote", "hot cold", "high low", "short long",
    "fast slow", "early late", "free paid", "minimum maximum", "best worst", "full empty", "input output", "even odd",
    "inner outer", "front back", "odd even", "male female", "soft hard", "wet dry", "young old", "indoor outdoor",
    "before after",
)  # fmt: skip


def _other_quality(words: str, known: Known) -> Iterator[str]:
    """`a new phone` where the facts only have an old one."""
    lower = words.lower()
    for pair in _QUALITIES:
        one, two = pair.split()
        for mine, other in ((one, two), (two, one)):
            for match in re.finditer(rf"\b{mine} (?:the |a )?([a-z][\w-]{{2,}})\b", lower):
                thing = match[1].removesuffix("s")
                here = rf"\b{mine}\b(?: ones?\b|[^.,;\n]{{0,20}}\b{re.escape(thing)})"
                there = rf"\b{other} (?:the |a )?{re.escape(thing)}"
                if re.search(there, known.lower) and not re.search(here, known.lower):
                    yield f"says {match[0]} where the facts say {other} {match[1]}"


_STEADY = re.compile(
    r"\b(speed|performance|throughput|latency|memory|size|cost|price|accuracy|quality)\b[^.;\n]{0,30}"
    r"\b(?:unchanged|the same|as before|(?:not|n['’]t) change)\b"
)
_MOVES = {
    "speed": r"faster|slower|quicker|sped up",
    "memory": r"smaller|larger|bigger|(?:less|more) memory",
    "cost": r"cheaper|dearer|more expensive",
    "accuracy": r"better|worse|more accurate|less accurate",
}
_MOVES |= {"performance": _MOVES["speed"], "throughput": _MOVES["speed"], "latency": _MOVES["speed"]}
_MOVES |= {"size": _MOVES["memory"], "price": _MOVES["cost"], "quality": _MOVES["accuracy"]}


def _unchanged(words: str, known: Known) -> Iterator[str]:
    """`it is faster` where the facts say that speed is unchanged."""
    for steady in _STEADY.finditer(known.lower):
        moves = re.compile(rf"\b(?:{_MOVES[steady[1]]})\b")
        said = moves.search(words.lower())
        denied = _NOT.search(words) or re.search(r"\b(?:neither|as \w+ as)\b", words.lower())
        if said and not denied and not moves.search(known.lower):
            yield f"says {said[0]}, where {steady[1]} is unchanged"


def _unprefixed(words: str, known: Known, negated: bool) -> Iterator[str]:
    """`plugged in` where the facts only say `unplugged`."""
    for match in _PREFIXED.finditer(known.lower):
        word, rest = match[0], match[2]
        if negated or len(rest) < 5 or any(word.startswith(other) for other in _NOT_PREFIXED):
            continue
        if re.search(rf"\b{rest}\b", words.lower()) and not re.search(rf"\b{rest[:5]}", known.lower):
            yield f"says {rest} where the facts say {word}"
            return


def _things(text: Sequence[tuple[str, frozenset[str], frozenset[str]]], stem: str) -> set[str]:
    """What the words with this stem are said of."""
    either = stem in _EITHER_SIDE
    return {
        thing
        for word, before, behind in text
        if word.startswith(stem)
        for thing in (behind | before if either else behind)
    }


@lru_cache(maxsize=512)
def _surroundings(text: str) -> tuple[tuple[str, frozenset[str], frozenset[str]], ...]:
    """Each telling word with the three before it and the three behind it."""
    telling = [word[0] for word in _WORDS.finditer(text)]
    telling = [word for word in telling if word not in _DULL and len(word) > 2]
    roots = [_root(word) for word in telling]
    return tuple(
        (word, frozenset(roots[max(0, at - 3) : at]), frozenset(roots[at + 1 : at + 4]))
        for at, word in enumerate(telling)
    )


def _root(word: str) -> str:
    return word[:-1] if word.endswith("s") and len(word) > 3 else word


def _dropped_negation(words: str, facts: str, negated: bool) -> Iterator[str]:
    """`changes the default` where the facts say `does not change the default`."""
    lower, facts = (re.sub(r"#\d+", " ", text) for text in (words.lower(), facts))
    if negated or _AVERTED.search(lower):
        return
    for match in islice(_NOT_VERB.finditer(facts), 200):
        verb = (match[1] or match[2]).rstrip("e")
        stem = verb.removesuffix("ed")
        if len(stem) < 4 or not re.search(rf"(?<!the )(?<!this )(?<!a )(?<!of )(?<!'s )\b{re.escape(stem)}", lower):
            continue
        affirmed = len(re.findall(rf"\b{re.escape(stem)}", facts)) > len(
            re.findall(rf"(?:not|never|cannot|n['’]t)\s+(?:yet\s+)?{re.escape(stem)}", facts)
        )
        before = re.split(r"\.\s|\n", facts[max(0, match.start() - 80) : match.start()])[-1]
        behind = re.split(r"\.(?:\s|$)|\n", facts[match.end() : match.end() + 60])[0]
        things = {word[0] for word in _THINGS.finditer(f"{before} {behind}") if len(word[0]) > 2} - _DULL
        if not affirmed and things & {word[0] for word in _THINGS.finditer(lower)}:
            yield f"says {stem}…, which the facts deny"
            return
