"""What the rest of the program asks of GitHub: a guild's sync, a check of what somebody typed, identity links."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.errors import InputError, NotFoundError
from bot.github.client import GitHubClient, GoneError
from bot.github.sync import sync
from bot.model.clock import Clock
from bot.model.github import IdentityLink, Repository, SyncReport
from bot.model.schedule import Period
from bot.model.settings import GuildSettings
from bot.store import github, identities
from bot.store.actions import log_action
from bot.store.engine import Store
from bot.store.references import references_between

_REST_AFTER_OUTAGE = timedelta(minutes=5)
_STILL_DOWN = "GitHub gave no answer some minutes ago; what it would have told is missing."
_REPOSITORY = re.compile(
    r"(?:https?://[^\s/]+/)?(?P<owner>[A-Za-z0-9](?:[A-Za-z0-9-]{0,38}))/(?P<name>[A-Za-z0-9._-]{1,100}?)(?:\.git)?"
    r"(?:/\S*)?"
)
_LOGIN = re.compile(r"(?:https?://[^\s/]+/|@)?(?P<login>[A-Za-z0-9](?:[A-Za-z0-9-]{0,38}))/?")


@dataclass(frozen=True, slots=True)
class Tracked:
    """A guild's repository: its present name, and how the last sync went. `synced_until` None: not yet synced."""

    configured: str
    name: str
    private: bool
    synced_until: datetime | None
    problem: str | None


class GitHubDesk:
    """GitHub for all guilds, one sync at a time, so that guilds with the same repositories share the work.

    The token is the operator's: what it sees of private repositories is for `private_guilds` alone.
    """

    def __init__(
        self, client: GitHubClient, store: Store, *, clock: Clock, private_guilds: Collection[int] = ()
    ) -> None:
        self._client = client
        self._store = store
        self._clock = clock
        self._private_guilds = private_guilds
        self._turn = asyncio.Lock()
        self._rests_until: datetime | None = None

    async def sync(self, guild_id: int, settings: GuildSettings, period: Period) -> SyncReport:
        """Bring the guild's repositories up to date for `period`. Never raises for GitHub's sake.

        While GitHub is found down, other guilds do not wait for it one after the other: for some minutes they
        are told so at once, without a word of the repositories of whoever found it down.
        """
        async with self._turn:
            if self._rests_until and self._clock.now() < self._rests_until and settings.github.tracked:
                return SyncReport("unavailable", (_STILL_DOWN,), is_outage=True)
            async with self._store.read() as connection:
                mentioned = await references_between(connection, guild_id, period)
            report = await sync(
                self._client,
                self._store,
                repositories=settings.github.tracked,
                period=period,
                clock=self._clock,
                references=mentioned,
                epic_labels=settings.github.epic_labels,
            )
            self._rests_until = self._clock.now() + _REST_AFTER_OUTAGE if report.is_outage else None
            return report

    async def check_repository(self, guild_id: int, text: str) -> Repository:
        """The repository that somebody typed, as `owner/name` or as its address, checked with GitHub at once.

        Raises InputError for what is no repository's name, a GitHubError where GitHub does not show it. To a guild
        that may not follow private repositories, one of them looks like one that does not exist.
        """
        found = _REPOSITORY.fullmatch(text.strip())
        if found is None:
            raise InputError("That is no repository; write it as `owner/name`, or paste its address on GitHub.")
        name = f"{found['owner']}/{found['name']}"
        repository = await self._fetch_permitted(guild_id, name)
        async with self._store.write() as connection:
            await github.store_repository(connection, repository.name, repository)
        return repository

    async def _fetch_permitted(self, guild_id: int, name: str) -> Repository:
        if guild_id in self._private_guilds:
            return await self._client.fetch_repository(name)
        with contextlib.suppress(GoneError):
            repository = await self._client.fetch_repository(name)
            if not repository.private:
                return repository
        raise GoneError(
            f"GitHub shows no repository {name}; check the name. If it is private, the bot's operator "
            f"has to permit it first, with GAZETTE_GITHUB_PRIVATE_GUILDS."
        )

    def permitted(self, guild_id: int, settings: GuildSettings) -> GuildSettings:
        """The settings as far as the guild may have them: a private repository that it may not follow is shown nowhere.

        Held whenever an edition is made, however the settings came to be: by command, by file, or before the operator
        took the guild off the list.
        """
        if guild_id in self._private_guilds:
            return settings
        nowhere: dict[str, list[str]] = {name: [] for name in settings.github.allowed_private}
        return settings.model_copy(update={"github": settings.github.model_copy(update={"allowed_private": nowhere})})

    async def tracked(self, settings: GuildSettings) -> list[Tracked]:
        """The guild's repositories in the order of its settings."""
        async with self._store.read() as connection:
            states = {name: await github.sync_state(connection, name) for name in settings.github.tracked}
        return [
            Tracked(
                configured=name,
                name=state.repository.name if state else name,
                private=state.repository.private if state else False,
                synced_until=state.stretch[1] if state and state.stretch else None,
                problem=state.problem if state else None,
            )
            for name, state in states.items()
        ]

    async def claim(self, guild_id: int, user_id: int, login: str) -> IdentityLink:
        """A member says who they are on GitHub. Raises InputError or GoneError where there is no such account."""
        found = _LOGIN.fullmatch(login.strip())
        if found is None:
            raise InputError("That is no GitHub login; write it as on your profile, without spaces.")
        account = await self._client.fetch_account(found["login"])
        now = self._clock.now()
        async with self._store.write() as connection:
            link = await identities.request_link(connection, guild_id, user_id, account.login, at=now)
            data = {"login": account.login}
            await log_action(
                connection, guild_id=guild_id, user_id=user_id, action="claim a GitHub login", at=now, data=data
            )
        return link

    async def confirm(self, guild_id: int, user_id: int, *, by: int) -> IdentityLink:
        """Put a member's claim into force. Raises NotFoundError or ConflictError."""
        now = self._clock.now()
        async with self._store.write() as connection:
            link = await identities.confirm_link(connection, guild_id, user_id, by=by, at=now)
            data = {"login": link.login, "user_id": str(user_id)}
            await log_action(
                connection, guild_id=guild_id, user_id=by, action="confirm a GitHub login", at=now, data=data
            )
        return link

    async def unlink(self, guild_id: int, user_id: int, *, by: int) -> None:
        """Forget a member's link or claim. Raises NotFoundError where there is none."""
        now = self._clock.now()
        async with self._store.write() as connection:
            if not await identities.remove_link(connection, guild_id, user_id):
                raise NotFoundError("There is no link to a GitHub account to remove.")
            data = {"user_id": str(user_id)}
            await log_action(
                connection, guild_id=guild_id, user_id=by, action="remove a GitHub login", at=now, data=data
            )

    async def link_of(self, guild_id: int, user_id: int) -> IdentityLink | None:
        async with self._store.read() as connection:
            return await identities.link_of(connection, guild_id, user_id)

    async def member_of(self, guild_id: int, login: str) -> IdentityLink | None:
        async with self._store.read() as connection:
            return await identities.member_of(connection, guild_id, login.strip().removeprefix("@"))

    async def claims(self, guild_id: int) -> list[IdentityLink]:
        """The claims that wait for a moderator, the oldest first."""
        async with self._store.read() as connection:
            return await identities.links_in(connection, guild_id, confirmed=False)
