"""How many tasks are solved within 10,000 evaluations, beside Fast Downward's lama-first.

    pip install up-fast-downward     (here, or in the environment of --peers)
    nice -n 19 python benchmarks/lama_coverage.py --benchmarks DOWNWARD_BENCHMARKS --out lama.jsonl

Smallest files first, one process at a time. Every run is a line of the file; a second call makes those that are
missing, and `--table` prints what is there. Planners can be named: `--planner fast-downward --planner gbfs`.

Fast Downward has no limit of evaluations: it searches for a few CPU seconds, then, if it evaluated fewer than the limit
and found nothing, again for longer. A task counts as solved if the plan was there before the limit. Ours stops at the
limit of expansions, which are never more than the evaluations of either kind of search.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import downward
from downward import Downward
from measure import Limits, measure

from banditplan.experiments.define.suites import load_suite

CHILD = "--child"
THEIRS = "fast-downward"
EVALUATIONS = 10_000
SECONDS = (2, 20, 60)  # of a search: Fast Downward's is repeated if a shorter one was too short
MEGABYTES = 4096
GROUNDING = Limits(cpu_seconds=60, megabytes=MEGABYTES)
Run = dict[str, Any]


def main() -> int:
    options = parse_options()
    runs = read_runs(Path(options.out))
    if not options.table:
        make_runs(options, runs)
    print("\n".join(table(runs, options.planner)))
    return 0


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--benchmarks", metavar="FOLDER", default=os.environ.get("BANDITPLAN_BENCHMARKS"))
    parser.add_argument("--peers", metavar="PYTHON", default=sys.executable, help="an interpreter that has the peer")
    parser.add_argument("--suite", metavar="NAME", action="append", help="such as paper:depot,grid (paper and ipc18)")
    parser.add_argument("--planner", metavar="TEXT", action="append", help=f"{THEIRS} or a search of ours; repeatable")
    parser.add_argument("--out", metavar="FILE", required=True, help="where the runs are kept")
    parser.add_argument("--table", action="store_true", help="run nothing, print what is there")
    options = parser.parse_args()
    options.suite = options.suite or ["paper", "ipc18"]
    options.planner = options.planner or [THEIRS, "lama-first"]
    options.peers = os.path.abspath(options.peers)
    return options


def read_runs(file: Path) -> list[Run]:
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def make_runs(options: argparse.Namespace, runs: list[Run]) -> None:
    """Those that are missing."""
    done = {(run["domain"], run["problem"], run["planner"]) for run in runs}
    suites = [load_suite(suite, options.benchmarks) for suite in options.suite]
    instances = sorted((each for suite in suites for each in suite.instances), key=lambda each: each.size)
    with tempfile.TemporaryDirectory() as folder, open(options.out, "a") as out:
        run: dict[str, Callable[[list[str]], Run]] = {
            planner: partial(run_banditplan, planner) for planner in options.planner if planner != THEIRS
        }
        if THEIRS in options.planner:
            run[THEIRS] = partial(run_downward, Downward.find(options.peers, folder))
        for instance in instances:
            files = [instance.domain_file, instance.problem_file]
            for planner in options.planner:
                if (instance.domain, instance.name, planner) in done:
                    continue
                names = {"domain": instance.domain, "problem": instance.name, "planner": planner}
                runs.append({**names, **run[planner](files)})
                print(json.dumps(runs[-1]), file=out, flush=True)


# ---- Fast Downward


def run_downward(peer: Downward, files: list[str]) -> Run:
    with tempfile.TemporaryDirectory() as folder:
        translated = measure(peer.translate(files), folder, GROUNDING)
        if translated.status != "ok":
            return {"status": "not grounded", "error": f"{translated.status} {translated.error}"}
        for seconds in SECONDS:
            search = downward.lama_first(f"cost_type=one,max_time={seconds}")
            limits = Limits(cpu_seconds=seconds + 60, megabytes=MEGABYTES)
            run = measure(peer.search(search), folder, limits, range(30))
            evaluations = downward.evaluations(run.output)
            if evaluations == 0:
                return {"status": "failed", "error": f"{run.status} {run.error}"}
            solved = "Solution found" in run.output
            if solved or evaluations >= EVALUATIONS or "Search stopped" not in run.output:
                break
    plan = re.search(r"\] Plan length: (\d+) step", run.output)
    status = "solved" if solved else "time" if "Time limit" in run.output else "exhausted"
    return {"status": status, "evaluations": evaluations, "steps": int(plan[1]) if plan else None}


# ---- banditplan


def run_banditplan(search: str, files: list[str]) -> Run:
    command = [sys.executable, os.path.abspath(__file__), CHILD, search, *files]
    limits = Limits(cpu_seconds=GROUNDING.cpu_seconds + 2 * SECONDS[-1], megabytes=2 * MEGABYTES)
    with tempfile.TemporaryDirectory() as folder:
        run = measure(command, folder, limits)
    if run.status != "ok":
        return {"status": "failed", "error": f"{run.status} {run.error}"}
    result: Run = json.loads(run.output)
    return result


def child(text: str, files: list[str]) -> None:
    """Searches in a process of its own, and prints what it did."""
    import banditplan as bp
    from banditplan.components.spec import parse_search

    task = bp.load(*files)
    deadline = time.monotonic() + SECONDS[-1]
    result = parse_search(text).run(task, max_expansions=EVALUATIONS, deadline=deadline)
    solved = str(result.status) == "solved"
    print(
        json.dumps(
            {
                "status": str(result.status),
                "evaluations": result.evaluations,
                "steps": len(result.plan) if solved else None,
            }
        )
    )


# ---- the table


def is_solved(run: Run) -> bool:
    return run["status"] == "solved" and run["evaluations"] <= EVALUATIONS


def is_open(run: Run) -> bool:
    """Whether nobody knows, since the limit was not reached."""
    return run["status"] in ("time", "time_limit", "time-limit", "failed") and run.get("evaluations", 0) < EVALUATIONS


def table(runs: Iterable[Run], planners: list[str]) -> Iterator[str]:
    """Tasks that every planner has been run on: solved ones by domain, and those stopped before the limit."""
    by_task: dict[tuple[str, str], dict[str, Run]] = defaultdict(dict)
    for run in runs:
        by_task[run["domain"], run["problem"]][run["planner"]] = run
    by_domain: dict[str, list[dict[str, Run]]] = defaultdict(list)
    for (domain, _), each in by_task.items():
        if all(planner in each for planner in planners):
            by_domain[domain].append(each)
    yield f"| domain | tasks | {' | '.join(planners)} |"
    yield "|---|---|" + "---|" * len(planners)
    for domain, tasks in [*sorted(by_domain.items()), ("all", [task for each in by_domain.values() for task in each])]:
        cells = []
        for planner in planners:
            of_planner = [task[planner] for task in tasks]
            unknown = sum(map(is_open, of_planner))
            cells.append(f"{sum(map(is_solved, of_planner))}" + (f" ({unknown} open)" if unknown else ""))
        yield f"| {domain} | {len(tasks)} | {' | '.join(cells)} |"


if __name__ == "__main__":
    if sys.argv[1:2] == [CHILD]:
        child(sys.argv[2], sys.argv[3:])
    else:
        sys.exit(main())
