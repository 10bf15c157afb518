"""Sentences before they are held against their facts, and the links in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from bot.model.edition import Fact

_BARE = re.compile(r"(?<![\w\[/#&-])((?:[A-Za-z0-9][\w-]*/[\w.-]+)?#\d{1,9})(?!\w)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A sentence on trial. `simpler` ones are told in its place where the facts do not bear it.

    `given` says something of the edition itself (what could not be read, what is left out), which no fact tells.
    """

    text: str
    references: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    source: str = "extractive"
    paragraph: int = 0
    simpler: tuple[Draft, ...] = ()
    given: bool = False

    def in_paragraph(self, number: int) -> Draft:
        return replace(self, paragraph=number, simpler=tuple(one.in_paragraph(number) for one in self.simpler))

    @property
    def words(self) -> int:
        return len(self.text.split())


@dataclass(frozen=True, slots=True)
class Links:
    """Turns references into Markdown links: `#N` for the default repository, `name#N` for another."""

    facts: Mapping[str, Fact]
    default: str | None
    urls: Mapping[str, str]
    _canonical: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, facts: Mapping[str, Fact], default: str | None, urls: Mapping[str, str]) -> Links:
        return cls(facts, default, urls, {key.lower(): key for key in [*facts, *urls]})

    def label(self, reference: str) -> str:
        repository, _, number = reference.partition("#")
        if self.default is None or repository.lower() == self.default.lower():
            return f"#{number}"
        return f"{repository.rpartition('/')[2]}#{number}"

    def link(self, reference: str) -> str:
        """`[#12](https://...)`, or the bare label where no address is known."""
        canonical = self._canonical.get(reference.lower(), reference)
        fact = self.facts.get(canonical)
        url = self.urls.get(canonical) or (fact.url if fact else None)
        return f"[{self.label(canonical)}]({url})" if url else self.label(canonical)

    def linked(self, text: str, repository: str) -> str:
        """The text with its bare references to known items as links; others stay as written."""

        def found(match: re.Match[str]) -> str:
            written = match[1] if "/" in match[1] else repository + match[1]
            canonical = self._canonical.get(written.lower())
            return self.link(canonical) if canonical else match[0]

        return _BARE.sub(found, text)


def merged_facts(*groups: Iterable[str]) -> tuple[str, ...]:
    """Every key once, in order."""
    return tuple(dict.fromkeys(key for group in groups for key in group))


def balanced(url: str) -> str:
    """An address that can stand in a link's brackets: its own brackets come in pairs or are written otherwise."""
    url = url.replace(" ", "%20")
    if url.count("(") == url.count(")") and not re.search(r"\)[^(]*\(|\([^)]*\(", url):
        return url
    return url.replace("(", "%28").replace(")", "%29")
