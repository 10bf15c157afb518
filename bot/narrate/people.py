"""Who is named for what, by the guild's way of crediting."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot.model.edition import Edition, Item
from bot.model.github import Account
from bot.model.settings import GuildSettings
from bot.model.text import safe_name


def shown(name: str, fallback: str = "someone") -> str:
    """A name as it stands in a sentence: on one line, and no part of it is a link, code or a spoiler."""
    told = safe_name(name, fallback)
    return told.replace("||", "|").replace("`", "'").replace("](", "] (")


@dataclass(frozen=True, slots=True)
class People:
    """Names people by login or display name; an agent's account by the person it works for.

    `teamwork` holds the logins (lower case) of agents that work for the team as a whole.
    """

    credit: str
    names: dict[str, str]
    agents: dict[str, str]
    logins: frozenset[str]

    @classmethod
    def of(cls, edition: Edition, settings: GuildSettings) -> People:
        names: dict[str, str] = {}
        logins: set[str] = set()
        for login, name in _known(edition):
            logins.add(login)
            if name:
                names.setdefault(login.lower(), name)
        agents = {agent.lower(): login for agent, login in settings.github.agents.items()}
        return cls(settings.edition.credit, names, agents, frozenset(logins))

    @property
    def small_names(self) -> tuple[str, ...]:
        """Names that begin with a small letter, which no beginning of a sentence may change."""
        names = {shown(name) for name in (*self.names.values(), *self.logins)}
        return tuple(sorted(name for name in names if name[:1].islower()))

    def named(self, login: str, name: str | None = None) -> str:
        """How the person is called in a sentence, on one line."""
        if self.credit == "login":
            return shown(login)
        return shown(name or self.names.get(login.lower()) or login)

    def author(self, item: Item) -> str | None:
        """Whom an item is credited to; None where the account is gone."""
        if item.credited:
            return self.named(item.credited.login, item.credited.name)
        if item.author is None:
            return None
        return self.named(item.author.login, item.author.name)

    def is_team_agent(self, item: Item) -> bool:
        """Whether an account that works for the team as a whole made the item."""
        return item.author is not None and item.credited is None and self.agents.get(item.author.login.lower()) == ""

    def speaker(self, account: Account | None) -> str | None:
        """Who wrote a comment; None where the account is gone."""
        if account is None:
            return None
        login = self.login_of(account)
        return self.named(login, account.name if login == account.login else None)

    def login_of(self, account: Account) -> str:
        """The login of the person who acted: an agent's account acts for somebody."""
        return self.agents.get(account.login.lower()) or account.login


def _known(edition: Edition) -> Iterable[tuple[str, str | None]]:
    for section in edition.sections:
        for item in section.items:
            if item.author:
                yield item.author.login, item.author.name
            if item.credited:
                yield item.credited.login, item.credited.name
            yield from ((person.login, person.name) for person in item.people)
            yield from ((c.author.login, c.author.name) for c in item.comments if c.author)
        if section.epic:
            yield from ((c.author.login, c.author.name) for c in section.epic.comments if c.author)
    yield from ((c.login, c.name) for c in edition.community.external_contributors)
