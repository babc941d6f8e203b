"""Replanning keeps what works, and is as complete as planning from scratch."""

from __future__ import annotations

from random import Random

import pytest
from random_tasks import FEATURES, random_task

import banditplan as bp
from banditplan import _core


def ids(task: bp.Task, plan: bp.Result) -> list[int]:
    return _core.action_ids(task, [[step.name, *step.arguments] for step in plan.plan or ()], task.initial_state)


@pytest.mark.slow
@pytest.mark.parametrize("kind", FEATURES)
def test_a_place_is_one_from_which_the_rest_works(kind: str) -> None:
    """In every reachable state: where the condition of a place holds, the rest of the plan leads to the goal."""
    checked = 0
    for seed in range(30):
        source = random_task(kind, seed)
        task = bp.load(source.domain, source.problem)
        result = bp.solve(task, search="bfs", max_expansions=3000)
        if not result.plan:
            continue
        plan = ids(task, result)
        places = _core.rejoin(task, plan, task.initial_state)
        facts = _core.task_parts(task)["facts"]
        assert places.kept_from is not None  # the plan works
        for _, state in task.random_walks(5, 8, seed=seed):
            for number, condition in enumerate(places.conditions):
                if not all((state.values[facts[f][0]] == facts[f][1]) != facts[f][2] for f in condition):
                    continue
                now = state
                for action in plan[places.first + number :]:
                    now = task.apply(now, task.action(action))  # raises if it is not applicable
                assert task.is_goal(now)
                checked += 1
    assert checked > 20


@pytest.mark.slow
@pytest.mark.parametrize("kind", FEATURES)
def test_replanning_solves_what_planning_solves(kind: str) -> None:
    kept = new = 0
    for seed in range(16):
        source = random_task(kind, seed)
        task = bp.load(source.domain, source.problem)
        result = bp.solve(task, search="bfs", max_expansions=3000)
        if not result.plan:
            continue
        for _, state in task.random_walks(2, 4, seed=seed):
            again = bp.replan(task, result.plan, state, search="gbfs(ff)")
            scratch = bp.solve(task.replace(initial=state), search="gbfs(ff)")
            assert again.result.status == scratch.status
            if again.plan is None:
                assert again.kept_from is None
                continue
            assert again.result.valid
            assert again.plan == (*again.new, *again.kept)
            assert again.kept == result.plan[again.kept_from :]
            assert again.task.initial_state == state
            kept += len(again.kept)
            new += len(again.new)
    assert kept > 0
    assert new > 0 or kind == "strips"


def test_a_plan_that_still_works_is_kept_without_a_search() -> None:
    task = bp.load(*bp.example("warehouse"))
    result = bp.solve(task)
    state = task.initial_state
    for number, action in enumerate(ids(task, result)):
        again = bp.replan(task, result.plan, state)
        assert again.result.evaluations == 0
        assert again.new == ()
        assert again.kept_from >= number  # a shorter rest may do
        assert again.result.valid
        state = task.apply(state, task.action(action))
        if number == 20:
            break


def test_steps_can_be_given_in_many_ways() -> None:
    task = bp.load(*bp.example("crates"))
    result = bp.solve(task)
    texts = [str(step) for step in result.plan]
    actions = [task.action(number) for number in ids(task, result)]
    for plan in (result.plan, texts, "\n".join(texts), actions):
        assert bp.replan(task, plan).plan == result.plan
    with pytest.raises(bp.InputError, match="a step is written as"):
        bp.replan(task, ["go home"])
    for wrong in ([3], 3, None):
        with pytest.raises(bp.InputError, match="expected steps"):
            bp.replan(task, wrong)


def test_an_old_plan_of_other_actions_does_no_harm() -> None:
    task = bp.load(*bp.example("crates"))
    again = bp.replan(task, ["(fly me to-the-moon)"])
    assert again.result.valid
    assert again.kept == ()
    assert again.result.plan_cost == bp.solve(task).plan_cost  # shortened as any other


def test_facts_from_elsewhere_are_ground_again() -> None:
    """The state is one that the ground task does not have; the old plan is still of use."""
    domain = """(define (domain d) (:predicates (at ?x) (road ?x ?y))
      (:action go :parameters (?x ?y) :precondition (and (at ?x) (road ?x ?y)) :effect (and (at ?y) (not (at ?x)))))"""
    problem = """(define (problem p) (:domain d) (:objects a b c d e)
      (:init (at a) (road a b) (road b c) (road c d) (road e b)) (:goal (at d)))"""
    task = bp.load(domain, problem)
    result = bp.solve(task)
    again = bp.replan(task, result.plan, ["(at e)"])
    assert not again.task.same_states(task.initial_state)
    assert [str(step) for step in again.plan] == ["(go e b)", "(go b c)", "(go c d)"]
    assert again.kept_from == 1
    broken = bp.replan(task, result.plan, ["(at a)", "(road a b)", "(road b d)"])
    assert [str(step) for step in broken.plan] == ["(go a b)", "(go b d)"]
    hopeless = bp.replan(task, result.plan, ["(at a)", "(road a b)"])
    assert hopeless.result.status == "unsolvable"
    assert "(at d) cannot be reached" in hopeless.result.explanation
    assert hopeless.plan is None


def test_limits_hold() -> None:
    task = bp.load(*bp.example("warehouse"))
    result = bp.solve(task)
    state = task.random_walks(1, 30, seed=2)[30][1]
    again = bp.replan(task, result.plan, state, search="gbfs(blind)", max_evaluations=5)
    assert again.result.status == "evaluation-limit"
    assert again.plan is None
    assert "evaluation limit" in repr(again)


@pytest.mark.slow
def test_a_loop_with_disturbances_gets_there() -> None:
    task = bp.load(*bp.example("warehouse"))
    plan = bp.solve(task).plan
    numbers, state, repairs = Random(5), task.initial_state, 0
    for _ in range(2000):
        if task.is_goal(state):
            break
        if numbers.random() < 0.1:
            state = numbers.choice([after for _, after in task.successors(state)])
            again = bp.replan(task, plan, state)
            assert again.result.valid
            task, plan = again.task, again.plan
            repairs += len(again.new) > 0
            continue
        step, *rest = plan
        action = next(each for each in task.applicable(state) if str(each) == str(step))
        state = task.apply(state, action)
        task, plan = task.replace(initial=state), rest
    assert task.is_goal(state)
    assert repairs > 3
