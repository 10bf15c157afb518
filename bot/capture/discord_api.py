"""Discord's HTTP API for reading: history, threads, members. Patient with rate limits and outages.

discord.py waits for limits that name their end. What it gives up on is waited for here: a block without any
word of its length (everything waits, for minutes), failing servers, broken connections.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, Protocol, TypeVar

import aiohttp
import discord
import structlog
from discord.http import HTTPClient

from bot.capture.convert import Payload
from bot.capture.metrics import DISCORD_CALLS
from bot.errors import DiscordError
from bot.model.clock import Clock

PAGE = 100
MEMBERS_PAGE = 1000
BLOCK = timedelta(minutes=2)
"""How long everything waits after a 429 that does not say how long."""

_FIRST_PAUSE, _LONGEST_PAUSE = timedelta(seconds=2), timedelta(minutes=5)

T = TypeVar("T")
log = structlog.get_logger(__name__)


class UnreadableError(DiscordError):
    """Discord does not let the bot read this, or it does not exist; `str()` is Discord's reason."""

    def __init__(self, reason: str, *, exists: bool) -> None:
        super().__init__(reason)
        self.exists = exists


class History(Protocol):
    """What reading back needs of Discord. Every method raises UnreadableError where it may not."""

    page_size: int
    """How many messages a page holds at most."""

    async def messages(self, channel_id: int, *, after: int) -> Sequence[Payload]: ...

    async def message(self, channel_id: int, message_id: int) -> Payload: ...

    async def channel(self, channel_id: int) -> Payload: ...

    async def channels(self, guild_id: int) -> Sequence[Payload]: ...

    async def archived_threads(self, channel_id: int, *, private: bool, before: str | None) -> Payload: ...

    async def active_threads(self, guild_id: int) -> Sequence[Payload]: ...

    async def members(self, guild_id: int, *, after: int) -> Sequence[Payload]: ...

    async def member(self, guild_id: int, user_id: int) -> Payload: ...

    async def reactors(self, channel_id: int, message_id: int, emoji: str, *, after: int) -> Sequence[Payload]: ...


class DiscordApi:
    """`History` over discord.py's HTTP client, which has to be logged in."""

    page_size = PAGE

    def __init__(self, http: HTTPClient, *, clock: Clock) -> None:
        self._http = http
        self._clock = clock
        self._blocked_until: datetime | None = None

    async def messages(self, channel_id: int, *, after: int) -> Sequence[Payload]:
        """The (at most 100) messages that follow the id `after`, oldest first."""
        page: list[Payload] = await self._ask(lambda: self._http.logs_from(channel_id, PAGE, after=after))
        return sorted(page, key=lambda message: int(message["id"]))

    async def message(self, channel_id: int, message_id: int) -> Payload:
        found: Payload = await self._ask(lambda: self._http.get_message(channel_id, message_id))
        return found

    async def channel(self, channel_id: int) -> Payload:
        found: Payload = await self._ask(lambda: self._http.get_channel(channel_id))
        return found

    async def channels(self, guild_id: int) -> Sequence[Payload]:
        """All channels of the guild, without its threads."""
        found: list[Payload] = await self._ask(lambda: self._http.get_all_guild_channels(guild_id))
        return found

    async def active_threads(self, guild_id: int) -> Sequence[Payload]:
        """The guild's active threads that the bot can see."""
        found: list[Payload] = (await self._ask(lambda: self._http.get_active_threads(guild_id)))["threads"]
        return found

    async def archived_threads(self, channel_id: int, *, private: bool, before: str | None) -> Payload:
        """A page of archived threads, the last archived first; with `private` those that the bot has joined.

        `before` is an instant for public threads, a thread's id for private ones.
        """
        asked: Any = before
        page: Payload
        if private:
            page = await self._ask(
                lambda: self._http.get_joined_private_archived_threads(channel_id, before=asked, limit=PAGE)
            )
        else:
            page = await self._ask(lambda: self._http.get_public_archived_threads(channel_id, before=asked, limit=PAGE))
        return page

    async def members(self, guild_id: int, *, after: int) -> Sequence[Payload]:
        """The (at most 1,000) members whose ids follow `after`, in the order of their ids."""
        page: list[Payload] = await self._ask(lambda: self._http.get_members(guild_id, MEMBERS_PAGE, after or None))
        return page

    async def member(self, guild_id: int, user_id: int) -> Payload:
        found: Payload = await self._ask(lambda: self._http.get_member(guild_id, user_id))
        return found

    async def reactors(self, channel_id: int, message_id: int, emoji: str, *, after: int) -> Sequence[Payload]:
        """The (at most 100) users whose ids follow `after` and whose reaction with the emoji stands on the message."""
        page: list[Payload] = await self._ask(
            lambda: self._http.get_reaction_users(channel_id, message_id, emoji, PAGE, after or None)
        )
        return page

    async def _ask(self, request: Callable[[], Awaitable[Any]]) -> Any:
        pause = _FIRST_PAUSE
        while True:
            if self._blocked_until is not None:
                await self._clock.sleep_until(self._blocked_until)
            try:
                answer = await request()
                DISCORD_CALLS.labels("reading", "ok").inc()
                return answer
            except (discord.Forbidden, discord.NotFound) as error:
                DISCORD_CALLS.labels("reading", str(error.status)).inc()
                is_gone = error.status == 404 and error.code != 0  # without a code it is not Discord that speaks
                raise UnreadableError(error.text or str(error), exists=not is_gone) from error
            except discord.HTTPException as error:
                DISCORD_CALLS.labels("reading", str(error.status)).inc()
                if error.status == 429:
                    self._blocked_until = self._clock.now() + _told_wait(error)
                    log.warning("Discord blocks requests; reading back waits", until=str(self._blocked_until))
                    continue
                if error.status < 500:
                    raise
                told: object = error
            except (TimeoutError, aiohttp.ClientError, OSError) as error:
                told = error
            log.warning("Discord does not answer; reading back tries again", error=str(told), after=str(pause))
            await self._clock.sleep_until(self._clock.now() + pause)
            pause = min(pause * 2, _LONGEST_PAUSE)


def _told_wait(error: discord.HTTPException) -> timedelta:
    try:
        return max(timedelta(seconds=float(error.response.headers["Retry-After"])), timedelta(seconds=1))
    except (KeyError, ValueError):
        return BLOCK
