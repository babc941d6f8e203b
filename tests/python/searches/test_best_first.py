"""The best-first searches: the same expansions as a slow reference, right answers, optimal plans, exact limits."""

from __future__ import annotations

import math
import time
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest
from puzzles import endless_search
from random_tasks import FEATURES, PddlText, random_task
from reference import Reference
from searches.reference_best_first import (
    Epsilon,
    Fifo,
    Greedy,
    Lists,
    ReferenceBestFirst,
    Softmin,
    Types,
    Weighted,
)

import banditplan as bp
from banditplan import _core
from banditplan.components import components
from banditplan.plan import Step
from banditplan.validation import validate

# Those with trees have references of their own; what `agile` is made of is looked at part by part.
ELSEWHERE = ("guct", "agile", "k_bfws", "lama_first")  # with trees, or heuristics of paths
SEARCHES = {name: search for name, search in components(_core.NamedSearch).items() if name not in ELSEWHERE}
AGILE = {name: search for name, search in SEARCHES.items() if hasattr(search, "deferred")}
FLAGS = list(product((False, True), repeat=2))
MOST_STATES = 300

# What the reference needs to know of a search: its open lists, and what else is special.
Case = tuple[_core.NamedSearch, Lists, dict[str, Any]]
CASES: dict[str, Case] = {
    "gbfs": (bp.Gbfs(), lambda: [Greedy()], {}),
    "gbfs lifo": (bp.Gbfs(ties="lifo"), lambda: [Greedy(ties="lifo")], {}),
    "gbfs random": (bp.Gbfs(ties="random"), lambda: [Greedy(ties="random")], {}),
    "wastar": (bp.WAStar(), lambda: [Weighted(weight=5)], {"reopens": True}),
    "wastar 1.5": (bp.WAStar(weight=1.5), lambda: [Weighted(weight=1.5)], {"reopens": True}),
    "wastar plan": (bp.WAStar(cost="plan"), lambda: [Weighted(weight=5)], {"reopens": True, "cost": "plan"}),
    "softmin_type": (bp.SoftminType(), lambda: [Greedy(), Softmin()], {}),
    "softmin_type 3": (bp.SoftminType(temperature=3), lambda: [Greedy(), Softmin(temperature=3)], {}),
    "type_gbfs": (bp.TypeGbfs(), lambda: [Greedy(), Types()], {}),
    "epsilon_gbfs": (bp.EpsilonGbfs(), lambda: [Epsilon()], {}),
    "epsilon_gbfs 0.7": (bp.EpsilonGbfs(epsilon=0.7), lambda: [Epsilon(epsilon=0.7)], {}),
    "astar": (bp.AStar(), lambda: [Weighted()], {"reopens": True, "late_goal": True, "cost": "plan"}),
    "astar unit": (bp.AStar(cost="unit"), lambda: [Weighted()], {"reopens": True, "late_goal": True}),
    "dijkstra": (bp.Dijkstra(), lambda: [Weighted(weight=0)], {"reopens": True, "late_goal": True, "cost": "plan"}),
    "bfs": (bp.Bfs(), lambda: [Fifo()], {}),
}  # fmt: skip


@cache
def example(name: str) -> _core.Task:
    return bp.load(*bp.example(name))


@cache
def small_task(kind: str, seed: int) -> _core.Task:
    return random_task(kind, seed).ground()


class Graph:
    """A walk from the first node to the last, which only the last but one leads to; edges go back or up to three on."""

    NODES = 25

    def __init__(self, seed: int) -> None:
        random = Random(seed)
        self.costs: dict[tuple[int, int], int] = {}
        for start in range(self.NODES - 1):
            targets = {start + 1, *(random.randrange(min(start + 4, self.NODES - 1)) for _ in range(3))}
            self.costs |= {(start, end): random.randint(0, 9) for end in sorted(targets - {start})}
        edges = " ".join(f"(edge n{a} n{b}) (= (length n{a} n{b}) {cost})" for (a, b), cost in self.costs.items())
        nodes = " ".join(f"n{number}" for number in range(self.NODES))
        domain = """(define (domain graph) (:requirements :strips :action-costs)
          (:predicates (at ?x) (edge ?x ?y)) (:functions (length ?x ?y) (total-cost))
          (:action go :parameters (?x ?y) :precondition (and (at ?x) (edge ?x ?y))
            :effect (and (not (at ?x)) (at ?y) (increase (total-cost) (length ?x ?y)))))"""
        problem = f"""(define (problem graph-1) (:domain graph) (:objects {nodes})
          (:init (at n0) {edges}) (:goal (at n{self.NODES - 1})) (:metric minimize (total-cost)))"""
        self.task = PddlText(domain, problem).ground()
        self.distances = self._distances()
        self.share = [random.random() for _ in range(self.NODES)]

    def _distances(self) -> list[float]:
        """To the last node, by relaxing all edges as often as there are nodes."""
        distances = [math.inf] * self.NODES
        distances[-1] = 0
        for _ in range(self.NODES):
            for (a, b), cost in self.costs.items():
                distances[a] = min(distances[a], cost + distances[b])
        return distances

    def heuristic(self, *, misleading: bool) -> _core.PythonHeuristic:
        """Anything, or a random part of the distance: admissible, but not consistent."""

        def estimate(states: bp.States) -> list[float]:
            nodes = [int(next(iter(state.facts)).strip("()").split(" n")[1]) for state in states]
            return [self.share[i] * 20 if misleading else math.floor(self.share[i] * self.distances[i]) for i in nodes]

        return bp.PythonHeuristic(estimate)


# ---- against the reference


def with_options(search: _core.NamedSearch, **options: Any) -> _core.NamedSearch:
    """The same search with other options, where it has them."""
    names = [
        name for name in ("heuristic", "ties", "weight", "temperature", "epsilon", "cost") if hasattr(search, name)
    ]
    changed = {name: getattr(search, name) for name in names} | options
    return type(search)(**{name: value for name, value in changed.items() if hasattr(search, name)})


def check_same_expansions(task: _core.Task, case: str, seed: int, expansions: int, **options: Any) -> str:
    """Returns how the search ended."""
    search, lists, special = CASES[case]
    search = with_options(search, **options)
    recorded = _core.expand(search, task, seed=seed, max_expansions=expansions)
    if not task.solvable:
        assert recorded.result.status == "unsolvable"
        return "unsolvable"
    heuristic = getattr(search, "heuristic", bp.Blind())
    flags = {name: getattr(search, name, False) for name in ("preferred", "deferred")}
    slow = ReferenceBestFirst(task, heuristic, lists, seed=seed, max_expansions=expansions, **flags, **special)
    assert recorded.expanded == slow.expanded
    assert recorded.result.plan == (slow.plan or [])
    assert recorded.result.status == slow.status
    if slow.status != "solved":  # at a goal, the siblings before it have not been evaluated
        assert recorded.result.evaluations == slow.evaluations
    return slow.status


def test_every_search_has_a_reference() -> None:
    assert {search.text for search, _, _ in CASES.values()} == set(SEARCHES)


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["crates", "lights", "levers", "courier", "museum"])
@pytest.mark.parametrize("case", CASES)
def test_examples_are_expanded_as_by_the_reference(case: str, name: str) -> None:
    for preferred, deferred in FLAGS if hasattr(CASES[case][0], "deferred") else FLAGS[:1]:
        check_same_expansions(example(name), case, 1, 60, preferred=preferred, deferred=deferred)


@pytest.mark.slow
@pytest.mark.parametrize("kind", FEATURES)
@pytest.mark.parametrize("case", CASES)
def test_random_tasks_are_expanded_as_by_the_reference(case: str, kind: str) -> None:
    for seed in range(24):
        preferred, deferred = FLAGS[seed % 4]
        flags: dict[str, Any] = {"preferred": preferred, "deferred": deferred}
        check_same_expansions(small_task(kind, 500 + seed), case, seed, 60, **flags)
        check_same_expansions(small_task(kind, 500 + seed), case, seed, 60, heuristic=bp.GoalCount(), **flags)


@pytest.mark.sweep
@pytest.mark.parametrize("case", CASES)
def test_misleading_graphs_are_expanded_as_by_the_reference(case: str) -> None:
    """Estimates at random lead to states on dear paths first, and to cheaper ones later."""
    for seed in range(12):
        graph = Graph(seed)
        options = {"heuristic": graph.heuristic(misleading=True), "deferred": seed % 2 == 0}
        check_same_expansions(graph.task, case, seed, 200, **options)


@pytest.mark.slow
def test_misleading_graphs_make_searches_reopen_states() -> None:
    for cost, deferred in product(("unit", "plan"), (False, True)):
        found = 0
        for seed in range(12):
            graph = Graph(seed)
            search = bp.WAStar(heuristic=graph.heuristic(misleading=True), cost=cost, deferred=deferred)
            recorded = _core.expand(search, graph.task)
            found += len(recorded.expanded) > len(set(recorded.expanded))
            if deferred:
                assert recorded.result.evaluations == len(set(recorded.expanded))
        assert found >= 4


def test_the_search_does_not_depend_on_what_is_computed_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """A vector kernel looks ahead, the scalar one does not."""
    for name, search in AGILE.items():
        for preferred, deferred in FLAGS:
            courses = []
            for kernel in ("scalar", "plain"):
                monkeypatch.setenv("BANDITPLAN_KERNEL", kernel)
                configured = search(preferred=preferred, deferred=deferred)
                courses.append(_core.expand(configured, example("orchestra"), seed=3, max_evaluations=3000))
            scalar, plain = courses
            assert scalar.expanded == plain.expanded, name
            assert scalar.result.evaluations == plain.result.evaluations


# ---- right answers


def steps(task: _core.Task, result: _core.SearchResult) -> list[Step]:
    return [Step(task.actions[id].name, task.actions[id].arguments) for id in result.plan]


@cache
def solvable(kind: str, seed: int) -> tuple[bool | None, int]:
    """Whether there is a plan, None if there are too many states to tell, and their number."""
    reference = Reference(random_task(kind, seed).parsed())
    space = reference.explore(MOST_STATES)
    found = any(map(reference.is_goal, space.transitions))
    return found if found or space.complete else None, len(space.transitions)


def check_search(kind: str, seed: int, search: _core.NamedSearch) -> str:
    task = small_task(kind, seed)
    result = search.run(task, seed=seed, max_evaluations=5000)
    if result.status == "solved":
        verdict = validate(random_task(kind, seed).parsed(), steps(task, result))
        assert verdict.valid, verdict.reason
        assert verdict.cost == sum(task.actions[id].cost for id in result.plan)
    else:
        found, states = solvable(kind, seed)
        assert not found
        assert result.plan == []
        if found is False:
            assert result.status == "unsolvable"
            assert result.inserted <= states
            assert result.expansions + result.dead_ends == result.evaluations
    return result.status


@pytest.mark.slow
@pytest.mark.parametrize("kind", FEATURES)
@pytest.mark.parametrize("name", SEARCHES)
def test_finds_a_plan_if_and_only_if_there_is_one(name: str, kind: str) -> None:
    found = []
    for seed in range(300, 330):
        preferred, deferred = FLAGS[seed % 4]
        search = with_options(SEARCHES[name](), preferred=preferred, deferred=deferred)
        found.append(check_search(kind, seed, search))
    assert min(found.count("solved"), found.count("unsolvable")) >= 2


@pytest.mark.sweep
@pytest.mark.parametrize("name", SEARCHES)
def test_a_heuristic_in_python_works_and_proves_nothing(name: str) -> None:
    def goals_left(states: bp.States) -> list[float | None]:
        return [None if "(burnt)" in map(str, state.facts) else 1.0 for state in states]

    if not hasattr(SEARCHES[name], "heuristic"):
        return
    search = SEARCHES[name](heuristic=goals_left)
    assert bp.solve(example("crates"), search=search).valid
    for kind, seed in product(FEATURES, range(300, 310)):
        task = small_task(kind, seed)
        result = search.run(task, max_evaluations=5000)
        assert result.status in ("solved", "exhausted", "evaluation-limit") or not task.solvable


@pytest.mark.parametrize("name", AGILE)
def test_what_a_python_heuristic_raises_reaches_the_caller(name: str) -> None:
    def broken(states: bp.States) -> list[float]:
        raise ZeroDivisionError

    for preferred, deferred in FLAGS:
        with pytest.raises(ZeroDivisionError):
            bp.solve(example("crates"), search=AGILE[name](heuristic=broken, preferred=preferred, deferred=deferred))


# ---- optimal plans


def cheapest(pddl: PddlText, unit: bool) -> float | None:
    """The cost of a cheapest plan by relaxing all transitions until nothing changes; None if there are too many."""
    reference = Reference(pddl.parsed())
    space = reference.explore(MOST_STATES)
    if not space.complete:
        return None
    distance = dict.fromkeys(space.transitions, math.inf)
    distance[reference.init] = 0
    changed = True
    while changed:
        changed = False
        for state, transitions in space.transitions.items():
            for instance, successor in transitions:
                through = distance[state] + (1 if unit else reference.cost(instance))
                if through < distance[successor]:
                    distance[successor] = through
                    changed = True
    return min((distance[state] for state in distance if reference.is_goal(state)), default=math.inf)


OPTIMAL = {
    "astar": (bp.AStar(), False),
    "astar blind": (bp.AStar(heuristic=bp.Blind()), False),
    "astar unit": (bp.AStar(heuristic=bp.HMax(), cost="unit"), True),
    "dijkstra": (bp.Dijkstra(), False),
    "dijkstra unit": (bp.Dijkstra(cost="unit"), True),
    "bfs": (bp.Bfs(), True),
    "wastar 0": (bp.WAStar(weight=0), True),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", FEATURES)
@pytest.mark.parametrize("name", OPTIMAL)
def test_plans_are_optimal(name: str, kind: str) -> None:
    search, unit = OPTIMAL[name]
    solved = 0
    for seed in range(300, 345):
        task = small_task(kind, seed)
        least = cheapest_of(kind, seed, unit)
        result = search.run(task)
        if result.status == "solved" and least is not None:
            cost = len(result.plan) if unit else sum(task.actions[id].cost for id in result.plan)
            assert cost == least
            solved += 1
        elif least is not None:
            assert least == math.inf
    assert solved >= 10


@cache
def cheapest_of(kind: str, seed: int, unit: bool) -> float | None:
    return cheapest(random_task(kind, seed), unit)


@pytest.mark.slow
def test_astar_is_optimal_with_inconsistent_estimates() -> None:
    reopened = 0
    for seed in range(60):
        graph = Graph(seed)
        recorded = _core.expand(bp.AStar(heuristic=graph.heuristic(misleading=False)), graph.task)
        assert sum(graph.task.actions[id].cost for id in recorded.result.plan) == graph.distances[0]
        reopened += len(recorded.expanded) > len(set(recorded.expanded))
    assert reopened >= 5


def test_large_costs_do_not_overflow() -> None:
    domain = """(define (domain dear) (:requirements :strips :action-costs)
      (:predicates (at0) (at1) (at2) (at3) (done)) (:functions (total-cost))
      (:action a1 :precondition (at0) :effect (and (at1) (increase (total-cost) 1500000000)))
      (:action a2 :precondition (at1) :effect (and (at2) (increase (total-cost) 1500000000)))
      (:action a3 :precondition (at2) :effect (and (done) (increase (total-cost) 1500000000)))
      (:action b1 :precondition (at0) :effect (and (at3) (increase (total-cost) 2000000000)))
      (:action b2 :precondition (at3) :effect (and (done) (increase (total-cost) 2000000000))))"""
    problem = """(define (problem dear-1) (:domain dear) (:init (at0)) (:goal (done))
      (:metric minimize (total-cost)))"""
    task = PddlText(domain, problem).ground()
    for search in (bp.AStar(), bp.Dijkstra()):
        assert [task.actions[id].name for id in search.run(task).plan] == ["b1", "b2"]


# ---- limits and numbers


@pytest.mark.sweep
@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("kind", FEATURES)
def test_limits_hold_exactly(kind: str, name: str) -> None:
    for seed in range(20):
        preferred, deferred = FLAGS[seed % 4]
        search = with_options(SEARCHES[name](), preferred=preferred, deferred=deferred)
        task = small_task(kind, seed)
        full = search.run(task)
        for limit in (0, 1, 2, 3, 7):
            result = search.run(task, max_evaluations=limit)
            if limit < full.inserted:
                assert (result.status, result.inserted) == ("evaluation-limit", limit)
            else:
                assert (result.status, result.inserted) == (full.status, full.inserted)
            result = search.run(task, max_expansions=limit)
            if limit < full.expansions:
                assert (result.status, result.expansions) == ("expansion-limit", limit)
            else:
                assert (result.status, result.expansions) == (full.status, full.expansions)


@pytest.fixture(scope="module")
def endless() -> _core.Task:
    return PddlText(*endless_search()).ground()


@pytest.mark.sweep
@pytest.mark.parametrize(("preferred", "deferred"), FLAGS)
@pytest.mark.parametrize("name", SEARCHES)
def test_time_and_memory_limits_end_the_search(name: str, preferred: bool, deferred: bool, endless: _core.Task) -> None:
    search = with_options(SEARCHES[name](), preferred=preferred, deferred=deferred, heuristic=bp.GoalCount())
    result = search.run(endless, deadline=time.monotonic() + 0.1)
    assert result.status == "time-limit"
    assert result.expansions > 0
    result = search.run(endless, memory_limit_kb=_core.resident_memory_kb() + 2000, deadline=time.monotonic() + 60)
    assert result.status == "memory-limit"


def test_every_distinct_state_is_evaluated_once() -> None:
    """An unsolvable puzzle: all its states, the initial one and dead ends included, are evaluated."""
    domain = """(define (domain ring) (:constants a b n0 n1 n2 n3) (:predicates (at ?x ?y) (next ?x ?y) (won))
      (:action go :parameters (?t ?x ?y) :precondition (and (at ?t ?x) (next ?x ?y))
        :effect (and (not (at ?t ?x)) (at ?t ?y)))
      (:action cheat :precondition (and (at a n1) (at b n2) (at b n1)) :effect (won)))"""
    problem = """(define (problem ring-1) (:domain ring)
      (:init (at a n0) (at b n0) (next n0 n1) (next n1 n2) (next n2 n3) (next n3 n0)) (:goal (won)))"""
    pddl = PddlText(domain, problem)
    for search in SEARCHES.values():
        for preferred, deferred in FLAGS:
            configured = with_options(search(), preferred=preferred, deferred=deferred)
            result = configured.run(pddl.ground(prune_mutex=False))
            assert (result.status, result.evaluations, result.inserted) == ("unsolvable", 16, 16)
            assert result.expansions >= 16
            assert result.generated == 2 * result.expansions
    assert not pddl.ground(prune_mutex=True).solvable


@pytest.mark.parametrize("name", AGILE)
def test_deferred_evaluation_evaluates_what_it_expands(name: str) -> None:
    for task in ("crates", "museum", "warehouse"):
        result = AGILE[name](deferred=True).run(example(task), seed=1)
        assert result.evaluations <= result.expansions + result.dead_ends
        assert result.evaluations < result.inserted


@pytest.mark.sweep
@pytest.mark.parametrize("name", SEARCHES)
def test_the_same_seed_gives_the_same_search(name: str) -> None:
    runs = {
        seed: [_core.expand(SEARCHES[name](), example("museum"), seed=seed).expanded for _ in range(2)]
        for seed in range(3)
    }
    assert all(first == second for first, second in runs.values())
    draws = name in ("softmin_type", "type_gbfs", "epsilon_gbfs")
    assert (runs[0] == runs[1] == runs[2]) is not draws


def test_options_out_of_range_are_refused() -> None:
    for search, option, wrong in (
        (bp.WAStar, "weight", (-1, math.nan, math.inf)),
        (bp.SoftminType, "temperature", (0, -2, math.nan)),
        (bp.EpsilonGbfs, "epsilon", (-0.1, 1.1, math.nan)),
    ):
        for value in wrong:
            with pytest.raises(ValueError, match=f"^{option} must be "):
                search(**{option: value})
