"""DigestBot: the connection to Discord, its intents and extensions."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Sequence
from typing import Any

import aiohttp
import discord
import structlog
import yarl
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.capture import gateway
from bot.errors import DiscordError
from bot.store import state
from bot.store.engine import Store

EXTENSIONS = (
    "cogs.errors",
    "cogs.components",
    "cogs.recording",
    "cogs.publishing",
    "cogs.tagging",
    "cogs.digest",
    "cogs.review",
    "cogs.sections",
    "cogs.repositories",
    "cogs.identities",
    "cogs.backfill",
    "cogs.privacy",
    "cogs.help",
)

IDENTIFY_EVERY = 5.0

log = structlog.get_logger(__name__)


def wanted_intents() -> discord.Intents:
    """What the bot asks the gateway for. Members and message content have to be switched on for the application."""
    intents = discord.Intents.none()
    intents.guilds = True
    intents.members = True
    intents.guild_messages = True
    intents.message_content = True
    intents.guild_reactions = True
    intents.guild_scheduled_events = True
    return intents


class DigestBot(commands.AutoShardedBot):
    """The bot. `services` is what the cogs work with; it is made by `bot.app` and only handed on here.

    `api_url` and `gateway_url` (None: Discord's own) hold for the whole process. A proxy in front of the REST
    API needs only the first; the gateway's address comes from the API's answer unless the shards are given.
    """

    def __init__(
        self,
        services: Any,
        *,
        store: Store,
        extensions_to_load: Sequence[str] = EXTENSIONS,
        api_url: str | None = None,
        gateway_url: str | None = None,
        shard_ids: list[int] | None = None,
        shard_count: int | None = None,
    ) -> None:
        shards: dict[str, Any] = {"shard_ids": shard_ids, "shard_count": shard_count}
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # it never speaks
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=wanted_intents(),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            chunk_guilds_at_startup=False,
            member_cache_flags=discord.MemberCacheFlags.none(),
            **shards,
        )
        self.services = services
        self.store = store
        self.tap: gateway.Tap | None = None
        self.controls: dict[str, Any] = {}
        """Who handles the buttons, selects and forms of each name; the cogs put themselves in."""
        self.missing_intents: tuple[str, ...] = ()
        """The privileged intents that the application lacks; known once logged in."""
        self._identified_at = float("-inf")
        self.extensions_to_load = tuple(extensions_to_load)
        if api_url is not None:
            Route.BASE = api_url.rstrip("/")
        if gateway_url is not None:
            DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway_url)
        gateway.install()

    async def stay_connected(self, token: str) -> None:
        """Log in, connect, and stay so until cancelled. Raises DiscordError where Discord refuses for good."""
        try:
            await self.start(token)
        except discord.LoginFailure as error:
            raise DiscordError(
                "Discord does not accept GAZETTE_TOKEN; copy the bot's token anew from the developer portal."
            ) from error
        except discord.PrivilegedIntentsRequired as error:
            raise DiscordError(
                "Discord refuses the privileged intents; switch on the Server Members Intent and the Message Content "
                "Intent of the application in the developer portal."
            ) from error
        except (aiohttp.ClientError, OSError, discord.GatewayNotFound) as error:
            raise DiscordError(f"Discord cannot be reached at {Route.BASE}: {error}") from error

    async def setup_hook(self) -> None:
        """Once, after the login and before the connection."""
        self._give_up_missing_intents()
        for extension in self.extensions_to_load:
            await self.load_extension(extension)
        await self._sync_commands()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Discord takes one IDENTIFY in five seconds; only what is left of them is waited for."""
        now = asyncio.get_running_loop().time()
        wait = self._identified_at + IDENTIFY_EVERY - now
        if wait > 0:
            await asyncio.sleep(wait)
        self._identified_at = max(now, now + wait)

    def _give_up_missing_intents(self) -> None:
        """Connect with the intents that the application has: asking for others ends the connection."""
        flags = self.application_flags
        granted = {
            "members": flags.gateway_guild_members or flags.gateway_guild_members_limited,
            "message_content": flags.gateway_message_content or flags.gateway_message_content_limited,
        }
        self.missing_intents = tuple(name for name, has in granted.items() if not has)
        for name in self.missing_intents:
            setattr(self._connection._intents, name, False)
            log.error("a privileged intent is missing; switch it on in Discord's developer portal", intent=name)

    async def _sync_commands(self) -> None:
        """Tell Discord of the commands if they changed since it was last told."""
        described = [command.to_dict(self.tree) for command in self.tree.get_commands()]
        digest = hashlib.sha256(json.dumps(described, sort_keys=True).encode()).hexdigest()
        key = f"commands of {self.application_id}"
        async with self.store.read() as connection:
            if await state.get_state(connection, key) == digest:
                return
        await self.tree.sync()
        async with self.store.write() as connection:
            await state.set_state(connection, key, digest)
