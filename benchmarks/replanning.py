"""Replanning beside planning from scratch, per task: JSON lines.

    python benchmarks/replanning.py DOMAIN PROBLEM [DOMAIN PROBLEM …] [--disturbances N] [--steps K]

A plan is followed to a random place; then some random actions happen. `replan` finds a plan from there with the old
one; `replace` plans anew on the ground task; `scratch` grounds the problem that begins there, and plans; `shortened` is
`replace` with the time that `solve` takes to shorten the plan that it found, which the others do without.
CPU milliseconds, evaluations and costs are medians over the disturbances; all of them take turns.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import banditplan as bp
from banditplan import _core
from banditplan.journal import Journal
from banditplan.pddl.syntax import Parsed
from banditplan.pipeline import load
from banditplan.settings import settings
from banditplan.task_input import Input

T = TypeVar("T")


def timed(work: Callable[[], T]) -> tuple[float, T]:
    begin = time.process_time()
    found = work()
    return time.process_time() - begin, found


def disturbed(task: bp.Task, plan: list[int], numbers: random.Random, steps: int) -> bp.State:
    """Some way along the plan, then some random actions."""
    state = task.initial_state
    for action in plan[: numbers.randrange(len(plan))]:
        state = task.apply(state, task.action(action))
    return task.random_walks(1, steps, seed=numbers.randrange(2**32), start=state)[-1][1]


def replaced(task: bp.Task, state: bp.State, shorten: bool) -> bp.Result:
    return bp.solve(task.replace(initial=state), shorten=shorten, time_limit=60)


def from_scratch(parsed: Parsed) -> bp.Result:
    """Normalised, ground and searched; reading the text is not counted."""
    return bp.solve(load(Input("", "", lambda _: parsed), Journal(settings())), shorten=False, time_limit=60)


def measure(domain: str, problem: str, disturbances: int, steps: int) -> dict[str, object]:
    task = bp.load(domain, problem)
    result = bp.solve(task, time_limit=60)
    if result.plan is None:
        return {"status": result.status}
    ids = _core.action_ids(task, [[step.name, *step.arguments] for step in result.plan], task.initial_state)
    numbers = random.Random(0)
    rows: dict[str, list[float]] = {}

    def note(name: str, seconds: float, found: bp.Result) -> None:
        if found.plan is not None:
            rows.setdefault(f"{name}_ms", []).append(1000 * seconds)
            rows.setdefault(f"{name}_evaluations", []).append(found.evaluations)
            rows.setdefault(f"{name}_cost", []).append(found.plan_cost or 0)

    for _ in range(disturbances):
        state = disturbed(task, ids, numbers, steps)
        seconds, again = timed(partial(bp.replan, task, result.plan, state, time_limit=60))
        note("replan", seconds, again.result)
        rows.setdefault("kept", []).append(len(again.kept))
        rows.setdefault("new", []).append(len(again.new))
        note("replace", *timed(partial(replaced, task, state, False)))
        note("shortened", *timed(partial(replaced, task, state, True)))
        note("scratch", *timed(partial(from_scratch, task.replace(initial=state).origin.parsed)))
    medians = {name: round(statistics.median(values), 2) for name, values in rows.items()}
    speed_up = round(medians["scratch_ms"] / medians["replan_ms"], 1)
    return {"plan_length": result.plan_length, "plan_cost": result.plan_cost, **medians, "scratch/replan": speed_up}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="DOMAIN PROBLEM")
    parser.add_argument("--disturbances", type=int, default=11)
    parser.add_argument("--steps", type=int, default=3)
    arguments = parser.parse_args()
    for domain, problem in zip(arguments.files[::2], arguments.files[1::2], strict=True):
        found = measure(domain, problem, arguments.disturbances, arguments.steps)
        print(json.dumps({"problem": problem} | found), flush=True)


if __name__ == "__main__":
    main()
