"""The command line: the Python API in words. Plans go to standard output, everything else to standard error."""

from __future__ import annotations

import os
import sys

from banditplan.display import Display, say
from banditplan.limits import Alarm, cap_memory
from banditplan.options import Command, Group, HelpRequested, Lazy, Option, UsageError, natural, program_help, read
from banditplan.pddl.errors import InputError, UnsupportedError
from banditplan.pipeline import Run
from banditplan.plan import NumberedPlans, check_folder, format_plan, write_plan
from banditplan.stdout import print_line as _print
from banditplan.stdout import write as _write
from banditplan.version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, NoReturn

    from banditplan.result import Result

PROGRAM = "banditplan"
SUMMARY = "An agile PDDL planner that searches with bandits."

# As Fast Downward's driver.
EXIT_CODES = {
    "solved": 0,
    "unsolvable": 11,
    "exhausted": 12,
    "evaluation-limit": 12,
    "expansion-limit": 12,
    "memory-limit": 22,
    "time-limit": 23,
    "interrupted": 130,
    "error": 35,
}
INVALID_PLAN = 1
BAD_INPUT = 31
UNSUPPORTED = 34

EXAMPLE = Option("--example", "use a bundled task instead of files; see `banditplan examples`", "NAME")
TIME = Option("--time-limit", "one deadline over parsing, grounding and search, such as 30s, 5m, 1h", "TIME")
MEMORY = Option("--memory-limit", "for the whole process, such as 500M or 2G", "SIZE")
NO_PRUNE = Option("--no-prune-mutex", "keep actions that mutex groups show to be inapplicable")
SPLIT = Option(
    "--split", "actions with many parameters become chains of smaller ones: auto, never or always", "WHEN", str, "auto"
)
JSON = Option("--json", "write the record of the run to FILE; with -, to standard output, in place of the plan", "FILE")
QUIET = Option("--quiet", "say nothing but the plan and errors")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _dispatch(words)
    except HelpRequested as help_requested:
        _print(str(help_requested))
        return 0
    except InputError as error:
        say(f"error: {error}")
        return UNSUPPORTED if isinstance(error, UnsupportedError) else BAD_INPUT
    except KeyboardInterrupt:
        say("interrupted")
        return EXIT_CODES["interrupted"]
    except MemoryError:
        say("error: out of memory")
        return EXIT_CODES["memory-limit"]
    except Exception:
        import traceback

        say(traceback.format_exc())
        say(f"This is a bug in {PROGRAM} {VERSION}; please report it with the files that show it.")
        return EXIT_CODES["error"]


def entry() -> NoReturn:
    """The installed command. Leaves without freeing a large task piece by piece, which takes time and helps nobody."""
    import io

    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a name that the terminal cannot show must not end the run
    os._exit(main())  # everything was flushed when it was written


def _dispatch(words: list[str]) -> int:
    if words[:1] == ["--version"]:
        _print(f"{PROGRAM} {VERSION}")
        return 0
    return _command(words, COMMANDS, PROGRAM, SUMMARY)


def _command(words: list[str], commands: tuple[Command | Group | Lazy, ...], program: str, summary: str) -> int:
    if not words or words[0] in ("--help", "-h", "help"):
        _print(program_help(commands, program, summary))
        return 0 if words else BAD_INPUT
    for command in commands:
        if command.name != words[0]:
            continue
        if isinstance(command, Lazy):
            command = command.loaded()
        if isinstance(command, Group):
            return _command(words[1:], command.commands(), f"{program} {command.name}", command.summary)
        return command.run(*read(command, words[1:], program))
    from banditplan.pddl.faults import similar

    names = [command.name for command in commands]
    raise UsageError(f'unknown command "{words[0]}"{similar(words[0], names)}; there are {", ".join(names)}')


# ---- solve


def _solve(files: list[str], options: dict[str, Any]) -> int:
    domain, problem = _task_files(files, options)
    check_folder(options["plan_file"], "the plan", "--plan-file")
    if options["explain"] is not None:
        check_folder(options["explain"], "the search report", "--explain")
    display = Display(quiet=options["quiet"])
    traces: list[str] = []
    run = _run(options, display, traces)
    if options["anytime"]:
        numbered = NumberedPlans(options["plan_file"])
        result = _ended(run, lambda: _improve(run, domain, problem, display, numbered), display, options)
        problems = "; ".join(filter(None, (numbered.problem, _deliver(result, options, None, traces))))
    else:
        result = _ended(run, lambda: run.files(domain, problem), display, options)
        problems = _deliver(result, options, options["plan_file"], traces)
    display.line(_summary(result))
    if problems:
        raise InputError(problems)
    return EXIT_CODES["interrupted" if result.end == "interrupted" else result.status]


def _improve(run: Run, domain: str, problem: str, display: Display, files: NumberedPlans) -> Result:
    """Write every plan to a file of its own as soon as it is known; returns how it ended."""
    import signal

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends as Ctrl-C does: with the best plan
    try:
        for result in run.plans(lambda: run.load(domain, problem)):
            if result.end != "solved" or not files.write(result):
                break
            display.best_cost = result.plan_cost
            effort = f"{result.evaluations:,} evaluations, {result.seconds['total']:.2f} s"
            display.line(f"plan {result.plans}: {len(result.plan or ())} steps, cost {result.plan_cost}, {effort}")
    except KeyboardInterrupt:  # between two searches
        result = run.result("interrupted")
        if result.plan is not None:
            files.write(result)
    return result


def _run(options: dict[str, Any], display: Display, traces: list[str] | None = None) -> Run:
    """`traces` gets the trace, if a report of the search is asked for."""
    if options["json"] not in (None, "-"):
        check_folder(options["json"], "the record", "--json")
    cap_memory(options["memory_limit"])
    return Run(
        search=options.get("search"),
        seed=options.get("seed", 0),
        time_limit=options["time_limit"],
        memory_limit=options["memory_limit"],
        max_evaluations=options.get("max_evaluations"),
        max_expansions=options.get("max_expansions"),
        validate=not options.get("no_validate", False),
        shorten=_shortens(options),
        prune_mutex=not options["no_prune_mutex"],
        split=options["split"],
        report=display.report,
        trace=_trace(options, traces),
        warn=lambda text: display.line(f"warning: {text}"),
        stage=display.stage,
        alarm=Alarm,
    )


def _shortens(options: dict[str, Any]) -> bool:
    if options.get("shorten") and options.get("no_shorten"):
        raise UsageError("give either --shorten or --no-shorten, not both")
    return bool(options.get("shorten") or (options.get("anytime") and not options.get("no_shorten")))


def _trace(options: dict[str, Any], traces: list[str] | None) -> Callable[[str], None] | None:
    path = options.get("trace")
    if path is not None:
        check_folder(path, "the trace", "--trace")
    elif options.get("explain") is None:
        return None

    def trace(text: str) -> None:
        if traces is not None:
            traces.append(text)
        if path is not None:
            write_plan(path, text, "the trace")

    return trace


def _ended(run: Run, stages: Callable[[], Result], display: Display, options: dict[str, Any]) -> Result:
    """The result of the stages; where they fail, the record says so before the error goes on."""
    try:
        return stages()
    except Exception:
        display.clear()
        _write_json(run.result("error"), options)
        raise
    finally:
        display.clear()


def _deliver(result: Result, options: dict[str, Any], plan_file: str | None, traces: list[str]) -> str:
    """Hand the plan over in every way that was asked for, even if one fails; returns what went wrong, if anything."""
    ways: list[Callable[[], None]] = []
    if result.plan is not None:
        lines = "".join(f"{step}\n" for step in result.plan) + f"; cost = {result.plan_cost}\n"
        text = format_plan(result.plan, result.plan_cost or 0, result.unit_cost)
        if options["json"] != "-":
            ways.append(lambda: _write(lines))
        if plan_file is not None:
            ways.append(lambda: write_plan(plan_file, text))
    ways.append(lambda: _write_json(result, options))
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

    write_plan(path, page(trace), "the search report")


def _summary(result: Result) -> str:
    seconds = result.seconds
    stages = ", ".join(f"{stage} {seconds[stage]:.2f}" for stage in ("parse", "ground", "search"))
    effort = f"{seconds['total']:.2f} s ({stages})"
    return f"{result.status}: {result.explanation}; {effort}; {result.algorithm}, seed {result.seed}"


def _write_json(result: Result, options: dict[str, Any]) -> None:
    target = options["json"]
    if target is None:
        return
    import json

    text = json.dumps(result.record(), indent=2)
    if target == "-":
        _print(text)
    else:
        write_plan(target, text + "\n", "the record")


# ---- ground


def _ground(files: list[str], options: dict[str, Any]) -> int:
    domain, problem = _task_files(files, options)
    display = Display(quiet=options["quiet"])
    run = _run(options, display)
    result = _ended(run, lambda: run.grounded(domain, problem), display, options)
    _write_json(result, options)
    if options["json"] != "-":
        sizes, seconds = result.task, result.seconds
        if sizes is not None:
            for name, value in sizes.items():
                _print(f"{name.replace('_', ' ')}: {value:,}")
        for schema in result.split or ():
            _print(f"split {schema['action']}: {schema['parts']} parts")
        for stage in ("parse", "normalize", "ground", "total"):
            _print(f"seconds {stage}: {seconds[stage]:.3f}")
        _print(f"peak memory: {result.peak_memory_kb:,} KB")
    if result.status != "exhausted":
        display.line(f"{result.status}: {result.explanation}")
    return 0 if result.status == "exhausted" else EXIT_CODES[result.status]


# ---- explain, experiment, validate, examples, components


def _explain(files: list[str], options: dict[str, Any]) -> int:
    from banditplan.explain.command import explain

    _print(explain(files, options["o"]))
    return 0


def _experiment_commands() -> tuple[Command, ...]:
    from banditplan.experiments.commands import COMMANDS

    return COMMANDS


def _validate(files: list[str], options: dict[str, Any]) -> int:
    from banditplan.pddl.parser import parse
    from banditplan.pddl.tokens import read_source
    from banditplan.plan import read_plan
    from banditplan.validate import validate

    parsed = parse(read_source(files[0]), read_source(files[1]))
    steps = read_plan(read_source(files[2]))
    verdict = validate(parsed, steps)
    if not verdict.valid:
        _print(f"invalid: {verdict.reason}")
        return INVALID_PLAN
    _print(f"valid: {len(steps)} steps, cost {verdict.cost} ({'unit' if verdict.unit_cost else 'general'} cost)")
    return 0


def _examples(files: list[str], options: dict[str, Any]) -> int:
    from banditplan import examples

    for name in examples.names():
        _print(f"{name:12} {examples.summary(name)}")
    return 0


def _components(files: list[str], options: dict[str, Any]) -> int:
    from banditplan.components import listing

    _print(listing())
    return 0


# ---- bandits, serve


def _load_bandits(name: str, summary: str) -> Command:
    from banditplan.bandits.command import command

    return command(name, summary)


def _load_serve(name: str, summary: str) -> Command:
    from banditplan.server.command import command

    return command(name, summary)


# ---- common


def _task_files(files: list[str], options: dict[str, Any]) -> tuple[str, str]:
    if options["example"] is not None:
        from banditplan import examples

        if files:
            raise UsageError("give either --example or files, not both")
        return examples.paths(options["example"])
    if not files:
        raise UsageError("no task given: name a problem file, or try --example crates; see `banditplan examples`")
    if len(files) == 1:
        from banditplan.domain_file import find_domain

        return find_domain(files[0]), files[0]
    return files[0], files[1]


COMMANDS: tuple[Command | Group | Lazy, ...] = (
    Command(
        "solve",
        "Find a plan and print it.",
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
            Option("--shorten", "take redundant steps out of the plan; with --anytime that is the default"),
            Option("--no-shorten", "leave redundant steps in"),
            Option(
                "--plan-file",
                "where to write the plan; with --anytime, FILE.1, FILE.2 … in place of those of an earlier run",
                "FILE",
                str,
                "sas_plan",
            ),
            JSON,
            Option("--trace", "write a sampled record of a tree search to FILE, as lines of JSON", "FILE"),
            Option("--explain", "write a report of a tree search to FILE, a page for a browser", "FILE"),
            Option("--no-validate", "do not check the plan before it is printed"),
            NO_PRUNE,
            SPLIT,
            QUIET,
        ),
        _solve,
        "Without DOMAIN, the domain is looked for beside PROBLEM: domain.pddl, PROBLEM-domain.pddl, domain_PROBLEM …\n"
        "Exit codes: 0 plan found, 11 proved unsolvable, 12 ended without a plan or proof, 22 memory limit,\n"
        "23 time limit, 31 bad input, 34 unsupported PDDL feature, 35 internal error, 130 interrupted.",
    ),
    Command(
        "ground",
        "Parse and ground only; report sizes, seconds per stage and peak memory.",
        ("[DOMAIN]", "[PROBLEM]"),
        (EXAMPLE, TIME, MEMORY, NO_PRUNE, SPLIT, JSON, QUIET),
        _ground,
    ),
    Command(
        "validate",
        "Replay a plan and say whether it is valid, or which step fails and why.",
        ("DOMAIN", "PROBLEM", "PLAN"),
        (),
        _validate,
        f"Exit codes: 0 valid, {INVALID_PLAN} invalid, {BAD_INPUT} bad input.",
    ),
    Command(
        "explain",
        "Make a page for a browser from the trace of a search, or a comparison from two.",
        ("TRACE", "[TRACE]"),
        (Option("-o", "where to write the page; by default beside the trace, as TRACE.html", "FILE"),),
        _explain,
        "The page needs no network. `banditplan solve --trace FILE` writes a trace.",
    ),
    Group("experiment", "Run experiments and report on them.", _experiment_commands),
    Lazy("serve", "Serve a page in which tasks are solved, and an HTTP interface for other programs.", _load_serve),
    Command("examples", "List the bundled tasks.", (), (), _examples),
    Command("components", "List what a search can be made of, and the papers' names.", (), (), _components),
    Lazy("bandits", "Let bandits play on synthetic arms, without a planner; print their regret.", _load_bandits),
)
