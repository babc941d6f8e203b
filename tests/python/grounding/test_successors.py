"""The successor generator against a look at every action."""

from __future__ import annotations

from random import Random

import pytest
from random_tasks import FEATURES, PddlText, random_task

from banditplan import _core

MANY_VARIABLES = PddlText(
    """(define (domain house) (:requirements :adl)
      (:types token place lamp - object)
      (:predicates (at ?t - token ?p - place) (on ?x - lamp) (alarm) (seen ?p - place))
      (:action go :parameters (?t - token ?a ?b - place) :precondition (at ?t ?a)
        :effect (and (not (at ?t ?a)) (at ?t ?b) (seen ?b)))
      (:action switch-on :parameters (?x - lamp) :precondition (not (on ?x)) :effect (on ?x))
      (:action switch-off :parameters (?x ?y - lamp) :precondition (and (on ?x) (not (on ?y))) :effect (not (on ?x)))
      (:action ring :effect (alarm))
      (:action hush :effect (and (not (alarm)) (forall (?p - place) (not (seen ?p)))))
      (:action alone :parameters (?t ?u - token ?p - place)
        :precondition (and (not (= ?t ?u)) (at ?t ?p) (not (at ?u ?p)) (not (seen ?p))) :effect (alarm))
      (:action absent :parameters (?t ?u - token ?p ?q - place)
        :precondition (and (not (at ?t ?p)) (not (at ?u ?q)) (alarm)) :effect (seen ?p)))""",
    """(define (problem house-1) (:domain house)
      (:objects t1 t2 t3 - token p1 p2 p3 p4 p5 - place x1 x2 x3 x4 x5 x6 x7 x8 x9 x10 x11 x12 - lamp)
      (:init (at t1 p1) (at t2 p1) (at t3 p4) (on x3) (on x7))
      (:goal (and (forall (?x - lamp) (on ?x)) (forall (?p - place) (seen ?p)) (alarm)
        (at t1 p5) (not (at t2 p1)))))""",
)


def holds(condition: str, true_facts: set[str]) -> bool:
    if condition.startswith("not "):
        return condition.removeprefix("not ") not in true_facts
    return condition in true_facts


def check_random_walk(task: _core.Task, steps: int, random: Random) -> set[str]:
    """Returns the conditions that were tested."""
    state = task.initial_state
    actions = [(action.id, action.precondition) for action in task.actions]
    for _ in range(steps):
        facts = set(state.facts)
        scan = [id for id, precondition in actions if all(holds(each, facts) for each in precondition)]
        applicable = task.applicable(state)
        assert [action.id for action in applicable] == scan
        if not applicable:
            break
        state = task.apply(state, random.choice(applicable))
    return {each for _, precondition in actions for each in precondition}


def test_many_variables() -> None:
    task = MANY_VARIABLES.ground()
    assert sorted(task.domain_sizes)[-3:] == [5, 5, 5]
    assert len(task.domain_sizes) == 3 + 12 + 5 + 1
    tested = check_random_walk(task, 400, Random(1))
    assert "not (at t2 p3)" in tested  # a negated fact of a variable with many values
    assert any(action.precondition == [] for action in task.actions)


@pytest.mark.sweep
@pytest.mark.parametrize("kind", FEATURES)
def test_random_tasks(kind: str) -> None:
    for seed in range(200, 230):
        check_random_walk(random_task(kind, seed).ground(), 25, Random(seed))


def test_an_action_that_is_not_applicable_is_refused() -> None:
    task = MANY_VARIABLES.ground()
    applicable = {action.id for action in task.applicable(task.initial_state)}
    action = next(action for action in task.actions if action.id not in applicable)
    with pytest.raises(ValueError, match="is not applicable"):
        task.apply(task.initial_state, action)
