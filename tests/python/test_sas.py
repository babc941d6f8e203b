"""Ground tasks in the format of Fast Downward's translator: solved by Fast Downward's search where that is installed,
and by a plain reader of the format everywhere."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from heapq import heappop, heappush
from pathlib import Path

import pytest
from random_tasks import FEATURES, random_task

import banditplan as bp
from banditplan.cli.main import main

State = tuple[int, ...]
Facts = list[tuple[int, int]]


class Sas:
    """Reads the format as its definition says, and searches with nothing but costs."""

    def __init__(self, text: str) -> None:
        self._lines = iter(text.splitlines())
        self._expect("begin_version", "3", "end_version", "begin_metric")
        self.metric = next(self._lines) == "1"
        self._expect("end_metric")
        self.sizes: list[int] = []
        self.layers: list[int] = []
        for _ in range(self._number()):
            self._expect("begin_variable")
            next(self._lines)
            self.layers.append(self._number())
            self.sizes.append(self._number())
            names = [next(self._lines) for _ in range(self.sizes[-1])]
            assert all(name.startswith(("Atom ", "NegatedAtom ", "<none of those>")) for name in names)
            self._expect("end_variable")
        self.mutexes = [self._group("mutex_group") for _ in range(self._number())]
        self._expect("begin_state")
        self.initial = tuple(self._number() for _ in self.sizes)
        self._expect("end_state")
        self.goal = self._group("goal")
        self.operators = [self._operator() for _ in range(self._number())]
        self.rules = [self._rule() for _ in range(self._number())]
        assert next(self._lines, None) is None

    def _number(self) -> int:
        return int(next(self._lines))

    def _expect(self, *wanted: str) -> None:
        for text in wanted:
            assert next(self._lines) == text

    def _facts(self) -> Facts:
        pairs = [next(self._lines).split() for _ in range(self._number())]
        facts = [(int(variable), int(value)) for variable, value in pairs]
        assert all(0 <= value < self.sizes[variable] for variable, value in facts)
        return facts

    def _group(self, kind: str) -> Facts:
        self._expect(f"begin_{kind}")
        facts = self._facts()
        self._expect(f"end_{kind}")
        return facts

    def _operator(self) -> tuple[str, Facts, list[tuple[Facts, int, int]], int]:
        self._expect("begin_operator")
        name, condition = next(self._lines), self._facts()
        changes = []
        for _ in range(self._number()):
            numbers = [int(word) for word in next(self._lines).split()]
            when = list(zip(numbers[1:-3:2], numbers[2:-3:2], strict=True))
            variable, before, after = numbers[-3:]
            assert (len(when), self.layers[variable]) == (numbers[0], -1)
            assert all(variable != prevailing for prevailing, _ in condition[: len(condition)] if before == -1)
            if before >= 0 and (variable, before) not in condition:
                condition.append((variable, before))
            changes.append((when, variable, after))
        cost = self._number()
        self._expect("end_operator")
        return name, condition, changes, cost if self.metric else 1

    def _rule(self) -> tuple[Facts, int, int]:
        self._expect("begin_rule")
        condition = self._facts()
        variable, before, after = (int(word) for word in next(self._lines).split())
        assert before == self.initial[variable]
        assert self.layers[variable] >= 0
        self._expect("end_rule")
        return condition, variable, after

    def derived(self, state: State) -> State:
        values = [self.initial[v] if layer >= 0 else state[v] for v, layer in enumerate(self.layers)]
        for layer in range(max(self.layers, default=-1) + 1):
            changed = True
            while changed:
                changed = False
                for condition, variable, after in self.rules:
                    if self.layers[variable] == layer and values[variable] != after and _holds(condition, values):
                        values[variable] = after
                        changed = True
        return tuple(values)

    def successors(self, state: State) -> Iterator[tuple[str, State, int]]:
        for name, condition, changes, cost in self.operators:
            if _holds(condition, state):
                values = list(state)
                for when, variable, after in changes:
                    if _holds(when, state):
                        values[variable] = after
                yield name, self.derived(tuple(values)), cost

    def cheapest(self, most: int) -> int | None:
        """The cost of a cheapest plan, -1 if there is none; None: too many states. Looks at mutexes, too."""
        queue = [(0, self.derived(self.initial))]
        costs = {queue[0][1]: 0}
        while queue:
            cost, state = heappop(queue)
            if cost > costs[state]:
                continue
            assert all(sum(state[variable] == value for variable, value in group) <= 1 for group in self.mutexes)
            if _holds(self.goal, state):
                return cost
            if len(costs) > most:
                return None
            for _, after, price in self.successors(state):
                if cost + price < costs.get(after, cost + price + 1):
                    costs[after] = cost + price
                    heappush(queue, (cost + price, after))
        return -1


def _holds(facts: Facts, state: State | list[int]) -> bool:
    return all(state[variable] == value for variable, value in facts)


def optimal(task: bp.Task) -> int:
    """The cost of a cheapest plan, -1 if there is none."""
    result = bp.solve(task, search="dijkstra")
    return -1 if result.plan_cost is None else result.plan_cost


@pytest.mark.slow
@pytest.mark.parametrize("kind", FEATURES)
def test_the_format_means_the_same_task(kind: str) -> None:
    compared = 0
    for seed in range(16):
        text = random_task(kind, seed)
        task = bp.load(text.domain, text.problem)
        found = Sas(task.sas()).cheapest(500)
        if found is not None:
            compared += 1
            assert found == optimal(task), seed
    assert compared >= 5


# A variable with three values of which one is ruled out, in a condition, in the goal and below `when`.
DIAL = """(define (domain dial) (:requirements :adl :action-costs)
  (:predicates (at ?x) (rung)) (:functions (total-cost))
  (:action turn :parameters (?x ?y) :precondition (and (at ?x) (not (= ?x ?y)))
    :effect (and (not (at ?x)) (at ?y) (increase (total-cost) 2)))
  (:action ring :precondition (not (at a)) :effect (and (increase (total-cost) 1) (when (not (at b)) (rung)))))"""
DIAL_PROBLEM = """(define (problem p) (:domain dial) (:objects a b c)
  (:init (at a)) (:goal (and (rung) (not (at c)))) (:metric minimize (total-cost)))"""


def test_negated_facts() -> None:
    text = DIAL.replace("(:predicates", "(:constants a b c) (:predicates")
    task = bp.load(text, DIAL_PROBLEM.replace("(:objects a b c)", ""))
    sas = Sas(task.sas())
    assert sas.cheapest(1000) == optimal(task) == 5
    assert len(sas.sizes) > len(task.domain_sizes)


def test_the_command_writes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["ground", "--example", "crates", "--sas", "a.sas"]) == 0
    assert main(["solve", "--example", "crates", "--sas", "b.sas"]) == 0
    assert Path("a.sas").read_text() == Path("b.sas").read_text() == bp.load(*bp.example("crates")).sas()
    assert main(["solve", "--example", "island", "--sas", "c.sas"]) == 11
    assert Sas(Path("c.sas").read_text()).cheapest(10) == -1
    assert main(["ground", "--example", "crates", "--sas", "a.sas", "--split", "always"]) == 31
    assert main(["ground", "--example", "crates", "--sas", "a.sas/b.sas"]) == 31


def downward() -> str:
    """Fast Downward's search component."""
    script = "from importlib.util import find_spec; print(*find_spec('up_fast_downward').submodule_search_locations)"
    python = os.environ.get("BANDITPLAN_PEERS", sys.executable)
    found = subprocess.run([python, "-c", script], capture_output=True, text=True, check=False)
    binary = Path(found.stdout.strip()) / "downward/builds/release/bin/downward"
    if found.returncode != 0 or not binary.is_file():
        pytest.skip("needs Fast Downward: pip install up-fast-downward, here or where BANDITPLAN_PEERS leads")
    return str(binary)


@pytest.mark.peers
def test_fast_downward_solves_it(tmp_path: Path) -> None:
    binary = downward()
    texts = [
        (DIAL.replace("(:predicates", "(:constants a b c) (:predicates"), DIAL_PROBLEM.replace("(:objects a b c)", ""))
    ]
    texts += [bp.example(name) for name in ("crates", "lights", "courier", "garden", "island", "plumbing")]
    texts += [
        (text.domain, text.problem) for kind in FEATURES for seed in range(6) for text in [random_task(kind, seed)]
    ]
    solved = 0
    for domain, problem in texts:
        task = bp.load(domain, problem)
        ended = subprocess.run(
            [binary, "--search", "astar(blind(), max_time=20)", "--internal-plan-file", "plan"],
            input=task.sas(),
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
        )
        expected = optimal(task)
        if expected < 0:
            assert ended.returncode in (11, 12), ended.stdout
            continue
        assert ended.returncode == 0, ended.stdout + ended.stderr
        verdict = bp.validate(domain, problem, tmp_path / "plan")
        assert (verdict.valid, verdict.cost) == (True, expected)
        solved += 1
    assert solved >= 15
