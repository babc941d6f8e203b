"""Groups to formulas. Quantified variables get names that are distinct within an action, rule or goal."""

from __future__ import annotations

from banditplan.pddl.faults import Fault, Unsupported, quoted
from banditplan.pddl.syntax import TRUE, And, Atom, Equal, Exists, Forall, Imply, Not, Or, Typed
from banditplan.pddl.typed import typed_list

TYPE_CHECKING = False
if TYPE_CHECKING:
    from banditplan.pddl.names import Names
    from banditplan.pddl.syntax import Formula
    from banditplan.pddl.tokens import Node

NUMERIC = ("<", "<=", ">", ">=")


class Scope:
    """The variables that can be used at a spot, by the name they have in the text.

    `taken` holds all names given so far in the action, rule or goal, inside and outside of this scope,
    each with the last number that was put behind it.
    """

    def __init__(self, names: Names, variables: dict[str, Typed], taken: dict[str, int]) -> None:
        self.names = names
        self.variables = variables
        self.taken = taken

    def inner(self, parent: Node, index: int) -> tuple[Scope, tuple[Typed, ...]]:
        """The scope behind a quantifier, whose variables stand at `parent[index]`."""
        node = parent[index]
        if isinstance(node, str):
            raise Fault(parent, index, f"expected a list of variables in parentheses, found {quoted(node)}")
        variables = {}
        for typed in typed_list(node, 0, "variable", self.names.types.read):
            variables[typed.name] = Typed(self._distinct(typed.name), typed.types)
        return Scope(self.names, {**self.variables, **variables}, self.taken), tuple(variables.values())

    def _distinct(self, name: str) -> str:
        distinct, number = name, self.taken.get(name, 0)
        while distinct in self.taken:
            number += 1
            distinct = f"{name}@{number}"
        self.taken[name] = number
        self.taken[distinct] = 0
        return distinct


def outer_scope(names: Names, parameters: tuple[Typed, ...] = ()) -> Scope:
    """The scope of a whole action, rule or goal."""
    variables = {each.name: each for each in parameters}
    return Scope(names, variables, dict.fromkeys(variables, 0))


def read_formula(parent: Node, index: int, scope: Scope) -> Formula:
    """The formula at `parent[index]`; `()` is true."""
    node = parent[index]
    if isinstance(node, str):
        raise Fault(parent, index, f"expected a condition in parentheses, found {quoted(node)}")
    if not node:
        return TRUE
    head = node[0]
    names = scope.names
    if not isinstance(head, str):
        raise Fault(node, 0, f'expected a predicate or a word such as "and", found {quoted(head)}')
    if head in names.predicates:
        return read_atom(node, scope)
    if head == "and":
        try:
            return And(tuple(map(names.ground.__getitem__, node[1:])))  # type: ignore[arg-type]
        except (KeyError, TypeError):
            # Not all parts are known atoms without variables (lists cannot even be looked up).
            return And(tuple([read_formula(node, i, scope) for i in range(1, len(node))]))
    if head == "or":
        names.used.add(":disjunctive-preconditions")
        return Or(tuple([read_formula(node, i, scope) for i in range(1, len(node))]))
    if head == "not":
        return _negation(node, scope)
    if head == "imply":
        expect(node, 2, "two conditions")
        names.used.add(":disjunctive-preconditions")
        return Imply(read_formula(node, 1, scope), read_formula(node, 2, scope))
    if head == "exists" or head == "forall":
        return _quantified(node, scope)
    if head == "=":
        return _equality(node, scope)
    raise _refused(node, scope)


def read_atom(node: Node, scope: Scope) -> Atom:
    """An atom of a declared predicate."""
    names = scope.names
    if isinstance(node, tuple):
        known = names.ground.get(node)
        if known is not None:
            return known
    signature = names.predicate(node)
    atom = Atom(signature.name, names.arguments(node, signature, scope.variables))
    if isinstance(node, tuple) and not any(argument[0] == "?" for argument in atom.arguments):
        names.check()
        names.ground[node] = atom
    return atom


def _negation(node: Node, scope: Scope) -> Not:
    expect(node, 1, "one condition")
    part = read_formula(node, 1, scope)
    if isinstance(part, Atom):
        scope.names.used.add(":negative-preconditions")
    elif not isinstance(part, Equal):
        scope.names.used.add(":disjunctive-preconditions")
    return Not(part)


def _quantified(node: Node, scope: Scope) -> Formula:
    expect(node, 2, "a list of variables and a condition")
    inner, variables = scope.inner(node, 1)
    universal = node[0] == "forall"
    scope.names.used.add(":universal-preconditions" if universal else ":existential-preconditions")
    part = read_formula(node, 2, inner)
    if not variables:
        return part
    return Forall(variables, part) if universal else Exists(variables, part)


def _equality(node: Node, scope: Scope) -> Equal:
    expect(node, 2, "two terms")
    if not (isinstance(node[1], str) and isinstance(node[2], str)):
        raise Unsupported(node, 0, "numeric conditions are not supported")
    scope.names.used.add(":equality")
    left, _ = scope.names.term(node, 1, scope.variables)
    right, _ = scope.names.term(node, 2, scope.variables)
    return Equal(left, right)


def expect(node: Node, count: int, what: str) -> None:
    """Complain unless the keyword `node[0]` has so many arguments."""
    found = len(node) - 1
    if found != count:
        # The first argument too many, or the keyword that has too few.
        raise Fault(node, count + 1 if found > count else 0, f"{quoted(node[0])} takes {what}, found {found}")


def _refused(node: Node, scope: Scope) -> Fault:
    """Why the head of a formula is no good."""
    if node[0] in NUMERIC:
        return Unsupported(node, 0, f"numeric conditions ({quoted(node[0])}) are not supported")
    if node[0] == "preference":
        return Unsupported(node, 0, 'preferences ("preference") are not supported')
    if node[0] == "when":
        return Fault(node, 0, '"when" belongs in an effect; a condition has "imply"')
    scope.names.predicate(node)
    raise AssertionError("the predicate is unknown")
