"""Time is passed in: everything that asks for the hour asks a Clock."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """The time of day, and waiting for one."""

    def now(self) -> datetime:
        """The present instant, timezone-aware, in UTC."""
        ...

    async def sleep_until(self, instant: datetime) -> None:
        """Return once `now()` is at or past `instant`."""
        ...


async def sleep(clock: Clock, seconds: float) -> None:
    """Wait `seconds` of the clock's time."""
    await clock.sleep_until(clock.now() + timedelta(seconds=seconds))


class SystemClock:
    """The machine's clock. Waits in short stretches, so that a clock set forward is noticed within a minute."""

    LONGEST_NAP = 60.0

    def now(self) -> datetime:
        return datetime.now(UTC)

    async def sleep_until(self, instant: datetime) -> None:
        while (left := (instant - self.now()).total_seconds()) > 0:  # noqa: ASYNC110
            await asyncio.sleep(min(left, self.LONGEST_NAP))


class ManualClock:
    """A clock that stands still until it is moved; sleepers wake in the order of their instants."""

    def __init__(self, start: datetime) -> None:
        self._now = start.astimezone(UTC)
        self._order = itertools.count()
        self._sleepers: list[tuple[datetime, int, asyncio.Future[None]]] = []

    def now(self) -> datetime:
        return self._now

    async def sleep_until(self, instant: datetime) -> None:
        if instant <= self._now:
            await asyncio.sleep(0)
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (instant, next(self._order), future))
        await future

    @property
    def next_wake(self) -> datetime | None:
        """The instant for which the first sleeper waits."""
        while self._sleepers and self._sleepers[0][2].done():
            heapq.heappop(self._sleepers)
        return self._sleepers[0][0] if self._sleepers else None

    def set(self, instant: datetime) -> None:
        """Move to `instant`, waking whoever waited for it or for an earlier one. Never moves back."""
        self._now = max(self._now, instant.astimezone(UTC))
        while self._sleepers and self._sleepers[0][0] <= self._now:
            _, _, future = heapq.heappop(self._sleepers)
            if not future.done():
                future.set_result(None)

    async def advance(self, instant: datetime) -> None:
        """Move to `instant` through every sleeper's own instant, letting each run before the next."""
        while (wake := self.next_wake) is not None and wake <= instant:
            self.set(wake)
            for _ in range(8):
                await asyncio.sleep(0)
        self.set(instant)
