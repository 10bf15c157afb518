"""One gateway session of the local server: what was sent, in which order, and what a RESUME has to send again."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field

from aiohttp import WSCloseCode, web

from bot.replay import discord_intents as intents

REPLAY_LIMIT = 50_000


@dataclass(eq=False, slots=True)
class Session:
    """A session of a shard. It outlives its socket: events go on being numbered and kept for a RESUME."""

    session_id: str
    shard: tuple[int, int]
    intents: int
    socket: Socket | None
    sequence: int = 0
    kept: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=REPLAY_LIMIT))

    def concerns(self, guild_id: int | None, intent: int) -> bool:
        """Whether a guild (None: direct messages) belongs to this shard, and the intent was asked for."""
        number, count = self.shard
        mine = number == 0 if guild_id is None else (guild_id >> 22) % count == number
        return mine and (not intent or bool(self.intents & intent))

    @property
    def sees_content(self) -> bool:
        return bool(self.intents & intents.MESSAGE_CONTENT)

    def dispatch(self, name: str, data: str) -> None:
        """Number an event (`data` is JSON), keep it, and send it where there is a socket."""
        self.sequence += 1
        frame = f'{{"op":0,"s":{self.sequence},"t":"{name}","d":{data}}}'
        self.kept.append((self.sequence, frame))
        if self.socket is not None:
            self.socket.send(frame)

    def missed(self, sequence: int) -> list[str] | None:
        """The frames after `sequence`; None where they are no longer kept."""
        frames = [frame for number, frame in self.kept if number > sequence]
        return frames if len(frames) == self.sequence - sequence else None

    def received(self, sequence: int | None) -> None:
        """The client says up to where it has read."""
        while sequence is not None and self.kept and self.kept[0][0] <= sequence:
            self.kept.popleft()


class Socket:
    """One WebSocket: frames are queued and written in order by `run`, so that a verb never waits."""

    def __init__(self, websocket: web.WebSocketResponse, request: web.Request) -> None:
        self.websocket = websocket
        self.session: Session | None = None
        self.silent = False
        self._transport = request.transport
        self._outbox: deque[str | bytes] = deque()
        self._more = asyncio.Event()
        self._pings: dict[bytes, asyncio.Future[bool]] = {}
        self._closed = False

    def send(self, frame: str) -> None:
        if not self.silent:
            self._outbox.append(frame)
            self._more.set()

    async def run(self) -> None:
        """Write what is queued until cancelled or the peer is gone."""
        while True:
            while self._outbox:
                frame = self._outbox.popleft()
                try:
                    if isinstance(frame, bytes):
                        await self.websocket.ping(frame)
                    else:
                        await self.websocket.send_str(frame)
                except ConnectionError:
                    self._forget_pings()
                    return
            self._more.clear()
            await self._more.wait()

    def ping(self) -> asyncio.Future[bool]:
        """Done when the peer has read every frame queued so far: true, or false where it went away.

        A client answers a ping when it comes to it in the stream, that is, after it has taken all before.
        """
        answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        if self._closed or self.silent:
            answer.set_result(False)
            return answer
        token = str(id(answer)).encode()
        self._pings[token] = answer
        self._outbox.append(token)
        self._more.set()
        return answer

    def pong(self, token: bytes) -> None:
        if (answer := self._pings.pop(token, None)) and not answer.done():
            answer.set_result(True)

    def _forget_pings(self) -> None:
        self._closed = True
        for answer in self._pings.values():
            if not answer.done():
                answer.set_result(False)
        self._pings.clear()

    def detach(self) -> None:
        """The socket is gone; its session, if any, stays and may be resumed."""
        self._forget_pings()
        if self.session is not None and self.session.socket is self:
            self.session.socket = None

    def abort(self) -> None:
        """Cut the connection as a broken network does: no close frame, what is queued is lost."""
        self._outbox.clear()
        self.detach()
        if self._transport is not None:
            self._transport.abort()

    async def close(self, code: int = WSCloseCode.OK, message: str = "") -> None:
        """Close with a frame that carries Discord's close code."""
        self.detach()
        await self.websocket.close(code=code, message=message.encode(), drain=False)
