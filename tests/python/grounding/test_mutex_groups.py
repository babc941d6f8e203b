"""Finite-domain variables: found where they must be, and never wrong."""

from __future__ import annotations

import pytest
from random_tasks import FEATURES, PddlText, random_task
from reference import Reference, text

from banditplan import _core


def variables(task: _core.Task) -> list[list[str]]:
    """The values of each variable."""
    facts = iter(task.facts)
    return [[next(facts) for _ in range(size)] for size in task.domain_sizes]


def check_exactly_one_value(pddl: PddlText, task: _core.Task, most: int) -> None:
    reference = Reference(pddl.parsed())
    groups = [{fact for fact in values if fact.startswith("(")} for values in variables(task)]
    for state in reference.explore(most).transitions:
        atoms = {text(atom) for atom in reference.derive(state)}
        for group, size in zip(groups, task.domain_sizes, strict=True):
            if any("@" in fact for fact in group):
                continue
            # A variable without a value "none" must always have one of its atoms.
            assert (0 if len(group) < size else 1) <= len(group & atoms) <= 1, sorted(group & atoms)


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(100, 140))
@pytest.mark.parametrize("kind", FEATURES)
def test_every_variable_has_one_value_in_every_reachable_state(kind: str, seed: int) -> None:
    pddl = random_task(kind, seed)
    task = pddl.ground()
    if task.solvable:
        check_exactly_one_value(pddl, task, 40)


@pytest.mark.slow
def test_random_tasks_do_have_groups() -> None:
    """Else the test above says nothing."""
    grouped = 0
    for kind in FEATURES:
        for seed in range(100, 140):
            values = variables(random_task(kind, seed).ground())
            grouped += any(sum(fact.startswith("(") for fact in each) > 1 for each in values)
    assert grouped >= 30


def pddl_task(predicates: str, actions: str, objects: str, init: str, goal: str) -> PddlText:
    return PddlText(
        f"(define (domain d) (:requirements :adl) (:types t l p - object) (:predicates {predicates}) {actions})",
        f"(define (problem d1) (:domain d) (:objects {objects}) (:init {init}) (:goal {goal}))",
    )


BLOCKS = pddl_task(
    "(on ?x ?y) (ontable ?x) (clear ?x) (handempty) (holding ?x)",
    """(:action pick-up :parameters (?x) :precondition (and (clear ?x) (ontable ?x) (handempty))
         :effect (and (not (ontable ?x)) (not (clear ?x)) (not (handempty)) (holding ?x)))
       (:action put-down :parameters (?x) :precondition (holding ?x)
         :effect (and (not (holding ?x)) (clear ?x) (handempty) (ontable ?x)))
       (:action stack :parameters (?x ?y) :precondition (and (holding ?x) (clear ?y))
         :effect (and (not (holding ?x)) (not (clear ?y)) (clear ?x) (handempty) (on ?x ?y)))
       (:action unstack :parameters (?x ?y) :precondition (and (on ?x ?y) (clear ?x) (handempty))
         :effect (and (holding ?x) (clear ?y) (not (clear ?x)) (not (handempty)) (not (on ?x ?y))))""",
    "a b c",
    "(ontable a) (ontable b) (ontable c) (clear a) (clear b) (clear c) (handempty)",
    "(and (on a b) (on b c))",
)
LOGISTICS = pddl_task(
    "(at ?x ?l) (in ?x ?t)",
    """(:action drive :parameters (?t - t ?a ?b - l) :precondition (at ?t ?a) :effect (and (not (at ?t ?a)) (at ?t ?b)))
       (:action load :parameters (?x - p ?t - t ?a - l) :precondition (and (at ?x ?a) (at ?t ?a))
         :effect (and (not (at ?x ?a)) (in ?x ?t)))
       (:action unload :parameters (?x - p ?t - t ?a - l) :precondition (and (in ?x ?t) (at ?t ?a))
         :effect (and (not (in ?x ?t)) (at ?x ?a)))""",
    "t1 t2 - t l1 l2 l3 - l p - p",
    "(at t1 l1) (at t2 l2) (at p l3)",
    "(at p l1)",
)
COUNTER = pddl_task(
    "(value ?x) (next ?x ?y)",
    """(:action step :effect (and
         (forall (?x ?y) (when (and (value ?x) (next ?x ?y)) (and (not (value ?x)) (value ?y))))))""",
    "n0 n1 n2 n3",
    "(value n0) (next n0 n1) (next n1 n2) (next n2 n3) (next n3 n0)",
    "(value n3)",
)


def test_blocks() -> None:
    task = BLOCKS.ground()
    # Where each block is (on the table, held, on either other one); what is clear; whether the hand is empty.
    assert sorted(task.domain_sizes) == [2, 2, 2, 2, 4, 4, 4]
    check_exactly_one_value(BLOCKS, task, 1000)


def test_logistics() -> None:
    task = LOGISTICS.ground()
    # Trucks drive between three places; the package is at one of them or in one of the trucks.
    assert sorted(task.domain_sizes) == [3, 3, 5]
    check_exactly_one_value(LOGISTICS, task, 1000)


def test_a_counter_that_conditional_effects_move() -> None:
    task = COUNTER.ground()
    assert list(task.domain_sizes) == [4]
    check_exactly_one_value(COUNTER, task, 10)


MOVE = "(:action move :parameters (?x ?y) :precondition (at ?x) :effect (and (not (at ?x)) (at ?y)))"
NO_GROUPS = {
    "two tokens": pddl_task("(at ?x)", MOVE, "a b c", "(at a) (at b)", "(and (at b) (at c))"),
    "an add without a delete": pddl_task(
        "(at ?x)",
        MOVE + "(:action copy :parameters (?x ?y) :precondition (at ?x) :effect (at ?y))",
        "a b c",
        "(at a)",
        "(and (at b) (at c))",
    ),
    "a delete that may not happen": pddl_task(
        "(at ?x) (cold)",
        """(:action move :parameters (?x ?y) :precondition (at ?x)
             :effect (and (at ?y) (when (cold) (not (at ?x)))))
           (:action freeze :effect (cold)) (:action thaw :effect (not (cold)))""",
        "a b c",
        "(at a)",
        "(and (at b) (at c))",
    ),
    "an add that undoes the delete": pddl_task(
        "(at ?x)",
        """(:action move :parameters (?x ?y) :precondition (at ?x) :effect (and (not (at ?x)) (at ?y) (at ?x)))
           (:action drop :parameters (?x) :precondition (at ?x) :effect (not (at ?x)))""",
        "a b c",
        "(at a)",
        "(and (at b) (at c))",
    ),
    "two adds for one delete": pddl_task(
        "(at ?x)",
        """(:action split :parameters (?x ?y ?z) :precondition (at ?x) :effect (and (not (at ?x)) (at ?y) (at ?z)))""",
        "a b c",
        "(at a)",
        "(and (at b) (at c))",
    ),
    "two conditional adds that may both happen": pddl_task(
        "(at ?x) (wet) (cold)",
        """(:action split :parameters (?x ?y ?z) :precondition (at ?x)
             :effect (and (not (at ?x)) (when (wet) (at ?y)) (when (cold) (at ?z))))
           (:action w :effect (wet)) (:action c :effect (cold)) (:action d :effect (and (not (wet)) (not (cold))))""",
        "a b c",
        "(at a)",
        "(and (at b) (at c))",
    ),
}


@pytest.mark.parametrize("name", NO_GROUPS)
def test_no_group_where_two_atoms_can_be_true(name: str) -> None:
    task = NO_GROUPS[name].ground()
    assert task.solvable
    assert all(size == 2 for size in task.domain_sizes)
    check_exactly_one_value(NO_GROUPS[name], task, 200)
    assert _core.Gbfs().run(task).status == "solved"


def test_a_token_that_can_get_lost_has_the_value_none() -> None:
    pddl = pddl_task(
        "(at ?x)",
        MOVE + "(:action lose :parameters (?x) :precondition (at ?x) :effect (not (at ?x)))",
        "a b c",
        "(at a)",
        "(not (exists (?x) (at ?x)))",
    )
    task = pddl.ground()
    assert list(task.domain_sizes) == [4]
    assert task.facts[-1] == "none of those"
    check_exactly_one_value(pddl, task, 100)


def test_a_token_may_change_its_predicate() -> None:
    pddl = pddl_task(
        "(at ?x) (lost)",
        MOVE + "(:action lose :parameters (?x) :precondition (at ?x) :effect (and (not (at ?x)) (lost)))",
        "a b c",
        "(at a)",
        "(lost)",
    )
    task = pddl.ground()
    assert list(task.domain_sizes) == [4]
    check_exactly_one_value(pddl, task, 100)
