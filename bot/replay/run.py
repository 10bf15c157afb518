"""Replays a recorded week: the real bot lives through it, and what it posts is written down."""

from __future__ import annotations

import asyncio
import contextlib
import json
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from bot.app import App
from bot.config import read_settings
from bot.errors import GazetteError, InputError
from bot.model.clock import ManualClock
from bot.model.publication import EditionStatus, Schedule, StoredEdition, StoredPart
from bot.model.schedule import Period, Run, first_run_after, next_run
from bot.publish.calendar import rule_of
from bot.replay.discord_recording import plan_without_recording, read_plan
from bot.replay.github_server import GitHubServer
from bot.replay.player import Player, stage
from bot.replay.week import Week, read_week
from bot.store import editions, guilds, parts, schedule
from bot.store.engine import Store

Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is."""

_PATIENCE = timedelta(hours=6)
"""How much of the clock's time the edition may take after it is due."""

_REAL_PATIENCE = 30.0
"""After how many seconds of the machine's time the clock is moved on, though the edition is still being made."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a replay came to. `words` are those of the narrative, `messages` those that the bot posted."""

    title: str
    period: tuple[datetime, datetime]
    messages: int
    words: int
    recorded: int
    files: tuple[str, ...]


async def replay(folder: Path, out: Path, *, store: str | None = None, progress: Progress) -> Report:
    """Run the real bot through the week in `folder` and write what it posted to `out`.

    `store` is the address of a database to use and keep; without one a new database is used and thrown away.
    Raises GazetteError, and leaves `out` as it was, where something is wrong.
    """
    week = read_week(folder)
    with _written_at_once(out) as unfinished, tempfile.TemporaryDirectory(prefix="gazette-") as temporary:
        database = store or f"sqlite:///{temporary}/replay.sqlite3"
        return await Replay(week, database, progress).run(unfinished)


class Replay:
    """One replay: the servers, the bot and the clock. `discord` afterwards holds all that the bot asked of it."""

    def __init__(self, week: Week, database: str, progress: Progress) -> None:
        self._week = week
        self._progress = progress
        plan = (
            read_plan(week.discord)
            if week.discord is not None
            else plan_without_recording(week.window_start, week.channel, week.settings.github.default or "Guild")
        )
        run = _run_for(week)
        self._run = replace(run, due_at=max(run.due_at, plan.end))  # all that is recorded is played first
        self._clock = ManualClock(plan.start)
        self.discord = stage(plan, self._clock)
        self._github = GitHubServer(week.github or {}, clock=self._clock)
        self._player = Player(
            plan,
            self.discord,
            self._clock,
            settle=self._settle,
            progress=lambda done, of: progress("playing", done, of),
        )
        self._database = database
        self._app: App | None = None

    async def run(self, out: Path) -> Report:
        """Live through the week until its edition is posted, and write the files to `out`. Call it once."""
        async with self._servers(), self._bot() as app:
            await self._player.play()
            self._progress("making and posting the edition", 0, 1)
            edition, posted = await self._wait_for_edition(app)
            self._progress("making and posting the edition", 1, 1)
        return self._write(out, edition, posted)

    @contextlib.asynccontextmanager
    async def _servers(self) -> AsyncIterator[None]:
        await self.discord.start()
        await self._github.start()
        try:
            yield
        finally:
            await self._github.stop()
            await self.discord.close()

    @contextlib.asynccontextmanager
    async def _bot(self) -> AsyncIterator[App]:
        settings = read_settings(
            token=self.discord.token,
            discord_api_url=self.discord.api_url,
            discord_gateway_url=self.discord.gateway_url,
            github_api_url=self._github.url,
            github_token="replay",  # noqa: S106  (the local GitHub takes any)
            github_private_guilds=[self._week.guild_id],
            database_url=self._database,
            shard_ids=None,
            shard_count=None,
        )
        app = self._app = App(settings, self._clock)
        async with app.open():
            await _check_is_new(app.store, self._week.guild_id, self._run)
            await _set_up(app.store, self._week, self._run, self._clock.now())
            async with app.connected():
                yield app

    async def _settle(self) -> None:
        if self._app is not None:
            await self._app.drain()

    async def _wait_for_edition(self, app: App) -> tuple[StoredEdition, list[StoredPart]]:
        """Let the clock run to the moment the edition is due, and on until it is posted."""
        guild_id, period, deadline = self._week.guild_id, self._run.period, self._run.due_at + _PATIENCE
        await self._clock.advance(self._run.due_at)
        while True:
            with contextlib.suppress(TimeoutError):  # what waits for the clock goes on when it moves
                await asyncio.wait_for(app.publishing.scheduler.idle(), _REAL_PATIENCE)
            async with app.store.read() as connection:
                edition = await editions.edition_for(connection, guild_id, period)
                if edition is not None and edition.status is EditionStatus.PUBLISHED:
                    return edition, await parts.parts_of(connection, edition.edition_id)
                run = await schedule.run_for(connection, guild_id, period.start)
            if self._clock.now() >= deadline:
                why = run.error if run is not None and run.error else "the schedule did not fire"
                raise GazetteError(f"The edition was not posted: {why}")
            await self._clock.advance(self._clock.now() + timedelta(seconds=30))

    def _write(self, out: Path, edition: StoredEdition, posted: list[StoredPart]) -> Report:
        files = {file.name: file.content for part in posted for file in part.files if file.name.endswith(".png")}
        files["edition.json"] = _json(edition.document)
        files["edition.md"] = edition.markdown.encode()
        files["edition.html"] = edition.html.encode()
        own = {part.message_id for part in posted}
        written = [message for message in self.discord.written if message.message_id in own]
        edited = [message for message in self.discord.edited if message.message_id in own]
        files["posted.json"] = _json([message.to_json() for message in written])
        if edited:
            files["edited.json"] = _json([message.to_json() for message in edited])
        for name, content in files.items():
            (out / name).write_bytes(content)
        return Report(
            title=edition.title,
            period=(edition.period.start, edition.period.end),
            messages=len(written),
            words=_words(edition.document),
            recorded=edition.document["community"]["messages"],
            files=tuple(sorted(files)),
        )


def _run_for(week: Week) -> Run:
    """The run by the settings' schedule whose period has most of the week."""
    rule = week.settings.schedule
    run = best = first_run_after(rule, week.window_start)
    while run.period.start < week.window_end:
        best = max(best, run, key=lambda each: _shared(each.period, week))
        run = next_run(rule, run)
    return best


def _shared(period: Period, week: Week) -> timedelta:
    return min(period.end, week.window_end) - max(period.start, week.window_start)


async def _check_is_new(store: Store, guild_id: int, run: Run) -> None:
    """Raises InputError where an earlier replay has posted this week: nothing is posted twice."""
    async with store.read() as connection:
        edition = await editions.edition_for(connection, guild_id, run.period)
    if edition is not None and edition.status is EditionStatus.PUBLISHED:
        raise InputError(
            "That database holds this week's digest already, and none is posted twice; give another --store."
        )


async def _set_up(store: Store, week: Week, run: Run, now: datetime) -> None:
    """Give the guild its settings, and its schedule the run that the week is for."""
    async with store.write() as connection:
        await guilds.store_settings(connection, week.guild_id, week.settings, at=now)
        new = Schedule(guild_id=week.guild_id, run=run, rule=rule_of(week.settings.schedule))
        await schedule.start_schedule(connection, new)
        known = await schedule.schedule_of(connection, week.guild_id)
        if known is not None and known != new:
            await schedule.replace_schedule(connection, known, new)


def _json(document: Any) -> bytes:
    return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode()


def _words(document: Mapping[str, Any]) -> int:
    groups = [document["community"], *document["sections"]]
    return sum(len(sentence["text"].split()) for group in groups for sentence in group["narrative"])


@contextlib.contextmanager
def _written_at_once(out: Path) -> Iterator[Path]:
    """A folder to write to, whose files take their places in `out` only when the block has ended well."""
    if out.exists() and not out.is_dir():
        raise InputError(f"{out} is a file; give a folder to write to.")
    out.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=".unfinished-", dir=out))
    try:
        yield unfinished
        for path in unfinished.iterdir():
            path.replace(out / path.name)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
