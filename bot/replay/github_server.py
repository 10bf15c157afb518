"""A local GitHub API over HTTP: a recorded week served by REST and GraphQL as GitHub would serve it.

Both the public layout (`/repos/...`, `/graphql`) and an Enterprise server's (`/api/v3/...`, `/api/graphql`)
are answered. What can go wrong with the real one can be asked for: see `Fault` and the attributes of
`GitHubServer`.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from aiohttp import web

from bot.model.clock import Clock, SystemClock
from bot.replay.github_graph import IMPLEMENTS, query_root
from bot.replay.github_recording import GitHubRecording, Json
from bot.replay.github_rest import Missing, Moved, RestAnswers
from bot.replay.graphql import GraphQLSyntaxError, answer

_HOUR = timedelta(hours=1)


@dataclass(slots=True)
class Fault:
    """What the next requests get in place of an answer.

    It meets `times` requests whose path contains `path`, after letting `after` of them pass. `hangs`: no answer
    at all until the connection ends; `drops`: the connection is cut.
    """

    status: int = 503
    body: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    times: int = 1
    after: int = 0
    path: str = ""
    hangs: bool = False
    drops: bool = False


@dataclass(frozen=True, slots=True)
class Seen:
    """A request as it arrived, and the status it got."""

    method: str
    path: str
    query: Mapping[str, str]
    authorization: str | None
    status: int


class GitHubServer:
    """Serves a `github.json` on loopback between `start` and `stop`; also an async context manager.

    `url` is the API's address. `token`, where given, is the only one accepted; without it any will do.
    Set before or between requests: `faults`; `refused` (an item's number to how many times GraphQL answers it
    with an error only); `largest_graphql_page` (a query for more items times out with 502); `budget` and
    `anonymous_budget` (requests an hour, by `clock`).
    """

    def __init__(self, document: Mapping[str, Any], *, clock: Clock | None = None, token: str | None = None) -> None:
        self.recording = GitHubRecording(document)
        self.faults: list[Fault] = []
        self.removed: set[tuple[str, int]] = set()  # repository in lower case, number
        self.refused: dict[int, int] = {}
        self.largest_graphql_page: int | None = None
        self.budget = 5000
        self.anonymous_budget = 60
        self.seen: list[Seen] = []
        self.url = ""
        self._token = token
        self._clock = clock or SystemClock()
        self._spent: dict[bool, list[Any]] = {}
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> GitHubServer:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> None:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self._handle)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, host, port).start()
        address = self._runner.addresses[0]
        self.url = f"http://{address[0]}:{address[1]}"

    async def stop(self) -> None:
        if self._runner:
            await self._runner.cleanup()

    def remove(self, repository: str, number: int) -> None:
        """Delete an item: 410 from now on, and gone from every list."""
        self.recording.remove(repository, number)
        self.removed.add((self.recording.canonical(repository).lower(), number))

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        path = "/" + request.match_info["path"]
        if path.startswith("/api/"):
            path = path.removeprefix("/api").removeprefix("/v3")
        response = await self._answer(request, path)
        authorization = request.headers.get("Authorization")
        self.seen.append(Seen(request.method, path, dict(request.query), authorization, response.status))
        return response

    async def _answer(self, request: web.Request, path: str) -> web.StreamResponse:
        if fault := self._fault(path):
            return await self._fail(request, path, fault)
        credentials = request.headers.get("Authorization", "").rpartition(" ")[2]
        if credentials and self._token not in (None, credentials) and "/access_tokens" not in path:
            return _json({"message": "Bad credentials"}, 401)
        limits, left = self._limits(bool(credentials))
        if left < 0:
            return _json({"message": "API rate limit exceeded."}, 403, limits)
        if request.method == "POST":
            response = await self._post(request, path, bool(credentials))
        else:
            response = self._get(request, path, bool(credentials))
        if response.status == 304 and credentials:  # costs nothing to those who are known
            self._spent[True][0] -= 1
        response.headers.update(limits)
        return response

    def _fault(self, path: str) -> Fault | None:
        for fault in self.faults:
            if fault.path in path:
                if fault.after:
                    fault.after -= 1
                    continue
                fault.times -= 1
                if not fault.times:
                    self.faults.remove(fault)
                return fault
        return None

    async def _fail(self, request: web.Request, path: str, fault: Fault) -> web.StreamResponse:
        if fault.drops or fault.hangs:
            self.seen.append(Seen(request.method, path, dict(request.query), None, 0))
        if fault.drops and request.transport:
            request.transport.close()
        if fault.hangs:
            await asyncio.Event().wait()
        return web.Response(
            status=fault.status, text=fault.body, headers=fault.headers, content_type=fault.content_type
        )

    def _limits(self, authorized: bool) -> tuple[dict[str, str], int]:
        """Count one request; the headers that tell of the budget, and what is left (below zero: refused)."""
        now, budget = self._clock.now(), self.budget if authorized else self.anonymous_budget
        count, reset = self._spent.get(authorized, (0, now + _HOUR))
        if now >= reset:
            count, reset = 0, now + _HOUR
        self._spent[authorized] = [count + 1, reset]
        left = budget - count - 1
        return {
            "X-RateLimit-Limit": str(budget),
            "X-RateLimit-Remaining": str(max(left, 0)),
            "X-RateLimit-Reset": str(int(reset.timestamp())),
            "X-RateLimit-Used": str(min(count + 1, budget)),
        }, left

    async def _post(self, request: web.Request, path: str, authorized: bool) -> web.Response:
        if path.endswith("/access_tokens"):
            expires = self._clock.now() + _HOUR
            return _json({"token": self._token or "installation", "expires_at": f"{expires:%Y-%m-%dT%H:%M:%SZ}"}, 201)
        if path != "/graphql":
            return _json({"message": "Not Found"}, 404)
        if not authorized:
            return _json({"message": "This endpoint requires you to be authenticated."}, 401)
        body = await request.json()
        variables = body.get("variables") or {}
        if self.largest_graphql_page and (variables.get("first") or 0) > self.largest_graphql_page:
            return web.Response(status=502, text="<html>502 Bad Gateway</html>", content_type="text/html")
        root = query_root(self.recording, sees_private=authorized, refuses=self._refuses)
        try:
            return _json(answer(body["query"], variables, root, implements=IMPLEMENTS))
        except (GraphQLSyntaxError, TypeError) as error:
            return _json({"errors": [{"message": str(error)}]})

    def _refuses(self, node: Json) -> bool:
        number = node.get("number", 0)
        if not self.refused.get(number):
            return False
        self.refused[number] -= 1
        return True

    def _get(self, request: web.Request, path: str, authorized: bool) -> web.Response:
        if path.endswith("/installation"):
            return _json({"id": 1})
        answers = RestAnswers(self.recording, base=self.url, removed=self.removed)
        try:
            found = answers.answer(path, request.query, sees_private=authorized)
        except Missing as missing:
            gone = missing.status == 410
            return _json({"message": "This issue was deleted" if gone else "Not Found"}, missing.status)
        except Moved as moved:
            query = f"?{urlencode(dict(request.query))}" if request.query else ""
            location = {"Location": f"{self.url}{moved.path}{query}"}
            return _json({"message": "Moved Permanently", "url": location["Location"]}, 301, location)
        headers: dict[str, str] = {}
        if isinstance(found, list):
            found, headers = self._page(request, path, found)
        text = json.dumps(found)
        headers["ETag"] = f'W/"{hashlib.sha256((text + str(headers)).encode()).hexdigest()}"'
        if request.headers.get("If-None-Match") == headers["ETag"]:
            return web.Response(status=304, headers=headers)
        return web.Response(text=text, headers=headers, content_type="application/json")

    def _page(self, request: web.Request, path: str, found: list[Any]) -> tuple[list[Any], dict[str, str]]:
        size = min(int(request.query.get("per_page", "30")), 100)
        page = max(int(request.query.get("page", "1")), 1)
        pages = max(-(-len(found) // size), 1)

        def link(number: int, name: str) -> str:
            query = urlencode({**request.query, "page": number})
            return f'<{self.url}{path}?{query}>; rel="{name}"'

        links = [link(page + 1, "next"), link(pages, "last")] if page < pages else []
        links += [link(page - 1, "prev"), link(1, "first")] if page > 1 else []
        return found[(page - 1) * size : page * size], {"Link": ", ".join(links)} if links else {}


def _json(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> web.Response:
    return web.Response(text=json.dumps(value), status=status, headers=headers, content_type="application/json")
