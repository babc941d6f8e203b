"""States from facts, in batches, and what can be asked of them."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import numpy as np
import pytest
from random_tasks import FEATURES, random_task
from reference import Reference, text

import banditplan as bp


@pytest.fixture(scope="module")
def warehouse() -> bp.Task:
    return bp.load(*bp.example("warehouse"), keep_irrelevant=True)


def test_a_state_is_made_of_its_facts(warehouse: bp.Task) -> None:
    for _, state in warehouse.random_walks(3, 20, seed=1):
        same = warehouse.state(state.facts)
        assert same == state
        assert hash(same) == hash(state)
        assert repr(same) == f"State({' '.join(state.facts)})"
        assert all(state.holds(fact) for fact in state.facts)


def test_facts_can_be_given_by_predicates(warehouse: bp.Task) -> None:
    state = warehouse.initial_state
    extensions: dict[str, list[list[str]]] = {}
    for fact in state.facts:
        predicate, *arguments = fact[1:-1].split()
        extensions.setdefault(predicate, []).append(arguments)
    assert warehouse.state(extensions) == state
    mapping = {**extensions, "at": dict(extensions["at"])}
    assert warehouse.state(mapping) == state
    assert warehouse.state({name.upper(): rows for name, rows in extensions.items()}) == state


def test_a_difference_tells_what_came_and_went(warehouse: bp.Task) -> None:
    state = warehouse.initial_state
    for _action, after in warehouse.successors(state):
        gained, lost = state.diff(after)
        assert set(gained) == set(after.facts) - set(state.facts)
        assert set(lost) == set(state.facts) - set(after.facts)
        changed = state.but(*gained, *(f"(not {fact})" for fact in lost))
        assert changed == after


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        (["(at lift1 nowhere)"], 'unknown object "nowhere"'),
        (["(att lift1 north)"], 'unknown predicate "att"; did you mean "at"'),
        (["at lift1 north"], "expected a fact such as"),
        (["(and (at lift1 north))"], "expected a fact such as"),
        ("(at lift1 north)", "expected several texts"),
        ([3], "expected a fact"),
        (3, "expected facts such as"),
        ({"at": "lift1"}, "expected several argument lists"),
        ({"att": []}, 'unknown predicate "att"'),
        ({3: []}, "expected the name of a predicate"),
        ([], "one must be true"),
    ],
)
def test_what_is_no_state_is_refused(warehouse: bp.Task, facts: object, message: str) -> None:
    with pytest.raises(bp.InputError, match=message):
        warehouse.state(facts)


def test_two_places_at_once_are_refused(warehouse: bp.Task) -> None:
    with pytest.raises(bp.InputError, match=r"\(at lift1 (north|dock-in)\) cannot be true together"):
        warehouse.initial_state.but("(at lift1 north)")


def test_facts_that_never_change_are_known() -> None:
    task = bp.load(
        """(define (domain d) (:predicates (on ?x) (next ?x ?y) (dead))
             (:action go :parameters (?x ?y)
               :precondition (and (on ?x) (next ?x ?y)) :effect (and (on ?y) (not (on ?x)))))""",
        "(define (problem p) (:domain d) (:objects a b c) (:init (on a) (next a b) (next b c)) (:goal (on c)))",
    )
    state = task.initial_state
    assert state.holds("(next a b)")
    assert not state.holds("(next b a)")
    assert not state.holds("(DEAD)")
    assert state.holds("( ON  a )")
    assert task.state(["(on b)"]).holds("(next a b)")
    assert task.state(["(on b)", "(next a b)", "(next b c)"]) == task.state({"on": ["b"]})
    with pytest.raises(bp.InputError, match=r"\(next b c\) is always true"):
        task.state(["(on b)", "(next a b)"])
    with pytest.raises(bp.InputError, match=r"\(next c a\) cannot become true"):
        task.state(["(on b)", "(next a b)", "(next b c)", "(next c a)"])
    again = task.replace(initial=["(on c)", "(next c a)", "(next a b)", "(next b c)"])
    assert again.initial_state.holds("(next c a)")
    assert bp.solve(again.replace(goal="(on b)")).plan_length == 2


@pytest.mark.sweep
@pytest.mark.parametrize("kind", FEATURES)
def test_batches_do_what_single_calls_do(kind: str) -> None:
    for seed in range(8):
        source = random_task(kind, seed)
        task = bp.load(source.domain, source.problem, keep_irrelevant=True)
        walks = task.random_walks(4, 6, seed=seed)
        states = walks.states
        batch = task.successors(states)
        expected = [
            (number, action.id, task.apply(states[number], action))
            for number in range(len(states))
            for action in task.applicable(states[number])
        ]
        found = [(int(batch.parents[i]), int(batch.actions[i]), batch[i][1]) for i in range(len(batch))]
        assert found == expected
        if expected:
            numbers = [number for number, _, _ in expected]
            rows = task.states([states[number] for number in numbers])
            actions = [action for _, action, _ in expected]
            for given in (actions, np.array(actions, dtype=np.int32)):
                after = task.apply(rows, given)
                assert [after[i] for i in range(len(after))] == [state for _, _, state in expected]


@pytest.mark.sweep
@pytest.mark.parametrize("kind", FEATURES)
def test_walks_are_ways_of_the_reference(kind: str) -> None:
    for seed in range(8):
        source = random_task(kind, seed)
        task = bp.load(source.domain, source.problem, keep_irrelevant=True)
        reference = Reference(source.parsed())
        walks = task.random_walks(3, 5, seed=seed)
        theirs: dict[int, frozenset] = {}
        for number, (action, state) in enumerate(walks):
            if action is None:
                theirs[number] = reference.init
            else:
                before = theirs[int(walks.parents[number])]
                instance = next(each for each in reference.applicable(before) if each.name == str(action))
                theirs[number] = reference.apply(before, instance)
            facts = {text(atom) for atom in theirs[number]}
            assert set(state.atoms) <= facts
            assert all(state.holds(fact) for fact in facts)


def test_walks_are_the_same_for_the_same_seed(warehouse: bp.Task) -> None:
    one, same, other = (warehouse.random_walks(5, 10, seed=seed).actions.tolist() for seed in (7, 7, 8))
    assert one == same != other


def test_a_walk_that_has_nowhere_to_go_ends_early() -> None:
    task = bp.load(
        "(define (domain d) (:predicates (a) (b)) (:action go :precondition (a) :effect (and (b) (not (a)))))",
        "(define (problem p) (:domain d) (:init (a)) (:goal (b)))",
    )
    walks = task.random_walks(2, 10)
    assert [None if action is None else str(action) for action, _ in walks] == [None, "(go)"] * 2
    assert walks.parents.tolist() == [-1, 0, -1, 2]


def test_heuristic_values_come_in_the_shape_of_the_states(warehouse: bp.Task) -> None:
    states = warehouse.random_walks(2, 5, seed=3).states
    listed = [states[number] for number in range(len(states))]
    array = warehouse.h(states, "hadd")
    assert array.tolist() == warehouse.h(listed, bp.HAdd()) == warehouse.h(states.values, "hadd").tolist()
    assert warehouse.h(listed[0], "hadd") == array[0]
    with pytest.raises(bp.InputError, match="heuristic"):
        warehouse.h(states, "hadd, ff")


def test_wrong_batches_are_refused(warehouse: bp.Task) -> None:
    other = bp.load(*bp.example("crates"))
    with pytest.raises(ValueError, match="belongs to another task"):
        warehouse.successors(other.initial_state)
    with pytest.raises(ValueError, match="an action per state"):
        warehouse.apply([warehouse.initial_state], [0, 1])
    with pytest.raises(IndexError, match="no such action"):
        warehouse.apply([warehouse.initial_state], [10**6])
    with pytest.raises(TypeError):
        warehouse.states("no states")
    applicable = {action.id for action in warehouse.applicable(warehouse.initial_state)}
    wrong = next(action.id for action in warehouse.actions if action.id not in applicable)
    with pytest.raises(ValueError, match="is not applicable in state 0"):
        warehouse.apply([warehouse.initial_state], [wrong])


def test_batches_say_what_they_are(warehouse: bp.Task) -> None:
    walks = warehouse.random_walks(2, 3)
    assert repr(walks) == "<Transitions: 8 pairs of action and state>"
    assert repr(walks.states) == f"<States: 8 of {warehouse.sizes['variables']} variables>"


def test_numpy_is_loaded_only_for_arrays() -> None:
    code = (
        "import sys, banditplan as bp; task = bp.load(*bp.example('crates')); s = task.initial_state\n"
        "for action, state in task.successors(s): state.holds('(lift-at ground)'), s.diff(state), task.h(state)\n"
        "len(task.random_walks(3, 5)), bp.replan(task, bp.solve(task).plan, s)\n"
        "assert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# ---- domains and problems


def test_a_domain_serves_many_problems() -> None:
    domain, problem = bp.example("courier")
    read = bp.Domain(domain)
    assert repr(read).startswith("<Domain courier: ")
    for _ in range(2):
        assert bp.solve(read, problem).plan == bp.solve(domain, problem).plan
    with pytest.raises(bp.InputError, match="give both"):
        bp.load(read)


def test_errors_in_a_domain_or_its_problem_have_their_places(tmp_path: object) -> None:
    with pytest.raises(bp.PddlError, match=r'<domain>:1:\d+: unknown predicate "q"'):
        bp.Domain("(define (domain d) (:predicates (p)) (:action a :precondition (q) :effect (p)))")
    domain = bp.Domain("(define (domain d) (:predicates (p)) (:action a :effect (p)))")
    with pytest.raises(bp.PddlError, match=r'<problem>:1:\d+: unknown predicate "q"'):
        bp.load(domain, "(define (problem x) (:domain d) (:init) (:goal (q)))")


def test_a_problem_of_objects_is_that_of_the_text() -> None:
    domain, file = bp.example("crates")
    parsed = bp.load(domain, file).origin.parsed
    problem = bp.Problem(
        objects={each.name: each.types[0] for each in parsed.problem.objects},
        init=[text(atom) for atom in parsed.problem.init],
        goal=[text(part) for part in parsed.problem.goal.parts],
        values={f"({' '.join((term.name, *term.arguments))})": value for term, value in parsed.problem.values},
        minimize_cost=parsed.problem.minimize_cost,
        name=parsed.problem.name,
    )
    task = bp.load(domain, problem)
    assert task.origin.parsed.problem == parsed.problem
    assert bp.solve(domain, problem).plan == bp.solve(domain, file).plan


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"objects": {"a": "wood"}}, 'problem "problem": unknown type "wood"'),
        ({"objects": {"a b": "object"}}, "expected a name"),
        ({"init": ["(on z)"]}, 'unknown object "z"'),
        ({"init": ["on a"]}, "expected a fact"),
        ({"goal": "(on a"}, "never closed"),
        ({"goal": "(on a) (on a)"}, "a single condition"),
        ({"goal": "(off a)"}, 'unknown predicate "off"'),
    ],
)
def test_errors_in_a_problem_of_objects(change: dict[str, object], message: str) -> None:
    domain = "(define (domain d) (:predicates (on ?x)) (:action a :parameters (?x) :effect (on ?x)))"
    given = {"objects": ["a"], "init": [], "goal": "(on a)", **change}
    with pytest.raises(bp.InputError, match=message):
        bp.load(domain, bp.Problem(**given))


@pytest.mark.slow
def test_random_facts_are_states_or_refused() -> None:
    """Never a crash, and a state is exactly what was given."""
    numbers = Random(1)
    for kind in FEATURES:
        for seed in range(6):
            source = random_task(kind, seed)
            task = bp.load(source.domain, source.problem, keep_irrelevant=True)
            facts = [fact for fact in task.facts if fact.startswith("(f")]
            for _ in range(20):
                chosen = [fact for fact in facts if numbers.random() < 0.4]
                try:
                    state = task.state(chosen)
                except bp.InputError:
                    continue
                assert {fact for fact in state.facts if fact.startswith("(f")} == set(chosen)
