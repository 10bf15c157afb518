"""The frame of the local REST API: who may ask, what is logged, which faults strike, how an answer looks.

The routes stand in the `discord_rest_*` modules, each a plain function from a `Call` to the JSON it answers
(None for 204).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from aiohttp import BodyPartReader, web

from bot.replay import discord_intents as intents
from bot.replay import discord_permissions as bits
from bot.replay.discord_errors import ApiError, missing_access, missing_permissions
from bot.replay.discord_faults import Faults
from bot.replay.discord_gateway import Gateway
from bot.replay.discord_record import Record, Written
from bot.replay.discord_shapes import Data
from bot.replay.discord_state import ChannelState, GuildState
from bot.replay.discord_verbs import World

PREFIX = "/api/v10"
NONCE_WINDOW = timedelta(minutes=5)
_VIA = {"Via": "1.1 google"}


@dataclass(slots=True)
class Log:
    """What has come in so far."""

    requests: list[Record] = field(default_factory=list)
    written: list[Written] = field(default_factory=list)
    edited: list[Written] = field(default_factory=list)
    commands: dict[int | None, list[Data]] = field(default_factory=dict)  # by guild, None: global
    nonces: dict[tuple[int, str], tuple[int, datetime]] = field(default_factory=dict)
    answers: dict[str, list[Data]] = field(default_factory=dict)  # by interaction token
    answer_channels: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Call:
    """A request with what a route needs to answer it."""

    world: World
    log: Log
    record: Record
    path: Mapping[str, str]

    @property
    def query(self) -> dict[str, str]:
        return self.record.query

    @property
    def body(self) -> Data:
        return self.record.body if isinstance(self.record.body, dict) else {}

    def id(self, name: str) -> int:
        """An id of the path, which Discord refuses when it is no number."""
        try:
            return int(self.path[name])
        except ValueError:
            raise ApiError(400, 50035, "Invalid Form Body") from None

    def asks_for(self, name: str) -> bool:
        """Whether a yes-or-no parameter of the query is set."""
        return self.query.get(name, "").lower() in ("1", "true")

    def limit(self, default: int, highest: int) -> int:
        """The query's `limit`, refused outside 1 to `highest`."""
        limit = int(self.query.get("limit", default))
        if not 1 <= limit <= highest:
            raise ApiError(400, 50035, "Invalid Form Body", {"limit": {"_errors": [{"code": "NUMBER_TYPE_MAX"}]}})
        return limit

    def guild(self) -> GuildState:
        guild = self.world.guild(self.id("guild_id"))
        if guild.unavailable:
            raise ApiError(503, 0, "Service Unavailable")
        return guild

    def channel(self, needed: int = 0) -> ChannelState:
        """The path's channel, which the bot has to see and in which it needs these permissions."""
        channel = self.world.channel(self.id("channel_id"))
        if channel.guild_id is not None and self.world.guild(channel.guild_id).unavailable:
            raise ApiError(503, 0, "Service Unavailable")
        granted = self.world.permissions(channel.channel_id)
        if not granted & bits.VIEW_CHANNEL:
            raise missing_access()
        if needed & ~granted:
            raise missing_permissions()
        return channel

    def shown(self, channel: ChannelState, message_id: int) -> Data:
        """A message as the bot may see it."""
        data = self.world.shown(channel.channel_id, message_id)
        if not self.world.content_withheld or channel.guild_id is None:
            return data
        stripped = intents.without_content({**data, "guild_id": ""}, self.world.bot_id)
        return {key: value for key, value in stripped.items() if key != "guild_id"}


Route = Callable[[Call], Any]
ROUTES: list[tuple[str, str, Route, int]] = []


def route(method: str, path: str, *, status: int = 200) -> Callable[[Route], Route]:
    """Register a function under a path such as "/channels/{channel_id}"; `status` is that of its success."""

    def register(function: Route) -> Route:
        ROUTES.append((method, path, function, status))
        return function

    return register


class Rest:
    """Takes requests to the routes and their answers back."""

    def __init__(self, world: World, gateway: Gateway, faults: Faults, log: Log, *, token: str) -> None:
        self._world = world
        self._gateway = gateway
        self._faults = faults
        self._log = log
        self._token = token
        self._answered = asyncio.Event()

    async def next_request(self) -> None:
        """Wait until a further request has been answered."""
        self._answered.clear()
        await self._answered.wait()

    def add_routes(self, router: web.UrlDispatcher) -> None:
        # A literal segment goes before a placeholder: /messages/pins before /messages/{message_id}.
        ordered = sorted(ROUTES, key=lambda item: [part.startswith("{") for part in item[1].split("/")])
        for method, path, function, status in ordered:
            router.add_route(method, PREFIX + path, self._handler(path, function, status))
        router.add_route("*", PREFIX + "/{rest:.*}", self._handler("", _no_such_route, 404))

    def _handler(self, path: str, function: Route, status: int) -> Callable[[web.Request], Any]:
        async def handle(request: web.Request) -> web.StreamResponse:
            await self._gateway.until_back()
            try:
                record = await _record(request, path)
            except json.JSONDecodeError:
                return _json({"message": "The request body contains invalid JSON.", "code": 50109}, 400)
            self._log.requests.append(record)
            struck = await self._faults.strike(request, record, stored=False)
            response = struck or self._answer(request, record, function, status)
            if record.accepted:
                response = await self._faults.strike(request, record, stored=True) or response
            record.status = response.status
            self._answered.set()
            return response

        return handle

    def _answer(self, request: web.Request, record: Record, function: Route, status: int) -> web.Response:
        try:
            if (
                not record.route.startswith(_WITHOUT_TOKEN)
                and request.headers.get("Authorization") != f"Bot {self._token}"
            ):
                raise ApiError(401, 0, "401: Unauthorized")
            answer = function(Call(self._world, self._log, record, request.match_info))
        except ApiError as error:
            return _json(error.body, error.status)
        record.accepted = True
        return web.Response(status=204, headers=_VIA) if answer is None else _json(answer, status)


_WITHOUT_TOKEN = ("/interactions/", "/webhooks/")


def _json(data: Any, status: int) -> web.Response:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return web.Response(body=text.encode(), status=status, headers={"Content-Type": "application/json", **_VIA})


async def _record(request: web.Request, route_path: str) -> Record:
    record = Record(request.method, request.path.removeprefix(PREFIX), route_path, dict(request.query))
    if request.content_type == "multipart/form-data":
        record.multipart = True
        reader = await request.multipart()
        while isinstance(part := await reader.next(), BodyPartReader):
            content = bytes(await part.read(decode=True))
            if part.name == "payload_json":
                record.body = json.loads(content)
            else:
                record.files.append((part.filename or "file", content))
    elif request.can_read_body and (text := await request.text()):
        record.body = json.loads(text)
    return record


def _no_such_route(call: Call) -> Any:
    raise ApiError(404, 0, "404: Not Found")
