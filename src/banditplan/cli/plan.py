"""`banditplan plan`: why each step is in a plan, as a page or in words."""

from __future__ import annotations

from banditplan.cli import BAD_INPUT, INVALID_PLAN
from banditplan.cli.options import Command, Option
from banditplan.cli.stdout import print_line
from banditplan.files import check_folder, read_source, write_file
from banditplan.pddl.parser import parse
from banditplan.plan import read_plan
from banditplan.validation import validate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def run(files: list[str], options: dict[str, Any]) -> int:
    from banditplan.plan_report import lines, page

    target = options["html"]
    if target is not None:
        check_folder(target, "the page", "--html")
    domain, problem, plan = map(read_source, files)
    parsed = parse(domain, problem)
    steps = read_plan(plan)
    if target is None:
        for line in lines(parsed, steps):
            print_line(line)
    else:
        write_file(target, page(parsed, steps), "the page")
        print_line(target)
    return 0 if validate(parsed, steps).valid else INVALID_PLAN


def command(name: str, summary: str) -> Command:
    return Command(
        name,
        summary,
        ("DOMAIN", "PROBLEM", "PLAN"),
        (Option("--html", "write a page for a browser to FILE, in place of lines to standard output", "FILE"),),
        run,
        f"The page needs no network. Exit codes: 0 valid, {INVALID_PLAN} invalid, {BAD_INPUT} bad input.",
    )
