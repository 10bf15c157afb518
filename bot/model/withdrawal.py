"""What has to go when somebody withdraws: how their traces are told in data and in other people's words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

SOMEBODY = "@member"
"""What stands in others' words where they mentioned somebody who does not want to appear."""

UNTITLED = "a thread"
"""What a thread or forum post is called whose title is somebody's who does not want to appear."""

_QUOTATION = re.compile(r"(?m)^[ \t]*(?:>>>\s[\s\S]*|>[ \t].*(?:\n|\Z))")
_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"\w+")
_SHORTEST_NAME = 3
_SHORTEST_RUN, _LONGEST_RUN = 6, 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawal:
    """Who and what may no longer be told: people by id and name, messages by id."""

    user_ids: frozenset[int] = frozenset()
    message_ids: frozenset[int] = frozenset()
    names: frozenset[str] = frozenset()
    phrases: frozenset[str] = frozenset()  # what they said, as `phrases_of` tells it, to know it where it is quoted
    _named: re.Pattern[str] | None = field(init=False, repr=False, compare=False)
    _ids: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        names = sorted(filter(_is_told, self.names), key=lambda name: (-len(name), name))
        pattern = rf"(?<!\w)@?(?:{'|'.join(map(re.escape, names))})(?!\w)" if names else None
        object.__setattr__(self, "_named", re.compile(pattern) if pattern else None)
        object.__setattr__(self, "_ids", frozenset(map(str, self.user_ids | self.message_ids)))

    def is_in(self, text: str) -> bool:
        """Whether the text names one of the people or messages."""
        if self._named is not None and self._named.search(text):
            return True
        if any(number in self._ids for number in _NUMBER.findall(text)):
            return True
        return bool(self.phrases) and not self.phrases.isdisjoint(_runs(text))

    def with_words(self, texts: Iterable[str]) -> Withdrawal:
        """The same, and these texts are theirs as well."""
        return replace(self, phrases=self.phrases | phrases_of(texts))

    def taken_out_of(self, text: str) -> str:
        """The text with "@member" in the place of names, mentions and ids."""
        text = without_mentions(text, self.user_ids)
        text = self._named.sub(SOMEBODY, text) if self._named else text
        return _NUMBER.sub(lambda found: SOMEBODY if found[0] in self._ids else found[0], text)


def phrases_of(texts: Iterable[str]) -> frozenset[str]:
    """Runs of words by which the texts are known when somebody repeats them; too few words are no phrase."""
    found: set[str] = set()
    for text in texts:
        words = _WORD.findall(text.casefold())
        if len(words) >= _LONGEST_RUN:
            found.update(_runs_of(words, _LONGEST_RUN))
        elif len(words) >= _SHORTEST_RUN:
            found.add(" ".join(words))
    return frozenset(found)


def _runs(text: str) -> Iterator[str]:
    words = _WORD.findall(text.casefold())
    for length in range(_SHORTEST_RUN, _LONGEST_RUN + 1):
        yield from _runs_of(words, length)


def _runs_of(words: list[str], length: int) -> Iterator[str]:
    return (" ".join(words[at : at + length]) for at in range(len(words) - length + 1))


def _is_told(name: str) -> bool:
    """A shorter name is part of too many words to be told from them."""
    return len(name) >= _SHORTEST_NAME


def without_mentions(text: str, user_ids: Iterable[int]) -> str:
    """The text with the mentions of these people turned into "@member"."""
    for user_id in user_ids:
        text = re.sub(rf"<@!?{user_id}>", SOMEBODY, text)
    return text


def without_quotations(text: str) -> str:
    """The text without the lines that quote somebody."""
    return _QUOTATION.sub("", text)


def without_quotations_of(text: str, said: Iterable[str]) -> str:
    """The text without the lines that quote one of the things `said`."""
    whole = [" ".join(each.split()) for each in said]

    def judged(quotation: re.Match[str]) -> str:
        quoted = " ".join(re.sub(r"(?m)^[ \t]*>+[ \t]", "", quotation[0]).split())
        return "" if quoted and any(quoted in each or each in quoted for each in whole if each) else quotation[0]

    return _QUOTATION.sub(judged, text)
