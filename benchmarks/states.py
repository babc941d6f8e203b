"""States per second of CPU time, beside Unified Planning's simulator and pymimir, per task: JSON lines.

    python benchmarks/states.py DOMAIN PROBLEM [DOMAIN PROBLEM …] [--seconds S] [--pymimir PYTHON]

`apply` applies given actions to given states; `successors` makes all successors of given states; `walk` finds the
applicable actions of a state, takes a random one, and applies it. `batch` does that for thousands of states at once,
`single` one by one from Python; `pymimir` runs in a Python that has it installed. The states are those of random walks.
All take turns in one run; the ratios count. `domain` is the share of the time of loading that a `Domain` saves.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import time
import warnings
from collections.abc import Callable
from itertools import cycle, pairwise

import numpy as np

import banditplan as bp

PYMIMIR = """
import itertools, json, random, sys, time
import pymimir
problem = pymimir.Problem(pymimir.Domain(sys.argv[1]), sys.argv[2])
seconds, numbers, state = float(sys.argv[3]), random.Random(0), problem.get_initial_state()

def step(state):
    actions = state.generate_applicable_actions()
    action = numbers.choice(actions) if actions else None
    return action, problem.get_initial_state() if action is None else action.apply(state)

pairs = []
for _ in range(400):
    action, after = step(state)
    if action is not None:
        pairs.append((state, action))
    state = after
given = itertools.cycle(pairs)

def applied():
    for before, action in pairs:
        action.apply(before)
    return len(pairs)

def walked():
    global state
    for _ in range(20):
        state = step(state)[1]
    return 20

def expanded():
    before = next(given)[0]
    return len([action.apply(before) for action in before.generate_applicable_actions()])

def per_second(work):
    steps, begin = 0, time.process_time()
    while time.process_time() - begin < seconds:
        steps += work()
    return steps / (time.process_time() - begin)

print(json.dumps({"apply": per_second(applied), "successors": per_second(expanded), "walk": per_second(walked)}))
"""

Rates = dict[str, float]


def per_second(seconds: float, work: Callable[[], int]) -> float:
    """Work returns how many states it made."""
    steps, begin = 0, time.process_time()
    while time.process_time() - begin < seconds:
        steps += work()
    return steps / (time.process_time() - begin)


def in_batches(task: bp.Task, seconds: float) -> Rates:
    visited = task.random_walks(200, 20).states
    found = task.successors(visited)
    parents = task.states(np.ascontiguousarray(visited.values[found.parents]))
    actions = np.array(found.actions)
    return {
        "apply": per_second(seconds, lambda: len(task.apply(parents, actions))),
        "successors": per_second(seconds, lambda: len(task.successors(visited))),
        "walk": per_second(seconds, lambda: len(task.random_walks(200, 20))),
    }


def one_by_one(task: bp.Task, seconds: float) -> Rates:
    walk = list(task.random_walks(1, 400))
    pairs = [(before, action) for (_, before), (action, _) in pairwise(walk)]
    given = cycle([before for before, _ in pairs])
    numbers, state = random.Random(0), task.initial_state

    def applied() -> int:
        for before, action in pairs:
            task.apply(before, action)
        return len(pairs)

    def walked() -> int:
        nonlocal state
        for _ in range(20):
            actions = task.applicable(state)
            state = task.apply(state, numbers.choice(actions)) if actions else task.initial_state
        return 20

    def expanded() -> int:
        return len([after for _, after in task.successors(next(given))])

    works = {"apply": applied, "successors": expanded, "walk": walked}
    return {name: per_second(seconds, work) for name, work in works.items()}


def unified_planning(domain: str, problem: str, seconds: float) -> Rates:
    from unified_planning.io import PDDLReader
    from unified_planning.shortcuts import SequentialSimulator, get_environment

    warnings.simplefilter("ignore")
    get_environment().error_used_name = False
    simulator = SequentialSimulator(PDDLReader().parse_problem(domain, problem), name="sequential_simulator")
    numbers, state = random.Random(0), simulator.get_initial_state()
    pairs = []

    def walked() -> int:
        nonlocal state
        actions = list(simulator.get_applicable_actions(state))
        if not actions:
            state = simulator.get_initial_state()
            return 0
        pairs.append((state, numbers.choice(actions)))
        state = simulator.apply(state, *pairs[-1][1])
        return 1

    rates = {"walk": per_second(seconds, walked)}
    given = cycle(pairs)

    def applied() -> int:
        before, (action, arguments) = next(given)
        simulator.apply(before, action, arguments)
        return 1

    def expanded() -> int:
        before, _ = next(given)
        return len([simulator.apply(before, *action) for action in simulator.get_applicable_actions(before)])

    return rates | {"apply": per_second(seconds, applied), "successors": per_second(seconds, expanded)}


def saved_by_domain(domain: str, problem: str) -> float:
    """The share of the time of `load`, the best of several."""
    read = bp.Domain(domain)

    def best(given: str | bp.Domain) -> float:
        times = []
        for _ in range(15):
            begin = time.process_time()
            for _ in range(5):
                bp.load(given, problem)
            times.append(time.process_time() - begin)
        return min(times)

    return 1 - best(read) / best(domain)


def measure(domain: str, problem: str, seconds: float, pymimir: str | None) -> dict[str, object]:
    task = bp.load(domain, problem, keep_irrelevant=True)
    rates = {
        "batch": in_batches(task, seconds),
        "single": one_by_one(task, seconds),
        "unified_planning": unified_planning(domain, problem, seconds),
    }
    if pymimir is not None:
        command = [pymimir, "-c", PYMIMIR, domain, problem, str(seconds)]
        rates["pymimir"] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    found: dict[str, object] = {"variables": task.sizes["variables"], "actions": task.sizes["actions"]}
    for what in ("apply", "successors", "walk"):
        found[what] = {who: round(rate[what]) for who, rate in rates.items()}
        for ours in ("batch", "single"):
            for peer in list(rates)[2:]:
                found[f"{what}: {ours}/{peer}"] = round(rates[ours][what] / rates[peer][what], 1)
    return found | {"domain": round(saved_by_domain(domain, problem), 3)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="DOMAIN PROBLEM")
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--pymimir", metavar="PYTHON")
    arguments = parser.parse_args()
    for domain, problem in zip(arguments.files[::2], arguments.files[1::2], strict=True):
        found = measure(domain, problem, arguments.seconds, arguments.pymimir)
        print(json.dumps({"problem": problem} | found), flush=True)


if __name__ == "__main__":
    main()
