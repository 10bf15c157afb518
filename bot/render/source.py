"""What of an edition is told in words, where its items are, and how they are called."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from bot.model.edition import Edition, Highlight, Item, Sentence
from bot.model.messages import message_url
from bot.model.settings import GuildSettings
from bot.model.text import excerpt, safe_name
from bot.render.sentences import BARE_ADDRESS, trimmed

_LINKED = re.compile(r"https?://[^\s<>()\]]+")


class Source:
    """An edition, looked up in; what is the same in all its forms is found out once."""

    def __init__(self, edition: Edition, settings: GuildSettings) -> None:
        self.edition = edition
        self.settings = settings
        self.items = {item.reference: item for section in edition.sections for item in section.items}
        self._default = (settings.github.default or "").lower()
        self._by_url = {item.url.lower(): item.reference for item in self.items.values()}
        self._titles: dict[str, str] = {}
        self._names: dict[str, str] = {}
        in_sections = [sentence for section in edition.sections for sentence in section.narrative]
        self._in_sections = _addresses(in_sections)
        self._linked = self._in_sections | _addresses(edition.community.narrative)
        told = (*edition.community.narrative, *in_sections)
        self.facts = frozenset(fact for sentence in told for fact in sentence.facts)

    def is_told(self, item: Item) -> bool:
        """Whether a sentence of the sections links the item."""
        return item.url.lower() in self._in_sections

    def is_linked(self, url: str) -> bool:
        """Whether any sentence links the address."""
        return url.lower().rstrip(_PUNCTUATION) in self._linked

    def is_heard(self, highlight: Highlight) -> bool:
        """Whether a sentence links a message of the conversation."""
        channel = (self.edition.guild.id, highlight.channel_id)
        urls = [highlight.url, *(message_url(*channel, message_id) for message_id in highlight.message_ids)]
        return any(url.lower() in self._linked for url in urls)

    def title(self, item: Item) -> str:
        """The item's title in plain words."""
        if (title := self._titles.get(item.reference)) is None:
            title = self._titles[item.reference] = excerpt(item.title, 120)
        return title

    def name(self, item: Item) -> str | None:
        """Who is credited with the item: the person behind an agent's account, else the author."""
        person = item.credited or item.author
        if person is None:
            return None
        if (name := self._names.get(person.login)) is None:
            name = self._names[person.login] = safe_name(person.name or person.login)
        return name

    def excerpt(self, text: str, limit: int) -> str:
        """The beginning of what somebody wrote; addresses in it become numbers or hosts, too short to be cut."""
        return excerpt(BARE_ADDRESS.sub(lambda match: self._shown_address(*trimmed(match[0])), text), limit)

    def _shown_address(self, url: str, after: str) -> str:
        reference = self._by_url.get(url.lower())
        return (self.number(reference) if reference else urlsplit(url).netloc) + after

    def number(self, reference: str) -> str:
        """`#12` in the default repository, `name#12` with the same owner, the whole reference elsewhere."""
        repository, _, number = reference.partition("#")
        owner, _, name = repository.partition("/")
        if repository.lower() == self._default:
            return f"#{number}"
        return f"{name}#{number}" if owner.lower() == self._default.partition("/")[0] else reference

    def url(self, reference: str) -> str:
        """Where a reference leads: to the item, else to where its fact stands, else to GitHub."""
        if item := self.items.get(reference):
            return item.url
        fact = self.edition.facts.get(reference)
        return (fact.url if fact else None) or f"https://github.com/{reference.replace('#', '/issues/')}"

    def message_url(self, message_id: int | None) -> str | None:
        """Where a message that the edition rests on stands."""
        fact = self.edition.facts.get(f"message/{message_id}")
        return fact.url if fact else None


_PUNCTUATION = ".,;:!?"


def _addresses(sentences: Iterable[Sentence]) -> frozenset[str]:
    return frozenset(
        url.rstrip(_PUNCTUATION).lower() for sentence in sentences for url in _LINKED.findall(sentence.text)
    )
