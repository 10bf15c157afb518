"""`/repo` and `/github` as people use them: the real discord.py, a real store, GitHub over HTTP."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import discord
import pytest
import simcord
from discord.ext import commands

from bot.capture.exclusions import Exclusions
from bot.github.client import GitHubClient
from bot.github.desk import GitHubDesk
from bot.model.clock import ManualClock
from bot.publish.configuration import Configuration
from bot.replay.github_server import Fault, GitHubServer
from bot.store.engine import Store

RECORDED = {
    "repository": "Acme/Anvil",
    "repositories": ["Acme/Anvil", "acme/rocket", "acme/vault"],
    "people": [{"login": "AnnaCodes", "type": "User"}],
    "renamed_repositories": {"old/rocket": "acme/rocket"},
}


@dataclass
class Place:
    """A guild with a moderator and a member, and the bot in it."""

    env: Any
    guild: Any
    channel: Any
    moderator: Any
    member: Any
    server: GitHubServer
    configuration: Configuration

    async def ask(self, who: Any, command: str, **options: Any) -> str:
        result = await who.slash(self.channel, command, **options)
        await self.env.settle()
        shown = result.response or result.followups[-1]
        assert shown.ephemeral
        return str(shown.content)

    async def repositories(self) -> list[str]:
        return list((await self.configuration.fetch_settings(self.guild.id)).github.tracked)


@asynccontextmanager
async def opened(store: Store, private_guilds: Collection[int] = ()) -> AsyncIterator[Place]:
    clock = ManualClock(datetime(2030, 5, 6, tzinfo=UTC))
    bot = commands.Bot(command_prefix="!", intents=discord.Intents.all())
    configuration = Configuration(store, clock=clock)
    async with (
        GitHubServer(RECORDED, clock=clock) as server,
        GitHubClient(api_url=server.url, token="t", clock=clock) as client,
    ):
        server.recording.add_repository("acme/vault", private=True)
        desk = GitHubDesk(client, store, clock=clock, private_guilds=private_guilds)
        exclusions = Exclusions()
        bot.services = SimpleNamespace(
            configuration=configuration, github_desk=desk, exclusions=exclusions, actor_id=lambda _, user_id: user_id
        )

        async def setup_hook() -> None:
            for extension in ("cogs.errors", "cogs.repositories", "cogs.identities"):
                await bot.load_extension(extension)
            await bot.tree.sync()

        bot.setup_hook = setup_hook
        async with simcord.run(bot) as env:
            guild = env.create_guild("Acme")
            rights = discord.Permissions(manage_guild=True, manage_messages=True)
            role = guild.create_role("mods", permissions=rights)
            yield Place(
                env=env,
                guild=guild,
                channel=guild.create_text_channel("general"),
                moderator=guild.add_member(env.create_user("mod"), roles=[role]),
                member=guild.add_member(env.create_user("anna")),
                server=server,
                configuration=configuration,
            )


async def test_a_repository_is_checked_taken_in_listed_and_removed(sqlite_store: Store) -> None:
    async with opened(sqlite_store) as place:
        mod = place.moderator
        assert "follows no repository" in await place.ask(mod, "repo list")
        told = await place.ask(mod, "repo add", repository="https://github.com/acme/anvil")
        assert "**Acme/Anvil** from now on" in told
        assert await place.repositories() == ["Acme/Anvil"]
        assert "already" in await place.ask(mod, "repo add", repository="ACME/anvil")
        await place.ask(mod, "repo add", repository="old/rocket")
        assert await place.repositories() == ["Acme/Anvil", "acme/rocket"]
        listed = await place.ask(mod, "repo list")
        assert "[Acme/Anvil](https://github.com/Acme/Anvil): meant by a bare `#12`; not read yet" in listed
        assert "no longer follows **Acme/Anvil**" in await place.ask(mod, "repo remove", repository="acme/anvil")
        assert await place.repositories() == ["acme/rocket"]
        assert "does not follow" in await place.ask(mod, "repo remove", repository="acme/anvil")


async def test_what_is_not_there_or_not_reachable_changes_nothing(sqlite_store: Store) -> None:
    async with opened(sqlite_store) as place:
        mod = place.moderator
        assert "owner/name" in await place.ask(mod, "repo add", repository="anvil")
        assert "shows no repository acme/nothing" in await place.ask(mod, "repo add", repository="acme/nothing")
        place.server.faults.append(Fault(status=429, headers={"Retry-After": "3600"}))
        assert "limit on requests" in await place.ask(mod, "repo add", repository="acme/anvil")
        assert await place.repositories() == []


async def test_a_private_repository_is_not_shown_to_a_guild_that_the_operator_did_not_name(sqlite_store: Store) -> None:
    async with opened(sqlite_store) as place:
        mod = place.moderator
        secret = await place.ask(mod, "repo add", repository="acme/vault")
        assert "GAZETTE_GITHUB_PRIVATE_GUILDS" in secret
        nothing = await place.ask(mod, "repo add", repository="acme/nothing")
        assert secret.replace("vault", "") == nothing.replace("nothing", "")
        assert await place.repositories() == []
        await place.configuration.change(place.guild.id, {"github.repositories": ["acme/vault"]}, by=mod.id)
        assert "no repository" in await place.ask(mod, "repo allow", repository="acme/vault", channel=place.channel)
        assert (await place.configuration.fetch_settings(place.guild.id)).github.allowed_private == {}


async def test_a_private_repository_appears_nowhere_until_it_is_allowed(sqlite_store: Store) -> None:
    async with opened(sqlite_store, private_guilds=range(1 << 63)) as place:
        mod, channel = place.moderator, place.channel
        assert "It is private" in await place.ask(mod, "repo add", repository="acme/vault")
        assert "private, appears nowhere" in await place.ask(mod, "repo list")
        assert channel.mention in await place.ask(mod, "repo allow", repository="acme/vault", channel=channel)
        settings = await place.configuration.fetch_settings(place.guild.id)
        assert settings.github.allowed_private == {"acme/vault": [str(channel.id)]}
        assert "may appear in" in await place.ask(mod, "repo list")
        await place.ask(mod, "repo add", repository="acme/anvil")
        assert "public on GitHub" in await place.ask(mod, "repo allow", repository="acme/anvil", channel=channel)
        await place.ask(mod, "repo disallow", repository="acme/vault", channel=channel)
        assert (await place.configuration.fetch_settings(place.guild.id)).github.allowed_private == {}
        await place.ask(mod, "repo allow", repository="acme/vault", channel=channel)
        await place.ask(mod, "repo remove", repository="acme/vault")
        assert (await place.configuration.fetch_settings(place.guild.id)).github.allowed_private == {}


async def test_repositories_are_suggested_as_they_are_typed(sqlite_store: Store) -> None:
    async with opened(sqlite_store) as place:
        for name in ("acme/anvil", "acme/rocket"):
            await place.ask(place.moderator, "repo add", repository=name)
        found = await place.moderator.autocomplete(place.channel, "repo remove", "repository", "ROCK")
        assert [choice["value"] for choice in found] == ["acme/rocket"]


async def test_a_member_cannot_change_repositories(sqlite_store: Store) -> None:
    async with opened(sqlite_store) as place:
        with pytest.raises(simcord.SetupError, match="default-member-permissions"):
            await place.ask(place.member, "repo add", repository="acme/anvil")
        command = next(c for c in await place.env.bot.tree.fetch_commands() if c.name == "repo")
        place.guild.set_command_permissions(command, {place.member: True})
        assert "Only the digest's moderators" in await place.ask(place.member, "repo add", repository="acme/anvil")
        assert await place.repositories() == []


async def test_a_link_is_claimed_confirmed_looked_up_and_removed(sqlite_store: Store) -> None:
    async with opened(sqlite_store) as place:
        mod, member = place.moderator, place.member
        assert "as soon as a moderator confirms" in await place.ask(member, "github link", login="annacodes")
        assert "No confirmed link" in await place.ask(mod, "github who", member=member)
        assert f"{member.mention} says to be [AnnaCodes]" in await place.ask(mod, "github claims")
        assert "Only the digest's moderators" in await place.ask(member, "github confirm", member=member)
        assert "is **AnnaCodes** on GitHub" in await place.ask(mod, "github confirm", member=member)
        assert "Nobody waits" in await place.ask(mod, "github claims")
        assert member.mention in await place.ask(member, "github who", login="@ANNACODES")
        assert "You are linked" in await place.ask(member, "github link", login="annacodes")
        assert "Only the digest's moderators" in await place.ask(member, "github unlink", member=mod)
        assert "is removed" in await place.ask(member, "github unlink")
        assert "No confirmed link" in await place.ask(mod, "github who", login="AnnaCodes")
        assert "no link" in await place.ask(mod, "github unlink", member=member)


async def test_wrong_logins_are_told_so(sqlite_store: Store) -> None:
    async with opened(sqlite_store) as place:
        assert "no account nobody" in await place.ask(place.member, "github link", login="nobody")
        assert "no GitHub login" in await place.ask(place.member, "github link", login="two words")
        assert "Name a member" in await place.ask(place.member, "github who")
        assert "/github link" in await place.ask(place.moderator, "github confirm", member=place.member)
