"""Runs that nobody made, for the tests of reports."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from banditplan.experiments.define.experiment import Experiment
from banditplan.experiments.ledger import Ledger
from banditplan.experiments.runs import Key, Run


def run(
    algorithm: str = "gbfs",
    column: str = "ff",
    domain: str = "gripper",
    instance: str = "p01.pddl",
    seed: int = 1,
    *,
    solved: bool = True,
    **other: Any,
) -> Run:
    values: dict[str, Any] = {
        "search": algorithm,
        "status": "solved" if solved else "evaluation-limit",
        "exit": "ok",
        "output": "",
        "valid": True if solved else None,
        "plan_length": 10 if solved else None,
        "plan_cost": 10 if solved else None,
        "evaluations": 100,
        "inserted": None,
        "expansions": 40,
        "generated": 200,
        "dead_ends": 0,
        "initial_h": 7,
        "best_h": 0 if solved else 2,
        "search_seconds": 0.5,
        "total_seconds": 0.6,
        "peak_memory_kb": 50_000,
        "actions": 100,
        "prune_mutex": False,
        "max_evaluations": 10_000,
        "max_expansions": None,
        "time_limit": 300.0,
        "memory_limit_kb": None,
        "host": "here",
        "version": "0.1.0",
        "started": "2026-01-01T00:00:00+00:00",
    }
    return Run(Key(algorithm, column, domain, instance, seed), **{**values, **other})


def experiment(runs: list[Run]) -> Experiment:
    return Experiment(
        name="synthetic",
        summary="Made for a test",
        suite="paper",
        algorithms={name: name for name in dict.fromkeys(run.key.algorithm for run in runs)},
        columns={name: f"heuristic={name}" for name in dict.fromkeys(run.key.column for run in runs)},
        seeds=tuple(sorted({run.key.seed for run in runs})),
        max_evaluations=10_000,
        max_expansions=None,
        time_limit=300.0,
        memory_limit_kb=None,
        prune_mutex=False,
    )


def ledger(folder: Path, runs: list[Run]) -> Path:
    with Ledger.write(folder, experiment(runs)) as written:
        written.add(runs)
    return folder


def grid(algorithms: dict[str, float], columns: tuple[str, ...] = ("ff",), seeds: int = 3) -> list[Run]:
    """Algorithms by the share of instances that they solve, on three domains with eight instances each."""
    draw = random.Random(1)
    runs = []
    for name, share in algorithms.items():
        for column in columns:
            for seed in (0,) if name == "gbfs" else range(1, seeds + 1):
                for domain in ("blocks", "gripper", "tpp"):
                    for number in range(1, 9):
                        evaluations = int(10 ** (4 * (number / 8 + draw.gauss(0, 0.05)) / share))
                        used = max(2, min(evaluations, 10_000))
                        runs.append(
                            run(
                                name,
                                column,
                                domain,
                                f"p{number:02}.pddl",
                                seed,
                                solved=evaluations <= 10_000,
                                evaluations=used,
                                expansions=used // 3 + 1,
                                plan_length=int(used**0.5) + 1 if evaluations <= 10_000 else None,
                                search_seconds=used / 10_000,
                                total_seconds=used / 10_000 + 0.1,
                            )
                        )
    return runs
