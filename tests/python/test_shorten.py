"""Shorter plans: they stay valid, never get costlier, have no step that can go, and no window with a better way."""

from __future__ import annotations

from itertools import count, permutations
from random import Random

import pytest
from random_tasks import FEATURES, PddlText, random_task
from windows import Windows

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
    shorter = _core.eliminate(task, plan)
    assert is_plan(task, shorter)
    assert cost(task, shorter) <= cost(task, plan)
    steps = iter(plan)
    assert all(action in steps for action in shorter), "a subsequence"
    for first in range(len(shorter)):
        assert without(task, shorter, first) is None, "greedily justified"
    assert _core.eliminate(task, shorter) == shorter
    return shorter


@pytest.mark.sweep
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


def test_of_two_ways_the_cheap_one_stays() -> None:
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


def test_what_goes_first_when_not_all_can_go() -> None:
    """Three ways to the goal, each with a trace of its own, so that no state comes twice: of the most expensive sets
    of steps the largest goes first, and the cheapest way stays, in whatever order they were walked."""
    domain = """
    (define (domain ways) (:requirements :strips :action-costs)
      (:predicates (done) (ready) (cheaply) (dearly) (slowly))
      (:functions (total-cost) - number)
      (:action cheap :parameters () :precondition () :effect (and (done) (cheaply) (increase (total-cost) 2)))
      (:action dear :parameters () :precondition () :effect (and (done) (dearly) (increase (total-cost) 5)))
      (:action prepare :parameters () :precondition () :effect (and (ready) (increase (total-cost) 1)))
      (:action slow :parameters () :precondition (ready) :effect (and (done) (slowly) (increase (total-cost) 1)))
      (:action all :parameters () :precondition (and (cheaply) (dearly) (slowly)) :effect (done)))"""
    problem = "(define (problem ways) (:domain ways) (:init) (:goal (done)) (:metric minimize (total-cost)))"
    task = PddlText(domain, problem).ground()
    ids = {action.name: action.id for action in task.actions}
    ways = [[ids["cheap"]], [ids["dear"]], [ids["prepare"], ids["slow"]]]
    for order in permutations(ways):
        assert _core.eliminate(task, [action for way in order for action in way]) == ways[0]
        without_cheap = [action for way in order for action in way if way != ways[0]]
        assert _core.eliminate(task, without_cheap) == ways[2]


def windows(plan: list[int]) -> list[tuple[int, int]]:
    """Those that are looked at last: begin and end."""
    found = []
    for size in (4, 8, 16, 32, 64):
        for end in range(len(plan), 0, -(size // 4)):
            found.append((max(end - size, 0), end))
            if end <= size:
                break
        if size >= len(plan):
            break
    return found


@pytest.mark.sweep
@pytest.mark.parametrize("kind", FEATURES)
def test_no_window_has_a_better_way(kind: str) -> None:
    checked = 0
    for seed in range(80):
        task = random_task(kind, seed).ground()
        plan = wander(task, Random(seed), 40) if task.solvable else None
        if plan is None:
            continue
        reference = Windows(task)
        justified = _core.eliminate(task, plan)
        shorter = _core.shorten(task, plan)
        assert is_plan(task, shorter)
        assert reference.weight(shorter) <= reference.weight(justified) <= reference.weight(plan)
        assert _core.shorten(task, plan) == shorter, "the same again"
        for begin, end in windows(shorter):
            assert reference.best(shorter, begin, end) == reference.weight(shorter[begin:end])
            checked += 1
    assert checked > 5


@pytest.mark.parametrize("name", SOLVABLE)
def test_any_bound_on_the_work_leaves_a_plan(name: str) -> None:
    task = bp.load(*bp.example(name))
    reference = Windows(task)
    wanders = _core.Guct(heuristic=_core.GoalCount()).run(task, max_evaluations=20_000).plan
    plan = wanders or _core.Gbfs().run(task).plan
    assert plan
    for work in (0, 10, 100, 1000, 10_000, 100_000, 1_000_000):
        shorter = _core.shorten(task, plan, work)
        assert is_plan(task, shorter)
        assert reference.weight(shorter) <= reference.weight(plan)
        assert _core.shorten(task, plan, work) == shorter


@pytest.mark.slow
def test_steps_that_build_on_each_other_come_together() -> None:
    """Forty robots go one step each, then the next one: no small window of that has both steps of a robot."""
    domain = """
    (define (domain robots) (:predicates (at ?r ?a) (road ?a ?b))
      (:action go :parameters (?r ?a ?b)
        :precondition (and (at ?r ?a) (road ?a ?b)) :effect (and (not (at ?r ?a)) (at ?r ?b))))"""
    robots = [f"r{i}" for i in range(40)]
    places = "(road a b) (road b c) (road a c)"
    start, end = (" ".join(f"(at {robot} {place})" for robot in robots) for place in "ac")
    problem = (
        f"(define (problem two) (:domain robots) (:objects a b c {' '.join(robots)})"
        f" (:init {places} {start}) (:goal (and {end})))"
    )
    task = PddlText(domain, problem).ground()
    ids = {(action.name, *action.arguments): action.id for action in task.actions}
    plan = [ids["go", robot, "a", "b"] for robot in robots] + [ids["go", robot, "b", "c"] for robot in robots]
    assert sorted(_core.shorten(task, plan)) == sorted(ids["go", robot, "a", "c"] for robot in robots)


def test_steps_stay_in_their_order_where_nothing_is_gained() -> None:
    domain = """
    (define (domain robots) (:predicates (at ?r ?a) (road ?a ?b))
      (:action go :parameters (?r ?a ?b)
        :precondition (and (at ?r ?a) (road ?a ?b)) :effect (and (not (at ?r ?a)) (at ?r ?b))))"""
    problem = """
    (define (problem two) (:domain robots) (:objects a b c left right)
      (:init (road a b) (road b c) (at left a) (at right a)) (:goal (and (at left c) (at right c))))"""
    task = PddlText(domain, problem).ground()
    ids = {(action.name, *action.arguments): action.id for action in task.actions}
    plan = [ids["go", robot, a, b] for a, b in ("ab", "bc") for robot in ("left", "right")]
    assert _core.shorten(task, plan) == plan


def test_solve_shortens_unless_told_otherwise() -> None:
    for name in SOLVABLE:
        plain, shorter = (bp.solve(*bp.example(name), search="guct", shorten=shorten) for shorten in (False, True))
        again = bp.solve(*bp.example(name), search="guct")
        assert again.plan == shorter.plan
        assert shorter.valid
        assert plain.plan_cost is not None
        assert shorter.plan_cost is not None
        assert shorter.plan_cost <= plain.plan_cost
        assert (shorter.evaluations, shorter.end) == (plain.evaluations, "solved")
        assert (plain.found_length, plain.found_cost) == (plain.plan_length, plain.plan_cost)
        assert (shorter.found_length, shorter.found_cost) == (plain.plan_length, plain.plan_cost)
        assert ("improved from" in shorter.explanation) == (
            (shorter.plan_length, shorter.plan_cost) != (plain.plan_length, plain.plan_cost)
        )
        assert "shortened" not in plain.explanation


def test_a_limit_leaves_a_plan() -> None:
    task = bp.load(*bp.example("warehouse"))
    plan = _core.Guct().run(task).plan
    assert is_plan(task, _core.shorten(task, plan, deadline=0.0))
    for function in (_core.shorten, _core.eliminate):
        with pytest.raises(IndexError, match="no such action"):
            function(task, [10**6])


def test_without_memory_for_it_the_plan_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(*_: object) -> list[int]:
        raise MemoryError

    monkeypatch.setattr(_core, "shorten", exhausted)
    result = bp.solve(*bp.example("warehouse"))
    assert result.valid
    assert (result.found_length, result.found_cost) == (result.plan_length, result.plan_cost)
