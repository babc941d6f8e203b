"""Normalised → grounded: names become numbers, and the compiled core does the rest."""

from __future__ import annotations

from banditplan import _core
from banditplan.checks import PORTION, now_and_then, portions
from banditplan.errors import InputError
from banditplan.pddl.numbers import MAX_COST
from banditplan.pddl.syntax import Atom, Equal, FunctionTerm, Not

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypedDict

    from banditplan._core import Task
    from banditplan.checks import Check
    from banditplan.limits import Limits
    from banditplan.normalize.task import Condition, Literal, Normalized, Schema
    from banditplan.pddl.syntax import Typed

    class PackedTask(TypedDict):
        """What the core is told of a task, but for its costs."""

        objects: list[str]
        domains: list[list[int]]
        predicates: list[str]
        arities: list[int]
        action_names: list[str]
        axioms: int
        schemas: list[int]
        init: list[list[int]]


EQUALITY = -1
SCALE = "divide all costs by the same number"


def ground(
    task: Normalized,
    limits: Limits,
    *,
    prune_mutex: bool,
    keep_irrelevant: bool = False,
    replaceable: bool = False,
) -> Task:
    """Ground the task; raises LimitReached or, for a cost that is not given or too large, InputError."""
    packing = _packed(task, limits.check)
    try:
        return _core.ground(
            **packing.task(),
            functions=[signature.name for signature in task.functions],
            function_arities=[len(signature.parameters) for signature in task.functions],
            function_values=packing.function_values(),
            unit_cost=task.unit_cost,
            prune_mutex=prune_mutex,
            keep_irrelevant=keep_irrelevant,
            replaceable=replaceable,
            deadline=limits.deadline,
            memory_limit_kb=limits.memory_kb,
        )
    except OverflowError as error:
        raise InputError(f"{error}; {SCALE}") from None


def reachable(task: Normalized, limits: Limits) -> dict[str, set[tuple[str, ...]]]:
    """The arguments of each predicate's atoms that can be reached if deletes and negative conditions do not count;
    raises LimitReached."""
    packing = _packed(task, limits.check)
    rows = _core.reachable_atoms(
        **packing.task(),
        function_arities=[len(signature.parameters) for signature in task.functions],
        deadline=limits.deadline,
        memory_limit_kb=limits.memory_kb,
    )
    names = task.types.names
    found: dict[str, set[tuple[str, ...]]] = {}
    for signature, row in zip(task.predicates, rows, strict=True):
        objects = iter([names[number] for number in row] if signature.parameters else ())
        tuples = zip(*[objects] * len(signature.parameters), strict=True)
        found[signature.name] = set(tuples) if signature.parameters else {()} if row else set()
    return found


def _packed(task: Normalized, check: Check) -> _Packing:
    packing = _Packing(task, check)
    now = now_and_then(check, 256)
    for schema in task.schemas:
        now()
        packing.schema(schema)
    for axiom in task.axioms:
        now()
        packing.axiom(axiom.variables, axiom.head.predicate, axiom.head.arguments, axiom.body, axiom.stratum)
    packing.goal(task.goal)
    return packing


class _Packing:
    """Writes schemas as the stream of integers that `cpp/ground/wire.hpp` describes.

    A variable is its index in the schema, an object is the complement of its index.
    """

    def __init__(self, task: Normalized, check: Check) -> None:
        self._task = task
        self._check = check
        self._objects: dict[str, int] = {}
        for part in portions(task.types.names, check):
            self._objects.update([(name, ~index) for index, name in enumerate(part, len(self._objects))])
        self._predicates = {signature.name: index for index, signature in enumerate(task.predicates)}
        self._functions = {signature.name: index for index, signature in enumerate(task.functions)}
        self._domain_ids: dict[tuple[str, ...], int] = {}
        self.domains: list[list[int]] = []
        self.stream: list[int] = []

    def schema(self, schema: Schema) -> None:
        stream = self.stream
        terms = self._variables(schema.parameters)
        stream.append(schema.visible)
        self._condition(schema.condition, terms)
        stream.append(len(schema.effects))
        for effect in schema.effects:
            if effect.variables:
                inner = self._variables(effect.variables, terms)
            else:
                stream.append(0)
                inner = terms
            self._condition(effect.condition, inner)
            stream.append(effect.deletes)
            atom = effect.atom
            stream.append(self._predicates[atom.predicate])
            if atom.arguments:
                self._terms(atom.arguments, inner)
        constant = 0
        functions: list[FunctionTerm] = []
        for cost in () if self._task.unit_cost else schema.cost:
            if isinstance(cost, FunctionTerm):
                functions.append(cost)
            else:
                constant += cost
        stream.append(_bounded(constant, f'action "{schema.name}" has'))
        stream.append(len(functions))
        for function in functions:
            stream.append(self._functions[function.name])
            self._terms(function.arguments, terms)

    def axiom(
        self, variables: tuple[Typed, ...], predicate: str, arguments: tuple[str, ...], body: Condition, stratum: int
    ) -> None:
        terms = self._variables(variables)
        self.stream.append(self._predicates[predicate])
        self._terms(arguments, terms)
        self._condition(body, terms)
        self.stream.append(stratum)

    def task(self) -> PackedTask:
        task = self._task
        return {
            "objects": list(task.types.names),
            "domains": self.domains,
            "predicates": [signature.name for signature in task.predicates],
            "arities": [len(signature.parameters) for signature in task.predicates],
            "action_names": [schema.name for schema in task.schemas],
            "axioms": len(task.axioms),
            "schemas": self.stream,
            "init": self.init(),
        }

    def goal(self, goal: Condition) -> None:
        self._condition(goal, {})

    def init(self) -> list[list[int]]:
        """Per predicate, the objects of its true atoms, back to back; without arguments, [1] if it is true."""
        objects = self._objects
        rows: list[list[int]] = [[] for _ in self._task.predicates]
        for part in portions(self._task.init, self._check):
            for atom in part:
                rows[self._predicates[atom.predicate]] += [~objects[name] for name in atom.arguments] or [1]
        return rows

    def function_values(self) -> list[list[int]]:
        rows: list[list[int]] = [[] for _ in self._task.functions]
        for part in portions(() if self._task.unit_cost else self._task.values, self._check):
            for function, value in part:
                row = [~self._objects[name] for name in function.arguments]
                row.append(_bounded(value, f'function "{function.name}" gives'))
                rows[self._functions[function.name]] += row
        return rows

    def _variables(self, variables: tuple[Typed, ...], outer: dict[str, int] | None = None) -> dict[str, int]:
        """Write the domains of the variables; return the numbers of these and the outer ones."""
        terms = dict(outer) if outer else {}
        self.stream.append(len(variables))
        for typed in variables:
            terms[typed.name] = len(terms)
            self.stream.append(self._domain(typed.types))
        return terms

    def _domain(self, types: tuple[str, ...]) -> int:
        known = self._domain_ids.get(types)
        if known is None:
            known = self._domain_ids[types] = len(self.domains)
            domain: list[int] = []
            for part in portions(self._task.types.members(types), self._check):
                domain += [~self._objects[name] for name in part]
            self.domains.append(domain)
        return known

    def _condition(self, condition: Condition, terms: dict[str, int]) -> None:
        self.stream.append(len(condition))
        if len(condition) <= PORTION:
            self._literals(condition, terms)
        else:
            for part in portions(condition, self._check):
                self._literals(part, terms)

    def _literals(self, literals: Sequence[Literal], terms: dict[str, int]) -> None:
        stream = self.stream
        for literal in literals:
            negated = isinstance(literal, Not)
            atom = literal.part if isinstance(literal, Not) else literal
            if isinstance(atom, Atom):
                stream.append(2 * self._predicates[atom.predicate] + negated)
                if atom.arguments:
                    self._terms(atom.arguments, terms)
            elif isinstance(atom, Equal):
                stream.append(2 * EQUALITY + negated)
                self._terms((atom.left, atom.right), terms)

    def _terms(self, arguments: tuple[str, ...], variables: dict[str, int]) -> None:
        objects = self._objects
        self.stream += [variables[term] if term[0] == "?" else objects[term] for term in arguments]


def _bounded(cost: int, whose: str) -> int:
    if cost > MAX_COST:
        raise InputError(f"{whose} the cost {cost}; the largest cost of an action is {MAX_COST}: {SCALE}")
    return cost
