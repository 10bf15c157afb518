"""A channel's history, read page by page: a page and the coverage it gives are one transaction.

A page is the word of Discord as of when it was asked for. What is stored between its ends but does not stand in it
was deleted meanwhile; of the newest messages this cannot be told by a page, and they are asked for one by one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import structlog

from bot.capture import convert
from bot.capture.convert import Payload
from bot.capture.discord_api import History, UnreadableError
from bot.capture.events import ReactionsReread
from bot.capture.guild_events import OVERLAP
from bot.capture.guild_state import GuildState
from bot.capture.recorder import Recorder
from bot.capture.recording_import import store_converted
from bot.model.clock import Clock
from bot.model.messages import Message
from bot.model.snowflakes import first_id_at, time_of
from bot.store import coverage, messages
from bot.store.engine import Connection, Store

_SETTLED = timedelta(seconds=5)
"""A message younger than this may be missing from a page without being deleted."""

_AT_ONCE = 4
"""How many pages are asked for at the same time."""

_LAST_ID = (1 << 63) - 1

log = structlog.get_logger(__name__)

Progress = Callable[[int], None]


@dataclass(slots=True)
class _Page:
    """A page of history, and what was known when it was asked for."""

    state: GuildState
    channel_id: int
    after: int
    payloads: Sequence[Payload]
    asked_at: datetime
    reactions_seen: int
    gone: set[int] = field(default_factory=set)

    @property
    def ids(self) -> set[int]:
        return {int(payload["id"]) for payload in self.payloads}

    def upto(self, last: int) -> list[Payload]:
        """What of the page comes before the id `last`."""
        return [payload for payload in self.payloads if int(payload["id"]) < last]


class Pages:
    """Reads pages of history into the store.

    `api` raises DiscordError while there is no connection to read from; `doubt` is called after a page that left
    doubts about counts of reactions.
    """

    def __init__(
        self, recorder: Recorder, *, clock: Clock, api: Callable[[], History], doubt: Callable[[], None]
    ) -> None:
        self._recorder = recorder
        self._store: Store = recorder.store
        self._clock = clock
        self._api = api
        self._doubt = doubt
        self._at_once = asyncio.Semaphore(_AT_ONCE)

    async def read(
        self, state: GuildState, channel_id: int, start: datetime, end: datetime, progress: Progress | None = None
    ) -> int:
        """Fetch `[start, end)` of a channel, and a little more, page by page; returns how many messages that are."""
        after, last = first_id_at(start) - 1, first_id_at(end + OVERLAP)
        count = 0
        while True:
            page = await self._fetch(state, channel_id, after=after)
            inside = page.upto(last)
            whole = len(page.payloads) < self._api().page_size or len(inside) < len(page.payloads)
            upto = last - 1 if whole else int(inside[-1]["id"])
            async with self._store.write() as connection:
                await self._store_page(connection, page, inside, upto)
                read_until = end if whole else min(end, time_of(upto))
                await coverage.add_coverage(connection, state.guild.guild_id, channel_id, start, read_until)
            await self._after_page(page, inside)
            count += len(inside)
            if progress is not None:
                progress(count)
            if whole:
                return count
            after = upto

    async def reread(self, state: GuildState, channel_id: int, ids: list[int]) -> None:
        """Read the messages with these ids (ascending) again, and what stands between them."""
        while ids:
            page = await self._fetch(state, channel_id, after=ids[0] - 1)
            full = len(page.payloads) == self._api().page_size
            upto = int(page.payloads[-1]["id"]) if full else ids[-1]
            async with self._store.write() as connection:
                await self._store_page(connection, page, page.payloads, upto)
            await self._after_page(page, page.payloads)
            ids = [each for each in ids if each > upto]

    async def _fetch(self, state: GuildState, channel_id: int, *, after: int) -> _Page:
        channel = state.channels.get(channel_id)
        if channel is not None and not state.can_read_history(channel):
            raise UnreadableError("Missing Permissions: Read Message History", exists=True)
        async with self._at_once:
            asked_at, seen = self._clock.now(), self._recorder.intake.reactions_seen
            first = max(after + 1, first_id_at(asked_at - _SETTLED))
            async with self._store.read() as connection:
                young = await messages.visible_ids(connection, channel_id, first, _LAST_ID)
            payloads = await self._api().messages(channel_id, after=after)
        page = _Page(state, channel_id, after, payloads, asked_at, seen)
        if young and (len(payloads) < self._api().page_size or int(payloads[-1]["id"]) >= first):
            page.gone = await self._gone(channel_id, young - page.ids)
        return page

    async def _gone(self, channel_id: int, message_ids: Iterable[int]) -> set[int]:
        """Which of the messages Discord no longer knows, asked one by one: they are too young to tell by a page."""
        gone = set()
        for message_id in sorted(message_ids):
            try:
                await self._api().message(channel_id, message_id)
            except UnreadableError as error:
                if not error.exists:
                    gone.add(message_id)
        return gone

    async def _store_page(self, connection: Connection, page: _Page, inside: Sequence[Payload], upto: int) -> None:
        """Store a page, and mark what is stored and visible between its ends but not in it: it was deleted."""
        state, intake = page.state, self._recorder.intake
        await self._recorder.exclusions.refresh(connection)
        found = await self._converted(connection, state, inside)
        await store_converted(connection, found)
        for message, _ in found:
            if intake.reacted_since(message.message_id, page.reactions_seen):
                intake.doubtful.add((page.channel_id, message.message_id))
        intake.recounted((message.message_id for message, _ in found), at=self._clock.now())
        sure = min(upto, first_id_at(page.asked_at - _SETTLED) - 1)
        stored = await messages.visible_ids(connection, page.channel_id, page.after + 1, sure)
        gone = (stored - page.ids) | page.gone
        await messages.delete_messages(connection, state.guild.guild_id, page.channel_id, gone, at=page.asked_at)

    async def _after_page(self, page: _Page, inside: Sequence[Payload]) -> None:
        """Have the reactions that stand on the page's messages compared with what is known of them."""
        standing = {
            int(payload["id"]): tuple(convert.emoji_key(each["emoji"]) for each in payload.get("reactions") or ())
            for payload in inside
        }
        await self._recorder.reacted(
            ReactionsReread(guild_id=page.state.guild.guild_id, channel_id=page.channel_id, emojis=standing)
        )
        if self._recorder.intake.doubtful:
            self._doubt()

    async def _converted(
        self, connection: Connection, state: GuildState, page: Iterable[Payload]
    ) -> list[tuple[Message, bool]]:
        """The messages of a page; one that makes no sense is named, and does not keep the others from being read."""
        found = []
        guild = state.guild
        for payload in page:
            try:
                said = convert.message_from_payload(payload, guild_id=guild.guild_id, self_id=guild.self_id)
            except (AttributeError, LookupError, TypeError, ValueError) as error:
                message_id, channel_id = int(payload["id"]), int(payload["channel_id"])
                log.exception("a message of the history makes no sense", message_id=message_id)
                self._recorder.problems["message"] = f"The message {message_id} could not be stored: {error!r}"
                await coverage.note_not_understood(
                    connection, guild_id=guild.guild_id, channel_id=channel_id, at=time_of(message_id)
                )
                continue
            if message := self._recorder.exclusions.admit(said, payload):
                self._recorder.intake.content.see(message, payload, guild.self_id)
                found.append((message, bool(payload["author"].get("bot"))))
        return found
