"""Tells a guild's moderators of a problem, once: in the review channel, or else to the owner."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

from bot.errors import GazetteError, NotFoundError
from bot.model.clock import Clock
from bot.model.settings import GuildSettings
from bot.publish.metrics import NOTICES
from bot.publish.plan import SUPPRESS_EMBEDS
from bot.publish.rest import DiscordRest, RejectedError, UncertainError
from bot.publish.surroundings import TargetError, look_around
from bot.store import guilds, notices
from bot.store.engine import Connection, Store

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Notices:
    """Reports problems. A failure to report is logged and never raised; the problem is reported at the next chance."""

    store: Store
    rest: DiscordRest
    clock: Clock

    async def report(self, guild_id: int, key: str, text: str) -> None:
        """Tell the guild, unless the problem `key` has been told and is not over."""
        at = self.clock.now()
        async with self.store.write() as connection:
            if not await notices.open_notice(connection, guild_id, key, text, at):
                return
            settings = await guilds.fetch_settings(connection, guild_id)
            owner_id = await _owner_id(connection, guild_id)
        nonce = blake2b(f"{guild_id}/{key}/{at.isoformat()}".encode(), digest_size=12).hexdigest()
        way = await self._tell(guild_id, settings, owner_id, text, nonce)
        NOTICES.labels(way).inc()
        log.error("a problem of a guild", extra={"guild_id": guild_id, "key": key, "problem": text, "told": way})
        if way == "nobody":
            await self.settle(guild_id, [key])

    async def settle(self, guild_id: int, keys: Sequence[str]) -> None:
        """The problems are over."""
        async with self.store.write() as connection:
            await notices.settle_notices(connection, guild_id, keys, self.clock.now())

    async def _tell(self, guild_id: int, settings: GuildSettings, owner_id: int | None, text: str, nonce: str) -> str:
        body = {
            "content": text,
            "flags": SUPPRESS_EMBEDS,
            "allowed_mentions": {"parse": []},
            "nonce": nonce,
            "enforce_nonce": True,
        }
        if settings.moderation.review_channel:
            try:
                around = await look_around(self.rest, self.store, guild_id)
                channel = around.channel(settings.moderation.review_channel, of="moderation.review_channel")
                await self.rest.send(channel.channel_id, body)
            except (TargetError, RejectedError, UncertainError) as error:
                log.warning("the review channel cannot be used", extra={"guild_id": guild_id, "error": str(error)})
            else:
                return "review channel"
        if owner_id is not None:
            try:
                await self.rest.send(await self.rest.open_dm(owner_id), body)
            except (RejectedError, UncertainError) as error:
                log.warning("the owner cannot be written to", extra={"guild_id": guild_id, "error": str(error)})
            else:
                return "owner"
        return "nobody"


async def _owner_id(connection: Connection, guild_id: int) -> int | None:
    try:
        return (await guilds.fetch_guild(connection, guild_id)).owner_id
    except NotFoundError:
        return None


def sentence(error: BaseException) -> str:
    """What to tell people of an error: its own sentence where it is meant for them."""
    if isinstance(error, GazetteError):
        return str(error)
    return f"An error that nobody foresaw: {type(error).__name__}; the log has the details."
