"""What kind of English words a stretch of text is, and how it can stand in a sentence."""

from __future__ import annotations

import re
from enum import StrEnum

from bot.narrate.language.en import nouns, verbs
from bot.narrate.wordset import word_set

FINITE = word_set(
    """
    is are was were has have had does do did can cannot could should would will shall must may might isn't
    aren't wasn't weren't hasn't haven't doesn't don't didn't can't couldn't shouldn't won't needs wants goes
    comes gets makes takes gives keeps says becomes became went came got took gave said fails failed hangs hung
    dies died stays stayed remains remained seems falls fell beats sits ran holds begins began grows grew
    """
)
_DETERMINERS = word_set(
    """
    a an the this that these those each every all both some any no one two three four five six seven eight nine
    ten its their our my your his her another several many few more most such what which whose
    """
)
COUNTS = _DETERMINERS | word_set(
    "eleven twelve twenty fifty hundred about almost nearly over half first second third new"
)
_PREPOSITIONS = word_set(
    """
    of for in on at to from with by and or as into over under per via through without within between against
    after before during behind than across along about around beyond but nor when while if because that
    """
)
FUNCTION_WORDS = (
    _DETERMINERS
    | _PREPOSITIONS
    | FINITE
    | word_set(
        """
    it they there here not now only also both either neither so then same other others first second third fourth
    last next previously currently usually until once since where how why who new old many less fewer least up
    down out off further instead together again almost nearly still already just even dropped missing larger
    smaller longer shorter faster slower better worse median mean peak total average
    """
    )
)
COMMON = word_set(
    """
    above absolute active actual additional after ago alone already also alternative always annual another
    anonymous any apart audit aim automatic back bad baseline basic beyond big bigger both brief broken bug busy
    careful central certain cheap clean clear close closed coarse code cold common community complete complex
    constant correct current custom daily dead deep default dense direct dirty distinct double dry dual early
    easy eight eighteen either eleven empty enough entire equal exact existing explicit external extra fair fast
    fewer fifteen fifth final fine fit five fixed flat follow four fourth free frequent fresh full further
    future general generic global good goal graded great half hard heavy here ghost phantom zombie orphan
    dangling item hidden high higher huge hundred idle implicit important individual initial inner internal
    joint key large larger late later latest lazy left legacy light likely linear little live local long loose
    lost low lower main major many mean median merge minor mixed modern monthly more most much multiple naive
    narrow native near nested new next nightly nine no noisy normal nothing now numeric odd offline old older
    one online only open optional other outer outside overall own paired parallel part partial past peak per
    permanent plain possible potential previous primary private proper public pure quick quiet random rare raw
    ready real recent red redundant regular related relative relevant reliable remote repeated right rough round
    safe same second separate serial seven several shallow shared sharp short shorter side silent similar simple
    since single six slow small smaller smart snapshot soft some sparse special specific split stable stale
    standard static steady strict strong subtle successful such sudden suitable super ten test third thin thirty
    thousand three tight tiny total tree trivial true twelve twenty twice twin two typical unique unknown unsafe
    unused upper upstream useful user usual valid vast visible warm weak weekly weight whole wide wider wild
    wrong zero people person team work week weeks day days month months year years today yesterday tomorrow
    thing things way ways reason reasons problem problems question questions answer idea ideas document
    documents chunk chunks paths path reward training evaluation profile memory gradient gradients norm axis
    axes loss losses report campaign discovery discussion metrics model models staging scores score tunnel
    tunnels lock locks state throughput performance launch launcher ceiling quality audit cleanup login bridge
    scripts styles reducers active execution hero shape focus
    """
)
_PERSONAL = re.compile(
    r"(?<![\w.-])(?:I|I['’](?:m|ve|d|ll)|[Ww]e|[Ww]e['’](?:re|ve|ll|d)|[Mm]y|[Oo]urs?|me|us|[Yy]ou|[Yy]ours?|[Ll]et['’]s)(?!\w)(?![.-]\w)"
)
_ADDRESSING = re.compile(
    r"^(please|see|note|thanks|thank|cc|ping|hi|hey|hello|todo|tl;dr|lgtm|done|ok|okay|yes|no|nope|wip|test plan|fyi|closing"
    r"|closed|merged|thoughts|let|try|run|example|usage|before|after|agreed|sounds|will do|nice|great|good)\b[\s,.:!]*",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z][\w'’-]*")


class Form(StrEnum):
    """How a stretch of text is built."""

    STATEMENT = "statement"  # has a subject and a finite verb
    PRESENT = "present"  # begins with a verb in the third person: "Removes the old stack."
    PAST = "past"  # begins with a verb in the past: "Restarted the worker."
    IMPERATIVE = "imperative"  # begins with a bare verb: "Add a tile"
    PERSONAL = "personal"  # speaks of I, we or you: only to be quoted
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
        if _opens_past(words, text) and (second in _DETERMINERS or not is_statement(text)):
            return Form.PAST
        if verbs.base_of_third(first) and _opens_object(second) and not _is_plural_subject(first, second):
            return Form.PRESENT
        if opens_imperative(text):
            return Form.IMPERATIVE
        if verbs.base_of_gerund(first) and not is_statement(text):
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
    return second in _DETERMINERS or second in ("to", "that", "how") or first in _TOLD_PAST


def _opens_object(word: str) -> bool:
    """Whether a word after a verb begins an object, not the rest of a noun phrase that only looks like a verb."""
    return (
        word in _DETERMINERS
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
_IMPROVEMENTS = frozenset(("improvement", "improvements", "fixes", "cleanup", "cleanups", "bugs", "issues"))


def opens_imperative(text: str) -> bool:
    """Whether the text begins with a verb that tells what to do, not with a noun that is spelled like one."""
    words = words_of(text)
    if not words or not verbs.is_verb(words[0]) or (len(words[0]) > 1 and words[0].isupper()):
        return False
    if not re.match(rf"{re.escape(words[0])}(?=\s)", text):
        return False
    first = words[0].lower()
    if first not in verbs.NOUN_TOO and first not in _ADJECTIVE_TOO:
        return True
    if len(words) == 1 and re.match(r"\w+\s+v?\d", text):
        return True
    if len(words) == 1 or (first not in verbs.MOSTLY_VERBS and is_statement(text)):
        return False
    second = words[1].lower()
    if second in ("up", "out", "down", "off", "back", "over", "away") or second in _DETERMINERS:
        return True
    if first in _ADJECTIVE_TOO:
        return False
    if second in _PREPOSITIONS or second in FINITE:
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
            or (verbs.base_of_past(word) and not word.endswith("ed") and words[index - 1].lower() not in _DETERMINERS)
        )
        for index, word in enumerate(words)
        if index
    )


def _is_plural_noun_before(words: list[str], index: int) -> bool:
    following = words[index + 1].lower() if index + 1 < len(words) else ""
    return not following or following in _PREPOSITIONS or following in FINITE


def is_statement(text: str) -> bool:
    """Whether a finite verb stands behind a subject: "Workers stay terminally succeeded"."""
    return subject_end(text) is not None


def subject_end(text: str) -> int | None:
    """Where in the text the finite verb begins; None where there is none."""
    matches = list(re.finditer(r"[\w'’%.+/=-]+|[,;:()–—]", text))
    tokens = [match[0] for match in matches]
    depth = 0
    for index, token in enumerate(tokens):
        depth += (token == "(") - (token == ")")
        if index and depth <= 0 and not _after_relative(tokens, index) and _is_finite(tokens, index):
            return matches[index].start()
    return None


def _is_finite(tokens: list[str], index: int) -> bool:
    token, previous = tokens[index], tokens[index - 1].lower()
    lowered = token.lower()
    following = tokens[index + 1].lower() if index + 1 < len(tokens) else ""
    if lowered in FINITE and previous not in ("to", "of"):
        return True
    if not re.match(r"\w", following) or previous in _DETERMINERS or previous in _PREPOSITIONS:
        return False
    if verbs.base_of_third(token) and token.islower():
        ambiguous = verbs.base_of_third(token) in verbs.NOUN_TOO
        if not ambiguous and following not in ("and", "or", "of"):
            return True
        if ambiguous and (following in _DETERMINERS or _is_adjective(following) or following.endswith("ly")):
            return True
    if _is_plural(previous) and token in verbs.VERBS and following not in ("of", "for", "and"):
        return True
    if token.islower() and verbs.is_only_past(token):
        return True
    return _is_clear_past(token) and following in (_DETERMINERS | {"up", "out", "into"})


def _after_relative(tokens: list[str], index: int) -> bool:
    """Whether the verb at `index` belongs to a relative clause ("skills that are reusable"), not to the sentence."""
    return any(token.lower() in _RELATIVES for token in tokens[max(0, index - 4) : index])


_RELATIVES = word_set("that which who whose where when if because what how whether while once until unless")


def _is_plural(word: str) -> bool:
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))


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
    """A measure told without a verb, with one: "peak memory 137.9 GiB against 149.9 GiB" -> "peak memory was 137.9 ...".

    None where the text is not clearly a quantity followed by its value.
    """
    match = _MEASURE.match(text)
    if not match:
        return None
    subject, rest = match["subject"], match["rest"]
    words = subject.split()
    if words[0].lower() in _PREPOSITIONS or any(word.lower() in FINITE for word in words):
        return None
    last = words[-1].lower().strip("()")
    if len(words) > 1 and verbs.is_verb(last) and not nouns.is_common_noun(last):
        return None
    if len(words) > 6 or last in _NO_SUBJECT_END or verbs.base_of_participle(last) or verbs.base_of_gerund(words[0]):
        return None
    if rest.startswith("from "):
        return f"{subject} went {rest}" if " to " in rest else None
    if not re.match(
        r"[~≈<>]?\d[\d.,]*(?:e\d+)?(?:%|x|k|M|B|T)?(?:\s?(?:%|[KMGT]i?B(?:/s)?|pp|ms|s|tok/s|TB/s))?(?:\s\([^)]*\))?(?=$|,|\.$|\s(?:and|against|vs\.?|versus|at|to|on|for|in)\s|\sthan\s)",
        rest,
    ):
        return None
    return f"{subject} {'were' if _is_plural(last) else 'was'} {rest}"
