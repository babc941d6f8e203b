"""Tasks with another initial state or goal are those that grounding from scratch would give."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest
from random_tasks import FEATURES, PddlText, random_task
from reference import Reference, Space, text

import banditplan as bp
from banditplan.pddl.syntax import Atom, Parsed
from banditplan.replacing import changing

MOST = 60  # states of a reference


def told(facts: list[str], parsed: Parsed) -> set[str]:
    """The facts of the new initial state: what no action changes is as it was, unless it is among the given ones."""
    named = {fact[1:-1].split()[0] for fact in facts} | changing(parsed)
    return {*facts, *(text(atom) for atom in parsed.problem.init if atom.predicate not in named)}


def fluents(atoms: Iterable[Atom]) -> list[str]:
    """Facts of predicates whose names say that actions may change them."""
    return sorted(text(atom) for atom in atoms if atom.predicate.startswith("f"))


def shaken(random: Random, task: PddlText, facts: list[str]) -> list[str]:
    """The facts with some of them gone, some moved to other objects, and some new ones."""
    parsed = task.parsed()
    objects = [each.name for each in (*parsed.domain.constants, *parsed.problem.objects)]
    result = []
    for fact in facts:
        name, *arguments = fact[1:-1].split()
        match random.randrange(8):
            case 0:
                continue
            case 1 | 2 if arguments:
                arguments[-1] = random.choice(objects)
        result.append(f"({' '.join([name, *arguments])})")
    if random.random() < 0.3:
        signature = random.choice([each for each in parsed.domain.predicates if each.name[0] == "f"])
        result.append(f"({' '.join([signature.name, *(random.choice(objects) for _ in signature.parameters)])})")
    return list(dict.fromkeys(result))


def compare(task: bp.Task, space: Space, reference: Reference) -> None:
    """Walk through both in step. The task must have been ground with all facts that change."""
    start = frozenset(task.origin.parsed.problem.init)
    pairs, seen = [(task.initial_state, start)], {start}
    while pairs:
        ours, theirs = pairs.pop()
        facts = {text(atom) for atom in theirs}
        assert set(ours.atoms) <= facts
        assert all(ours.holds(fact) for fact in facts)
        assert task.is_goal(ours) == reference.is_goal(theirs)
        steps = {str(action): state for action, state in task.successors(ours)}
        moves = {instance.name: state for instance, state in space.transitions[theirs]}
        assert {name for name in moves if moves[name] != theirs} <= set(steps) <= set(moves)
        for name, state in steps.items():
            if moves[name] in space.transitions and moves[name] not in seen:
                seen.add(moves[name])
                pairs.append((state, moves[name]))


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("prune_mutex", [True, False])
@pytest.mark.parametrize("kind", FEATURES)
def test_another_initial_state_gives_the_task_that_begins_there(kind: str, prune_mutex: bool) -> None:
    kept = ground_again = 0
    for seed in range(40):
        random = Random(f"{kind} {seed} {prune_mutex}")
        source = random_task(kind, seed)
        task = bp.load(source.domain, source.problem, prune_mutex=prune_mutex, keep_irrelevant=True)
        first = Reference(source.parsed()).explore(MOST)
        states = list(first.transitions)[:: max(1, len(first.transitions) // 3)]
        for number, state in enumerate(states):
            facts = fluents(state)
            if number % 2:
                facts = shaken(random, source, facts)
            again = task.replace(initial=facts)
            assert {text(atom) for atom in again.origin.parsed.problem.init} == told(facts, source.parsed())
            reference = Reference(again.origin.parsed)
            space = reference.explore(MOST)
            if again.same_states(task.initial_state):
                kept += 1
            else:
                ground_again += 1
            if again.solvable:
                compare(again, space, reference)
            else:
                assert not any(map(reference.is_goal, space.transitions))
    assert kept > 10
    assert ground_again > 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", FEATURES)
def test_without_irrelevant_facts_the_same_goals_can_be_reached(kind: str) -> None:
    for seed in range(40):
        random = Random(f"{kind} {seed}")
        source = random_task(kind, seed)
        task = bp.load(source.domain, source.problem)
        again = task.replace(initial=shaken(random, source, fluents(source.parsed().problem.init)))
        space = Reference(again.origin.parsed).explore(300)
        goals = any(map(Reference(again.origin.parsed).is_goal, space.transitions))
        result = bp.solve(again, search="bfs", max_expansions=2000)
        if goals:
            assert result.solved
        elif space.complete:
            assert result.status == "unsolvable"


@pytest.mark.slow
@pytest.mark.parametrize("kind", FEATURES)
def test_another_goal_gives_the_task_with_that_goal(kind: str) -> None:
    kept = 0
    for seed in range(40):
        random = Random(f"{kind} {seed}")
        source = random_task(kind, seed)
        task = bp.load(source.domain, source.problem, keep_irrelevant=random.random() < 0.5)
        space = Reference(source.parsed()).explore(MOST)
        atoms = sorted({text(atom) for state in space.transitions for atom in state})
        literals = [atom if random.random() < 0.7 else f"(not {atom})" for atom in atoms if random.random() < 0.2]
        again = task.replace(goal=literals if seed % 2 else f"(and {' '.join(literals)})")
        kept += again.same_states(task.initial_state)
        reference = Reference(again.origin.parsed)
        reached = any(map(reference.is_goal, reference.explore(300).transitions))
        result = bp.solve(again, search="bfs", max_expansions=2000)
        if reached:
            assert result.solved, literals
        elif reference.explore(300).complete:
            assert result.status == "unsolvable"
    assert kept > 0


def test_goals_that_exclude_each_other_are_proved_to() -> None:
    task = bp.load(*bp.example("warehouse"), keep_irrelevant=True)
    state = task.initial_state
    for goal in (["(at lift1 north)", "(at lift1 east)"], ["(at lift1 north)", "(not (at lift1 north))"]):
        again = task.replace(goal=goal)
        assert again.same_states(state)
        result = bp.solve(again)
        assert (result.status, result.evaluations) == ("unsolvable", 0)
        assert bp.solve(again.replace(goal=goal[:1])).solved


def test_states_of_a_task_are_states_of_those_that_replace_it() -> None:
    task = bp.load(*bp.example("crates"))
    state = task.random_walks(1, 5, seed=1)[5][1]
    again = task.replace(initial=state)
    assert again.initial_state == state
    assert again.same_states(task.initial_state)
    assert bp.solve(again).valid


def test_a_goal_with_a_quantifier_is_ground_again() -> None:
    task = bp.load(*bp.example("lights"), keep_irrelevant=True)
    predicate = task.origin.parsed.domain.predicates[0]
    goal = f"(exists ({' '.join(each.name for each in predicate.parameters)}) ({predicate.name} ?x))".replace(
        "?x", " ".join(each.name for each in predicate.parameters)
    )
    again = task.replace(goal=goal)
    assert not again.same_states(task.initial_state)
    assert bp.solve(again).solved


def test_facts_that_were_dropped_cannot_come_back_after_steps() -> None:
    """The first goal leaves the switch out; nobody knows where it is after some steps."""
    domain = """(define (domain d) (:predicates (a) (b) (c))
      (:action one :precondition (a) :effect (and (b) (not (a)) (c)))
      (:action two :precondition (b) :effect (and (a) (not (b)))))"""
    problem = "(define (problem p) (:domain d) (:init (a)) (:goal (b)))"
    task = bp.load(domain, problem)
    assert not task.states_are_complete
    later = task.replace(initial=task.successors(task.initial_state)[0][1])
    with pytest.raises(bp.InputError, match="keep_irrelevant"):
        later.replace(goal="(c)")
    with pytest.raises(bp.InputError, match="keep_irrelevant"):
        later.initial_state.holds("(c)")
    assert bp.solve(task.replace(goal="(c)")).plan_length == 1
    whole = bp.load(domain, problem, keep_irrelevant=True)
    later = whole.replace(initial=whole.successors(whole.initial_state)[0][1])
    assert later.initial_state.holds("(c)")
    assert bp.solve(later.replace(goal=["(c)", "(a)"])).plan_length == 1
