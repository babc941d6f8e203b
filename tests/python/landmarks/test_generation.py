"""Landmarks and their orders against the full state space of small random tasks, and against brute force."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from ground_parts import Parts, Space, state_space
from small_tasks import KINDS, small_task

from banditplan import _core

CHUNKS = 4
TASKS = 60  # of each kind in a chunk
MOST_STATES = 120


def small_tasks(kind: str, chunk: int) -> Iterator[tuple[_core.Task, Parts]]:
    """Tasks of our two generators, those with a goal that grounding did not prove unreachable."""
    for seed in range(chunk * TASKS, (chunk + 1) * TASKS):
        task = small_task(kind, seed, 4 + seed % 4)
        if task.solvable and task.goal:
            yield task, Parts(task)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("kind", KINDS)
def test_every_path_passes_landmarks_in_their_order(kind: str, chunk: int) -> None:
    checked = found = 0
    for task, parts in small_tasks(kind, chunk):
        space = state_space(task, MOST_STATES)
        if space is None:
            continue
        for complete in (False, True):
            graph = task.landmarks(complete)
            where = [
                {n for n, state in enumerate(space.states) if parts.any_holds(each.fact_ids, tuple(state.values))}
                for each in graph.landmarks
            ]
            if not graph.reachable:
                assert not space.goals
            for each, states in zip(graph.landmarks, where, strict=True):
                assert each.initial == (0 in states)
                assert not space.reachable(0, states) & space.goals, each
            for before, after, order in graph.orders:
                if order != "reasonable":
                    derived = any(parts.is_derived(fact) for fact in graph.landmarks[after].fact_ids)
                    check_order(space, where[before], where[after], order, derived)
            found += len(graph.orders)
        checked += 1
    assert checked > 5
    assert found > 20


def check_order(space: Space, before: set[int], after: set[int], order: str, derived: bool) -> None:
    """Axioms work within a state: what a derived fact needs may come true together with it."""
    assert 0 not in after
    if order == "greedy-necessary":
        for state in space.reachable(0, after):
            for _, successor in space.transitions[state]:
                if successor in after:
                    assert state in before or (derived and successor in before)
    else:
        for state in space.reachable(0, before):
            for _, successor in space.transitions[state]:
                assert successor not in after or (derived and successor in before)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_fact_landmarks_are_those_of_brute_force(kind: str) -> None:
    found = 0
    for task, parts in small_tasks(kind, CHUNKS):
        if not parts.relaxed_reachable().issuperset(parts.goal):
            assert _core.fact_landmarks(task) == sorted(set(parts.goal))
            continue
        expected = [
            fact for fact in range(len(parts.facts)) if not parts.relaxed_reachable(without=fact).issuperset(parts.goal)
        ]
        assert _core.fact_landmarks(task) == expected
        listed = {each.fact_ids[0] for each in task.landmarks(complete=True).landmarks if not each.disjunctive}
        assert listed.issuperset(expected)
        found += len(expected)
    assert found > 20


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("kind", KINDS)
def test_landmarks_have_the_form_that_they_should(kind: str) -> None:
    for task, parts in small_tasks(kind, CHUNKS):
        graph = task.landmarks()
        used: list[int] = []
        for each in graph.landmarks:
            assert 1 <= len(each.fact_ids) <= 4
            assert each.disjunctive == (len(each.fact_ids) > 1)
            assert each.goal == (each.fact_ids[0] in parts.goal and not each.disjunctive)
            assert not (each.disjunctive and each.initial)
            used += each.fact_ids
        assert len(set(used)) == len(used)
        assert {fact for each in graph.landmarks if each.goal for fact in each.fact_ids} == set(parts.goal)
        pairs = [(before, after) for before, after, _ in graph.orders]
        assert pairs == sorted(set(pairs))
        assert all(before != after for before, after in pairs)
