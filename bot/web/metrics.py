"""Counters of the web side, in the process's registry like those of the other stages."""

from __future__ import annotations

from prometheus_client import Counter, Gauge

REQUESTS = Counter("gazette_web_requests", "Requests to the web side, by route and status", ["route", "status"])
READY = Gauge("gazette_ready", "Whether a part of the program is in order (1) or not (0)", ["part"])
