"""The way to GitHub: who we are there, and one conversation at a time.

Every error that leaves here is a GitHubError with a sentence for people; none carries a token.
"""

from __future__ import annotations

import http
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote, urlencode

import aiohttp
import gidgethub
from gidgethub.apps import get_installation_access_token
from jwt import PyJWTError

from bot.errors import GitHubError
from bot.github.convert import account_from_rest
from bot.github.transport import RateLimitedError, Transport, UnreachableError
from bot.model.clock import Clock
from bot.model.github import Account, Repository
from bot.store.engine import Store

PUBLIC_API = "https://api.github.com"
_AT_ONCE = timedelta(seconds=10)  # somebody waits for the answer
_RENEW_BEFORE = timedelta(minutes=2)
_GONE = (http.HTTPStatus.NOT_FOUND, http.HTTPStatus.GONE, http.HTTPStatus.UNAVAILABLE_FOR_LEGAL_REASONS)


class RefusedError(GitHubError):
    """GitHub does not accept who we are, or what we ask for."""


class GoneError(GitHubError):
    """What was asked for is not on GitHub, no longer there, or not for us to see."""


@dataclass(frozen=True, slots=True, repr=False)
class AppCredentials:
    """A GitHub App and its installation; `private_key` is the PEM text."""

    app_id: str
    private_key: str
    installation_id: str


@dataclass(frozen=True, slots=True)
class GraphQLAnswer:
    """What GraphQL answered: `data`, which may have holes, and the errors that explain them."""

    data: Mapping[str, Any] | None
    errors: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a conversation may take. `total` bounds all waiting together, `timeout` one request (seconds)."""

    total: timedelta = timedelta(minutes=10)
    timeout: float = 60.0


class GitHubClient:
    """GitHub's API at `api_url`, with a token, as an App, or without either (60 REST requests an hour).

    `api_url` is https://api.github.com or an Enterprise server's `https://HOST/api/v3`. `close()` ends the
    connections; the client is also an async context manager.
    """

    def __init__(
        self,
        *,
        clock: Clock,
        api_url: str = PUBLIC_API,
        token: str | None = None,
        app: AppCredentials | None = None,
        patience: Patience | None = None,
    ) -> None:
        self.api_url = api_url.rstrip("/")
        self._clock = clock
        self._token = token or None
        self._app = app
        self._patience = patience or Patience()
        self._session: aiohttp.ClientSession | None = None
        self._app_token: tuple[str, datetime] | None = None

    async def __aenter__(self) -> GitHubClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        if self._session:
            await self._session.close()

    @property
    def is_known(self) -> bool:
        """Whether we have a name at GitHub; without one there is no GraphQL, and little of REST."""
        return self._token is not None or self._app is not None

    @property
    def graphql_url(self) -> str:
        """Where GraphQL is: beside REST on github.com, under /api/graphql on an Enterprise server.

        Source: https://docs.github.com/enterprise-server/graphql/guides/forming-calls-with-graphql
        """
        return f"{self.api_url.removesuffix('/v3')}/graphql"

    async def requests(self, store: Store | None = None, *, patience: timedelta | None = None) -> Requests:
        """Begin a conversation that lasts at most `patience`; answers are remembered in `store`."""
        deadline = self._clock.now() + (patience or self._patience.total)
        token = self._token or (await self._installation_token(self._app, deadline) if self._app else None)
        return Requests(self._transport(deadline, token, store), self.graphql_url)

    async def fetch_repository(self, name: str) -> Repository:
        """The repository `owner/name` as it is called now. Raises GoneError where GitHub shows none."""
        requests = await self.requests(patience=_AT_ONCE)
        try:
            found = await requests.fetch(f"/repos/{name}")
        except GoneError:
            hint = "is the token allowed to see it?" if self.is_known else "a private one needs a token."
            raise GoneError(f"GitHub shows no repository {name}; check the name, or {hint}") from None
        return Repository(found["full_name"], found["private"])

    async def fetch_account(self, login: str) -> Account:
        """The account of this login, spelled as GitHub spells it. Raises GoneError where there is none."""
        requests = await self.requests(patience=_AT_ONCE)
        try:
            found = account_from_rest(await requests.fetch(f"/users/{login}"))
        except GoneError:
            found = None
        if found is None:
            raise GoneError(f"There is no account {login} on GitHub; check the spelling.")
        return found

    def _transport(self, deadline: datetime, token: str | None, store: Store | None = None) -> Transport:
        if self._session is None:
            self._session = aiohttp.ClientSession()
        return Transport(
            self._session,
            base_url=self.api_url,
            clock=self._clock,
            deadline=deadline,
            timeout=self._patience.timeout,
            store=store,
            token=token,
        )

    async def _installation_token(self, app: AppCredentials, deadline: datetime) -> str:
        """A token of the App's installation, renewed shortly before it expires."""
        if self._app_token and self._app_token[1] - _RENEW_BEFORE > self._clock.now():
            return self._app_token[0]
        try:
            granted = await get_installation_access_token(
                self._transport(deadline, None),
                installation_id=app.installation_id,
                app_id=app.app_id,
                private_key=app.private_key,
            )
        except (gidgethub.HTTPException, PyJWTError, ValueError, TypeError):
            told = "GitHub does not accept the App; check its id, its private key and its installation."
            raise RefusedError(told) from None
        self._app_token = (granted["token"], datetime.fromisoformat(granted["expires_at"]))
        return self._app_token[0]


class Requests:
    """A conversation with GitHub, in which waiting is bounded. Made by `GitHubClient.requests`."""

    def __init__(self, transport: Transport, graphql_url: str) -> None:
        self._transport = transport
        self._graphql_url = graphql_url

    async def graphql(self, query: str, **variables: Any) -> GraphQLAnswer:
        """Ask a GraphQL query. Raises a GitHubError where there is no answer at all."""
        try:
            return GraphQLAnswer(await self._transport.graphql(query, endpoint=self._graphql_url, **variables))
        except gidgethub.QueryError as error:
            return GraphQLAnswer(error.response.get("data"), tuple(error.response["errors"]))
        except gidgethub.GraphQLAuthorizationFailure:
            raise RefusedError("GitHub does not accept the token; set a valid one.") from None
        except gidgethub.BadGraphQLRequest as error:
            raise RefusedError(f"GitHub refuses the query ({error.status_code.value}).") from error
        except (gidgethub.GraphQLException, ValueError) as error:
            raise UnreachableError("GitHub's answer is not readable.") from error

    async def fetch(self, path: str, **query: str) -> Any:
        """GET one value by REST. Raises GoneError for 404, 410 and 451, another GitHubError else."""
        try:
            return await self._transport.getitem(_address(path, query))
        except (gidgethub.GitHubException, ValueError) as error:
            raise _told(error) from error

    async def pages(self, path: str, **query: str) -> AsyncIterator[Any]:
        """Every element of a REST list, page after page; stop iterating to stop asking."""
        try:
            async for one in self._transport.getiter(_address(path, {**query, "per_page": "100"})):
                yield one
        except (gidgethub.GitHubException, ValueError) as error:
            raise _told(error) from error


def _address(path: str, query: Mapping[str, str]) -> str:
    return f"{path}?{urlencode(query, quote_via=quote)}" if query else path


def _told(error: Exception) -> GitHubError:
    if not isinstance(error, gidgethub.HTTPException):
        return UnreachableError("GitHub's answer is not readable.")
    status = error.status_code
    if status in _GONE:
        return GoneError(f"GitHub does not have it ({status.value}).")
    if status == http.HTTPStatus.UNAUTHORIZED:
        return RefusedError("GitHub does not accept the token; set a valid one.")
    return RefusedError(f"GitHub refuses ({status.value}).")


__all__ = [
    "AppCredentials",
    "GitHubClient",
    "GoneError",
    "GraphQLAnswer",
    "Patience",
    "RateLimitedError",
    "RefusedError",
    "Requests",
    "UnreachableError",
]
