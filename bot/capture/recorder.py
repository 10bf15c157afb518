"""From the socket to the committed row: a bounded queue, one writer, batched transactions.

`feed` is awaited where the gateway's frames are read. When the queue is full it waits, so that reading waits
too; after `patience` seconds it lets go, and what was let go is noted as a gap and read back. Coverage grows
in the transaction that stores the messages, so whatever a crash takes is found again as a gap.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta

import structlog

from bot.capture.content_watch import MISSING
from bot.capture.convert import Payload
from bot.capture.events import GatewayEvent, ReactionEvent, ReactionsCleared, ReactionsReread
from bot.capture.exclusions import Exclusions
from bot.capture.guild_events import OVERLAP
from bot.capture.intake import Intake
from bot.capture.metrics import EVENTS, FLUSH, LAG, LOST, QUEUE
from bot.errors import DiscordError, StoreError
from bot.model.clock import Clock
from bot.model.snowflakes import time_of
from bot.store import coverage, references
from bot.store.engine import Store

FLUSH_EVERY = 0.2
"""Seconds after which what was received is written at the latest; a quarter of a second is promised."""

LOOKED_UP_WITHIN = 5.0
"""Seconds for which storing waits until Discord tells of a channel."""

BATCH = 1000
IDLE = 20.0
_CLOCK_OFF = timedelta(minutes=5)
_RETRY_FIRST, _RETRY_MOST = 0.5, 15.0

log = structlog.get_logger(__name__)

_LACKING = {
    "message_content": MISSING,
    "members": (
        "Discord does not tell who joins: switch on the Server Members Intent of the application in Discord's "
        "developer portal and restart; until then joins are known only from arrival messages."
    ),
}

ReactionListener = Callable[[ReactionEvent | ReactionsCleared | ReactionsReread], Awaitable[None]]


class Recorder:
    """Takes the gateway's events and stores them.

    `capacity` events wait at most, and `patience` is how many seconds a full queue holds up the reading of the
    socket. `problems` says in one sentence each what keeps the record from being right. `on_reaction` are
    called after a reaction is committed; `on_work` is called when something is to be read back.
    """

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock,
        exclusions: Exclusions | None = None,
        capacity: int = 10_000,
        patience: float = 30.0,
    ) -> None:
        self.store = store
        self.clock = clock
        self.exclusions = exclusions or Exclusions()
        self.intake = Intake(self.exclusions)
        self.problems: dict[str, str] = {}
        self.on_reaction: list[ReactionListener] = []
        self.on_work: Callable[[], None] = lambda: None
        self.find_channel: Callable[[int], Awaitable[Payload]] | None = None
        self.lost = 0
        """How many events were let go since the start. Each of them lies in a gap that is read back."""
        self._patience = patience
        self._queue: asyncio.Queue[GatewayEvent] = asyncio.Queue(capacity)
        self._hurry = asyncio.Event()
        self._alive: dict[int, datetime] = {}
        self._touched: dict[int, datetime] = {}
        self._lost: dict[int, tuple[datetime, datetime]] = {}
        self._lossy: set[int] = set()
        self._agreed: dict[int, datetime] = {}
        self._doubted: dict[int, datetime] = {}
        self._nowhere: set[int] = set()
        self._task: asyncio.Task[None] | None = None

    # -- the way in

    async def feed(self, event: str, payload: Payload, *, shard_id: int = 0) -> None:
        """Take one event as the gateway sent it. Waits while the queue is full, for `patience` seconds at most."""
        received = GatewayEvent(self.clock.now(), shard_id, event, payload)
        if event == "MESSAGE_CREATE":
            self._compare_clocks(received)
        if not self._queue.full():
            self._lossy.discard(shard_id)
            self._queue.put_nowait(received)
            return
        if shard_id not in self._lossy:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._patience):
                    await self._queue.put(received)
                return
        self._let_go(received)

    def alive(self, shard_id: int = 0) -> None:
        """A frame of the shard was read: what Discord sent before it has been fed."""
        self._alive[shard_id] = self.clock.now()

    def _compare_clocks(self, event: GatewayEvent) -> None:
        """Discord's time stands in the message's id. While the clocks differ, what was covered cannot be told; once
        they agree again, everything since they last did is read back."""
        sent = time_of(int(event.payload["id"]))
        off = event.at - sent
        if abs(off) > _CLOCK_OFF:
            since = self._agreed.get(event.shard_id, min(sent, event.at) - timedelta(days=1))
            self._doubted.setdefault(event.shard_id, since)
            self.problems["clock"] = (
                f"The machine's clock and Discord's differ by {abs(off).total_seconds() / 60:.0f} minutes; have the "
                "machine's set by NTP. Once they agree, what may have been missed is read back."
            )
            return
        self._agreed[event.shard_id] = sent - OVERLAP
        if doubted := self._doubted.pop(event.shard_id, None):
            self._lost[event.shard_id] = (min(doubted, self._lost.get(event.shard_id, (doubted,))[0]), event.at)
        if not self._doubted:
            self.problems.pop("clock", None)

    def _let_go(self, event: GatewayEvent) -> None:
        since = event.at - OVERLAP  # what it tells of happened before it was received
        first, _ = self._lost.get(event.shard_id, (since, event.at))
        self._lost[event.shard_id] = (first, event.at)
        self._lossy.add(event.shard_id)
        self.lost += 1
        LOST.inc()
        self.problems["queue"] = (
            "The database takes longer than 30 seconds for what Discord sends; what was let go is read back later."
        )

    def lacks(self, intents: Sequence[str]) -> None:
        """Note which privileged intents the application lacks; an empty sequence: none."""
        self.intake.lacks_content = self.intake.guilds.withheld = "message_content" in intents
        for intent, told in _LACKING.items():
            if intent in intents:
                self.problems[intent] = told
            else:
                self.problems.pop(intent, None)

    def lacks_members(self) -> None:
        """Note that Discord does not give a guild's member list."""
        self.problems["members"] = _LACKING["members"]

    async def settings_changed(self, guild_id: int) -> None:
        """Take over a guild's settings after they were stored: what is recorded, and which references are found."""
        await self.drain()
        async with self.store.write() as connection:
            await self.intake.guilds.settings_changed(connection, guild_id, at=self.clock.now())
            await references.rewrite_references(connection, guild_id)
        self.on_work()

    # -- the writer

    async def start(self) -> None:
        """Begin to write. Raises StoreError where the database cannot be used."""
        await self.exclusions.reload(self.store)
        self._task = asyncio.create_task(self._write(), name="recorder")

    async def drain(self) -> None:
        """Return when everything that was fed is committed. Raises what ended the writer, if it has ended."""
        self._hurry.set()
        await self._or_fail(self._queue.join())
        await self._touch()

    async def stop(self) -> None:
        """Write what was fed, then end."""
        if self._task is None:
            return
        await self.drain()
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        self._task = None

    async def _or_fail(self, work: Awaitable[None]) -> None:
        waiting = asyncio.ensure_future(work)
        watched = {waiting, self._task} if self._task else {waiting}
        await asyncio.wait(watched, return_when=asyncio.FIRST_COMPLETED)
        if not waiting.done():
            waiting.cancel()
        if self._task and self._task.done() and not self._task.cancelled():
            self._task.result()

    async def _write(self) -> None:
        while True:
            try:
                async with asyncio.timeout(IDLE):  # wait_for loses a cancellation that comes with the event
                    first = await self._queue.get()
            except TimeoutError:
                await self._retried(self._touch)
                continue
            if self._queue.qsize() < BATCH and not self._hurry.is_set():
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(FLUSH_EVERY):
                        await self._hurry.wait()
            alive = dict(self._alive)
            batch = [first]
            while len(batch) < BATCH and not self._queue.empty():
                batch.append(self._queue.get_nowait())
            seen = alive if self._queue.empty() else {event.shard_id: event.at for event in batch}
            await self._find_channels(batch)
            with FLUSH.time():
                await self._retried(lambda batch=batch, seen=seen: self._commit(batch, seen))  # type: ignore[misc]
            EVENTS.inc(len(batch))
            QUEUE.set(self._queue.qsize())
            LAG.set(max(0.0, (self.clock.now() - first.at).total_seconds()))
            await self._after_commit()
            for _ in batch:
                self._queue.task_done()
            if self._queue.empty():
                self._hurry.clear()

    async def _find_channels(self, batch: Sequence[GatewayEvent]) -> None:
        """Ask Discord for channels that events name and nobody has told of: threads that were archived before.

        Where the answer takes long, storing goes on, and the guild's threads are listed and read back instead.
        """
        if self.find_channel is None:
            return
        states = self.intake.guilds.states
        for event in batch:
            state = states.get(int(event.payload.get("guild_id") or 0))
            channel_id = int(event.payload.get("channel_id") or 0)
            if state is None or not channel_id or channel_id in state.channels or channel_id in self._nowhere:
                continue
            try:
                async with asyncio.timeout(LOOKED_UP_WITHIN):
                    payload = await self.find_channel(channel_id)
            except (DiscordError, TimeoutError) as error:
                self._nowhere.add(channel_id)
                log.warning("a channel cannot be looked up", channel_id=channel_id, reason=str(error))
                if isinstance(error, TimeoutError):
                    self.intake.guilds.to_list.add(state.guild.guild_id)
                    self.intake.guilds.to_read.add(state.guild.guild_id)
                continue
            async with self.store.write() as connection:
                await self.intake.guilds.found(connection, state, payload, at=event.at)

    async def _retried(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do it, again and again while the database cannot be used; meanwhile the queue fills and reading waits."""
        delay = _RETRY_FIRST
        while True:
            try:
                await work()
            except StoreError as error:
                self.problems["store"] = str(error)
                log.warning("recording waits for the database", error=str(error), seconds=delay)
                await asyncio.sleep(delay)
                delay = min(delay * 2, _RETRY_MOST)
            else:
                self.problems.pop("store", None)
                return

    async def _commit(self, batch: Sequence[GatewayEvent], seen: dict[int, datetime]) -> None:
        try:
            await self._apply(batch, seen)
        except (StoreError, asyncio.CancelledError):
            raise
        except Exception as error:
            if len(batch) == 1:
                await self._give_up(batch[0], error)
                return
            for event in batch:
                await self._commit([event], {})
            await self._apply([], seen)

    async def _apply(self, batch: Sequence[GatewayEvent], seen: dict[int, datetime]) -> None:
        try:
            async with self.store.write() as connection:
                await self.intake.apply(connection, batch)
                for shard_id, at in seen.items():
                    await coverage.touch(connection, shard_id, at=at)
        except BaseException:
            self.intake.forget()
            raise
        self._touched |= seen

    async def _give_up(self, event: GatewayEvent, error: Exception) -> None:
        """An event that cannot be stored is named, and the place where it belongs becomes a gap."""
        log.error("an event could not be stored", discord_event=event.name, exc_info=error)
        self.problems["event"] = f"An event {event.name} of {event.at:%Y-%m-%d %H:%M} could not be stored: {error!r}"
        channel_id, guild_id = event.payload.get("channel_id"), event.payload.get("guild_id")
        if channel_id and guild_id:
            async with self.store.write() as connection:
                await coverage.note_not_understood(
                    connection, guild_id=int(guild_id), channel_id=int(channel_id), at=event.at
                )

    async def _touch(self) -> None:
        """Say up to when everything is stored, also where nothing has happened."""
        if not self._queue.empty():
            return
        moved = {shard_id: at for shard_id, at in self._alive.items() if self._touched.get(shard_id) != at}
        if moved:
            await self._apply([], moved)

    async def _after_commit(self) -> None:
        await self._note_lost()
        await self._watch_content()
        reacted, self.intake.reacted = self.intake.reacted, []
        for event in reacted:
            await self.reacted(event)
        if self.intake.guilds.to_read or self.intake.guilds.rosters_due or self.intake.doubtful:
            self.on_work()

    async def reacted(self, event: ReactionEvent | ReactionsCleared | ReactionsReread) -> None:
        """Tell those who listen to reactions. What fails there is logged and holds nothing up."""
        for listener in self.on_reaction:
            try:
                await listener(event)
            except Exception:
                log.exception("a listener to reactions failed")

    async def _watch_content(self) -> None:
        """Where texts are withheld, nothing counts as covered any more, back to the first message without one."""
        watch, known = self.intake.content, self.intake.guilds
        if not watch.is_missing:
            self.problems.pop("empty messages", None)
        elif "empty messages" not in self.problems and watch.since is not None:
            log.error("message content is missing", advice=MISSING)
            self.problems["empty messages"] = MISSING
            known.withheld = True
            since = watch.since
            for shard_id in {state.shard_id for state in known.states.values() if state.connected}:
                await self._retried(lambda s=shard_id: self._lose(s, since, since, reason="text withheld"))  # type: ignore[misc]

    async def _note_lost(self) -> None:
        """Once there is room again: what was let go becomes a gap of every channel of the shard."""
        for shard_id in [each for each in self._lost if each not in self._lossy or self._queue.empty()]:
            start, end = self._lost.pop(shard_id)
            self._lossy.discard(shard_id)
            await self._retried(lambda s=shard_id, a=start, b=end: self._lose(s, a, b))  # type: ignore[misc]
        if not self._lost:
            self.problems.pop("queue", None)

    async def _lose(self, shard_id: int, start: datetime, end: datetime, *, reason: str = "overload") -> None:
        """Note a gap from `start` to now, at least to `end`, in everything that the shard records."""
        now = self.clock.now()
        async with self.store.write() as connection:
            for guild_id, state in self.intake.guilds.states.items():
                if state.shard_id != shard_id or not state.connected:
                    continue
                recorded = dict.fromkeys(state.recorded, guild_id)
                await coverage.end_live(connection, shard_id, at=start, channel_ids=recorded)
                await coverage.lose(connection, recorded, start, max(now, end), reason=reason)
                if self.intake.guilds.withheld:
                    continue
                await coverage.begin_live(connection, shard_id, recorded, at=now)
                self.intake.guilds.to_read.add(guild_id)
                self.intake.guilds.rosters_due.add(guild_id)
