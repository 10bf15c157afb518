"""Which pull requests and issues a text speaks of.

A number is told to be a reference by what stands around it:

- **Addresses.** `github.com/owner/repo/pull/N` or `/issues/N`, with or without scheme or `www.`, whatever follows
  (`/files`, `?w=1`, `#discussion_r1`, `.diff`), and the same in GitHub's API are references. No other address holds
  one: look-alike hosts, other trackers, commits, discussions, runs, fragments, links to Discord.
- **Mentions** of channels, members, roles, emoji, times and commands hold none, nor do e-mail addresses and hosts.
- **`owner/repo#N`**, `repo#N`, and both with a space before the `#`: of that repository if it is tracked. Another word
  right before `#N` names something else (a Discord tag, a project), unless it is one of the trade (`PR#1`, `fixes#1`).
  In `repo#1/#2` and `repo#1-#2` both are of that repository; what is said to be `upstream` of one is not tracked.
  Bare numbers are of the repository whose list or notification they stand in (`owner/repo:` with points below it,
  `[owner/repo] Title (#1)`).
- **Words**: `PR 1`, `pull request 1`, `issue 1`, `GH-1`, `pull/1`, `gh pr view 1`, in singular and plural, with `no.`,
  punctuation or markdown between, and the numbers listed behind (`PRs 1, 2 and 3`); of the repository that is named
  before or behind (`vllm PR 5`, `issue 5 in vllm`). A number that counts (`issues 3 times`, `PR 2 of 5`) is none.
- **`#N`** with nothing between, also in code: of the default repository. None of these: a number of six digits or
  more, with a leading zero, behind a sign of money, followed by letters, decimals or a percent sign; a numbered thing
  (`run #8`, `step no. #3`); a rank (`#1 priority`, `ranked #5`) and the ranks after it; `#1` without a word that is
  said of pull requests; a colour; a line of a stack trace or build log; the item of a tracker that the sentence calls
  another's.
- A bare number that an address or `owner/repo#N` of the same text spells out means what is spelled out.

Digits of every script count, a full-width `＃` is a `#`, and characters without width are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter

from bot.model.reference_addresses import Hit, without_addresses
from bot.model.reference_context import is_worded
from bot.model.reference_numbers import find_numbers


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
    worded = is_worded(lower)
    if not (worded or "#" in text or "github." in lower) or not _DIGIT.search(text):
        return []
    tracked = _tracked(default_repository, tuple(repositories))
    if not tracked:
        return []
    text, hits = without_addresses(text)
    if hits:
        worded = worded and is_worded(text.lower())
    if worded or "#" in text:
        numbers = find_numbers(text, tracked, (default_repository or "").lower(), worded=worded)
        hits = sorted(hits + numbers, key=attrgetter("at")) if hits and numbers else hits or numbers
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


@lru_cache(maxsize=256)
def _tracked(default: str | None, others: tuple[str, ...]) -> dict[str, str]:
    """Lower-case full and bare names to the configured spelling; the default wins a bare name, then the first."""
    names = [name for name in (default, *others) if name and name.count("/") == 1]
    bare = {name.lower().partition("/")[2]: name for name in reversed(names)}
    return bare | {name.lower(): name for name in reversed(names)}


_DIGIT = re.compile(r"\d")
_ODD = re.compile(
    "[\u00a0\u00ad\u180e\u2000-\u200f\u202a-\u202f\u205f\u2060-\u2069\u3000-\u3002\ufe5f\ufeff\uff01-\uff5e]"
)
_UNSEEN = re.compile("[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]+")
_WIDE = str.maketrans(
    {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
    | {"\ufe5f": "#"}
    | {
        mark: f"{spaced} " for mark, spaced in zip("，；：！？。、", ",;:!?。、", strict=True)
    }  # white space is within them
    | dict.fromkeys(map(chr, [0xA0, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000]), " ")
)
