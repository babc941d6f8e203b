"""Every sentence about an unsolvable task is true: beside brute force on random tasks, word for word on small ones."""

from __future__ import annotations

import pytest
from random_tasks import FEATURES, PddlText, random_task
from reference import Reference

import banditplan as bp
from banditplan.grounding import reachable
from banditplan.limits import Limits
from banditplan.normalize.normalize import normalize
from banditplan.pddl.syntax import Atom
from banditplan.unsolvable import explain
from banditplan.unsolvable.patterns import Atoms, Binding, Hole, Pattern
from banditplan.unsolvable.positive import NOT, positive
from banditplan.unsolvable.proof import Prover
from banditplan.unsolvable.ways import Ways
from banditplan.unsolvable.words import AUXILIARY

UNLIMITED = Limits(None, None)

BLOCKS = """
(define (domain blocks) (:predicates (on ?x ?y) (ontable ?x) (clear ?x) (handempty) (holding ?x))
  (:action pick-up :parameters (?x) :precondition (and (clear ?x) (ontable ?x) (handempty))
    :effect (and (not (ontable ?x)) (not (clear ?x)) (not (handempty)) (holding ?x)))
  (:action put-down :parameters (?x) :precondition (holding ?x)
    :effect (and (not (holding ?x)) (clear ?x) (handempty) (ontable ?x)))
  (:action stack :parameters (?x ?y) :precondition (and (holding ?x) (clear ?y))
    :effect (and (not (holding ?x)) (not (clear ?y)) (clear ?x) (handempty) (on ?x ?y)))
  (:action unstack :parameters (?x ?y) :precondition (and (on ?x ?y) (clear ?x) (handempty))
    :effect (and (holding ?x) (clear ?y) (not (clear ?x)) (not (handempty)) (not (on ?x ?y)))))"""

ROADS = """
(define (domain roads) (:requirements :strips :typing :negative-preconditions)
  (:types truck parcel place door)
  (:predicates (at ?x - (either truck parcel) ?l - place) (in ?p - parcel ?t - truck) (road ?a ?b - place)
    (locked ?d - door) (open) (key ?d - door))
  (:action load :parameters (?p - parcel ?t - truck ?l - place) :precondition (and (at ?p ?l) (at ?t ?l))
    :effect (and (not (at ?p ?l)) (in ?p ?t)))
  (:action unload :parameters (?p - parcel ?t - truck ?l - place) :precondition (and (in ?p ?t) (at ?t ?l))
    :effect (and (at ?p ?l) (not (in ?p ?t))))
  (:action drive :parameters (?t - truck ?a ?b - place) :precondition (and (at ?t ?a) (road ?a ?b))
    :effect (and (not (at ?t ?a)) (at ?t ?b)))
  (:action enter :parameters (?d - door) :precondition (not (locked ?d)) :effect (open))
  (:action unlock :parameters (?d - door) :precondition (key ?d) :effect (not (locked ?d))))"""


def blocks(init: str, goal: str) -> tuple[str, str]:
    return BLOCKS, f"(define (problem p) (:domain blocks) (:objects a b c) (:init {init}) (:goal {goal}))"


def roads(objects: str, init: str, goal: str) -> tuple[str, str]:
    return ROADS, f"(define (problem p) (:domain roads) (:objects {objects}) (:init {init}) (:goal {goal}))"


@pytest.mark.parametrize(
    ("task", "lines"),
    [
        (  # the hand was forgotten
            blocks("(ontable a) (ontable b) (clear a) (clear b)", "(and (on a b) (ontable b))"),
            [
                "the goal (on a b) cannot be reached",
                "(on a b) comes true only by stack, which needs (holding ?x)",
                "(holding ?x) comes true only by pick-up or unstack, which need (handempty)",
                "(handempty) comes true only by put-down or stack, which need (holding ?x)",
                "(holding ?x) and (handempty) need one another, and none of them is true at first",
            ],
        ),
        (  # the truck was forgotten: what holds of parcels is not held against that
            roads("t - truck p - parcel a b - place", "(at p a) (road a b)", "(at p b)"),
            [
                "the goal (at p b) cannot be reached",
                "(at p b) comes true only by unload, which needs (at t ?l)",
                "(at t ?l) comes true only by drive, which needs it to be true before",
            ],
        ),
        (
            roads("t u - truck p - parcel a b - place", "(at p a) (road a b)", "(at p b)"),
            [
                "the goal (at p b) cannot be reached",
                "(at p b) comes true only by unload, which needs (at ?t - truck ?l)",
                "(at ?t - truck ?l) comes true only by drive, which needs it to be true before",
            ],
        ),
        (  # a negative condition
            roads("d e - door", "(locked d) (locked e)", "(open)"),
            [
                "the goal (open) cannot be reached",
                "(open) comes true only by enter, which needs (not (locked ?d))",
                "(not (locked ?d)) comes true only by unlock, which needs (key ?d)",
                "the initial state has no (key ?d), and no action adds one",
            ],
        ),
        (  # negative goals, and what nothing deletes
            roads("a b - place", "(road a b)", "(not (road a b))"),
            [
                "the goal (not (road a b)) cannot be reached",
                "nothing makes (road a b) false: (road a b) is true at first, and stays so",
            ],
        ),
        (
            blocks("(handempty)", "(forall (?x) (or (on ?x a) (exists (?y) (on ?y ?x))))"),
            None,
        ),
    ],
)
def test_in_words(task: tuple[str, str], lines: list[str] | None) -> None:
    found = bp.explain_unsolvable(*task)
    assert found.proved
    if lines is not None:
        assert str(found) == "\n".join(lines)
    assert "@" not in str(found)
    result = bp.solve(*task)
    assert (result.status, result.to_dict()["reasons"]) == ("unsolvable", list(found.lines))
    assert found.lines[0] in result.explanation


def test_a_task_that_may_be_solved() -> None:
    found = bp.explain_unsolvable(*bp.example("crates"))
    assert (found.proved, found.goals, found.reasons) == (False, (), ())
    assert "no proof" in str(found)


def test_a_search_tells_how_close_it_came() -> None:
    result = bp.solve(*bp.example("levers"))
    assert result.status == "unsolvable"
    (line,) = result.reasons
    assert line.endswith(
        f"{result.inserted} states that there were to look at; at most 0 of 1 goals held together, without (door-open)"
    )


def test_the_closest_state_is_the_closest_of_all() -> None:
    """Three switches, of which turning one on turns the next one off: two goals of four hold together at most."""
    names = "abc"
    actions = "".join(
        f"(:action on-{x} :effect (and (on-{x}) (not (on-{names[(i + 1) % 3]}))))" for i, x in enumerate(names)
    )
    predicates = " ".join(f"(on-{x})" for x in names)
    domain = f"(define (domain d) (:predicates (lit) {predicates}) {actions})"
    problem = f"(define (problem p) (:domain d) (:init (lit)) (:goal (and (lit) {predicates})))"
    for search in ("gbfs(blind)", "guct", "astar(blind)"):
        result = bp.solve(domain, problem, search=search)
        assert result.status == "unsolvable"
        assert "at most 3 of 4 goals held together, without (on-" in result.reasons[0], result.reasons


def _true_of(pattern: Pattern, atoms: frozenset[Atom], declared: dict[str, list[tuple[str, ...]]]) -> bool:
    """Whether an instance of the pattern holds in a state, given with its derived atoms."""
    negative = pattern.predicate.startswith(NOT)
    predicate = pattern.predicate.removeprefix(NOT)
    rows = {atom.arguments for atom in atoms if atom.predicate == predicate}
    if not negative:
        return Atoms({predicate: rows}).any(pattern)
    holes_filled = Atoms({pattern.predicate: set(declared[predicate]) - rows})
    return holes_filled.any(pattern)


@pytest.mark.slow
@pytest.mark.parametrize("kind", FEATURES)
def test_nothing_that_is_called_unreachable_is_ever_reached(kind: str) -> None:
    explained = 0
    for seed in range(24):
        parsed = random_task(kind, seed).parsed()
        found = explain(parsed, UNLIMITED)
        if found is None:
            continue
        explained += 1
        reference = Reference(parsed)
        space = reference.explore(300)
        if not space.complete:
            continue
        task = positive(normalize(parsed, fill_in=True))
        ways = Ways(task, Atoms(reachable(task, UNLIMITED)))
        prover = Prover(ways)
        states = [reference.derive(state) for state in space.transitions]
        assert not any(reference.holds(parsed.problem.goal, state, {}) for state in states)
        declared = {
            each.name: [tuple(values.values()) for values in reference.assignments(_numbered(each.parameters), {})]
            for each in parsed.domain.predicates
        }
        for goal in ways.missing(task.goal, Binding({})):
            proof = prover.proof(goal)
            assert proof.complete
            for step in proof.steps:
                if step.fact.predicate in ("=", NOT + "=") or AUXILIARY in step.fact.predicate:
                    continue
                assert not any(_true_of(step.fact, state, declared) for state in states), step
    assert explained >= 3


def _numbered(parameters: tuple[object, ...]) -> tuple[object, ...]:
    from banditplan.pddl.syntax import Typed

    return tuple(Typed(str(number), each.types) for number, each in enumerate(parameters))  # type: ignore[attr-defined]


@pytest.mark.slow
def test_what_grounding_proves_is_explained() -> None:
    """Without negation and mutex groups, grounding proves nothing that the analysis does not see."""
    unsolvable = [text for text in (random_task("strips", seed) for seed in range(60)) if not _relaxed_solvable(text)]
    assert len(unsolvable) >= 3
    assert all(explain(text.parsed(), UNLIMITED) is not None for text in unsolvable)


def _relaxed_solvable(text: PddlText) -> bool:
    return text.ground(prune_mutex=False).solvable


def test_patterns_cover_their_instances() -> None:
    some, more = Hole("?x", frozenset("ab")), Hole("?y", frozenset("abc"))
    assert Pattern("p", (more, "c")).covers(Pattern("p", (some, "c")))
    assert not Pattern("p", (some, "c")).covers(Pattern("p", (more, "c")))
    assert not Pattern("p", (more, more)).covers(Pattern("p", ("a", "b")))
    assert Pattern("p", (more, more)).covers(Pattern("p", (some, some)))
    assert Pattern("p", (more, some)).key == Pattern("p", (Hole("?z", more.objects), some)).key
