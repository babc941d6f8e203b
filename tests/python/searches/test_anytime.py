"""The tree search in anytime mode: costs fall strictly, and what it proves is so."""

from __future__ import annotations

from collections import Counter
from functools import cache
from heapq import heappop, heappush
from itertools import count, permutations, product
from random import Random
from zlib import crc32

import pytest
from random_tasks import FEATURES, PddlText, random_task
from reference import Reference

import banditplan as bp
from banditplan import _core, examples
from banditplan.components import components
from banditplan.plan import Step
from banditplan.spec import parse_search
from banditplan.validate import validate

BANDITS = sorted(components(_core.Bandit))
BACKUPS = sorted(components(_core.Backup))
GRAFTS = ("paper", "strict", "never")
MOST_STATES = 400


@cache
def example(name: str) -> _core.Task:
    return bp.load(*bp.example(name))


def cheapest_cost(task: _core.Task) -> int | None:
    """The cost of an optimal plan, by Dijkstra's algorithm on the ground task; None if there is no plan."""
    if not task.solvable:
        return None
    tie = count()
    queue = [(0, next(tie), task.initial_state)]
    settled = set()
    while queue:
        cost, _, state = heappop(queue)
        if state in settled:
            continue
        settled.add(state)
        if task.is_goal(state):
            return cost
        for action in task.applicable(state):
            heappush(queue, (cost + action.cost, next(tie), task.apply(state, action)))
    return None


def all_plans(search: _core.Guct, task: _core.Task, seed: int = 0) -> tuple[list[list[int]], _core.SearchResult]:
    """The plans in the order in which they are found, and what the search says at the end."""
    anytime = _core.AnytimeSearch(search, task, seed=seed)
    plans = []
    while (result := anytime.next()).status == "solved":
        plans.append(result.plan)
    again = anytime.next()
    assert (again.status, again.evaluations, again.plan) == (result.status, result.evaluations, [])
    return plans, result


def check(search: _core.Guct, task: _core.Task, seed: int, optimum: int | None) -> list[list[int]]:
    plans, end = all_plans(search, task, seed)
    costs = [sum(task.action(action).cost for action in plan) for plan in plans]
    assert costs == sorted(set(costs), reverse=True)
    assert (optimum is None) == (plans == [])
    free = bool(plans) and costs[-1] == 0
    safe = not isinstance(search.heuristic, _core.PythonHeuristic)
    proved = not task.solvable or free or (safe and (search.graft != "never" or not plans))
    assert end.status == ("unsolvable" if proved else "exhausted")
    if optimum is not None:
        assert costs[-1] == optimum or (search.graft == "never" and costs[-1] > optimum)
    return plans


def guct(number: int, heuristic: _core.Heuristic) -> _core.Guct:
    """One of all tree searches."""
    options = list(product(BANDITS, BACKUPS, (False, True), (False, True), GRAFTS))
    bandit, backup, preferred, deferred, graft = options[61 * number % len(options)]
    return _core.Guct(
        heuristic=heuristic,
        bandit=components(_core.Bandit)[bandit](),
        backup=components(_core.Backup)[backup](),
        preferred=preferred,
        deferred=deferred,
        graft=graft,
    )


# ---- against Dijkstra's algorithm


@pytest.mark.parametrize("kind", FEATURES)
def test_the_last_plan_is_optimal_on_random_tasks(kind: str) -> None:
    for seed in range(60):
        pddl = random_task(kind, seed)
        if not Reference(pddl.parsed()).explore(MOST_STATES).complete:
            continue
        task = pddl.ground()
        optimum = cheapest_cost(task)
        for number in range(4):
            for plan in check(guct(4 * seed + number, _core.Ff()), task, seed, optimum):
                steps = [Step(task.action(action).name, task.action(action).arguments) for action in plan]
                assert validate(pddl.parsed(), steps).valid


def roads(seed: int, free: float) -> tuple[str, str]:
    """Two walkers in a maze of one-way streets with tolls; some are free. They meet to share a toll."""
    random = Random(seed)
    places = [f"p{i}" for i in range(random.randint(4, 9))]
    streets = {(a, b): 0 if random.random() < free else random.randint(0, 9) for a, b in permutations(places, 2)}
    streets = {street: toll for street, toll in streets.items() if random.random() < 0.4}
    domain = """
    (define (domain roads) (:requirements :typing :action-costs)
      (:types place walker)
      (:predicates (at ?w - walker ?p - place) (street ?a ?b - place))
      (:functions (toll ?a ?b - place) - number (total-cost) - number)
      (:action go :parameters (?w - walker ?a ?b - place) :precondition (and (at ?w ?a) (street ?a ?b))
        :effect (and (not (at ?w ?a)) (at ?w ?b) (increase (total-cost) (toll ?a ?b))))
      (:action ride :parameters (?v ?w - walker ?a ?b - place)
        :precondition (and (at ?v ?a) (at ?w ?a) (street ?a ?b))
        :effect (and (not (at ?v ?a)) (at ?v ?b) (not (at ?w ?a)) (at ?w ?b) (increase (total-cost) (toll ?a ?b)))))"""
    problem = f"""
    (define (problem roads) (:domain roads)
      (:objects {" ".join(places)} - place v w - walker)
      (:init (at v {places[0]}) (at w {random.choice(places)}) (= (total-cost) 0)
        {" ".join(f"(street {a} {b}) (= (toll {a} {b}) {toll})" for (a, b), toll in streets.items())})
      (:goal (and (at v {places[-1]}) (at w {random.choice(places)})))
      (:metric minimize (total-cost)))"""
    return domain, problem


def whimsical(states: _core.States) -> list[float]:
    """A heuristic that knows nothing, and says it with confidence: the search takes every wrong turn."""
    return [crc32(repr(list(state.values)).encode()) % 20 for state in states]


@pytest.mark.parametrize("free", [0.0, 0.4])
def test_the_last_plan_is_optimal_where_paths_get_cheaper_late(free: float) -> None:
    found: Counter[int] = Counter()
    for seed in range(60):
        task = PddlText(*roads(seed, free)).ground()
        optimum = cheapest_cost(task)
        for number, heuristic in enumerate((_core.Blind(), _core.Ff(), _core.PythonHeuristic(whimsical))):
            found[len(check(guct(3 * seed + number, heuristic), task, seed, optimum))] += 1
    assert max(found) >= 5
    assert sum(times for plans, times in found.items() if plans > 1) > 40
