"""Runs for others: CSV, Parquet, the properties file of Downward Lab; and runs from another ledger."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from banditplan.errors import InputError
from banditplan.experiments.ledger import Ledger
from banditplan.experiments.report.algorithm import labelled
from banditplan.experiments.report.extra import pyarrow
from banditplan.experiments.runs import Key, Run

_KEY = tuple(field.name for field in fields(Key))
_REST = tuple(field.name for field in fields(Run))[1:]

# What Downward Lab calls the ends of a run.
_LAB_ERRORS = {
    "solved": "success",
    "unsolvable": "search-unsolvable",
    "exhausted": "search-unsolvable-incomplete",
    "evaluation-limit": "search-out-of-evaluations",
    "expansion-limit": "search-out-of-expansions",
    "time-limit": "search-out-of-time",
    "memory-limit": "search-out-of-memory",
}


def export(runs: Sequence[Run], file: Path) -> None:
    """Write the runs as the file's name says: *.csv, *.parquet, or *properties for Downward Lab."""
    way = next((way for ending, way in FORMATS.items() if file.name.endswith(ending)), None)
    if way is None:
        raise InputError(f"{file}: what kind of file is that? The name must end in {', '.join(FORMATS)}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        way(runs, file)
    except OSError as error:
        raise InputError(f"cannot write {file}: {error.strerror or error}; choose another file") from None


def bring(folder: Path, other: Ledger, label: str | None) -> tuple[int, int]:
    """Add the runs of another ledger to the one in the folder; with a label, as algorithms of their own.

    Returns how many runs the other has, and how many of them were new here.
    """
    runs, experiment = other.runs(), other.experiment
    if label is not None:
        runs = [replace(run, key=replace(run.key, algorithm=labelled(run.key.algorithm, label))) for run in runs]
        algorithms = {labelled(name, label): search for name, search in experiment.algorithms.items()}
        experiment = replace(experiment, algorithms=algorithms)
    with Ledger.write(folder, experiment) as ledger:
        return len(runs), ledger.add(runs)


def row(run: Run) -> dict[str, Any]:
    """All that is known of a run, flat."""
    return {
        **{name: getattr(run.key, name) for name in _KEY},
        **{name: getattr(run, name) for name in _REST},
    }


def lab_properties(run: Run) -> dict[str, Any]:
    """A run as Downward Lab has it. Its reports know no seeds, so every seed is an algorithm of its own."""
    key = run.key
    name = f"{key.algorithm} {key.column} seed {key.seed}"
    properties = {
        "algorithm": name,
        "domain": key.domain,
        "problem": key.instance,
        "id": [name, key.domain, key.instance],
        "seed": key.seed,
        "component_options": [run.search],
        "coverage": int(run.solved),
        "error": _LAB_ERRORS.get(run.status, f"unexplained-{run.status}"),
        "planner_exit": run.exit,
        "node": run.host,
        "planner_version": run.version,
        "cost": run.plan_cost,
        "plan_length": run.plan_length,
        "evaluations": run.evaluations,
        "expansions": run.expansions,
        "generated": run.generated,
        "dead_ends": run.dead_ends,
        "initial_h_value": run.initial_h,
        "search_time": run.search_seconds,
        "total_time": run.total_seconds,
        "memory": run.peak_memory_kb,
        "planner_time_limit": run.time_limit,
        "planner_memory_limit": None if run.memory_limit_kb is None else run.memory_limit_kb / 1024,
    }
    if run.failed:
        properties["unexplained_errors"] = [run.output or f"{run.status}, {run.exit}"]
    return {name: value for name, value in properties.items() if value is not None}


def _to_csv(runs: Sequence[Run], file: Path) -> None:
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, (*_KEY, *_REST), lineterminator="\n")
        writer.writeheader()
        writer.writerows(map(row, runs))


def _to_parquet(runs: Sequence[Run], file: Path) -> None:
    arrow, parquet = pyarrow(), pyarrow("pyarrow.parquet")
    types = {"int": arrow.int64(), "float": arrow.float64(), "bool": arrow.bool_()}
    named = [*fields(Key), *fields(Run)[1:]]
    columns = [(field.name, types.get(str(field.type).partition(" ")[0], arrow.string())) for field in named]
    table = arrow.Table.from_pylist([row(run) for run in runs], schema=arrow.schema(columns))
    parquet.write_table(table, file)


def _to_lab(runs: Sequence[Run], file: Path) -> None:
    properties = {"-".join(found["id"]): found for found in map(lab_properties, runs)}
    file.write_text(json.dumps(properties, indent=2, sort_keys=True) + "\n", encoding="utf-8")


FORMATS: dict[str, Callable[[Sequence[Run], Path], None]] = {
    ".csv": _to_csv,
    ".parquet": _to_parquet,
    "properties": _to_lab,
}
