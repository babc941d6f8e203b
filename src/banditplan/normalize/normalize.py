"""The table of contents of normalisation."""

from __future__ import annotations

from banditplan.checks import portions, unchecked
from banditplan.errors import PddlError
from banditplan.normalize.actions import ready_actions
from banditplan.normalize.axioms import NotStratified, stratified
from banditplan.normalize.conditions import Conditions
from banditplan.normalize.task import Axiom, Normalized
from banditplan.normalize.types import TypeTable
from banditplan.pddl.syntax import Atom

TYPE_CHECKING = False
if TYPE_CHECKING:
    from banditplan.checks import Check
    from banditplan.normalize.actions import ReadyAction
    from banditplan.pddl.syntax import Formula, Parsed, Typed


def normalize(
    parsed: Parsed,
    check: Check = unchecked,
    *,
    actions: tuple[ReadyAction, ...] | None = None,
    fill_in: bool = False,
) -> Normalized:
    """The task with conjunctive conditions; raises PddlError if the axioms cannot be stratified.

    `actions` are those of the domain, if they are ready from an earlier problem. To `fill_in` is to put objects into
    universal conditions even where a negated auxiliary predicate would be smaller.
    """
    domain, problem = parsed.domain, parsed.problem
    if actions is None:
        actions = ready_actions(domain, check)
    types = TypeTable(domain.types, (*domain.constants, *problem.objects), check)
    static = _static_atoms(parsed, actions, check)
    conditions = Conditions(types, static, {rule.head for rule in domain.derived}, check, fill_in)
    schemas = tuple([schema for action in actions for schema in action.schemas(conditions)])
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


def _static_atoms(parsed: Parsed, actions: tuple[ReadyAction, ...], check: Check) -> dict[str, set[tuple[str, ...]]]:
    """The initial atoms of every predicate that neither actions nor axioms change."""
    changing = {effect.atom.predicate for action in actions for effect in action.effects}
    changing.update(rule.head for rule in parsed.domain.derived)
    static: dict[str, set[tuple[str, ...]]] = {
        signature.name: set() for signature in parsed.domain.predicates if signature.name not in changing
    }
    for part in portions(parsed.problem.init, check):
        for atom in part:
            if atom.predicate in static:
                static[atom.predicate].add(atom.arguments)
    return static


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
