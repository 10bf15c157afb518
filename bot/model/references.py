"""Which pull requests and issues a text speaks of.

A number is told to be a reference by what stands around it:

- **Addresses.** `github.com/owner/repo/pull/N` or `/issues/N`, with or without scheme or `www.`, whatever follows
  (`/files`, `?w=1`, `#discussion_r1`, `.diff`), and the same in GitHub's API are references. No other address holds
  one: look-alike hosts, other trackers, commits, discussions, runs, fragments, links to Discord.
- **Mentions** of channels, members, roles, emoji, times and commands hold none, nor do e-mail addresses.
- **`owner/repo#N`**, `repo#N`, and both with a space before the `#`: of that repository if it is tracked. Another word
  right before `#N` names something else (a Discord tag, a project), unless it is one of the trade (`PR#1`, `fixes#1`).
- **Words**: `PR 1`, `pull request 1`, `issue 1`, `GH-1`, `pull/1`, `gh pr view 1`, in singular and plural, with `no.`,
  punctuation or markdown between, and the numbers listed behind (`PRs 1, 2 and 3`); of the repository that is named
  before or behind (`vllm PR 5`, `issue 5 in vllm`). A number that counts (`issues 3 times`, `PR 2 of 5`) is none.
- **`#N`** with nothing between, also in code: of the default repository. None of these: a number of six digits or
  more, with a leading zero, followed by letters, decimals or a percent sign; a numbered thing (`run #8`, `step #3`);
  a rank (`#1 priority`, `ranked #5`) and the ranks after it; `#1` without a word that is said of pull requests; a
  colour; a line of a stack trace or build log; the item of a tracker that the sentence calls another's.
- A bare number that an address or `owner/repo#N` of the same text spells out means what is spelled out.

Digits of every script count, a full-width `＃` is a `#`, and characters without width are ignored.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from bot.model import reference_context as context
from bot.model import reference_words as words
from bot.model.reference_addresses import Hit, without_addresses


@dataclass(frozen=True, slots=True)
class Reference:
    """A pull request or issue; `repository` is "owner/repo", spelled as configured."""

    repository: str
    number: int

    @property
    def canonical(self) -> str:
        """`owner/repo#number`."""
        return f"{self.repository}#{self.number}"


def extract_references(
    content: str, *, default_repository: str | None, repositories: Sequence[str] = ()
) -> list[Reference]:
    """The references in `content`, first appearance first, each once.

    `default_repository` ("owner/repo") is meant by a bare number; `repositories` are further tracked ones, whose bare
    name may be used. A reference to a repository that is neither is left out. Pure, linear in the length of `content`.
    """
    text = content if content.isascii() or not _ODD.search(content) else _UNSEEN.sub("", content.translate(_WIDE))
    lower = text.lower()
    if not ("#" in text or "github." in lower or _is_worded(lower)) or not _DIGIT.search(text):
        return []
    tracked = _tracked(default_repository, tuple(repositories))
    if not tracked:
        return []
    text, hits = without_addresses(text)
    in_addresses = len(hits)
    if in_addresses:
        lower = text.lower()
    if numbers := _numbers(text, lower, tracked, (default_repository or "").lower()):
        hits += numbers
        if in_addresses:
            hits.sort(key=_place_of)
    if len(hits) == 1:
        repository = tracked.get(hits[0][1])
        return [Reference(repository, hits[0][2])] if repository else []
    return [Reference(repository, number) for repository, number in _meant(hits, tracked)]


def _meant(hits: Sequence[Hit], tracked: dict[str, str]) -> dict[tuple[str, int], None]:
    """Each tracked repository and number once; a bare number that is spelled out elsewhere means what is spelled."""
    spelled = {number: named for _, named, number, explicit in hits if explicit}
    found: dict[tuple[str, int], None] = {}
    for _, named, number, explicit in hits:
        if repository := tracked.get(named if explicit else spelled.get(number, named)):
            found[repository, number] = None
    return found


_place_of = attrgetter("at")
_LED = r"(?:s|['’]s|\(s\)?)?(?:\W{0,6}|\W{1,3}(?:no|nr|n|num|numbers?|ids?|số|n[uú]mero|num[eé]ro|nummer)\W{0,4})\d"
_PR_LED = re.compile(rf"pr(?:-nr\.?|-nummer)?{_LED}")
_MR_LED = re.compile(rf"mr{_LED}")
_GH_LED = re.compile(r"gh(?:\W{0,3}\d|\s+(?:pr|issue)\s)")
_FOREIGN = tuple(word for word in words.TRADE if not word.isascii())


def _is_worded(lower: str) -> bool:
    """Whether a number may be led by a word of the trade; in most texts none is, and only hashes matter."""
    return (
        "issue" in lower
        or "pull" in lower
        or "request" in lower
        or ("pr" in lower and _PR_LED.search(lower) is not None)
        or ("gh" in lower and _GH_LED.search(lower) is not None)
        or ("github" in lower)
        or ("mr" in lower and _MR_LED.search(lower) is not None)
        or (not lower.isascii() and any(word in lower for word in _FOREIGN))
    )


@lru_cache(maxsize=256)
def _tracked(default: str | None, others: tuple[str, ...]) -> dict[str, str]:
    """Lower-case full and bare names to the configured spelling; the default wins a bare name, then the first."""
    names = [name for name in (default, *others) if name and name.count("/") == 1]
    bare = {name.lower().partition("/")[2]: name for name in reversed(names)}
    return bare | {name.lower(): name for name in reversed(names)}


# --- the text as it is seen -------------------------------------------------------------------------------------------

_DIGIT = re.compile(r"\d")
_ODD = re.compile("[\u00a0\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\u3000\ufe5f\ufeff\uff01-\uff5e]")
_UNSEEN = re.compile("[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]+")
_WIDE = str.maketrans(
    {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)} | {"\ufe5f": "#", "\u3000": " ", "\xa0": " "}
)

# --- numbers ----------------------------------------------------------------------------------------------------------

_CHAIN = re.compile(r"#\d+(?:\s?(?:[/&+–—-]|and|or|und|oder|et|ou|y|o|och|и|или|と|和)\s?\d+)*")
_ZEROS = "0٠०０"
_NUMBER = re.compile(r"\d+")
_TRADE_ENDS = tuple(words.TRADE | words.NUMBER_SIGNS)
_UNNAMED = ("/", "-", ".", "_")
_HYPHENS = ("-", "‐", "‑")
_OPENINGS = frozenset(" (`\n")
_NOT_WHOLE = context.NOT_WHOLE.match
_NOT_BEFORE_HASH = re.compile(r"[#$%\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u052f]")


class _Taken(NamedTuple):
    """What a number was taken for: of which repository ("" if it is no reference), and by which word, None if bare."""

    repository: str
    lead: str | None = None
    explicit: bool = False


class _Listed(NamedTuple):
    """The number before, of which this one is the next in a list: what it was taken for, its end, its digits."""

    repository: str
    lead: str | None
    explicit: bool
    end: int
    digits: int


def _numbers(text: str, lower: str, tracked: dict[str, str], default: str) -> list[Hit]:
    worded = _is_worded(lower)
    if not worded and "#" not in text:
        return []
    hits: list[Hit] = []
    last: _Taken | None = None
    last_end = last_digits = rank = first_of_list = 0
    bare = _Taken(default)
    for start, end in _spans(text) if worded else _spans_behind_hashes(text):
        hashed = text[start - 1 : start] == "#"
        if (
            hashed
            and 3 < end - start < 6
            and (last is None or last.lead is None)
            and context.is_plain(text, start, end, tracked)
        ):
            last, last_end, last_digits, first_of_list = bare, end, end - start, len(hits)
            if default:
                hits.append(Hit(start, default, int(text[start:end])))
            continue
        if hashed and (named := context.plainly_named(text, start, end, tracked)):
            last, last_end, last_digits, first_of_list = _Taken(named, None, True), end, end - start, len(hits)
            hits.append(Hit(start, named, int(text[start:end]), True))
            continue
        before, last = last, None
        if end - start > 9 or text[start] in _ZEROS or _NOT_WHOLE(text, end):
            continue
        listed = None
        if before is not None and context.joins(text[last_end : min(start, last_end + 30)]):
            listed = _Listed(*before, last_end, last_digits)
        last = (_hashed if hashed else _naked)(text, start, end, tracked, default, listed)
        if last is None:
            continue
        repository, lead, explicit = last
        last_end, last_digits = end, end - start
        if listed is None:
            first_of_list = len(hits)
        elif lead and repository != listed.repository:
            hits[first_of_list:] = [hit._replace(repository=repository) for hit in hits[first_of_list:]]
        if hashed and end - start < 3:
            number = int(text[start:end])
            if lead is None and not explicit and repository and number == rank + 1 > 1:
                repository, last = "", _Taken("", "")
            if not repository:
                rank = number
        if repository:
            hits.append(Hit(start, repository, int(text[start:end]), explicit))
    return _without_those_elsewhere(text, hits) if hits and context.may_be_elsewhere(lower) else hits


def _spans(text: str, start: int = 0, end: int = sys.maxsize) -> list[tuple[int, int]]:
    """Where numbers stand."""
    return [found.span() for found in _NUMBER.finditer(text, start, end)]


def _spans_behind_hashes(text: str) -> list[tuple[int, int]]:
    """Where numbers with a hash stand, and those without that are listed right behind one."""
    spans: list[tuple[int, int]] = []
    for chain in _CHAIN.finditer(text):
        start, end = chain.span()
        if text[start + 1 : end].isdecimal():
            spans.append((start + 1, end))
        else:
            spans += _spans(text, start, end)
    return spans


def _hashed(
    text: str, start: int, end: int, tracked: dict[str, str], default: str, listed: _Listed | None
) -> _Taken | None:
    """What `#N` is, N standing at `[start, end)`; None if it is no number of anything."""
    at = start - 1
    if text[end : end + 1] in _HYPHENS and context.is_suffixed(text, end):
        return None
    if not listed and text[at - 1 : at] not in _OPENINGS and at and _NOT_BEFORE_HASH.match(text, at - 1):
        return None
    if listed and listed.lead is not None and end - start < 6:
        return _Taken(_placed(text, end, tracked, listed.repository, worded=True), listed.lead)
    window = text[max(0, at - 142) : at]
    name = "" if listed else window[len(window.rstrip(context.NAME)) :]
    bare_name = name.strip("_-./").lower()
    if bare_name and not name.endswith(_UNNAMED[1:]):
        if bare_name in tracked and not name.endswith("/"):
            return _Taken(tracked[bare_name].lower(), explicit=True)
        if bare_name not in words.ATTACHED or name.endswith("/"):
            return None
    near = [] if listed or not (bare_name or context.touches(window)) else context.words_led(text, at, tracked)
    verdict = _named_before(near, tracked, default) if near else None
    if verdict is not None and verdict.explicit:
        return verdict._replace(lead=verdict.lead or (":" if ":" in text[max(0, at - 3) : at] else None))
    if end - start > 5 or context.is_part(text, start, end):
        return None
    if verdict is not None:
        return verdict._replace(repository=_placed(text, end, tracked, verdict.repository, worded=True))
    said = _said_otherwise(text, start, end, near, listed=listed is not None)
    return _Taken(_placed(text, end, tracked, default, worded=False)) if said is _BARE else said


_NOTHING = _Taken("", "")
_BARE = _Taken("")


def _said_otherwise(text: str, start: int, end: int, near: list[str], *, listed: bool) -> _Taken | None:
    """What `#N` is if it is no reference: nothing of ours, or no number at all (None); `_BARE` if it may be one."""
    at, number = start - 1, int(text[start:end])
    small = number < 100
    if near:
        directly = text[at - 1 : at] not in ("(", "[")
        if context.is_other_ticket(near) or (directly and context.is_numbered_thing(number, near)):
            return _NOTHING
    if end - start < 5:
        boxed = text[at - 2 : at] == "-["
        if context.is_hashtag(number, text, at, end) or context.is_colour(text, end - start, near, boxed=boxed):
            return _NOTHING
        if context.is_thousands(text, start, end) or (small and context.is_trace(text, at, start)):
            return None
        alone = listed or (text[at - 1 : at] == "(" and text[end : end + 1] == ")")
        if not alone and context.counts_people(text, end):
            return _NOTHING
        if (
            small
            and not alone
            and context.is_rank(number, context.words_before(text, at), context.words_after(text, end))
        ):
            return _NOTHING
    return _BARE


def _naked(
    text: str, start: int, end: int, tracked: dict[str, str], default: str, listed: _Listed | None
) -> _Taken | None:
    """What a number without a hash is: listed after another, in a path, or led by a word; None if just a number."""
    if end - start > 5:
        return None
    if listed is not None:
        return _naked_in_list(text, start, end, tracked, listed)
    window = text[max(0, start - 60) : start]
    if window.endswith("/"):
        return _in_path(window, tracked, default)
    stripped = window.rstrip(context.BETWEEN)
    if not stripped.lower().endswith(_TRADE_ENDS):
        if "gh " in window and context.is_command(window):
            return _Taken(context.repository_option(text, start, end, tracked, default), "gh")
        if "\n" not in window or not context.is_bulleted(window):
            return None
        return _Taken(default, "prs")
    near = context.words_before(text, start - len(window) + len(stripped))
    verdict = _named_before(near, tracked, default)
    if verdict is None or not verdict.lead:
        return None
    if verdict.lead not in words.PLURAL and context.is_thousands(text, start, end):
        return None
    if context.counts(text, start, end, verdict.lead) or context.is_tally(
        text, window[len(stripped) :], start, end, verdict.lead
    ):
        return None
    return verdict._replace(repository=_placed(text, end, tracked, verdict.repository, worded=True))


def _naked_in_list(text: str, start: int, end: int, tracked: dict[str, str], listed: _Listed) -> _Taken | None:
    gap = text[listed.end : start]
    if listed.lead is None:
        tight = context.joins_tightly(gap) and end - start == listed.digits >= 3
    else:
        plural = listed.lead in words.PLURAL
        tight = abs(end - start - listed.digits) <= 1 and (end - start > 1 or listed.digits == 1)
        tight = tight and (plural or bool(gap.strip()))
    if not tight or context.counts(text, start, end, listed.lead or ""):
        return None
    return _Taken(_placed(text, end, tracked, listed.repository, worded=True), listed.lead, listed.explicit)


def _in_path(window: str, tracked: dict[str, str], default: str) -> _Taken | None:
    """`pull/12`, `owner/repo/issues/12`, `refs/pull/12/head`."""
    name = window[len(window.rstrip(context.NAME)) : -1].lower()
    *base, kind = name.split("/")
    if kind not in ("pull", "pulls", "issue", "issues", "pr", "prs"):
        return None
    base = [part for part in base if part not in ("", ".", "..", "repos", "refs", "remotes", "origin")]
    if not base:
        return _Taken(default, "pr")
    repository = tracked.get("/".join(base))
    return _Taken(repository.lower(), explicit=True) if repository else None


def _named_before(near: list[str], tracked: dict[str, str], default: str) -> _Taken | None:
    """What the words right before a number say: a repository, a word of the trade, another tracker; None if nothing."""
    index = len(near) - 1
    while index >= 0 and near[index] in words.NUMBER_SIGNS:
        index -= 1
    lead = context.trade_word(near[index]) if index >= 0 else None
    if lead is None and index == len(near) - 1 and len(near) == 1 and near[0] not in context.SPECIAL:
        return _Taken(tracked[near[0]].lower(), None, explicit=True) if near[0] in tracked else _named_pair(near[0])
    if lead in ("request", "requests") and (index == 0 or near[index - 1] not in words.REQUESTED):
        return None
    while index >= 0 and context.trade_word(near[index]):
        index -= 1
    who = near[index] if index >= 0 else ""
    if lead is None and index != len(near) - 1:
        return None
    if who in tracked:
        return _Taken(tracked[who].lower(), lead, explicit=True)
    if context.is_elsewhere(who) or context.is_repository(who) or (lead and who in words.PERIODICALS):
        return _Taken("", lead or "")
    return _Taken(default, lead) if lead else None


def _named_pair(word: str) -> _Taken | None:
    """`owner/repo` of others right before a number."""
    return _NOTHING if context.is_repository(word) else None


def _placed(text: str, end: int, tracked: dict[str, str], repository: str, *, worded: bool) -> str:
    """The repository of a number, or of a list's last, that is named behind it: `PR 5 in vllm`."""
    place = context.place_behind(text, end)
    if place in tracked:
        return tracked[place].lower()
    if context.is_repository(place) or (worded and context.is_elsewhere(place)):
        return ""
    return repository


def _without_those_elsewhere(text: str, hits: list[Hit]) -> list[Hit]:
    """Leave out the numbers of sentences that speak of somebody else's tracker."""
    spans = context.spans_elsewhere(text)
    return [hit for hit in hits if hit.explicit or not any(start <= hit.at < end for start, end in spans)]
