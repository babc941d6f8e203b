"""What a step reads: the facts, true or false, on which it rests that a condition holds, or does not.

As long as these facts stay as they are, the condition does. Of a disjunction and of an existential quantifier one way
to hold is enough; a derived fact rests on the facts from which it is derived. Where that would be too much to list,
whole predicates stand for all of their facts.
"""

from __future__ import annotations

from itertools import islice, product
from math import prod

from banditplan.frozen import frozen
from banditplan.pddl.syntax import (
    Add,
    And,
    Atom,
    Delete,
    Equal,
    Exists,
    Forall,
    ForEach,
    Imply,
    Not,
    Or,
    Together,
    When,
)
from banditplan.validation.explain import witnesses

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeAlias

    from banditplan.pddl.syntax import Derived, Effect, Formula, Typed
    from banditplan.validation.conditions import Compiler, Environment, Test
    from banditplan.validation.facts import Facts, Row
    from banditplan.validation.objects import Objects

    Read: TypeAlias = "Literal | str"  # a fact, or the name of a predicate: any of its facts may matter
    Claim: TypeAlias = tuple[Formula, Environment, bool]  # a formula, its objects, and whether it holds

MOST_INSTANCES = 2_000  # of a quantified condition that are looked at one by one
MOST_WAYS = 30  # of a derivation, or a disjunction, that are tried


@frozen
class Literal:
    """A fact, and whether it holds."""

    predicate: str
    row: Row
    positive: bool

    @property
    def fact(self) -> tuple[str, Row]:
        return self.predicate, self.row

    def __str__(self) -> str:
        atom = f"({' '.join((self.predicate, *self.row))})"
        return atom if self.positive else f"(not {atom})"


class _Circular(Exception):
    """A derived fact cannot rest on itself."""


class Reader:
    """Finds in one state what conditions rest on; `fluent` are the predicates that steps can change."""

    def __init__(
        self, objects: Objects, compiler: Compiler, rules: Sequence[Derived], fluent: set[str], facts: Facts
    ) -> None:
        self._objects = objects
        self._compiler = compiler
        self._rules = {head: [rule for rule in rules if rule.head == head] for head in {rule.head for rule in rules}}
        self._fluent = fluent
        self._facts = facts
        self._tests: dict[int, tuple[Formula, Test]] = {}
        self._derived: dict[tuple[str, Row], list[Read]] = {}
        self._under_way: set[tuple[str, Row]] = set()

    def new_state(self) -> None:
        """What was found before may not be so any more."""
        self._derived.clear()

    def condition(self, formula: Formula, env: Environment) -> list[Read]:
        """What it rests on that a formula holds, or that it does not: each once."""
        return list(dict.fromkeys(self._rests(formula, env, self._holds(formula, env))))

    def effect(self, effect: Effect, env: Environment) -> list[Read]:
        """What it rests on which of the parts of an effect take place."""
        return list(dict.fromkeys(self._effect(effect, env)))

    def _effect(self, effect: Effect, env: Environment) -> Iterable[Read]:
        match effect:
            case Together(parts):
                return [read for part in parts for read in self._effect(part, env)]
            case ForEach(variables, part):
                if not _conditions(part):
                    return []
                instances = self._instances(variables, env)
                if instances is None:
                    return self._whole(_conditions(part))
                return [read for instance in instances for read in self._effect(part, instance)]
            case When(condition, part):
                holds = self._holds(condition, env)
                return [*self._rests(condition, env, holds), *(self._effect(part, env) if holds else ())]
        return []

    def _holds(self, formula: Formula, env: Environment) -> bool:
        known = self._tests.get(id(formula))
        if known is None:
            known = self._tests[id(formula)] = formula, self._compiler.condition(formula)
        return known[1](dict(env), self._facts)

    def _rests(self, formula: Formula, env: Environment, positive: bool) -> list[Read]:
        """Of a formula that is true (`positive`) or false."""
        match formula:
            case Atom(predicate, arguments):
                return self._atom(predicate, tuple([env.get(term, term) for term in arguments]), positive)
            case Equal():
                return []
            case Not(part):
                return self._rests(part, env, not positive)
            case Imply(left, right):
                return self._several([(left, env, not positive), (right, env, positive)], every=not positive)
            case And(parts) | Or(parts):
                return self._several([(part, env, positive) for part in parts], isinstance(formula, And) == positive)
            case Exists(variables, part) | Forall(variables, part):
                if isinstance(formula, Exists) == positive:
                    ways = witnesses(self._compiler, self._facts, variables, part, env, positive)
                    return self._any((part, way, positive) for way in ways)
                instances = self._instances(variables, env)
                if instances is None:
                    return self._whole([part])
                return [read for instance in instances for read in self._rests(part, instance, positive)]
        raise AssertionError(formula)

    def _several(self, claims: list[Claim], every: bool) -> list[Read]:
        """All of the claims are so, or it is enough that one of them is."""
        if every:
            return [read for claim in claims for read in self._rests(*claim)]
        return self._any(claim for claim in claims if self._holds(*claim[:2]) == claim[2])

    def _any(self, claims: Iterable[Claim]) -> list[Read]:
        """The claim that rests on least, of the first ones."""
        best: list[Read] | None = None
        for claim in islice(claims, MOST_WAYS):
            try:
                found = self._rests(*claim)
            except _Circular:
                continue
            if not found:
                return found
            if best is None or _size(found) < _size(best):
                best = found
        if best is None:
            raise _Circular
        return best

    def _atom(self, predicate: str, row: Row, positive: bool) -> list[Read]:
        if predicate not in self._rules:
            return [Literal(predicate, row, positive)] if predicate in self._fluent else []
        if not positive:
            return self._whole([Atom(predicate, row)])
        fact = predicate, row
        if fact in self._under_way:
            raise _Circular
        if fact not in self._derived:
            self._under_way.add(fact)
            try:
                self._derived[fact] = self._any(self._derivations(predicate, row))
            finally:
                self._under_way.remove(fact)
        return self._derived[fact]

    def _derivations(self, predicate: str, row: Row) -> Iterator[Claim]:
        for rule in self._rules[predicate]:
            env = {parameter.name: name for parameter, name in zip(rule.parameters, row, strict=True)}
            if self._of_types(rule.parameters, row) and self._holds(rule.body, env):
                yield rule.body, env, True

    def _of_types(self, parameters: Sequence[Typed], row: Row) -> bool:
        return all(name in self._objects.of(item.types) for item, name in zip(parameters, row, strict=True))

    def _instances(self, variables: Sequence[Typed], env: Environment) -> list[Environment] | None:
        """An environment for each assignment of the variables; None if there are too many."""
        members = [sorted(self._objects.of(item.types)) for item in variables]
        if prod(map(len, members)) > MOST_INSTANCES:
            return None
        names = [item.name for item in variables]
        return [{**env, **dict(zip(names, values, strict=True))} for values in product(*members)]

    def _whole(self, formulas: Iterable[Formula]) -> list[Read]:
        """The predicates that steps can change and on which formulas depend."""
        found: set[str] = set()
        waiting = [predicate for formula in formulas for predicate in _predicates(formula)]
        while waiting:
            predicate = waiting.pop()
            if predicate not in found:
                found.add(predicate)
                waiting += [name for rule in self._rules.get(predicate, ()) for name in _predicates(rule.body)]
        return [predicate for predicate in sorted(found) if predicate in self._fluent]


def fluents(effect: Effect) -> set[str]:
    """The predicates that an effect can change."""
    match effect:
        case Together(parts):
            return {predicate for part in parts for predicate in fluents(part)}
        case ForEach(_, part) | When(_, part):
            return fluents(part)
        case Add(atom) | Delete(atom):
            return {atom.predicate}


def _conditions(effect: Effect) -> list[Formula]:
    match effect:
        case Together(parts):
            return [condition for part in parts for condition in _conditions(part)]
        case ForEach(_, part):
            return _conditions(part)
        case When(condition, part):
            return [condition, *_conditions(part)]
    return []


def _predicates(formula: Formula) -> list[str]:
    match formula:
        case Atom(predicate, _):
            return [predicate]
        case Not(part) | Exists(_, part) | Forall(_, part):
            return _predicates(part)
        case Imply(left, right):
            return [*_predicates(left), *_predicates(right)]
        case And(parts) | Or(parts):
            return [predicate for part in parts for predicate in _predicates(part)]
    return []


def _size(reads: list[Read]) -> int:
    """A whole predicate weighs more than any fact."""
    return sum(1 if isinstance(read, Literal) else MOST_INSTANCES for read in reads)
