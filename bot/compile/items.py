"""Pull requests and issues as an edition shows them: as they stood at the period's end, and who had a part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from bot.capture.chosen import find_channel
from bot.compile.channels import Audience
from bot.compile.text import readable
from bot.model.edition import Author, Item, Participant, Person
from bot.model.github import (
    Account,
    Comment,
    EventKind,
    GitHubItem,
    ItemKind,
    agent_of,
    events_between,
    is_external,
    is_team,
    is_touched,
    state_at,
)
from bot.model.schedule import Period
from bot.model.settings import GitHubSettings

_AGENT_ENDINGS = ("-agent", "-bot", "-ai")
_ROLES = ("merged", "closed", "reviewed", "commented")


def allowed(items: Iterable[GitHubItem], settings: GitHubSettings, audience: Audience) -> list[GitHubItem]:
    """The items that may be shown where the edition is posted: public ones, and private ones allowed there.

    A repository that the settings name as private is taken for private whatever GitHub says of it.
    """
    places = {place.channel_id for place in audience.posted_in}
    private = {repository.lower() for repository in settings.allowed_private}
    open_to = {
        repository.lower()
        for repository, names in settings.allowed_private.items()
        if places <= {channel.channel_id for name in names if (channel := find_channel(audience.channels, name))}
    }
    return [
        item
        for item in items
        if item.repository.lower() in open_to or not (item.private or item.repository.lower() in private)
    ]


def with_agents(settings: GitHubSettings, items: Iterable[GitHubItem]) -> GitHubSettings:
    """The settings with the agents that show themselves by their name: `x-agent` beside `x`, both of the team.

    What the settings say of an account stands. An outsider's account is never taken for somebody's agent.
    """
    team: dict[str, str] = {}
    for item in items:
        for account in (item.author, *(c.author for c in item.comments)):
            if account is not None and is_team(account, settings):
                team.setdefault(account.login.lower(), account.login)
    said = {login.lower() for login in settings.agents}
    found = {
        login: team[key.removesuffix(ending)]
        for key, login in team.items()
        for ending in _AGENT_ENDINGS
        if key.endswith(ending) and key.removesuffix(ending) in team and key not in said
    }
    return settings.model_copy(update={"agents": {**found, **settings.agents}}) if found else settings


def known_names(items: Iterable[GitHubItem]) -> dict[str, str]:
    """Display names by login (lower case), from everything that the items tell of people."""
    names: dict[str, str] = {}
    for item in items:
        accounts = [item.author, item.merged_by, item.closed_by, *(c.author for c in item.comments)]
        for account in accounts:
            if account is not None and account.name:
                names.setdefault(account.login.lower(), account.name)
    return names


def shown_items(
    items: Sequence[GitHubItem],
    *,
    period: Period,
    settings: GitHubSettings,
    mentioned_in: Mapping[str, Sequence[int]],
) -> list[Item]:
    """The items touched in the period or mentioned in its messages, in the order of `items`.

    What came to be only after the period, and what is known merely for context (a parent, an issue closed
    long ago), is left out. `mentioned_in` goes from references in lower case to message ids.
    """
    names = known_names(items)
    return [
        as_item(item, period=period, settings=settings, names=names, mentioned_in=mentioned_in.get(item.key, ()))
        for item in items
        if item.created_at < period.end and (is_touched(item, period) or item.key in mentioned_in)
    ]


def as_item(
    item: GitHubItem,
    *,
    period: Period,
    settings: GitHubSettings,
    names: Mapping[str, str],
    mentioned_in: Sequence[int] = (),
) -> Item:
    """One item as it stood at the period's end. What happened later does not show."""
    merged_at = item.merged_at if item.merged_at and item.merged_at < period.end else None
    closed_at = item.closed_at if item.closed_at and item.closed_at < period.end else None
    comments = told_comments(item, period)
    return Item(
        reference=item.reference,
        kind=item.kind.value,
        title=item.title,
        url=item.url,
        state=state_at(item, period.end).value,
        events=events_between(item, period),
        author=_author(item.author, settings, names),
        credited=_credited(item.author, settings, names),
        people=_people(item, period, settings, names),
        mentioned_in=tuple(mentioned_in),
        labels=item.labels,
        closes=item.closes,
        parent=item.parent,
        created_at=item.created_at,
        merged_at=merged_at,
        closed_at=closed_at,
        body=readable(item.body),
        comments=comments,
    )


def told_comments(item: GitHubItem, period: Period) -> tuple[Comment, ...]:
    """What was said on the item within the period."""
    return tuple(replace(c, body=readable(c.body)) for c in item.comments if c.created_at in period)


def is_automated(item: Item) -> bool:
    """Whether a bot made it, on nobody's behalf that is known."""
    return item.author is not None and item.author.bot and item.credited is None


def _author(account: Account | None, settings: GitHubSettings, names: Mapping[str, str]) -> Author | None:
    if account is None:
        return None
    return Author(
        login=account.login,
        name=account.name or names.get(account.login.lower()),
        external=is_external(account, settings),
        bot=account.bot,
    )


def _credited(account: Account | None, settings: GitHubSettings, names: Mapping[str, str]) -> Person | None:
    principal = agent_of(account, settings)
    return Person(login=principal, name=names.get(principal.lower())) if principal else None


def _people(
    item: GitHubItem, period: Period, settings: GitHubSettings, names: Mapping[str, str]
) -> tuple[Participant, ...]:
    """Who besides the author merged, closed, reviewed or commented within the period, each once, weightiest part."""
    parts: list[tuple[str, Account | None]] = []
    if item.merged_at and item.merged_at in period:
        parts.append(("merged", item.merged_by or _actor(item, EventKind.MERGED, period)))
    elif item.closed_at and item.closed_at in period:
        parts.append(("closed", item.closed_by or _actor(item, EventKind.CLOSED, period)))
    else:
        parts.append(("closed", _actor(item, EventKind.CLOSED, period)))
    within = [c for c in item.comments if c.created_at in period]
    parts.extend(("reviewed" if c.is_review else "commented", c.author) for c in within)
    own = {item.author.login.lower(), (agent_of(item.author, settings) or "").lower()} if item.author else set()
    found: dict[str, Participant] = {}
    for role, account in sorted(parts, key=lambda part: _ROLES.index(part[0])):
        if account is None or account.bot:
            continue
        login = agent_of(account, settings) or account.login
        if login.lower() in own:
            continue
        name = account.name if login == account.login else None
        found.setdefault(login.lower(), Participant(login=login, name=name or names.get(login.lower()), role=role))
    return tuple(found.values())


def _actor(item: GitHubItem, kind: EventKind, period: Period) -> Account | None:
    return next((e.actor for e in reversed(item.events) if e.kind is kind and e.at in period), None)


def number_of(reference: str) -> int:
    """The number of a canonical reference."""
    return int(reference.rpartition("#")[2])


def is_pull_request(item: Item) -> bool:
    return item.kind == ItemKind.PULL_REQUEST.value
