"""Greedy best-first search on random tasks: right answers, valid plans, exact limits."""

from __future__ import annotations

import pytest
from random_tasks import FEATURES, PddlText, random_task
from reference import Reference

from banditplan import _core
from banditplan.plan import Step
from banditplan.validate import validate

SEEDS = range(300, 330)
MOST_STATES = 300


def steps(task: _core.Task, result: _core.SearchResult) -> list[Step]:
    return [Step(task.actions[id].name, task.actions[id].arguments) for id in result.plan]


def check_search(pddl: PddlText) -> str:
    task = pddl.ground()
    parsed = pddl.parsed()
    result = _core.Gbfs().run(task, max_evaluations=5000)
    if result.status == "solved":
        verdict = validate(parsed, steps(task, result))
        assert verdict.valid, verdict.reason
        assert verdict.cost == sum(task.actions[id].cost for id in result.plan)
    else:
        assert result.plan == []
        reference = Reference(parsed)
        space = reference.explore(MOST_STATES)
        assert not any(map(reference.is_goal, space.transitions))
        if space.complete:
            assert result.status == "unsolvable"
            assert result.evaluations <= len(space.transitions)
            assert result.expansions + result.dead_ends == result.evaluations
    return result.status


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", FEATURES)
def test_finds_a_plan_if_and_only_if_there_is_one(kind: str, seed: int) -> None:
    check_search(random_task(kind, seed))


def test_random_tasks_are_of_both_kinds() -> None:
    found = [check_search(random_task(kind, seed)) for kind in FEATURES for seed in SEEDS[:10]]
    assert min(found.count("solved"), found.count("unsolvable")) >= 10


@pytest.mark.parametrize("kind", FEATURES)
def test_limits_hold_exactly(kind: str) -> None:
    for seed in SEEDS:
        task = random_task(kind, seed).ground()
        full = _core.Gbfs().run(task)
        for limit in (0, 1, 2, 3, 7):
            result = _core.Gbfs().run(task, max_evaluations=limit)
            if limit < full.evaluations:
                assert (result.status, result.evaluations) == ("evaluation-limit", limit)
            else:
                assert (result.status, result.evaluations) == (full.status, full.evaluations)
            result = _core.Gbfs().run(task, max_expansions=limit)
            if limit < full.expansions:
                assert (result.status, result.expansions) == ("expansion-limit", limit)
            else:
                assert (result.status, result.expansions) == (full.status, full.expansions)


def test_every_distinct_state_is_evaluated_once() -> None:
    """An unsolvable puzzle: all its states, the initial one and dead ends included, are evaluated."""
    domain = """(define (domain ring) (:constants a b n0 n1 n2 n3) (:predicates (at ?x ?y) (next ?x ?y) (won))
      (:action go :parameters (?t ?x ?y) :precondition (and (at ?t ?x) (next ?x ?y))
        :effect (and (not (at ?t ?x)) (at ?t ?y)))
      (:action cheat :precondition (and (at a n1) (at b n2) (at b n1)) :effect (won)))"""
    problem = """(define (problem ring-1) (:domain ring)
      (:init (at a n0) (at b n0) (next n0 n1) (next n1 n2) (next n2 n3) (next n3 n0)) (:goal (won)))"""
    pddl = PddlText(domain, problem)
    result = _core.Gbfs().run(pddl.ground(prune_mutex=False))
    assert (result.status, result.evaluations, result.expansions) == ("unsolvable", 16, 16)
    assert result.generated == 32
    assert not pddl.ground(prune_mutex=True).solvable


@pytest.mark.parametrize("kind", FEATURES)
def test_the_same_search_twice(kind: str) -> None:
    for seed in SEEDS[:15]:
        results = [_core.Gbfs().run(random_task(kind, seed).ground(), seed=run) for run in range(2)]
        assert results[0].plan == results[1].plan
        assert results[0].evaluations == results[1].evaluations
