"""The domain: declarations first, wherever they stand, then rules and actions in their light."""

from __future__ import annotations

from banditplan.pddl.effects import NOTHING, read_effect
from banditplan.pddl.faults import Fault, Unsupported, index_of, quoted, similar
from banditplan.pddl.formulas import outer_scope, read_formula
from banditplan.pddl.names import RESERVED, Names, declaration
from banditplan.pddl.sections import read_word
from banditplan.pddl.syntax import TRUE, Action, Derived, Domain, Signature, Typed
from banditplan.pddl.typed import OBJECT, Types, declared_once, read_types, typed_list

TYPE_CHECKING = False
if TYPE_CHECKING:
    from banditplan.checks import Check
    from banditplan.errors import Place
    from banditplan.pddl.faults import Faults
    from banditplan.pddl.sections import Define
    from banditplan.pddl.syntax import Cost, Formula
    from banditplan.pddl.tokens import Node

ACTION_KEYS = [":parameters", ":precondition", ":effect"]
USUAL_ACTION = {":parameters": 3, ":precondition": 5, ":effect": 7}


def read_domain(define: Define, warnings: list[str], check: Check, faults: Faults) -> tuple[Domain, Names]:
    """The domain, and its names for reading a problem of it; without what has faults."""

    def warn(text: str) -> None:
        warnings.append(f"{define.tree.source.name}: {text}")

    types = Types()
    constants: list[Typed] = []
    functions: dict[str, Signature] = {}
    with faults:
        types = read_types(node, warn) if (node := define.only(":types")) else types
    with faults:
        constants = declared_once(node, "constant", types.read, warn) if (node := define.only(":constants")) else []
    predicates = _read_predicates(node, types, faults) if (node := define.only(":predicates")) else {}
    with faults:
        functions = _read_functions(node, types) if (node := define.only(":functions")) else {}
    heads = []
    for node in define.all(":derived"):
        with faults:
            heads.append(_derived_head(node, predicates))
    faults.settle()
    objects = {each.name: each.types for each in constants}
    names = Names(types, objects, predicates, functions, frozenset(heads), check)
    rules = []
    for index, node in define.sections.get(":derived", ()):
        with faults:
            rules.append(_read_derived(node, names, define.place(index)))
    actions: dict[str, Action] = {}
    for index, node in define.sections.get(":action", ()):
        check()
        with faults:
            action = _read_action(node, names, define.place(index), faults)
            if actions.setdefault(action.name, action) is not action:
                raise Fault(node, 1, f"action {quoted(action.name)} is defined twice")
    _note_uses(define, names)
    domain = Domain(
        define.name,
        types.declared,
        tuple(constants),
        tuple(predicates.values()),
        tuple(functions.values()),
        tuple(rules),
        tuple(actions.values()),
    )
    return domain, names


def _note_uses(define: Define, names: Names) -> None:
    if names.types.used or define.only(":types"):
        names.used.add(":typing")
    if define.only(":functions"):
        names.used.add(":action-costs")
    if names.derived:
        names.used.add(":derived-predicates")


def _read_predicates(node: Node, types: Types, faults: Faults) -> dict[str, Signature]:
    predicates: dict[str, Signature] = {}
    for index in range(1, len(node)):
        with faults:
            _add_signature(predicates, node, index, "predicate", types)
    # Some domains declare the built-in equality.
    predicates.pop("=", None)
    return predicates


def _read_functions(node: Node, types: Types) -> dict[str, Signature]:
    """The functions; each may be followed by `- number`, any other type would make it an object fluent."""
    functions: dict[str, Signature] = {}
    index = 1
    while index < len(node):
        if node[index] == "-" and index > 1:
            if read_word(node, index + 1, 'a type after "-"') != "number":
                raise Unsupported(node, index + 1, "functions whose values are objects are not supported")
            index += 1
        else:
            _add_signature(functions, node, index, "function", types)
        index += 1
    return functions


def _add_signature(known: dict[str, Signature], parent: Node, index: int, kind: str, types: Types) -> None:
    node = parent[index]
    if isinstance(node, str):
        raise Fault(parent, index, f"expected a {kind} in parentheses, found {quoted(node)}")
    name = read_word(node, 0, f"the name of a {kind}")
    if (name in RESERVED and name != "=") or name[0] in "?:":
        raise Fault(node, 0, f"{quoted(name)} cannot be the name of a {kind}")
    if name in known:
        raise Fault(node, 0, f"{kind} {quoted(name)} is declared twice; the first time as {declaration(known[name])}")
    # Some domains leave out or repeat the names of the variables, which mean nothing here.
    known[name] = Signature(name, tuple(typed_list(node, 1, "variable", types.read, repeats=True)))


def _derived_head(node: Node, predicates: dict[str, Signature]) -> str:
    if len(node) != 3:
        raise Fault(node, 0, "a derived predicate needs a head and a condition: (:derived (p ?x) (…))")
    head = node[1]
    if isinstance(head, str) or not head:
        raise Fault(node, 1, "expected the head of the derived predicate, such as (p ?x)")
    name = read_word(head, 0, "the name of the derived predicate")
    if name not in predicates:
        raise Fault(head, 0, f"unknown predicate {quoted(name)}{similar(name, predicates)}")
    return name


def _read_derived(node: Node, names: Names, place: Place) -> Derived:
    head = node[1]
    assert not isinstance(head, str)
    signature = names.predicate(head)
    given = typed_list(head, 1, "variable", names.types.read)
    if len(given) != len(signature.parameters):
        expected = len(signature.parameters)
        message = f"{quoted(signature.name)} takes {expected} argument{'s' * (expected != 1)}, found {len(given)}"
        raise Fault(head, 0, f"{message}; it is declared as {declaration(signature)}")
    parameters = []
    for typed, declared in zip(given, signature.parameters, strict=True):
        if not names.types.overlap(typed.types, declared.types):
            message = f"the type of {quoted(typed.name)} contradicts the declaration {declaration(signature)}"
            raise Fault(head, index_of(head, typed.name), message)
        parameters.append(Typed(typed.name, declared.types) if typed.types == OBJECT else typed)
    body = read_formula(node, 2, outer_scope(names, tuple(parameters)))
    return Derived(signature.name, tuple(parameters), body, place)


def _read_action(node: Node, names: Names, place: Place, faults: Faults) -> Action:
    name = read_word(node, 1, "the name of the action")
    if name[0] in "?:":
        raise Fault(node, 1, f"expected the name of the action, found {quoted(name)}")
    at = _action_keys(node)
    parameters: tuple[Typed, ...] = ()
    if ":parameters" in at:
        index = at[":parameters"]
        variables = node[index]
        if isinstance(variables, str):
            raise Fault(node, index, f"expected a list of variables in parentheses, found {quoted(variables)}")
        parameters = tuple(typed_list(variables, 0, "variable", names.types.read))
    scope = outer_scope(names, parameters)
    costs: list[Cost] = []
    precondition: Formula = TRUE
    with faults:
        precondition = read_formula(node, at[":precondition"], scope) if ":precondition" in at else TRUE
    effect = read_effect(node, at[":effect"], scope, costs) if ":effect" in at else NOTHING
    return Action(name, parameters, precondition, effect, tuple(costs), place)


def _action_keys(node: Node) -> dict[str, int]:
    """Where in an action the value of each key stands."""
    if len(node) == 8 and node[2::2] == ACTION_KEYS:
        return USUAL_ACTION
    at: dict[str, int] = {}
    for index in range(2, len(node), 2):
        key = node[index]
        if not isinstance(key, str) or key not in ACTION_KEYS:
            hint = similar(key, ACTION_KEYS) if isinstance(key, str) else ""
            raise Fault(node, index, f"expected one of {', '.join(ACTION_KEYS)}, found {quoted(key)}{hint}")
        if key in at:
            raise Fault(node, index, f"a second {key} in the same action")
        if index + 1 == len(node):
            raise Fault(node, index, f"nothing follows {key}")
        at[key] = index + 1
    return at
