"""Removes what has been kept long enough, a few times a day."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from bot.errors import GazetteError
from bot.model.clock import Clock
from bot.publish.loop import Loop
from bot.store import guilds, retention
from bot.store.engine import Store
from bot.store.responses import forget_responses

log = logging.getLogger(__name__)

EVERY = timedelta(hours=6)
GRACE = timedelta(days=14)
"""How long a guild that removed the bot is remembered, should that have been a mistake."""
ANSWERS_FOR = timedelta(days=30)
"""How long answers of GitHub are kept to ask less for the same."""


class Sweeper:
    """Goes through all guilds now and again. Several processes may: what one removed, another finds gone."""

    def __init__(self, store: Store, clock: Clock, *, every: timedelta = EVERY) -> None:
        self._store = store
        self._clock = clock
        self._every = every
        self._loop = Loop(self._step, clock, name="sweeper", retry=every)

    def start(self) -> None:
        """Run in the background. Where it runs already, nothing happens."""
        self._loop.start()

    async def stop(self) -> None:
        await self._loop.stop()

    async def _step(self) -> datetime:
        try:
            await self.sweep()
        except GazetteError as error:
            log.warning("what was kept long enough could not be removed", extra={"error": str(error)})
        return self._clock.now() + self._every

    async def sweep(self) -> None:
        """Remove everything that is due now."""
        now = self._clock.now()
        async with self._store.read() as connection:
            left = await retention.guilds_left(connection, before=now - GRACE)
            present = await guilds.guild_ids(connection)
        for guild_id in left:
            async with self._store.write() as connection:
                await retention.forget_guild(connection, guild_id)
            log.info("a guild that removed the bot was forgotten", extra={"guild_id": guild_id})
        for guild_id in present:
            await self._sweep_guild(guild_id)
        async with self._store.write() as connection:
            await forget_responses(connection, before=now - ANSWERS_FOR)
        if left:
            await self._store.compact()

    async def _sweep_guild(self, guild_id: int) -> None:
        async with self._store.read() as connection:
            settings = await guilds.fetch_settings(connection, guild_id)
        before = self._clock.now() - timedelta(days=settings.privacy.retention_days)
        removed = 0
        while True:
            async with self._store.write() as connection:
                some = await retention.drop_content(connection, guild_id, before=before)
            removed += some
            if not some:
                break
        async with self._store.write() as connection:
            await retention.drop_quotations(connection, guild_id, before=before)
            await retention.forget_members_who_left(connection, guild_id, before=before)
        if removed:
            log.info("the content of messages was removed", extra={"guild_id": guild_id, "messages": removed})
