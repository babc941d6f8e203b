"""The columns of a report. To add one is one line in `ATTRIBUTES`: where it comes from, which way is better, how many
runs become one number."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from banditplan.experiments.report.cutoffs import counted_evaluations, seconds
from banditplan.experiments.report.statistics import geometric_mean
from banditplan.experiments.runs import Run

Direction = Literal["more", "less"]


@dataclass(frozen=True, slots=True)
class Attribute:
    """`solved_only`: a number that only a solved run has, so that algorithms are compared where all have one. `noise`:
    the share by which two runs of the same course may differ, as the machine pleases."""

    name: str
    of: Callable[[Run], float | None]
    better: Direction
    together: Callable[[Sequence[float]], float | None]
    aggregation: str
    digits: int = 1
    solved_only: bool = True
    noise: float = 0.0


def agile(run: Run, limit: float | None = None) -> float:
    """The agile score of IPC 2018: 1 up to a second, then logarithmically down to 0 at the time limit."""
    limit = limit or run.time_limit or 300.0
    used = seconds(run)
    if not run.solved or used is None or used >= limit:
        return 0.0
    return 1.0 if used <= 1 else 1 - math.log(used) / math.log(limit)


ATTRIBUTES = (
    Attribute("coverage", lambda run: float(run.solved), "more", math.fsum, "sum", 0, solved_only=False),
    Attribute("agile score", agile, "more", math.fsum, "sum", solved_only=False),
    Attribute("evaluations", counted_evaluations, "less", geometric_mean, "geometric mean"),
    Attribute("expansions", lambda run: run.expansions, "less", geometric_mean, "geometric mean"),
    Attribute("plan length", lambda run: run.plan_length, "less", geometric_mean, "geometric mean"),
    Attribute("plan cost", lambda run: run.plan_cost, "less", geometric_mean, "geometric mean"),
    Attribute(
        "search seconds", lambda run: run.search_seconds, "less", geometric_mean, "geometric mean", 4, noise=0.05
    ),
    Attribute("total seconds", seconds, "less", geometric_mean, "geometric mean", 3, noise=0.05),
    Attribute(
        "peak memory KB", lambda run: run.peak_memory_kb, "less", geometric_mean, "geometric mean", 0, noise=0.02
    ),
)
