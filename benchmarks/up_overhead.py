"""What the Unified Planning engine costs beyond the planner's own time, per task: JSON lines.

    python benchmarks/up_overhead.py DOMAIN PROBLEM [DOMAIN PROBLEM …] [--search TEXT]

The problem is read by Unified Planning first, which is not counted. `solve` is the whole call; `internal` is what the
planner takes from the syntax tree to the validated plan; `kind` is Unified Planning's own check of the problem's
kind, `translation` the way into the syntax tree; both, and the rest, are in `overhead`.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings

from unified_planning.io import PDDLReader
from unified_planning.model import Problem
from unified_planning.shortcuts import get_environment

from banditplan.unified_planning import Engine


def measure(problem: Problem, search: str | None) -> dict[str, object]:
    begin = time.perf_counter()
    _ = problem.kind
    kind = time.perf_counter() - begin
    begin = time.perf_counter()
    result = Engine(search=search).solve(problem)
    solve = time.perf_counter() - begin
    internal = float(result.metrics["engine_internal_time"])
    return {
        "status": result.status.name,
        "steps": None if result.plan is None else len(result.plan.actions),
        "solve": round(solve, 4),
        "internal": round(internal, 4),
        "kind": round(kind, 4),
        "translation": float(result.metrics["translation_time"]),
        "overhead": round(solve / internal - 1, 4),
    }


def main() -> None:
    warnings.simplefilter("ignore")  # of Unified Planning's reader
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="DOMAIN PROBLEM")
    parser.add_argument("--search")
    arguments = parser.parse_args()
    get_environment().error_used_name = False
    for domain, file in zip(arguments.files[::2], arguments.files[1::2], strict=True):
        problem = PDDLReader().parse_problem(domain, file)
        print(json.dumps({"problem": file} | measure(problem, arguments.search)), flush=True)


if __name__ == "__main__":
    main()
