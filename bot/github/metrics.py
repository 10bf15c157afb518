"""Counters of GitHub, in the process's registry for whoever serves `/metrics`."""

from __future__ import annotations

from prometheus_client import Counter, Gauge

CALLS = Counter("gazette_github_calls", "Requests to GitHub, by status", ["status"])
REMAINING = Gauge("gazette_github_requests_left", "Requests that GitHub allows until its limit is set back", ["of"])
