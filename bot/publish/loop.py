"""Work that is done again and again in the background: when its time comes, and when somebody says so."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from bot.model.clock import Clock, sleep

log = logging.getLogger(__name__)


class Loop:
    """Calls `step`, which returns the instant of its next turn; no failure of it ends the loop.

    After a failure the next turn comes in `retry`. A turn that `wake` asked for begins after `gather`, so that what
    comes together is seen to together.
    """

    def __init__(
        self,
        step: Callable[[], Awaitable[datetime]],
        clock: Clock,
        *,
        name: str,
        retry: timedelta,
        gather: timedelta = timedelta(0),
    ) -> None:
        self._step = step
        self._clock = clock
        self._name = name
        self._retry = retry
        self._gather = gather
        self._awake = asyncio.Event()
        self._resting = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Run in the background. Where it runs already, nothing happens."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), name=self._name)

    async def stop(self) -> None:
        """End; a step that is being taken is cancelled."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    def wake(self) -> None:
        """Take the next step now: something has changed."""
        self._awake.set()

    async def idle(self) -> None:
        """Return when no step is being taken and none was asked for."""
        while self._awake.is_set() or not self._resting.is_set():
            await self._resting.wait()
            await asyncio.sleep(0)

    async def _run(self) -> None:
        while True:
            self._awake.clear()
            try:
                until = await self._step()
            except Exception:
                log.exception("%s: a step failed and is taken again", self._name)
                until = self._clock.now() + self._retry
            await self._rest(until)
            if self._gather and self._awake.is_set():
                await sleep(self._clock, self._gather.total_seconds())

    async def _rest(self, until: datetime) -> None:
        waits = [asyncio.ensure_future(self._clock.sleep_until(until)), asyncio.ensure_future(self._awake.wait())]
        self._resting.set()
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._resting.clear()
            for wait in waits:
                wait.cancel()
            await asyncio.gather(*waits, return_exceptions=True)
