"""Keeps published editions right: what was quoted is edited or deleted, somebody withdraws, a moderator corrects."""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime, timedelta

from bot.errors import ConflictError
from bot.model.clock import Clock
from bot.publish.loop import Loop
from bot.publish.metrics import AMENDED
from bot.publish.notices import Notices, sentence
from bot.publish.publisher import Publisher
from bot.publish.scheduler import FIRST_DELAY, LEASE, LONGEST_DELAY, POLL, ClaimLostError
from bot.store import editions
from bot.store import schedule as stored
from bot.store.engine import Store

log = logging.getLogger(__name__)

GATHER = timedelta(seconds=10)
"""How long is waited for further changes before an edition is made anew."""
PATIENCE = 4


class Amender:
    """Makes what stands on Discord say what is stored, for every published edition for which it does not.

    `wake` says that something may have changed; the changes of other processes are noticed within `poll`. `name`
    tells this process from the others: one at a time works on an edition.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        publisher: Publisher,
        notices: Notices,
        *,
        name: str,
        at_once: int = 4,
        gather: timedelta = GATHER,
        poll: timedelta = POLL,
    ) -> None:
        self._store = store
        self._clock = clock
        self._publisher = publisher
        self._notices = notices
        self._name = name
        self._slots = asyncio.Semaphore(at_once)
        self._poll = poll
        self._loop = Loop(self._step, clock, name="amender", retry=poll, gather=gather)
        self._failures: dict[int, tuple[int, datetime]] = {}

    def start(self) -> None:
        """Run in the background. Where it runs already, nothing happens."""
        self._loop.start()

    async def stop(self) -> None:
        await self._loop.stop()

    def wake(self) -> None:
        """Something that an edition tells of may have changed."""
        self._loop.wake()

    async def _step(self) -> datetime:
        await self.settle_all()
        return min([self._clock.now() + self._poll, *(at for _, at in self._failures.values())])

    async def settle_all(self) -> None:
        """Set every published edition right that is not, as far as that works now."""
        async with self._store.read() as connection:
            found = await editions.unsettled_editions(connection)
        self._failures = {edition_id: known for edition_id, known in self._failures.items() if edition_id in found}
        now = self._clock.now()
        due = [edition_id for edition_id in found if self._failures.get(edition_id, (0, now))[1] <= now]
        await asyncio.gather(*(self._settled(edition_id) for edition_id in due))

    async def _settled(self, edition_id: int) -> None:
        async with self._slots:
            try:
                await self._settle(edition_id)
            except ClaimLostError as error:
                log.info("an edition is set right elsewhere", extra={"edition_id": edition_id, "error": str(error)})
            except Exception as error:
                await self._failed(edition_id, error)
            else:
                self._failures.pop(edition_id, None)

    async def _settle(self, edition_id: int) -> None:
        async with self._store.read() as connection:
            edition = await editions.fetch_edition(connection, edition_id)

        async def hold() -> None:
            now = self._clock.now()
            async with self._store.write() as connection:
                if not await stored.claim_settled(
                    connection, edition.guild_id, edition.period, by=self._name, now=now, until=now + LEASE
                ):
                    raise ClaimLostError("Another process sets this edition right.")

        await hold()
        try:
            await self._publisher.settle(edition_id, hold=hold)
        finally:
            async with self._store.write() as connection:
                await stored.release_settled(connection, edition.guild_id, edition.period, by=self._name)
        AMENDED.inc()
        await self._notices.settle(edition.guild_id, [_key(edition_id)])

    async def _failed(self, edition_id: int, error: Exception) -> None:
        """Try again later; tell people when it lasts, or when only they can mend it."""
        attempts = self._failures.get(edition_id, (0, self._clock.now()))[0] + 1
        delay = min(FIRST_DELAY * 2 ** min(attempts - 1, 16), LONGEST_DELAY)
        self._failures[edition_id] = (attempts, self._clock.now() + delay)
        log.error("a published edition could not be set right", extra={"edition_id": edition_id}, exc_info=error)
        if attempts >= PATIENCE or isinstance(error, ConflictError):
            async with self._store.read() as connection:
                edition = await editions.fetch_edition(connection, edition_id)
            text = f"The posted digest {edition.title!r} could not be corrected: {sentence(error)}"
            await self._notices.report(edition.guild_id, _key(edition_id), text)


def _key(edition_id: int) -> str:
    return f"amend {edition_id}"
