"""`gazette check`: looks at everything that the bot needs, and says that it is all right or what to do."""

from __future__ import annotations

import difflib
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path

import aiohttp
import discord

from bot.config import Settings, unknown_variables
from bot.errors import GazetteError, GitHubError, StoreError
from bot.github.client import GitHubClient
from bot.model.clock import Clock
from bot.model.guilds import Guild
from bot.model.settings import GuildSettings
from bot.narrate.model_client import ModelAccess
from bot.narrate.model_probe import problem_with
from bot.publish.desk import Desk
from bot.publish.rest import DiscordRest
from bot.render.check import check_templates
from bot.store import guilds, privacy
from bot.store.engine import Store
from bot.store.migrate import current_revision, newest_revision

CLOCK_MAY_BE_OFF = timedelta(seconds=30)
_TIMEOUT = aiohttp.ClientTimeout(total=15)
INVITE = "https://discord.com/oauth2/authorize?client_id={}&scope=bot+applications.commands&permissions={}"
PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_public_threads=True,
    embed_links=True,
    attach_files=True,
    add_reactions=True,
    read_message_history=True,
)
"""What an invitation asks for, as in the README."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. `todo` None: it is all right, and `told` says how it stands."""

    what: str
    told: str
    todo: str | None = None


def _meant(name: str) -> str:
    found = difflib.get_close_matches(name, [f"GAZETTE_{each}".upper() for each in Settings.model_fields], n=1)
    return f"; {found[0]} may be meant" if found else ""


Look = Callable[[], Awaitable[Sequence[Finding]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkup:
    """Everything that is looked at, in the order in which one thing depends on another."""

    settings: Settings
    store: Store
    clock: Clock
    github: GitHubClient
    erasures_file: Path | None
    model: ModelAccess | None = None

    async def findings(self) -> AsyncIterator[Finding]:
        """Look at one thing after the other. Nothing is changed anywhere."""
        for what, look in (
            ("settings", self._variables),
            ("database", self._database),
            ("erased members", self._erasures),
            ("Discord", self._discord),
            ("GitHub", self._github),
            ("language model", self._model),
            ("templates", self._templates),
        ):
            try:
                found = await look()
            except GazetteError as error:
                found = [Finding(what, "", str(error))]
            for each in found:
                yield each

    async def _variables(self) -> list[Finding]:
        return [
            Finding(name, "", f"There is no such setting{_meant(name)}; the README lists them all.")
            for name in unknown_variables()
        ]

    # -- the database

    async def _database(self) -> list[Finding]:
        path = self.store.file
        if path is not None and not path.exists():
            if os.access(path.parent, os.W_OK):
                return [Finding("database", f"{path} will be made when the bot starts")]
            return [Finding("database", "", f"{path.parent} is not a folder that can be written to; make it so.")]
        current, newest = await current_revision(self.store), newest_revision()
        if current is None:
            return [Finding("database", "empty; it gets its tables when the bot starts")]
        if current != newest:
            return [
                Finding(
                    "database", "", f"It is of revision {current}, this version needs {newest}: run gazette migrate."
                )
            ]
        await self.store.try_writing()
        kind = "SQLite" if self.store.is_sqlite else "PostgreSQL"
        return [Finding("database", f"{kind}, revision {current}, can be written to")]

    async def _erasures(self) -> list[Finding]:
        if await self._is_empty():
            return []
        async with self.store.read() as connection:
            known = await privacy.knows_key(connection, self._secret)
            count = len(await privacy.erased_hashes(connection))
        if not known:
            return [
                Finding(
                    "erased members",
                    "",
                    "GAZETTE_SECRET_KEY is not the key under which members were erased; set it to the one used before.",
                )
            ]
        if self.erasures_file is None:
            return [
                Finding(
                    "erased members",
                    f"{count}, remembered in the database only; set GAZETTE_ERASURES_FILE so that a restored backup "
                    "does not bring anybody back",
                )
            ]
        if not os.access(self.erasures_file.parent, os.W_OK):
            return [Finding("erased members", "", f"{self.erasures_file} cannot be written; make its folder writable.")]
        return [Finding("erased members", f"{count}, remembered in {self.erasures_file} too")]

    @property
    def _secret(self) -> str | None:
        return (self.settings.secret_key.get_secret_value() if self.settings.secret_key else None) or None

    async def _is_empty(self) -> bool:
        path = self.store.file
        if path is not None and not path.exists():
            return True
        try:
            return await current_revision(self.store) != newest_revision()
        except StoreError:
            return True

    # -- Discord

    async def _discord(self) -> list[Finding]:
        if self.settings.token is None or not self.settings.token.get_secret_value():
            return [Finding("token", "", "GAZETTE_TOKEN is not set; copy the bot's token from the developer portal.")]
        found = [await self._clock()]
        client = discord.Client(intents=discord.Intents.none())
        try:
            await client.login(self.settings.token.get_secret_value())
            found += await self._as_bot(client)
        except discord.LoginFailure:
            found.append(
                Finding("token", "", "Discord does not accept GAZETTE_TOKEN; copy it anew from the developer portal.")
            )
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            found.append(Finding("Discord", "", f"It does not answer ({type(error).__name__}); look at the network."))
        finally:
            await client.close()
        return found

    async def _clock(self) -> Finding:
        """The machine's clock beside the one of Discord's answer."""
        try:
            async with (
                aiohttp.ClientSession(timeout=_TIMEOUT) as session,
                session.get(self.settings.discord_api_url.rstrip("/") + "/gateway") as answer,
            ):
                told = answer.headers.get("Date")
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            return Finding("clock", "", f"Discord cannot be asked for the time ({type(error).__name__}).")
        if told is None:
            return Finding("clock", "Discord tells no time to compare with")
        off = abs(self.clock.now() - parsedate_to_datetime(told).astimezone(UTC))
        if off > CLOCK_MAY_BE_OFF:
            return Finding(
                "clock", "", f"The machine's clock is off by {off.total_seconds():.0f} seconds; have it set by NTP."
            )
        return Finding("clock", "agrees with Discord's")

    async def _as_bot(self, client: discord.Client) -> list[Finding]:
        name = client.user.name if client.user else "?"
        found = [Finding("token", f"accepted; the bot is {name}"), *_intents(client.application_flags)]
        present = await client.http.get_guilds(limit=200)
        if not present:
            invite = INVITE.format(client.application_id, PERMISSIONS.value)
            return [*found, Finding("servers", "", f"The bot is in no server; invite it: {invite}")]
        found.append(Finding("servers", f"the bot is in {len(present)}"))
        if await self._is_empty():
            return found
        here = {int(each["id"]): str(each["name"]) for each in present}
        async with self.store.read() as connection:
            known = [await guilds.fetch_guild(connection, each) for each in await guilds.guild_ids(connection)]
        desk = Desk(self.store, self.clock, DiscordRest(client), dict)
        for guild in known:
            if guild.guild_id in here:
                found += await _of_guild(desk, guild)
        return found

    # -- the rest

    async def _github(self) -> list[Finding]:
        names = sorted({name for settings in await self._guild_settings() for name in settings.github.tracked})
        found = []
        if not self.github.is_known:
            found.append(Finding("GitHub", "asked without a token: 60 requests an hour; set GAZETTE_GITHUB_TOKEN"))
        else:
            try:
                limits = await (await self.github.requests(patience=timedelta(seconds=10))).fetch("/rate_limit")
                found.append(Finding("GitHub", f"accepted; {limits['resources']['core']['remaining']:,} requests left"))
            except GitHubError as error:
                return [Finding("GitHub", "", f"{error} Check GAZETTE_GITHUB_TOKEN.")]
        for name in names:
            try:
                repository = await self.github.fetch_repository(name)
            except GitHubError as error:
                found.append(Finding(name, "", str(error)))
            else:
                found.append(Finding(name, "private" if repository.private else "public"))
        return found

    async def _model(self) -> list[Finding]:
        wanted = any(settings.narrative.model for settings in await self._guild_settings())
        access = self.model
        if access is None:
            if wanted or self.settings.llm_base_url:
                told = "A guild wants one" if wanted else "GAZETTE_LLM_BASE_URL is set"
                return [Finding("language model", "", f"{told}, but GAZETTE_LLM_MODEL is not; name the model.")]
            return [Finding("language model", "none")]
        if problem := await problem_with(access):
            return [Finding("language model", "", problem)]
        return [Finding("language model", "answers" if wanted else "answers, and no guild has switched it on")]

    async def _templates(self) -> list[Finding]:
        wrong = check_templates(self.settings.templates)
        if wrong:
            return [Finding("templates", "", each) for each in wrong]
        return [Finding("templates", "the built-in ones" if self.settings.templates is None else "all can be filled")]

    async def _guild_settings(self) -> list[GuildSettings]:
        if await self._is_empty():
            return []
        async with self.store.read() as connection:
            return [await guilds.fetch_settings(connection, each) for each in await guilds.guild_ids(connection)]


def _intents(flags: discord.ApplicationFlags) -> list[Finding]:
    granted = {
        "Server Members Intent": flags.gateway_guild_members or flags.gateway_guild_members_limited,
        "Message Content Intent": flags.gateway_message_content or flags.gateway_message_content_limited,
    }
    return [
        Finding(name, "granted")
        if has
        else Finding(name, "", "It is missing; switch it on in the developer portal, under Bot.")
        for name, has in granted.items()
    ]


async def _of_guild(desk: Desk, guild: Guild) -> list[Finding]:
    fine = Finding(guild.name, "can be read and posted to as its settings say")
    return [Finding(guild.name, "", each) for each in await desk.in_the_way(guild.guild_id)] or [fine]
