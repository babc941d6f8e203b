"""Whether a ground task behaves as brute force says: the same transitions, goals and costs, state by state."""

from __future__ import annotations

from collections.abc import Callable

from reference import Reference, State, text

from banditplan import _core

MOST_STATES = 40

Transition = tuple[str, int, _core.State]


def transitions(task: _core.Task, state: _core.State) -> list[Transition]:
    """What can be done in a state: the text of the action, its cost, the state that follows."""
    return [(repr(action), action.cost, task.apply(state, action)) for action in task.applicable(state)]


def check_same_behaviour(
    task: _core.Task,
    reference: Reference,
    transitions: Callable[[_core.Task, _core.State], list[Transition]] = transitions,
) -> None:
    """Walk through the states of both; a state of ours stands for all those that agree on our facts.

    An action that ours lacks must not change what our state says: then the same state of ours goes on standing for
    what comes after, and all later differences count.
    """
    facts = set(task.facts)
    pairs = [(reference.init, task.initial_state)]
    known = {reference.init}
    assert_same_atoms(facts, reference.derive(reference.init), task.initial_state)
    for state, ours in pairs:
        if len(known) > MOST_STATES:
            break
        assert task.is_goal(ours) == reference.is_goal(state), sorted(map(text, state))
        applicable: dict[str, list[Transition]] = {}
        for transition in transitions(task, ours):
            applicable.setdefault(transition[0], []).append(transition)
        expected = {instance.name: instance for instance in reference.applicable(state)}
        assert applicable.keys() <= expected.keys(), sorted(map(text, state))
        for name, instance in expected.items():
            after = reference.apply(state, instance)
            # One action may come in several versions, one for each part of a disjunction.
            successors = {successor for _, _, successor in applicable.get(name, [])} or {ours}
            assert len(successors) == 1, name
            (our_after,) = successors
            assert_same_atoms(facts, reference.derive(after), our_after, name)
            assert all(cost == reference.cost(instance) for _, cost, _ in applicable.get(name, []))
            if after not in known:
                known.add(after)
                pairs.append((after, our_after))


def assert_same_atoms(facts: set[str], atoms: State, ours: _core.State, context: str = "initially") -> None:
    expected = {text(atom) for atom in atoms} & facts
    assert {fact for fact in ours.facts if "@" not in fact} == expected, context
