"""What was missed is read back: after every new session, for newly chosen channels, and on request.

For each channel the store knows which stretches were read. The others are fetched page by page, so that reading goes
on where a crash ended it. Stretches that were known before an outage are read again, which shows what was edited,
deleted and reacted to meanwhile.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Iterable
from datetime import datetime, timedelta
from functools import partial

import structlog

from bot.capture import convert
from bot.capture.discord_api import PAGE, History, UnreadableError
from bot.capture.guild_state import GuildState
from bot.capture.pages import Pages, Progress
from bot.capture.plan import ToRead, plan_reading
from bot.capture.recorder import Recorder
from bot.capture.roster import reconcile
from bot.capture.threads import find_threads
from bot.errors import DiscordError, NotFoundError
from bot.model.clock import Clock
from bot.model.guilds import Member
from bot.model.messages import Message
from bot.store import coverage, guilds, members, messages
from bot.store.engine import Store

HORIZONS = {"week": timedelta(days=8), "two weeks": timedelta(days=15), "month": timedelta(days=32)}
"""How far back a channel is read that was never read before, by the length of an edition."""

log = structlog.get_logger(__name__)


class ReadBack:
    """Reads what is missing, in the background (`start`) or when asked (`backfill`, `refresh_messages`)."""

    def __init__(self, recorder: Recorder, *, clock: Clock) -> None:
        self.recorder = recorder
        self.api: History | None = None
        self._store: Store = recorder.store
        self._clock = clock
        self._wake = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._pages = Pages(recorder, clock=clock, api=lambda: self._api, doubt=self._have_doubts)
        self._task: asyncio.Task[None] | None = None

    def start(self, api: History) -> None:
        """Read back from now on whatever the recorder finds missing."""
        self.api = api
        self.recorder.on_work = self._have_work
        self.recorder.find_channel = api.channel
        self._task = asyncio.create_task(self._run(), name="read back")

    async def stop(self) -> None:
        self.recorder.on_work = lambda: None
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            self._task = None
        self._idle.set()

    async def idle(self) -> None:
        """Return when everything that is known to be missing has been read, as far as it can be."""
        await self._idle.wait()

    def _have_work(self) -> None:
        self._idle.clear()
        self._wake.set()

    def _have_doubts(self) -> None:
        if self._task is not None:
            self._have_work()

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            known = self.recorder.intake.guilds
            to_read, known.to_read = known.to_read, set()
            to_list, known.to_list = known.to_list, set()
            rosters, known.rosters_due = known.rosters_due, set()
            doubtful, self.recorder.intake.doubtful = self.recorder.intake.doubtful, set()
            work = [
                self._guarded(guild_id, self.read_guild(guild_id, listing=guild_id in to_list)) for guild_id in to_read
            ]
            work += [self._guarded(guild_id, self._reconcile(guild_id)) for guild_id in rosters]
            if doubtful:
                work.append(self._guarded(0, self.refresh_messages(message_id for _, message_id in doubtful)))
            await asyncio.gather(*work)
            if not self._wake.is_set():
                self._idle.set()

    async def _guarded(self, guild_id: int, work: Awaitable[object]) -> None:
        try:
            await work
        except Exception as error:
            log.exception("reading back failed", guild_id=guild_id)
            self.recorder.problems[f"reading back {guild_id}"] = f"What was missed could not be read back: {error!r}"

    # -- a guild

    async def read_guild(self, guild_id: int, *, listing: bool = True) -> None:
        """Read what is missing of the guild's recorded channels and threads; `listing`: look for threads first."""
        state = await self._state(guild_id)
        if self.recorder.intake.guilds.withheld:
            return
        now = self._clock.now()
        async with self._store.read() as connection:
            open_since = await coverage.open_since(connection, guild_id) or now - timedelta(days=7)
        horizon = min(open_since, now - HORIZONS[state.settings.schedule.every])
        if listing:
            await self._find_threads(state, horizon)
        await self._name_hidden(state)
        async with self._store.write() as connection:
            tasks = await plan_reading(connection, state, now=now, horizon=horizon, open_since=open_since)
        await asyncio.gather(*(self._read_channel(state, task) for task in tasks))

    async def _find_threads(self, state: GuildState, since: datetime) -> None:
        unreadable = partial(self._not_read, state)
        await find_threads(
            self._api,
            self._store,
            state,
            since=since,
            at=self._clock.now(),
            shown=self.recorder.exclusions.shown,
            unreadable=unreadable,
        )
        async with self._store.write() as connection:
            await self.recorder.intake.guilds.record_chosen(connection, state, self._clock.now())

    async def _name_hidden(self, state: GuildState) -> None:
        hidden = state.hidden()
        async with self._store.write() as connection:
            for channel_id in state.named - hidden:
                await guilds.note_unreadable(connection, channel_id, None)
            for channel_id in hidden - state.named:
                await guilds.note_unreadable(connection, channel_id, "Missing Access")
        state.named = hidden

    async def _read_channel(self, state: GuildState, task: ToRead) -> None:
        channel_id = task.channel.channel_id
        try:
            for start, end in task.stretches:
                await self._pages.read(state, channel_id, start, end)
        except UnreadableError as error:
            await self._not_read(state, channel_id, error)
            return
        async with self._store.write() as connection:
            await guilds.note_unreadable(connection, channel_id, None)
            known = await coverage.coverage_of(connection, state.guild.guild_id)
            await coverage.recover_gaps(connection, channel_id, known.get(channel_id, []), at=self._clock.now())

    async def _not_read(self, state: GuildState, channel_id: int, error: UnreadableError) -> None:
        """A channel that cannot be read is named; one that is gone is forgotten with all that was said in it."""
        async with self._store.write() as connection:
            if error.exists:
                await guilds.note_unreadable(connection, channel_id, str(error))
            else:
                known = self.recorder.intake.guilds
                await known.forget_channels(connection, state, [channel_id], self._clock.now())

    # -- on request

    async def backfill(
        self, guild_id: int, channel_id: int, start: datetime, end: datetime, progress: Progress | None = None
    ) -> int:
        """Read `[start, end)` of a channel, whether it was read before or not; returns the number of messages.

        `progress` is told the number so far after each page. Raises NotFoundError for a channel that is not
        recorded, DiscordError where Discord does not let it be read.
        """
        state = await self._state(guild_id)
        channel = state.channels.get(channel_id)
        if channel is None or channel_id not in state.chosen:
            raise NotFoundError("That channel is not recorded; include it in the settings first.")
        try:
            count = await self._pages.read(state, channel_id, start, min(end, self._clock.now()), progress)
        except UnreadableError as error:
            await self._not_read(state, channel_id, error)
            raise DiscordError(f"Discord does not let the bot read #{channel.name}: {error}") from error
        async with self._store.write() as connection:
            await guilds.note_unreadable(connection, channel_id, None)
        return count

    async def recorded_channels(self, guild_id: int, *, since: datetime, within: int | None = None) -> list[int]:
        """The channels and threads that may hold messages to record: all, or the channel `within` and its threads.

        Threads that were archived at or after `since` are looked for. Raises NotFoundError for an unknown guild,
        and where nothing is recorded.
        """
        state = await self._state(guild_id)
        await self._find_threads(state, since)
        chosen = [state.channels[each] for each in state.chosen]
        found = [each for each in chosen if each.is_spoken and within in (None, each.channel_id, each.parent_id)]
        if not found and within is not None:
            raise NotFoundError("That channel is not recorded; include it in the settings first.")
        if not found:
            raise NotFoundError("No channel is recorded yet; choose the digest's channel with `/digest setup`.")
        return sorted(channel.channel_id for channel in found)

    async def refresh_messages(self, message_ids: Iterable[int]) -> None:
        """Read messages again, so that what is quoted is what stands there now: edits, deletions, reactions."""
        async with self._store.read() as connection:
            stored = await messages.messages_by_id(connection, message_ids)
        by_place: dict[tuple[int, int], list[int]] = {}
        for message in stored.values():
            if message.deleted_at is None:
                by_place.setdefault((message.guild_id, message.channel_id), []).append(message.message_id)
        for (guild_id, channel_id), ids in by_place.items():
            state = await self._state(guild_id)
            try:
                await self._pages.reread(state, channel_id, sorted(ids))
            except UnreadableError as error:
                if not error.exists:
                    await self._not_read(state, channel_id, error)

    async def reactors(self, channel_id: int, message_id: int, emoji: str) -> set[int]:
        """Who has reacted to a message with an emoji, as Discord knows it now; nobody where it cannot be asked."""
        found: set[int] = set()
        with contextlib.suppress(UnreadableError):
            while page := await self._api.reactors(channel_id, message_id, emoji, after=max(found, default=0)):
                found |= {int(user["id"]) for user in page}
                if len(page) < PAGE:
                    break
        return found

    async def fetch_member(self, guild_id: int, user_id: int) -> Member | None:
        """A member as Discord knows them now; None for somebody who is not (any more) in the guild."""
        try:
            payload = await self._api.member(guild_id, user_id)
        except UnreadableError:
            return None
        return convert.member_from_payload(payload, guild_id=guild_id)

    async def fetch_message(self, guild_id: int, channel_id: int, message_id: int) -> Message:
        """Read a message that is not stored and store it. Raises NotFoundError where there is nothing to read."""
        state = await self._state(guild_id)
        if channel_id not in state.chosen:
            raise NotFoundError("That channel is not recorded; include it in the settings first.")
        try:
            await self._pages.reread(state, channel_id, [message_id])
        except UnreadableError as error:
            raise NotFoundError(f"That message cannot be read: {error}") from error
        async with self._store.read() as connection:
            stored = await messages.messages_by_id(connection, [message_id])
        if message_id not in stored:
            raise NotFoundError("There is no such message (any more), or its author does not want to appear.")
        return stored[message_id]

    # -- members

    async def _reconcile(self, guild_id: int) -> None:
        state = await self._state(guild_id)
        try:
            await reconcile(
                self._api, self._store, guild_id, clock=self._clock, is_excluded=self.recorder.exclusions.is_excluded
            )
        except UnreadableError:
            self.recorder.lacks_members()
            async with self._store.write() as connection:
                await members.note_withheld(connection, guild_id, at=self._clock.now())
        else:
            log.info("the member list was compared", guild=state.guild.name)

    @property
    def _api(self) -> History:
        if self.api is None:
            raise DiscordError("There is no connection to Discord to read from.")
        return self.api

    async def _state(self, guild_id: int) -> GuildState:
        async with self._store.read() as connection:
            state = await self.recorder.intake.guilds.known(connection, guild_id)
        if state is None:
            raise NotFoundError(f"The guild {guild_id} is not recorded; invite the bot to it first.")
        return state
