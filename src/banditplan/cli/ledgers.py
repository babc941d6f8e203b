"""The commands that read ledgers: report, export, import, compare."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

from banditplan.cli.display import say
from banditplan.cli.options import Command, Option, natural
from banditplan.cli.stdout import write
from banditplan.experiments.ledger import Ledger
from banditplan.experiments.report.cutoffs import Cutoffs, within
from banditplan.limits import read_seconds

LIMITS = (
    Option(
        "--max-evaluations", "count only plans found within N evaluations (if deferred: inserted states)", "N", natural
    ),
    Option("--max-expansions", "count only plans found within N expansions", "N", natural),
    Option("--time-limit", "count only plans found within a time, such as 300s or 5m", "TIME"),
)


def _report(folders: list[str], options: dict[str, Any]) -> int:
    from banditplan.experiments.report.report import write_report

    words = [word for option in (*LIMITS, REFERENCE, OUT) for word in _given(option, options)]
    command = shlex.join(["banditplan", "experiment", "report", *folders, *words])
    with Ledger.open(folders[0]) as ledger:
        out = Path(options["out"] or ledger.folder / "report")
        page = write_report(ledger, out, _limits(options), options["reference"], command)
    say(f"{page}\n{out / 'report.md'}; tables as Markdown, LaTeX and CSV in {out / 'tables'}, plots in {out / 'plots'}")
    return 0


def _export(arguments: list[str], options: dict[str, Any]) -> int:
    from banditplan.experiments.report.exchange import export

    folder, file = arguments
    with Ledger.open(folder) as ledger:
        runs = within(ledger.runs(), _limits(options))
    export(runs, Path(file))
    say(f"{len(runs):,} runs → {file}")
    return 0


def _import(arguments: list[str], options: dict[str, Any]) -> int:
    from banditplan.experiments.report.exchange import bring

    folder, other = arguments
    with Ledger.open(other) as ledger:
        there, new = bring(Path(folder), ledger, options["label"])
    say(f"{there:,} runs in {other}, {new:,} of them new in {folder}")
    return 0


def _compare(folders: list[str], options: dict[str, Any]) -> int:
    if options["same"]:
        return _compare_runs(folders, options)
    from banditplan.experiments.report.compare import comparison, other_limits
    from banditplan.experiments.report.render.markdown import markdown
    from banditplan.experiments.report.results import results

    found = []
    for folder in folders:
        with Ledger.open(folder) as ledger:
            runs = within(ledger.runs(), _limits(options))
            found.append(results(runs, ledger.experiment.algorithms, ledger.experiment.columns))
    old, new = found
    differ = "; ".join(other_limits(old.runs, new.runs))
    warning = [f"**The limits differ**: {differ}. What was solved can hardly be compared.\n"] if differ else []
    write("\n".join([*warning, *map(markdown, comparison(old, new, (folders[0], folders[1])))]))
    return 0


def _compare_runs(folders: list[str], options: dict[str, Any]) -> int:
    from banditplan.experiments.report.same import MOST, differences

    ledgers = []
    for folder in folders:
        with Ledger.open(folder) as ledger:
            ledgers.append(within(ledger.runs(), _limits(options)))
    runs, lines = differences(*ledgers)
    more = [f"… {len(lines) - MOST:,} more"] if len(lines) > MOST else []
    write("\n".join([*lines[:MOST], *more, f"{runs:,} runs in both, {len(lines):,} of them differ", ""]))
    return 1 if lines else 0


def _limits(options: dict[str, Any]) -> Cutoffs:
    given = options["time_limit"]
    seconds = None if given is None else read_seconds(given)
    return Cutoffs(options["max_evaluations"], options["max_expansions"], seconds)


def _given(option: Option, options: dict[str, Any]) -> list[str]:
    value = options[option.key]
    return [] if value is None else [option.name, str(value)]


OUT = Option("--out", "the folder to write to (default: DIR/report)", "DIR")
REFERENCE = Option("--reference", "the algorithm to compare the others with (default: guct-normal2)", "NAME")

READING = (
    Command(
        "report",
        "Write tables and plots of an experiment: HTML, Markdown, LaTeX, CSV, PNG.",
        ("DIR",),
        (OUT, REFERENCE, *LIMITS),
        _report,
        "Needs banditplan[experiments]. The limits are applied afterwards: a run that found its plan later counts as\n"
        "not solved. A ledger that is still growing can be read.",
    ),
    Command(
        "export",
        "Write the runs of an experiment to a file: *.csv, *.parquet, or properties for Downward Lab.",
        ("DIR", "FILE"),
        LIMITS,
        _export,
    ),
    Command(
        "import",
        "Add the runs of another ledger that this one lacks.",
        ("DIR", "OTHER"),
        (Option("--label", "keep them apart, as algorithms called NAME@LABEL", "LABEL"),),
        _import,
    ),
    Command(
        "compare",
        "List what got better and worse from one experiment to another, with significance.",
        ("OLD", "NEW"),
        (Option("--same", "run by run: list those that took another course; exit code 1 if there is any"), *LIMITS),
        _compare,
        "Algorithms are compared by name, on the instances that both ran.",
    ),
)
