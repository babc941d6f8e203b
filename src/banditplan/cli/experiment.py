"""`banditplan experiment …`: the commands, each a thin layer over `banditplan.experiments`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from banditplan.cli.display import say
from banditplan.cli.ledgers import READING
from banditplan.cli.on_task import IMPORT
from banditplan.cli.options import Command, Group, Option, natural
from banditplan.cli.stdout import print_line
from banditplan.experiments.define.definition import load_definition, ready_made
from banditplan.experiments.define.experiment import Experiment
from banditplan.experiments.define.suites import SUMMARIES
from banditplan.experiments.ledger import FILE, Ledger
from banditplan.experiments.run.session import DEFAULT_FOLDER, run_experiment

# ---- run


def _run(files: list[str], options: dict[str, Any]) -> int:
    imports = options.pop("import")
    folder = run_experiment(files[0], **options, imports=imports or ())
    with Ledger.open(folder) as ledger:
        failed = len(ledger.failed())
    if failed:
        say(f"failed runs: {failed:,}; the report lists them, --retry failed makes them again")
    return 1 if failed else 0


# ---- list, show


def _list(files: list[str], options: dict[str, Any]) -> int:
    print_line("experiments:")
    for name in ready_made():
        print_line(f"  {name:12}  {load_definition(name).experiment.summary}")
    print_line("\nsuites:")
    for name, summary in SUMMARIES.items():
        print_line(f"  {name:12}  {summary}")
    print_line("\nA filter follows a suite: paper:gripper,blocks or paper:visitall-*,blocks/probBLOCKS-4-*")
    return 0


def _show(files: list[str], options: dict[str, Any]) -> int:
    if os.path.isfile(os.path.join(files[0], FILE)):
        with Ledger.open(files[0]) as ledger:
            _print_experiment(ledger.experiment)
            runs = sum(runs for runs, _ in ledger.tally().values())
            print_line(f"\nbegun {ledger.created} with {_pairs(ledger.versions)}")
            print_line(f"on {_pairs(ledger.machine)}")
            print_line(f"{runs:,} runs so far")
    else:
        _print_experiment(load_definition(files[0]).experiment)
    return 0


def _print_experiment(experiment: Experiment) -> None:
    print_line(f"{experiment.name}: {experiment.summary}")
    print_line(f"suite: {experiment.suite}")
    print_line(f"seeds: {', '.join(map(str, experiment.seeds))}")
    for limit in ("max_evaluations", "max_expansions", "time_limit", "memory_limit_kb", "prune_mutex"):
        if (value := getattr(experiment, limit)) is not None:
            print_line(f"{limit}: {value}")
    for what in ("algorithms", "columns"):
        print_line(f"{what}:")
        for name, text in getattr(experiment, what).items():
            print_line(f"  {name}" if name == text else f"  {name}: {text}")


def _pairs(values: Mapping[str, object]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())


# ---- what is given on the command line


def _names(text: str) -> list[str]:
    """Texts separated by commas, of which those in parentheses do not count."""
    names, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            names.append("")
        else:
            names[-1] += letter
    return [name.strip() for name in names]


def _seeds(text: str) -> tuple[int, ...]:
    """`1,4-6` → 1, 4, 5, 6."""
    seeds: list[int] = []
    for part in text.split(","):
        first, dash, last = part.partition("-")
        seeds += range(natural(first), natural(last if dash else first) + 1)
    if not seeds:
        raise ValueError(text)
    return tuple(dict.fromkeys(seeds))


def _retry(text: str) -> str:
    if text != "failed":
        raise ValueError(text)
    return text


def _positive(text: str) -> int:
    if natural(text) == 0:
        raise ValueError(text)
    return natural(text)


_COMMANDS = (
    Command(
        "run",
        "Make the runs of an experiment that its ledger does not have yet.",
        ("NAME|FILE",),
        (
            Option("--out", f"the folder of the ledger (default: {DEFAULT_FOLDER}/NAME)", "DIR"),
            Option("--jobs", "how many runs at a time (default: one per core)", "N", _positive),
            Option("--benchmarks", "a checkout of downward-benchmarks (default: $BANDITPLAN_BENCHMARKS)", "DIR"),
            Option("--suite", "another suite, or a part: paper:gripper,blocks", "SUITE"),
            Option("--algorithms", "some of the algorithms, separated by commas", "NAMES", _names),
            Option("--columns", "some of the columns, separated by commas", "NAMES", _names),
            Option("--seeds", "these seeds, such as 1 or 1,4-6", "SEEDS", _seeds),
            IMPORT,
            Option(
                "--retry",
                "make those runs again, too, that failed: neither a plan, nor a proof, nor a limit",
                "failed",
                _retry,
            ),
            Option("--cluster", "run on a dask cluster, such as tcp://head:8786", "ADDRESS"),
            Option("--quiet", "say nothing but errors"),
        ),
        _run,
        "NAME is an experiment that `banditplan experiment list` shows, FILE one of your own in TOML or Python.\n"
        "Whatever ends this command, the same command goes on where it was. Exit code 1: some runs failed.",
    ),
    Command("list", "List the experiments and suites that come with the package.", (), (), _list),
    Command("show", "Show the definition of an experiment, or what a ledger holds.", ("NAME|FILE|DIR",), (), _show),
    *READING,
)


def command(name: str, summary: str) -> Group:
    return Group(name, summary, _COMMANDS)
