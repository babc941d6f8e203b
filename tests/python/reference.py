"""What PDDL means, by brute force on the parsed task: slow, plain, and independent of the planner.

A state is the set of its true atoms without the derived ones. Every question is answered by trying all objects.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

from banditplan.pddl.syntax import (
    Action,
    Add,
    And,
    Atom,
    Delete,
    Equal,
    Exists,
    Forall,
    ForEach,
    FunctionTerm,
    Imply,
    Not,
    Or,
    Parsed,
    Together,
    Typed,
    When,
)

if TYPE_CHECKING:
    from banditplan.pddl.syntax import Effect, Formula

State = frozenset[Atom]
Values = dict[str, str]


@dataclass(frozen=True)
class Change:
    """A ground effect: when `condition` (with `values` for its variables) holds, `atom` comes or goes."""

    conditions: tuple[tuple[Formula, tuple[tuple[str, str], ...]], ...]
    atom: Atom
    deletes: bool


@dataclass(frozen=True)
class Instance:
    """A ground action."""

    action: Action
    values: tuple[tuple[str, str], ...]

    @property
    def name(self) -> str:
        return f"({' '.join([self.action.name, *(value for _, value in self.values)])})"


@dataclass(frozen=True)
class Space:
    """The reachable states with their transitions; `complete` is false if there were too many of them."""

    transitions: dict[State, list[tuple[Instance, State]]]
    complete: bool


def text(atom: Atom) -> str:
    return f"({' '.join([atom.predicate, *atom.arguments])})"


class Reference:
    def __init__(self, parsed: Parsed) -> None:
        self.parsed = parsed
        self.members = lru_cache(maxsize=None)(self._members)
        self.parents = {declared.name: declared.parents for declared in parsed.domain.types}
        self.objects = (*parsed.domain.constants, *parsed.problem.objects)
        self.init: State = frozenset(parsed.problem.init)
        self.prices = {(term.name, term.arguments): value for term, value in parsed.problem.values}
        self.instances = [
            Instance(action, tuple(values.items()))
            for action in parsed.domain.actions
            for values in self.assignments(action.parameters, {})
        ]
        self.strata = self._strata()
        self.derive = lru_cache(maxsize=None)(self._derive)

    # ---- formulas

    def is_a(self, given: str, wanted: str) -> bool:
        return wanted in ("object", given) or any(self.is_a(parent, wanted) for parent in self.parents.get(given, ()))

    def _members(self, types: tuple[str, ...]) -> list[str]:
        return [
            each.name
            for each in self.objects
            if any(self.is_a(given, wanted) for given in each.types for wanted in types)
        ]

    def assignments(self, variables: tuple[Typed, ...], values: Values) -> Iterator[Values]:
        for row in product(*(self.members(variable.types) for variable in variables)):
            yield {**values, **{variable.name: name for variable, name in zip(variables, row, strict=True)}}

    def holds(self, formula: Formula, true_atoms: State, values: Values) -> bool:
        """Whether the formula holds where exactly `true_atoms`, derived ones included, are true."""
        match formula:
            case Atom():
                return grounded(formula, values) in true_atoms
            case Equal(left, right):
                return values.get(left, left) == values.get(right, right)
            case Not(part):
                return not self.holds(part, true_atoms, values)
            case And(parts):
                return all(self.holds(part, true_atoms, values) for part in parts)
            case Or(parts):
                return any(self.holds(part, true_atoms, values) for part in parts)
            case Imply(left, right):
                return not self.holds(left, true_atoms, values) or self.holds(right, true_atoms, values)
            case Exists(variables, part):
                return any(self.holds(part, true_atoms, inner) for inner in self.assignments(variables, values))
            case Forall(variables, part):
                return all(self.holds(part, true_atoms, inner) for inner in self.assignments(variables, values))
        raise AssertionError(formula)

    # ---- derived predicates

    def _strata(self) -> list[list[str]]:
        """The derived predicates: each one after what it negates, together with what it depends on otherwise."""
        level = {rule.head: 0 for rule in self.parsed.domain.derived}
        for _ in range(len(level) + 1):
            for rule in self.parsed.domain.derived:
                for predicate, positive in uses(rule.body, True):
                    if predicate in level:
                        level[rule.head] = max(level[rule.head], level[predicate] + (0 if positive else 1))
        assert all(each <= len(level) for each in level.values()), "not stratified"
        return [
            [head for head in level if level[head] == depth] for depth in range(max(level.values(), default=-1) + 1)
        ]

    def _derive(self, state: State) -> State:
        """The state with all derived atoms: stratum by stratum, rules are applied until nothing comes."""
        atoms = state
        for heads in self.strata:
            while True:
                found = set(atoms)
                for rule in self.parsed.domain.derived:
                    if rule.head in heads:
                        for values in self.assignments(rule.parameters, {}):
                            if self.holds(rule.body, atoms, values):
                                found.add(Atom(rule.head, tuple(values[each.name] for each in rule.parameters)))
                if found == atoms:
                    break
                atoms = frozenset(found)
        return atoms

    # ---- actions

    def is_goal(self, state: State) -> bool:
        return self.holds(self.parsed.problem.goal, self.derive(state), {})

    def applicable(self, state: State) -> list[Instance]:
        atoms = self.derive(state)
        return [each for each in self.instances if self.holds(each.action.precondition, atoms, dict(each.values))]

    def changes(self, effect: Effect, values: Values) -> Iterator[Change]:
        """All adds and deletes of an effect, each with the conditions around it."""
        match effect:
            case Add(atom):
                yield Change((), grounded(atom, values), False)
            case Delete(atom):
                yield Change((), grounded(atom, values), True)
            case Together(parts):
                for part in parts:
                    yield from self.changes(part, values)
            case ForEach(variables, part):
                for inner in self.assignments(variables, values):
                    yield from self.changes(part, inner)
            case When(condition, part):
                for change in self.changes(part, values):
                    yield Change(((condition, tuple(values.items())), *change.conditions), change.atom, change.deletes)

    def apply(self, state: State, instance: Instance) -> State:
        """The effects whose conditions held before; where an atom is deleted and added, it is added."""
        before = self.derive(state)
        added, deleted = set(), set()
        for change in self.changes(instance.action.effect, dict(instance.values)):
            if all(self.holds(condition, before, dict(values)) for condition, values in change.conditions):
                (deleted if change.deletes else added).add(change.atom)
        return (state - deleted) | added

    def cost(self, instance: Instance) -> int:
        if not self.parsed.problem.minimize_cost:
            return 1
        values = dict(instance.values)
        return sum(
            self.prices[part.name, tuple(values.get(term, term) for term in part.arguments)]
            if isinstance(part, FunctionTerm)
            else part
            for part in instance.action.cost
        )

    def explore(self, most: int) -> Space:
        """Breadth-first from the initial state, until `most` states have been expanded."""
        transitions: dict[State, list[tuple[Instance, State]]] = {}
        queue, known = [self.init], {self.init}
        for state in queue:
            if len(transitions) >= most:
                return Space(transitions, False)
            transitions[state] = [(each, self.apply(state, each)) for each in self.applicable(state)]
            for _, successor in transitions[state]:
                if successor not in known:
                    known.add(successor)
                    queue.append(successor)
        return Space(transitions, True)


def grounded(atom: Atom, values: Values) -> Atom:
    return Atom(atom.predicate, tuple(values.get(term, term) for term in atom.arguments))


def uses(formula: Formula, positive: bool) -> Iterator[tuple[str, bool]]:
    """The predicates of a formula, and whether they stand below an even number of negations."""
    match formula:
        case Atom(predicate, _):
            yield predicate, positive
        case Not(part):
            yield from uses(part, not positive)
        case And(parts) | Or(parts):
            for part in parts:
                yield from uses(part, positive)
        case Imply(left, right):
            yield from uses(left, not positive)
            yield from uses(right, positive)
        case Exists(_, part) | Forall(_, part):
            yield from uses(part, positive)
