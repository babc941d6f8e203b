"""Groups to effects. Costs stand beside the effect: `(increase (total-cost) …)` gives a term of the sum."""

from __future__ import annotations

from banditplan.pddl.faults import Fault, Unsupported, quoted
from banditplan.pddl.formulas import expect, read_atom, read_formula
from banditplan.pddl.numbers import read_number
from banditplan.pddl.syntax import Add, Delete, ForEach, Together, When

TYPE_CHECKING = False
if TYPE_CHECKING:
    from banditplan.pddl.formulas import Scope
    from banditplan.pddl.syntax import Atom, Cost, Effect
    from banditplan.pddl.tokens import Node

UNSUPPORTED = {
    "assign": "numeric effects",
    "decrease": "numeric effects",
    "scale-up": "numeric effects",
    "scale-down": "numeric effects",
    "oneof": "non-deterministic effects",
    "probabilistic": "probabilistic effects",
}
NOTHING = Together(())


def read_effect(parent: Node, index: int, scope: Scope, costs: list[Cost] | None) -> Effect:
    """The effect at `parent[index]`; cost terms go to `costs`, which is None where they may not stand."""
    node = parent[index]
    if isinstance(node, str):
        raise Fault(parent, index, f"expected an effect in parentheses, found {quoted(node)}")
    if not node:
        return NOTHING
    head = node[0]
    if not isinstance(head, str):
        raise Fault(node, 0, f'expected a predicate or a word such as "and", found {quoted(head)}')
    if head in scope.names.predicates:
        return _addition(node, scope)
    if head == "not":
        return _deletion(node, scope)
    if head == "and":
        return _together(node, scope, costs)
    if head == "when":
        expect(node, 2, "a condition and an effect")
        scope.names.used.add(":conditional-effects")
        return When(read_formula(node, 1, scope), read_effect(node, 2, scope, None))
    if head == "forall":
        expect(node, 2, "a list of variables and an effect")
        scope.names.used.add(":conditional-effects")
        inner, variables = scope.inner(node, 1)
        part = read_effect(node, 2, inner, None)
        return ForEach(variables, part) if variables else part
    if head == "increase":
        _increase(node, scope, costs)
        return NOTHING
    raise _refused(node, head, scope)


def _together(node: Node, scope: Scope, costs: list[Cost] | None) -> Together:
    parts: list[Effect] = []
    known = scope.names.adds.get
    for index in range(1, len(node)):
        item = node[index]
        # Additions seen before are the bulk of ground actions, so they are looked up on the spot.
        part = (known(item) if isinstance(item, tuple) else None) or read_effect(node, index, scope, costs)
        if part is not NOTHING:
            parts.append(part)
    return Together(tuple(parts))


def _addition(node: Node, scope: Scope) -> Add:
    addition = Add(_target(node, scope))
    if isinstance(node, tuple) and node in scope.names.ground:
        scope.names.adds[node] = addition
    return addition


def _deletion(node: Node, scope: Scope) -> Delete:
    expect(node, 1, "one atom")
    negated = node[1]
    if isinstance(negated, str):
        raise Fault(node, 1, f"expected an atom in parentheses, found {quoted(negated)}")
    known = scope.names.deletes.get(negated) if isinstance(negated, tuple) else None
    if known is not None:
        return known
    deletion = Delete(_target(negated, scope))
    if isinstance(negated, tuple) and negated in scope.names.ground:
        scope.names.deletes[negated] = deletion
    return deletion


def _target(node: Node, scope: Scope) -> Atom:
    atom = read_atom(node, scope)
    if atom.predicate in scope.names.derived:
        raise Fault(node, 0, f"the derived predicate {quoted(atom.predicate)} cannot be changed by an effect")
    return atom


def _increase(node: Node, scope: Scope, costs: list[Cost] | None) -> None:
    expect(node, 2, "(total-cost) and an amount")
    scope.names.used.add(":action-costs")
    if node[1] != ("total-cost",):
        raise Unsupported(node, 1, 'numeric effects are not supported; only "(total-cost)" can be increased')
    if costs is None:
        raise Unsupported(node, 0, 'conditional costs ("increase" inside "when" or "forall") are not supported')
    amount = node[2]
    if isinstance(amount, str):
        costs.append(read_number(node, 2))
    elif amount and amount[0] in ("+", "-", "*", "/"):
        raise Unsupported(amount, 0, f"arithmetic ({quoted(amount[0])}) in action costs is not supported")
    elif amount == ("total-cost",):
        raise Unsupported(amount, 0, "costs that depend on the total cost are not supported")
    else:
        costs.append(scope.names.function_term(amount, scope.variables))


def _refused(node: Node, head: str, scope: Scope) -> Fault:
    """Why the head of an effect is no good."""
    if head in UNSUPPORTED:
        return Unsupported(node, 0, f"{UNSUPPORTED[head]} ({quoted(head)}) are not supported")
    if head in ("or", "imply", "exists", "="):
        return Fault(node, 0, f'{quoted(head)} belongs in a condition; an effect has "and", "not", "forall", "when"')
    scope.names.predicate(node)
    raise AssertionError("the predicate is unknown")
