"""A plan for a problem that has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from banditplan.pipeline import load, solve
from banditplan.plan import Plan
from banditplan.validation import validate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from banditplan.journal import Journal
    from banditplan.plan import Step
    from banditplan.result import Result
    from banditplan.task_input import Input


def repair(given: Input, steps: Sequence[Step], journal: Journal) -> Result:
    """The old plan if it still works, else a new one."""
    with journal.ending():
        task = load(given, journal)
        verdict = validate(task.origin.parsed, steps, journal.limits.check)
        if verdict.valid:
            journal.note_plan(Plan(steps), verdict.cost, True)
            journal.end = "solved"
            return journal.result()
        return solve(task, journal)
    return journal.result()
