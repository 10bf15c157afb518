"""gidgethub over aiohttp, patient within bounds: conditional requests, waits, repetitions, a deadline."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta

import aiohttp
from gidgethub.aiohttp import GitHubAPI
from multidict import CIMultiDict

from bot.errors import GitHubError
from bot.github.limits import limit_wait
from bot.github.metrics import CALLS, REMAINING
from bot.model.clock import Clock, sleep
from bot.store.engine import Store
from bot.store.responses import Response, recall_response, remember_response

logger = logging.getLogger(__name__)


class RateLimitedError(GitHubError):
    """GitHub's limit is reached and does not lift in time."""


class UnreachableError(GitHubError):
    """GitHub does not answer, or answers that it is broken."""


class Transport(GitHubAPI):
    """One conversation with GitHub.

    Whatever is to be waited for (a rate limit, GitHub's recovery) is waited for on `clock`, but never past
    `deadline`. With a `store`, GET requests are conditional: an unchanged answer costs nothing of the budget
    and is taken from the store. No error names a header or a body that was sent, so none can hold a token.
    """

    ATTEMPTS = 3  # for what may be repeated and costs GitHub little
    GRAPHQL_ATTEMPTS = 2  # a query that is too much stays too much; the caller asks for less

    def __init__(
        self,
        session: aiohttp.ClientSession,
        *,
        base_url: str,
        clock: Clock,
        deadline: datetime,
        timeout: float,
        store: Store | None = None,
        token: str | None = None,
    ) -> None:
        super().__init__(session, "gazette", base_url=base_url, oauth_token=token)
        self._clock = clock
        self._deadline = deadline
        self._timeout = aiohttp.ClientTimeout(total=timeout)
        self._store = store

    async def _request(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes = b""
    ) -> tuple[int, Mapping[str, str], bytes]:
        known = await self._recall(method, url)
        if known:
            headers = {**headers, "if-none-match": known.etag}
        status, got, text = await self._insist(method, url, headers, body)
        if status == 304 and known:
            return 200, _restored(got, known), known.body.encode()
        if method == "GET" and status == 200 and self._store and (etag := got.get("etag")):
            response = Response(url=url, etag=etag, body=text.decode(), link=got.get("link"))
            async with self._store.write() as connection:
                await remember_response(connection, response, at=self._clock.now())
        return status, got, text

    async def _recall(self, method: str, url: str) -> Response | None:
        if method != "GET" or self._store is None:
            return None
        async with self._store.read() as connection:
            return await recall_response(connection, url)

    async def _insist(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes
    ) -> tuple[int, Mapping[str, str], bytes]:
        """Ask until there is an answer that is neither a limit nor a breakdown, or until it is no use."""
        broken = limited = 0
        allowed = self.GRAPHQL_ATTEMPTS if method == "POST" else self.ATTEMPTS
        while True:
            if self._clock.now() > self._deadline:
                raise UnreachableError("GitHub takes too long to answer; what it would have told is missing.")
            try:
                status, got, text = await self._send(method, url, headers, body)
            except (aiohttp.ClientError, TimeoutError, OSError) as error:
                broken += 1
                if broken >= allowed:
                    raise UnreachableError("GitHub does not answer; what it would have told is missing.") from error
                await self._wait(2.0**broken, UnreachableError("GitHub does not answer in time."))
                continue
            wait = limit_wait(status, got, text, now=self._clock.now(), attempt=limited + 1)
            if wait is not None:
                limited += 1
                until = self._clock.now() + timedelta(seconds=wait)
                hint = "" if self.oauth_token else "; a token raises it"
                told = f"GitHub's limit on requests is reached, until about {until:%H:%M} UTC{hint}."
                await self._wait(wait, RateLimitedError(told))
                continue
            if status >= 500:
                broken += 1
                failed = UnreachableError(f"GitHub answers with {status}.")
                if broken >= allowed:
                    raise failed
                await self._wait(2.0**broken, failed)
                continue
            return status, got, text

    async def _send(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes
    ) -> tuple[int, Mapping[str, str], bytes]:
        async with self._session.request(method, url, headers=headers, data=body, timeout=self._timeout) as response:
            CALLS.labels(str(response.status)).inc()
            if (left := response.headers.get("X-RateLimit-Remaining", "")).isdecimal():
                REMAINING.labels(response.headers.get("X-RateLimit-Resource", "core")).set(int(left))
            return response.status, response.headers, await response.read()

    async def _wait(self, seconds: float, otherwise: GitHubError) -> None:
        if self._clock.now() + timedelta(seconds=seconds) > self._deadline:
            raise otherwise
        logger.info("waiting %.0f s for GitHub", seconds)
        await sleep(self._clock, seconds)

    async def sleep(self, seconds: float) -> None:
        await sleep(self._clock, seconds)


def _restored(headers: Mapping[str, str], known: Response) -> Mapping[str, str]:
    """The headers of an unchanged answer, with what belongs to its remembered body."""
    restored = CIMultiDict(headers)
    restored["content-type"] = "application/json; charset=utf-8"
    if known.link:
        restored["link"] = known.link
    return restored
