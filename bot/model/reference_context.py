"""What stands around a number in a text, and what it makes of the number."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from functools import lru_cache

from bot.model import reference_words as words

_PRINTABLE = "".join(map(chr, range(32, 127)))
BETWEEN = " \t:=_*`~|\"'“”„«»‘’([{<-‐‑"
NAME = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/"
_WRAPPING = "()[]{}<>*_`~|\"'“”„«»‘’,;:!?.="
_CLAUSE_END = (".", "!", "?", ";", "。", "！", "？")

# Behind digits: they are part of something else (letters, decimals, a percentage, a hash that opens nothing).
NOT_WHOLE = re.compile(
    r"[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u052f%$€£°@]|_[A-Za-z0-9]|\.\d|#(?![A-Za-z])|\u20e3"
)
_THOUSANDS = re.compile(r",\d{3}(?![\d,])(?!\s*,)")
_HYPHENS = frozenset("-‐‑")
_SUFFIX = re.compile(r"[-‐‑]([A-Za-z]+)")
_PART_OF = re.compile(r"\s*(?:of|/|von|de|sur)\s*\d{1,2}(?!\d)")
_DATE_OR_TIME = re.compile(r"[-/.]\d{1,2}[-/.]\d|:\d\d")
_NEXT_WORDS = re.compile(r"\S+")
_TRACE = re.compile(
    r"\d{1,2}\s+(?:0x|/|\{main\}|\[(?:[\w./-]+ )?\d+/\d+\]|\[internal\]|DONE|CACHED|ERROR|sha256|\d+\.\d+ |in |<)"
)
_ASCII_TAIL = re.compile(r"[a-z'’-]+$")
_OWNER_AND_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,38}/[a-z0-9._-]{1,100}", re.ASCII)
_PLACE = re.compile(
    r"[)\]*`'\"]*\s+(?:in|on|of|at|over at|for|@)\s+(?:the\s+)?[*`'\"]*([\w./-]+)|[*`]*\s+\(([\w./-]+)\)"
)
_BEFORE_PLACE = frozenset(")]*`'\" \t")
_NO_PLACE = frozenset(f" {letter}" for letter in "bcdeghjklmnpqrsuvwxyzBCDEGHJKLMNPQRSUVWXYZ#,.0123456789")
_COMMAND = re.compile(r"\bgh\s+(?:pr|issue)\s+[a-z]{2,12}\s+(?:-[\w-]+\s+)*$")
_OPTION = re.compile(r"(?:-R|--repo)[ =]([\w.-]+/[\w.-]+)")
_BULLETED = re.compile(r"(?:prs|pull requests|pulls|issues)[*_ ]*:[*_ ]*\n\s*(?:[-*•+]|\d[.)])\s+$", re.IGNORECASE)
_MORE = re.compile(r"\s*(?:[,/&+]|and\b|und\b|et\b|y\b)\s*#?\d")
_HEX_COLOUR = re.compile(r"#(?=[0-9]*[a-f])(?:[0-9a-f]{3}|[0-9a-f]{6})\b", re.IGNORECASE)
_JOIN = re.compile(
    r"""[\s*_`~()\[\]|'"<>]*
    (?:(?:[,;/&+、–—→‐‑-]|\.{2,3})[\s*•]*)?
    (?:(?:and|or|und|oder|et|ou|y|e|o|i|и|или|och|og|eller|en|of|ja|ve|plus|to|through|thru|bis|a|до)\s|と|和|与|及|或|や|및|와|과)?
    [\s*_`~()\[\]|'"<>]*\#?""",
    re.VERBOSE | re.IGNORECASE,
)
_STRONG_JOIN = re.compile(r"\s*(?:[/&+–—-]|and|or|und|oder|et|ou|y|o|och|и|или|と|和)\s*")


def words_before(text: str, end: int) -> list[str]:
    """The last words of the clause that ends at `end`, lower case, without what wraps them."""
    pieces = text[max(0, end - 70) : end].lower().split()[-5:]
    kept: list[str] = []
    for piece in reversed(pieces):
        if kept and piece.endswith(_CLAUSE_END) and piece not in words.NUMBER_SIGNS:
            break
        if bare := piece.strip(_WRAPPING):
            kept.append(bare.removesuffix("'s").removesuffix("’s"))
    return kept[::-1]


def words_led(text: str, end: int, tracked: Container[str]) -> list[str]:
    """The last words of the clause as far as they can say something of a number at `end`: a plain word says nothing."""
    last = text[end - 30 if end > 30 else 0 : end].rstrip(BETWEEN)
    word = last[last.rfind(" ") + 1 :].lower()
    if word.isalpha() and word.isascii() and word not in SPECIAL and word not in tracked:
        return []
    return words_before(text, end)


def words_after(text: str, start: int) -> list[str]:
    """The next words behind `start`, lower case, up to the end of the clause."""
    kept: list[str] = []
    for piece in text[start : start + 60].lower().split()[:5]:
        if bare := piece.strip(_WRAPPING):
            kept.append(bare)
        if piece.endswith(_CLAUSE_END):
            break
    return kept


def touches(window: str) -> bool:
    """Whether the last word of `window` stands right before what follows it, with at most wrapping between."""
    stripped = window.rstrip(BETWEEN)
    return stripped[-1:].isalnum() or stripped.lower().endswith(tuple(words.NUMBER_SIGNS))


def is_plain(text: str, start: int, end: int, tracked: Container[str]) -> bool:
    """Whether nothing around `#N` (N at `[start, end)`, four or five digits) says anything of it: as most stand."""
    before, behind = text[start - 2 : start - 1], text[end : end + 3]
    if before not in _PLAIN_BEFORE or behind[:1] not in _PLAIN_BEHIND or behind in _TELLING_BEHIND:
        return False
    if text[start] in _ZEROS or before in ("", "\n"):
        return text[start] not in _ZEROS
    piece = text[start - 25 if start > 25 else 0 : start - 1].rstrip(" (`[")
    word = piece[piece.rfind(" ") + 1 :].rstrip(_STOPS).lower()
    return word.isalpha() and word.isascii() and word not in SPECIAL and word not in tracked


def plainly_named(text: str, start: int, end: int, tracked: Mapping[str, str]) -> str:
    """The tracked repository (lower case) that stands right before `#N`, where nothing else has to be looked at."""
    if end - start > 9 or text[end : end + 1] not in _PLAIN_BEHIND or text[end : end + 2] in _DECIMALS:
        return ""
    if text[start] in _ZEROS or not text[start - 2 : start - 1].isalnum():
        return ""
    window = text[start - 121 if start > 121 else 0 : start - 1]
    named = tracked.get(window[len(window.rstrip(NAME)) :].lower())
    return named.lower() if named else ""


_ZEROS = "0٠०０"
_DECIMALS = frozenset(f".{digit}" for digit in "0123456789")
_STOPS = ",:;.!?"
_PLAIN_BEFORE = frozenset(["", *" (`[\n"])
_PLAIN_BEHIND = frozenset(["", *" .,;:?!)`]\n"])
# A place, people that are counted, a bracket, decimals: whatever may say something of the number, by its first letters.
_TELLING_BEHIND = frozenset(
    [
        *(f" {begin}" for begin in ("in", "on", "of", "at", "ov", "fo", "me", "pe", "su", "us")),
        *(f" {mark}{more}" for mark in "(@#" for more in _PRINTABLE),
        *(f"{mark} {begin}" for mark in ")`]" for begin in "ioafmpsu(@#0123456789"),
        *(f"{mark}{other}{more}" for mark in ")`]" for other in "(@#)`]" for more in _PRINTABLE),
        *(f".{digit}{more}" for digit in "0123456789" for more in ["", *_PRINTABLE]),
        *(f".{digit}" for digit in "0123456789"),
    ]
)


def trade_word(word: str) -> str | None:
    """The word of the trade that `word` is or ends in: after a slash, or in a script without spaces."""
    if word in words.TRADE:
        return word
    if word.isalpha() and word.isascii():
        return None
    for ending in words.UNSPACED:
        if word.endswith(ending):
            return ending
    word = re.split("['’]", word)[-1]
    if word in words.TRADE:
        return word
    tail = _ASCII_TAIL.search(word[-14:])
    bare = tail[0].strip("-_") if tail else ""
    return bare if bare in words.TRADE and len(bare) < len(word) and not word[-len(bare) - 1].isdigit() else None


def is_repository(word: str) -> bool:
    """Whether a word has the form owner/repo and is no pair of words."""
    return "/" in word and _OWNER_AND_NAME.fullmatch(word) is not None and word not in words.PAIRS


def place_behind(text: str, end: int) -> str:
    """The name behind "in", "of", "on" or in brackets that follows a number; lower case, "" without one."""
    if text[end : end + 1] not in _BEFORE_PLACE or text[end : end + 2] in _NO_PLACE:
        return ""
    if not (place := _PLACE.match(text, end)):
        return ""
    return (place[1] or place[2]).rstrip("./-_").lower()


def is_command(window: str) -> bool:
    """`gh pr view` and its kin right before a number."""
    return _COMMAND.search(window) is not None


def repository_option(text: str, start: int, end: int, tracked: dict[str, str], default: str) -> str:
    """The repository that the command around a number names by `-R`, else the default."""
    line = text[max(0, start - 120) : start].rpartition("\n")[2] + " " + text[end : end + 120].partition("\n")[0]
    option = _OPTION.search(line)
    return tracked.get(option[1].lower(), "").lower() if option else default


def is_bulleted(window: str) -> bool:
    """A number as the first item under "PRs:"."""
    return _BULLETED.search(window) is not None


def is_tally(text: str, between: str, start: int, end: int, lead: str) -> bool:
    """`Issues (42)`, `open PRs: 7`, `Issue 1: ...`: how many there are, or which of one's own points."""
    if lead not in words.PLURAL:
        return end - start == 1 and lead == "issue" and text[end : end + 1] == ":"
    return end - start < 4 and ("(" in between or ":" in between) and not _MORE.match(text, end)


def is_suffixed(text: str, end: int) -> bool:
    """Whether a hyphen and a word behind make the number part of a name, as in `#2026-planning`."""
    suffix = _SUFFIX.match(text, end) if text[end : end + 1] in _HYPHENS else None
    return suffix is not None and len(suffix[1]) > 2 and suffix[1].lower() not in words.SUFFIXES


def is_thousands(text: str, start: int, end: int) -> bool:
    return end - start <= 3 and bool(_THOUSANDS.match(text, end))


def is_part(text: str, start: int, end: int) -> bool:
    """A position in a series: `2 of 5`, `2/5`."""
    return end - start <= 2 and bool(_PART_OF.match(text, end))


def counts(text: str, start: int, end: int, lead: str) -> bool:
    """Whether a number without a hash counts what follows: `issues 3 times`, `pull 100 images`; or is a date."""
    if _DATE_OR_TIME.match(text, end) or is_part(text, start, end):
        return True
    follower = _NEXT_WORDS.match(text, end + 1) if text[end : end + 1] in (" ", "\t") else None
    if follower is None:
        return False
    word = follower[0].lower().strip(_WRAPPING)
    if word in words.QUANTITIES or follower[0][0] in "%€$":
        return True
    plural = len(word) > 3 and word.isalpha() and word.endswith("s") and word not in words.VERBS_IN_S
    return plural and lead in ("pull", "pulls", "issues", "requests", "")


@lru_cache(maxsize=1024)
def joins(gap: str) -> bool:
    """Whether what stands between two numbers makes them a list or a range."""
    return len(gap) <= 24 and _JOIN.fullmatch(gap) is not None


def joins_tightly(gap: str) -> bool:
    """Whether a number without a hash may follow one with a hash over `gap`: `#12/13`, `#12 and 13`."""
    return _STRONG_JOIN.fullmatch(gap) is not None


def is_trace(text: str, hash_at: int, start: int) -> bool:
    """A line of a stack trace or build log: `#3 0x7f...`, `#12 DONE 0.3s`."""
    line = text[max(0, hash_at - 20) : hash_at].rpartition("\n")[2]
    return not line.strip() and _TRACE.match(text, start) is not None


def is_colour(text: str, digits: int, before: list[str], *, boxed: bool) -> bool:
    """Three or four digits as a colour: said so by the word before, `boxed` as in `text-[#1234]`, or beside another."""
    if digits not in (3, 4):
        return False
    if boxed:
        return True
    if any(word.strip("-").rpartition("-")[2] in words.SAYS_COLOUR for word in before[-1:]):
        return True
    return digits == 3 and _HEX_COLOUR.search(text[:4000]) is not None


def is_numbered_thing(number: int, before: list[str]) -> bool:
    """`run #8684`, `step #3`: the word before has numbers of its own."""
    for word in before[-1:]:
        if word in words.NUMBERED or word.rpartition("-")[2] in words.NUMBERED:
            return True
        return number < 1000 and word in words.ENUMERATED
    return False


def is_other_ticket(before: list[str]) -> bool:
    """`support ticket #8684`."""
    return len(before) > 1 and before[-1] in ("ticket", "tickets") and before[-2] in words.OTHER_TICKETS


def is_hashtag(number: int, text: str, hash_at: int, end: int) -> bool:
    """A year among hashtags: `#news #2026`."""
    if not 1990 <= number < 2100:
        return False
    before, behind = text[max(0, hash_at - 30) : hash_at].split()[-1:], text[end : end + 30].split()[:1]
    return any(_HASHTAG.fullmatch(word) for word in (*before, *behind))


_HASHTAG = re.compile(r"#[^\W\d_]\w*")


def counts_people(text: str, end: int) -> bool:
    """`our #500 member`."""
    return text[end : end + 1] == " " and text[end + 1 : end + 14].split(" ")[0].strip(_WRAPPING).lower() in _PEOPLE


_PEOPLE = words.COUNTED_PEOPLE


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


def is_elsewhere(word: str) -> bool:
    """Whether a word names another tracker or another well-known project."""
    return word in words.OTHER_TRACKERS or word in words.KNOWN_PROJECTS


SPECIAL = (
    words.TRADE | words.NUMBER_SIGNS | words.NUMBERED | words.ENUMERATED | words.OTHER_TRACKERS | words.KNOWN_PROJECTS
    | words.SAYS_COLOUR
    | frozenset(["our", "your", "my", "ticket", "tickets"])
)  # fmt: skip


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
