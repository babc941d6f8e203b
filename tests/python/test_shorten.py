"""Action elimination: plans stay valid, never get costlier, and nothing that can go alone is left."""

from __future__ import annotations

from itertools import count
from random import Random

import pytest
from random_tasks import FEATURES, PddlText, random_task

import banditplan as bp
from banditplan import _core, examples
from banditplan.plan import Step
from banditplan.validation import validate

SOLVABLE = [name for name in examples.names() if name not in ("island", "levers")]


def cost(task: _core.Task, plan: list[int]) -> int:
    return sum(task.action(action).cost for action in plan)


def applicable(task: _core.Task, state: _core.State) -> set[int]:
    return {action.id for action in task.applicable(state)}


def without(task: _core.Task, plan: list[int], first: int) -> list[int] | None:
    """The plan without a step and the steps that cannot be applied then; None if it misses the goal."""
    state, left = task.initial_state, []
    for number, action in enumerate(plan):
        if number != first and action in applicable(task, state):
            state = task.apply(state, task.action(action))
            left.append(action)
    return left if task.is_goal(state) else None


def is_plan(task: _core.Task, plan: list[int]) -> bool:
    state = task.initial_state
    for action in plan:
        if action not in applicable(task, state):
            return False
        state = task.apply(state, task.action(action))
    return task.is_goal(state)


def wander(task: _core.Task, random: Random, most: int) -> list[int] | None:
    """A plan by a random walk, which goes on after the first goal: full of redundant steps."""
    state, walk, best = task.initial_state, [], None
    for step in count():
        if task.is_goal(state):
            best = list(walk)
        actions = task.applicable(state)
        if step == most or not actions:
            return best
        action = random.choice(actions)
        state = task.apply(state, action)
        walk.append(action.id)
    return None


def check(task: _core.Task, plan: list[int]) -> list[int]:
    shorter = _core.shorten(task, plan)
    assert is_plan(task, shorter)
    assert cost(task, shorter) <= cost(task, plan)
    steps = iter(plan)
    assert all(action in steps for action in shorter), "a subsequence"
    for first in range(len(shorter)):
        assert without(task, shorter, first) is None, "greedily justified"
    assert _core.shorten(task, shorter) == shorter
    return shorter


@pytest.mark.parametrize("kind", FEATURES)
def test_random_walks(kind: str) -> None:
    changed = 0
    for seed in range(60):
        pddl = random_task(kind, seed)
        task = pddl.ground()
        if not task.solvable:
            continue
        plan = wander(task, Random(seed), 25)
        if plan is None:
            continue
        shorter = check(task, plan)
        changed += len(shorter) < len(plan)
        steps = [Step(task.action(action).name, task.action(action).arguments) for action in shorter]
        assert validate(pddl.parsed(), steps).valid
    assert changed > 5


@pytest.mark.parametrize("name", SOLVABLE)
def test_plans_of_searches(name: str) -> None:
    task = bp.load(*bp.example(name))
    for search in (_core.Guct(), _core.Gbfs(), _core.Guct(bandit=_core.TttsNormal(), heuristic=_core.GoalCount())):
        found = search.run(task, max_evaluations=20_000)
        if found.status == "solved":
            check(task, found.plan)


def test_the_most_expensive_redundant_steps_go_first() -> None:
    """Either of two ways can go, but not both: the cheap one stays, wherever it stands in the plan."""
    domain = """
    (define (domain ways) (:requirements :strips :action-costs)
      (:predicates (start) (done))
      (:functions (total-cost) - number)
      (:action cheap :parameters () :precondition (start) :effect (and (done) (increase (total-cost) 1)))
      (:action dear :parameters () :precondition (start) :effect (and (done) (increase (total-cost) 5))))"""
    problem = "(define (problem ways) (:domain ways) (:init (start)) (:goal (done)) (:metric minimize (total-cost)))"
    task = PddlText(domain, problem).ground()
    cheap, dear = ([action.id for action in task.actions if action.name == name] for name in ("cheap", "dear"))
    assert _core.shorten(task, cheap + dear) == cheap
    assert _core.shorten(task, dear + cheap) == cheap


def test_solve_shortens_if_asked_to() -> None:
    for name in SOLVABLE:
        plain, shorter = (bp.solve(*bp.example(name), search="guct", shorten=shorten) for shorten in (False, True))
        assert shorter.valid
        assert plain.plan_cost is not None
        assert shorter.plan_cost is not None
        assert shorter.plan_cost <= plain.plan_cost
        assert (shorter.evaluations, shorter.end) == (plain.evaluations, "solved")


def test_a_limit_leaves_a_plan() -> None:
    task = bp.load(*bp.example("warehouse"))
    plan = _core.Guct().run(task).plan
    assert is_plan(task, _core.shorten(task, plan, deadline=0.0))
    with pytest.raises(IndexError, match="no such action"):
        _core.shorten(task, [10**6])
