"""Two ledgers, run by run: did every search take the same course?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from banditplan.errors import InputError
from banditplan.experiments.runs import Run

# What a search found and what it took, without times and memory.
COURSE = (
    *("status", "valid", "plan_length", "plan_cost", "evaluations", "inserted", "expansions", "generated"),
    *("dead_ends", "initial_h", "best_h"),
)
MOST = 20  # lines


def differences(old: Iterable[Run], new: Iterable[Run]) -> tuple[int, list[str]]:
    """How many runs both ledgers have, and a line for each of them that differs."""
    known = {run.key: run for run in old}
    both = [(known[run.key], run) for run in new if run.key in known]
    if not both:
        raise InputError("nothing to compare: no run with the same algorithm, column, instance and seed is in both")
    return len(both), [line for before, after in both for line in _difference(before, after)]


def _difference(old: Run, new: Run) -> Iterator[str]:
    changed = [
        f"{name} {getattr(old, name)} → {getattr(new, name)}"
        for name in COURSE
        if getattr(old, name) != getattr(new, name)
    ]
    if changed:
        key = new.key
        yield f"{key.algorithm} {key.column} {key.domain}/{key.instance} seed {key.seed}: {', '.join(changed)}"
