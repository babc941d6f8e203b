"""Steps through states per second of CPU time, beside Unified Planning's simulator and pymimir, per task: JSON lines.

    python benchmarks/states.py DOMAIN PROBLEM [DOMAIN PROBLEM …] [--seconds S] [--pymimir PYTHON]

A step finds the applicable actions of a state, takes a random one, and applies it: `walks` in batches, `single` one by
one from Python, `unified_planning` by its own simulator, `pymimir` by a Python that has it installed. `apply` is the
application alone, of given actions to a batch of states. All of them take turns in one run; the ratios count. `domain`
is the share of the time of loading that a `Domain` saves that is read once.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import time
import warnings
from collections.abc import Callable

import numpy as np

import banditplan as bp

PYMIMIR = """
import random, sys, time
import pymimir
problem = pymimir.Problem(pymimir.Domain(sys.argv[1]), sys.argv[2])
seconds, numbers, steps = float(sys.argv[3]), random.Random(0), 0
state, begin = problem.get_initial_state(), time.process_time()
while time.process_time() - begin < seconds:
    for _ in range(20):
        actions = state.generate_applicable_actions()
        state = numbers.choice(actions).apply(state) if actions else problem.get_initial_state()
        steps += 1
print(steps / (time.process_time() - begin))
"""


def per_second(seconds: float, work: Callable[[], int]) -> float:
    """Work returns how many steps it made."""
    steps, begin = 0, time.process_time()
    while time.process_time() - begin < seconds:
        steps += work()
    return steps / (time.process_time() - begin)


def single_steps(task: bp.Task) -> Callable[[], int]:
    numbers, state = random.Random(0), task.initial_state

    def work() -> int:
        nonlocal state
        for _ in range(20):
            actions = task.applicable(state)
            state = task.apply(state, numbers.choice(actions)) if actions else task.initial_state
        return 20

    return work


def applications(task: bp.Task) -> Callable[[], int]:
    found = task.successors(task.random_walks(200, 20).states)
    parents = task.random_walks(200, 20).states.values[found.parents]
    states, actions = task.states(np.ascontiguousarray(parents)), np.array(found.actions)
    return lambda: len(task.apply(states, actions))


def unified_planning_steps(domain: str, problem: str) -> Callable[[], int]:
    from unified_planning.io import PDDLReader
    from unified_planning.shortcuts import SequentialSimulator, get_environment

    warnings.simplefilter("ignore")
    get_environment().error_used_name = False
    simulator = SequentialSimulator(PDDLReader().parse_problem(domain, problem), name="sequential_simulator")
    numbers, state = random.Random(0), simulator.get_initial_state()

    def work() -> int:
        nonlocal state
        actions = list(simulator.get_applicable_actions(state))
        state = simulator.apply(state, *numbers.choice(actions)) if actions else simulator.get_initial_state()
        return 1

    return work


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
        "apply": per_second(seconds, applications(task)),
        "walks": per_second(seconds, lambda: len(task.random_walks(200, 20))),
        "single": per_second(seconds, single_steps(task)),
        "unified_planning": per_second(seconds, unified_planning_steps(domain, problem)),
    }
    if pymimir is not None:
        command = [pymimir, "-c", PYMIMIR, domain, problem, str(seconds)]
        rates["pymimir"] = float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    ratios = {
        f"{ours}/{peer}": round(rates[ours] / rates[peer], 1)
        for ours in ("walks", "single")
        for peer in ("unified_planning", "pymimir")
        if peer in rates
    }
    sizes = {"variables": task.sizes["variables"], "actions": task.sizes["actions"]}
    shares = {"domain": round(saved_by_domain(domain, problem), 3)}
    return sizes | {name: round(rate) for name, rate in rates.items()} | ratios | shares


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
