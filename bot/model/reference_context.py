"""What stands before and behind a number in a text: words, repositories, places, lists."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from functools import lru_cache
from itertools import islice

from bot.model import reference_words as words

BETWEEN = " \t:=_*`~|\"'“”„«»‘’([{<-‐‑→" + words.COUNTERS
NAME = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/"
WRAPPING = "()[]{}<>*_`~|\"'“”„«»‘’,;:!?.=→。、「」『』【】؟؛،।" + words.COUNTERS
_CLAUSE_END = (".", "!", "?", ";", "。", "！", "？")


_SIGNS = "|".join(sorted((re.escape(sign) for sign in words.NUMBER_SIGNS), reverse=True))
_LED = rf"(?:s|\(s\)?|['’:-][^\W\d_]{{1,3}})?(?:[\W_{words.COUNTERS}]{{0,6}}|[\W_]{{1,3}}(?:{_SIGNS})[\W_]{{0,4}})\d"
_PR_LED = re.compile(rf"pr(?:-nr\.?|-nummer)?{_LED}")
_MR_LED = re.compile(rf"mr{_LED}")
_GH_LED = re.compile(r"gh(?:\W{0,3}\d|\s+(?:pr|issue)\s)")
_FOREIGN = re.compile("|".join(re.escape(word) for word in sorted(words.TRADE) if not word.isascii()))


def is_worded(lower: str) -> bool:
    """Whether a number may be led by a word of the trade; in most texts none is, and only hashes matter."""
    return (
        "issue" in lower
        or "pull" in lower
        or "request" in lower
        or ("pr" in lower and _PR_LED.search(lower) is not None)
        or ("gh" in lower and _GH_LED.search(lower) is not None)
        or ("github" in lower)
        or ("mr" in lower and _MR_LED.search(lower) is not None)
        or (not lower.isascii() and _FOREIGN.search(lower) is not None)
    )


_EAST = r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
_BETWEEN_SCRIPTS = re.compile(rf"(?<=[a-z0-9])(?={_EAST})|(?<={_EAST})(?=[a-z0-9])")


def words_before(text: str, end: int) -> list[str]:
    """The last words of the clause that ends at `end`, lower case, without what wraps them."""
    said = text[max(0, end - 70) : end].lower()
    if not said.isascii():
        said = _BETWEEN_SCRIPTS.sub(" ", said)
    pieces = said.split()[-5:]
    kept: list[str] = []
    for piece in reversed(pieces):
        if kept and piece.endswith(_CLAUSE_END) and piece not in words.NUMBER_SIGNS:
            break
        bare = piece.strip(WRAPPING).rpartition(",")[2]
        if bare and bare not in words.PARTICLES:
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
        if bare := piece.strip(WRAPPING):
            kept.append(bare)
        if piece.endswith(_CLAUSE_END):
            break
    return kept


def touches(window: str) -> bool:
    """Whether the last word of `window` stands right before what follows it, with at most wrapping between."""
    stripped = window.rstrip(BETWEEN)
    return stripped[-1:].isalnum() or stripped.lower().endswith(_ABBREVIATED)


_ABBREVIATED = (*words.NUMBER_SIGNS, "fig.", "eq.", "vol.", "ch.", "sec.")


SPECIAL = (
    words.TRADE | words.NUMBER_SIGNS | words.NUMBERED | words.ENUMERATED | words.OTHER_TRACKERS | words.KNOWN_PROJECTS
    | words.SAYS_COLOUR
    | frozenset(["our", "your", "my", "ticket", "tickets"])
)  # fmt: skip


# "PR'ı", "PR:n", "PR-ы", "PR-y", but not "PR'd".
_INFLECTED = re.compile(r"(?<![^\W_])(prs?|issues?|mrs?)(?:['’:](?!ed|d$|ing)[^\W\d_]{1,3}|-(?:[^\W\d_a-z]{1,3}|y))$")
_ASCII_TAIL = re.compile(r"[a-z'’-]+$")


def trade_word(word: str) -> str | None:
    """The word of the trade that `word` is, inflected or not, or ends in: after a slash, in a script without spaces."""
    if word in words.TRADE:
        return word
    if word.isalpha() and word.isascii():
        return None
    for ending in words.UNSPACED:
        if word.endswith(ending):
            return ending
    if inflected := _INFLECTED.search(word):
        return inflected[1]
    word = re.split("['’]", word)[-1]
    if word in words.TRADE:
        return word
    tail = _ASCII_TAIL.search(word[-14:])
    bare = tail[0].strip("-_") if tail else ""
    return bare if bare in words.TRADE and len(bare) < len(word) and not word[-len(bare) - 1].isdigit() else None


_TRADE_ENDS = tuple(words.TRADE | words.NUMBER_SIGNS)
_LAST_TWO = frozenset(word[-2:] for word in _TRADE_ENDS)
_MARKS = frozenset("'’:-")


def ends_in_trade(said: str) -> bool:
    """Whether a lower-case text ends in a word of the trade, inflected or not, or in a sign for numbers."""
    if (said[-2:] in _LAST_TWO or said[-1:] in _LAST_TWO) and said.endswith(_TRADE_ENDS):
        return True
    return not _MARKS.isdisjoint(said[-4:]) and _INFLECTED.search(said[-12:]) is not None


_OWNER_AND_NAME = re.compile(r"(?![\d.]+/[\d.]+$)[a-z0-9][a-z0-9-]{0,38}/[a-z0-9._-]{1,100}", re.ASCII)


def is_repository(word: str) -> bool:
    """Whether a word has the form owner/repo and is neither a pair of words nor a fraction."""
    return "/" in word and _OWNER_AND_NAME.fullmatch(word) is not None and word not in words.PAIRS


def is_elsewhere(word: str) -> bool:
    """Whether a word names another tracker or another well-known project."""
    return word in words.OTHER_TRACKERS or word in words.KNOWN_PROJECTS


_PLACE = re.compile(
    rf"""[)\]*`'"]*\s+(?:over\ )?(?:{"|".join(sorted(words.PLACING))})\s+
    (?:the\s+)?(?:repo(?:sitory)?\s+)?[*`'"]*([\w./-]+)
    |[*`]*\s+\(([\w./-]+)\)
    |\s+·\s+([\w.-]+/[\w.-]+)""",
    re.VERBOSE,
)
_BEFORE_PLACE = frozenset(")]*`'\" \t")
_NO_PLACE = frozenset(f" {sign}" for sign in "bcghjklmnpqrstuwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ#,.0123456789")


def place_behind(text: str, end: int) -> str:
    """The name behind "in", "of", "on", a dot or in brackets that follows a number; lower case, "" without one."""
    if text[end : end + 1] not in _BEFORE_PLACE or text[end : end + 2] in _NO_PLACE:
        return ""
    if not (place := _PLACE.match(text, end)):
        return ""
    return place[place.lastindex or 0].rstrip("./-_").lower()


_COMMAND = re.compile(r"(?<![a-z0-9])gh\s+(?:pr|issue)\s+[a-z]{2,12}\s+(?:-[\w-]+\s+)*$")
_OPTION = re.compile(r"(?:-R|--repo)[ =]([\w.-]+/[\w.-]+)")


def is_command(window: str) -> bool:
    """`gh pr view` and its kin right before a number."""
    return _COMMAND.search(window) is not None


def repository_option(text: str, start: int, end: int) -> str:
    """The repository that the command around a number names by `-R`, in lower case; "" without one."""
    line = text[max(0, start - 120) : start].rpartition("\n")[2] + " " + text[end : end + 120].partition("\n")[0]
    option = _OPTION.search(line)
    return option[1].lower().rstrip("._-") if option else ""


_BULLETED = re.compile(
    r"(?:prs|pull requests|pulls|issues)[*_ ]*:?[*_ ]*\n\s*(?:(?:[-*•+]|\d[.)])\s+)?$", re.IGNORECASE
)
_ALONE = re.compile(r"[ \t]*(?:$|[\n,:;(—–-])")


def is_below(text: str, window: str, end: int) -> bool:
    """A number in the line below "PRs:", where it does not count anything."""
    return _BULLETED.search(window) is not None and _ALONE.match(text, end) is not None


_REMARK = r"\s?(?:\([^()\d]{1,24}\)|\[[^\[\]\d]{1,24}\])"
_JOIN = re.compile(
    rf"""(?:{_REMARK}(?=\s*[,;/&+、]|\s+(?:{words.AND})\s))?
    [\s*_`~()\[\]|'"<>]*
    (?:(?:[,;/&+、–—→‐‑-]|\.{{2,3}})[\s*•]*)?
    (?:(?:{words.CONJUNCTIONS.replace(" ", "[ ]")})\s|{words.CONJUNCTIONS_UNSPACED})?
    [\s*_`~()\[\]|'"<>]*\#?""",
    re.VERBOSE | re.IGNORECASE,
)
JOINED_OVER = 40  # characters at most
_TIGHT = frozenset("/-‐‑–—&+")
_STRONG_JOIN = re.compile(rf"\s*(?:[/&+–—-]|{words.AND}|と|和)\s*")


@lru_cache(maxsize=1024)
def joins(gap: str) -> bool:
    """Whether what stands between two numbers makes them a list or a range."""
    return len(gap) <= JOINED_OVER and _JOIN.fullmatch(gap) is not None


def joins_tightly(gap: str) -> bool:
    """Whether a number without a hash may follow one with a hash over `gap`: `#12/13`, `#12 and 13`."""
    return _STRONG_JOIN.fullmatch(gap) is not None


def joins_of_one_repository(gap: str) -> bool:
    """Whether `#N` over `gap` is of the repository that is named before the number listed first: `engine#1/#2`."""
    return gap[:-1] in _TIGHT and gap[-1:] == "#"


# "[owner/repo] Title (#1)" and, as GitHub's notifications begin, "[owner/repo] Title (PR #1)".
_TITLED = re.compile(
    r"^[-#*_>~|`\s]*+(?:(?:re|fwd?|aw): *)*+\[([\w.-]+/[\w.-]+)\](?=[ \t])[^\n]*", re.IGNORECASE | re.MULTILINE
)
_NOTIFIES = re.compile(r"\((?:PR|Issue) #\d|(?:Pull request|Issue) [a-z ]{4,24}: #\d")
# A list under "owner/repo:".
_HEADED = re.compile(
    r"^[-#*_> ]*+([\w./-]++)[*`]*+:[*_]*+[ \t]*+\n(?:[ \t]*+(?:[-*•+]|\d{1,2}[.)])[ \t][^\n]*+(?:\n|\Z))++",
    re.MULTILINE,
)


def named_stretches(text: str, tracked: Mapping[str, str]) -> list[tuple[int, int, str]]:
    """Where bare numbers are of the repository that is named at the beginning (lower case, "" for one not tracked).

    The first twenty, which is more than a message holds. "[loader/cache] Title (#1)" names a part of the program.
    """
    forms = [_TITLED] * ("] " in text) + [_HEADED] * (":" in text and "\n" in text)
    found = [stretch for form in forms for stretch in islice(form.finditer(text), 20)]
    named = [(stretch, stretch[1].strip("_").lower()) for stretch in found]
    return [
        (*stretch.span(), tracked.get(name, "").lower())
        for stretch, name in named
        if name in tracked or (stretch.re is _TITLED and _NOTIFIES.search(stretch[0]))
    ]


ZEROS = "0٠०０"
_DECIMALS = frozenset(f".{digit}" for digit in "0123456789")
_STOPS = ",:;.!?"
_PLAIN_BEFORE = frozenset(["", *" (`[\n"])
_PLAIN_BEHIND = frozenset(["", *" .,;:?!)`]\n"])
# A place, people that are counted, a bracket, decimals: whatever may say something of the number, by its first letters.
_TELLING_BEHIND = frozenset(
    [
        *(f" {begin}" for begin in ("ov", "me", "pe", "su", "us", *(word[:2] for word in words.PLACING))),
        *(f" {mark}" for mark in " \t\n(@#·*_~|`“”"),
        *(f"{mark} {begin}" for mark in ")`]" for begin in "ioafdevmpsu (@#·в0123456789"),
        *(f"{mark}{other}" for mark in ")`]" for other in "(@#)`]"),
        *_DECIMALS,
    ]
)


def is_plain(text: str, start: int, end: int, tracked: Container[str], *, follows: bool) -> bool:
    """Whether nothing around `#N` (N at `[start, end)`, four or five digits) says anything of it: as most stand.

    `follows`: another such one stands right before it in a list.
    """
    before, behind = text[start - 2 : start - 1], text[end : end + 3]
    if before not in _PLAIN_BEFORE or behind[:1] not in _PLAIN_BEHIND:
        return False
    if behind in _TELLING_BEHIND or behind[:2] in _TELLING_BEHIND:
        return False
    if text[start] in ZEROS or follows or before in ("", "\n"):
        return text[start] not in ZEROS
    piece = text[start - 25 if start > 25 else 0 : start - 1].rstrip(" (`[")
    word = piece[piece.rfind(" ") + 1 :].rstrip(_STOPS).lower()
    return word.isalpha() and word.isascii() and word not in SPECIAL and word not in tracked


def plainly_named(text: str, start: int, end: int, tracked: Mapping[str, str]) -> str:
    """The tracked repository (lower case) that stands right before `#N`, where nothing else has to be looked at."""
    if end - start > 9 or text[end : end + 1] not in _PLAIN_BEHIND or text[end : end + 2] in _DECIMALS:
        return ""
    if text[start] in ZEROS or not text[start - 2 : start - 1].isalnum():
        return ""
    window = text[start - 121 if start > 121 else 0 : start - 1]
    named = tracked.get(window[len(window.rstrip(NAME)) :].lower())
    return named.lower() if named else ""
