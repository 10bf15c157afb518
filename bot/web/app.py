"""The web side of one process: health, metrics, and the archive of public editions."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

from aiohttp import web

from bot.errors import SettingsError
from bot.store import editions
from bot.store.engine import Store
from bot.web.archive import Archive
from bot.web.health import Check, Health
from bot.web.security import guarded


def create_app(
    store: Store,
    *,
    public_url: str | None = None,
    templates: Path | None = None,
    checks: Mapping[str, Check] | None = None,
) -> web.Application:
    """The application. `checks` are further parts that must be in order before the process counts as ready.

    `public_url` is the archive's address as the world sees it (behind a proxy), `templates` the operator's folder.
    """

    async def database() -> str | None:
        async with store.read() as connection:
            await editions.public_editions(connection, limit=1)
        return None

    health = Health({"database": database, **(checks or {})})
    archive = Archive(store, public_url=public_url, templates=templates)
    app = web.Application(middlewares=[guarded])
    app.add_routes(
        [
            web.get("/healthz", health.alive),
            web.get("/readyz", health.ready),
            web.get("/metrics", health.metrics),
            web.get("/", archive.index),
            web.get("/feed.atom", archive.feed),
            web.get(r"/guilds/{guild_id:\d{1,19}}/", archive.guild_index),
            web.get(r"/guilds/{guild_id:\d{1,19}}/feed.atom", archive.feed),
            web.get(r"/editions/{edition_id:\d{1,18}}", archive.page),
            web.get(r"/editions/{edition_id:\d{1,18}}.md", archive.markdown),
            web.get(r"/editions/{edition_id:\d{1,18}}.json", archive.document),
        ]
    )
    return app


@contextlib.asynccontextmanager
async def serving(app: web.Application, *, host: str, port: int) -> AsyncIterator[str]:
    """Serve while the block runs; gives the address. Port 0 takes a free one.

    Raises SettingsError where the address cannot be had.
    """
    runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=5)
    await runner.setup()
    try:
        site = web.TCPSite(runner, host, port)
        try:
            await site.start()
        except OSError as error:
            raise SettingsError(
                f"The web side cannot listen on {host}:{port} ({error.strerror or error}); set GAZETTE_WEB_HOST and "
                "GAZETTE_WEB_PORT to a free address."
            ) from error
        bound = runner.addresses[0]
        yield f"http://{bound[0]}:{bound[1]}"
    finally:
        await runner.cleanup()
