"""Normalisation keeps the meaning: formulas before and after, on random states; and the shape of what comes out."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_tasks import ADL, FEATURES, PddlText, Readable, _Generator, random_task
from reference import Reference, State, Values

from banditplan import frozen
from banditplan.errors import PddlError
from banditplan.normalize.actions import ReadyAction, ready_actions
from banditplan.normalize.axioms import NotStratified, stratified
from banditplan.normalize.conditions import MAX_ALTERNATIVES, Alternative, Conditions
from banditplan.normalize.effects import flatten
from banditplan.normalize.negation import normal_form
from banditplan.normalize.normalize import normalize
from banditplan.normalize.task import Axiom
from banditplan.normalize.types import TypeTable
from banditplan.pddl.syntax import And, Atom, Equal, Exists, Forall, Imply, Not, Or, Parsed, Typed

if TYPE_CHECKING:
    from banditplan.pddl.syntax import Formula

PREDICATES = {"p": 1, "q": 2, "flag": 0, "s": 1, "e": 2}  # s and e are static
OBJECTS = ("t0", "t1", "l0")
STATIC = "(s t0) (s l0) (e t0 t1) (e t1 l0) (e l0 l0)"


def parsed_with(precondition: str, effect: str = "(and)", goal: str = "(and)", rules: str = "") -> Parsed:
    """A task whose only action, with parameters ?x and ?y, has the given condition; `d` and `e2` may be derived."""
    domain = f"""(define (domain n) (:requirements :adl :derived-predicates) (:types thing place nothing - object)
      (:constants t0 t1 - thing l0 - place)
      (:predicates (p ?x) (q ?x ?y) (flag) (s ?x) (e ?x ?y) (d ?x) (d2) (d3))
      {rules}
      (:action touch :parameters (?x) :effect (and (p ?x) (not (q ?x ?x)) (flag)))
      (:action a :parameters (?x ?y) :precondition {precondition} :effect {effect}))"""
    return PddlText(domain, f"(define (problem n1) (:domain n) (:init {STATIC}) (:goal {goal}))").parsed()


def conditions_of(parsed: Parsed) -> Conditions:
    static: dict[str, set[tuple[str, ...]]] = {"s": set(), "e": set()}
    for atom in parsed.problem.init:
        static[atom.predicate].add(atom.arguments)
    return Conditions(TypeTable(parsed.domain.types, parsed.domain.constants), static)


class WithDefinitions(Reference):
    """Evaluates an auxiliary atom by the body of its definition."""

    def __init__(self, parsed: Parsed, conditions: Conditions) -> None:
        super().__init__(parsed)
        self.definitions = {each.head.predicate: each for each in conditions.definitions}

    def holds(self, formula: Formula, true_atoms: State, values: Values) -> bool:
        definition = self.definitions.get(formula.predicate) if isinstance(formula, Atom) else None
        if definition is None:
            return super().holds(formula, true_atoms, values)
        arguments = [values.get(term, term) for term in formula.arguments]
        inner = {each.name: value for each, value in zip(definition.parameters, arguments, strict=True)}
        if any(
            value not in self.members(each.types) for each, value in zip(definition.parameters, arguments, strict=True)
        ):
            return False
        return self.holds(definition.body, true_atoms, inner)

    def any_holds(self, alternatives: tuple[Alternative, ...], true_atoms: State, values: Values) -> bool:
        return any(
            all(self.holds(literal, true_atoms, inner) for literal in alternative.literals)
            for alternative in alternatives
            for inner in self.assignments(alternative.variables, values)
        )


def random_formula(random: Random, scope: tuple[str, ...]) -> str:
    generator = _Generator(random, ADL)
    generator.token, generator.constants = None, list(OBJECTS)
    return generator.formula(scope, Readable(PREDICATES, PREDICATES), 4)


def random_states(random: Random, init: tuple[Atom, ...], count: int) -> list[State]:
    fluents = [
        Atom(name, row) for name, n in PREDICATES.items() if name not in "se" for row in product(OBJECTS, repeat=n)
    ]
    return [frozenset(init) | {atom for atom in fluents if random.random() < 0.5} for _ in range(count)]


def is_literal(formula: object) -> bool:
    return isinstance(formula.part if isinstance(formula, Not) else formula, (Atom, Equal))


def in_normal_form(formula: Formula) -> bool:
    match formula:
        case And(parts) | Or(parts):
            return all(type(part) is not type(formula) and in_normal_form(part) for part in parts)
        case Exists(_, part) | Forall(_, part):
            return in_normal_form(part)
        case Imply():
            return False
    return is_literal(formula)


seeds = st.integers(0, 2**32)
reproducible = settings(derandomize=True, deadline=None, database=None, max_examples=250)


@pytest.mark.slow
@reproducible
@given(seeds)
def test_normal_form_means_the_same(seed: int) -> None:
    random = Random(seed)
    parsed = parsed_with(random_formula(random, ("?x", "?y")))
    formula = parsed.domain.actions[1].precondition
    positive, negative = normal_form(formula), normal_form(formula, negate=True)
    assert in_normal_form(positive)
    assert in_normal_form(negative)
    reference = Reference(parsed)
    for state in random_states(random, parsed.problem.init, 4):
        for values in reference.assignments(parsed.domain.actions[1].parameters, {}):
            truth = reference.holds(formula, state, values)
            assert reference.holds(positive, state, values) == truth
            assert reference.holds(negative, state, values) != truth


@pytest.mark.slow
@reproducible
@given(seeds)
def test_alternatives_mean_the_same(seed: int) -> None:
    random = Random(seed)
    parsed = parsed_with(random_formula(random, ("?x", "?y")))
    action = parsed.domain.actions[1]
    conditions = conditions_of(parsed)
    alternatives = conditions.alternatives(action.precondition, action.parameters)
    assert len(alternatives) <= MAX_ALTERNATIVES
    assert all(is_literal(literal) for alternative in alternatives for literal in alternative.literals)
    reference = WithDefinitions(parsed, conditions)
    for state in random_states(random, parsed.problem.init, 4):
        for values in reference.assignments(action.parameters, {}):
            expected = reference.holds(action.precondition, state, values)
            assert reference.any_holds(alternatives, state, values) == expected


@reproducible
@given(seeds)
def test_a_conjunction_means_the_same(seed: int) -> None:
    random = Random(seed)
    parsed = parsed_with("(and)", goal=random_formula(random, ()))
    conditions = conditions_of(parsed)
    literals = conditions.conjunction(parsed.problem.goal)
    reference = WithDefinitions(parsed, conditions)
    for state in random_states(random, parsed.problem.init, 8):
        if Or(()) in literals:  # false, whatever the state is
            assert not reference.holds(parsed.problem.goal, state, {})
            continue
        assert all(map(is_literal, literals))
        expected = reference.holds(parsed.problem.goal, state, {})
        assert all(reference.holds(literal, state, {}) for literal in literals) == expected


# ---- splitting


def alternatives_of(precondition: str) -> tuple[tuple[Alternative, ...], Conditions]:
    parsed = parsed_with(precondition)
    conditions = conditions_of(parsed)
    return conditions.alternatives(
        parsed.domain.actions[1].precondition, parsed.domain.actions[1].parameters
    ), conditions


def test_few_alternatives_are_split() -> None:
    alternatives, conditions = alternatives_of("(and (flag) (or (p ?x) (p ?y)) (imply (q ?x ?y) (q ?y ?x)))")
    assert len(alternatives) == 4
    assert conditions.definitions == []
    assert alternatives[0].literals == (Atom("flag", ()), Atom("p", ("?x",)), Not(Atom("q", ("?x", "?y"))))


def test_many_disjunctions_become_predicates() -> None:
    rows = product(("?x", "?y", *OBJECTS), repeat=2)
    parts = [f"(or (q {a} {b}) (not (q {b} {a})))" for (a, b), _ in zip(rows, range(20), strict=False)]
    alternatives, conditions = alternatives_of(f"(and {' '.join(parts)})")
    assert 1 <= len(alternatives) <= MAX_ALTERNATIVES
    assert 16 <= len(conditions.definitions) <= 20
    assert all(len(alternative.literals) == 20 for alternative in alternatives)


def test_a_wide_disjunction_becomes_one_predicate() -> None:
    rows = [f"(q {a} {b})" for a, b in product(("?x", "?y", *OBJECTS), repeat=2)]
    alternatives, conditions = alternatives_of(f"(or {' '.join(rows)})")
    assert len(alternatives) == len(conditions.definitions) == 1
    assert conditions.definitions[0].parameters == (Typed("?x", ("object",)), Typed("?y", ("object",)))


def test_equal_definitions_are_made_once() -> None:
    universal = "(forall (?z) (or (p ?z) (q ?z ?x) (flag)))"
    parsed = parsed_with(f"(and {universal} {universal})")
    conditions = conditions_of(parsed)
    formula = parsed.domain.actions[1].precondition
    assert isinstance(formula, And)
    for _ in range(3):
        conditions.alternatives(formula.parts[0], parsed.domain.actions[1].parameters)
    assert len(conditions.definitions) == 1


# ---- quantifiers


def test_a_universal_over_a_static_guard_is_written_out() -> None:
    alternatives, conditions = alternatives_of("(forall (?z) (imply (s ?z) (p ?z)))")
    assert alternatives == (Alternative((), (Atom("p", ("t0",)), Atom("p", ("l0",)))),)
    assert conditions.definitions == []


def test_a_universal_over_a_conjunction_is_written_out() -> None:
    alternatives, conditions = alternatives_of("(forall (?z - thing) (and (p ?z) (not (q ?z ?x))))")
    assert set(alternatives[0].literals) == {
        Atom("p", ("t0",)), Atom("p", ("t1",)), Not(Atom("q", ("t0", "?x"))), Not(Atom("q", ("t1", "?x"))),
    }  # fmt: skip
    assert conditions.definitions == []


def test_any_other_universal_is_the_negation_of_a_counterexample() -> None:
    alternatives, conditions = alternatives_of("(forall (?z) (or (p ?z) (q ?z ?x)))")
    ((literal,),) = [alternative.literals for alternative in alternatives]
    (definition,) = conditions.definitions
    assert literal == Not(definition.head)
    assert definition.head.arguments == ("?x",)
    assert isinstance(definition.body, Exists)


def test_an_unused_existential_variable_is_dropped() -> None:
    alternatives, _ = alternatives_of("(exists (?z ?w) (and (flag) (p ?w)))")
    assert [[each.name for each in alternative.variables] for alternative in alternatives] == [["?w"]]
    alternatives, _ = alternatives_of("(exists (?z) (flag))")
    assert alternatives == (Alternative((), (Atom("flag", ()),)),)


def test_quantifiers_over_an_empty_type() -> None:
    assert alternatives_of("(exists (?z - nothing) (flag))")[0] == ()
    assert alternatives_of("(forall (?z - nothing) (and (flag) (p ?z)))")[0] == (Alternative((), ()),)
    assert alternatives_of("(or (p ?x) (exists (?z - nothing ?w) (p ?w)))")[0] == (
        Alternative((), (Atom("p", ("?x",)),)),
    )


def test_variables_of_two_quantifiers_stay_apart() -> None:
    alternatives, _ = alternatives_of("(and (exists (?z) (p ?z)) (exists (?z) (q ?z ?z)) (exists (?x) (s ?x)))")
    names = [each.name for each in alternatives[0].variables]
    assert len(set(names)) == 3
    assert not {"?x", "?y"} & set(names)


# ---- effects


def test_nested_effects_become_flat() -> None:
    effect = """(and (p ?x) (forall (?z - thing) (when (s ?z) (and (not (q ?z ?x)) (when (flag)
      (forall (?w) (p ?w)))))) (when (p ?y) (not (flag))))"""
    flat = flatten(parsed_with("(and)", effect).domain.actions[1].effect)
    z, w = Typed("?z", ("thing",)), Typed("?w", ("object",))
    s, flag = Atom("s", ("?z",)), Atom("flag", ())
    assert [(each.variables, each.condition, each.deletes, each.atom) for each in flat] == [
        ((), And(()), False, Atom("p", ("?x",))),
        ((z,), s, True, Atom("q", ("?z", "?x"))),
        ((z, w), And((s, flag)), False, Atom("p", ("?w",))),
        ((), Atom("p", ("?y",)), True, flag),
    ]


def test_an_action_without_effects_stays() -> None:
    assert [schema.name for schema in normalize(parsed_with("(flag)")).schemas] == ["touch", "a"]


def test_one_schema_per_alternative_of_the_precondition() -> None:
    schemas = normalize(parsed_with("(or (p ?x) (exists (?z) (q ?x ?z)))", "(flag)")).schemas[1:]
    assert [(schema.name, len(schema.parameters), schema.visible) for schema in schemas] == [("a", 2, 2), ("a", 3, 2)]


# ---- once for many problems


def ready(precondition: str, effect: str = "(flag)") -> bool:
    return ready_actions(parsed_with(precondition, effect).domain)[1].common is not None


def test_what_depends_on_the_problem_is_not_ready() -> None:
    assert ready("(and (p ?x) (not (q ?x ?y)))", "(forall (?z) (when (or (p ?z) (flag)) (q ?z ?x)))")
    assert ready("(imply (p ?x) (or (q ?x ?y) (not (= ?x ?y))))")
    assert not ready("(or (flag) (exists (?z) (p ?z)))")
    assert not ready("(not (imply (forall (?z) (p ?z)) (flag)))")
    assert not ready("(flag)", "(when (forall (?z) (p ?z)) (p ?x))")
    many = " ".join(f"(or (q t{i} ?x) (q t{j} ?y))" for i in (0, 1) for j in (0, 1))
    assert not ready(f"(and {many} {many})")  # too many alternatives: auxiliary predicates


@pytest.mark.slow
@pytest.mark.parametrize("kind", FEATURES)
def test_ready_actions_are_those_of_the_problem(kind: str) -> None:
    found = 0
    for seed in range(30):
        parsed = random_task(kind, seed).parsed()
        actions = ready_actions(parsed.domain)
        found += sum(each.common is not None for each in actions)
        late = tuple(ReadyAction(each.action, each.effects, None) for each in actions)
        one, other = normalize(parsed, actions=actions), normalize(parsed, actions=late)
        assert frozen.values(one)[1:] == frozen.values(other)[1:]  # all but the types
    assert found


# ---- derived predicates


def rule(head: str, *body: str) -> Axiom:
    literals = [Not(Atom(name[1:], ())) if name.startswith("-") else Atom(name, ()) for name in body]
    return Axiom(Atom(head, ()), (), tuple(literals), 0)


def strata(*rules: Axiom) -> dict[str, int]:
    return {axiom.head.predicate: axiom.stratum for axiom in stratified(rules)}


def test_strata_are_the_lowest_possible() -> None:
    assert strata(rule("a", "x"), rule("b", "a"), rule("c", "-b"), rule("d", "c", "-a"), rule("e", "-d", "-x")) == {
        "a": 0, "b": 0, "c": 1, "d": 1, "e": 2,
    }  # fmt: skip
    assert strata(rule("z", "-y"), rule("y", "-x1"), rule("x1", "-w"), rule("w")) == {"w": 0, "x1": 1, "y": 2, "z": 3}


def test_positive_recursion_is_fine() -> None:
    assert strata(rule("a", "b"), rule("b", "a"), rule("b", "-x"), rule("c", "-a", "c")) == {"a": 0, "b": 0, "c": 1}


@pytest.mark.parametrize(
    "rules",
    [
        [rule("a", "-a")],
        [rule("a", "-b"), rule("b", "c"), rule("c", "a")],
        [rule("x"), rule("a", "-b"), rule("b", "-c"), rule("c", "-a"), rule("y", "-a")],
    ],
)
def test_a_cycle_through_a_negation_is_refused(rules: list[Axiom]) -> None:
    with pytest.raises(NotStratified) as error:
        stratified(rules)
    assert error.value.predicate in {"a", "b", "c"}


def test_the_error_stands_at_the_rule() -> None:
    rules = """(:derived (d2) (flag))
      (:derived (d ?x) (not (exists (?y) (and (q ?x ?y) (d ?y)))))
      (:derived (d3) (not (d t0)))"""
    parsed = parsed_with("(and)", rules=rules)
    with pytest.raises(PddlError, match='derived predicate "d" depends on its own negation') as error:
        normalize(parsed)
    (place,) = [each.place for each in parsed.domain.derived if each.head == "d"]
    assert (error.value.line, error.value.column) == (place.line, place.column)
