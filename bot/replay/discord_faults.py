"""Misfortune at the local server's REST side, as tests order it.

A fault strikes requests by method and path (with `*`: "/channels/*/messages"), after letting `skip` pass, for
so many `times` (None: for ever). One that comes `stored` strikes after the server has done what was asked:
the message is there, the answer is lost.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, TypedDict, Unpack

from aiohttp import web

from bot.replay.discord_record import Record

Strike = Callable[[web.Request], Awaitable[web.Response | None]]


class Where(TypedDict, total=False):
    """Which requests a fault strikes; by default the next one, whatever it is."""

    method: str
    path: str
    when: Callable[[Record], bool]
    skip: int
    times: int | None
    stored: bool


@dataclass(eq=False, slots=True)
class Fault:
    strike: Strike
    method: str = "*"
    path: str = "*"
    when: Callable[[Record], bool] = lambda record: True
    skip: int = 0
    times: int | None = 1
    stored: bool = False
    struck: int = 0

    def strikes(self, record: Record) -> bool:
        """Whether this request is hit; counts."""
        hit = fnmatchcase(record.method, self.method) and fnmatchcase(record.path, self.path) and self.when(record)
        if not hit or (self.times is not None and self.struck >= self.times):
            return False
        if self.skip:
            self.skip -= 1
            return False
        self.struck += 1
        return True


class Hold:
    """A request held back: `reached` is set when it has come, `release()` lets it (and all later ones) go on."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self._released = asyncio.Event()

    def release(self) -> None:
        self._released.set()

    async def wait(self, request: web.Request) -> web.Response | None:
        self.reached.set()
        await self._released.wait()
        return None


class Faults:
    """The faults in force."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []

    def clear(self) -> None:
        self._faults.clear()

    async def strike(self, request: web.Request, record: Record, *, stored: bool) -> web.Response | None:
        """What the first fault that hits this request answers instead; None where nothing is wrong."""
        for fault in self._faults:
            if fault.stored == stored and fault.strikes(record):
                return await fault.strike(request)
        return None

    def _add(self, strike: Strike, where: Where) -> Fault:
        fault = Fault(strike, **where)
        self._faults.append(fault)
        return fault

    def answer(
        self, status: int, body: Any = None, headers: dict[str, str] | None = None, **where: Unpack[Where]
    ) -> Fault:
        """Answer with this status: JSON for a dict, else text."""

        async def strike(request: web.Request) -> web.Response | None:
            if isinstance(body, dict):
                kind = {"Content-Type": "application/json"}
                return web.Response(status=status, body=json.dumps(body).encode(), headers=kind | (headers or {}))
            return web.Response(status=status, text=str(body or ""), headers=headers, content_type="text/html")

        return self._add(strike, where)

    def fail(self, status: int = 500, **where: Unpack[Where]) -> Fault:
        """A failure of Discord's own: 500, 502, 503, 504."""
        return self.answer(status, {"message": f"{status}: Internal Server Error", "code": 0}, **where)

    def rate_limit(
        self, retry_after: float = 0.05, *, everywhere: bool = False, headers: bool = True, **where: Unpack[Where]
    ) -> Fault:
        """429 as Discord says it, `everywhere` for the global limit, or without any headers. In real seconds."""
        told = {"Via": "1.1 google", "Retry-After": str(retry_after), "X-RateLimit-Scope": "user"}
        told |= {"X-RateLimit-Global": "true"} if everywhere else {"X-RateLimit-Remaining": "0"}
        body = {"message": "You are being rate limited.", "retry_after": retry_after, "global": everywhere}
        return self.answer(429, body, told if headers else None, **where)

    def block(self, **where: Unpack[Where]) -> Fault:
        """429 from the network in front of Discord: a page of HTML, no Retry-After, no rate-limit headers."""
        return self.answer(429, "<html><body>error code: 1015</body></html>", **where)

    def reset(self, **where: Unpack[Where]) -> Fault:
        """The connection breaks without an answer."""

        async def strike(request: web.Request) -> web.Response | None:
            if request.transport is not None:
                request.transport.abort()
            raise ConnectionResetError("reset by a fault")

        return self._add(strike, where)

    def delay(self, seconds: float, **where: Unpack[Where]) -> Fault:
        """The answer is slow, by real seconds."""

        async def strike(request: web.Request) -> web.Response | None:
            await asyncio.sleep(seconds)
            return None

        return self._add(strike, where)

    def hold(self, **where: Unpack[Where]) -> Hold:
        """The answer waits until the test releases it."""
        held = Hold()
        self._add(held.wait, where)
        return held
