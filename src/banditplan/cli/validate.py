"""`banditplan validate`: the verdict on a plan."""

from __future__ import annotations

from banditplan.cli import BAD_INPUT, INVALID_PLAN
from banditplan.cli.on_task import sources
from banditplan.cli.options import Command
from banditplan.cli.stdout import print_line
from banditplan.files import read_source
from banditplan.pddl.parser import parse
from banditplan.plan import read_plan
from banditplan.validation import validate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def run(files: list[str], options: dict[str, Any]) -> int:
    domain, problem, plan = (read_source(file) if isinstance(file, str) else file for file in sources(files))
    parsed = parse(domain, problem)
    steps = read_plan(plan)
    verdict = validate(parsed, steps)
    if not verdict.valid:
        print_line(f"invalid: {verdict.reason}")
        return INVALID_PLAN
    print_line(f"valid: {len(steps)} steps, cost {verdict.cost} ({'unit' if verdict.unit_cost else 'general'} cost)")
    return 0


def command(name: str, summary: str) -> Command:
    codes = f"Exit codes: 0 valid, {INVALID_PLAN} invalid, {BAD_INPUT} bad input."
    return Command(name, summary, ("DOMAIN", "PROBLEM", "PLAN"), (), run, codes)
