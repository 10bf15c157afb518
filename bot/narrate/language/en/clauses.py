"""What kind of English words a stretch of text is, and how it can stand in a sentence."""

from __future__ import annotations

import re
from enum import StrEnum

from bot.narrate.language.en import nouns, verbs
from bot.narrate.language.en.nouns import is_plural
from bot.narrate.language.en.words import DETERMINERS, FINITE, FUNCTION_WORDS, PREPOSITIONS
from bot.narrate.wordset import word_set

_PERSONAL = re.compile(
    r"(?<![\w.-])(?:I|I['’](?:m|ve|d|ll)|[Ww]e|[Ww]e['’](?:re|ve|ll|d)|[Mm]y|[Oo]urs?|me|us|[Yy]ou|[Yy]ours?|[Ll]et['’]s)(?!\w)(?![.-]\w)"
)
_ADDRESSING = re.compile(
    r"^(please|see|note|thanks|thank|cc|ping|hi|hey|hello|todo|tl;dr|lgtm|done|ok|okay|yes|no|nope|wip|test plan|fyi"
    r"|closing|closed|merged|thoughts|let|try|run|example|usage|before|after|agreed|sounds|will do"
    r"|nice|great|good|needs? (?:feedback|review|testing)|feedback|ready for review|depends on)\b[\s,.:!]*",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z][\w'’-]*")


class Form(StrEnum):
    """How a stretch of text is built."""

    STATEMENT = "statement"  # has a subject and a finite verb
    PRESENT = "present"  # begins with a verb in the third person: "Removes the old stack."
    PAST = "past"  # begins with a verb in the past: "Restarted the worker."
    IMPERATIVE = "imperative"  # begins with a bare verb: "Add a tile"
    PERSONAL = "personal"  # speaks of I, we or you, or another language: only to be quoted
    QUESTION = "question"
    GERUND = "gerund"  # "Identifying candidates"
    NOUN = "noun"  # anything else: a phrase


def words_of(text: str) -> list[str]:
    return _WORD.findall(text)


def is_addressing(text: str) -> bool:
    """Whether the words turn to the readers of the thread ("Please have a look", "LGTM") and tell nothing."""
    return bool(_ADDRESSING.match(text))


def form_of(text: str) -> Form:
    """The form of a clause or title. When in doubt NOUN, which stands anywhere behind a colon."""
    words = words_of(text)
    if not words:
        return Form.NOUN
    if text.rstrip().endswith("?"):
        return Form.QUESTION
    if _PERSONAL.search(text):
        return Form.PERSONAL
    first, second = words[0], words[1].lower() if len(words) > 1 else ""
    starts = text.lstrip("\"'“‘(").startswith(first)
    if starts and len(words) > 1 and not first.isupper():
        if _opens_past(words, text) and (second in DETERMINERS or not is_statement(text)):
            return Form.PAST
        counted = re.match(r"\W*\w+ [~<>]?\d[\d.,]* (?!(?:and|to|or|of)\b)[a-z]|\w+ (?:at most|at least|up to)\b", text)
        opens = counted or (_opens_object(second) and not _is_plural_subject(first, second))
        if verbs.base_of_third(first) and opens:
            return Form.PRESENT
        if opens_imperative(text):
            return Form.IMPERATIVE
        if verbs.base_of_gerund(first) and second not in ("issue", "list", "epic", "ticket") and not is_statement(text):
            return Form.STATEMENT if _has_result(text) else Form.GERUND
    return Form.STATEMENT if is_statement(text) else Form.NOUN


_TOLD_PAST = word_set(
    """
    added fixed removed updated changed implemented created moved improved renamed introduced replaced bumped
    reran restarted confirmed published started stopped finished launched measured checked found ran wrote made
    built pushed opened switched got tried filed reverted rebased retried verified reproduced landed
    """
)


def _opens_past(words: list[str], text: str) -> bool:
    first, second = words[0].lower(), words[1].lower()
    base = verbs.base_of_past(first)
    if base is None or verbs.is_verb(first) or first in FINITE or not re.match(rf"{first}\s", text, re.IGNORECASE):
        return False
    return (
        second in DETERMINERS or second in ("to", "that", "how") or (first in _TOLD_PAST and second not in PREPOSITIONS)
    )


def is_participle(text: str) -> bool:
    """Whether the text begins with what was done to something unnamed: "Tested on a large store"."""
    first, _, rest = text.partition(" ")
    second = rest.partition(" ")[0].lower()
    done = verbs.base_of_past(first) or verbs.base_of_participle(first)
    return bool(done and not verbs.is_verb(first) and (second in PREPOSITIONS or second in DETERMINERS))


def _opens_object(word: str) -> bool:
    """Whether a word after a verb begins an object, not the rest of a noun phrase that only looks like a verb."""
    return (
        word in DETERMINERS
        or word in ("only", "up", "out", "not", "it", "them", "joins")
        or (word not in FUNCTION_WORDS and not verbs.base_of_third(word))
    )


def _is_plural_subject(first: str, second: str) -> bool:
    """`Batches aim at ...`: a plural noun with its verb, not a verb with its object."""
    return verbs.base_of_third(first) in verbs.NOUN_TOO - verbs.MOSTLY_VERBS and second in verbs.VERBS


_PHRASE_TAILS = word_set(
    """
    improvement improvements fix fixes bug bugs issue issues failure failures error errors cleanup cleanups
    coverage performance experiment experiments support sweep comparison comparisons study regression
    regressions tracking
    """
)


_ADJECTIVE_TOO = word_set("complete cool direct dry empty free idle live perfect present secure slow smooth warm")
_NOBODY_DOES = word_set("be come exist go happen have lie occur seem")  # "Go to definition" is a thing's name
_RUNS = word_set("build deploy export import install load login render run start sync test update upload")
_IMPROVEMENTS = frozenset(("improvement", "improvements", "fixes", "cleanup", "cleanups", "bugs", "issues"))


def opens_imperative(text: str) -> bool:
    """Whether the text begins with a verb that tells what to do, not with a noun that is spelled like one."""
    words = words_of(text)
    if not words or not verbs.is_verb(words[0]) or (len(words[0]) > 1 and words[0].isupper()):
        return False
    if not re.match(rf"{re.escape(words[0])}(?=\s)", text):
        return False
    first = words[0].lower()
    named = first in verbs.NOUN_TOO and len(words) > 2 and nouns.is_countable(words[1])
    if named and subject_end(text) == text.find(f" {words[2]}") + 1:
        return False  # "Watch mode uses 100% of the CPU"
    if first in _NOBODY_DOES or (first in _RUNS and len(words) > 1 and words[1].lower() in FINITE):
        return False
    if first not in verbs.NOUN_TOO and first not in _ADJECTIVE_TOO:
        return True
    if len(words) == 1 and re.match(r"\w+\s+v?\d", text):
        return True
    if len(words) == 1:
        return False
    second = words[1].lower()
    if first not in verbs.MOSTLY_VERBS and second not in DETERMINERS and is_statement(_behind_participle(text)):
        return False
    if second in ("up", "out", "down", "off", "back", "over", "away") or second in DETERMINERS:
        return True
    if first in _ADJECTIVE_TOO:
        return False
    if second in PREPOSITIONS or second in FINITE:
        return False
    phrase, *tail = re.split(
        r"\s(for|in|on|of|with|to|from|at|by|when|via|after|before|into|back|through)\s|[,:;(]", text
    )
    head = words_of(phrase)
    aimed = bool(tail) and tail[0] in ("to", "into", "from", "with", "back", "at", "via", "through")
    if first not in verbs.MOSTLY_VERBS and not aimed and len(head) > 2 and nouns.wants_article(head[-1]):
        return False
    if first in verbs.MOSTLY_VERBS:
        return head[-1].lower() not in _IMPROVEMENTS
    return head[-1].lower() not in _PHRASE_TAILS or len(head) > 3


def _behind_participle(text: str) -> str:
    """`Retry lost uploads after a restart` without "lost": what looks like a verb there belongs to the object."""
    first, _, rest = text.partition(" ")
    second, _, after = rest.partition(" ")
    thing = words_of(nouns.head_of(after))
    return f"{first} {after}" if verbs.base_of_participle(second) and thing and is_plural(thing[-1]) else text


def _has_result(text: str) -> bool:
    """`Keeping the first samples lost 23% of them`: a gerund that is a subject, with its verb."""
    words = words_of(text)[2:-1]
    relative = next((index for index, word in enumerate(words_of(text)) if word.lower() in _RELATIVES), None)
    if relative is not None:
        words = words_of(text)[2:relative]
    return any(
        word.islower()
        and (
            (verbs.base_of_third(word) and not _is_plural_noun_before(words, index))
            or (verbs.base_of_past(word) and not word.endswith("ed") and words[index - 1].lower() not in DETERMINERS)
        )
        for index, word in enumerate(words)
        if index
    )


def _is_plural_noun_before(words: list[str], index: int) -> bool:
    following = words[index + 1].lower() if index + 1 < len(words) else ""
    return not following or following in PREPOSITIONS or following in FINITE


def is_statement(text: str) -> bool:
    """Whether a finite verb stands behind a subject: "Workers stay terminally succeeded"."""
    return subject_end(text) is not None


def subject_end(text: str) -> int | None:
    """Where in the text the finite verb begins; None where there is none."""
    matches = list(re.finditer(r"[\w'’%.+/=-]+|[,;:()–—]", text))
    tokens = [match[0] for match in matches]
    depth = 0
    for index, token in enumerate(tokens):
        depth += {"(": 1, ")": -1}.get(token, 0)
        if index and depth <= 0 and not _after_relative(tokens, index) and _is_finite(tokens, index):
            return matches[index].start()
    return None


def _is_finite(tokens: list[str], index: int) -> bool:
    token, previous = tokens[index], tokens[index - 1].lower()
    lowered = token.lower()
    following = tokens[index + 1].lower() if index + 1 < len(tokens) else ""
    if lowered in FINITE and previous not in ("to", "of"):
        return True
    if not re.match(r"\w", following) or previous in DETERMINERS or previous in PREPOSITIONS:
        return False
    if verbs.base_of_third(token) and token.islower():
        ambiguous = verbs.base_of_third(token) in verbs.NOUN_TOO
        if not ambiguous and following not in ("and", "or", "of"):
            return True
        if (
            ambiguous
            and following in ("from", "to", "by")
            and tokens[index + 2 : index + 3]
            and tokens[index + 2][0].isdigit()
        ):
            return True
        if ambiguous and following[:1].isdigit() and verbs.base_of_third(token) in _TAKING:
            return True
        if ambiguous and (following in DETERMINERS or _is_adjective(following) or following.endswith("ly")):
            return True
    if is_plural(previous) and token in verbs.VERBS and following not in ("of", "for", "and"):
        return True
    if token.islower() and verbs.is_only_past(token):
        return True
    if (
        token.islower()
        and re.fullmatch(r"[a-z]+[^s]s", token)
        and not is_plural(previous)
        and not nouns.is_common_noun(token)
        and following in _CIRCUMSTANCES
    ):
        return True
    return _is_clear_past(token) and following in (DETERMINERS | {"up", "out", "into"})


_TAKING = word_set("use cost reach hit return")  # behind their subject and before a figure they are verbs
_CIRCUMSTANCES = frozenset(("when", "if", "after", "while", "during", "whenever", "because", "instead", "without"))


def _after_relative(tokens: list[str], index: int) -> bool:
    """Whether the verb at `index` belongs to a relative clause ("skills that are reusable"), not to the sentence."""
    return any(token.lower() in _RELATIVES for token in tokens[max(0, index - 4) : index])


_RELATIVES = word_set("that which who whose where when if because what how whether while once until unless")


def _is_adjective(word: str) -> bool:
    return word.endswith(("al", "ous", "ive", "able", "less", "ful", "ed", "ong")) or word in (
        "no",
        "not",
        "empty",
        "bad",
        "stale",
    )


def _is_clear_past(token: str) -> bool:
    base = verbs.base_of_past(token)
    return bool(base) and token.islower() and base != token and verbs.base_of_participle(token) is None
