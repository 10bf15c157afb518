"""The only place that wires objects together."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
from collections.abc import AsyncGenerator, AsyncIterator, Collection, Coroutine
from datetime import date, datetime, time, timedelta
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from bot.capture.exclusions import Exclusions
from bot.capture.reaction_tags import ReactionTags
from bot.capture.read_back import ReadBack
from bot.capture.recorder import Recorder
from bot.capture.tagging import Tagging
from bot.client import DigestBot
from bot.compile.edition import compile_edition
from bot.config import Settings
from bot.errors import DiscordError, SettingsError
from bot.github.client import AppCredentials, GitHubClient
from bot.github.desk import GitHubDesk
from bot.model.clock import Clock
from bot.model.edition import Edition
from bot.model.parts import Rendered
from bot.model.publication import MadeEdition, StoredRun
from bot.model.schedule import first_run_after, next_run
from bot.model.settings import GuildSettings
from bot.narrate.model_client import ModelAccess
from bot.publish.amender import Amender
from bot.publish.checkup import Checkup
from bot.publish.configuration import Configuration
from bot.publish.confirmation import Confirmation
from bot.publish.delivery import Hold
from bot.publish.desk import Desk
from bot.publish.erasure_file import ErasureFile
from bot.publish.maker import Maker, Narrate, Stages, narrated
from bot.publish.notices import Notices
from bot.publish.privacy import Privacy
from bot.publish.publisher import Publisher
from bot.publish.rest import DiscordRest
from bot.publish.retention import Sweeper
from bot.publish.review import Reviews, revised
from bot.publish.review_channel import ReviewChannel
from bot.publish.reviewed_run import ReviewedRunner
from bot.publish.scheduler import Scheduler
from bot.publish.service import Publishing
from bot.publish.undo import Undo
from bot.render.edition import render
from bot.services import Services
from bot.store.engine import Store
from bot.store.guilds import fetch_guild
from bot.store.migrate import check_revision, current_revision, upgrade
from bot.store.personal import everything_in
from bot.store.privacy import prepare_key
from bot.web.app import create_app, serving

log = logging.getLogger(__name__)

T = TypeVar("T")

LACKS_LOGIN = (
    "GAZETTE_TOKEN is not set. Make an application in Discord's developer portal, copy its bot token, and set it in "
    "the environment or in .env; the README says how. `gazette replay` shows a digest without a token."
)


class App:
    """One process: every object it needs, and their beginning and end.

    `async with app.open()` makes the database usable; `async with app.connected()` besides has the bot connected
    and the schedule running.
    """

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self.settings = settings
        self.clock = clock
        self.store = Store.open(settings.database_url)
        self.exclusions = Exclusions(secret=_secret(settings))
        self.recorder = Recorder(self.store, clock=clock, exclusions=self.exclusions)
        self.read_back = ReadBack(self.recorder, clock=clock)
        self.configuration = Configuration(self.store, clock=clock)
        self.github = _github_client(settings, clock)
        self.github_desk = GitHubDesk(
            self.github, self.store, clock=clock, private_guilds=settings.github_private_guilds
        )
        self.bot = DigestBot(
            None,
            store=self.store,
            api_url=settings.discord_api_url,
            gateway_url=settings.discord_gateway_url,
            shard_ids=settings.shard_ids,
            shard_count=settings.shard_count,
        )
        rest = DiscordRest(self.bot)
        notices = Notices(self.store, rest, clock)
        stages = Stages(
            sync=self.github_desk.sync,
            compile=self._compile,
            narrate=_narrator(settings, self.store, clock),
            revise=revised,
            render=self._render,
        )
        self.maker = Maker(self.store, clock, stages)
        publisher = Publisher(self.store, rest, clock, remake=self.maker.remake, refresh=self._refresh)
        channel = ReviewChannel(self.store, rest, notices)
        self.reviews = Reviews(
            self.store, clock, channel, self.maker, notices, drain=self.drain, publish_late=self._publish_late
        )
        self._do_run = ReviewedRunner(self.maker, publisher, self.reviews, channel)
        self.publishing = Publishing(
            store=self.store,
            clock=clock,
            maker=self.maker,
            publisher=publisher,
            scheduler=Scheduler(self.store, clock, self._run_edition, notices, name=_process_name()),
            amender=Amender(self.store, clock, publisher, notices, name=_process_name()),
            reviews=self.reviews,
            web_url=settings.web_url,
            tokens_per_edition=settings.llm_tokens_per_edition if settings.llm_model else None,
            model_at=_model_at(settings),
        )
        self.tagging = Tagging(
            self.store,
            clock=clock,
            exclusions=self.exclusions,
            fetch=self.read_back.fetch_message,
            confirm=Confirmation(rest),
        )
        self.reaction_tags = ReactionTags(
            self.store,
            self.tagging,
            clock=clock,
            reactors=self.read_back.reactors,
            fetch_member=self.read_back.fetch_member,
        )
        self.privacy = Privacy(
            store=self.store,
            clock=clock,
            exclusions=self.exclusions,
            stages=stages,
            erased=ErasureFile(_erasures_file(settings)),
            on_change=[self.recorder.intake.forget, self.publishing.amender.wake, self.reviews.wake],
        )
        self.sweeper = Sweeper(self.store, clock)
        self.checkup = Checkup(
            settings=settings,
            store=self.store,
            clock=clock,
            github=self.github,
            erasures_file=_erasures_file(settings),
            model=_model_access(settings),
        )
        self.configuration.on_change += [self.recorder.settings_changed, self.publishing.settings_changed]
        self.bot.services = Services(
            store=self.store,
            clock=clock,
            exclusions=self.exclusions,
            recorder=self.recorder,
            read_back=self.read_back,
            configuration=self.configuration,
            github_desk=self.github_desk,
            tagging=self.tagging,
            reaction_tags=self.reaction_tags,
            publishing=self.publishing,
            reviews=self.reviews,
            desk=Desk(self.store, clock, rest, lambda: self.recorder.problems),
            undo=Undo(self.store, self.configuration, self.tagging),
            privacy=self.privacy,
        )

    # -- beginning and end

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[App]:
        """The database usable, everything closed at the end.

        An empty database gets its tables, and a SQLite file is brought up to date; an older PostgreSQL is left to
        `gazette migrate`, since other processes may be working on it. Raises StoreError.
        """
        try:
            if self.store.is_sqlite or await current_revision(self.store) is None:
                await upgrade(self.store)
            await check_revision(self.store)
            await self._prepare_privacy()
            yield self
        finally:
            await self.close()

    async def close(self) -> None:
        """End what was opened; what `open` does by itself."""
        await self.github.close()
        await self.store.close()

    async def _prepare_privacy(self) -> None:
        """Know who was erased, and keep them out, also out of a database that was restored from a backup."""
        async with self.store.write() as connection:
            if not await prepare_key(connection, _secret(self.settings) or None):
                raise SettingsError(
                    "GAZETTE_SECRET_KEY is not the key under which members were erased, so they would not be "
                    "recognised; set it to the key that was used before."
                )
        await self.privacy.keep_erased()

    @contextlib.asynccontextmanager
    async def connected(self, *, schedule: bool = True) -> AsyncIterator[App]:
        """The database open, the bot connected and ready, and the schedule running (unless it is not wanted).

        Raises SettingsError without a token, DiscordError where Discord refuses it.
        """
        if self.settings.token is None:
            raise SettingsError(LACKS_LOGIN)
        if not schedule:
            self.bot.extensions_to_load = tuple(
                each for each in self.bot.extensions_to_load if each != "cogs.publishing"
            )
        async with self.open(), self.bot:
            self._connection = asyncio.create_task(
                self.bot.stay_connected(self.settings.token.get_secret_value()), name="discord"
            )
            try:
                await self._or_disconnected(self.bot.wait_until_ready())
                if schedule:
                    self.publishing.start()
                    self.sweeper.start()
                yield self
            finally:
                await self.sweeper.stop()
                await self.publishing.stop()
                await self.bot.close()
                await asyncio.gather(self._connection, return_exceptions=True)

    async def run(self, *, web: bool = False) -> None:
        """Stay connected until cancelled or until Discord ends it for good, which raises DiscordError.

        With `web`, health, metrics and the archive are served from the beginning: not ready until connected.
        """
        async with contextlib.AsyncExitStack() as stack:
            if web:
                side = create_app(
                    self.store,
                    public_url=self.settings.web_url,
                    templates=self.settings.templates,
                    checks={"discord": self._look_at_discord, "recording": self._look_at_recording},
                )
                address = (self.settings.web_host, self.settings.web_port)
                await stack.enter_async_context(serving(side, host=address[0], port=address[1]))
            await stack.enter_async_context(self.connected())
            log.info("connected to Discord; the schedule is running", extra={"guilds": len(self.bot.guilds)})
            await self._connection

    async def _look_at_discord(self) -> str | None:
        return None if self.bot.is_ready() else "not connected"

    async def _look_at_recording(self) -> str | None:
        found = (self.recorder.problems.get(each) for each in ("store", "queue", "clock"))
        return next(filter(None, found), None)

    async def _or_disconnected(self, work: Coroutine[Any, Any, T]) -> T:
        """Do `work`, unless the connection ends first: then raise what ended it."""
        task = asyncio.ensure_future(work)
        await asyncio.wait([task, self._connection], return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            task.cancel()
            await self._connection
            raise DiscordError("The connection to Discord ended before the bot was ready.")
        return task.result()

    async def preview(self, guild_id: int, day: date | None = None) -> MadeEdition:
        """The edition of the period that a day (the guild's time; by default now) ends in, from what is stored.

        So the day of posting stands for the period that begins on it. Nothing is stored or posted.
        """
        settings = await self.configuration.fetch_settings(guild_id)
        instant = self.clock.now()
        if day is not None:
            zone = ZoneInfo(settings.schedule.timezone)
            instant = datetime.combine(day + timedelta(days=1), time(), zone) - timedelta(microseconds=1)
        run = first_run_after(settings.schedule, instant)
        while instant >= run.period.end:
            run = next_run(settings.schedule, run)
        return await self.publishing.preview(guild_id, run.period)

    async def export_guild(self, guild_id: int) -> AsyncGenerator[tuple[str, dict[str, Any]]]:
        """Everything that is stored of the guild as (table, row). Raises NotFoundError for one that is not recorded."""
        async with self.store.read() as connection:
            await fetch_guild(connection, guild_id)
            async for each in everything_in(connection, guild_id):
                yield each

    async def drain(self) -> None:
        """Return when everything that was received is stored and everything known to be missing was read back."""
        await self.recorder.drain()
        await self.read_back.idle()
        await self.recorder.drain()

    # -- what joins the stages

    async def _compile(self, store: Store, *, guild_id: int, settings: GuildSettings, **given: Any) -> Edition:
        permitted = self.github_desk.permitted(guild_id, settings)
        return await compile_edition(store, guild_id=guild_id, settings=permitted, **given)

    def _render(self, edition: Edition, settings: GuildSettings) -> Rendered:
        return render(edition, settings, templates=self.settings.templates)

    async def _run_edition(self, run: StoredRun, hold: Hold) -> None:
        await self.drain()
        await self._do_run(run, hold)

    async def _publish_late(self, guild_id: int, period_start: datetime, by: int) -> None:
        await self.publishing.publish_now(guild_id, by=by, period_start=period_start)

    async def _refresh(self, message_ids: Collection[int]) -> None:
        await self.read_back.refresh_messages(message_ids)


def _github_client(settings: Settings, clock: Clock) -> GitHubClient:
    app: AppCredentials | None = None
    if settings.github_app_id:
        if settings.github_app_key_file is None or settings.github_installation_id is None:
            raise SettingsError(
                "GAZETTE_GITHUB_APP_ID needs GAZETTE_GITHUB_APP_KEY_FILE and GAZETTE_GITHUB_INSTALLATION_ID as well."
            )
        try:
            key = settings.github_app_key_file.read_text(encoding="utf-8")
        except OSError as error:
            raise SettingsError(f"GAZETTE_GITHUB_APP_KEY_FILE cannot be read: {error.strerror}.") from error
        app = AppCredentials(settings.github_app_id, key, settings.github_installation_id)
    token = settings.github_token.get_secret_value() if settings.github_token else None
    return GitHubClient(clock=clock, api_url=settings.github_api_url, token=token, app=app)


def _narrator(settings: Settings, store: Store, clock: Clock) -> Narrate:
    """The narrating stage: the language model's where one is set up, which each guild still has to switch on."""
    access = _model_access(settings)
    if access is None:
        return narrated
    from bot.narrate.language_model import narrator
    from bot.narrate.own_paragraphs import own_paragraphs
    from bot.narrate.stored_answers import StoredAnswers

    return narrator(access, StoredAnswers(store, clock), examples=partial(own_paragraphs, store))


def _model_at(settings: Settings) -> str | None:
    """The model's name and the host that it is asked at, as far as one is set."""
    host = urlsplit(settings.llm_base_url or "").hostname
    return settings.llm_model and f"{settings.llm_model} at {host}" if host else settings.llm_model


def _model_access(settings: Settings) -> ModelAccess | None:
    if settings.llm_model is None:
        return None
    return ModelAccess(
        model=settings.llm_model,
        base_url=settings.llm_base_url,
        api_key=settings.llm_api_key.get_secret_value() if settings.llm_api_key else None,
        tokens_per_edition=settings.llm_tokens_per_edition,
    )


def _secret(settings: Settings) -> str:
    return settings.secret_key.get_secret_value() if settings.secret_key else ""


def _erasures_file(settings: Settings) -> Path | None:
    if settings.erasures_file is not None:
        return settings.erasures_file
    prefix, _, file = settings.database_url.partition(":///")
    return Path(f"{file}.erased") if prefix.startswith("sqlite") and file and not file.startswith(":") else None


def _process_name() -> str:
    return f"{socket.gethostname()}:{os.getpid()}"


def stop_on_signal(task: asyncio.Task[None]) -> None:
    """Have SIGTERM and SIGINT cancel the task, so that everything ends in order."""
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, task.cancel)
