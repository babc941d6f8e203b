"""The table of contents of normalisation."""

from __future__ import annotations

from banditplan.checks import unchecked
from banditplan.errors import PddlError
from banditplan.normalize.axioms import NotStratified, stratified
from banditplan.normalize.conditions import Conditions
from banditplan.normalize.effects import flatten
from banditplan.normalize.task import Axiom, Normalized, Schema, SimpleEffect
from banditplan.normalize.types import TypeTable
from banditplan.pddl.syntax import TRUE, Atom

TYPE_CHECKING = False
if TYPE_CHECKING:
    from banditplan.checks import Check
    from banditplan.normalize.effects import FlatEffect
    from banditplan.pddl.syntax import Action, Formula, Parsed, Typed


def normalize(parsed: Parsed, check: Check = unchecked, *, fill_in: bool = False) -> Normalized:
    """The task with conjunctive conditions; raises PddlError if the axioms cannot be stratified. To `fill_in` is to put
    objects into universal conditions even where a negated auxiliary predicate would be smaller."""
    domain, problem = parsed.domain, parsed.problem
    flat = [flatten(action.effect) for action in domain.actions]
    types = TypeTable(domain, problem)
    conditions = Conditions(types, _static_atoms(parsed, flat), {rule.head for rule in domain.derived}, check, fill_in)
    schemas = tuple(
        schema
        for action, effects in zip(domain.actions, flat, strict=True)
        for schema in _schemas(action, effects, conditions)
    )
    goal = conditions.conjunction(problem.goal)
    axioms: list[Axiom] = []
    for rule in domain.derived:
        head = Atom(rule.head, tuple(typed.name for typed in rule.parameters))
        axioms += _axioms(head, rule.parameters, rule.body, conditions)
    # Definitions may need further definitions: the list grows while it is worked off.
    for definition in conditions.definitions:
        axioms += _axioms(definition.head, definition.parameters, definition.body, conditions)
    return Normalized(
        types=types,
        predicates=(*domain.predicates, *conditions.signatures()),
        functions=domain.functions,
        schemas=schemas,
        axioms=_stratified(axioms, parsed),
        init=problem.init,
        values=problem.values,
        goal=goal,
        unit_cost=not problem.minimize_cost,
    )


def _static_atoms(parsed: Parsed, flat: list[list[FlatEffect]]) -> dict[str, set[tuple[str, ...]]]:
    """The initial atoms of every predicate that neither actions nor axioms change."""
    changing = {effect.atom.predicate for effects in flat for effect in effects}
    changing.update(rule.head for rule in parsed.domain.derived)
    static: dict[str, set[tuple[str, ...]]] = {
        signature.name: set() for signature in parsed.domain.predicates if signature.name not in changing
    }
    for atom in parsed.problem.init:
        if atom.predicate in static:
            static[atom.predicate].add(atom.arguments)
    return static


def _schemas(action: Action, flat: list[FlatEffect], conditions: Conditions) -> list[Schema]:
    """One schema per alternative of the precondition."""
    effects = tuple(simple for effect in flat for simple in _effects(effect, action.parameters, conditions))
    return [
        Schema(
            action.name,
            action.parameters + alternative.variables,
            len(action.parameters),
            alternative.literals,
            effects,
            action.cost,
        )
        for alternative in conditions.alternatives(action.precondition, action.parameters)
    ]


def _effects(effect: FlatEffect, parameters: tuple[Typed, ...], conditions: Conditions) -> list[SimpleEffect]:
    """One effect per alternative of the condition."""
    if effect.condition is TRUE:
        return [SimpleEffect(effect.variables, (), effect.deletes, effect.atom)]
    return [
        SimpleEffect(effect.variables + alternative.variables, alternative.literals, effect.deletes, effect.atom)
        for alternative in conditions.alternatives(effect.condition, (*parameters, *effect.variables))
    ]


def _axioms(head: Atom, parameters: tuple[Typed, ...], body: Formula, conditions: Conditions) -> list[Axiom]:
    return [
        Axiom(head, parameters + alternative.variables, alternative.literals, 0)
        for alternative in conditions.alternatives(body, parameters, most=None)
    ]


def _stratified(axioms: list[Axiom], parsed: Parsed) -> tuple[Axiom, ...]:
    try:
        return stratified(axioms)
    except NotStratified as cycle:
        rule = next((rule for rule in parsed.domain.derived if rule.head == cycle.predicate), parsed.domain.derived[0])
        raise PddlError.at(
            rule.place,
            f'derived predicate "{rule.head}" depends on its own negation; '
            "derived predicates must be stratified: remove the cycle through a negation",
        ) from None
