"""The gateway of the local server: HELLO, IDENTIFY, RESUME, heartbeats, dispatch, member chunks, and its faults.

Frames are plain text; a client that asks for compression takes them all the same.
Source: https://docs.discord.com/developers/events/gateway
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
from collections import deque
from collections.abc import Callable
from typing import Any

from aiohttp import WSMsgType, web

from bot.replay import discord_intents as intents
from bot.replay.discord_session import Session, Socket
from bot.replay.discord_shapes import Data
from bot.replay.discord_state import Event
from bot.replay.discord_verbs import World

DISPATCH, HEARTBEAT, IDENTIFY, RESUME, RECONNECT, REQUEST_MEMBERS = 0, 1, 2, 6, 7, 8
INVALID_SESSION, HELLO, HEARTBEAT_ACK = 9, 10, 11
AUTHENTICATION_FAILED, NOT_AUTHENTICATED, ALREADY_AUTHENTICATED = 4004, 4003, 4005
INVALID_SHARD, DISALLOWED_INTENTS = 4010, 4014
MEMBERS_PER_CHUNK = 1000


def encode(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


class Gateway:
    """All sessions. The attributes are faults that a test may switch at any time."""

    def __init__(self, world: World, *, token: str) -> None:
        self.world = world
        self.token = token
        self.heartbeat_interval = 41_250  # milliseconds
        self.chunks_come = True
        """False: requests for members are never answered."""
        self.refusing = False
        """True: connections are refused with 503."""
        self.resumable = True
        """False: every RESUME is answered with INVALID_SESSION."""
        self.lose: Callable[[Event], bool] = lambda event: False
        """Events for which this is true are never sent to anybody."""
        self.duplicates = 0
        """So many of the next events are sent twice."""
        self.sessions: dict[str, Session] = {}
        self.identified = 0
        """How many sessions were begun."""
        self.resumed = 0
        self._sockets: set[Socket] = set()
        self._numbers = itertools.count(1)
        self._away: asyncio.Event | None = None
        self._changed = asyncio.Event()

    # -- telling what happened

    def dispatch(self, event: Event) -> None:
        """Send an event to every session that it concerns."""
        if not self.sessions or self.lose(event):
            return
        if event.channel_id is not None and event.guild_id is not None and not self.world.sees(event.channel_id):
            return
        times = 1
        if self.duplicates:
            self.duplicates -= 1
            times = 2
        full = hidden = None
        for session in self.sessions.values():
            if not session.concerns(event.guild_id, event.intent):
                continue
            if event.message and (self.world.content_withheld or not session.sees_content):
                hidden = hidden or encode(intents.without_content(event.data, self.world.bot_id))
                text = hidden
            else:
                text = full = full or encode(event.data)
            for _ in range(times):
                session.dispatch(event.name, text)

    def dispatch_raw(self, name: str, data: str, *, guild_id: int | None) -> None:
        """Send JSON as it is to the guild's shard, whatever its intents: for streams of many events."""
        for session in self.sessions.values():
            if session.concerns(guild_id, 0):
                session.dispatch(name, data)

    def interaction(self, data: Data, guild_id: int) -> None:
        """Send INTERACTION_CREATE: no intent, and not twice."""
        self.dispatch_raw("INTERACTION_CREATE", encode(data), guild_id=guild_id)

    async def settle(self) -> None:
        """Wait until every connected client has read all that was sent so far."""
        await asyncio.gather(*(socket.ping() for socket in self._sockets))

    @property
    def connected(self) -> int:
        """How many sessions have a socket."""
        return sum(session.socket is not None for session in self.sessions.values())

    async def wait_ready(self, shards: int = 1) -> None:
        """Wait until so many sessions have a socket and were given READY and their guilds."""
        while self.connected < shards:
            self._changed.clear()
            await self._changed.wait()

    # -- faults

    def drop(self) -> None:
        """Cut every connection; the sessions can be resumed."""
        for socket in list(self._sockets):
            socket.abort()

    async def close_all(self, code: int = 4000) -> None:
        """Close every connection with a close code; the sessions can be resumed."""
        for socket in list(self._sockets):
            await socket.close(code)

    def ask_to_reconnect(self) -> None:
        """Send RECONNECT to everybody."""
        for socket in self._sockets:
            socket.send(encode({"op": RECONNECT, "d": None}))

    def invalidate(self, *, resumable: bool = False) -> None:
        """Send INVALID_SESSION to everybody; the sessions end unless `resumable`."""
        for socket in self._sockets:
            socket.send(encode({"op": INVALID_SESSION, "d": resumable}))
        if not resumable:
            self.forget_sessions()

    def forget_sessions(self) -> None:
        """End every session without a word: a RESUME will be refused, and nothing sent meanwhile comes again."""
        for session in self.sessions.values():
            if session.socket is not None:
                session.socket.session = None
        self.sessions.clear()

    def fall_silent(self) -> None:
        """Send nothing more over the present connections, not even what answers a heartbeat."""
        for socket in self._sockets:
            socket.silent = True

    def go_away(self) -> None:
        """Cut everything and let nobody in until `come_back`; afterwards no session can be resumed."""
        self._away = self._away or asyncio.Event()
        self.forget_sessions()
        self.drop()

    def come_back(self) -> None:
        if self._away is not None:
            self._away.set()
            self._away = None

    async def until_back(self) -> None:
        """Return when the server is not away."""
        while self._away is not None:
            await self._away.wait()

    # -- connections

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Serve one connection, from HELLO to its end."""
        await self.until_back()
        if self.refusing:
            return web.Response(status=503)
        websocket = web.WebSocketResponse(autoping=False, max_msg_size=0, compress=False)
        await websocket.prepare(request)
        socket = Socket(websocket, request)
        self._sockets.add(socket)
        writer = asyncio.create_task(socket.run())
        try:
            socket.send(encode({"op": HELLO, "d": {"heartbeat_interval": self.heartbeat_interval, "_trace": []}}))
            async for frame in websocket:
                if frame.type == WSMsgType.PONG:
                    socket.pong(bytes(frame.data))
                elif frame.type == WSMsgType.TEXT:
                    await self._receive(socket, json.loads(frame.data))
        finally:
            writer.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await writer
            self._leave(socket, websocket.close_code)
        return websocket

    def _leave(self, socket: Socket, code: int | None) -> None:
        """Discord ends the session when the client closes with 1000 or 1001, and keeps it otherwise."""
        session = socket.session
        socket.detach()
        self._sockets.discard(socket)
        if session is not None and code in (1000, 1001) and session.socket is None:
            self.sessions.pop(session.session_id, None)

    async def _receive(self, socket: Socket, payload: Data) -> None:
        op: int = payload["op"]
        data: Any = payload.get("d")
        if op == HEARTBEAT:
            if socket.session is not None:
                socket.session.received(data)
            socket.send(encode({"op": HEARTBEAT_ACK}))
        elif op == IDENTIFY:
            await self._identify(socket, data)
        elif op == RESUME:
            await self._resume(socket, data)
        elif socket.session is None:
            await socket.close(NOT_AUTHENTICATED, "Not authenticated.")
        elif op == REQUEST_MEMBERS and self.chunks_come:
            await self._send_members(socket.session, data)

    async def _identify(self, socket: Socket, data: Data) -> None:
        number, count = data.get("shard") or (0, 1)
        if data["token"].removeprefix("Bot ") != self.token:
            await socket.close(AUTHENTICATION_FAILED, "Authentication failed.")
        elif socket.session is not None:
            await socket.close(ALREADY_AUTHENTICATED, "Already authenticated.")
        elif not 0 <= number < count:
            await socket.close(INVALID_SHARD, "Invalid shard.")
        elif data["intents"] & self.world.withheld_intents & intents.PRIVILEGED:
            await socket.close(DISALLOWED_INTENTS, "Disallowed intent(s).")
        else:
            session = Session(f"session{next(self._numbers)}", (number, count), data["intents"], socket)
            socket.session = session
            self._greet(session)
            self.sessions[session.session_id] = session
            self.identified += 1
            self._changed.set()

    def _greet(self, session: Session) -> None:
        guilds = [guild for guild in self.world.guilds.values() if session.concerns(guild.guild_id, 0)]
        ready = {
            "v": 10,
            "user": self.world.bot,
            "guilds": [{"id": str(guild.guild_id), "unavailable": True} for guild in guilds],
            "session_id": session.session_id,
            "resume_gateway_url": self.world.gateway_url,
            "shard": list(session.shard),
            "application": {"id": str(self.world.bot_id), "flags": self.world.application_flags},
            "private_channels": [],
            "relationships": [],
            "_trace": [],
        }
        session.dispatch("READY", encode(ready))
        presences = bool(session.intents & intents.GUILD_PRESENCES)
        for guild in guilds:
            if not guild.unavailable:
                data = self.world.guild_create(guild.guild_id, presences=presences)
                session.dispatch("GUILD_CREATE", encode(data))

    async def _resume(self, socket: Socket, data: Data) -> None:
        session = self.sessions.get(data["session_id"]) if self.resumable else None
        missed = session.missed(data["seq"] or 0) if session is not None else None
        if session is None or missed is None:
            socket.send(encode({"op": INVALID_SESSION, "d": False}))
            return
        if session.socket is not None:
            await session.socket.close(4000)
        socket.session, session.socket = session, socket
        for frame in missed:
            socket.send(frame)
        session.dispatch("RESUMED", encode({"_trace": []}))
        self.resumed += 1
        self._changed.set()

    async def _send_members(self, session: Session, data: Data) -> None:
        """Answer REQUEST_GUILD_MEMBERS: by ids, by the beginning of a name, or all (needs the members intent)."""
        guild_ids = data["guild_id"] if isinstance(data["guild_id"], list) else [data["guild_id"]]
        for guild_id in map(int, guild_ids):
            members = self.world.guild(guild_id).members
            user_ids = data.get("user_ids")
            query, limit = (data.get("query") or "").lower(), data.get("limit") or 0
            found: list[Data]
            missing: list[str] = []
            if user_ids is not None:
                wanted = [int(user_id) for user_id in (user_ids if isinstance(user_ids, list) else [user_ids])]
                found = [members[user_id] for user_id in wanted if user_id in members]
                missing = [str(user_id) for user_id in wanted if user_id not in members]
            elif not query and not limit and not session.intents & intents.GUILD_MEMBERS:
                continue
            else:
                named = (m for m in members.values() if m["user"]["username"].lower().startswith(query))
                found = list(itertools.islice(named, limit or None))
            for chunk in _chunks(found, guild_id, data.get("nonce"), missing):
                session.dispatch("GUILD_MEMBERS_CHUNK", encode(chunk))
                await asyncio.sleep(0)


def _chunks(members: list[Data], guild_id: int, nonce: str | None, missing: list[str]) -> deque[Data]:
    count = max(1, -(-len(members) // MEMBERS_PER_CHUNK))
    return deque(
        {
            "guild_id": str(guild_id),
            "members": members[index * MEMBERS_PER_CHUNK : (index + 1) * MEMBERS_PER_CHUNK],
            "chunk_index": index,
            "chunk_count": count,
            "not_found": missing,
            **({"nonce": nonce} if nonce is not None else {}),
        }
        for index in range(count)
    )
