"""What a slot is asked to do, and what it answers: plain data that travel as lines of JSON."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TypedDict

from banditplan.experiments.define.experiment import Experiment
from banditplan.experiments.define.suites import Instance
from banditplan.experiments.runs import Exit, Key, Run
from banditplan.version import VERSION


class Job(TypedDict):
    """One run; `id` ties the answer to it."""

    id: int
    domain_file: str
    problem_file: str
    prune_mutex: bool
    search: str
    seed: int
    max_evaluations: int | None
    max_expansions: int | None
    time_limit: float | None
    memory_limit_kb: int | None


class Outcome(TypedDict):
    """How a run ended; the fields are those of `Run`."""

    status: str
    exit: Exit
    output: str
    search: str | None  # None where it ended before it was known
    valid: bool | None
    plan_length: int | None
    plan_cost: int | None
    evaluations: int | None
    inserted: int | None
    expansions: int | None
    generated: int | None
    dead_ends: int | None
    initial_h: int | None
    best_h: int | None
    search_seconds: float | None
    total_seconds: float | None
    peak_memory_kb: int | None
    actions: int | None
    host: str
    version: str
    started: str


def make_job(number: int, experiment: Experiment, key: Key, instance: Instance) -> Job:
    return {
        "id": number,
        "domain_file": instance.domain_file,
        "problem_file": instance.problem_file,
        "prune_mutex": experiment.prune_mutex,
        "search": experiment.search(key.algorithm, key.column),
        "seed": key.seed,
        "max_evaluations": experiment.max_evaluations,
        "max_expansions": experiment.max_expansions,
        "time_limit": experiment.time_limit,
        "memory_limit_kb": experiment.memory_limit_kb,
    }


def ended(key: Key, job: Job, outcome: Outcome) -> Run:
    """The run that the ledger keeps."""
    limits = {name: job[name] for name in ("max_evaluations", "max_expansions", "time_limit", "memory_limit_kb")}
    fields = {**outcome, "search": outcome["search"] or job["search"]}
    return Run(key=key, prune_mutex=job["prune_mutex"], **limits, **fields)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Answer:
    """From a slot; the outcome is None if the slot ended before the job did, which may not have begun."""

    slot: int
    job: int
    outcome: Outcome | None
    begun: bool = True


def lost(losses: int) -> Outcome:
    """The outcome of a run that never came back."""
    unknown = dict.fromkeys(Outcome.__annotations__)
    about = {
        "status": "crash",
        "exit": "error",
        "output": f"the process that watches over the run ended, {losses} times",
        "host": platform.node(),
        "version": VERSION,
        "started": datetime.now(timezone.utc).isoformat(timespec="milliseconds"),
    }
    return {**unknown, **about}  # type: ignore[typeddict-item]
