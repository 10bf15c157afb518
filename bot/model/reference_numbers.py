"""The numbers of a text, read one after the other: which of them are pull requests and issues, and whose."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from bot.model import reference_context as context
from bot.model import reference_exclusions as exclusions
from bot.model import reference_words as words
from bot.model.reference_addresses import Hit

_CHAIN = re.compile(rf"#\d+(?:\s?(?:[/&+–—-]|{words.AND}|と|和)\s?\d+)*")
_NUMBER = re.compile(r"\d+")
_UNNAMED = ("-", ".", "_")
_HYPHENS = ("-", "‐", "‑")
_OPENINGS = frozenset(" (`\n")
_NOT_WHOLE = exclusions.NOT_WHOLE.match
_NOT_BEFORE_HASH = re.compile(r"[#$£€¥₹%\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u052f]")


def find_numbers(text: str, tracked: Mapping[str, str], default: str, *, worded: bool) -> list[Hit]:
    """What the numbers refer to in a text whose addresses are blanked.

    `tracked` gives the repositories by their names in lower case, `default` is the one of a bare number, "" for none.
    Where the text is not `worded`, only numbers with a hash are looked at.
    """
    reading = _Reading(text, tracked, default)
    for start, end in _spans(text) if worded else _spans_behind_hashes(text):
        reading.number(start, end)
    return _moved(text, reading.hits, tracked) if reading.hits else []


def _spans(text: str, start: int = 0, end: int = sys.maxsize) -> Iterable[tuple[int, int]]:
    """Where numbers stand."""
    return [found.span() for found in _NUMBER.finditer(text, start, end)]


def _spans_behind_hashes(text: str) -> Iterable[tuple[int, int]]:
    """Where numbers with a hash stand, and those without that are listed right behind one."""
    spans: list[tuple[int, int]] = []
    for chain in _CHAIN.finditer(text):
        start, end = chain.span()
        if text[start + 1 : end].isdecimal():
            spans.append((start + 1, end))
        else:
            spans += _spans(text, start, end)
    return spans


def _moved(text: str, hits: list[Hit], tracked: Mapping[str, str]) -> list[Hit]:
    """The hits with bare numbers moved to the repository that their lines are about, or out if it is not tracked."""
    stretches = context.named_stretches(text, tracked) if "] " in text or ":" in text else []
    if exclusions.may_be_elsewhere(text.lower()):
        stretches += [(start, end, "") for start, end in exclusions.spans_elsewhere(text)]
    if not stretches:
        return hits
    named = [
        hit.repository
        if hit.explicit
        else next((name for start, end, name in stretches if start <= hit.at < end), hit.repository)
        for hit in hits
    ]
    return [hit._replace(repository=name) for hit, name in zip(hits, named, strict=True) if name]


class _Taken(NamedTuple):
    """What a number was taken for: of which repository ("" if it is no reference), and by which word, None if bare."""

    repository: str
    lead: str | None = None
    explicit: bool = False


_NOTHING = _Taken("", "")


class _Reading:
    """Takes numbers in their order, since one may be the next of the list that the one before began."""

    __slots__ = (
        "_bare",
        "_default",
        "_digits",
        "_end",
        "_first_of_list",
        "_last",
        "_rank",
        "_text",
        "_tracked",
        "hits",
    )

    def __init__(self, text: str, tracked: Mapping[str, str], default: str) -> None:
        self.hits: list[Hit] = []
        self._text = text
        self._tracked = tracked
        self._default = default
        self._bare = _Taken(default)
        self._last: _Taken | None = None  # what the number before was taken for, where it ended, its digits
        self._end = self._digits = 0
        self._first_of_list = 0  # of the hits
        self._rank = 0  # the number before, if it was a rank

    def number(self, start: int, end: int) -> None:
        """Take the number that stands at `[start, end)`."""
        text, digits = self._text, end - start
        hashed = text[start - 1 : start] == "#"
        taken, listed = self._at_a_glance(start, end) if hashed else None, None
        if taken is None and not (digits > 9 or text[start] in context.ZEROS or _NOT_WHOLE(text, end)):
            if self._last is not None and context.joins(
                text[self._end : min(start, self._end + context.JOINED_OVER + 1)]
            ):
                listed = self._last
            taken = (self._hashed if hashed else self._naked)(start, end, listed)
        if taken is not None:
            if listed is None:
                self._first_of_list = len(self.hits)
            elif taken.lead and taken.repository != listed.repository:
                self._move_list(taken.repository)
            if hashed and digits < 3:
                taken = self._unless_ranked(taken, int(text[start:end]))
            if taken.repository:
                self.hits.append(Hit(start, taken.repository, int(text[start:end]), taken.explicit))
        self._last, self._end, self._digits = taken, end, digits

    def _move_list(self, repository: str) -> None:
        """The list is of the repository that is named behind its last number."""
        first = self._first_of_list
        self.hits[first:] = [hit._replace(repository=repository) for hit in self.hits[first:]]

    def _unless_ranked(self, taken: _Taken, number: int) -> _Taken:
        """What a small number is taken for: behind the rank before it, it is a rank too."""
        if taken.lead is None and not taken.explicit and taken.repository and number == self._rank + 1 > 1:
            taken = _NOTHING
        if not taken.repository:
            self._rank = number
        return taken

    # --- with a hash --------------------------------------------------------------------------------------------------

    def _at_a_glance(self, start: int, end: int) -> _Taken | None:
        """What `#N` is as it mostly stands, with nothing around it that says anything; None: look closer."""
        text, tracked = self._text, self._tracked
        last = self._last
        if 3 < end - start < 6 and (last is None or last.lead is None):
            follows = last is self._bare and context.joins(
                text[self._end : min(start, self._end + context.JOINED_OVER + 1)]
            )
            if context.is_plain(text, start, end, tracked, follows=follows):
                return self._bare
        named = context.plainly_named(text, start, end, tracked)
        return _Taken(named, explicit=True) if named else None

    def _hashed(self, start: int, end: int, listed: _Taken | None) -> _Taken | None:
        """What `#N` is; None if it is no number of anything."""
        text, at, digits = self._text, start - 1, end - start
        if text[end : end + 1] in _HYPHENS and exclusions.is_suffixed(text, end):
            return None
        if not listed and text[at - 1 : at] not in _OPENINGS and at and _NOT_BEFORE_HASH.match(text, at - 1):
            return None
        if listed and listed.explicit and context.joins_of_one_repository(text[self._end : start]):
            return listed
        if listed and listed.lead is not None and digits < 6:
            return _Taken(self._placed(end, listed.repository, worded=True), listed.lead)
        window = text[max(0, at - 142) : at]
        name = "" if listed else window[len(window.rstrip(context.NAME)) :]
        bare_name = name.strip("_-./").lower()
        if bare_name and not name.endswith(_UNNAMED):
            if bare_name in self._tracked and not name.endswith("/"):
                return _Taken(self._tracked[bare_name].lower(), explicit=True)
            if bare_name not in (words.TRADE if name.endswith("/") else words.ATTACHED):
                return None
        near = []
        if not listed and (bare_name or context.touches(window)):
            near = context.words_led(text, at, self._tracked)
        verdict = self._named_before(near) if near else None
        if verdict is not None and verdict.explicit:
            return verdict._replace(lead=verdict.lead or (":" if ":" in text[max(0, at - 3) : at] else None))
        if digits > 5 or exclusions.is_part(text, start, end):
            return None
        if verdict is not None:
            return verdict._replace(repository=self._placed(end, verdict.repository, worded=True))
        if self._is_other(start, end, near, listed=listed is not None):
            return _NOTHING
        return _Taken(self._placed(end, self._default, worded=False))

    def _is_other(self, start: int, end: int, near: list[str], *, listed: bool) -> bool:
        """Whether `#N` of at most five digits is a number of something else."""
        text, at, number, digits = self._text, start - 1, int(self._text[start:end]), end - start
        if near:
            directly = text[at - 1 : at] not in ("(", "[")
            if exclusions.is_other_ticket(near) or (directly and exclusions.is_numbered_thing(number, near)):
                return True
        if digits == 5:
            return False
        if exclusions.is_hashtag(number, text, at, end) or exclusions.is_colour(text, start, end, near):
            return True
        if exclusions.is_thousands(text, start, end) or (number < 100 and exclusions.is_trace(text, at, start)):
            return True
        if listed or (text[at - 1 : at] == "(" and text[end : end + 1] == ")"):
            return False
        return exclusions.counts_people(text, end) or (
            number < 100 and exclusions.is_rank(number, context.words_before(text, at), context.words_after(text, end))
        )

    # --- without a hash -----------------------------------------------------------------------------------------------

    def _naked(self, start: int, end: int, listed: _Taken | None) -> _Taken | None:
        """What a number without a hash is: listed after another, in a path, or led by a word; None if just a number."""
        if end - start > 5:
            return None
        if listed is not None:
            return self._naked_in_list(start, end, listed)
        text = self._text
        window = text[max(0, start - 60) : start]
        if window.endswith("/"):
            return self._in_path(window)
        led = window.rstrip(context.BETWEEN)
        if not context.ends_in_trade(led.lower()):
            return self._led_from_afar(start, end, window)
        verdict = self._named_before(context.words_before(text, start - len(window) + len(led)))
        if verdict is None or not verdict.lead:
            return None
        between = window[len(led) :]
        if exclusions.is_figure(text, between, start, end, verdict.lead) or exclusions.is_host(text, end):
            return None
        return verdict._replace(repository=self._placed(end, verdict.repository, worded=True))

    def _naked_in_list(self, start: int, end: int, listed: _Taken) -> _Taken | None:
        text, digits = self._text, end - start
        gap = text[self._end : start]
        if listed.lead is None:
            tight = context.joins_tightly(gap) and digits == self._digits >= 3
        else:
            tight = abs(digits - self._digits) <= 1 and (digits > 1 or self._digits == 1)
            tight = tight and (listed.lead in words.PLURAL or bool(gap.strip()))
        if not tight or exclusions.counts(text, start, end, listed.lead or ""):
            return None
        return _Taken(self._placed(end, listed.repository, worded=True), listed.lead, listed.explicit)

    def _in_path(self, window: str) -> _Taken | None:
        """`pull/12`, `owner/repo/issues/12`, `refs/pull/12/head`."""
        name = window[len(window.rstrip(context.NAME)) : -1].lower().lstrip("_")
        *base, kind = name.split("/")
        if kind not in ("pull", "pulls", "issue", "issues", "pr", "prs"):
            return None
        base = [part for part in base if part not in ("", ".", "..", "repos", "refs", "remotes", "origin")]
        if not base:
            return _Taken(self._default, "pr")
        repository = self._tracked.get("/".join(base))
        return _Taken(repository.lower(), explicit=True) if repository else None

    def _led_from_afar(self, start: int, end: int, window: str) -> _Taken | None:
        """`gh pr view 12`, and a number in the line below "PRs:"."""
        if "gh " in window and context.is_command(window):
            repository = context.repository_option(self._text, start, end)
            return _Taken(self._tracked.get(repository, "").lower() if repository else self._default, "gh")
        below = "\n" in window and context.is_below(self._text, window, end)
        return _Taken(self._default, "prs") if below else None

    # --- with either --------------------------------------------------------------------------------------------------

    def _named_before(self, near: list[str]) -> _Taken | None:
        """What the words right before a number say: a repository, a word of the trade, another tracker; or nothing."""
        tracked = self._tracked
        index = len(near) - 1
        while index >= 0 and near[index] in words.NUMBER_SIGNS:
            index -= 1
        lead = context.trade_word(near[index]) if index >= 0 else None
        if lead in ("request", "requests") and (index == 0 or near[index - 1] not in words.REQUESTED):
            return None
        if lead is None and index != len(near) - 1:
            return None
        while index >= 0 and context.trade_word(near[index]):
            index -= 1
        who = near[index] if index >= 0 else ""
        if who in tracked:
            of_a_fork = index == 0 or near[index - 1] != "upstream"
            return _Taken(tracked[who].lower() if of_a_fork else "", lead, explicit=True)
        if context.is_elsewhere(who) or context.is_repository(who) or (lead and who in words.PERIODICALS):
            return _Taken("", lead or "")
        return _Taken(self._default, lead) if lead else None

    def _placed(self, end: int, repository: str, *, worded: bool) -> str:
        """The repository of a number, or of a list's last, that is named behind it: `PR 5 in vllm`."""
        place = context.place_behind(self._text, end)
        if place in self._tracked:
            return self._tracked[place].lower()
        elsewhere = context.is_repository(place) or place in words.TICKET_SYSTEMS
        if elsewhere or (worded and (context.is_elsewhere(place) or place in words.PERIODICALS)):
            return ""
        return repository
