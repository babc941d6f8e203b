"""What the runner of experiments costs: how busy it keeps the cores, and CPU per run beyond the planner's own.

    python benchmarks/runner.py [--jobs 2] [--runs 40] [--rounds 3]

The same runs, of about 0.15 s each on a bundled task, are made in three ways: by `banditplan experiment run`; one
after the other on a task that is loaded once, which is the planner's own part; and, some of them, by one
`banditplan solve` each. Of several rounds the best counts: other load on the machine falsifies the figures.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import banditplan as bp
from banditplan.experiments import Ledger

EVALUATIONS = 45_000
SEARCH = "guct-normal2(heuristic=blind)"
DEFINITION = f"""
suite = "examples:warehouse"
algorithms = ["guct-normal2"]
columns = {{ blind = "heuristic=blind" }}
seeds = RUNS
max_evaluations = {EVALUATIONS}
time_limit = "1m"
memory_limit = "2G"
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    rounds = [_round(options.jobs, options.runs) for _ in range(options.rounds)]
    busy, whole, own, plain = (list(figures) for figures in zip(*rounds, strict=True))
    print(f"{options.runs} runs, {options.jobs} jobs, {1000 * min(own):.0f} ms of CPU each on a loaded task")
    print(f"cores busy: {100 * max(busy):.1f} %")
    print(f"CPU beyond the planner's own: {1000 * (min(whole) - min(own)):.1f} ms per run")
    print(f"with one `banditplan solve` per run: {1000 * (min(plain) - min(own)):.1f} ms, loading the task included")
    return 0


def _round(jobs: int, runs: int) -> tuple[float, float, float, float]:
    """Share of the cores that was busy; seconds of CPU per run of the runner, of the planner and of commands."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "busy.toml").write_text(DEFINITION.replace("RUNS", str(runs)))
        command = ["experiment", "run", "busy.toml", "--out", "out", "--quiet", "--jobs", str(jobs)]
        wall, cpu = _measured(command, folder)
        start_wall, start_cpu = _measured(command, folder)  # nothing is left to run: start-up alone
        with Ledger.open(Path(folder, "out")) as ledger:
            made = ledger.runs()
        assert len(made) == runs
        assert all(run.status == "evaluation-limit" for run in made)
        plain = min(_measured(_solve_command(seed, folder), folder)[1] for seed in range(1, 6))
    busy = (cpu - start_cpu) / ((wall - start_wall) * jobs)
    return busy, (cpu - start_cpu) / runs, _own(jobs, runs), plain


def _solve_command(seed: int, folder: str) -> list[str]:
    limits = ["--max-evaluations", str(EVALUATIONS), "--memory-limit", "2G", "--time-limit", "1m"]
    plan = ["--plan-file", str(Path(folder, "plan")), "--quiet"]
    return ["solve", "--example", "warehouse", "--search", SEARCH, "--seed", str(seed), *limits, *plan]


def _measured(arguments: list[str], folder: str) -> tuple[float, float]:
    """Seconds of the wall clock and of CPU, all processes included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-m", "banditplan", *arguments], cwd=folder, check=False)
    wall = time.perf_counter() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _own(jobs: int, runs: int) -> float:
    """Seconds of CPU that a search takes, in as many processes at a time."""
    with multiprocessing.Pool(jobs) as pool:
        return sum(pool.map(_searches, [range(job, runs, jobs) for job in range(jobs)])) / runs


def _searches(seeds: range) -> float:
    task = bp.load(*bp.example("warehouse"))
    begin = time.process_time()
    for seed in seeds:
        bp.solve(task, search=SEARCH, seed=seed + 1, max_evaluations=EVALUATIONS)
    return time.process_time() - begin


if __name__ == "__main__":
    sys.exit(main())
