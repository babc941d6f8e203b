"""`banditplan solve`: a plan to standard output, and whatever else was asked for to files."""

from __future__ import annotations

import os

from banditplan.cli import EXIT_CODES, INTERRUPTED
from banditplan.cli.display import Display
from banditplan.cli.on_task import (
    EXAMPLE,
    JSON,
    MEMORY,
    NO_PRUNE,
    QUIET,
    SPLIT,
    TIME,
    check_record,
    observer,
    recorded,
    task_files,
    write_record,
)
from banditplan.cli.options import Command, Option, UsageError, natural
from banditplan.cli.stdout import write
from banditplan.errors import InputError
from banditplan.files import check_folder, write_file
from banditplan.journal import Journal
from banditplan.limits import cap_memory
from banditplan.pipeline import improve, solve
from banditplan.plan import NumberedPlans, format_plan, remove_old_plans
from banditplan.settings import Settings, settings
from banditplan.task_input import from_pddl

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from banditplan.result import Result
    from banditplan.task_input import Input


def run(files: list[str], options: dict[str, Any]) -> int:
    given = from_pddl(*task_files(files, options))
    plan_file = _plan_file(given, options)
    if options["explain"] is not None:
        check_folder(options["explain"], "the search report", "--explain")
    display = Display(quiet=options["quiet"])
    traces: list[str] = []
    journal = Journal(_settings(options, display, traces, plan_file))
    if options["anytime"]:
        numbered = NumberedPlans(plan_file)
        result = recorded(journal, lambda: _improve(given, journal, display, numbered), display, options)
        problems = "; ".join(filter(None, (numbered.problem, _deliver(result, options, None, traces))))
    else:
        result = recorded(journal, lambda: solve(given, journal), display, options)
        problems = _deliver(result, options, plan_file, traces)
    display.line(_summary(result))
    if problems:
        raise InputError(problems)
    return INTERRUPTED if result.end == "interrupted" else EXIT_CODES[result.status]


def _improve(given: Input, journal: Journal, display: Display, files: NumberedPlans) -> Result:
    """Write every plan to a file of its own as soon as it is known; returns how it ended."""
    import signal

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends as Ctrl-C does: with the best plan
    try:
        for result in improve(given, journal):
            if result.end != "solved" or not files.write(result):
                break
            display.best_cost = result.plan_cost
            effort = f"{result.evaluations:,} evaluations, {result.seconds['total']:.2f} s"
            display.line(f"plan {result.plans}: {result.plan_length} steps, cost {result.plan_cost}, {effort}")
    except KeyboardInterrupt:  # between two searches
        result = journal.result("interrupted")
        if result.plan is not None:
            files.write(result)
    return result


def _plan_file(given: Input, options: dict[str, Any]) -> str | None:
    """Where the plan goes besides standard output, if anywhere."""
    path: str = options["plan_file"]
    if path == "-":
        if options["json"] == "-":
            raise UsageError("standard output is for the plan or for the record: give a file to --plan-file or --json")
        return None
    check_folder(path, "the plan", "--plan-file")
    for file in (given.domain, given.problem):
        if os.path.exists(path) and os.path.exists(file) and os.path.samefile(path, file):
            raise InputError(f'cannot write the plan to "{path}": it is a file of the task; choose another --plan-file')
    return path


def _settings(options: dict[str, Any], display: Display, traces: list[str], plan_file: str | None) -> Settings:
    """`traces` gets the trace, if a report of the search is asked for; plans of earlier runs go before the search."""
    check_record(options)
    cap_memory(options["memory_limit"])
    return settings(
        search=options["search"],
        seed=options["seed"],
        time_limit=options["time_limit"],
        memory_limit=options["memory_limit"],
        max_evaluations=options["max_evaluations"],
        max_expansions=options["max_expansions"],
        validate=not options["no_validate"],
        shorten=not options["no_shorten"],
        prune_mutex=not options["no_prune_mutex"],
        split=options["split"],
        owns_process=True,
        observer=observer(
            display, _trace(options, traces), None if plan_file is None else lambda: remove_old_plans(plan_file)
        ),
    )


def _trace(options: dict[str, Any], traces: list[str]) -> Callable[[str], None] | None:
    path = options["trace"]
    if path is not None:
        check_folder(path, "the trace", "--trace")
    elif options["explain"] is None:
        return None

    def trace(text: str) -> None:
        traces.append(text)
        if path is not None:
            write_file(path, text, "the trace")

    return trace


def _deliver(result: Result, options: dict[str, Any], plan_file: str | None, traces: list[str]) -> str:
    """Hand the plan over in every way that was asked for, even if one fails; returns what went wrong, if anything."""
    ways: list[Callable[[], None]] = []
    if result.plan is not None:
        lines = "".join(f"{step}\n" for step in result.plan) + f"; cost = {result.plan_cost}\n"
        text = format_plan(result.plan, result.plan_cost or 0, result.unit_cost)
        if options["json"] != "-":
            ways.append(lambda: write(lines))
        if plan_file is not None:
            ways.append(lambda: write_file(plan_file, text, "the plan"))
    ways.append(lambda: write_record(result, options))
    if traces and options["explain"] is not None:
        ways.append(lambda: _write_report(traces[0], options["explain"]))
    problems = []
    for way in ways:
        try:
            way()
        except InputError as error:
            problems.append(str(error))
    return "; ".join(problems)


def _write_report(trace: str, path: str) -> None:
    from banditplan.explain import page

    write_file(path, page(trace), "the search report")


def _summary(result: Result) -> str:
    seconds = result.seconds
    stages = ", ".join(f"{stage} {seconds[stage]:.2f}" for stage in ("parse", "ground", "search"))
    effort = f"{seconds['total']:.2f} s ({stages})"
    return f"{result.status}: {result.explanation}; {effort}; {result.algorithm}, seed {result.seed}"


def command(name: str, summary: str) -> Command:
    return Command(
        name,
        summary,
        ("[DOMAIN]", "[PROBLEM]"),
        (
            EXAMPLE,
            Option(
                "--search",
                "the search, such as guct-normal2(heuristic=hadd); see `banditplan components`",
                "TEXT",
            ),
            Option("--seed", "of the random numbers", "N", natural, 0),
            TIME,
            MEMORY,
            Option("--max-evaluations", "stop after N evaluated states", "N", natural),
            Option("--max-expansions", "stop after N expanded states", "N", natural),
            Option("--anytime", "go on for cheaper plans until a limit, Ctrl-C, or the proof that there is none"),
            Option("--no-shorten", "leave the plan as the search finds it, with the steps that it does not need"),
            Option(
                "--plan-file",
                "where to write the plan; with --anytime, FILE.1, FILE.2 …; old ones go; with -, there is no file",
                "FILE",
                str,
                "sas_plan",
            ),
            JSON,
            Option("--trace", "write a sampled record of the search to FILE, as lines of JSON", "FILE"),
            Option("--explain", "write a report of the search to FILE, a page for a browser", "FILE"),
            Option("--no-validate", "do not check the plan before it is printed"),
            NO_PRUNE,
            SPLIT,
            QUIET,
        ),
        run,
        "DOMAIN or PROBLEM may be -, which is standard input.\n"
        "Without DOMAIN, the domain is looked for beside PROBLEM: domain.pddl, PROBLEM-domain.pddl, domain_PROBLEM …\n"
        "Exit codes: 0 plan found, 11 proved unsolvable, 12 ended without a plan or proof, 22 memory limit,\n"
        "23 time limit, 31 bad input, 34 unsupported PDDL feature, 35 internal error, 130 interrupted.",
    )
