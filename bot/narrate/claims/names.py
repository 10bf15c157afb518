"""Names in a sentence: people, accounts, channels, products. Each has to stand in a fact."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.narrate.claims.known import Known
from bot.narrate.claims.units import UNITS, plural_to_singular
from bot.narrate.claims.vocabulary import COMMON, GENERAL_NAMES
from bot.narrate.wordset import word_set

_HANDLE = re.compile(r"(?<![\w/.])@([A-Za-z0-9][\w.-]*\w|\w)")
_CHANNEL = re.compile(r"(?<![\w&/])#([^\W\d_][\w-]*)")
_CODE = re.compile(r"`+([^`]+)`+")
_QUOTE = re.compile(r"[“\"]([^“”\"]{3,400})[”\"]|(?<!\w)‘([^‘’]{8,400})’(?!\w)")
_TOKEN = re.compile(r"[^\W_](?:[\w+.’'/&-]*[\w+])?")
_SENTENCE_START = re.compile(r"(?:^|[.!?:;…]\s+|[“\"(\[—–]\s*|\s[–—-]\s)$")
_ENDINGS = (
    "ing",
    "tion",
    "sion",
    "ment",
    "ness",
    "ity",
    "ance",
    "ence",
    "ship",
    "hood",
    "ism",
    "ward",
    "wise",
    "able",
    "ible",
)
_ACTS = word_set(
    """merged opened closed added fixed wrote made built proposed introduced implemented removed replaced reported
    landed reviewed commented shared announced asked said says explained noted found ran showed posted released
    moved ported refactored updated improved extended started finished reverted contributed submitted filed created
    changed enabled disabled tested measured documented taught gave brought took cut sent set put has had is was
    then also who"""
)


def name_faults(sentence: str, words: str, known: Known) -> Iterator[str]:
    """Names, handles, channels, code and quotations of the sentence that stand in no fact."""
    have, lower = known.words, known.lower
    for handle in _HANDLE.finditer(words):
        if handle[1].lower() not in have and handle[1].lower() not in lower:
            yield f"names @{handle[1]}, who stands in no fact"
    for channel in _CHANNEL.finditer(words):
        if channel[1].lower() not in have and f"#{channel[1].lower()}" not in lower:
            yield f"names #{channel[1]}, which stands in no fact"
    for code in _CODE.finditer(sentence):
        if _squeezed(code[1]) not in _squeezed(lower) and not re.fullmatch(r"[\w./-]*#\d+", code[1]):
            yield f"quotes {code[1]!r}, which stands in no fact"
    yield from _quote_faults(words, lower)
    yield from _proper_faults(words, have, lower)
    yield from _login_faults(words, have)
    yield from _pair_faults(words, known)


# Kinds of hardware that a product's name implies.
_IMPLIED = {
    "gpu": ("h100", "h200", "b200", "gb200", "a100", "nvl72", "rtx", "cuda", "mi300"),
    "tpu": ("v4", "v5", "v6"),
}


def _is_implied(word: str, have: frozenset[str]) -> bool:
    return any(known.startswith(product) for product in _IMPLIED.get(word, ()) for known in have)


def _squeezed(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.lower())


def _quote_faults(words: str, lower: str) -> Iterator[str]:
    squeezed = _squeezed(lower)
    for quote in _QUOTE.finditer(words):
        said = quote[1] or quote[2]
        for part in re.split(r"…|\.\.\.|\[[^\]]*\]", said):
            if len(part.split()) >= 2 and _squeezed(part) not in squeezed:
                yield f"puts {part.strip()!r} in quotation marks, which nobody wrote"
                break


def _is_known(token: str, have: frozenset[str], lower: str) -> bool:
    word = token.lower().replace("’", "'").removesuffix("'s").removesuffix("'")
    forms = {word, plural_to_singular(word), word.replace(".", ""), word.rstrip("s"), word.replace("-", "")}
    if forms & have:
        return True
    parts = [part for part in re.split(r"[-/.&+_']", word) if part]
    if len(parts) > 1 and all(
        part in have or plural_to_singular(part) in have or part in COMMON or (part.isdigit() and part in lower)
        for part in parts
    ):
        return True
    squeezed = _squeezed(word)
    return len(squeezed) > 3 and any(char.isdigit() for char in squeezed) and squeezed.rstrip("s") in _squeezed(lower)


def _proper_faults(words: str, have: frozenset[str], lower: str) -> Iterator[str]:
    tokens = list(_TOKEN.finditer(words))
    for index, match in enumerate(tokens):
        token = match[0]
        before = words[max(0, match.start() - 1) : match.start()]
        if before in ("#", "@", "_") or token[0].isdigit() or not _is_name_like(token):
            continue
        bare = token.replace("’", "'").removesuffix("'s").removesuffix("'").lower()
        if (
            bare in UNITS
            or bare in GENERAL_NAMES
            or plural_to_singular(bare) in GENERAL_NAMES
            or _is_known(token, have, lower)
        ):
            continue
        if _is_implied(bare.removesuffix("s"), have):
            continue
        if _SENTENCE_START.search(words[: match.start()]) and not _has_inner_mark(token):
            following = tokens[index + 1][0] if index + 1 < len(tokens) else ""
            if _may_start(bare, token, following, have):
                continue
        yield f"names {token}, which stands in no fact"


_LOGIN_FIRST = re.compile(r"^\W{0,3}([a-z][\w-]*)(?:['’]s)?\s")
_LOGIN_BY = re.compile(
    r"\b(?:by|from) ([a-z][\w-]*\d\w*|[a-z][\w-]{2,})(?=[,.;:)]|\s(?:and|in|on|with|was|were|is)\b|$)"
)
_BY_NO_ONE = word_set(
    """hand design default mistake chance accident far name contrast comparison step side night day way virtue means
    itself themselves scratch source memory disk theory practice week month year law itself review request"""
)


def _login_faults(words: str, have: frozenset[str]) -> Iterator[str]:
    """Accounts in lower case: a sentence that begins with one, or a deed done by one."""
    for match in (*_LOGIN_FIRST.finditer(words), *(m for m in _LOGIN_BY.finditer(words) if m[1] not in _BY_NO_ONE)):
        login = match[1].lower()
        ordinary = login in COMMON or login.endswith(("ing", "ly", "ed", "s", "tion", "ment"))
        stems = {_stem(word) for word in have if word[:3] == login[:3]}
        if not ordinary and login not in have and _stem(login) not in stems:
            yield f"names {match[1]}, who stands in no fact"


def _is_name_like(token: str) -> bool:
    return token[0].isupper() or _has_inner_mark(token)


def _has_inner_mark(token: str) -> bool:
    """An acronym, a camel-case or a name with digits: never an ordinary word, wherever it stands."""
    core = token.replace("’", "'").removesuffix("'s")
    inner = any(char.isupper() for char in core[1:]) and not core.replace("-", " ").istitle()
    return inner or (any(char.isdigit() for char in core) and any(char.isalpha() for char in core))


def _may_start(bare: str, token: str, following: str, have: frozenset[str]) -> bool:
    """Whether an unknown capitalised word may be an ordinary one at the start of a sentence."""
    if (
        bare in COMMON
        or plural_to_singular(bare) in COMMON
        or _stem(bare) in {_stem(word) for word in have if word[:4] == bare[:4]}
    ):
        return True
    parts = re.split(r"[-']", bare)
    if len(parts) > 1 and all(
        part in COMMON or part in have or part in ("t", "s", "re", "ve", "ll", "d") for part in parts
    ):
        return True
    if token.endswith(("'s", "’s")) or following.lower() in _ACTS:
        return False
    if following[:1].isupper() and following.lower() not in GENERAL_NAMES:
        return False
    return bare.endswith(_ENDINGS) or bare.endswith(("ly", "ed", "s", "al", "ive"))


def _stem(word: str) -> str:
    for ending in ("ations", "ation", "ings", "ing", "ers", "er", "ies", "ed", "es", "ly", "s", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


_PAIR = re.compile(r"\b([A-Z][a-zà-ž]+) ([A-Z][a-zà-ž]+(?:-[A-Z][a-zà-ž]+)?)\b")


def _pair_faults(words: str, known: Known) -> Iterator[str]:
    """`Ann Hall` where the facts know an Ann Lee and a Bob Hall."""
    told: dict[str, set[str]] = {}
    seconds: dict[str, set[str]] = {}
    for fact in known.facts:
        for pair in _PAIR.finditer(fact.text):
            told.setdefault(pair[1].lower(), set()).add(pair[2].lower())
            seconds.setdefault(pair[2].lower(), set()).add(pair[1].lower())
    for pair in _PAIR.finditer(words):
        first, second = pair[1].lower(), pair[2].lower()
        if first in told and second in seconds and second not in told[first] and f"{first} {second}" not in known.lower:
            yield f"names {pair[0]}, who stands in no fact"
