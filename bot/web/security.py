"""What every answer carries: nothing runs, nothing is framed, nothing is guessed, nothing is passed on."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable

from aiohttp import web

from bot.render.edition import style_hash
from bot.web.metrics import REQUESTS

log = logging.getLogger(__name__)

_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), interest-cohort=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "Server": "Gazette",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_KEPT = ("Allow", "Location")
_STYLE = re.compile(r"<style>([\s\S]*?)</style>")

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def page_policy(html: str) -> str:
    """The content security policy under which a page may show its own style and pictures, and nothing else."""
    style = _STYLE.search(html)
    allowed = f"; style-src {style_hash(style[1])}" if style else ""
    return f"default-src 'none'{allowed}; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


@web.middleware
async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Send the headers with every answer, count it, and tell of an error no more than that there was one."""
    try:
        response = await handler(request)
    except web.HTTPException as answer:
        response = web.Response(text=f"{answer.status} {answer.reason}\n", status=answer.status)
        response.headers.update(
            {name: answer.headers[name] for name in ("Location", "Allow") if name in answer.headers}
        )
    except Exception:
        log.exception("a request failed", extra={"path": request.path})
        response = web.Response(text="500 Internal Server Error\n", status=500)
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    route = request.match_info.route.resource
    REQUESTS.labels(route.canonical if route else "none", response.status).inc()
    return response
