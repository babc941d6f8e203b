"""Each feature of the language, from text to syntax tree."""

from __future__ import annotations

import gc
import subprocess
import sys

import pytest

from banditplan.errors import InputError, Source
from banditplan.pddl.parser import parse
from banditplan.pddl.syntax import (
    FALSE,
    TRUE,
    Action,
    Add,
    And,
    Atom,
    Delete,
    Derived,
    Equal,
    Exists,
    Forall,
    ForEach,
    FunctionTerm,
    Imply,
    Not,
    Or,
    Parsed,
    Signature,
    Together,
    Type,
    Typed,
    When,
)

OBJECT = ("object",)
EMPTY_PROBLEM = "(define (problem p) (:domain d) (:init) (:goal ()))"


def read(domain: str, problem: str = EMPTY_PROBLEM) -> Parsed:
    return parse(Source("d.pddl", domain), Source("p.pddl", problem))


def domain(sections: str, requirements: str = ":adl :derived-predicates :action-costs") -> str:
    return f"(define (domain d) (:requirements {requirements}) {sections})"


def problem(sections: str) -> str:
    return f"(define (problem p) (:domain d) {sections})"


def action(body: str, declarations: str = "(:predicates (p ?x) (q ?x ?y) (r))") -> Action:
    return read(domain(f"{declarations} (:action a {body})")).domain.actions[0]


def precondition(formula: str, parameters: str = "?x ?y") -> object:
    return action(f":parameters ({parameters}) :precondition {formula}").precondition


def effect(formula: str, parameters: str = "?x ?y") -> object:
    return action(f":parameters ({parameters}) :effect {formula}").effect


P_X, P_Y, R = Atom("p", ("?x",)), Atom("p", ("?y",)), Atom("r", ())
X, Y = Typed("?x", OBJECT), Typed("?y", OBJECT)


# ---- declarations


def test_smallest_task() -> None:
    parsed = read("(define (domain d))")
    assert parsed.domain.name == "d"
    assert not parsed.domain.predicates
    assert not parsed.domain.actions
    assert not parsed.domain.types
    assert parsed.problem.goal == TRUE
    assert parsed.problem.minimize_cost is False
    assert parsed.warnings == ()


def test_types() -> None:
    parsed = read(domain("(:types truck plane - vehicle city - object crate - (either place vehicle))"))
    assert parsed.domain.types == (
        Type("truck", ("vehicle",)),
        Type("plane", ("vehicle",)),
        Type("city", OBJECT),
        Type("crate", ("place", "vehicle")),
        Type("vehicle", OBJECT),
        Type("place", OBJECT),
    )


def test_identical_types_and_object_may_be_repeated() -> None:
    assert read(domain("(:types a - object a object)")).domain.types == (Type("a", OBJECT),)


def test_long_chain_of_types() -> None:
    chain = " ".join(f"t{i} - t{i + 1}" for i in range(3000))
    parsed = read(
        domain(f"(:types {chain}) (:predicates (p ?x - t3000))"),
        problem("(:objects a - t0) (:init (p a)) (:goal (p a))"),
    )
    assert len(parsed.domain.types) == 3001


def test_typed_lists() -> None:
    parsed = read(domain("(:types a b) (:constants c - a d e - (either a b) f) (:predicates (p ?x ?y - a ?z))"))
    assert parsed.domain.constants == (
        Typed("c", ("a",)),
        Typed("d", ("a", "b")),
        Typed("e", ("a", "b")),
        Typed("f", OBJECT),
    )
    assert parsed.domain.predicates == (
        Signature("p", (Typed("?x", ("a",)), Typed("?y", ("a",)), Typed("?z", OBJECT))),
    )


def test_functions() -> None:
    parsed = read(domain("(:functions (f ?x) (g) - number (total-cost))"))
    assert parsed.domain.functions == (Signature("f", (X,)), Signature("g", ()), Signature("total-cost", ()))


def test_sections_in_any_order() -> None:
    text = "(:action a :effect (p c)) (:predicates (p ?x - t)) (:constants c - t) (:types t)"
    assert action("", text.replace("(:action a :effect (p c))", "")).name == "a"
    assert read(domain(text)).domain.actions[0].effect == Add(Atom("p", ("c",)))


def test_predicates_may_be_named_like_types_and_declare_equality() -> None:
    parsed = read(domain("(:types t) (:predicates (t ?x - t) (= ?x ?y))"))
    assert [each.name for each in parsed.domain.predicates] == ["t"]


def test_upper_case_comments_and_missing_spaces() -> None:
    text = "(DEFINE(DOMAIN D);(\n(:PREDICATES(P?X))(:ACTION A:x :PARAMETERS(?X):PRECONDITION(P?X)))"
    (found,) = read(text).domain.actions
    assert (found.name, found.parameters, found.precondition) == ("a:x", (X,), P_X)


# ---- actions and formulas


def test_action_without_anything() -> None:
    found = action("")
    assert (found.name, found.parameters, found.cost) == ("a", (), ())
    assert (found.precondition, found.effect) == (TRUE, Together(()))


@pytest.mark.parametrize("nothing", ["()", "(and)"])
def test_empty_precondition_and_effect(nothing: str) -> None:
    found = action(f":parameters () :precondition {nothing} :effect {nothing}")
    assert (found.precondition, found.effect) == (TRUE, Together(()))


def test_keys_of_an_action_in_any_order() -> None:
    found = action(":effect (p ?x) :precondition (p ?y) :parameters (?x ?y)")
    assert (found.parameters, found.precondition, found.effect) == ((X, Y), P_Y, Add(P_X))


def test_place_of_an_action() -> None:
    parsed = parse(
        Source("d.pddl", "(define (domain d)\n (:action a)\n  (:action b :effect ()))"), Source("p.pddl", EMPTY_PROBLEM)
    )
    places = [each.place for each in parsed.domain.actions]
    assert [(place.line, place.column) for place in places] == [(2, 2), (3, 3)]
    assert places[0].source.name == "d.pddl"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(p ?x)", P_X),
        ("(and (p ?x) (r))", And((P_X, R))),
        ("(and (r) (r))", And((R, R))),
        ("(or (p ?x) (r))", Or((P_X, R))),
        ("(or)", FALSE),
        ("(not (p ?x))", Not(P_X)),
        ("(not (not (and (p ?x))))", Not(Not(And((P_X,))))),
        ("(imply (p ?x) (p ?y))", Imply(P_X, P_Y)),
        ("(= ?x ?y)", Equal("?x", "?y")),
        ("(not (= ?x ?y))", Not(Equal("?x", "?y"))),
        ("(forall (?z) (p ?z))", Forall((Typed("?z", OBJECT),), Atom("p", ("?z",)))),
        ("(exists (?z ?w) (q ?z ?w))", Exists((Typed("?z", OBJECT), Typed("?w", OBJECT)), Atom("q", ("?z", "?w")))),
        ("(exists () (r))", R),
        ("(and () (r))", And((TRUE, R))),
    ],
)
def test_formulas(text: str, expected: object) -> None:
    assert precondition(text) == expected


def test_quantified_variables_are_renamed_apart() -> None:
    x1, x2 = Typed("?x@1", OBJECT), Typed("?x@2", OBJECT)
    assert precondition("(and (exists (?x) (p ?x)) (forall (?x) (q ?x ?y)) (p ?x))") == And(
        (Exists((x1,), Atom("p", ("?x@1",))), Forall((x2,), Atom("q", ("?x@2", "?y"))), P_X)
    )
    assert precondition("(exists (?x) (and (p ?x) (exists (?x) (p ?x)) (p ?x)))", "") == Exists(
        (X,), And((P_X, Exists((x1,), Atom("p", ("?x@1",))), P_X))
    )


def test_renaming_avoids_names_in_use() -> None:
    found = precondition("(and (exists (?x) (p ?x)) (exists (?x@2) (p ?x@2)) (exists (?x) (p ?x)))", "?x ?x@1")
    names = [part.variables[0].name for part in found.parts]  # type: ignore[attr-defined]
    assert len({*names, "?x", "?x@1"}) == 5


def test_renaming_reaches_from_precondition_into_effect() -> None:
    found = action(":precondition (exists (?x) (p ?x)) :effect (forall (?x) (p ?x))")
    assert found.effect == ForEach((Typed("?x@1", OBJECT),), Add(Atom("p", ("?x@1",))))


def test_many_quantifiers_over_one_name() -> None:
    found = precondition(f"(and {'(exists (?x) (p ?x))' * 20_000})")
    assert found.parts[-1].variables[0].name == "?x@20000"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(p ?x)", Add(P_X)),
        ("(not (p ?x))", Delete(P_X)),
        ("(and (p ?x) (not (p ?y)) () (r))", Together((Add(P_X), Delete(P_Y), Add(R)))),
        ("(and (r) (not (r)) (and (r)))", Together((Add(R), Delete(R), Together((Add(R),))))),
        ("(when (p ?x) (not (r)))", When(P_X, Delete(R))),
        ("(forall (?z) (p ?z))", ForEach((Typed("?z", OBJECT),), Add(Atom("p", ("?z",))))),
        (
            "(when (r) (forall (?z) (when (p ?z) (and (p ?x) (not (p ?z))))))",
            When(
                R,
                ForEach(
                    (Typed("?z", OBJECT),),
                    When(Atom("p", ("?z",)), Together((Add(P_X), Delete(Atom("p", ("?z",)))))),
                ),
            ),
        ),
        ("(forall () (r))", Add(R)),
    ],
)
def test_effects(text: str, expected: object) -> None:
    assert effect(text) == expected


def test_costs() -> None:
    found = action(
        ":parameters (?x) :effect (and (increase (total-cost) 5) (p ?x) (increase (total-cost) (f ?x))"
        " (and (increase (total-cost) 7.0)))",
        "(:predicates (p ?x)) (:functions (total-cost) - number (f ?x) - number)",
    )
    assert found.cost == (5, FunctionTerm("f", ("?x",)), 7)
    assert found.effect == Together((Add(P_X), Together(())))
    assert action(":effect (increase (total-cost) 0)").cost == (0,)


def test_arguments_are_checked_leniently() -> None:
    types = "(:types a b - top c - (either a b)) (:predicates (on-a ?x - a) (on-c ?x - c))"
    parameters = ":parameters (?top - top ?b - b ?o ?e - (either b c))"
    assert action(f"{parameters} :precondition (and (on-a ?top) (on-a ?b) (on-a ?o) (on-c ?e))", types)


def test_derived_predicates() -> None:
    parsed = read(
        domain(
            "(:types t) (:predicates (on ?x ?y - t) (above ?x ?y - t))"
            "(:derived (above ?a ?b) (on ?a ?b))"
            "(:derived (above ?a ?b - t) (exists (?c - t) (and (on ?a ?c) (above ?c ?b))))"
        )
    )
    first, second = parsed.domain.derived
    parameters = (Typed("?a", ("t",)), Typed("?b", ("t",)))
    assert first == Derived("above", parameters, Atom("on", ("?a", "?b")), first.place)
    assert second.parameters == parameters
    assert isinstance(second.body, Exists)


def test_deepest_formula() -> None:
    # define, :action and the atom take three of the levels.
    for word in ("not", "and", "forall (?z)", "imply (r)"):
        action(f":parameters (?x) :precondition {f'({word} ' * 248}(p ?x){')' * 248}")
    for word in ("and", "when (r)", "forall (?z)"):
        action(f":parameters (?x) :effect {f'({word} ' * 248}(p ?x){')' * 248}")


# ---- problems


def test_problem() -> None:
    parsed = read(
        domain("(:types t) (:constants c - t) (:predicates (p ?x - t) (r)) (:functions (f ?x - t) (total-cost))"),
        "(define (problem P1) (:domain d) (:requirements :strips) (:objects a b - t o)"
        " (:init (p a) (p c) (p a) (not (p b)) (r) (= (f a) 3) (= (f b) 5.0) (= (total-cost) 0))"
        " (:goal (and (p b) (not (r)))) (:length (:serial 5)) (:metric minimize (total-cost)))",
    )
    found = parsed.problem
    assert found.name == "p1"
    assert found.objects == (Typed("a", ("t",)), Typed("b", ("t",)), Typed("o", OBJECT))
    assert found.init == (Atom("p", ("a",)), Atom("p", ("c",)), R)
    assert found.values == ((FunctionTerm("f", ("a",)), 3), (FunctionTerm("f", ("b",)), 5))
    assert found.goal == And((Atom("p", ("b",)), Not(R)))
    assert found.minimize_cost is True
    assert parsed.warnings == ()


def test_object_of_several_types() -> None:
    parsed = read(
        domain("(:types a b) (:predicates (p ?x - a) (q ?x - b))"),
        problem("(:objects o - (either a b)) (:init (p o) (q o)) (:goal ())"),
    )
    assert len(parsed.problem.init) == 2


def test_quantified_goal() -> None:
    parsed = read(domain("(:predicates (p ?x))"), problem("(:init) (:goal (forall (?x) (p ?x)))"))
    assert parsed.problem.goal == Forall((X,), P_X)


# ---- warnings


@pytest.mark.parametrize(
    ("formula", "flag", "words"),
    [
        ("(not (r))", ":negative-preconditions", "negative preconditions"),
        ("(or (r))", ":disjunctive-preconditions", "disjunctive preconditions"),
        ("(imply (r) (r))", ":disjunctive-preconditions", "disjunctive preconditions"),
        ("(= ?x ?x)", ":equality", "equality"),
        ("(exists (?z) (r))", ":existential-preconditions", "existential preconditions"),
        ("(forall (?z) (r))", ":universal-preconditions", "universal preconditions"),
    ],
)
def test_undeclared_requirements(formula: str, flag: str, words: str) -> None:
    text = f"(:predicates (r)) (:action a :parameters (?x) :precondition {formula})"
    expected = (f"d.pddl: uses {words} without (:requirements {flag})",)
    assert read(domain(text, ":strips")).warnings == expected
    assert read(f"(define (domain d) {text})").warnings == expected
    assert read(domain(text, flag)).warnings == ()
    assert read(domain(text, ":adl")).warnings == ()


def test_quantified_preconditions_are_both_quantifiers() -> None:
    text = "(:action a :precondition (forall (?x) (exists (?y) ())))"
    assert read(domain(text, ":quantified-preconditions")).warnings == ()


def test_other_undeclared_requirements() -> None:
    text = (
        "(:types t) (:predicates (r) (s)) (:functions (total-cost)) (:derived (s) (r))"
        "(:action a :effect (when (r) (not (r))))"
    )
    assert read(domain(text, ":strips")).warnings == (
        "d.pddl: uses types without (:requirements :typing)",
        "d.pddl: uses conditional effects without (:requirements :conditional-effects)",
        "d.pddl: uses derived predicates without (:requirements :derived-predicates)",
        "d.pddl: uses action costs without (:requirements :action-costs)",
    )


def test_a_type_that_is_declared_twice_has_both_parents() -> None:
    text = "(:types area surface - object area - surface box - area box - area) (:predicates (p ?x - surface))"
    parsed = read(
        domain(text, ":typing"),
        "(define (problem p) (:domain d) (:objects a - area b - box a - area) (:init (p a)) (:goal (p b)))",
    )
    assert parsed.warnings == (
        'd.pddl: type "area" (and 1 more) is declared twice',
        'p.pddl: object "a" is declared twice',
    )
    types = {each.name: each.parents for each in parsed.domain.types}
    assert types == {"area": ("object", "surface"), "surface": ("object",), "box": ("area",)}
    assert [each.name for each in parsed.problem.objects] == ["a", "b"]


def test_a_constant_that_is_declared_twice() -> None:
    parsed = read(domain("(:types t) (:constants c - t d c - t c - t)", ":typing"))
    assert parsed.warnings == ('d.pddl: constant "c" is declared twice',)
    assert [each.name for each in parsed.domain.constants] == ["c", "d"]


def test_warnings_about_the_problem() -> None:
    parsed = read(
        domain("(:constants c e) (:predicates (p ?x))", ":strips :fluents :typo :durative-actions"),
        "(define (problem p) (:domain other) (:objects c e o) (:init) (:goal (not (p o))))",
    )
    assert parsed.warnings == (
        "d.pddl: :fluents is not supported; what needs it will be refused",
        'd.pddl: unknown requirement ":typo"; did you mean ":typing"?',
        "d.pddl: :durative-actions is not supported; what needs it will be refused",
        'p.pddl: the problem is for the domain "other", but the domain is "d"',
        'p.pddl: object "c" (and 1 more) is a constant already',
        "p.pddl: uses negative preconditions without (:requirements :negative-preconditions)",
    )
    assert [each.name for each in parsed.problem.objects] == ["o"]


def test_problem_without_domain_name() -> None:
    parsed = read(domain(""), "(define (problem p) (:init) (:goal ()))")
    assert parsed.warnings == ("p.pddl: the problem does not name its domain, (:domain d)",)


# ---- resources


@pytest.mark.slow
def test_large_input() -> None:
    facts = "".join([f"(connected location-{i} location-{i + 1} via-road-{i})\n" for i in range(900_000)])
    objects = "".join([f"location-{i} via-road-{i}\n" for i in range(900_001)])
    text = problem(f"(:objects {objects}) (:init {facts}) (:goal ())")
    assert len(text) > 50_000_000
    parsed = read(domain("(:predicates (connected ?x ?y ?z))"), text)
    assert len(parsed.problem.init) == 900_000


def test_garbage_collection_is_restored() -> None:
    assert gc.isenabled()
    read("(define (domain d))")
    assert gc.isenabled()
    with pytest.raises(InputError):
        read("(")
    assert gc.isenabled()
    gc.disable()
    try:
        read("(define (domain d))")
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_nothing_foreign_is_imported() -> None:
    text = domain("(:predicates (p ?x)) (:action a :parameters (?x) :effect (p ?x))")
    program = f"""
import sys
before = set(sys.modules)
from banditplan.errors import Source
from banditplan.pddl.parser import parse
parse(Source("d", {text!r}), Source("p", {EMPTY_PROBLEM!r}))
foreign = {{name.partition(".")[0] for name in set(sys.modules) - before}} - {{"banditplan", "__future__", "gc"}}
print(*sorted(foreign))
"""
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == ""
