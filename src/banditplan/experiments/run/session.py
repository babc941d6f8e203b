"""From the name of an experiment to a ledger with all its runs."""

from __future__ import annotations

import math
import os
import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from banditplan.components.python_file import PythonFile
from banditplan.errors import InputError
from banditplan.experiments.define.definition import check_searches, load_definition
from banditplan.experiments.define.experiment import Experiment, changes, restricted
from banditplan.experiments.define.suites import load_suite
from banditplan.experiments.ledger import Ledger
from banditplan.experiments.machine import machine
from banditplan.experiments.run.progress import Progress
from banditplan.experiments.run.runner import Runner, Slots
from banditplan.experiments.runs import Key
from banditplan.version import VERSION

DEFAULT_FOLDER = "experiments"


def run_experiment(
    name_or_file: str,
    *,
    out: str | None = None,
    jobs: int | None = None,
    benchmarks: str | None = None,
    suite: str | None = None,
    algorithms: list[str] | None = None,
    columns: list[str] | None = None,
    seeds: tuple[int, ...] | None = None,
    cluster: str | None = None,
    imports: Sequence[str] = (),
    retry: Literal["failed"] | None = None,
    quiet: bool = False,
) -> str:
    """Make the runs of an experiment that its ledger does not have; returns the ledger's folder.

    The words are those of `banditplan experiment run`; `imports` are Python files that searches may use functions of.
    Raises InputError for what cannot be used.
    """
    definition = load_definition(name_or_file, imports)
    whole = definition.experiment
    part = restricted(whole, suite=suite, algorithms=algorithms, columns=columns, seeds=seeds)
    check_searches(replace(definition, experiment=part))
    instances = load_suite(part.suite, benchmarks)
    progress = Progress(part, quiet=quiet)
    for sentence in instances.missing:
        progress.line(f"warning: {sentence}")
    folder = out or os.path.join(DEFAULT_FOLDER, whole.name)
    asked = replace(whole, seeds=tuple(sorted({*whole.seeds, *part.seeds})))
    with Ledger.write(folder, asked) as ledger:
        if ledger.versions["banditplan"] != VERSION:
            progress.line(f"warning: the ledger was begun with banditplan {ledger.versions['banditplan']}")
        if changed := changes(ledger.previous, asked):
            progress.line(f"warning: {name_or_file} has changed since the ledger was begun: {'; '.join(changed)}")
        if retry == "failed":
            tasks = {(instance.domain, instance.name) for instance in instances.instances}
            again = ledger.remove(key for key in ledger.failed() if _belongs(key, part, tasks))
            progress.line(f"{again:,} failed runs are made again")
        jobs = jobs or _cores()
        if cluster is None and jobs * (whole.memory_limit_kb or 0) > (machine()["memory_kb"] or math.inf):
            progress.line(f"warning: {jobs} runs at a time may need more memory than this machine has; see --jobs")
        slots = _slots(jobs, cluster, definition.code)
        try:
            Runner(part, instances.instances, ledger, slots, progress).run()
        except KeyboardInterrupt:
            progress.line("stopped; the same command goes on")
            raise
        finally:
            slots.close()
    progress.line(
        f"the runs are in {folder}; banditplan experiment report {shlex.quote(folder)} makes tables and plots"
    )
    return folder


def _belongs(key: Key, part: Experiment, tasks: set[tuple[str, str]]) -> bool:
    """Whether a run belongs to this part of the experiment."""
    return (
        key.algorithm in part.algorithms
        and key.column in part.columns
        and key.seed in part.seeds_of(key.algorithm)
        and (key.domain, key.instance) in tasks
    )


def _slots(jobs: int, cluster: str | None, code: tuple[PythonFile, ...]) -> Slots:
    if cluster is None and not hasattr(os, "fork"):
        raise InputError(
            "runs are processes that are forked, which this system cannot; use Linux, macOS, WSL or --cluster"
        )
    if cluster is not None:
        from banditplan.experiments.run.cluster import ClusterSlots

        return ClusterSlots(cluster, code)
    from banditplan.experiments.run.local import LocalSlots

    return LocalSlots(jobs, code)


def _cores() -> int:
    """That this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
