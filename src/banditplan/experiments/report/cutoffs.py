"""Cutoffs that are applied afterwards: what a run would have come to within less than it was given.

One superset of runs serves many tables: a plan found after 7,000 evaluations counts within 10,000 and not within 5,000.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from banditplan.experiments.runs import Run


@dataclass(frozen=True, slots=True)
class Cutoffs:
    """None is no limit beyond the one that the run had. `time_limit` is in seconds, over the whole run."""

    max_evaluations: int | None = None
    max_expansions: int | None = None
    time_limit: float | None = None

    def __str__(self) -> str:
        parts = []
        if self.max_evaluations is not None:
            parts.append(f"{self.max_evaluations:,} evaluations")
        if self.max_expansions is not None:
            parts.append(f"{self.max_expansions:,} expansions")
        if self.time_limit is not None:
            parts.append(f"{self.time_limit:g} s")
        return ", ".join(parts) or "none"


def counted_evaluations(run: Run) -> int | None:
    """What the evaluation limit counts: inserted states, which differ from the evaluated only if these are deferred."""
    return run.evaluations if run.inserted is None else run.inserted


def seconds(run: Run) -> float | None:
    """What the time limit counts: parsing, grounding and search."""
    return run.search_seconds if run.total_seconds is None else run.total_seconds


def within(runs: Iterable[Run], limits: Cutoffs) -> list[Run]:
    """The runs as they would have ended within the limits."""
    if limits == Cutoffs():
        return list(runs)
    return [_cut(run, limits) for run in runs]


def too_short(runs: Iterable[Run], limits: Cutoffs) -> int:
    """How many runs ended at a limit of their own below the one asked for: nobody knows what they would have found."""
    return sum(_ended_before(run, limits) for run in runs)


def _cut(run: Run, limits: Cutoffs) -> Run:
    if not run.solved:
        return run
    for status, used, limit in (
        ("evaluation-limit", counted_evaluations(run), limits.max_evaluations),
        ("expansion-limit", run.expansions, limits.max_expansions),
        ("time-limit", seconds(run), limits.time_limit),
    ):
        if limit is not None and used is not None and used > limit:
            return replace(run, status=status, valid=None, plan_length=None, plan_cost=None)
    return run


def _ended_before(run: Run, limits: Cutoffs) -> bool:
    own, asked = {
        "evaluation-limit": (run.max_evaluations, limits.max_evaluations),
        "expansion-limit": (run.max_expansions, limits.max_expansions),
        "time-limit": (run.time_limit, limits.time_limit),
    }.get(run.status, (None, None))
    return own is not None and asked is not None and own < asked


def effective(runs: Iterable[Run], limits: Cutoffs) -> Cutoffs:
    """What the runs were kept to in the end: their own limit or the one asked for, whichever is less."""
    own = {(run.max_evaluations, run.max_expansions, run.time_limit) for run in runs}
    asked = (limits.max_evaluations, limits.max_expansions, limits.time_limit)
    least = [_least([given, *_common(values)]) for given, values in zip(asked, zip(*own, strict=True), strict=True)]
    evaluations, expansions, time = least
    return Cutoffs(
        None if evaluations is None else int(evaluations), None if expansions is None else int(expansions), time
    )


def _common(values: Iterable[float | None]) -> list[float | None]:
    """The limit that all have, if they have the same."""
    different = set(values)
    return list(different) if len(different) == 1 else []


def _least(values: Iterable[float | None]) -> float | None:
    return min((value for value in values if value is not None), default=None)
