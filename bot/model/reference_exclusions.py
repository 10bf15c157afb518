"""What a number may be instead of a reference: a count, a rank, a colour, a line of a log, somebody else's item."""

from __future__ import annotations

import re

from bot.model import reference_words as words
from bot.model.reference_context import WRAPPING, words_before

# Behind digits: they are part of something else (letters, decimals, a percentage, a hash that opens nothing).
NOT_WHOLE = re.compile(
    r"[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u052f%٪‰$€£°@]|_[A-Za-z0-9]|\.\d|#(?![A-Za-z])|\ufe0f?\u20e3"
)


_HYPHENS = frozenset("-‐‑")
_SUFFIX = re.compile(r"[-‐‑]([A-Za-z]+)")


def is_suffixed(text: str, end: int) -> bool:
    """Whether a hyphen and a word behind make the number part of a name, as in `#2026-planning`."""
    suffix = _SUFFIX.match(text, end) if text[end : end + 1] in _HYPHENS else None
    return suffix is not None and len(suffix[1]) > 2 and suffix[1].lower() not in words.SUFFIXES


_THREE_MORE = re.compile(r",\d{3}(?!\d)")
_THOUSANDS = re.compile(r",\d{3}(?![\d,])(?!\s*,)")


def is_thousands(text: str, start: int, end: int) -> bool:
    """`8,684`, but not the beginning of a list."""
    return end - start <= 3 and bool(_THOUSANDS.match(text, end))


_PART_OF = re.compile(r"\s*(?:of|/|von|de|sur)\s*\d{1,2}(?!\d)")


def is_part(text: str, start: int, end: int) -> bool:
    """A position in a series: `2 of 5`, `2/5`."""
    return end - start <= 2 and bool(_PART_OF.match(text, end))


_HOST_BEHIND = re.compile(r"[a-z0-9-]{0,40}(?:\.[a-z0-9-]{1,40}){1,5}\.[a-z]{2,24}\b", re.IGNORECASE)


def is_host(text: str, end: int) -> bool:
    """`pr-12.preview.example.org`."""
    return _HOST_BEHIND.match(text, end) is not None


_DATE_OR_TIME = re.compile(r"[-/.]\d{1,2}[-/.]\d|:\d\d")
_NEXT_WORDS = re.compile(r"\S+")
_OF_THEM = re.compile(r"\s+of (?:them|those|these|which|all|us|our|my)\b", re.IGNORECASE)


def counts(text: str, start: int, end: int, lead: str) -> bool:
    """Whether a number without a hash counts what follows: `issues 3 times`, `pull 100 images`; or is a date."""
    if _DATE_OR_TIME.match(text, end) or is_part(text, start, end):
        return True
    follower = _NEXT_WORDS.match(text, end + 1) if text[end : end + 1] in (" ", "\t") else None
    if follower is None:
        return False
    word = follower[0].lower().strip(WRAPPING)
    if word in words.QUANTITIES or follower[0][0] in "%€$" or _OF_THEM.match(text, end):
        return True
    plural = len(word) > 3 and word.isalpha() and word.endswith("s") and word not in words.VERBS_IN_S
    return plural and lead in ("pull", "pulls", "issues", "requests", "")


_MORE = re.compile(r"\s*(?:[,/&+]|and\b|und\b|et\b|y\b)\s*#?\d")


def is_tally(text: str, between: str, start: int, end: int, lead: str) -> bool:
    """`Issues (42)`, `open PRs: 7`, `Issue 1: ...`: how many there are, or which of one's own points."""
    if lead not in words.PLURAL:
        return end - start == 1 and lead == "issue" and text[end : end + 1] == ":"
    return end - start < 4 and ("(" in between or ":" in between) and not _MORE.match(text, end)


def is_figure(text: str, between: str, start: int, end: int, lead: str) -> bool:
    """Whether a number behind a word of the trade, with `between` in between, is no item's: it counts or is counted."""
    if lead not in words.PLURAL and end - start <= 3 and _THREE_MORE.match(text, end):
        return True
    return counts(text, start, end, lead) or is_tally(text, between, start, end, lead)


_TRACE = re.compile(
    r"\d{1,2}\s+(?:0x|/|\{main\}|\[(?:[\w./-]+ )?\d+/\d+\]|\[internal\]|DONE|CACHED|ERROR|sha256|\d+\.\d+ |<"
    r"|in \S+ ?\()"
)


def is_trace(text: str, hash_at: int, start: int) -> bool:
    """A line of a stack trace or build log: `#3 0x7f...`, `#12 DONE 0.3s`."""
    line = text[max(0, hash_at - 20) : hash_at].rpartition("\n")[2]
    return not line.strip(" \t#>*_~|`([-“") and _TRACE.match(text, start) is not None


_HEX_COLOUR = re.compile(r"#(?=[0-9]*[a-f])(?:[0-9a-f]{3}|[0-9a-f]{6})(?![0-9a-z])", re.IGNORECASE)


def is_colour(text: str, start: int, end: int, before: list[str]) -> bool:
    """Three or four digits as a colour: said so by the word before, boxed as in `text-[#1234]`, or beside another."""
    digits = end - start
    if digits not in (3, 4):
        return False
    if text[start - 3 : start - 1] == "-[":
        return True
    if digits == 3:
        before = before or words_before(text, start - 1)
        before = before[:-1] if before[-1:] in (["is"], ["to"]) else before
    if any(word.strip("-").rpartition("-")[2] in words.SAYS_COLOUR for word in before[-1:]):
        return True
    return digits == 3 and _HEX_COLOUR.search(text[:4000]) is not None


def is_numbered_thing(number: int, before: list[str]) -> bool:
    """`run #8684`, `step no. #3`: the word before has numbers of its own."""
    named = next((word for word in reversed(before) if word not in words.NUMBER_SIGNS), "")
    for word in (before[-1], named):
        if word in words.NUMBERED or word.rpartition("-")[2] in words.NUMBERED:
            return True
    return number < 1000 and named in words.ENUMERATED


def is_other_ticket(before: list[str]) -> bool:
    """`support ticket #8684`."""
    return len(before) > 1 and before[-1] in ("ticket", "tickets") and before[-2] in words.OTHER_TICKETS


_HASHTAG = re.compile(r"#[^\W\d_]\w*")


def is_hashtag(number: int, text: str, hash_at: int, end: int) -> bool:
    """A year among hashtags: `#news #2026`."""
    if not 1990 <= number < 2100:
        return False
    before = text[max(0, hash_at - 30) : hash_at].rpartition("\n")[2].split()[-1:]
    behind = text[end : end + 30].partition("\n")[0].split()[:1]
    return any(_HASHTAG.fullmatch(word.strip("*_~|`()“”")) for word in (*before, *behind))


def counts_people(text: str, end: int) -> bool:
    """`our #500 member`."""
    if text[end : end + 1] != " ":
        return False
    return any(word.strip(WRAPPING).lower() in words.COUNTED_PEOPLE for word in text[end + 1 : end + 14].split()[:1])


def is_rank(number: int, before: list[str], after: list[str]) -> bool:
    """A place in an order: `#1 priority`, `we're #2`, `#12 on the leaderboard`; `#1` unless PR words are near."""
    if number > 99:
        return False
    if after and after[0] in words.RANKED_THINGS:
        return True
    if after and after[0] in words.RANK_PLACES and any(word in words.RANKINGS for word in after):
        return True
    if number > 9:
        return False
    near = {*before[-3:], *after[:4]}
    if near & words.EVIDENCE:
        return False
    if before and before[-1] in words.RANKING_WORDS:
        return True
    return number == 1 or (number <= 3 and bool(after) and after[0] in words.RANK_PLACES)


def may_be_elsewhere(lower: str) -> bool:
    """Whether `spans_elsewhere` can find anything at all."""
    return "their" in lower or "tracker" in lower or "project" in lower or "repo" in lower or "not our" in lower


_ELSEWHERE = re.compile("|".join(words.ELSEWHERE), re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?。！？](?=\s|$)|\n")


def spans_elsewhere(text: str) -> list[tuple[int, int]]:
    """The sentences that speak of somebody else's tracker; the first twenty, which is more than a message holds."""
    spans: list[tuple[int, int]] = []
    for said in _ELSEWHERE.finditer(text):
        left, right = max(0, said.start() - 300), said.end()
        starts = [end.end() for end in _SENTENCE_END.finditer(text, left, said.start())]
        stop = _SENTENCE_END.search(text, right, right + 300)
        spans.append((starts[-1] if starts else left, stop.start() if stop else right + 300))
        if len(spans) == 20:
            break
    return spans
