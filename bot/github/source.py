"""What a sync needs of GitHub, whichever of its APIs answers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from datetime import datetime
from typing import Protocol

from bot.model.github import GitHubItem, Repository


class Source(Protocol):
    """GitHub, asked about one repository at a time by its `owner/name`.

    All methods raise GitHubError where GitHub gives no answer. `gaps` collects, in words for people, what it
    answered only in part. `comments_since`: the comments it gives begin at the instant that was asked for.
    `batch`: so many numbers are best asked for at once.
    """

    gaps: list[str]
    comments_since: bool
    batch: int

    async def repository(self, name: str) -> Repository:
        """The repository under its present name. Raises GoneError where there is none for us."""
        ...

    def updated(self, name: str, *, since: datetime, comments_from: datetime) -> AsyncIterator[Sequence[GitHubItem]]:
        """What was updated at or after `since`, in pages, with every comment from `comments_from` on."""
        ...

    async def epics(self, name: str, labels: Collection[str]) -> Sequence[GitHubItem]:
        """The open issues with one of `labels`."""
        ...

    async def by_number(
        self, name: str, numbers: Sequence[int], *, comments_from: datetime
    ) -> tuple[Sequence[GitHubItem], Collection[int]]:
        """The items of these numbers, and the numbers that do not exist (any more)."""
        ...

    async def gone(self, name: str, numbers: Sequence[int]) -> Collection[int]:
        """Those of the numbers whose items were removed or transferred; none where that would cost too much."""
        ...
