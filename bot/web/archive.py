"""The archive: an index, the public editions at permanent addresses, a feed.

Only editions that are published and that their guild made public are shown; of any other there is no trace, so
that a 404 tells nothing. Nothing is cached here: what was erased is gone with the next request.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, timedelta
from pathlib import Path

from aiohttp import web
from babel import Locale

from bot.errors import NotFoundError
from bot.model.publication import EditionStatus, EditionSummary, StoredEdition
from bot.model.text import one_line
from bot.render.edition import style_hash
from bot.render.layout import Layout
from bot.render.view import dates_of, locale_of
from bot.store import editions, guilds
from bot.store.engine import Connection, Store
from bot.web.feed import Entry, atom
from bot.web.projection import public_document
from bot.web.security import page_policy

_FRESH_FOR = timedelta(minutes=5)
_IN_THE_FEED = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedEdition:
    """An edition in the index."""

    title: str
    url: str
    dates: str
    start: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedGuild:
    """A guild in the index, with its public editions, the latest first."""

    name: str
    url: str
    feed: str
    editions: tuple[ListedEdition, ...]


@dataclass(frozen=True, slots=True)
class _Guild:
    name: str
    timezone: str
    locale: Locale

    def dates(self, edition: EditionSummary) -> str:
        return dates_of(replace(edition.period, timezone=self.timezone), self.locale)


class Archive:
    """Answers for the archive. `public_url` is its address as the world sees it, for the feed's links."""

    def __init__(self, store: Store, *, public_url: str | None = None, templates: Path | None = None) -> None:
        self._store = store
        self._public_url = (public_url or "").rstrip("/")
        self._layout = Layout(templates)

    async def index(self, request: web.Request) -> web.Response:
        """All guilds with their editions."""
        listed = await self._listed()
        return self._page(request, listed, title=listed[0].name if len(listed) == 1 else "Digests", feed="/feed.atom")

    async def guild_index(self, request: web.Request) -> web.Response:
        """One guild's editions."""
        listed = await self._listed(_id(request, "guild_id"))
        if not listed:
            raise web.HTTPNotFound
        return self._page(request, listed, title=listed[0].name, feed=listed[0].feed)

    async def page(self, request: web.Request) -> web.Response:
        """An edition as a page."""
        edition = await self._edition(request)
        html = _with_way_back(edition.html, f"/guilds/{edition.guild_id}/")
        response = _answer(request, html, "text/html")
        response.headers["Content-Security-Policy"] = page_policy(html)
        return response

    async def markdown(self, request: web.Request) -> web.Response:
        """An edition as Markdown."""
        return _answer(request, (await self._edition(request)).markdown, "text/markdown")

    async def document(self, request: web.Request) -> web.Response:
        """An edition as JSON, without what only operators and moderators may see."""
        edition = await self._edition(request)
        text = json.dumps(public_document(edition.document), ensure_ascii=False)
        return _answer(request, text, "application/json")

    async def feed(self, request: web.Request) -> web.Response:
        """The latest editions of all guilds, or of one, as an Atom feed."""
        guild_id = _id(request, "guild_id") if "guild_id" in request.match_info else None
        async with self._store.read() as connection:
            found = await editions.public_editions(connection, guild_id, limit=_IN_THE_FEED)
            known = await self._guilds(connection, found)
        if guild_id is not None and not found:
            raise web.HTTPNotFound
        base = self._public_url or f"{request.scheme}://{request.host}"
        path = request.path.removesuffix("feed.atom")
        entries = [
            Entry(
                title=one_line(edition.title),
                url=f"{base}/editions/{edition.edition_id}",
                summary=f"{known[edition.guild_id].name}, {known[edition.guild_id].dates(edition)}",
                published=edition.published_at or edition.created_at,
                author=known[edition.guild_id].name,
            )
            for edition in found
        ]
        title = known[guild_id].name if guild_id is not None else "Digests"
        body = atom(entries, title=title, feed_url=f"{base}{request.path}", page_url=f"{base}{path}")
        return _answer(request, body.decode(), "application/atom+xml")

    async def _edition(self, request: web.Request) -> StoredEdition:
        try:
            async with self._store.read() as connection:
                edition = await editions.fetch_edition(connection, _id(request, "edition_id"))
        except NotFoundError as error:
            raise web.HTTPNotFound from error
        if not edition.public or edition.status != EditionStatus.PUBLISHED:
            raise web.HTTPNotFound
        return edition

    async def _listed(self, guild_id: int | None = None) -> list[ListedGuild]:
        async with self._store.read() as connection:
            found = await editions.public_editions(connection, guild_id)
            known = await self._guilds(connection, found)
        return [
            ListedGuild(
                name=guild.name,
                url=f"/guilds/{known_id}/",
                feed=f"/guilds/{known_id}/feed.atom",
                editions=tuple(_listed(edition, guild) for edition in found if edition.guild_id == known_id),
            )
            for known_id, guild in known.items()
        ]

    async def _guilds(self, connection: Connection, found: Sequence[EditionSummary]) -> dict[int, _Guild]:
        known: dict[int, _Guild] = {}
        for edition in found:
            if edition.guild_id not in known:
                guild = await guilds.fetch_guild(connection, edition.guild_id)
                settings = await guilds.fetch_settings(connection, edition.guild_id)
                name = one_line(guild.name) or "A community"
                known[edition.guild_id] = _Guild(name, settings.schedule.timezone, locale_of(settings.edition.language))
        return known

    def _page(self, request: web.Request, listed: Sequence[ListedGuild], *, title: str, feed: str) -> web.Response:
        style = self._layout.style()
        html, _ = self._layout.fill(
            "archive.html.j2", title=title, guilds=listed, feed=feed, style=style, style_hash=style_hash(style)
        )
        response = _answer(request, html, "text/html")
        response.headers["Content-Security-Policy"] = page_policy(html)
        return response


def _id(request: web.Request, name: str) -> int:
    """An id of the path; one that no database could hold is not found."""
    number = int(request.match_info[name])
    if number >= 1 << 63:
        raise web.HTTPNotFound
    return number


def _listed(edition: EditionSummary, guild: _Guild) -> ListedEdition:
    return ListedEdition(
        title=one_line(edition.title),
        url=f"/editions/{edition.edition_id}",
        dates=guild.dates(edition),
        start=f"{edition.period.start.astimezone(UTC):%Y-%m-%d}",
    )


def _with_way_back(html: str, index: str) -> str:
    """A page as it was posted, with a link to the index; on Discord it is a file that stands alone."""
    link = f'<nav aria-label="Archive"><a href="{index}">All digests</a></nav>\n'
    before, header, after = html.partition("<header>\n")
    return before + header + link + after if header else html.replace("</body>", f"{link}</body>", 1)


def _answer(request: web.Request, text: str, content_type: str) -> web.Response:
    """The text with a tag by which a browser that has it already is told so."""
    tag = hashlib.sha256(text.encode()).hexdigest()[:32]
    response = web.Response(text=text, content_type=content_type, charset="utf-8")
    response.etag = tag
    response.headers["Cache-Control"] = f"public, max-age={int(_FRESH_FOR.total_seconds())}"
    if any(known.value in (tag, "*") for known in request.if_none_match or ()):
        response = web.Response(status=304, headers={"ETag": response.headers["ETag"]})
    return response
