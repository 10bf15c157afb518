"""What the benchmarks share: two sides measured in turn, a table, and out/bench/NAME.json."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

RUNS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One line of a benchmark. `ratio`: how much better than what stands beside it, more is better."""

    figure: str
    value: float
    unit: str
    beside: str | None = None
    beside_value: float | None = None
    ratio: float | None = None
    runs: int = RUNS


def seconds(work: Callable[[], Any], clock: Callable[[], float] = time.perf_counter) -> float:
    """How long one call takes, in seconds."""
    start = clock()
    work()
    return clock() - start


def in_turn(*sides: Callable[[], Any], runs: int = RUNS, clock: Callable[[], float] = time.perf_counter) -> list[float]:
    """The median seconds of each side, run alternately after one run of each that does not count.

    For work that only computes, `clock` may be `time.process_time`: the seconds of one core, whatever else runs.
    """
    for side in sides:
        side()
    rounds = [[seconds(side, clock) for side in sides] for _ in range(runs)]
    return [statistics.median(times) for times in zip(*rounds, strict=True)]


def duration(figure: str, taken: float, beside: str, beside_taken: float, *, runs: int = RUNS) -> Figure:
    """A time in milliseconds beside another; the ratio is below one where ours takes longer."""
    return Figure(
        figure=figure,
        value=round(taken * 1000, 4),
        unit="ms",
        beside=beside,
        beside_value=round(beside_taken * 1000, 4),
        ratio=round(beside_taken / taken, 4) if taken else None,
        runs=runs,
    )


def write(name: str, figures: Iterable[Figure], *, folder: Path = Path("out/bench")) -> Sequence[Figure]:
    """Print the figures as a table and write them as JSON."""
    rows = list(figures)
    for row in rows:
        beside = f"beside {row.beside_value:,} {row.unit} ({row.beside}), ratio {row.ratio}" if row.beside else ""
        print(f"{row.figure:<48} {row.value:>14,} {row.unit:<12} {beside}")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n", encoding="utf-8")
    return rows
