"""A Discord of one's own: REST and gateway over real HTTP and WebSocket on loopback.

The real, unpatched discord.py connects to it:

    server = DiscordServer(clock)
    server.world.add_guild({"id": 1, "name": "..."}, channels=[{"id": 2, "name": "general"}])
    await server.start()
    with server.as_discord():
        await bot.start(server.token)

`server.world` has the verbs (somebody writes, edits, joins, ...), `server.gateway` the connections and their
faults, `server.faults` those of REST, `server.requests`, `server.written` and `server.edited` what the bot did.
`await server.settle()` returns when every connected client has read all events so far.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import discord.gateway
import discord.http
import yarl
from aiohttp import web

from bot.model.clock import Clock
from bot.replay import (  # noqa: F401  (the modules register their routes)
    discord_rest_application,
    discord_rest_channels,
    discord_rest_guilds,
    discord_rest_marks,
    discord_rest_messages,
)
from bot.replay.discord_faults import Faults
from bot.replay.discord_gateway import Gateway
from bot.replay.discord_record import Record, Written
from bot.replay.discord_rest import PREFIX, Log, Rest
from bot.replay.discord_shapes import Data
from bot.replay.discord_verbs import World

BOT = {"id": "1000000000000000000", "username": "gazette", "global_name": None}


class DiscordServer:
    """The server. `clock` gives the time of everything that it makes; `bot` is the bot's own account."""

    def __init__(self, clock: Clock, *, bot: Data | None = None, token: str = "token", shards: int = 1) -> None:  # noqa: S107
        self.token = token
        self.world = World(clock, bot=bot or BOT)
        self.world.shards = shards
        self.faults = Faults()
        self.gateway = Gateway(self.world, token=token)
        self.world.listener = self.gateway.dispatch
        self._log = Log()
        self._rest = Rest(self.world, self.gateway, self.faults, self._log, token=token)
        self._runner: web.AppRunner | None = None
        self.address = ""
        """Where it listens: "http://127.0.0.1:PORT"."""

    @property
    def api_url(self) -> str:
        """For `discord.http.Route.BASE`."""
        return self.address + PREFIX

    @property
    def gateway_url(self) -> str:
        """For `DiscordWebSocket.DEFAULT_GATEWAY`."""
        return self.world.gateway_url

    async def start(self, port: int = 0) -> None:
        """Listen on loopback, on a free port unless one is given."""
        application = web.Application(client_max_size=64 * 1024 * 1024)
        self._rest.add_routes(application.router)
        application.router.add_get("/gateway/", self.gateway.handle)
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", port)
        await site.start()
        host, bound = self._runner.addresses[0][:2]
        self.address = f"http://{host}:{bound}"
        self.world.gateway_url = f"ws://{host}:{bound}/gateway/"

    async def close(self) -> None:
        """Cut every connection and stop listening."""
        self.gateway.come_back()
        self.gateway.drop()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    @contextlib.contextmanager
    def as_discord(self) -> Iterator[None]:
        """Point discord.py at this server for the length of a block, as GAZETTE_DISCORD_API_URL does for a process."""
        base, default = discord.http.Route.BASE, discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY
        discord.http.Route.BASE = self.api_url
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(self.gateway_url)
        try:
            yield
        finally:
            discord.http.Route.BASE = base
            discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = default

    async def settle(self) -> None:
        """Wait until every connected client has read all events sent so far (its listeners may still be at work)."""
        await self.gateway.settle()

    # -- what the bot did

    @property
    def requests(self) -> list[Record]:
        """Every request that came, in order; `accepted` on each says whether it was carried out."""
        return self._log.requests

    @property
    def written(self) -> list[Written]:
        """The messages that the bot wrote, in order, each once."""
        return self._log.written

    @property
    def edited(self) -> list[Written]:
        """Its edits, in order."""
        return self._log.edited

    def commands(self, guild_id: int | None = None) -> list[Data]:
        """The registered commands, global or of a guild."""
        return self._log.commands.get(guild_id, [])

    # -- interactions

    def interact(self, data: Data, *, guild_id: int, channel_id: int, user_id: int, kind: int = 2) -> str:
        """A member uses a command (2), a component (3) or a modal (5); returns the token for `answers`.

        `data` is the interaction's own: for a command `{"id", "name", "type", "options"}`.
        """
        world = self.world
        interaction_id, token = str(world.new_id()), f"interaction-{world.new_id()}"
        self._log.answers[token] = []
        self._log.answer_channels[token] = str(channel_id)
        payload: dict[str, Any] = {
            "id": interaction_id,
            "application_id": world.bot["id"],
            "type": kind,
            "token": token,
            "version": 1,
            "guild_id": str(guild_id),
            "guild": {"id": str(guild_id), "locale": "en-US", "features": []},
            "channel_id": str(channel_id),
            "channel": world.channel(channel_id).data,
            "member": {
                **world.guild(guild_id).members[user_id],
                "permissions": str(world.permissions(channel_id, user_id)),
            },
            "app_permissions": str(world.permissions(channel_id)),
            "locale": "en-US",
            "guild_locale": "en-US",
            "entitlements": [],
            "authorizing_integration_owners": {"0": str(guild_id)},
            "context": 0,
            "attachment_size_limit": 10_485_760,
            "data": data,
        }
        self.gateway.interaction(payload, guild_id)
        return token

    def answers(self, token: str) -> list[Data]:
        """What the bot answered to an interaction: `kind` "callback" or "follow_up", `type`, `data`, `edits`."""
        return self._log.answers[token]

    async def answered(self, token: str, count: int = 1, *, edits: int = 0) -> None:
        """Wait until an interaction has so many answers, changed so many times."""
        while len(self.answers(token)) < count or sum(len(a.get("edits", ())) for a in self.answers(token)) < edits:
            await self._rest.next_request()
