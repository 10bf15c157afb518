"""Who outside the team contributed, and what was automated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.compile.items import is_automated, is_pull_request
from bot.model.edition import Automated, ExternalContributor, Item

_COUNTS = frozenset({"opened", "merged"})


def external_contributors(
    items: Sequence[Item], first_time: Mapping[str, bool | None]
) -> tuple[ExternalContributor, ...]:
    """Authors outside the team with pull requests opened or merged in the period, most merged first.

    Such a pull request stands under its state at the period's end, drafts under open. `first_time` goes from
    references in lower case to whether it was the author's first, None where unknown.
    """
    by_login: dict[str, list[Item]] = {}
    for item in items:
        author = item.author
        if author and author.external and not item.credited and is_pull_request(item) and _COUNTS & set(item.events):
            by_login.setdefault(author.login.lower(), []).append(item)
    people = [_contributor(pulls, first_time) for pulls in by_login.values()]
    return tuple(sorted(people, key=lambda p: (-len(p.merged), -len(p.open), (p.name or p.login).casefold())))


def _contributor(pulls: Sequence[Item], first_time: Mapping[str, bool | None]) -> ExternalContributor:
    author = pulls[0].author
    assert author is not None  # noqa: S101
    firsts = [first_time.get(pull.reference.lower()) for pull in pulls]
    return ExternalContributor(
        login=author.login,
        name=next((pull.author.name for pull in pulls if pull.author and pull.author.name), None),
        merged=tuple(pull.reference for pull in pulls if pull.state == "merged"),
        open=tuple(pull.reference for pull in pulls if pull.state in ("open", "draft")),
        closed=tuple(pull.reference for pull in pulls if pull.state == "closed"),
        first_time=True if True in firsts else False if False in firsts else None,
    )


def automated(items: Sequence[Item]) -> tuple[Automated, ...]:
    """What bots did, grouped by bot, most first."""
    by_login: dict[str, list[str]] = {}
    for item in items:
        if item.author is not None and is_automated(item) and item.events:
            by_login.setdefault(item.author.login, []).append(item.reference)
    groups = [Automated(login=login, references=tuple(references)) for login, references in by_login.items()]
    return tuple(sorted(groups, key=lambda g: (-len(g.references), g.login.lower())))
