"""Ground tasks against brute force: the same transitions, goals and costs, and nothing that is not needed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from behaviour import check_same_behaviour
from random_tasks import FEATURES, PddlText, random_task
from reference import Instance, Reference, text

from banditplan import _core
from banditplan.errors import InputError
from banditplan.pddl.syntax import And, Atom

SEEDS = range(36)


@pytest.mark.sweep
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


# ---- hand-made tasks that were wrong once, or nearly


def small_task(predicates: str, actions: str, init: str, goal: str) -> PddlText:
    return PddlText(
        f"(define (domain small) (:requirements :adl) (:predicates {predicates}) {actions})",
        f"(define (problem small-1) (:domain small) (:objects a b c) (:init {init}) (:goal {goal}))",
    )


MOVE = "(:action move :parameters (?x ?y) :precondition (at ?x) :effect (and (not (at ?x)) (at ?y)))"
SPECIAL_CASES = {
    # The delete is void; with `at` in one variable, "delete one of many" asks for the deleted fact as well.
    "delete only where absent": small_task(
        "(at ?x) (r)",
        MOVE + "(:action odd :parameters (?x) :effect (and (r) (when (not (at ?x)) (not (at ?x)))))",
        "(at a)",
        "(and (at c) (r))",
    ),
    # s always holds, so p is kept; the impossible action makes the task be simplified twice.
    "an add that turns out to be unconditional": small_task(
        "(p) (q) (s) (v) (at ?x)",
        MOVE
        + """(:action keep :precondition (p) :effect (and (q) (not (p)) (when (s) (p))))
             (:action lose :precondition (p) :effect (not (p)))
             (:action shine :effect (s))
             (:action two :parameters (?x ?y) :precondition (and (at ?x) (at ?y) (not (= ?x ?y))) :effect (v))
             (:action get :precondition (q) :effect (v))""",
        "(p) (s) (at a)",
        "(and (q) (p) (at c) (v))",
    ),
    # The condition of the hidden delete belongs to no effect; the contradicted action (bad) makes that matter.
    "a conditional delete that an add hides": small_task(
        "(p) (q) (c) (g)",
        """(:action hide :effect (and (p) (q) (when (q) (not (p)))))
           (:action bad :precondition (not (c)) :effect (g))
           (:action set :effect (c))
           (:action use :precondition (p) :effect (and (g) (not (p)) (not (q))))""",
        "(c) (q)",
        "(and (g) (p) (q))",
    ),
    "adds and deletes of one atom": small_task(
        "(p ?x) (q)",
        """(:action a1 :parameters (?x ?y) :precondition (p ?x) :effect (and (not (p ?x)) (p ?y)))
           (:action a2 :parameters (?x) :precondition (p ?x) :effect (and (when (q) (p ?x)) (not (p ?x)) (q)))""",
        "(p a)",
        "(and (q) (p b))",
    ),
}


@pytest.mark.parametrize("prune_mutex", [True, False], ids=["pruned", "unpruned"])
@pytest.mark.parametrize("name", SPECIAL_CASES)
def test_special_case(name: str, prune_mutex: bool) -> None:
    pddl = SPECIAL_CASES[name]
    task = pddl.ground(prune_mutex=prune_mutex)
    assert task.solvable
    check_same_behaviour(task, Reference(pddl.parsed()))


def test_missing_cost_is_an_error_that_names_it() -> None:
    domain = """(define (domain d) (:requirements :action-costs) (:predicates (p)) (:functions (price ?x) (total-cost))
      (:action buy :parameters (?x) :effect (and (p) (increase (total-cost) (price ?x)))))"""
    problem = """(define (problem d1) (:domain d) (:objects a b) (:init (= (price a) 1)) (:goal (p))
      (:metric minimize (total-cost)))"""
    with pytest.raises(InputError, match=r"\(price b\)"):
        PddlText(domain, problem).ground()


# ---- STRIPS: exactly the relaxed reachable and relevant actions


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(150))
def test_strips_actions_are_the_reachable_and_relevant_ones(seed: int) -> None:
    pddl = random_task("strips", seed)
    task = pddl.ground(prune_mutex=False)
    reference = Reference(pddl.parsed())
    facts, actions = relevant_part(reference)
    goal = set(atoms_of(pddl.parsed().problem.goal))
    if goal <= relaxed_reachable(reference)[0]:
        assert task.solvable
        assert sorted(map(repr, task.actions)) == sorted(actions)
        assert {fact for fact in task.facts if fact.startswith("(")} == set(map(text, facts))
    else:
        assert not task.solvable


def atoms_of(formula: object) -> list[Atom]:
    if isinstance(formula, Atom):
        return [formula]
    assert isinstance(formula, And), "not STRIPS"
    return [atom for part in formula.parts for atom in atoms_of(part)]


def strips(reference: Reference, instance: Instance) -> tuple[set[Atom], set[Atom], set[Atom]]:
    """The preconditions, adds and deletes of an instance."""
    values = dict(instance.values)
    pre = {
        Atom(atom.predicate, tuple(values.get(term, term) for term in atom.arguments))
        for atom in atoms_of(instance.action.precondition)
    }
    changes = list(reference.changes(instance.action.effect, values))
    adds = {change.atom for change in changes if not change.deletes}
    return pre, adds, {change.atom for change in changes if change.deletes} - adds


def relaxed_reachable(reference: Reference) -> tuple[set[Atom], list[Instance]]:
    reached = set(reference.init)
    while True:
        fireable = [instance for instance in reference.instances if strips(reference, instance)[0] <= reached]
        after = reached.union(*(strips(reference, instance)[1] for instance in fireable))
        if after == reached:
            return reached, fireable
        reached = after


def relevant_part(reference: Reference) -> tuple[set[Atom], list[str]]:
    reached, instances = relaxed_reachable(reference)
    parts = {instance: strips(reference, instance) for instance in instances}
    deleted = set().union(*(deletes for _, _, deletes in parts.values()))
    varying = {atom for atom in reached if atom not in reference.init or atom in deleted}
    relevant = set(atoms_of(reference.parsed.problem.goal)) & varying
    while True:
        more = set(relevant)
        for pre, adds, deletes in parts.values():
            if (adds | deletes) & relevant:
                more |= pre & varying
        if more == relevant:
            break
        relevant = more
    useful = [each.name for each, (pre, adds, deletes) in parts.items() if ((adds - pre) | deletes) & relevant]
    return relevant, useful


# ---- one reproducible order


def description(task: _core.Task) -> object:
    actions = [(repr(action), action.cost, action.precondition) for action in task.actions]
    return task.facts, list(task.domain_sizes), actions, task.initial_state.facts, task.goal, task.solvable


@pytest.mark.slow
def test_the_order_of_actions_is_by_schema_then_by_objects_as_declared() -> None:
    for seed in range(60):
        pddl = random_task("strips", seed)
        parsed = pddl.parsed()
        schemas = [action.name for action in parsed.domain.actions]
        objects = [each.name for each in (*parsed.domain.constants, *parsed.problem.objects)]
        keys = [
            (schemas.index(action.name), [objects.index(name) for name in action.arguments])
            for action in pddl.ground(prune_mutex=False).actions
        ]
        assert keys == sorted(keys)


PRINT_DESCRIPTIONS = """
from random_tasks import FEATURES, random_task
from test_grounder import description
for kind in FEATURES:
    for seed in range(8):
        print(description(random_task(kind, seed).ground()))
"""


@pytest.mark.slow
def test_the_same_in_every_process() -> None:
    here = Path(__file__).parent
    outputs = []
    for hash_seed in ("0", "1", "77"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": f"{here}{os.pathsep}{here.parent}"}
        command = [sys.executable, "-c", PRINT_DESCRIPTIONS]
        outputs.append(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)
    assert outputs[0].count("\n") == 8 * len(FEATURES)
    assert outputs[0] == outputs[1] == outputs[2]


@pytest.mark.sweep
@pytest.mark.parametrize("kind", FEATURES)
def test_the_order_of_the_initial_atoms_does_not_matter(kind: str) -> None:
    for seed in range(20):
        pddl = random_task(kind, seed)
        (line,) = [line for line in pddl.problem.split("\n") if line.startswith("  (:init")]
        atoms = re.findall(r"\(= \([^)]*\) \d+\)|\([^()]*\)", line)
        Random(seed).shuffle(atoms)
        shuffled = PddlText(pddl.domain, pddl.problem.replace(line, f"  (:init {' '.join(atoms)})"))
        assert set(shuffled.parsed().problem.init) == set(pddl.parsed().problem.init)
        assert description(shuffled.ground()) == description(pddl.ground())
