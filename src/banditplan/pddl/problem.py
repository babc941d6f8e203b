"""The problem: objects, initial state, goal and metric, in the light of its domain."""

from __future__ import annotations

from banditplan.checks import now_and_then, portions
from banditplan.pddl.faults import Enough, Fault, Unsupported, index_of, quoted
from banditplan.pddl.formulas import outer_scope, read_formula
from banditplan.pddl.names import RESERVED, Names
from banditplan.pddl.numbers import is_number, read_number
from banditplan.pddl.syntax import TRUE, Problem
from banditplan.pddl.typed import declared_once, shown_types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from banditplan.checks import Check
    from banditplan.pddl.faults import Faults
    from banditplan.pddl.sections import Define
    from banditplan.pddl.syntax import Atom, Formula, FunctionTerm, Typed
    from banditplan.pddl.tokens import Node


def read_problem(
    define: Define, domain_name: str, domain_names: Names, warnings: list[str], check: Check, faults: Faults
) -> tuple[Problem, Names]:
    """The problem, and the names with which it was read; without what has faults."""
    init: tuple[Atom, ...] = ()
    values: tuple[tuple[FunctionTerm, int], ...] = ()
    goal: Formula = TRUE
    minimize = False
    with faults:
        _check_domain_name(define, domain_name, warnings)
    try:
        objects, names = _read_objects(define, domain_names, warnings, check)
    except Fault as fault:
        faults.add(fault)
        raise Enough from None
    with faults:
        init, values = _read_init(_required(define, ":init"), names, now_and_then(check), faults)
    with faults:
        goal = _read_goal(_required(define, ":goal"), names)
    with faults:
        minimize = _read_metric(node) if (node := define.only(":metric")) else False
    if minimize or values:
        names.used.add(":action-costs")
    return Problem(define.name, objects, init, values, goal, minimize), names


def _required(define: Define, keyword: str) -> Node:
    node = define.only(keyword)
    if node is None:
        raise Fault(define.node, 0, f"the problem has no ({keyword} …)")
    return node


def _check_domain_name(define: Define, domain_name: str, warnings: list[str]) -> None:
    node = define.only(":domain")
    if node is None:
        warnings.append(f"{define.tree.source.name}: the problem does not name its domain, (:domain {domain_name})")
    elif len(node) != 2 or not isinstance(node[1], str):
        raise Fault(node, 0, 'expected "(:domain name)"')
    elif node[1] != domain_name:
        file = define.tree.source.name
        warnings.append(f'{file}: the problem is for the domain "{node[1]}", but the domain is "{domain_name}"')


def _read_objects(define: Define, names: Names, warnings: list[str], check: Check) -> tuple[tuple[Typed, ...], Names]:
    """The objects of the problem that are not constants already, and the names with all of them."""
    node = define.only(":objects")
    if node is None:
        return (), _with_objects(names, [], check)

    def warn(text: str) -> None:
        warnings.append(f"{define.tree.source.name}: {text}")

    objects = []
    repeated = []
    for part in portions(declared_once(node, "object", names.types.read, warn, check), check):
        for each in part:
            declared = names.objects.get(each.name)
            if declared is None:
                objects.append(each)
            elif declared == each.types:
                repeated.append(each.name)
            else:
                message = f"{quoted(each.name)} is a constant of the domain already, of type {shown_types(declared)}"
                raise Fault(node, index_of(node, each.name), message)
    if repeated:
        more = f" (and {len(repeated) - 1} more)" if len(repeated) > 1 else ""
        warn(f"object {quoted(repeated[0])}{more} is a constant already")
    all_names = _with_objects(names, objects, check)
    if "-" in node:
        all_names.used.add(":typing")
    return tuple(objects), all_names


def _with_objects(names: Names, objects: list[Typed], check: Check) -> Names:
    everything = dict(names.objects)
    for part in portions(objects, check):
        everything.update([(each.name, each.types) for each in part])
    return Names(names.types, everything, names.predicates, names.functions, names.derived, check)


def _read_init(
    node: Node, names: Names, check: Check, faults: Faults
) -> tuple[tuple[Atom, ...], tuple[tuple[FunctionTerm, int], ...]]:
    atoms: dict[Node, Atom] = {}
    values: dict[FunctionTerm, int] = {}
    for index in range(1, len(node)):
        check()
        item = node[index]
        try:
            if isinstance(item, tuple) and item and item[0] in names.predicates:
                if item not in atoms:
                    atoms[item] = _read_fact(item, names)
            elif isinstance(item, str):
                raise Fault(node, index, f"expected an atom in parentheses, found {quoted(item)}")
            elif item and item[0] == "=":
                _read_value(item, names, values)
            elif len(item) == 2 and item[0] == "not" and isinstance(item[1], tuple):
                _read_fact(item[1], names)
            else:
                raise _refused(item, names)
        except Fault as fault:
            faults.add(fault)
    return tuple(atoms.values()), tuple(values.items())


def _read_fact(node: tuple[str, ...], names: Names) -> Atom:
    atom = names.fact(node)
    if atom.predicate in names.derived:
        raise Fault(node, 0, f"the derived predicate {quoted(atom.predicate)} cannot be set in the initial state")
    return atom


def _read_value(node: Node, names: Names, values: dict[FunctionTerm, int]) -> None:
    """`(= (function …) number)`; the value of total-cost is checked and dropped."""
    if len(node) != 3:
        raise Fault(node, 0, f'"=" takes a function and a number, found {len(node) - 1}')
    function = node[1]
    if isinstance(function, str):
        raise Fault(node, 1, f"expected a function in parentheses, found {quoted(function)}")
    term = names.function_term(function, {})
    if isinstance(node[2], str) and not is_number(node[2]) and node[2] in names.objects:
        raise Unsupported(node, 2, "functions whose values are objects are not supported")
    value = read_number(node, 2)
    if term.name == "total-cost":
        return
    if values.setdefault(term, value) != value:
        raise Fault(node, 2, f"a second value for the same function; the first one is {values[term]}")


def _refused(node: Node, names: Names) -> Fault:
    """Why an element of the initial state is no good."""
    if len(node) == 3 and node[0] == "at" and isinstance(node[1], str) and is_number(node[1]):
        return Unsupported(node, 0, 'timed initial literals ("at") are not supported')
    if node and node[0] in RESERVED:
        return Fault(node, 0, f"the initial state is a list of atoms, without {quoted(node[0])}")
    signature = names.predicate(node)
    names.arguments(node, signature, {})
    raise AssertionError("a list is no argument")


def _read_goal(node: Node, names: Names) -> Formula:
    if len(node) < 2:
        raise Fault(node, 0, "the goal is missing; write (:goal (and)) for none")
    if len(node) > 2:
        raise Fault(node, 2, "the goal is a single condition; join several by (and …)")
    return read_formula(node, 1, outer_scope(names))


def _read_metric(node: Node) -> bool:
    if len(node) != 3:
        raise Fault(node, 0, 'expected "(:metric minimize (total-cost))"')
    if node[1] != "minimize":
        raise Unsupported(node, 1, f"the metric {quoted(node[1])} is not supported; only minimize (total-cost)")
    if node[2] != ("total-cost",) and node[2] != "total-cost":
        raise Unsupported(node, 2, f"the metric {quoted(node[2])} is not supported; only minimize (total-cost)")
    return True
