"""The validator against the plainest possible evaluation, on random conditions, effects and rules."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banditplan.errors import Place, Source
from banditplan.pddl.syntax import (
    TRUE,
    Action,
    Add,
    And,
    Atom,
    Delete,
    Derived,
    Domain,
    Equal,
    Exists,
    Forall,
    ForEach,
    Imply,
    Not,
    Or,
    Parsed,
    Problem,
    Signature,
    Together,
    Type,
    Typed,
    When,
)
from banditplan.plan import Step
from banditplan.validation import validate

if TYPE_CHECKING:
    from banditplan.pddl.syntax import Effect, Formula

Env = dict[str, str]
State = frozenset[Atom]

TYPES = (Type("animal", ("object",)), Type("dog", ("animal",)), Type("house", ("object",)), Type("ghost", ("object",)))
OBJECTS = (Typed("rex", ("dog",)), Typed("cat", ("animal",)), Typed("villa", ("house",)), Typed("it", ("object",)))
MEMBERS = {
    "object": ["rex", "cat", "villa", "it"],
    "animal": ["rex", "cat"],
    "dog": ["rex"],
    "house": ["villa"],
    "ghost": [],
}
ARITY = {"p": 1, "q": 2, "r": 2, "s": 3, "flag": 0}
RULES = {"low": 1, "far": 2, "high": 1}  # derived predicates in the order of their strata
NOWHERE = Place(Source("", ""), 0)
ATOMS = [Atom(name, row) for name, n in ARITY.items() for row in itertools.product(MEMBERS["object"], repeat=n)]

# ---- random inputs

types = st.sampled_from([("object",), ("animal",), ("dog",), ("house", "dog"), ("ghost",), ("object",), ("object",)])
states = st.frozensets(st.sampled_from(ATOMS), max_size=25)


def terms(scope: tuple[str, ...]) -> st.SearchStrategy[str]:
    objects = st.sampled_from(MEMBERS["object"])
    return st.one_of(st.sampled_from(scope), st.sampled_from(scope), objects) if scope else objects


@st.composite
def atoms(draw: st.DrawFn, scope: tuple[str, ...], predicates: dict[str, int]) -> Atom:
    name = draw(st.sampled_from(sorted(predicates)))
    return Atom(name, tuple([draw(terms(scope)) for _ in range(predicates[name])]))


@st.composite
def variables(draw: st.DrawFn) -> tuple[Typed, ...]:
    names = draw(st.lists(st.sampled_from(["?x", "?y", "?z"]), min_size=1, max_size=2, unique=True))
    return tuple([Typed(name, draw(types)) for name in names])


def inner(scope: tuple[str, ...], bound: tuple[Typed, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*scope, *(item.name for item in bound)]))


@st.composite
def formulas(
    draw: st.DrawFn, scope: tuple[str, ...], positive: dict[str, int], negative: dict[str, int], depth: int = 4
) -> Formula:
    """A formula that reads `positive` predicates below an even number of negations and `negative` ones elsewhere."""
    kind = draw(
        st.sampled_from(["atom", "equal", "not", "and", "or", "imply", "exists", "forall"] if depth else ["atom"])
    )

    def part(scope: tuple[str, ...] = scope, flip: bool = False) -> Formula:
        there, elsewhere = (negative, positive) if flip else (positive, negative)
        return draw(formulas(scope, there, elsewhere, depth - 1))

    if kind == "atom":
        return draw(atoms(scope, positive))
    if kind == "equal":
        return Equal(draw(terms(scope)), draw(terms(scope)))
    if kind == "not":
        return Not(part(flip=True))
    if kind == "imply":
        return Imply(part(flip=True), part())
    if kind in ("and", "or"):
        parts = tuple([part() for _ in range(draw(st.integers(0, 3)))])
        return And(parts) if kind == "and" else Or(parts)
    bound = draw(variables())
    body = part(inner(scope, bound))
    return Exists(bound, body) if kind == "exists" else Forall(bound, body)


@st.composite
def effects(draw: st.DrawFn, scope: tuple[str, ...], readable: dict[str, int], depth: int = 3) -> Effect:
    kind = draw(st.sampled_from(["add", "delete", "together", "each", "when"] if depth else ["add", "delete"]))
    if kind == "add":
        return Add(draw(atoms(scope, ARITY)))
    if kind == "delete":
        return Delete(draw(atoms(scope, ARITY)))
    if kind == "together":
        return Together(tuple(draw(st.lists(effects(scope, readable, depth - 1), max_size=3))))
    if kind == "when":
        return When(draw(formulas(scope, readable, readable, 3)), draw(effects(scope, readable, depth - 1)))
    bound = draw(variables())
    return ForEach(bound, draw(effects(inner(scope, bound), readable, depth - 1)))


@st.composite
def rules(draw: st.DrawFn) -> tuple[Derived, ...]:
    """Stratified rules: "high" may negate "low" and "far"; "low" and "far" may read each other."""
    found = []
    for head, arity in RULES.items():
        negative = {**ARITY, "low": 1, "far": 2} if head == "high" else ARITY
        positive = {**ARITY, **RULES} if head == "high" else {**ARITY, "low": 1, "far": 2}
        for _ in range(draw(st.integers(1, 2))):
            parameters = tuple([Typed(name, draw(types)) for name in ("?x", "?y")[:arity]])
            body = draw(formulas(tuple([item.name for item in parameters]), positive, negative))
            found.append(Derived(head, parameters, body, NOWHERE))
    return tuple(found)


# ---- the plainest evaluation


def assignments(bound: tuple[Typed, ...], env: Env) -> Iterator[Env]:
    choices = [[name for name in MEMBERS["object"] if any(name in MEMBERS[t] for t in item.types)] for item in bound]
    for values in itertools.product(*choices):
        yield {**env, **{item.name: value for item, value in zip(bound, values, strict=True)}}


def ground(atom: Atom, env: Env) -> Atom:
    return Atom(atom.predicate, tuple([env.get(term, term) for term in atom.arguments]))


def holds(formula: Formula, env: Env, state: State) -> bool:
    match formula:
        case Atom():
            return ground(formula, env) in state
        case Equal(left, right):
            return env.get(left, left) == env.get(right, right)
        case Not(part):
            return not holds(part, env, state)
        case And(parts):
            return all(holds(part, env, state) for part in parts)
        case Or(parts):
            return any(holds(part, env, state) for part in parts)
        case Imply(left, right):
            return not holds(left, env, state) or holds(right, env, state)
        case Exists(bound, part):
            return any(holds(part, inside, state) for inside in assignments(bound, env))
        case Forall(bound, part):
            return all(holds(part, inside, state) for inside in assignments(bound, env))


def changes(effect: Effect, env: Env, state: State) -> Iterator[Add | Delete]:
    match effect:
        case Add(atom):
            yield Add(ground(atom, env))
        case Delete(atom):
            yield Delete(ground(atom, env))
        case Together(parts):
            for part in parts:
                yield from changes(part, env, state)
        case ForEach(bound, part):
            for inside in assignments(bound, env):
                yield from changes(part, inside, state)
        case When(condition, part):
            if holds(condition, env, state):
                yield from changes(part, env, state)


def successor(effect: Effect, state: State, full: State) -> State:
    found = list(changes(effect, {}, full))
    deleted = {change.atom for change in found if isinstance(change, Delete)}
    return (state - deleted) | {change.atom for change in found if isinstance(change, Add)}


def close(state: State, derived: tuple[Derived, ...]) -> State:
    for heads in (("low", "far"), ("high",)):
        before = None
        while before != state:
            before = state
            for rule in derived:
                if rule.head in heads:
                    variables = tuple([item.name for item in rule.parameters])
                    for env in assignments(rule.parameters, {}):
                        if holds(rule.body, env, before):
                            state = state | {ground(Atom(rule.head, variables), env)}
    return state


# ---- the comparisons


def task(init: State, goal: Formula, effect: Effect, derived: tuple[Derived, ...] = ()) -> Parsed:
    predicates = tuple([Signature(name, (Typed("?o", ("object",)),) * n) for name, n in {**ARITY, **RULES}.items()])
    action = Action("go", (), TRUE, effect, (), NOWHERE)
    domain = Domain("random", TYPES, OBJECTS[:1], predicates, (), derived, (action,))
    ordered = tuple(sorted(init, key=lambda atom: (atom.predicate, atom.arguments)))
    return Parsed(domain, Problem("random", OBJECTS[1:], ordered, (), goal, False), ())


def exactly(state: State) -> Formula:
    return And(tuple([atom if atom in state else Not(atom) for atom in ATOMS]))


NOTHING = Together(())


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(states, formulas((), ARITY, ARITY, 5))
def test_conditions(state: State, formula: Formula) -> None:
    verdict = validate(task(state, formula, NOTHING), ())
    assert verdict.valid == holds(formula, {}, state)
    assert verdict.valid == (verdict.reason == "")


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(states, effects((), ARITY))
def test_effects(state: State, effect: Effect) -> None:
    after = state
    for _ in range(3):
        after = successor(effect, after, after)
    assert validate(task(state, exactly(after), effect), (Step("go", ()),) * 3).reason == ""


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(states, rules(), effects((), {**ARITY, **RULES}), formulas((), {**ARITY, **RULES}, {**ARITY, **RULES}))
def test_derived_predicates(state: State, derived: tuple[Derived, ...], effect: Effect, formula: Formula) -> None:
    after = successor(effect, state, close(state, derived))
    closed = close(after, derived)
    assert validate(task(state, exactly(after), effect, derived), (Step("go", ()),)).reason == ""
    # The step may have read derived predicates: their tables must be made anew behind it.
    goal = And((formula, *[atom for atom in closed if atom.predicate in RULES]))
    verdict = validate(task(state, goal, effect, derived), (Step("go", ()),))
    assert verdict.valid == holds(formula, {}, closed)
    for name, arity in RULES.items():
        for row in itertools.product(MEMBERS["object"], repeat=arity):
            atom = Atom(name, row)
            assert validate(task(after, atom, NOTHING, derived), ()).valid == (atom in closed)
