"""What a slot is asked to do, and what it answers: plain data that travel as lines of JSON."""

from __future__ import annotations

import platform
from dataclasses import dataclass, fields
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict

from banditplan.experiments.define.experiment import Experiment
from banditplan.experiments.define.suites import Instance
from banditplan.experiments.runs import Key, Run
from banditplan.version import VERSION

if TYPE_CHECKING:
    from banditplan.split.split import Mode


class Job(TypedDict):
    """One run; `id` ties the answer to it."""

    id: int
    domain_file: str
    problem_file: str
    prune_mutex: bool
    split: Mode
    search: str
    seed: int
    max_evaluations: int | None
    max_expansions: int | None
    time_limit: float | None
    memory_limit_kb: int | None


# How a run ended: fields of `Run` by their names. Those that are missing are not known.
Outcome: TypeAlias = dict[str, Any]

LIMITS = ("max_evaluations", "max_expansions", "time_limit", "memory_limit_kb")
OUTCOME = tuple(field.name for field in fields(Run) if field.name not in ("key", "prune_mutex", *LIMITS))


def make_job(number: int, experiment: Experiment, key: Key, instance: Instance) -> Job:
    return {
        "id": number,
        "domain_file": instance.domain_file,
        "problem_file": instance.problem_file,
        "prune_mutex": experiment.prune_mutex,
        "split": experiment.split,
        "search": experiment.search(key.algorithm, key.column),
        "seed": key.seed,
        "max_evaluations": experiment.max_evaluations,
        "max_expansions": experiment.max_expansions,
        "time_limit": experiment.time_limit,
        "memory_limit_kb": experiment.memory_limit_kb,
    }


def ended(key: Key, job: Job, outcome: Outcome) -> Run:
    """The run that the ledger keeps."""
    asked = {name: job[name] for name in ("prune_mutex", *LIMITS)}  # type: ignore[literal-required]
    known = {**dict.fromkeys(OUTCOME), "output": "", "search": job["search"], **outcome}
    return Run(key=key, **asked, **known)


@dataclass(frozen=True, slots=True)
class Answer:
    """From a slot; the outcome is None if the slot ended before the job did, which may not have begun."""

    slot: int
    job: int
    outcome: Outcome | None
    begun: bool = True


def lost(losses: int) -> Outcome:
    """The outcome of a run that never came back."""
    return {
        "status": "crash",
        "exit": "error",
        "output": f"the process that watches over the run ended, {losses} times",
        "host": platform.node(),
        "version": VERSION,
        "started": datetime.now(timezone.utc).isoformat(timespec="milliseconds"),
    }
