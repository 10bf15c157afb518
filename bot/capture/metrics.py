"""Counters of recording, in the process's registry for whoever serves `/metrics`."""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

EVENTS = Counter("gazette_events", "Events of the gateway that were stored")
LOST = Counter("gazette_events_lost", "Events that were let go because the database could not keep up; read back later")
QUEUE = Gauge("gazette_queue", "Events that wait to be stored")
LAG = Gauge("gazette_lag_seconds", "How long the oldest event of the last batch had waited when it was stored")
FLUSH = Histogram("gazette_flush_seconds", "How long a batch takes to be stored")
GAPS = Counter("gazette_gaps", "Stretches of channels that were not recorded live and had to be read back")
DISCORD_CALLS = Counter("gazette_discord_calls", "Requests to Discord, by purpose and outcome", ["purpose", "outcome"])
