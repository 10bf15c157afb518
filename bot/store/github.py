"""Repositories, pull requests, issues and people as GitHub last told of them.

References are canonical `owner/repo#number`, held against each other in lower case. A repository that was
renamed is found under every name by which it was ever asked for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, func, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.model.github import Account, GitHubItem, LinkKind, Repository, is_touched, links_of
from bot.model.schedule import Period
from bot.store.github_documents import accounts_in, document_of, item_of, joined
from bot.store.tables.github import AccountRow, ItemLinkRow, ItemRow, RepositoryRow
from bot.store.upsert import chunks, insert_new, upsert

_DEPTH = 6  # how far up an item's links are followed


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncState:
    """A repository as last synced. Every change within `stretch` (from, until) is in the store."""

    repository: Repository
    stretch: tuple[datetime, datetime] | None
    problem: str | None = None


async def sync_state(connection: AsyncConnection, repository: str) -> SyncState | None:
    """What is known of a repository by the name it is configured under; None before its first sync."""
    query = select(RepositoryRow).where(RepositoryRow.key == repository.lower())
    row = (await connection.execute(query)).first()
    if row is None:
        return None
    stretch = (row.synced_from, row.synced_until) if row.synced_from and row.synced_until else None
    return SyncState(repository=Repository(row.name, row.private), stretch=stretch, problem=row.problem)


async def store_repository(connection: AsyncConnection, configured: str, repository: Repository) -> None:
    """Keep a repository under the name it is configured by and under the one it has."""
    values = {"name": repository.name, "private": repository.private, "problem": None}
    keys = {configured.lower(), repository.name.lower()}
    await upsert(connection, RepositoryRow, [{"key": key, **values} for key in keys])


async def store_stretch(
    connection: AsyncConnection, names: Collection[str], stretch: tuple[datetime, datetime] | None
) -> None:
    """Note the stretch within which every change is in the store; None: there is none any more."""
    since, until = stretch or (None, None)
    keys = sorted({name.lower() for name in names})
    query = update(RepositoryRow).where(RepositoryRow.key.in_(keys))
    await connection.execute(query.values(synced_from=since, synced_until=until))


async def store_problem(connection: AsyncConnection, configured: str, problem: str) -> None:
    """Note why a repository could not be synced; what was known of it stays."""
    query = update(RepositoryRow).where(RepositoryRow.key == configured.lower())
    await connection.execute(query.values(problem=problem))


async def repositories_of(connection: AsyncConnection, names: Iterable[str]) -> dict[str, Repository]:
    """Configured name in lower case to the repository, for those that have been synced."""
    keys = sorted({name.lower() for name in names})
    query = select(RepositoryRow.key, RepositoryRow.name, RepositoryRow.private).where(RepositoryRow.key.in_(keys))
    return {row.key: Repository(row.name, row.private) for row in await connection.execute(query)}


async def forget_repository(connection: AsyncConnection, repository: str) -> None:
    """Drop the items of a repository, as after it got another name; they are fetched anew under that."""
    key = repository.lower()
    await connection.execute(delete(ItemRow).where(ItemRow.repository == key))
    await connection.execute(delete(ItemLinkRow).where(ItemLinkRow.source.startswith(f"{key}#", autoescape=True)))


async def store_items(
    connection: AsyncConnection,
    items: Sequence[GitHubItem],
    *,
    at: datetime,
    comments_since: datetime | None = None,
) -> None:
    """Store what GitHub told at `at`, joined with what was known (see `github_documents.joined`)."""
    rows = await _rows(connection, [item.key for item in items])
    earlier = {key: item_of(row, private=False) for key, row in rows.items()}
    kept = [
        joined(earlier[item.key], item, comments_since=comments_since) if item.key in earlier else item
        for item in items
    ]
    values = [
        {
            "repository": item.repository.lower(),
            "number": item.number,
            "kind": item.kind.value,
            "created_at": item.created_at,
            "updated_at": item.updated_at,
            "fetched_at": at,
            "removed": False,
            "document": document_of(item),
        }
        for item in kept
    ]
    await upsert(connection, ItemRow, values)
    await _store_links(connection, kept)
    await _store_accounts(connection, kept)


async def mark_removed(connection: AsyncConnection, references: Iterable[str]) -> None:
    """Leave these out from now on: GitHub no longer has them."""
    for repository, number in await _places(connection, references):
        where = (ItemRow.repository == repository, ItemRow.number == number)
        await connection.execute(update(ItemRow).where(*where).values(removed=True))


async def items_by_reference(connection: AsyncConnection, references: Iterable[str]) -> dict[str, GitHubItem]:
    """The items that are stored, by the reference asked for, in lower case.

    An item of a renamed repository carries its present reference, whichever name it was asked for by.
    """
    asked = list(dict.fromkeys(reference.lower() for reference in references))
    places = dict(zip(asked, await _places(connection, asked), strict=True))
    rows = await _rows(connection, [f"{repository}#{number}" for repository, number in places.values()])
    private = await _private(connection, {repository for repository, _ in places.values()})
    found = {}
    for reference, (repository, number) in places.items():
        row = rows.get(f"{repository}#{number}")
        if row is not None and not row.removed:
            found[reference] = item_of(row, private=private[repository])
    return found


async def item(connection: AsyncConnection, reference: str) -> GitHubItem | None:
    """One item, or None where it is not stored or no longer on GitHub."""
    return (await items_by_reference(connection, [reference])).get(reference.lower())


async def items_between(
    connection: AsyncConnection, repositories: Iterable[str], period: Period, *, mentioned: Iterable[str] = ()
) -> list[GitHubItem]:
    """What was touched within `period` (see `is_touched`) or `mentioned`, and what it hangs on, in their order.

    What it hangs on are parents and epics however far up, the issues that its pull requests close, and the pull
    requests that close its issues; only within `repositories`. `mentioned` are references.
    """
    keys = {repository.name.lower() for repository in (await repositories_of(connection, repositories)).values()}
    query = select(ItemRow).where(
        ItemRow.repository.in_(sorted(keys)),
        ItemRow.updated_at >= period.start,
        ItemRow.created_at < period.end,
        ItemRow.removed.is_(False),
    )
    private = await _private(connection, keys)
    rows = (await connection.execute(query)).all()
    stored = [item_of(row, private=private[row.repository]) for row in rows]
    touched = {item.key: item for item in stored if is_touched(item, period)}
    named = await items_by_reference(connection, [one for one in mentioned if one.lower() not in touched])
    touched |= {item.key: item for item in named.values() if item.repository.lower() in keys}
    around = await _around(connection, touched, keys)
    return sorted((touched | around).values(), key=lambda item: (item.repository.lower(), item.number))


async def numbers_created(connection: AsyncConnection, repository: str, period: Period) -> list[int]:
    """The numbers of the repository's stored items that were opened in the period."""
    query = select(ItemRow.number).where(
        ItemRow.repository == repository.lower(),
        ItemRow.created_at >= period.start,
        ItemRow.created_at < period.end,
        ItemRow.removed.is_(False),
    )
    return sorted((await connection.execute(query)).scalars())


async def people(connection: AsyncConnection, logins: Iterable[str]) -> dict[str, Account]:
    """Accounts as last seen, by login in lower case; those never seen are left out."""
    found: dict[str, Account] = {}
    for some in chunks(sorted({login.lower() for login in logins})):
        for row in await connection.execute(select(AccountRow).where(AccountRow.login.in_(some))):
            found[row.login] = Account(login=row.spelled, name=row.name, bot=row.bot)
    return found


async def _around(
    connection: AsyncConnection, touched: Mapping[str, GitHubItem], repositories: Collection[str]
) -> dict[str, GitHubItem]:
    around: dict[str, GitHubItem] = {}
    edge = set(touched)
    for depth in range(_DEPTH):
        inward = [LinkKind.TASK] if depth else [LinkKind.TASK, LinkKind.CLOSES]
        above = await _linked(connection, edge, inward)
        wanted = {key for key in above - touched.keys() - around.keys() if key.partition("#")[0] in repositories}
        found = await items_by_reference(connection, sorted(wanted))
        if not found:
            break
        around |= {item.key: item for item in found.values()}
        edge = {item.key for item in found.values()}
    return around


async def _linked(connection: AsyncConnection, keys: Iterable[str], inward: Collection[LinkKind]) -> set[str]:
    """What items name (their task lists aside), and what names them in one of the ways `inward`."""
    found: set[str] = set()
    for some in chunks(sorted(keys)):
        outward = select(ItemLinkRow.target).where(ItemLinkRow.source.in_(some), ItemLinkRow.kind != LinkKind.TASK)
        found |= set((await connection.execute(outward)).scalars())
        naming = select(ItemLinkRow.source).where(ItemLinkRow.target.in_(some), ItemLinkRow.kind.in_(inward))
        found |= set((await connection.execute(naming)).scalars())
    return found


async def _places(connection: AsyncConnection, references: Iterable[str]) -> list[tuple[str, int]]:
    """Repository as it is called now, in lower case, and number, in the order of `references`."""
    split = [(name.lower(), int(number)) for name, _, number in (one.rpartition("#") for one in references)]
    names = await repositories_of(connection, {name for name, _ in split})
    return [(names[name].name.lower() if name in names else name, number) for name, number in split]


async def _rows(connection: AsyncConnection, keys: Sequence[str]) -> dict[str, Row[Any]]:
    places = [(name, int(number)) for name, _, number in (key.rpartition("#") for key in keys)]
    found: dict[str, Row[Any]] = {}
    for some in chunks(sorted(set(places))):
        query = select(ItemRow).where(tuple_(ItemRow.repository, ItemRow.number).in_(some))
        found |= {f"{row.repository}#{row.number}": row for row in await connection.execute(query)}
    return found


async def _private(connection: AsyncConnection, repositories: Collection[str]) -> dict[str, bool]:
    """Whether each repository is private; one that is not known counts as private."""
    known = await repositories_of(connection, repositories)
    return {name: known[name].private if name in known else True for name in repositories}


async def _store_links(connection: AsyncConnection, items: Sequence[GitHubItem]) -> None:
    for some in chunks(sorted(item.key for item in items)):
        await connection.execute(delete(ItemLinkRow).where(ItemLinkRow.source.in_(some)))
    links = [
        {"source": item.key, "target": link.target.lower(), "kind": link.kind.value}
        for item in items
        for link in links_of(item)
    ]
    await insert_new(connection, ItemLinkRow, links)


async def _store_accounts(connection: AsyncConnection, items: Sequence[GitHubItem]) -> None:
    """Everybody with a part in the items; a display name once known is kept."""
    seen: dict[str, Account] = {}
    for item in items:
        seen |= {login: account for login, account in accounts_in(item).items() if account.name or login not in seen}
    values = [
        {"login": login, "spelled": account.login, "name": account.name, "bot": account.bot}
        for login, account in seen.items()
    ]
    await upsert(
        connection,
        AccountRow,
        values,
        change=lambda new: {"name": func.coalesce(new.name, AccountRow.name)},
    )
