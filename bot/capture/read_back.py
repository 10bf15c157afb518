"""What was missed is read back: after every new session, for newly chosen channels, and on request.

For each channel the store knows which stretches were read. The others are fetched page by page; a page and the
coverage it gives are one transaction, so that reading goes on where a crash ended it. Stretches that were known
before an outage are read again, which shows what was edited, deleted and reacted to meanwhile.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

import structlog

from bot.capture import convert
from bot.capture.convert import Payload
from bot.capture.discord_api import PAGE, History, UnreadableError
from bot.capture.events import ReactionsReread
from bot.capture.guild_events import OVERLAP
from bot.capture.guild_state import GuildState
from bot.capture.metrics import GAPS
from bot.capture.recorder import Recorder
from bot.capture.recording_import import store_converted
from bot.capture.roster import reconcile
from bot.capture.threads import find_threads
from bot.errors import DiscordError, NotFoundError
from bot.model.clock import Clock
from bot.model.guilds import Channel, Member
from bot.model.messages import Message
from bot.model.snowflakes import first_id_at, time_of
from bot.model.stretches import Stretch, merged, missing
from bot.store import coverage, guilds, members, messages
from bot.store.engine import Connection, Store

SETTLED = timedelta(seconds=5)
"""A message younger than this may be missing from a page without being deleted."""

AT_ONCE = 4
_LAST_ID = (1 << 63) - 1
HORIZONS = {"week": timedelta(days=8), "two weeks": timedelta(days=15), "month": timedelta(days=32)}
"""How far back a channel is read that was never read before, by the length of an edition."""

log = structlog.get_logger(__name__)

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class _Task:
    """Stretches of a channel to be fetched."""

    channel: Channel
    stretches: tuple[Stretch, ...]


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
        self._at_once = asyncio.Semaphore(AT_ONCE)
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
        tasks = await self._plan(state, now=now, horizon=horizon, open_since=open_since)
        await asyncio.gather(*(self._read_channel(state, task) for task in tasks))

    async def _find_threads(self, state: GuildState, since: datetime) -> None:
        unreadable = partial(self._not_read, state)
        await find_threads(self._api, self._store, state, since=since, at=self._clock.now(), unreadable=unreadable)

    async def _name_hidden(self, state: GuildState) -> None:
        hidden = state.hidden()
        async with self._store.write() as connection:
            for channel_id in state.named - hidden:
                await guilds.note_unreadable(connection, channel_id, None)
            for channel_id in hidden - state.named:
                await guilds.note_unreadable(connection, channel_id, "Missing Access")
        state.named = hidden

    async def _plan(self, state: GuildState, *, now: datetime, horizon: datetime, open_since: datetime) -> list[_Task]:
        tasks = []
        async with self._store.write() as connection:
            known = await coverage.coverage_of(connection, state.guild.guild_id)
            live = await self._live(connection, state)
            gaps: list[coverage.Gap] = []
            for channel in state.spoken_in():
                covered = known.get(channel.channel_id, [])
                start = max(horizon, time_of(channel.channel_id))
                holes = missing(covered, start, live.get(channel.channel_id, now))
                if not holes:
                    continue
                outages = [hole for hole in holes if covered and covered[0][0] < hole[0]]
                gaps += [_gap(state, channel, outage) for outage in outages]
                stretches = holes
                if outages and await messages.visible_ids(
                    connection, channel.channel_id, first_id_at(open_since), first_id_at(outages[-1][0]), limit=1
                ):
                    stretches = merged([*stretches, (max(open_since, start), outages[-1][1])])
                elif state.was_silent(channel.channel_id, holes[0][0] - OVERLAP, holes[-1][1]):
                    for begins, ends in holes:
                        await coverage.add_coverage(connection, state.guild.guild_id, channel.channel_id, begins, ends)
                    stretches = []
                tasks.append(_Task(channel, tuple(merged(stretches))))
            await coverage.note_gaps(connection, gaps)
        GAPS.inc(len(gaps))
        return tasks

    async def _live(self, connection: Connection, state: GuildState) -> dict[int, datetime]:
        """Since when each channel is being recorded; what is said from then on is stored or on its way."""
        if not state.connected:
            return {}
        return await coverage.live_since(connection, state.shard_id, state.guild.guild_id)

    async def _read_channel(self, state: GuildState, task: _Task) -> None:
        channel_id = task.channel.channel_id
        try:
            for start, end in task.stretches:
                await self._read_stretch(state, channel_id, start, end)
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

    # -- a stretch

    async def _read_stretch(
        self, state: GuildState, channel_id: int, start: datetime, end: datetime, progress: Progress | None = None
    ) -> int:
        """Fetch `[start, end)` of a channel, and a little more, page by page; returns how many messages that are."""
        after, last = first_id_at(start) - 1, first_id_at(end + OVERLAP)
        count = 0
        while True:
            page = await self._fetch(state, channel_id, after=after)
            inside = page.upto(last)
            whole = len(page.payloads) < self._api.page_size or len(inside) < len(page.payloads)
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

    async def _fetch(self, state: GuildState, channel_id: int, *, after: int) -> _Page:
        channel = state.channels.get(channel_id)
        if channel is not None and not state.can_read_history(channel):
            raise UnreadableError("Missing Permissions: Read Message History", exists=True)
        async with self._at_once:
            asked_at, seen = self._clock.now(), self.recorder.intake.reactions_seen
            first = max(after + 1, first_id_at(asked_at - SETTLED))
            async with self._store.read() as connection:
                young = await messages.visible_ids(connection, channel_id, first, _LAST_ID)
            payloads = await self._api.messages(channel_id, after=after)
        page = _Page(state, channel_id, after, payloads, asked_at, seen)
        if young and (len(payloads) < self._api.page_size or int(payloads[-1]["id"]) >= first):
            page.gone = await self._gone(channel_id, young - page.ids)
        return page

    async def _gone(self, channel_id: int, message_ids: Iterable[int]) -> set[int]:
        """Which of the messages Discord no longer knows, asked one by one: they are too young to tell by a page."""
        gone = set()
        for message_id in sorted(message_ids):
            try:
                await self._api.message(channel_id, message_id)
            except UnreadableError as error:
                if not error.exists:
                    gone.add(message_id)
        return gone

    async def _store_page(self, connection: Connection, page: _Page, inside: Sequence[Payload], upto: int) -> None:
        """Store a page, and mark what is stored and visible between its ends but not in it: it was deleted."""
        state, intake = page.state, self.recorder.intake
        await self.recorder.exclusions.refresh(connection)
        found = await self._converted(connection, state, inside)
        await store_converted(connection, found)
        for message, _ in found:
            intake.content.see(message, state.guild.self_id)
            if intake.reacted_since(message.message_id, page.reactions_seen):
                intake.doubtful.add((page.channel_id, message.message_id))
        intake.recounted((message.message_id for message, _ in found), at=self._clock.now())
        sure = min(upto, first_id_at(page.asked_at - SETTLED) - 1)
        stored = await messages.visible_ids(connection, page.channel_id, page.after + 1, sure)
        gone = (stored - page.ids) | page.gone
        await messages.delete_messages(connection, state.guild.guild_id, page.channel_id, gone, at=page.asked_at)

    async def _after_page(self, page: _Page, inside: Sequence[Payload]) -> None:
        """Have the reactions that stand on the page's messages compared with what is known of them."""
        standing = {
            int(payload["id"]): tuple(convert.emoji_key(each["emoji"]) for each in payload.get("reactions") or ())
            for payload in inside
        }
        await self.recorder.reacted(
            ReactionsReread(guild_id=page.state.guild.guild_id, channel_id=page.channel_id, emojis=standing)
        )
        if self.recorder.intake.doubtful and self._task is not None:
            self._have_work()

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
                self.recorder.problems["message"] = f"The message {message_id} could not be stored: {error!r}"
                await coverage.note_not_understood(
                    connection, guild_id=guild.guild_id, channel_id=channel_id, at=time_of(message_id)
                )
                continue
            if message := self.recorder.exclusions.admit(said, payload):
                found.append((message, bool(payload["author"].get("bot"))))
        return found

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
            count = await self._read_stretch(state, channel_id, start, min(end, self._clock.now()), progress)
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
                await self._refresh(state, channel_id, sorted(ids))
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
            await self._refresh(state, channel_id, [message_id])
        except UnreadableError as error:
            raise NotFoundError(f"That message cannot be read: {error}") from error
        async with self._store.read() as connection:
            stored = await messages.messages_by_id(connection, [message_id])
        if message_id not in stored:
            raise NotFoundError("There is no such message (any more), or its author does not want to appear.")
        return stored[message_id]

    async def _refresh(self, state: GuildState, channel_id: int, ids: list[int]) -> None:
        while ids:
            page = await self._fetch(state, channel_id, after=ids[0] - 1)
            full = len(page.payloads) == self._api.page_size
            upto = int(page.payloads[-1]["id"]) if full else ids[-1]
            async with self._store.write() as connection:
                await self._store_page(connection, page, page.payloads, upto)
            await self._after_page(page, page.payloads)
            ids = [each for each in ids if each > upto]

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


def _gap(state: GuildState, channel: Channel, hole: Stretch) -> coverage.Gap:
    return coverage.Gap(
        guild_id=state.guild.guild_id,
        channel_id=channel.channel_id,
        start=hole[0],
        end=hole[1],
        reason="not connected",
    )
