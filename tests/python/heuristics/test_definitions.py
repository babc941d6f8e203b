"""hmax, hadd, hFF and goal count against their definitions and against brute force, on small random tasks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import inf
from random import Random

import pytest
from heuristics.networks import random_network
from heuristics.relaxed import (
    Fact,
    Way,
    fact_costs,
    goal_cost,
    highest,
    random_walks,
    reachable,
    relaxed_plan,
    shortest_plan,
)
from heuristics.test_ff import AXIOM, Relaxation, start_in
from random_tasks import PddlText, random_task
from reference import text

import banditplan as bp
from banditplan import _core
from banditplan.pddl.syntax import Atom, Parsed

SEEDS = range(600, 640)
NETWORK_SEEDS = range(100, 130)
NETWORKS = {"strips": "plain", "negative": "negative", "conditional": "conditional", "axioms": "ruled", "dear": "dear"}
KINDS = tuple(NETWORKS)
COSTS = ("unit", "plan", "plusone")
MOST_TRIES = 1500


@dataclass(frozen=True)
class Case:
    """A state of a ground task, and its relaxation as the definitions see it."""

    task: _core.Task
    state: _core.State
    relaxation: Relaxation

    def ways(self, cost: str = "unit") -> list[Way]:
        prices = {action.id: price(self.task, action, cost) for action in self.task.actions}
        prices[AXIOM] = 0
        gives: dict[tuple[int, frozenset[Fact]], set[Fact]] = {}
        for operator in self.relaxation.operators:
            if text(operator.gives[0]) in self.relaxation.facts:
                gives.setdefault((operator.action, operator.needs), set()).add(operator.gives)
        return [
            Way(None if action == AXIOM else action, prices[action], needs, frozenset(facts))
            for (action, needs), facts in gives.items()
        ]

    def true(self) -> set[Fact]:
        facts = {fact for operator in self.relaxation.operators for fact in (*operator.needs, operator.gives)}
        return {fact for fact in facts | self.relaxation.goal if self.relaxation.cost_now(fact) == 0}

    def value(self, recipe: _core.Heuristic) -> float:
        return recipe.bind(self.task).evaluate([self.state])[0]


def price(task: _core.Task, action: _core.GroundAction, cost: str) -> int:
    if cost == "unit" or (cost == "plusone" and task.unit_cost):
        return 1
    return action.cost + (cost == "plusone")


@cache
def texts(kind: str) -> list[PddlText]:
    """Tasks with objects, and deeper ones without."""
    with_objects = [] if kind == "dear" else [random_task(kind, seed) for seed in SEEDS]
    return with_objects + [random_network(NETWORKS[kind], seed) for seed in NETWORK_SEEDS]


@cache
def cases(kind: str) -> list[Case]:
    """Some states of each task."""
    found = []
    for number, pddl in enumerate(texts(kind)):
        parsed, task = pddl.parsed(), pddl.ground(prune_mutex=False)
        if task.solvable and (kind in ("strips", "dear") or not has_groups(task)):
            states = dict.fromkeys(random_walks(task, 16, Random(number), length=5)[::3])
            found += [
                Case(task, state, Relaxation(start_in(parsed, atoms_of(parsed, task, state)), task)) for state in states
            ]
    return found


def atoms_of(parsed: Parsed, task: _core.Task, state: _core.State) -> frozenset[Atom]:
    """What is true in the state; what is no fact of the task never changes, or nobody reads it."""
    derived = {rule.head for rule in parsed.domain.derived}
    facts = set(task.facts)
    words = [fact.strip("()").split() for fact in state.facts]
    changing = {Atom(name, tuple(arguments)) for name, *arguments in words if name not in derived}
    return frozenset(changing | {atom for atom in parsed.problem.init if text(atom) not in facts})


def has_groups(task: _core.Task) -> bool:
    """In a group, a negative literal follows from the other atoms: the definitions know nothing of that."""
    return sum(fact.startswith("(") for fact in task.facts) != len(task.domain_sizes)


@pytest.mark.slow
def test_cases_are_telling() -> None:
    for kind in KINDS:
        values = [case.value(_core.HAdd()) for case in cases(kind)]
        assert len(values) >= 25
        assert len({h for h in values if 2 < h < inf}) >= 4
        assert kind == "dear" or min(values) == 0
    assert sum(case.value(bp.Ff()) == inf for kind in KINDS for case in cases(kind)) >= 10
    dear = [case for kind in ("negative", "dear") for case in cases(kind) if not case.task.unit_cost]
    assert len(dear) >= 40
    assert sum(any(action.cost == 0 for action in case.task.actions) for case in dear) >= 20


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("cost", COSTS)
@pytest.mark.parametrize("kind", KINDS)
def test_hadd_and_hmax(kind: str, cost: str) -> None:
    for case in cases(kind):
        ways, true, goal = case.ways(cost), case.true(), case.relaxation.goal
        assert case.value(_core.HAdd(cost=cost)) == goal_cost(goal, fact_costs(ways, true, sum), sum)
        assert case.value(_core.HMax(cost=cost)) == goal_cost(goal, fact_costs(ways, true, highest), highest)


@pytest.mark.sweep
@pytest.mark.parametrize("cost", COSTS)
@pytest.mark.parametrize("kind", ["strips", "negative", "dear"])  # else ways of an action, or axioms, may be equal
def test_ff(kind: str, cost: str) -> None:
    for case in cases(kind):
        plan = relaxed_plan(case.ways(cost), case.true(), case.relaxation.goal)
        prices = {action.id: price(case.task, action, cost) for action in case.task.actions}
        assert case.value(bp.Ff(cost=cost)) == (inf if plan is None else sum(prices[action] for action in plan))
        applicable = {action.id for action in case.task.applicable(case.state)}
        preferred = bp.Ff(cost=cost).bind(case.task).preferred([case.state])[0]
        assert [action.id for action in preferred] == sorted((plan or set()) & applicable)


@pytest.mark.sweep
@pytest.mark.parametrize("cost", COSTS)
@pytest.mark.parametrize("kind", KINDS)
def test_infinite_exactly_where_the_relaxed_task_is_unsolvable(kind: str, cost: str) -> None:
    for case in cases(kind):
        solvable = case.relaxation.goal <= reachable(case.ways(), case.true())
        for recipe in (bp.Ff(cost=cost), _core.HAdd(cost=cost), _core.HMax(cost=cost)):
            assert (case.value(recipe) < inf) == solvable


@pytest.mark.sweep
@pytest.mark.parametrize("cost", COSTS)
@pytest.mark.parametrize("kind", KINDS)
def test_hmax_is_least_and_hadd_is_most(kind: str, cost: str) -> None:
    """An action counts once in a relaxed plan, but its conditional effects may build on each other: not there."""
    for case in cases(kind) if kind != "conditional" else ():
        hmax, hff, hadd = (case.value(each(cost=cost)) for each in (_core.HMax, bp.Ff, _core.HAdd))
        assert hmax <= hff <= hadd


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("kind", KINDS)
def test_between_them_lies_the_shortest_relaxed_plan(kind: str) -> None:
    compared = set()
    for case in cases(kind):
        h = case.value(bp.Ff())
        if h == inf:
            continue
        shortest = shortest_plan(case.ways(), case.true(), case.relaxation.goal, MOST_TRIES)
        if shortest is not None:
            compared.add(shortest)
            assert shortest <= h
            assert kind == "conditional" or case.value(_core.HMax()) <= shortest
    assert {1, 2, 3} <= compared


@pytest.mark.sweep
@pytest.mark.parametrize("kind", ["strips", "negative", "conditional", "dear"])
def test_zero_exactly_at_goals(kind: str) -> None:
    seen = set()
    for number, pddl in enumerate(texts(kind)):
        task = pddl.ground()
        if not task.solvable:
            continue
        states = random_walks(task, 40, Random(number), length=12)
        for recipe in (bp.Ff(), bp.Ff(cost="plusone"), _core.HAdd(), _core.HMax(), _core.GoalCount()):
            for state, h in zip(states, recipe.bind(task).evaluate(states), strict=True):
                assert (h == 0) == task.is_goal(state)
                seen.add(h == 0)
    assert seen == {True, False}


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("kind", ["axioms", "adl", "derived"])
def test_goal_count_is_zero_exactly_at_goals(kind: str) -> None:
    for seed in SEEDS:
        task = random_task(kind, seed).ground()
        if task.solvable:
            states = random_walks(task, 40, Random(seed), length=12)
            values = _core.GoalCount().bind(task).evaluate(states)
            assert [h == 0 for h in values] == [task.is_goal(state) for state in states]
            assert max(values) <= len(task.goal)


# ---- names and order


def renamed(pddl: PddlText, random: Random) -> tuple[PddlText, dict[str, str]]:
    """The same task with other names, and its actions and objects in another order; and what the names became."""
    names = sorted(set(re.findall(r"\b[a-z]\d+\b", pddl.domain + pddl.problem)))
    numbers = random.sample(range(100, 1000), len(names))
    new = {name: f"{random.choice('uvwxyz')}{number}" for name, number in zip(names, numbers, strict=True)}

    def rename(pattern: str) -> str:
        return re.sub(r"\b[a-z]\d+\b", lambda match: new[match[0]], pattern)

    head, *actions = rename(pddl.domain).split("  (:action ")
    actions = [action.rstrip().removesuffix("\n)") for action in actions]
    random.shuffle(actions)
    domain = "\n  (:action ".join([head, *actions]) + "\n)"
    problem = re.sub(r"\(:objects (.*)\)", lambda match: shuffled_objects(match[1], random), rename(pddl.problem))
    return PddlText(domain, problem), new


def shuffled_objects(typed: str, random: Random) -> str:
    objects = re.findall(r"\S+ - \S+", typed)
    random.shuffle(objects)
    return f"(:objects {' '.join(objects)})"


def parallel_walk(
    task: _core.Task, other: _core.Task, names: dict[str, str], random: Random
) -> Iterator[tuple[_core.State, _core.State]]:
    """The same walk through both."""
    actions = {repr(action): action for action in other.actions}
    here, there = task.initial_state, other.initial_state
    for _ in range(15):
        yield here, there
        applicable = task.applicable(here)
        if not applicable:
            break
        action = random.choice(applicable)
        here = task.apply(here, action)
        there = other.apply(there, actions[re.sub(r"\b[a-z]\d+\b", lambda match: names[match[0]], repr(action))])


@pytest.mark.sweep
@pytest.mark.parametrize("kind", KINDS)
def test_names_and_order_do_not_matter_to_hadd_and_hmax(kind: str) -> None:
    compared = set()
    for number, pddl in enumerate(texts(kind)):
        random = Random(number)
        changed, names = renamed(pddl, random)
        tasks = [each.ground(prune_mutex=False) for each in (pddl, changed)]
        assert tasks[0].solvable == tasks[1].solvable
        if not tasks[0].solvable or (kind not in ("strips", "dear") and any(map(has_groups, tasks))):
            continue
        pairs = list(parallel_walk(*tasks, names, random))
        for cost in COSTS:
            for heuristic in (_core.HAdd, _core.HMax):
                values = [
                    heuristic(cost=cost).bind(task).evaluate([pair[side] for pair in pairs])
                    for side, task in enumerate(tasks)
                ]
                assert values[0] == values[1]
                compared.update(values[0])
    assert len(compared) >= 8
