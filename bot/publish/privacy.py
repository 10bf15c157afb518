"""What members decide about themselves: opt out and in, see what is stored, have everything erased.

Everything is done in one transaction: nothing further is recorded, what is stored goes, and stored editions no
longer say it. Then posted digests are corrected, and the database's file is written anew.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from bot.capture.exclusions import Exclusions
from bot.errors import ConflictError
from bot.model.clock import Clock
from bot.model.publication import MadeEdition
from bot.model.withdrawal import Withdrawal
from bot.publish.amend import amend_within
from bot.publish.erasure_file import ErasureFile
from bot.publish.maker import Stages, without
from bot.store import editions, erasure, guilds, personal, privacy
from bot.store.engine import Connection, Store
from bot.store.parts import parts_of

log = logging.getLogger(__name__)

_ROUNDS = 3
Notify = Callable[[], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What holds for a guild's members. `since`: since when the asking member has been opted out, by guild (0: all)."""

    retention_days: int
    uses_model: bool
    public: bool
    since: dict[int, datetime]


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """What was removed: messages, stored editions that said something of the person, how many of them are posted."""

    messages: int
    editions: int
    posted: int
    file_is_clean: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Privacy:
    """The service behind `/privacy`. `on_change` are called after somebody withdrew: memory and posts follow."""

    store: Store
    clock: Clock
    exclusions: Exclusions
    stages: Stages
    erased: ErasureFile
    on_change: list[Notify] = field(default_factory=list)

    async def policy(self, user_id: int, guild_id: int | None) -> Policy:
        async with self.store.read() as connection:
            settings = await guilds.fetch_settings(connection, guild_id or 0)
            public = bool(guild_id and await editions.public_editions(connection, guild_id, limit=1))
            since = await privacy.opt_outs_of(connection, user_id)
        return Policy(
            retention_days=settings.privacy.retention_days,
            uses_model=settings.narrative.model,
            public=public,
            since=since,
        )

    async def opt_out(self, user_id: int, guild_id: int | None) -> Erased:
        """Record nothing further of the member in the guild (None: in any), and remove what is stored of them there.

        Raises ConflictError where they are opted out already.
        """

        async def close(connection: Connection) -> None:
            if (guild_id or privacy.EVERYWHERE) in await privacy.opt_outs_of(connection, user_id):
                raise ConflictError("You are opted out already; `/privacy optin` takes it back.")
            await privacy.opt_out(connection, guild_id or privacy.EVERYWHERE, user_id, at=self.clock.now())

        return await self._withdraw(user_id, guild_id, close, "a member opted out")

    async def opt_in(self, user_id: int, guild_id: int | None) -> None:
        """Record the member again from now on, also somebody who was erased; an opt-out of all guilds goes as well.

        Raises ConflictError where they are not opted out.
        """
        async with self.store.write() as connection:
            hashes = privacy.hashes_of(user_id, self.exclusions.keys)
            taken = await privacy.remove_erasures(connection, hashes)
            for each in {guild_id or privacy.EVERYWHERE, privacy.EVERYWHERE}:
                taken |= await privacy.opt_in(connection, each, user_id)
            if not taken:
                raise ConflictError("You are not opted out; `/privacy optout` does that.")
            self.erased.remove(hashes)
        await self.exclusions.reload(self.store)

    async def export(self, user_id: int) -> dict[str, object]:
        """Everything that is stored of the person, as plain data ready for JSON."""
        async with self.store.read() as connection:
            return await personal.everything_of(connection, user_id, at=self.clock.now())

    async def erase(self, user_id: int) -> Erased:
        """Remove everything of the person everywhere, for good; only a keyed hash of the id keeps them out."""

        async def close(connection: Connection) -> None:
            hashes = privacy.hashes_of(user_id, self.exclusions.keys)
            await privacy.add_erasures(connection, hashes, at=self.clock.now())
            await privacy.forget_opt_outs(connection, user_id)
            self.erased.add(hashes)

        return await self._withdraw(user_id, None, close, "a member had everything erased")

    async def keep_erased(self) -> int:
        """Erase again whoever was erased before and is back, by a restored backup; returns how many came back.

        Both the database and the file beside it remember who was erased; each learns from the other.
        """
        async with self.store.write() as connection:
            known = await privacy.erased_hashes(connection)
            beside = self.erased.read()
            if beside - known:
                await privacy.add_erasures(connection, beside - known, at=self.clock.now())
        self.erased.add(known - beside)
        await self.exclusions.reload(self.store)
        if not known | beside:
            return 0
        async with self.store.read() as connection:
            back = [each for each in await privacy.known_users(connection) if self.exclusions.is_erased(each)]
        for user_id in back:
            await self._withdraw(user_id, None, partial(_forget_opt_outs, user_id), "a member had everything erased")
        return len(back)

    async def _withdraw(
        self, user_id: int, guild_id: int | None, close: Callable[[Connection], Awaitable[None]], reason: str
    ) -> Erased:
        await self.exclusions.reload(self.store)
        async with self.store.read() as connection:
            gone = await erasure.withdrawal_of(connection, user_id, guild_id)
            telling = await erasure.editions_telling(connection, gone, guild_id)
        told = await self._without(telling, gone)
        async with self.store.write() as connection:
            await close(connection)
            done = await erasure.forget_person(connection, user_id, guild_id, reason=reason, at=self.clock.now())
            posted = await self._rewrite(connection, told, reason)
        await self.exclusions.reload(self.store)
        count = len(told)
        gone = done.withdrawal
        for _ in range(_ROUNDS):  # what was made at the same time from what was stored before
            async with self.store.read() as connection:
                telling = await erasure.editions_telling(connection, gone, guild_id)
            if not telling:
                break
            told = await self._without(telling, gone)
            async with self.store.write() as connection:
                await self._rewrite(connection, told, reason)
        for notify in self.on_change:
            notify()
        is_clean = await self.store.compact()
        log.info("somebody withdrew", extra={"messages": done.messages, "editions": count, "guild_id": guild_id})
        return Erased(messages=done.messages, editions=count, posted=posted, file_is_clean=is_clean)

    async def _without(self, edition_ids: Iterable[int], gone: Withdrawal) -> dict[int, MadeEdition]:
        told = {}
        for edition_id in edition_ids:
            async with self.store.read() as connection:
                edition = await editions.fetch_edition(connection, edition_id)
            told[edition_id] = await without(self.store, self.stages, edition, gone)
        return told

    async def _rewrite(self, connection: Connection, told: dict[int, MadeEdition], reason: str) -> int:
        """Put the editions in the place of what is stored; how many of them stand on Discord."""
        posted = 0
        for edition_id, made in told.items():
            await amend_within(connection, edition_id, made, at=self.clock.now(), reason=reason)
            posted += any(part.message_id is not None for part in await parts_of(connection, edition_id))
        return posted


async def _forget_opt_outs(user_id: int, connection: Connection) -> None:
    await privacy.forget_opt_outs(connection, user_id)
