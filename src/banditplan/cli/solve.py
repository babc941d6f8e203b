"""`banditplan solve`: a plan to standard output, and whatever else was asked for to files."""

from __future__ import annotations

import os

from banditplan.cli import EXIT_CODES, INTERRUPTED
from banditplan.cli.display import Display
from banditplan.cli.on_task import (
    EXAMPLE,
    IMPORT,
    JSON,
    MEMORY,
    NO_PRUNE,
    QUIET,
    SAS,
    SPLIT,
    TIME,
    check_record,
    observer,
    recorded,
    show_reasons,
    split_mode,
    task_files,
    write_record,
    write_sas,
)
from banditplan.cli.options import Command, Option, UsageError, natural
from banditplan.cli.stdout import write
from banditplan.components import brief
from banditplan.errors import InputError
from banditplan.files import check_folder, write_file
from banditplan.journal import Journal
from banditplan.limits import cap_memory
from banditplan.pipeline import improve, solve
from banditplan.plan import NumberedPlans, format_plan, remove_old_plans
from banditplan.settings import Settings, read_search, settings
from banditplan.task_input import from_pddl

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from banditplan._core import Search
    from banditplan.result import Result
    from banditplan.search_debugger import SearchDebugger
    from banditplan.task_input import Input


def run(files: list[str], options: dict[str, Any]) -> int:
    given = from_pddl(*task_files(files, options))
    plan_file = _plan_file(given, options)
    if options["explain"] is not None:
        check_folder(options["explain"], "the search report", "--explain")
    _check_plans(options)
    display = Display(quiet=options["quiet"])
    traces: list[str] = []
    debugger = _debugger(options)
    unwritten: list[str] = []
    journal = Journal(_settings(options, display, _trace(options, traces, unwritten), plan_file, debugger))
    if debugger is not None:
        debugger.start(journal)
    if options["plans"] is not None:
        result, problems = _several(given, journal, display, options, plan_file)
    elif options["anytime"]:
        numbered = NumberedPlans(plan_file)
        result = recorded(journal, lambda: _improve(given, journal, display, numbered), display, options)
        problems = "; ".join(filter(None, (numbered.problem, _deliver(journal, result, options, None, traces))))
    else:
        result = recorded(journal, lambda: solve(given, journal), display, options)
        problems = _deliver(journal, result, options, plan_file, traces)
    display.line(_summary(result))
    for text in result.warnings[len(journal.warnings) :]:  # those before the search have been shown
        display.line(f"warning: {text}")
    show_reasons(result, display)
    for text in () if debugger is None else debugger.finish():
        display.line(f"warning: {text}")
    if problems := "; ".join(filter(None, (*unwritten, problems))):
        raise InputError(problems)
    return INTERRUPTED if result.end == "interrupted" else EXIT_CODES[result.status]


def _several(
    given: Input, journal: Journal, display: Display, options: dict[str, Any], plan_file: str | None
) -> tuple[Result, str]:
    """Different plans, the cheapest first, to files of their own and to standard output; the result of the whole, and
    what went wrong, if anything."""
    from banditplan.many import solve_many, wish

    wished = wish(options["plans"], options["min_distance"] or 0.0, options["cost_bound"])
    found: list[Result] = []

    def run() -> Result:
        many = solve_many(given, wished, journal)
        found.extend(many)
        return many.end

    end = recorded(journal, run, display, options)
    numbered = NumberedPlans(plan_file)
    problems = []
    for result in found:
        if not numbered.write(result):
            problems.append(numbered.problem)
            break
    try:
        if options["json"] != "-":
            write("".join([f"{_lines(result)}" for result in found]))
        write_record(end, options)
        write_sas(journal, options)
    except InputError as error:
        problems.append(str(error))
    return end, "; ".join(problems)


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


def _debugger(options: dict[str, Any]) -> SearchDebugger | None:
    """Who is told of the states of the search while it runs, if anybody is."""
    if options["search_tree_dump"] is None:
        return None
    if options["trace"] is not None or options["explain"] is not None:
        raise UsageError("give either --search-tree-dump or --trace and --explain: a search has one observer")
    from banditplan.search_debugger import SearchDebugger

    return SearchDebugger(options["search_tree_dump"])


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


def _settings(
    options: dict[str, Any],
    display: Display,
    trace: Callable[[str], None] | None,
    plan_file: str | None,
    debugger: SearchDebugger | None,
) -> Settings:
    """Plans of earlier runs go before the search."""
    check_record(options)
    cap_memory(options["memory_limit"])
    search, imports = _search(options)
    return settings(
        search=search,
        imports=imports,
        seed=options["seed"],
        time_limit=options["time_limit"],
        memory_limit=options["memory_limit"],
        max_evaluations=options["max_evaluations"],
        max_expansions=options["max_expansions"],
        validate=not options["no_validate"],
        shorten=not options["no_shorten"],
        prune_mutex=not options["no_prune_mutex"],
        split=split_mode(options),
        owns_process=True,
        observer=observer(
            display,
            trace,
            None if debugger is None else debugger.feed,
            None if plan_file is None else lambda: remove_old_plans(plan_file),
        ),
    )


def _search(options: dict[str, Any]) -> tuple[Search | str | None, dict[str, str]]:
    """The search, and the Python files that it may use functions of, with what identifies them."""
    search, imports = _imported(options) if options["import"] is not None else (options["search"], {})
    if options["heuristic"] is not None:
        from banditplan.components import heuristic_search
        from banditplan.components.spec import with_heuristic

        chosen = heuristic_search() if options["search"] is None else read_search(search)
        search = with_heuristic(chosen, options["heuristic"])
    if options["threads"] is not None:
        from banditplan.components.spec import with_threads

        search = with_threads(read_search(search), options["threads"])
    return search, imports


def _imported(options: dict[str, Any]) -> tuple[Search, dict[str, str]]:
    from banditplan.components.python_file import digest, names, read_python_file
    from banditplan.components.spec import parse_search

    files = [read_python_file(path) for path in options["import"]]
    if options["search"] is None:
        raise UsageError(
            "--import serves --search: name a function of the file there, such as guct(bandit=mine.bandit)"
        )
    return parse_search(options["search"], names(files)), {file.name: digest(file) for file in files}


def _check_plans(options: dict[str, Any]) -> None:
    if options["plans"] is None:
        for name in ("min-distance", "cost-bound"):
            if options[name.replace("-", "_")] is not None:
                raise UsageError(f"--{name} is for several plans; give --plans, too")
        return
    for name in ("anytime", "trace", "explain", "search_tree_dump"):
        if options[name]:
            raise UsageError(f"give either --plans or --{name.replace('_', '-')}, not both")


def _trace(options: dict[str, Any], traces: list[str], problems: list[str]) -> Callable[[str], None] | None:
    """Who is told the trace, if one is asked for: it goes to `traces` and its file; what goes wrong, to `problems`."""
    path = options["trace"]
    if path is not None:
        check_folder(path, "the trace", "--trace")
    elif options["explain"] is None:
        return None

    def trace(text: str) -> None:
        traces.append(text)
        try:
            if path is not None:
                write_file(path, text, "the trace")
        except InputError as error:  # the plan comes later, and is not lost
            problems.append(str(error))

    return trace


def _deliver(
    journal: Journal, result: Result, options: dict[str, Any], plan_file: str | None, traces: list[str]
) -> str:
    """Hand the plan over in every way that was asked for, even if one fails; returns what went wrong, if anything."""
    ways: list[Callable[[], None]] = []
    if result.plan is not None:
        lines = _lines(result)
        text = format_plan(result.plan, result.plan_cost or 0, result.unit_cost)
        if options["json"] != "-":
            ways.append(lambda: write(lines))
        if plan_file is not None:
            ways.append(lambda: write_file(plan_file, text, "the plan"))
    ways.append(lambda: write_record(result, options))
    ways.append(lambda: write_sas(journal, options))
    if traces and options["explain"] is not None:
        ways.append(lambda: _write_report(traces[0], options["explain"]))
    problems = []
    for way in ways:
        try:
            way()
        except InputError as error:
            problems.append(str(error))
    return "; ".join(problems)


def _lines(result: Result) -> str:
    """The plan as standard output shows it."""
    return "".join(f"{step}\n" for step in result.plan or ()) + f"; cost = {result.plan_cost}\n"


def _write_report(trace: str, path: str) -> None:
    from banditplan.explain import page

    write_file(path, page(trace), "the search report")


def _summary(result: Result) -> str:
    seconds = result.seconds
    stages = ", ".join(f"{stage} {seconds[stage]:.2f}" for stage in ("parse", "ground", "search"))
    effort = f"{seconds['total']:.2f} s ({stages})"
    return f"{result.status}: {result.explanation}; {effort}; {brief(result.algorithm)}, seed {result.seed}"


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
            Option(
                "--heuristic",
                "of the search, such as hadd: --search SEARCH(heuristic=TEXT); without one, of guct-normal2",
                "TEXT",
            ),
            IMPORT,
            Option("--threads", "of a race: so many of its searches run at once", "N", natural),
            Option("--seed", "of the random numbers", "N", natural, 0),
            TIME,
            MEMORY,
            Option("--max-evaluations", "stop after N evaluated states", "N", natural),
            Option("--max-expansions", "stop after N expanded states", "N", natural),
            Option("--anytime", "go on for cheaper plans until a limit, Ctrl-C, or the proof that there is none"),
            Option("--plans", "find N plans that use different sets of actions, the cheapest first", "N", natural),
            Option("--min-distance", "of any two of them: the share of their actions that only one has", "X", float),
            Option("--cost-bound", "none costs more than X times the cheapest", "X", float),
            Option("--no-shorten", "leave the plan as the search finds it, with the steps that it does not need"),
            Option(
                "--plan-file",
                "where to write the plan; with --anytime or --plans, FILE.1, FILE.2 …; old ones go; with -, no file",
                "FILE",
                str,
                "sas_plan",
            ),
            JSON,
            Option("--trace", "write a sampled record of the search to FILE, as lines of JSON", "FILE"),
            Option("--explain", "write a report of the search to FILE, a page for a browser", "FILE"),
            SAS,
            Option(
                "--search-tree-dump",
                "tell the search debugger at URL, such as VS Code's, of the states while the search runs",
                "URL",
            ),
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
