"""The status of landmarks, state by state, against the definitions in plain Python, with several paths to a state."""

from __future__ import annotations

import math
from random import Random

import pytest
from ground_parts import Parts, random_search, state_space
from random_tasks import PddlText
from small_tasks import KINDS, small_task

from banditplan import _core


class SlowStatus:
    def __init__(self, graph: _core.LandmarkGraph, parts: Parts, initial: tuple[int, ...]) -> None:
        self.landmarks = graph.landmarks
        self.orders = graph.orders
        self.parts = parts
        true = self.true(initial)
        parents = {after for before, after, _ in self.orders if before not in true}
        self.past = {0: true}
        self.future = {0: {each.id for each in self.landmarks if each.id not in true} | parents}

    def true(self, values: tuple[int, ...]) -> set[int]:
        return {each.id for each in self.landmarks if self.parts.any_holds(each.fact_ids, values)}

    def progressed(self, parent: int, before: tuple[int, ...], after: tuple[int, ...]) -> tuple[set[int], set[int]]:
        held, holds = self.true(before), self.true(after)
        past = self.past[parent] | holds
        future = {each for each in self.future[parent] if each not in holds or each in held}
        future |= {each.id for each in self.landmarks if each.goal and each.id not in holds}
        for first, second, kind in self.orders:
            if kind == "greedy-necessary" and second not in past and first not in holds:
                future.add(first)
            if kind == "reasonable" and first not in past:
                future.add(second)
        return past, future


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_status_follows_the_definitions(kind: str) -> None:
    merged = values = 0
    for seed in range(80):
        task = small_task(kind, seed, 4 + seed % 6)
        space = state_space(task, 150) if task.solvable else None
        if space is None:
            continue
        graph = task.landmarks(complete=seed % 3 == 0)
        parts = Parts(task)
        points = [tuple(state.values) for state in space.states]
        slow, fast = SlowStatus(graph, parts, points[0]), _core.LandmarkStatus(graph)
        hopeless = {n for n in range(len(points)) if not space.reachable(n, set()) & space.goals}
        assert fast.start(0, space.states[0]) in (len(slow.future[0]), math.inf)
        ids = {0: 0}
        for step in random_search(space, Random(seed), 60):
            arguments = (step.action, space.states[step.child], space.states[step.parent])
            past, future = slow.progressed(step.parent, points[step.parent], points[step.child])
            if step.new:
                ids[step.child] = len(ids)
                slow.past[step.child], slow.future[step.child] = past, future
                value = fast.evaluate(ids[step.parent], step.action, ids[step.child], *arguments[1:])
                assert value == len(future) or (value == math.inf and step.child in hopeless)
                values += value < math.inf
            else:
                merged += not slow.past[step.child] <= past or not future <= slow.future[step.child]
                slow.past[step.child] &= past
                slow.future[step.child] |= future
                fast.reached_again(ids[step.parent], step.action, ids[step.child], *arguments[1:])
            assert set(fast.past(ids[step.child])) == slow.past[step.child]
            assert set(fast.future(ids[step.child])) == slow.future[step.child]
    assert values > 50
    assert merged > 0


DOMAIN = """
(define (domain matches)
  (:predicates (match) (warm) (light))
  (:action heat :precondition (match) :effect (and (warm) (not (match))))
  (:action shine :precondition (match) :effect (light)))
"""
PROBLEM = "(define (problem one-match) (:domain matches) (:init (match)) (:goal (and (warm) (light))))"


def test_what_is_needed_and_gone_for_good_is_a_dead_end() -> None:
    task = PddlText(DOMAIN, PROBLEM).ground()
    status = _core.LandmarkStatus(task.landmarks())
    start = task.initial_state
    heat, shine = sorted(task.applicable(start), key=lambda action: action.name)
    assert status.start(0, start) == 2
    dark = task.apply(start, heat)
    assert status.evaluate(0, heat.id, 1, dark, start) == math.inf
    lit = task.apply(start, shine)
    assert status.evaluate(0, shine.id, 2, lit, start) == 1
    end = task.apply(lit, heat)
    assert status.evaluate(2, heat.id, 3, end, lit) == 0


def test_a_task_that_is_proved_unsolvable_has_dead_ends_only() -> None:
    task = PddlText(DOMAIN, PROBLEM.replace("(:init (match))", "(:init)")).ground()
    graph = task.landmarks()
    assert not graph.reachable
    assert _core.LandmarkStatus(graph).start(0, task.initial_state) == math.inf
