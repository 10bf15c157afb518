"""Plays a recorded week: builds the guild as it was, then lets everything happen in order, moving the clock.

plan = read_plan(recording)                    # or plan_without_recording(now)
server = stage(plan, clock)                    # a DiscordServer, not yet started
await server.start()
...                                            # the bot connects: await server.gateway.wait_ready()
await Player(plan, server, clock, settle=...).play()
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from bot.errors import InputError
from bot.model.clock import ManualClock
from bot.replay.discord_errors import ApiError
from bot.replay.discord_permissions import ADMINISTRATOR
from bot.replay.discord_plan import FILE, Plan, Step
from bot.replay.discord_server import DiscordServer

BATCH = 200
READ_WITHIN = timedelta(minutes=1)
"""The clock does not run further ahead of what the client has read: it would look as if the client's were wrong."""


def stage(plan: Plan, clock: ManualClock) -> DiscordServer:
    """A server with the guild as it was at the plan's start, the clock moved there.

    A bot that the recording does not list as a member is one with a role of its own that may do everything.
    """
    clock.set(plan.start)
    server = DiscordServer(clock, bot=plan.bot)
    joined = {} if "joined_at" in plan.guild else {"joined_at": plan.start.isoformat()}
    server.world.add_guild(
        {**plan.guild, **joined}, roles=plan.roles, members=plan.members, bot_permissions=ADMINISTRATOR
    )
    for step in plan.before:
        _do(server, step)
    return server


class Player:
    """Plays a plan's steps, once.

    `settle` is awaited whenever the client has read all that was sent: it returns when the bot has digested it
    (stored, backfilled). It is called after so many steps (`batch`), around every absence, and at the end.
    """

    def __init__(
        self,
        plan: Plan,
        server: DiscordServer,
        clock: ManualClock,
        *,
        settle: Callable[[], Awaitable[None]] | None = None,
        progress: Callable[[int, int], None] | None = None,
        batch: int = BATCH,
    ) -> None:
        """`progress` is told how many of how many steps are done."""
        self._plan = plan
        self._server = server
        self._clock = clock
        self._settled = settle
        self._progress = progress
        self._batch = batch
        self._next = 0
        self._unread_since: datetime | None = None
        self._absences = list(plan.away)

    async def play(self, until: datetime | None = None) -> None:
        """Play all that happens before `until` (by default: all), move the clock there (to the end), and settle.

        May be called again with a later instant to go on.
        """
        goal = until or max(self._plan.end, self._clock.now())
        while self._absences and self._absences[0][0] < goal:
            left, back = self._absences.pop(0)
            await self._play_connected(left)
            await self._be_away(left, back)
        await self._play_connected(goal, inclusive=until is None)
        await self._server.settle()
        await self._clock.advance(goal)
        await self.settle()

    async def settle(self) -> None:
        """Wait until the client has read everything and the caller's `settle` has returned."""
        await self._server.settle()
        if self._settled is not None:
            await self._settled()

    async def _play_connected(self, until: datetime, *, inclusive: bool = False) -> None:
        unsettled = 0
        while step := self._step_before(until, inclusive=inclusive):
            if self._unread_since is not None and step.at - self._unread_since > READ_WITHIN:
                await self._server.settle()
                self._unread_since = None
            await self._clock.advance(step.at)
            _do(self._server, step)
            self._unread_since = self._unread_since or step.at
            unsettled += 1
            if unsettled >= self._batch:
                unsettled = 0
                await self.settle()

    async def _be_away(self, left: datetime, back: datetime) -> None:
        """The connection is gone and nobody can be reached; afterwards a new session begins."""
        await self._server.settle()
        await self._clock.advance(left)
        await self.settle()
        shards = self._server.gateway.connected
        self._server.gateway.go_away()
        while step := self._step_before(back):
            await self._clock.advance(step.at)
            _do(self._server, step)
        await self._clock.advance(back)
        self._server.gateway.come_back()
        await self._server.gateway.wait_ready(shards)
        await self.settle()

    def _step_before(self, until: datetime, *, inclusive: bool = False) -> Step | None:
        """Take the next step if it is due before `until`."""
        if self._next >= len(self._plan.steps):
            return None
        step = self._plan.steps[self._next]
        if not (step.at < until or inclusive):
            return None
        self._next += 1
        if self._progress is not None:
            self._progress(self._next, len(self._plan.steps))
        return step


def _do(server: DiscordServer, step: Step) -> None:
    try:
        getattr(server.world, step.verb)(**step.arguments)
    except ApiError as error:
        place = {
            key: value for key, value in step.arguments.items() if key in ("channel_id", "message_id", "user_id", "id")
        }
        raise InputError(f"{FILE}: at {step.at:%Y-%m-%dT%H:%M:%SZ}, {step.verb} of {place}: {error}.") from error
