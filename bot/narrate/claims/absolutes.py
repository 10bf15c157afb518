"""`all`, `only`, `first`, `biggest`: what leaves no exception has to be said by a fact."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from bot.narrate.claims.clauses import NEGATION, Clause, roots_of, sentence_bounds, sentences_of
from bot.narrate.claims.figures import Figure
from bot.narrate.claims.known import FactText, Known
from bot.narrate.claims.units import plural_to_singular
from bot.narrate.wordset import word_set

_NUMBERS = "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_NO_NUMBER_BEHIND = rf"(?!\s(?:of\s)?(?:(?:the|these|those|its|their)\s)?(?:\d|(?:{_NUMBERS})\b))"
_NO_THANKS_BEFORE = r"(?<!invites\s)(?<!invited\s)(?<!thanked\s)"
_ALL = rf"""(?:
    (?<!at\s)(?<!after\s)(?<!above\s)(?<!not\s)(?<!-)(?<!,\s)(?<!%\sof\s)(?<!percent\sof\s)all(?![-’'])(?!\s(?:the\ssame|in\sall)\b){_NO_NUMBER_BEHIND}
    |(?<!not\s)every(?!\s(?:\d|other|two|three|time\syou))|each\sand\severy
    |{_NO_THANKS_BEFORE}every(?:body|one)|everything|always|whole|entire(?:ly)?|complete(?:ly)?
    |without\sexception|invariably|universal(?:ly)?)"""
_ONLY = rf"""(?:
    (?<!not\s)only(?!\s(?:\d|the\s(?:first|last)\s\d|(?:{_NUMBERS}|an?|about|around|recently|just|half|slightly)\b))
    |solely|exclusively|sole|nobody\selse|nothing\selse|no\sother)"""
# What is claimed, and with which words a fact that speaks of the same bears it.
_CLAIMS = (
    (
        _ALL,
        r"all|every|everybody|everyone|everything|each|always|whole|entire\w*|complet\w*|both|full\w*|total\w*|"
        r"universal\w*|the rest|end to end|100 ?%|none|anybody|anyone|any|only",
    ),
    (r"unanimous(?:ly)?", r"unanim\w+|everybody|everyone|no objections?|nobody"),
    (
        _ONLY,
        r"only(?!\s\d)|sole\w*|exclusive\w*|just|(?<!not )alone|nothing but|nobody else|"
        r"nothing else|no other|except|opt-in|(?<!at )all|single|unique|left out|limited|restricted|other than",
    ),
    (r"(?:never|not\sonce|at\sno\stime)", r"never|not|no|none|nobody|without|zero|0|nothing|cannot|neither|\w+n['’]t"),
    (r"first[\s-](?:time|ever)", r"first|newcomers?|first-time|new"),
    (
        r"(?:ever|in\s(?:its|the|\w+['’]s)\shistory|of\sall\stime|record-breaking|unprecedented)",
        r"ever|history|all time|record|never",
    ),
    (r"(?:permanently|forever|for\sgood)", r"permanent\w*|for ?ever|for good|for all time"),
)
_COMPILED = [
    (re.compile(rf"\b{claim}\b", re.IGNORECASE | re.VERBOSE), re.compile(rf"\b(?:{base})\b", re.IGNORECASE))
    for claim, base in _CLAIMS
]

_SUPERLATIVE = re.compile(r"\b(?:(?P<most>most|least) (?P<what>[a-z]{4,})|(?P<word>[a-z]{3,}(?<!r)est|best|worst))\b")
_NO_SUPERLATIVE = word_set(
    """test tests rest request guest west nest quest suggest invest interest digest latest honest harvest manifest
    forest contest protest modest dearest ingest pytest unittest earnest attest arrest crest chest vest pest zest
    jest conquest retest least most"""
)
_HIGH = re.compile(r"highest|most|busiest|biggest|largest|longest|greatest|heaviest|best|fastest|worst|slowest")
_LOW = re.compile(r"lowest|least|smallest|shortest|quietest|lightest|fewest|best|fastest|worst|slowest")
_SUPERLATIVE_BASE = re.compile(
    r"\b(?:most|least|best|worst|wins?|won|winn\w*|top|maxim\w*|minim\w*|peak|record|lead\w*|ahead of|more than any|"
    r"[a-z]{3,}(?<!r)est)\b"
)
_FIRST = re.compile(r"\bfirst[ -](?!(?:time|ever)\b)(?:of )?(?:the )?(?:\w+[ -])?(?P<what>[a-z]{3,})", re.IGNORECASE)
_ANOTHER_TRY = re.compile(r"\b(?:supersed|replac|second|again|retr|clos|standalone|instead)")
_PLACE_WORDS = re.compile(r"\b(?:first|1st|initial\w*|newcomer\w*|new (?:contributors?|members?|people|faces)|\(1\))")


def absolute_faults(words: str, said: Sequence[Figure], known: Known) -> Iterator[str]:
    """Where the sentence says without exception what no fact says so."""
    for claim, base in _COMPILED:
        match = claim.search(words)
        if match and match[0].lower() == "all" and _LISTED.search(words[: match.start()]):
            continue
        if match and "first" in match[0].lower() and _NEWCOMER.search(known.lower):
            continue
        if match and not any(base.search(told.text) for told in _of_the_same(words, match, known)):
            yield f"says {match[0]!r}, which no fact says"
    for match in _ALL_OF.finditer(words):
        number = next((figure.value for figure in said if match.end() - 2 <= figure.start <= match.end() + 1), None)
        if any(_is_whole_of_a_part(number, fact) for fact in known.facts):
            yield f"says {match[0].strip()!r} where the facts tell of a part"
    yield from _none_of_counted(words, known)
    yield from _every_for_one(words, known)
    for match in _SUPERLATIVE.finditer(words.lower()):
        word = match["word"] or match["most"]
        if (word in _NO_SUPERLATIVE and not match["most"]) or match["what"] == "recent":
            continue
        stem = word[:-3].rstrip("i") if match["word"] else match["what"][:6]
        if word in known.lower or (match["most"] and stem in known.lower and _SUPERLATIVE_BASE.search(known.lower)):
            continue
        if word in ("best", "highest", "largest", "lowest") and _SUPERLATIVE_BASE.search(known.lower):
            continue
        if not _is_extreme(word, said, known):
            yield f"says {match[0]!r}, which no fact says"
    for match in _FIRST.finditer(words):
        if match["what"].lower() in ("attempt", "try", "version") and _ANOTHER_TRY.search(known.lower):
            continue
        if not _PLACE_WORDS.search(known.lower):
            yield f"says {match[0]!r}, which no fact says"


_LISTED = re.compile(r",[^,.;]+ and [A-Z#][\w-]+ $")  # `A, B and C all got it`
_NEWCOMER = re.compile(
    r"\b(?:first[ -]time|newcomers?|new (?:contributors?|members?|people|faces)|"
    r"of (?:whom|them|these)[^.;]{0,12} new)\b"
)
_ALL_OF = re.compile(r"\b(?:all|every one) (?:of )?(?:the |these |those |our )?", re.IGNORECASE)
_PART_OF = re.compile(r"\s(?:out\s)?of\s(?:\w+\s)?$")


def _is_whole_of_a_part(number: Fraction | None, fact: FactText) -> bool:
    """Whether the fact tells `6 of our 210`, number being 210."""
    for start, end in sentence_bounds(fact.numbers):
        here = [one for one in fact.figures if start <= one.start < end and not one.unit]
        cases = [one.value for one in here if one.noun == "case"]
        if cases and any(one.value == number for one in here) and max(cases) < (number or 0):
            return True  # `of our 200 queries it is right in 171 cases`
    return any(
        two.value == number and one.value < two.value and _PART_OF.fullmatch(fact.numbers[one.end : two.start])
        for one, two in pairwise(fact.figures)
    )


_EVERY = re.compile(r"\b(?:every|each|all(?: of)?(?: the)?) (?P<noun>[a-z]{4,})(?!-)\b", re.IGNORECASE)


def _every_for_one(words: str, known: Known) -> Iterator[str]:
    """`every checkpoint` where the facts speak of the biggest or the local one."""
    for match in _EVERY.finditer(words):
        noun = re.escape(match["noun"].removesuffix("s"))
        one = re.search(rf"\b(?:the|its|our) (?:\w{{2,}}est|local|own|same|only) {noun}\b", known.lower)
        if one and not re.search(rf"\b(?:every|each|all|both|any)\b(?: \w+){{0,2}} {noun}", known.lower):
            yield f"says {match[0]!r}, where the facts say {one[0]!r}"
            return


_NONE = re.compile(
    r"\b(?:no|none of (?:the|our|its|these)|not (?:one|a single)(?: of the)?) (?P<noun>[a-z]{3,})\b", re.IGNORECASE
)


def _none_of_counted(words: str, known: Known) -> Iterator[str]:
    """`no worker registered` where the facts count workers that did, or say that every one did."""
    for match in _NONE.finditer(words):
        noun = plural_to_singular(match["noun"])
        behind = re.split(r"[,;.](?:\s|$)", words[match.end() :])[0]
        deed = set(roots_of(behind)) - set(roots_of(noun))
        for fact in known.facts:
            for start, end in sentence_bounds(fact.numbers):
                counted = any(start <= one.start < end and one.noun == noun and one.value for one in fact.figures)
                told = fact.numbers[start:end]
                counted |= re.search(rf"\b(?:every|each|all(?: the)?) {noun}s?\b", told.lower()) is not None
                if counted and deed and deed <= set(roots_of(told)) and not NEGATION.search(told):
                    yield f"says {match[0]!r}, of which the facts count some"
                    return


def _of_the_same(words: str, claim: re.Match[str], known: Known) -> Iterator[Clause]:
    """The facts' sentences that share a telling word with the sentence, beside that of the claim itself."""
    mine = set(roots_of(words)) - set(roots_of(claim[0]))
    for fact in known.facts:
        yield from (told for told in sentences_of(fact.text) if not mine or mine & told.roots)


def _is_extreme(word: str, said: Sequence[Figure], known: Known) -> bool:
    """Whether a figure of the sentence is the highest or lowest of its like in the facts."""
    for figure in said:
        likes = [
            other.value
            for other in known.figures
            if other.unit == figure.unit and (not figure.noun or not other.noun or other.noun == figure.noun)
        ]
        distinct = set(likes)
        if len(distinct) < 2 or figure.value not in distinct:
            continue
        if (_HIGH.search(word) and figure.value == max(distinct)) or (
            _LOW.search(word) and figure.value == min(distinct)
        ):
            return True
    return False
