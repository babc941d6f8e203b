"""What the commands on a plan share: the task and the plan that they are about."""

from __future__ import annotations

from banditplan.cli.on_task import STANDARD_INPUT, check_dashes, task_files
from banditplan.cli.options import UsageError
from banditplan.files import read_source, read_standard_input
from banditplan.pddl.parser import parse
from banditplan.plan import read_plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from banditplan.pddl.syntax import Parsed
    from banditplan.plan import Step

POSITIONALS = ("[DOMAIN]", "[PROBLEM]", "PLAN")
DETAILS = "One of the files may be -, which is standard input. Without DOMAIN, it is looked for beside PROBLEM."


def task_and_plan(files: list[str], options: dict[str, Any]) -> tuple[Parsed, tuple[Step, ...]]:
    """The parsed task, and the steps of the plan, which is the last of the files."""
    *task, plan = files
    check_dashes(files)
    if not task and options["example"] is None:
        raise UsageError("a plan is for a task: give PROBLEM PLAN, or --example NAME PLAN")
    domain, problem = (read_source(file) if isinstance(file, str) else file for file in task_files(task, options))
    return parse(domain, problem), read_plan(read_standard_input() if plan == STANDARD_INPUT else read_source(plan))
