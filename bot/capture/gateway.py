"""The gateway's frames handed on as they come, with back-pressure.

discord.py turns every event into a task, so nothing that listens to it can make it wait. This WebSocket takes
the payloads of the events that are recorded where the frame is read, and awaits their being taken: the next
frame is not read before. Creations and edits of messages are not turned into discord.py's objects at all, since
nobody listens to those; everything else goes its usual way too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import discord.client
import discord.gateway
import discord.shard
from discord.gateway import DiscordWebSocket

RECORDED = frozenset(
    {
        "READY",
        "GUILD_CREATE",
        "GUILD_UPDATE",
        "GUILD_DELETE",
        "GUILD_ROLE_CREATE",
        "GUILD_ROLE_UPDATE",
        "GUILD_ROLE_DELETE",
        "CHANNEL_CREATE",
        "CHANNEL_UPDATE",
        "CHANNEL_DELETE",
        "THREAD_CREATE",
        "THREAD_UPDATE",
        "THREAD_DELETE",
        "THREAD_LIST_SYNC",
        "GUILD_MEMBER_ADD",
        "GUILD_MEMBER_UPDATE",
        "GUILD_MEMBER_REMOVE",
        "MESSAGE_CREATE",
        "MESSAGE_UPDATE",
        "MESSAGE_DELETE",
        "MESSAGE_DELETE_BULK",
        "MESSAGE_REACTION_ADD",
        "MESSAGE_REACTION_REMOVE",
        "MESSAGE_REACTION_REMOVE_EMOJI",
        "MESSAGE_REACTION_REMOVE_ALL",
        "GUILD_SCHEDULED_EVENT_CREATE",
        "GUILD_SCHEDULED_EVENT_UPDATE",
        "GUILD_SCHEDULED_EVENT_DELETE",
    }
)
_ONLY_RECORDED = frozenset({"MESSAGE_CREATE", "MESSAGE_UPDATE"})

Parser = Callable[[Any], Any]


class Tap(Protocol):
    """Whoever takes the events."""

    async def feed(self, event: str, payload: Mapping[str, Any], *, shard_id: int = 0) -> None: ...

    def alive(self, shard_id: int = 0) -> None: ...


class _Parsers(dict[str, Parser]):
    """discord.py's parsers, and beside them a note of what was parsed: discord.py looks its parser up in here."""

    def __init__(self, parsers: Mapping[str, Parser]) -> None:
        self.taken: list[tuple[str, Any]] = []
        super().__init__(parsers)
        for event in RECORDED:
            self[event] = self._noting(event, None if event in _ONLY_RECORDED else parsers.get(event))

    def _noting(self, event: str, parser: Parser | None) -> Parser:
        def note(data: Any) -> None:
            self.taken.append((event, data))
            if parser is not None:
                parser(data)

        return note


class RecordedWebSocket(DiscordWebSocket):
    """discord.py's WebSocket for a client with a `tap`; for any other it is as it was."""

    _tap: Tap | None = None
    _parsers: _Parsers

    @classmethod
    async def from_client(cls, client: Any, **options: Any) -> RecordedWebSocket:
        socket = await super().from_client(client, **options)
        socket._tap = getattr(client, "tap", None)
        if socket._tap is not None:
            socket._parsers = _Parsers(socket._discord_parsers)
            socket._discord_parsers = socket._parsers
        return socket

    async def received_message(self, msg: Any, /) -> None:
        await super().received_message(msg)
        if self._tap is None:
            return
        if taken := self._parsers.taken:
            self._parsers.taken = []
            for event, data in taken:
                await self._tap.feed(event, data, shard_id=self.shard_id or 0)
        self._tap.alive(self.shard_id or 0)


def install() -> None:
    """Have discord.py open its connections with this WebSocket; it looks the class up in these modules."""
    for module in (discord.client, discord.shard):
        module.DiscordWebSocket = RecordedWebSocket  # type: ignore[attr-defined]
