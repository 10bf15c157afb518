"""Is the process alive, is it ready, and how is it doing."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, generate_latest

from bot.errors import GazetteError
from bot.web.metrics import READY

log = logging.getLogger(__name__)

Check = Callable[[], Awaitable[str | None]]
"""Looks at one part of the program; what is wrong with it in a sentence, or None."""

_PATIENCE = 5.0


class Health:
    """Answers /healthz, /readyz and /metrics. None of the answers holds anything of a guild's."""

    def __init__(self, checks: Mapping[str, Check]) -> None:
        self._checks = checks

    async def alive(self, request: web.Request) -> web.Response:
        """200 as long as the process answers at all: a broken database is no reason to start it anew."""
        return web.Response(text="ok\n")

    async def ready(self, request: web.Request) -> web.Response:
        """200 when every part is in order, else 503; a line for each part."""
        found = await self._look()
        lines = [f"{part}: {problem or 'ok'}" for part, problem in found.items()]
        return web.Response(text="\n".join(lines) + "\n", status=503 if any(found.values()) else 200)

    async def metrics(self, request: web.Request) -> web.Response:
        """What Prometheus reads."""
        await self._look()
        body = await asyncio.to_thread(generate_latest, REGISTRY)
        return web.Response(body=body, headers={"Content-Type": CONTENT_TYPE_LATEST})

    async def _look(self) -> dict[str, str | None]:
        problems = await asyncio.gather(*(_problem(part, check) for part, check in self._checks.items()))
        for part, problem in zip(self._checks, problems, strict=True):
            READY.labels(part).set(problem is None)
        return dict(zip(self._checks, problems, strict=True))


async def _problem(part: str, check: Check) -> str | None:
    try:
        async with asyncio.timeout(_PATIENCE):
            return await check()
    except TimeoutError:
        return f"no answer within {_PATIENCE:.0f} seconds"
    except GazetteError as error:
        return str(error)
    except Exception:
        log.exception("a check failed", extra={"part": part})
        return "failed; the log says how"
