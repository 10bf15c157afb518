"""Processes that publish, to be killed."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import discord
from discord.http import Route

from bot.errors import GazetteError
from bot.model.clock import ManualClock, SystemClock
from bot.model.parts import Part, Place
from bot.model.publication import MadeEdition, StoredRun
from bot.model.schedule import Period
from bot.publish.amend import amend_parts
from bot.publish.delivery import Hold
from bot.publish.notices import Notices
from bot.publish.publisher import Publisher
from bot.publish.rest import DiscordRest
from bot.publish.scheduler import Scheduler
from bot.store import editions, schedule
from bot.store.engine import Store
from tests.forked import forked


@dataclass(frozen=True, slots=True)
class Work:
    """What the process has to do, and where."""

    database_url: str
    api_url: str
    token: str
    now: datetime
    edition_id: int
    anew: MadeEdition


@dataclass(frozen=True, slots=True)
class Shift:
    """A process that does the schedule's runs, with others, until none is left."""

    database_url: str
    api_url: str
    token: str
    name: str


def process(work: Work | Shift) -> Any:
    """The process, not yet started."""
    return forked(_main, work)


def _main(work: Work | Shift) -> None:
    logging.disable(logging.ERROR)
    asyncio.run(_publish(work) if isinstance(work, Work) else _do_runs(work))


async def _do_runs(work: Shift) -> None:
    Route.BASE = work.api_url
    store, clock = Store.open(work.database_url), SystemClock()
    client = discord.Client(intents=discord.Intents.default())
    await client.login(work.token)
    rest = DiscordRest(client, timeout=30)

    async def remake(edition_id: int) -> None:
        raise AssertionError

    publisher = Publisher(store, rest, clock, remake)

    async def run_edition(run: StoredRun, hold: Hold) -> None:
        edition = small_edition(run.guild_id, run.run.period)
        async with store.write() as connection:
            edition_id = await editions.store_edition(connection, edition, at=clock.now())
        await publisher.publish(edition_id, hold=hold)

    notices = Notices(store, rest, clock)
    scheduler = Scheduler(
        store, clock, run_edition, notices, name=work.name, lease=timedelta(seconds=6), poll=timedelta(seconds=2)
    )
    scheduler.start()
    while await _is_work_left(store):  # noqa: ASYNC110
        await asyncio.sleep(0.2)
    await scheduler.stop()
    await client.close()
    await store.close()


def small_edition(guild_id: int, period: Period) -> MadeEdition:
    """One message in the channel and one in a thread."""
    parts = (Part(Place.HEAD, f"The week of guild {guild_id}"), Part(Place.SUMMARY, f"More of guild {guild_id}"))
    return MadeEdition(
        guild_id=guild_id, period=period, title="The week", document={}, markdown="", html="", parts=parts
    )


async def _is_work_left(store: Store) -> bool:
    now = datetime.now(UTC)
    async with store.read() as connection:
        due = await schedule.due_schedules(connection, now)
        return bool(due) or bool(await schedule.overdue_runs(connection, now + timedelta(days=1)))


async def _publish(work: Work) -> None:
    Route.BASE = work.api_url
    store, clock = Store.open(work.database_url), ManualClock(work.now)
    client = discord.Client(intents=discord.Intents.default())

    async def remake(edition_id: int) -> None:
        async with store.read() as connection:
            seen = (await editions.fetch_edition(connection, edition_id)).stale_since
        await amend_parts(store, edition_id, work.anew, at=clock.now(), reason="a blow", seen=seen)

    await client.login(work.token)
    publisher = Publisher(store, DiscordRest(client, timeout=5), clock, remake)
    with contextlib.suppress(GazetteError):  # the next life goes on from there
        await publisher.publish(work.edition_id)
        async with store.read() as connection:
            unsettled = work.edition_id in await editions.unsettled_editions(connection)
        if unsettled:
            await publisher.settle(work.edition_id)
    await client.close()
    await store.close()
