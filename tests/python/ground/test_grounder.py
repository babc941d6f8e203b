"""Ground tasks against brute force: the same transitions, goals and costs, and nothing that is not needed."""

from __future__ import annotations

import pytest
from random_tasks import FEATURES, random_task
from reference import Reference, State, text

from banditplan import _core

SEEDS = range(70)
MOST_STATES = 60


def check_same_behaviour(task: _core.Task, reference: Reference) -> None:
    """Walk through the states of both; a state of ours stands for all those that agree on our facts.

    An action that ours lacks must not change what our state says: then the same state of ours goes on standing for
    what comes after, and all later differences count.
    """
    facts = set(task.facts)
    pairs = [(reference.init, task.initial_state)]
    known = {reference.init}
    for state, ours in pairs[:]:
        assert_same_atoms(facts, reference.derive(state), ours)
    for state, ours in pairs:
        if len(known) > MOST_STATES:
            break
        assert task.is_goal(ours) == reference.is_goal(state), sorted(map(text, state))
        applicable: dict[str, list[_core.GroundAction]] = {}
        for action in task.applicable(ours):
            applicable.setdefault(repr(action), []).append(action)
        expected = {instance.name: instance for instance in reference.applicable(state)}
        assert applicable.keys() <= expected.keys(), sorted(map(text, state))
        for name, instance in expected.items():
            after = reference.apply(state, instance)
            # One action may come in several versions, one for each part of a disjunction.
            successors = {task.apply(ours, action) for action in applicable.get(name, [])} or {ours}
            assert len(successors) == 1, name
            (our_after,) = successors
            assert_same_atoms(facts, reference.derive(after), our_after, name)
            assert all(action.cost == reference.cost(instance) for action in applicable.get(name, []))
            if after not in known:
                known.add(after)
                pairs.append((after, our_after))


def assert_same_atoms(facts: set[str], atoms: State, ours: _core.State, context: str = "initially") -> None:
    expected = {text(atom) for atom in atoms} & facts
    assert {fact for fact in ours.facts if "@" not in fact} == expected, context


@pytest.mark.parametrize("prune_mutex", [True, False], ids=["pruned", "unpruned"])
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", FEATURES)
def test_same_transitions_and_goals_as_brute_force(kind: str, seed: int, prune_mutex: bool) -> None:
    pddl = random_task(kind, seed)
    task = pddl.ground(prune_mutex=prune_mutex)
    reference = Reference(pddl.parsed())
    if task.solvable:
        check_same_behaviour(task, reference)
    else:
        assert not any(map(reference.is_goal, reference.explore(400).transitions))
        assert task.actions == []
