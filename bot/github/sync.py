"""The store catches up with GitHub: what changed since the last time, what people mention, what it hangs on."""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from bot.errors import GitHubError
from bot.github.client import GitHubClient, RateLimitedError, Requests, UnreachableError
from bot.github.graph import GraphQLSource, OutdatedError
from bot.github.rest import RestSource
from bot.github.source import Source
from bot.model.clock import Clock
from bot.model.github import GitHubItem, LinkKind, Repository, SyncReport, links_of
from bot.model.schedule import Period
from bot.store import github as items
from bot.store.engine import Store
from bot.store.responses import forget_responses

__all__ = ["SyncReport", "sync"]

logger = logging.getLogger(__name__)

_OVERLAP = timedelta(minutes=10)  # our clock and GitHub's may differ
_OUTAGES = (RateLimitedError, UnreachableError)
_NOT_GITHUBS = (AttributeError, LookupError, TypeError, ValueError)  # an answer of another shape than GitHub's
_DEPTH = 6  # how far up an item's links are followed
_RESPONSES_KEPT = timedelta(days=60)
_ANONYMOUS = "No GitHub token is set, so people's display names and reviews are missing."


async def sync(
    client: GitHubClient,
    store: Store,
    *,
    repositories: Sequence[str],
    period: Period,
    clock: Clock,
    references: Iterable[str] = (),
    epic_labels: Collection[str] = ("epic",),
) -> SyncReport:
    """Bring the store up to date with GitHub for an edition of `period`.

    `references` are those of the period's messages. Only what changed since the last sync is fetched; what
    cannot be had is told in the report's notes, and whatever could be had is stored. Never raises for
    GitHub's sake.
    """
    if not repositories:
        return SyncReport("off")
    try:
        requests = await client.requests(store)
    except GitHubError as error:
        return SyncReport("unavailable", (str(error),), is_outage=isinstance(error, _OUTAGES))
    run = _Run(store, period, clock, epic_labels, requests)
    run.source = GraphQLSource(requests) if client.is_known else RestSource(requests)
    await run.update_all(repositories)
    await run.fetch_linked(references)
    async with store.write() as connection:
        await forget_responses(connection, before=clock.now() - _RESPONSES_KEPT)
    return await run.report(repositories, told=() if client.is_known else (_ANONYMOUS,))


@dataclass(slots=True)
class _Run:
    """One sync. `names`: configured name in lower case to the present one, of the repositories that worked."""

    store: Store
    period: Period
    clock: Clock
    epic_labels: Collection[str]
    requests: Requests
    source: Source = field(init=False)
    names: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    seen: dict[str, GitHubItem] = field(default_factory=dict)
    outage: bool = False
    spent: bool = False

    async def report(self, repositories: Sequence[str], *, told: tuple[str, ...]) -> SyncReport:
        gaps = [*self.problems, *self.source.gaps]
        lost = (
            [f"No pull request or issue (any more), and left out: {', '.join(self.missing)}."] if self.missing else []
        )
        notes = await self._for_everybody(repositories, [*told, *gaps, *lost])
        if not self.names:
            return SyncReport("unavailable", notes, is_outage=self.outage)
        return SyncReport("partial" if gaps or told else "complete", notes)

    async def _for_everybody(self, repositories: Sequence[str], notes: Iterable[str]) -> tuple[str, ...]:
        """The notes, each once, without the name of any repository that is known to be private."""
        async with self.store.read() as connection:
            known = await items.repositories_of(connection, repositories)
        hidden = [re.escape(name) for key, one in known.items() if one.private for name in (key, one.name)]
        if hidden:
            pattern = re.compile(rf"(?:{'|'.join(hidden)})(?:#\d+)?(?![\w-])", re.IGNORECASE)
            notes = [pattern.sub("a private repository", note) for note in notes]
        return tuple(dict.fromkeys(notes))

    async def update_all(self, repositories: Sequence[str]) -> None:
        for name in repositories:
            if self.spent:
                return
            try:
                try:
                    await self._update(name)
                except OutdatedError as error:
                    self.problems.append(str(error))
                    self.source = RestSource(self.requests)
                    await self._update(name)
            except (GitHubError, *_NOT_GITHUBS) as error:
                await self._fail(name, error)

    async def _fail(self, name: str, error: Exception) -> None:
        if not isinstance(error, GitHubError):
            logger.error("GitHub's answer for %s is not readable", name, exc_info=error)
            error = UnreachableError("GitHub's answer is not readable.")
        self.problems.append(str(error))
        self.outage = self.outage or isinstance(error, _OUTAGES)
        self.spent = self.spent or isinstance(error, RateLimitedError)
        async with self.store.write() as connection:
            await items.store_problem(connection, name, str(error))

    async def _update(self, configured: str) -> None:
        """Fetch what changed in one repository, page by page into the store."""
        started, gaps = self.clock.now(), len(self.source.gaps)
        repository = await self.source.repository(configured)
        stretch = await self._begin(configured, repository)
        since = self.period.start if stretch is None else stretch[1] - _OVERLAP
        pages = self.source.updated(repository.name, since=since, comments_from=self.period.start)
        async for page in pages:
            await self._keep(page)
        await self._keep(await self.source.epics(repository.name, self.epic_labels))
        if stretch is not None:
            await self._forget_gone(repository.name)
        self.names[configured.lower()] = repository.name
        if len(self.source.gaps) == gaps:
            first = self.period.start if stretch is None else stretch[0]
            async with self.store.write() as connection:
                await items.store_stretch(connection, (configured, repository.name), (first, started))

    async def _begin(self, configured: str, repository: Repository) -> tuple[datetime, datetime] | None:
        """The stretch whose changes are known already, if the period joins on to it; None: begin anew."""
        async with self.store.write() as connection:
            state = await items.sync_state(connection, configured)
            if state and state.repository.name.lower() != repository.name.lower():
                await items.forget_repository(connection, state.repository.name)
                state = None
            await items.store_repository(connection, configured, repository)
            stretch = state.stretch if state else None
            if stretch and stretch[0] <= self.period.start <= stretch[1]:
                return stretch
            await items.store_stretch(connection, (configured, repository.name), None)
            return None

    async def _forget_gone(self, name: str) -> None:
        """Nobody tells of what was deleted or transferred: ask for what an earlier sync saw come in the period."""
        async with self.store.read() as connection:
            known = await items.numbers_created(connection, name, self.period)
        gone = await self.source.gone(name, [each for each in known if f"{name.lower()}#{each}" not in self.seen])
        async with self.store.write() as connection:
            await items.mark_removed(connection, [f"{name}#{number}" for number in gone])

    async def _keep(self, page: Sequence[GitHubItem]) -> None:
        since = self.period.start if self.source.comments_since else None
        async with self.store.write() as connection:
            await items.store_items(connection, page, at=self.clock.now(), comments_since=since)
        self.seen |= {item.key: item for item in page}

    async def fetch_linked(self, references: Iterable[str]) -> None:
        """Fetch what messages mention, and what that and the period's items hang on, however far up."""
        asked = {self._present(reference) for reference in references}
        wanted = asked | self._above(self.seen.values())
        tried: set[str] = set()
        for _ in range(_DEPTH):
            wanted = {reference for reference in wanted if reference.partition("#")[0] in self._tracked} - tried
            tried |= wanted
            fresh = await self._fresh(wanted)
            found = [*fresh.values(), *await self._fetch(sorted(wanted - fresh.keys()), asked)]
            if not found:
                return
            wanted = self._above(found)

    @property
    def _tracked(self) -> set[str]:
        return {name.lower() for name in self.names.values()}

    def _present(self, reference: str) -> str:
        """The reference in lower case, with the repository's present name."""
        name, _, number = reference.lower().partition("#")
        return f"{self.names.get(name, name).lower()}#{number}"

    @staticmethod
    def _above(found: Iterable[GitHubItem]) -> set[str]:
        return {link.target.lower() for item in found for link in links_of(item) if link.kind is not LinkKind.TASK}

    async def _fresh(self, wanted: Collection[str]) -> dict[str, GitHubItem]:
        """Those in the store that cannot have changed since: every later change would have been fetched."""
        async with self.store.read() as connection:
            stored = await items.items_by_reference(connection, wanted)
            states = {name: await items.sync_state(connection, name) for name in self._tracked}
        fresh = {}
        for reference, item in stored.items():
            state = states.get(item.repository.lower())
            since = state.stretch[0] if state and state.stretch else None
            if (since and item.fetched_at and item.fetched_at >= since) or item.key in self.seen:
                fresh[reference] = item
        return fresh

    async def _fetch(self, wanted: Sequence[str], asked: Collection[str]) -> list[GitHubItem]:
        found: list[GitHubItem] = []
        for name in sorted(self._tracked):
            numbers = [int(one.partition("#")[2]) for one in wanted if one.partition("#")[0] == name]
            try:
                for first in range(0, 0 if self.spent else len(numbers), self.source.batch):
                    found += await self._fetch_some(name, numbers[first : first + self.source.batch], asked)
            except (GitHubError, *_NOT_GITHUBS) as error:
                await self._fail(name, error)
        return found

    async def _fetch_some(self, name: str, numbers: Sequence[int], asked: Collection[str]) -> Sequence[GitHubItem]:
        page, gone = await self.source.by_number(name, numbers, comments_from=self.period.start)
        await self._keep(page)
        lost = {f"{name}#{number}" for number in gone}
        self.missing += sorted(lost & set(asked))
        async with self.store.write() as connection:
            await items.mark_removed(connection, lost)
        return page
