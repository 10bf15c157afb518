"""What people type about GitHub is checked at once; a guild's sync takes in what its messages mention."""

from __future__ import annotations

from datetime import timedelta

import pytest
from pydantic import SecretStr

from bot.app import App
from bot.config import Settings
from bot.errors import InputError, NotFoundError
from bot.github.client import GoneError
from bot.github.desk import GitHubDesk
from bot.model.guilds import Channel, ChannelType, Guild
from bot.model.messages import Message
from bot.model.schedule import Period
from bot.model.settings import GitHubSettings, GuildSettings, PublishSettings
from bot.model.snowflakes import first_id_at
from bot.replay.github_server import Fault
from bot.store import guilds, messages
from bot.store.engine import Store
from bot.store.github import item

GUILD, CHANNEL, ANNA = 1191168914227200001, 1191168914227200009, 1191168914227200002
SETTINGS = GuildSettings(github=GitHubSettings(repositories=["acme/anvil"]))


@pytest.fixture
def begin(github, sqlite_store: Store, leaping):
    async def start(recorded, **options):
        server, client = await github(recorded, **options)
        return server, GitHubDesk(client, sqlite_store, clock=leaping)

    return start


@pytest.fixture
def week(leaping) -> Period:
    return Period(leaping.now() - timedelta(days=7), leaping.now())


async def test_what_messages_mention_is_fetched(begin, recorded, week, sqlite_store: Store) -> None:
    recorded.issue(7, created=-90, updated=-80)
    async with sqlite_store.write() as connection:
        await guilds.store_guild(connection, Guild(guild_id=GUILD, name="g"))
        await guilds.store_settings(connection, GUILD, SETTINGS, at=week.start)
        channel = Channel(channel_id=CHANNEL, guild_id=GUILD, channel_type=ChannelType.TEXT, name="c")
        await guilds.store_channels(connection, [channel])
        said = Message(
            message_id=first_id_at(week.start) + 5,
            guild_id=GUILD,
            channel_id=CHANNEL,
            author_id=ANNA,
            author_name="Anna",
            content="What became of #7?",
        )
        await messages.store_messages(connection, [said])
    _, desk = await begin(recorded)
    assert (await desk.sync(GUILD, SETTINGS, week)).status == "complete"
    async with sqlite_store.read() as connection:
        assert await item(connection, "acme/anvil#7") is not None


async def test_guilds_do_not_wait_for_a_github_that_is_down_one_after_the_other(begin, recorded, week, leaping) -> None:
    server, desk = await begin(recorded)
    server.faults.append(Fault(status=503, times=1000))
    assert (await desk.sync(GUILD, SETTINGS, week)).status == "unavailable"
    asked = len(server.seen)
    other = await desk.sync(GUILD + 1, SETTINGS, week)
    assert (other.status, other.is_outage) == ("unavailable", True)
    assert "acme" not in str(other.notes)
    assert len(server.seen) == asked
    server.faults.clear()
    leaping.set(leaping.now() + timedelta(minutes=6))
    assert (await desk.sync(GUILD, SETTINGS, week)).status == "complete"


@pytest.mark.parametrize(
    "typed",
    [
        "acme/anvil",
        " ACME/Anvil ",
        "https://github.com/acme/anvil",
        "https://github.com/acme/anvil.git",
        "http://github.com/acme/anvil/issues/3",
    ],
)
async def test_a_repository_may_be_typed_or_pasted(begin, recorded, typed: str) -> None:
    _, desk = await begin(recorded)
    assert (await desk.check_repository(GUILD, typed)).name == "acme/anvil"


@pytest.mark.parametrize("typed", ["anvil", "", "acme/", "/anvil", "a b/c", "acme/anvil extra", "-x/y"])
async def test_what_is_no_repository_is_told_so(begin, recorded, typed: str) -> None:
    server, desk = await begin(recorded)
    with pytest.raises(InputError, match="owner/name"):
        await desk.check_repository(GUILD, typed)
    assert server.seen == []


async def test_the_list_tells_how_each_repository_fares(begin, recorded, week) -> None:
    recorded.issue(1)
    _, desk = await begin(recorded)
    settings = GuildSettings(github=GitHubSettings(repositories=["acme/anvil", "acme/nothing"]))
    before = await desk.tracked(settings)
    await desk.sync(GUILD, settings, week)
    after = await desk.tracked(settings)
    assert [one.synced_until for one in before] == [None, None]
    assert [(one.name, one.synced_until is not None) for one in after] == [
        ("acme/anvil", True),
        ("acme/nothing", False),
    ]


async def test_a_claim_is_checked_confirmed_and_removed(begin, recorded) -> None:
    recorded.issue(1, login="AnnaCodes")
    _, desk = await begin(recorded)
    assert (await desk.claim(GUILD, ANNA, "@annacodes")).login == "AnnaCodes"
    assert [link.user_id for link in await desk.claims(GUILD)] == [ANNA]
    assert await desk.member_of(GUILD, "AnnaCodes") is None
    await desk.confirm(GUILD, ANNA, by=9)
    assert (await desk.member_of(GUILD, "@AnnaCodes")).user_id == ANNA
    await desk.unlink(GUILD, ANNA, by=ANNA)
    assert await desk.link_of(GUILD, ANNA) is None
    with pytest.raises(NotFoundError):
        await desk.unlink(GUILD, ANNA, by=ANNA)


async def test_a_login_that_does_not_exist_is_refused(begin, recorded) -> None:
    _, desk = await begin(recorded)
    with pytest.raises(GoneError, match="no account nobody"):
        await desk.claim(GUILD, ANNA, "nobody")
    with pytest.raises(InputError, match="no GitHub login"):
        await desk.claim(GUILD, ANNA, "two words")


@pytest.mark.parametrize("permitted", [False, True])
async def test_an_edition_shows_a_private_repository_only_to_guilds_that_the_operator_named(
    github, recorded, sqlite_url: str, sqlite_store: Store, week, leaping, permitted: bool
) -> None:
    recorded.pull(1, title="Polish the secret anvil", merged=2)
    server, _ = await github(recorded)
    server.recording.add_repository("acme/anvil", private=True)
    allowed = GitHubSettings(repositories=["acme/anvil"], allowed_private={"acme/anvil": ["digest"]})
    settings = Settings(
        database_url=sqlite_url,
        github_api_url=server.url,
        github_token=SecretStr("s3cret"),
        github_private_guilds=[GUILD] if permitted else [],
    )
    async with sqlite_store.write() as connection:
        await guilds.store_guild(connection, Guild(guild_id=GUILD, name="g"))
        digest = Channel(channel_id=CHANNEL, guild_id=GUILD, channel_type=ChannelType.TEXT, name="digest")
        await guilds.store_channels(connection, [digest])
        stored = GuildSettings(github=allowed, publish=PublishSettings(channel="digest"))
        await guilds.store_settings(connection, GUILD, stored, at=week.start)
    app = App(settings, leaping)
    try:
        made = await app.publishing.preview(GUILD, week)
    finally:
        await app.close()
    assert ("secret anvil" in made.markdown) is permitted
