"""How long the report of a large experiment takes: synthetic runs in a ledger of their own.

python benchmarks/report_speed.py --runs 100000
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from pathlib import Path

from banditplan.experiments.define.experiment import COLUMNS, Experiment
from banditplan.experiments.ledger import Ledger
from banditplan.experiments.report import paper
from banditplan.experiments.report.cutoffs import Cutoffs
from banditplan.experiments.report.report import write_report
from banditplan.experiments.runs import Key, Run

ALGORITHMS = {
    "gbfs": 0.70, "guct-normal2": 0.75, "guct*-normal2": 0.74, "guct": 0.53, "guct*": 0.59, "guct-01": 0.48,
    "guct*-01": 0.50, "guct-v": 0.41, "guct-normal": 0.37, "guct*-normal": 0.41, "ttts-normal": 0.23,
    "ttts-normal*": 0.25, "wastar(weight=5)": 0.68, "softmin-type": 0.74, "guct(c=0.5)": 0.57, "guct*(c=0.5)": 0.70,
    "guct-01(c=0.5)": 0.52, "guct*-01(c=0.5)": 0.55, "guct-v(c=0.5)": 0.47,
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--out", help="keep ledger and report in this folder")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(options.out or temporary)
        with Ledger.write(folder, _experiment()) as ledger:
            ledger.add(_runs(options.runs))
        start, used = time.perf_counter(), time.process_time()
        with Ledger.open(folder) as ledger:
            number = len(ledger.runs())
            page = write_report(ledger, folder / "report", Cutoffs(), None, "report_speed.py")
        seconds, used = time.perf_counter() - start, time.process_time() - used
        print(f"{number:,} runs: {seconds:.1f} s ({used:.1f} s of CPU), page of {page.stat().st_size / 1e6:.1f} MB")


def _experiment() -> Experiment:
    return Experiment(
        name="synthetic",
        summary="Random numbers in the shape of the paper's Table 1",
        suite="paper",
        algorithms={name: name for name in ALGORITHMS},
        columns=COLUMNS,
        seeds=(1, 2, 3, 4, 5),
        max_evaluations=10_000,
        max_expansions=None,
        time_limit=None,
        memory_limit_kb=None,
        prune_mutex=False,
    )


def _runs(number: int) -> list[Run]:
    experiment, draw = _experiment(), random.Random(1)
    seeds = sum(len(experiment.seeds_of(name)) for name in ALGORITHMS)
    size = -(-number // (seeds * len(COLUMNS)))
    domains = sorted(paper.domains())
    instances = [(domains[at % len(domains)], f"p{at:03}.pddl", draw.random()) for at in range(size)]
    runs = []
    for name, share in ALGORITHMS.items():
        for shift, column in enumerate(COLUMNS):
            for seed in experiment.seeds_of(name):
                for domain, instance, hardness in instances:
                    effort = 10 ** (4 * (hardness + 0.05 * shift + draw.gauss(0, 0.1)) / share)
                    runs.append(_run(Key(name, column, domain, instance, seed), max(2, int(effort)), draw))
    return runs[:number]


def _run(key: Key, evaluations: int, draw: random.Random) -> Run:
    solved = evaluations <= 10_000
    used = min(evaluations, 10_000)
    length = max(1, int(used**0.5 * draw.uniform(0.5, 2)))
    return Run(
        key=key, search=key.algorithm, status="solved" if solved else "evaluation-limit", exit="ok", output="",
        valid=True if solved else None, plan_length=length if solved else None, plan_cost=length if solved else None,
        evaluations=used, inserted=used, expansions=used // 3 + 1, generated=used * 2, dead_ends=0, initial_h=20,
        best_h=0 if solved else 3, search_seconds=used / 50_000, total_seconds=used / 50_000 + 0.01,
        peak_memory_kb=60_000, actions=500, prune_mutex=False, max_evaluations=10_000, max_expansions=None,
        time_limit=None, memory_limit_kb=None, host="synthetic", version="0", started="2026-01-01T00:00:00+00:00",
    )  # fmt: skip


if __name__ == "__main__":
    main()
