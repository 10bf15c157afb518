"""The manual clock wakes sleepers in the order of their instants and never goes back."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

from bot.model.clock import ManualClock

START = datetime(2026, 1, 1, tzinfo=UTC)


async def test_sleepers_wake_in_order_and_see_their_own_instant() -> None:
    clock = ManualClock(START)
    woken: list[tuple[int, datetime]] = []

    async def sleeper(hours: int) -> None:
        await clock.sleep_until(START + timedelta(hours=hours))
        woken.append((hours, clock.now()))

    async with asyncio.TaskGroup() as group:
        for hours in (3, 1, 2):
            group.create_task(sleeper(hours))
        await asyncio.sleep(0)
        await clock.advance(START + timedelta(hours=5))
    assert woken == [(hours, START + timedelta(hours=hours)) for hours in (1, 2, 3)]
    assert clock.now() == START + timedelta(hours=5)


async def test_it_never_goes_back() -> None:
    clock = ManualClock(START)
    clock.set(START - timedelta(days=1))
    assert clock.now() == START


async def test_a_cancelled_sleeper_does_not_hold_up_the_others() -> None:
    clock = ManualClock(START)
    gone = asyncio.create_task(clock.sleep_until(START + timedelta(hours=1)))
    stays = asyncio.create_task(clock.sleep_until(START + timedelta(hours=2)))
    await asyncio.sleep(0)
    gone.cancel()
    await asyncio.sleep(0)
    assert clock.next_wake == START + timedelta(hours=2)
    await clock.advance(START + timedelta(hours=2))
    await stays
