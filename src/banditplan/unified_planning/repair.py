"""A plan for a problem that has changed: what still works of the old one is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from banditplan.pipeline import load, solve
from banditplan.replanning import replan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from banditplan.journal import Journal
    from banditplan.plan import Step
    from banditplan.result import Result
    from banditplan.task_input import Input


def repair(given: Input, steps: Sequence[Step], journal: Journal) -> Result:
    """The old plan, or the end of it behind new steps; a new plan if nothing of it helps."""
    with journal.ending():
        task = load(given, journal)
        result = replan(task, steps, None, journal).result
        if result.status != "unsolvable":
            return result
        return solve(task, journal)  # a proof is about the task itself, not about ways to take the plan up
    return journal.result()
