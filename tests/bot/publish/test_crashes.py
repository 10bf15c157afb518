"""Whatever happens in whatever order, in the end each part stands exactly once, in its place and in order."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Coroutine
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar

import discord
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from bot.model.clock import ManualClock
from bot.replay.discord_server import DiscordServer
from bot.store.engine import Store
from tests.publish_chaos import FAULTS, TARGETS, Trial

QUICK = [fault for fault in FAULTS if fault not in ("500", "504")]
"""discord.py waits a second after the others; the benchmark has them all."""


class Blows(RuleBasedStateMachine):
    template: ClassVar[Path]

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.folder = tempfile.mkdtemp()
        self.trial: Trial | None = None

    def do(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self.loop.run_until_complete(work)

    @initialize(way=st.sampled_from(list(TARGETS)), heads=st.integers(1, 2), summaries=st.integers(1, 4))
    def begin(self, way: str, heads: int, summaries: int) -> None:
        clock = ManualClock(datetime(2026, 8, 31, 9, tzinfo=UTC))
        self.server = DiscordServer(clock)
        self.client = discord.Client(intents=discord.Intents.default())
        path = Path(self.folder) / "gazette.sqlite3"
        shutil.copyfile(self.template, path)
        self.store = Store.open(f"sqlite:///{path}")
        self.trial = Trial(
            self.server, self.client, clock, self.store, 100_000, target=way, heads=heads, summaries=summaries
        )
        self.do(self._begin())

    async def _begin(self) -> None:
        await self.server.start()
        self.discord = self.server.as_discord()
        self.discord.__enter__()
        await self.client.login(self.server.token)
        assert self.trial is not None
        await self.trial.open()

    @property
    def it(self) -> Trial:
        assert self.trial is not None
        return self.trial

    @rule(fuse=st.integers(0, 120))
    def live(self, fuse: int) -> None:
        self.do(self.it.live(fuse))

    @rule(fuse=st.integers(0, 12), minutes=st.sampled_from([0, 10]))
    def live_until_a_post(self, fuse: int, minutes: int) -> None:
        self.do(self.it.live(fuse, posts_only=True))
        self.it.wait(minutes)

    @precondition(lambda self: self.it.faults < 4)
    @rule(kind=st.sampled_from(QUICK), stored=st.booleans(), skip=st.integers(0, 6), writes=st.booleans())
    def strike(self, kind: str, stored: bool, skip: int, writes: bool) -> None:
        self.it.strike(kind, stored=stored, skip=skip, writes=writes)

    @rule(count=st.sampled_from([1, 120]))
    def chat(self, count: int) -> None:
        self.it.chat(count)

    @rule()
    def wait(self) -> None:
        self.it.wait(10)

    @rule(locked=st.booleans())
    def archive(self, locked: bool) -> None:
        self.it.archive(locked=locked)

    @rule(summaries=st.integers(1, 5))
    def amend(self, summaries: int) -> None:
        self.do(self.it.amend(summaries=summaries))

    def teardown(self) -> None:
        try:
            if self.trial is not None:
                outcome = self.do(self.it.finish())
                assert (outcome.missing, outcome.doubled, outcome.misplaced) == (0, 0, 0)
        finally:
            if self.trial is not None:
                self.do(self._end())
            self.loop.close()
            shutil.rmtree(self.folder)

    async def _end(self) -> None:
        self.discord.__exit__(None, None, None)
        await self.client.close()
        await self.store.close()
        await self.server.close()


def test_after_any_blows_each_part_stands_exactly_once_and_in_order(sqlite_template: Path) -> None:
    Blows.template = sqlite_template
    run_state_machine_as_test(
        Blows,
        settings=settings(
            max_examples=15,
            stateful_step_count=8,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
            print_blob=False,
        ),
    )


@pytest.mark.parametrize("target", list(TARGETS))
async def test_a_crash_before_or_after_any_post_leaves_each_part_once(
    target: str, sqlite_store: Store, discord_server: DiscordServer, clock: ManualClock
) -> None:
    """Each time in a guild of its own, until a process gets through alive; afterwards Discord knows no nonce."""
    client = discord.Client(intents=discord.Intents.default())
    await client.login(discord_server.token)
    try:
        for point in range(20):
            trial = Trial(
                discord_server, client, clock, sqlite_store, 100_000 * (point + 1), target=target, summaries=1
            )
            await trial.open()
            await trial.live(point, posts_only=True)
            survived = trial.crashes == 0
            trial.wait(10)
            outcome = await trial.finish()
            assert (outcome.missing, outcome.doubled, outcome.misplaced) == (0, 0, 0), point
            if survived:
                break
        assert 4 <= point <= 8
    finally:
        await client.close()


@pytest.mark.parametrize(
    ("target", "skip", "stored"), [("thread", 5, True), ("forum", 5, True), ("one channel", 7, False)]
)
async def test_a_process_that_is_killed_leaves_its_work_to_the_next(
    target: str, skip: int, stored: bool, sqlite_store: Store, discord_server: DiscordServer, clock: ManualClock
) -> None:
    client = discord.Client(intents=discord.Intents.default())
    await client.login(discord_server.token)
    try:
        trial = Trial(discord_server, client, clock, sqlite_store, 100_000, target=target)
        await trial.open()
        assert await trial.be_killed(skip, stored=stored)
        outcome = await trial.finish()
        assert (outcome.missing, outcome.doubled, outcome.misplaced) == (0, 0, 0)
    finally:
        await client.close()
