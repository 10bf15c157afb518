"""The web side: what is public is served, what is not leaves no trace, nothing on a page can run."""

from __future__ import annotations

import json
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import aiohttp
import pytest

from bot.errors import SettingsError
from bot.model.edition import (
    Community,
    Coverage,
    Edition,
    Fact,
    GuildName,
    Highlight,
    IntroducedPerson,
    Introductions,
    Joins,
    Section,
    Sentence,
    to_json,
)
from bot.model.guilds import Guild
from bot.model.publication import EditionStatus, MadeEdition
from bot.model.schedule import Period
from bot.model.settings import parse_settings
from bot.render.edition import render
from bot.store import editions, guilds
from bot.store.engine import Store
from bot.web.app import create_app, serving

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next((path for name in BROWSERS if (path := shutil.which(name))), None)
GUILD, OTHER = 1191168914227200001, 1191168914227200002
MEMBER = 1191168914227200333
START = datetime(2030, 3, 3, 23, tzinfo=UTC)  # Monday in Berlin
SETTINGS = parse_settings('[schedule]\ntimezone = "Europe/Berlin"\n')
HOSTILE = "Tom & Jerry's <script>alert(1)</script>"


def an_edition(guild_id: int, title: str, start: datetime) -> Edition:
    person = IntroducedPerson(
        user_id=MEMBER,
        name="Zoë",
        message_ids=(7,),
        url=f"https://discord.com/channels/{guild_id}/2/7",
        excerpt="I build telescopes.",
    )
    told = Highlight(
        message_ids=(8,),
        channel="general",
        channel_id=2,
        authors=("Zoë",),
        author_ids=(MEMBER,),
        excerpt="A find.",
        url=f"https://discord.com/channels/{guild_id}/2/8",
        tagged_by=(MEMBER,),
    )
    return Edition(
        guild=GuildName(id=guild_id, name="Lumen"),
        title=title,
        layout="themes",
        period=Period(start, start + timedelta(days=7), "Europe/Berlin"),
        facts={
            "message/8": Fact(text="A find. ||the ending||", url=told.url),
            "message/9": Fact(text="never told to anybody"),
        },
        sections=(Section(key="a", title="A", highlights=(told,)),),
        community=Community(
            available=True,
            messages=3,
            authors=1,
            introductions=Introductions(count=1, people=(person,)),
            joins=Joins(available=True, count=1, silent=1, silent_user_ids=(MEMBER,)),
            highlights=(told,),
            narrative=(Sentence(text="Zoë shared a find.", facts=("message/8",)),),
        ),
        coverage=Coverage(channels_unreadable=("secret-plans",), github="complete"),
    )


class Library:
    """Puts editions into a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def add(
        self,
        title: str = "Lumen: Week of March 4th",
        *,
        guild_id: int = GUILD,
        week: int = 0,
        public: bool = True,
        status: EditionStatus = EditionStatus.PUBLISHED,
    ) -> int:
        edition = an_edition(guild_id, title, START + timedelta(weeks=week))
        rendered = render(edition, SETTINGS)
        made = MadeEdition(
            guild_id=guild_id,
            period=edition.period,
            title=title,
            document=to_json(edition),
            markdown=rendered.markdown,
            html=rendered.html,
            parts=rendered.parts,
            sources=(),
        )
        async with self._store.write() as connection:
            await guilds.store_guild(connection, Guild(guild_id=guild_id, name=f"Guild <{guild_id % 10}> & co"))
            await guilds.store_settings(connection, guild_id, SETTINGS, at=START)
            edition_id = await editions.store_edition(connection, made, at=edition.period.end)
            await editions.set_public(connection, edition_id, public)
            await editions.set_status(
                connection,
                edition_id,
                status,
                expected=(EditionStatus.DRAFT,),
                published_at=edition.period.end + timedelta(hours=9),
            )
        return edition_id


@pytest.fixture
def library(sqlite_store: Store) -> Library:
    return Library(sqlite_store)


@pytest.fixture
async def site(sqlite_store: Store) -> AsyncIterator[aiohttp.ClientSession]:
    """A client of the served archive."""
    app = create_app(sqlite_store, public_url="https://digest.example/")
    async with serving(app, host="127.0.0.1", port=0) as url, aiohttp.ClientSession(url) as session:
        yield session


async def read(site: aiohttp.ClientSession, path: str, status: int = 200) -> str:
    async with site.get(path) as response:
        assert response.status == status, path
        return await response.text()


async def test_public_editions_are_listed_and_served(site, library) -> None:
    first, second = await library.add(week=0), await library.add(HOSTILE, week=1)
    index = await read(site, "/")
    assert index.index(f'href="/editions/{second}"') < index.index(f'href="/editions/{first}"')
    assert "Mar 4–10, 2030" in index  # the days as the guild counts them
    assert "<script" not in index
    assert "Tom &amp; Jerry" in index
    page = await read(site, f"/editions/{first}")
    assert "<h1>Lumen: Week of March 4th</h1>" in page
    assert f'<a href="/guilds/{GUILD}/">All digests</a>' in page
    assert (await read(site, f"/editions/{first}.md")).startswith("# Lumen: Week of March 4th\n")


@pytest.mark.parametrize(
    ("public", "status"),
    [
        (False, EditionStatus.PUBLISHED),
        (True, EditionStatus.DRAFT),
        (True, EditionStatus.HELD),
        (True, EditionStatus.FAILED),
    ],
)
async def test_what_is_not_public_or_not_published_leaves_no_trace(public, status, site, library) -> None:
    hidden = await library.add("A secret", public=public, status=status)
    for suffix in ("", ".md", ".json"):
        await read(site, f"/editions/{hidden}{suffix}", 404)
    await read(site, f"/guilds/{GUILD}/", 404)
    await read(site, f"/guilds/{GUILD}/feed.atom", 404)
    assert "A secret" not in await read(site, "/") + await read(site, "/feed.atom")
    missing, never = await read(site, f"/editions/{hidden}", 404), await read(site, "/editions/999999", 404)
    assert missing == never


async def test_each_guild_has_its_index_and_feed(site, library) -> None:
    ours, theirs = await library.add(), await library.add(guild_id=OTHER)
    index = await read(site, f"/guilds/{GUILD}/")
    assert f"/editions/{ours}" in index
    assert f"/editions/{theirs}" not in index
    feed = await read(site, f"/guilds/{OTHER}/feed.atom")
    assert f"/editions/{theirs}" in feed
    assert f"/editions/{ours}" not in feed
    index = await read(site, "/")
    assert f"/guilds/{GUILD}/" in index
    assert f"/guilds/{OTHER}/" in index


async def test_the_feed_is_atom_with_permanent_addresses(site, library) -> None:
    first, second = await library.add(), await library.add(HOSTILE, week=1)
    async with site.get("/feed.atom") as response:
        assert response.content_type == "application/atom+xml"
        feed = ElementTree.fromstring(await response.read())
    atom = "{http://www.w3.org/2005/Atom}"
    entries = feed.findall(f"{atom}entry")
    assert [entry.findtext(f"{atom}id") for entry in entries] == [
        f"https://digest.example/editions/{number}" for number in (second, first)
    ]
    assert entries[0].findtext(f"{atom}title") == HOSTILE
    assert entries[1].findtext(f"{atom}updated") == "2030-03-11T08:00:00Z"
    assert feed.findtext(f"{atom}updated") == "2030-03-18T08:00:00Z"
    assert feed.findtext(f"{atom}id") == "https://digest.example/feed.atom"
    for element in (feed, *entries):
        assert all(element.findtext(f"{atom}{tag}") for tag in ("id", "title", "updated"))


async def test_the_public_document_leaves_out_who_tagged_and_who_came_silently(site, library) -> None:
    edition_id = await library.add()
    text = await read(site, f"/editions/{edition_id}.json")
    document = json.loads(text)
    assert document["format"] == "gazette.edition/1"
    assert document["community"]["introductions"]["people"][0]["name"] == "Zoë"
    assert document["community"]["joins"]["silent"] == 1
    assert document["facts"] == {
        "message/8": {"text": "A find. [spoiler]", "url": f"https://discord.com/channels/{GUILD}/2/8"}
    }
    for key in ("silent_user_ids", "user_id", "author_id", "author_ids", "tagged_by", "coverage"):
        assert f'"{key}"' not in text
    for secret in (str(MEMBER), "secret-plans", "never told", "the ending"):
        assert secret not in text


async def test_no_page_can_run_be_framed_or_guessed_at(site, library) -> None:
    edition_id = await library.add(HOSTILE)
    for path in ("/", f"/editions/{edition_id}", f"/editions/{edition_id}.json", "/feed.atom", "/nothing", "/healthz"):
        async with site.get(path) as response:
            policy = response.headers["Content-Security-Policy"]
            assert policy.startswith("default-src 'none'")
            assert "frame-ancestors 'none'" in policy
            assert "unsafe" not in policy
            assert response.headers["X-Content-Type-Options"] == "nosniff"
            assert response.headers["Referrer-Policy"] == "no-referrer"
            assert "<script" not in await response.text() or response.content_type != "text/html"
            assert "Set-Cookie" not in response.headers


@pytest.mark.parametrize(
    "path", ["/editions/99999999999999999999", "/editions/1/../..", "/guilds/9999999999999999999/", "/x?y=<b>"]
)
async def test_nonsense_is_not_found(path: str, site) -> None:
    async with site.get(path) as response:
        assert response.status in (200, 404)
        assert "<b>" not in await response.text()


async def test_other_methods_are_refused(site) -> None:
    async with site.post("/") as response:
        assert response.status == 405
        assert response.headers["Allow"] == "GET,HEAD"


async def test_what_a_browser_has_is_not_sent_again(site, library, sqlite_store) -> None:
    edition_id = await library.add()
    async with site.get(f"/editions/{edition_id}") as response:
        tag = response.headers["ETag"]
    async with site.get(f"/editions/{edition_id}", headers={"If-None-Match": tag}) as response:
        assert response.status == 304
    async with sqlite_store.write() as connection:
        await editions.set_public(connection, edition_id, False)
    async with site.get(f"/editions/{edition_id}", headers={"If-None-Match": tag}) as response:
        assert response.status == 404


async def test_an_empty_archive_is_a_page(site) -> None:
    assert "There is nothing here yet." in await read(site, "/")
    assert ElementTree.fromstring(await read(site, "/feed.atom")).tag.endswith("feed")


async def test_health_readiness_and_metrics(sqlite_store) -> None:
    troubles: list[str] = []

    async def gateway() -> str | None:
        return troubles[0] if troubles else None

    app = create_app(sqlite_store, checks={"discord": gateway})
    async with serving(app, host="127.0.0.1", port=0) as url, aiohttp.ClientSession(url) as site:
        assert await read(site, "/readyz") == "database: ok\ndiscord: ok\n"
        troubles.append("not connected")
        assert await read(site, "/readyz", 503) == "database: ok\ndiscord: not connected\n"
        assert await read(site, "/healthz") == "ok\n"
        metrics = await read(site, "/metrics")
        assert 'gazette_ready{part="discord"} 0.0' in metrics
        assert 'gazette_ready{part="database"} 1.0' in metrics
        assert 'gazette_web_requests_total{route="/readyz",status="503"}' in metrics


async def test_a_database_that_is_gone_is_told_and_nothing_more(tmp_path: Path) -> None:
    store = Store.open(f"sqlite:///{tmp_path}/missing/gazette.sqlite3")
    async with serving(create_app(store), host="127.0.0.1", port=0) as url, aiohttp.ClientSession(url) as site:
        assert await read(site, "/healthz") == "ok\n"
        assert (await read(site, "/readyz", 503)).startswith("database: ")
        assert await read(site, "/", 500) == "500 Internal Server Error\n"
    await store.close()


async def test_a_taken_port_is_said_in_a_sentence(sqlite_store) -> None:
    async with serving(create_app(sqlite_store), host="127.0.0.1", port=0) as url:
        port = int(url.rpartition(":")[2])
        with pytest.raises(SettingsError, match="GAZETTE_WEB_PORT"):
            async with serving(create_app(sqlite_store), host="127.0.0.1", port=port):
                pass


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
async def test_a_browser_shows_the_archive_with_its_own_style(site, library, tmp_path: Path) -> None:
    import asyncio

    edition_id = await library.add(HOSTILE)
    base = [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}/profile"]
    for path in ("/", f"/editions/{edition_id}"):
        command = [*base, "--enable-logging=stderr", "--dump-dom", str(site._base_url.join(aiohttp.client.URL(path)))]
        shown = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, timeout=90, check=True)
        assert "Refused to" not in shown.stderr
        assert "violates" not in shown.stderr
        assert "Tom &amp; Jerry's &lt;script&gt;" in shown.stdout
        assert "<style>" in shown.stdout
