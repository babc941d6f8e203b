"""`banditplan plan`: why each step is in a plan, as a page or in words."""

from __future__ import annotations

from banditplan.cli import BAD_INPUT, INVALID_PLAN
from banditplan.cli.on_plan import DETAILS, POSITIONALS, task_and_plan
from banditplan.cli.on_task import EXAMPLE
from banditplan.cli.options import Command, Option
from banditplan.cli.stdout import print_line
from banditplan.files import check_folder, write_file
from banditplan.validation import validate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def run(files: list[str], options: dict[str, Any]) -> int:
    from banditplan.plan_report import lines, page

    target = options["html"]
    if target is not None:
        check_folder(target, "the page", "--html")
    task, steps = task_and_plan(files, options)
    if target is None:
        for line in lines(task, steps):
            print_line(line)
    else:
        write_file(target, page(task, steps), "the page")
        print_line(target)
    return 0 if validate(task, steps).valid else INVALID_PLAN


def command(name: str, summary: str) -> Command:
    return Command(
        name,
        summary,
        POSITIONALS,
        (EXAMPLE, Option("--html", "write a page for a browser to FILE, in place of lines to standard output", "FILE")),
        run,
        f"{DETAILS}\nThe page needs no network. Exit codes: 0 valid, {INVALID_PLAN} invalid, {BAD_INPUT} bad input.",
    )
