"""Counters of publishing, in the process's registry for whoever serves `/metrics`."""

from __future__ import annotations

from prometheus_client import Counter, Gauge

RUNS = Counter("gazette_runs", "Runs of the schedule that ended, by how", ["outcome"])
LATE = Gauge("gazette_runs_overdue", "Runs that should have been done an hour ago and are not")
NOTICES = Counter("gazette_notices", "Problems reported to a guild, by the way taken", ["way"])
AMENDED = Counter("gazette_editions_amended", "Published editions that were made right again")
