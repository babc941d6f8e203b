"""What the names mean: types, objects, predicates and functions, and whether an atom agrees with them."""

from __future__ import annotations

from banditplan.checks import now_and_then, portions, unchecked
from banditplan.pddl.faults import Fault, quoted, similar
from banditplan.pddl.syntax import Atom, FunctionTerm, Signature, Typed
from banditplan.pddl.typed import Types, shown_types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from banditplan.checks import Check
    from banditplan.pddl.syntax import Add, Delete
    from banditplan.pddl.tokens import Node

# The words of formulas and effects; none of them can name a predicate.
RESERVED = ("and", "or", "not", "imply", "exists", "forall", "when", "=", "increase")
TOTAL_COST = Signature("total-cost", ())


class Names:
    """All that is declared. `used` collects the requirements that the text turns out to need."""

    def __init__(
        self,
        types: Types,
        objects: dict[str, tuple[str, ...]],
        predicates: dict[str, Signature],
        functions: dict[str, Signature],
        derived: frozenset[str],
        check: Check = unchecked,
    ) -> None:
        self.types = types
        self.objects = objects
        self.predicates = predicates
        self.functions = functions
        self.derived = derived
        self.check = now_and_then(check)
        self.used: set[str] = set()
        # What was found right and has no variables, shared between all its occurrences.
        self.ground: dict[tuple[str, ...], Atom] = {
            (name,): Atom(name, ()) for name, each in predicates.items() if not each.parameters
        }
        self.adds: dict[tuple[str, ...], Add] = {}
        self.deletes: dict[tuple[str, ...], Delete] = {}
        self._groups: dict[tuple[str, ...], list[str]] = {}
        for part in portions(list(objects), check):
            for name in part:
                self._groups.setdefault(objects[name], []).append(name)
        self._members: dict[tuple[str, ...], frozenset[str]] = {}
        self._slots: dict[str, list[frozenset[str]]] = {}

    def members(self, types: tuple[str, ...]) -> frozenset[str]:
        """The objects of these types."""
        known = self._members.get(types)
        if known is None:
            fitting = [names for its_types, names in self._groups.items() if self.types.below(its_types, types)]
            known = self._members[types] = frozenset().union(*fitting)
        return known

    def fact(self, node: tuple[str, ...]) -> Atom:
        """An atom whose arguments are objects."""
        slots = self._slots.get(node[0]) if node else None
        if slots is not None and len(slots) == len(node) - 1:
            arguments = node[1:]
            for argument, members in zip(arguments, slots, strict=True):
                if argument not in members:
                    break
            else:
                return Atom(node[0], arguments)
        signature = self.predicate(node)
        self._slots[signature.name] = [self.members(parameter.types) for parameter in signature.parameters]
        return Atom(signature.name, self.arguments(node, signature, {}))

    def predicate(self, node: Node) -> Signature:
        """The declaration of the predicate that `node` applies."""
        if not node:
            raise Fault(node, 0, "expected a predicate")
        head = node[0]
        if not isinstance(head, str):
            raise Fault(node, 0, f"expected a predicate, found {quoted(head)}")
        if head in RESERVED:
            raise Fault(node, 0, f"{quoted(head)} cannot stand here; expected a predicate")
        signature = self.predicates.get(head)
        if signature is None:
            raise Fault(node, 0, f"unknown predicate {quoted(head)}{similar(head, [*self.predicates, *RESERVED])}")
        return signature

    def function(self, node: Node) -> Signature:
        """The declaration of the function that `node` applies; total-cost needs none."""
        head = node[0] if node else ""
        if not isinstance(head, str) or not head:
            raise Fault(node, 0, "expected the name of a function")
        signature = self.functions.get(head)
        if signature is None and head == "total-cost":
            return TOTAL_COST
        if signature is None:
            raise Fault(node, 0, f"unknown function {quoted(head)}{similar(head, ['total-cost', *self.functions])}")
        return signature

    def function_term(self, node: Node, variables: dict[str, Typed]) -> FunctionTerm:
        signature = self.function(node)
        return FunctionTerm(signature.name, self.arguments(node, signature, variables))

    def arguments(self, node: Node, signature: Signature, variables: dict[str, Typed]) -> tuple[str, ...]:
        """The arguments of an atom or a function term, variables under their distinct names."""
        parameters = signature.parameters
        if len(node) - 1 != len(parameters):
            raise _wrong_arity(node, signature)
        arguments = []
        for index, parameter in enumerate(parameters, 1):
            term = node[index]
            if isinstance(term, str) and term in self.members(parameter.types):
                arguments.append(term)
            else:
                name, types = self.term(node, index, variables)
                if name[0] != "?" or not self.types.overlap(types, parameter.types):
                    raise _wrong_type(node, index, types, signature)
                arguments.append(name)
        return tuple(arguments)

    def term(self, node: Node, index: int, variables: dict[str, Typed]) -> tuple[str, tuple[str, ...]]:
        """The variable or object at `node[index]` with its types, variables under their distinct names."""
        term = node[index]
        if not isinstance(term, str):
            raise Fault(node, index, f"expected a variable or an object, found {quoted(term)}")
        variable = variables.get(term)
        if variable is not None:
            return variable.name, variable.types
        types = self.objects.get(term)
        if types is None:
            kind = "variable" if term[0] == "?" else "object"
            raise Fault(node, index, f"unknown {kind} {quoted(term)}{similar(term, [*variables, *self.objects])}")
        return term, types


def declaration(signature: Signature) -> str:
    """A predicate or function as its declaration is written."""
    parameters = [
        f" {each.name}" if each.types == ("object",) else f" {each.name} - {shown_types(each.types)}"
        for each in signature.parameters
    ]
    return f"({signature.name}{''.join(parameters)})"


def _wrong_arity(node: Node, signature: Signature) -> Fault:
    expected, found = len(signature.parameters), len(node) - 1
    message = f"{quoted(signature.name)} takes {expected} argument{'s' * (expected != 1)}, found {found}"
    # The first argument too many, or the name that has too few.
    return Fault(
        node,
        expected + 1 if found > expected else 0,
        f"{message}; it is declared as {declaration(signature)}",
    )


def _wrong_type(node: Node, index: int, types: tuple[str, ...], signature: Signature) -> Fault:
    wanted = shown_types(signature.parameters[index - 1].types)
    message = f"{quoted(node[index])} is of type {shown_types(types)}, but argument {index} of {declaration(signature)}"
    return Fault(node, index, f"{message} must be of type {wanted}")
