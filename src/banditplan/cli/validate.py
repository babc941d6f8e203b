"""`banditplan validate`: the verdict on a plan."""

from __future__ import annotations

from banditplan.cli import BAD_INPUT, INVALID_PLAN
from banditplan.cli.on_plan import DETAILS, POSITIONALS, task_and_plan
from banditplan.cli.on_task import EXAMPLE
from banditplan.cli.options import Command
from banditplan.cli.stdout import print_line
from banditplan.validation import validate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def run(files: list[str], options: dict[str, Any]) -> int:
    task, steps = task_and_plan(files, options)
    verdict = validate(task, steps)
    if not verdict.valid:
        print_line(f"invalid: {verdict.reason}")
        return INVALID_PLAN
    print_line(f"valid: {len(steps)} steps, cost {verdict.cost} ({'unit' if verdict.unit_cost else 'general'} cost)")
    return 0


def command(name: str, summary: str) -> Command:
    codes = f"Exit codes: 0 valid, {INVALID_PLAN} invalid, {BAD_INPUT} bad input."
    return Command(name, summary, POSITIONALS, (EXAMPLE,), run, f"{DETAILS}\n{codes}")
