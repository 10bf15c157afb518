"""From a stored edition to messages on Discord, and from a changed edition to changed messages."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass

from bot.errors import ConflictError, DiscordError
from bot.model.clock import Clock
from bot.model.guilds import audience_can_read
from bot.model.publication import EditionStatus, StoredEdition
from bot.model.settings import GuildSettings
from bot.publish import plan
from bot.publish.delivery import Delivery, Hold
from bot.publish.rest import UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, DiscordRest, RejectedError
from bot.publish.surroundings import Surroundings, look_around
from bot.store import editions, guilds, messages
from bot.store.actions import log_action
from bot.store.engine import Store
from bot.store.sources import sources_of

log = logging.getLogger(__name__)

ROUNDS = 3
Remake = Callable[[int], Awaitable[None]]
"""Makes a stored edition anew, given its id."""
Refresh = Callable[[Collection[int]], Awaitable[None]]
"""Reads messages again, given their ids, and stores them as they stand; that marks editions as stale."""


async def _as_recorded(message_ids: Collection[int]) -> None:
    """What was recorded live is taken for what stands."""


async def unclaimed() -> None:
    """The `hold` of somebody who need not share with others."""


_MAY_BE_POSTED = (EditionStatus.DRAFT, EditionStatus.APPROVED, EditionStatus.FAILED)


_LEAKS = (
    "The edition {title!r} tells of messages from channels that not all readers of the digest's channels may see; "
    "exclude those channels in the settings, or post the digest elsewhere."
)


class AudienceError(DiscordError):
    """An edition tells of messages that the readers of its channel may not see, and making it anew did not help."""


@dataclass(frozen=True, slots=True)
class Publisher:
    """Posts editions, each once.

    `remake` makes a stored edition anew, `refresh` reads quoted messages again just before posting.
    """

    store: Store
    rest: DiscordRest
    clock: Clock
    remake: Remake
    refresh: Refresh = _as_recorded

    async def publish(self, edition_id: int, *, hold: Hold = unclaimed) -> None:
        """Post the edition, or what is still missing of it; nothing where it is published.

        `hold` is awaited before each thing done on Discord and raises where somebody else does it by now.
        Raises TargetError where it cannot be posted, AudienceError where it must not be, ConflictError where it is
        held back, RejectedError and UncertainError of Discord's. May be called again after any of them.
        """
        edition, settings = await self._edition(edition_id)
        if edition.status is EditionStatus.PUBLISHED:
            return
        _refuse_held(edition)
        around = await look_around(self.rest, self.store, edition.guild_id)
        await self._delivery(edition, settings, around, hold).reconcile()
        edition = await self._freshened(edition, settings, around)
        async with self.store.write() as connection:
            await editions.set_status(connection, edition_id, EditionStatus.PUBLISHING, expected=_MAY_BE_POSTED)
        edition, settings = await self._edition(edition_id)
        _refuse_held(edition)
        delivery = self._delivery(edition, settings, around, hold)
        try:
            await delivery.deliver()
        except RejectedError as error:
            if error.code in (UNKNOWN_CHANNEL, UNKNOWN_MESSAGE):
                await delivery.forget_lost()
            raise
        if settings.publish.crosspost:
            await self._crosspost(edition, delivery)
        await self._finish(edition)

    async def settle(self, edition_id: int, *, hold: Hold = unclaimed) -> None:
        """Make what stands on Discord of a published edition say what is stored. Raises as `publish` does."""
        edition, settings = await self._edition(edition_id)
        around = await look_around(self.rest, self.store, edition.guild_id)
        delivery = self._delivery(edition, settings, around, hold)
        await delivery.reconcile()
        if edition.stale_since is not None:
            await self._remade(edition, settings, around)
        await delivery.deliver()

    async def _remade(self, edition: StoredEdition, settings: GuildSettings, around: Surroundings) -> None:
        """Make a posted edition anew. What stands may be readable by fewer now; nothing such is added."""
        stood = await self._leaked(edition, settings, around)
        await self.remake(edition.edition_id)
        anew, settings = await self._edition(edition.edition_id)
        if set(await self._leaked(anew, settings, around)) - set(stood):
            raise AudienceError(_LEAKS.format(title=anew.title))

    async def _freshened(self, edition: StoredEdition, settings: GuildSettings, around: Surroundings) -> StoredEdition:
        """The edition as it may be posted now: made anew where what it rests on has changed."""
        leaked: list[int] = []
        for _ in range(ROUNDS):
            await self.refresh(await self._message_ids(edition))
            edition, _ = await self._edition(edition.edition_id)
            leaked = await self._leaked(edition, settings, around)
            if edition.stale_since is None and not leaked:
                return edition
            log.info(
                "an edition is made anew before it is posted",
                extra={"edition_id": edition.edition_id, "reason": edition.stale_reason, "leaked": len(leaked)},
            )
            await self.remake(edition.edition_id)
            edition, _ = await self._edition(edition.edition_id)
        if leaked:
            raise AudienceError(_LEAKS.format(title=edition.title))
        return edition

    async def _leaked(self, edition: StoredEdition, settings: GuildSettings, around: Surroundings) -> list[int]:
        """Messages that the edition tells of and that somebody who reads where it is posted may not see."""
        places = {place.channel for place in plan.destinations(settings.publish, around).values()}
        message_ids = await self._message_ids(edition)
        async with self.store.read() as connection:
            told = await messages.messages_by_id(connection, message_ids)
        readable = {
            channel_id: channel_id in around.channels
            and all(
                audience_can_read(place, around.channels[channel_id], roles=around.roles, channels=around.channels)
                for place in places
            )
            for channel_id in {message.channel_id for message in told.values()}
        }
        return [message_id for message_id, message in told.items() if not readable[message.channel_id]]

    async def _message_ids(self, edition: StoredEdition) -> list[int]:
        async with self.store.read() as connection:
            return [source.message_id for source in await sources_of(connection, edition.edition_id)]

    async def _crosspost(self, edition: StoredEdition, delivery: Delivery) -> None:
        try:
            await delivery.crosspost()
        except RejectedError as error:
            log.warning("not published to followers", extra={"edition_id": edition.edition_id, "error": str(error)})
            await self._log(edition, "could not publish the digest to followers", reason=str(error))

    async def _finish(self, edition: StoredEdition) -> None:
        async with self.store.write() as connection:
            done = await editions.set_status(
                connection,
                edition.edition_id,
                EditionStatus.PUBLISHED,
                expected=[EditionStatus.PUBLISHING],
                published_at=self.clock.now(),
            )
        if done:
            await self._log(edition, "published the digest")

    async def _log(self, edition: StoredEdition, action: str, **data: str) -> None:
        async with self.store.write() as connection:
            await log_action(
                connection,
                guild_id=edition.guild_id,
                action=action,
                at=self.clock.now(),
                data={"edition_id": str(edition.edition_id), "title": edition.title, **data},
            )

    async def _edition(self, edition_id: int) -> tuple[StoredEdition, GuildSettings]:
        async with self.store.read() as connection:
            edition = await editions.fetch_edition(connection, edition_id)
            return edition, await guilds.fetch_settings(connection, edition.guild_id)

    def _delivery(self, edition: StoredEdition, settings: GuildSettings, around: Surroundings, hold: Hold) -> Delivery:
        return Delivery(self.store, self.rest, self.clock, edition, settings.publish, around, hold)


def _refuse_held(edition: StoredEdition) -> None:
    if edition.status in (EditionStatus.HELD, EditionStatus.SKIPPED):
        raise ConflictError(f"The edition {edition.title!r} is held back; approve it to have it posted.")
