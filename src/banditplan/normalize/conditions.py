"""Formulas → conjunctions of literals, with new variables and, where splitting would explode, auxiliary axioms.

- An existential quantifier becomes a further variable of whatever owns the condition.
- A universal quantifier over something that is a conjunction once its objects are filled in, is filled in; any other
  becomes the negation of an auxiliary derived predicate.
- A disjunction is split into alternatives while there are few; beyond that its parts become auxiliary derived
  predicates.
"""

from __future__ import annotations

from itertools import product

from banditplan.checks import now_and_then, unchecked
from banditplan.frozen import frozen
from banditplan.normalize.negation import conjunction, disjunction, normal_form
from banditplan.pddl.syntax import FALSE, TRUE, And, Atom, Equal, Exists, Forall, Imply, Not, Or, Signature, Typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from collections.abc import Set as AbstractSet
    from typing import TypeGuard

    from banditplan.checks import Check
    from banditplan.normalize.task import Condition, Literal
    from banditplan.normalize.types import TypeTable
    from banditplan.pddl.syntax import Formula

MAX_ALTERNATIVES = 16
MAX_INSTANCES = 10_000


@frozen
class Alternative:
    """One way to satisfy a formula: values of the variables that make all literals true."""

    variables: tuple[Typed, ...]
    literals: Condition


@frozen
class Definition:
    """An auxiliary derived predicate: `head` holds where `body` (in negation normal form) holds."""

    head: Atom
    parameters: tuple[Typed, ...]
    body: Formula


class Conditions:
    """Normalises the conditions of one task; collects the auxiliary definitions that this takes."""

    def __init__(
        self,
        types: TypeTable,
        static_atoms: Mapping[str, set[tuple[str, ...]]],
        derived: AbstractSet[str] = frozenset(),
        check: Check = unchecked,
        fill_in: bool = False,
    ) -> None:
        """`static_atoms`: for every predicate that never changes, the arguments for which it holds."""
        self._types = types
        self._static = static_atoms
        self._derived = derived
        self._fill_in = fill_in
        self._check = now_and_then(check, 256)
        self._known: dict[tuple[Formula, tuple[Typed, ...]], Atom] = {}
        self.definitions: list[Definition] = []

    def signatures(self) -> list[Signature]:
        return [Signature(definition.head.predicate, definition.parameters) for definition in self.definitions]

    def alternatives(
        self, formula: Formula, scope: Iterable[Typed], most: int | None = MAX_ALTERNATIVES
    ) -> tuple[Alternative, ...]:
        """Alternatives one of which holds exactly where the formula holds, at most `most` of them.

        `scope` gives the free variables of the formula.
        """
        self._check()
        literals = _plain_literals(formula)
        if literals is not None:
            return (Alternative((), literals),)
        names = {typed.name: typed for typed in scope}
        prepared = self._without_universals(normal_form(formula), names)
        split = self._split(prepared, names)
        if most is not None and len(split) > most:
            return (Alternative((), (self._define(prepared, names),)),)
        return tuple(split)

    def conjunction(self, formula: Formula) -> Condition:
        """A closed formula as one conjunction of literals."""
        literals = _plain_literals(formula)
        if literals is not None:
            return literals
        prepared = self._without_universals(normal_form(formula), {})
        result: list[Literal] = []
        for part in prepared.parts if isinstance(prepared, And) else (prepared,):
            if _is_literal(part):
                result.append(part)
            else:
                result.append(self._define(part, {}))
        return tuple(result)

    # ---- universal quantifiers

    def _without_universals(self, formula: Formula, scope: dict[str, Typed]) -> Formula:
        match formula:
            case And(parts):
                return conjunction([self._without_universals(part, scope) for part in parts])
            case Or(parts):
                return disjunction([self._without_universals(part, scope) for part in parts])
            case Exists(variables, part):
                inner = self._without_universals(part, _extended(scope, variables))
                return self._exists(variables, inner)
            case Forall(variables, part):
                return self._forall(variables, part, scope)
        return formula

    def _exists(self, variables: tuple[Typed, ...], part: Formula) -> Formula:
        if part == FALSE or any(not self._types.members(variable.types) for variable in variables):
            return FALSE
        free = _free_variables(part)
        used = tuple(variable for variable in variables if variable.name in free)
        return Exists(used, part) if used else part

    def _forall(self, variables: tuple[Typed, ...], part: Formula, scope: dict[str, Typed]) -> Formula:
        if isinstance(part, And):
            return conjunction([self._forall(variables, conjunct, scope) for conjunct in part.parts])
        instances = 1
        for variable in variables:
            instances *= len(self._types.members(variable.types))
        if instances <= MAX_INSTANCES:
            filled = self._instances(variables, part)
            # As a negated predicate, a rule that reads its own head below the quantifier would not be stratified.
            if all(_is_literal(instance) for instance in filled) or self._fill_in or self._reads_derived(part):
                return conjunction([self._without_universals(instance, scope) for instance in filled])
        negation = self._without_universals(normal_form(part, negate=True), _extended(scope, variables))
        counterexample = self._exists(variables, negation)
        if counterexample == FALSE:
            return TRUE
        return Not(self._define(counterexample, scope))

    def _instances(self, variables: tuple[Typed, ...], part: Formula) -> list[Formula]:
        """The part for all objects, but for the instances that are known to be true."""
        names = [variable.name for variable in variables]
        filled: list[Formula] = []
        self._check()
        for objects in product(*(self._types.members(variable.types) for variable in variables)):
            instance = self._filled_in(part, dict(zip(names, objects, strict=True)))
            if instance == FALSE:
                return [FALSE]
            if instance != TRUE:
                filled.append(instance)
        return filled

    def _filled_in(self, formula: Formula, values: dict[str, str]) -> Formula:
        """The formula with objects for variables; what is static and ground is decided."""
        match formula:
            case Atom(predicate, arguments):
                arguments = tuple(values.get(term, term) for term in arguments)
                holders = self._static.get(predicate)
                if holders is not None and not any(term[0] == "?" for term in arguments):
                    return TRUE if arguments in holders else FALSE
                return Atom(predicate, arguments)
            case Equal(left, right):
                left, right = values.get(left, left), values.get(right, right)
                if left == right:
                    return TRUE
                return FALSE if left[0] != "?" and right[0] != "?" else Equal(left, right)
            case Not(part):
                return normal_form(self._filled_in(part, values), negate=True)
            case And(parts):
                return conjunction([self._filled_in(part, values) for part in parts])
            case Or(parts):
                return disjunction([self._filled_in(part, values) for part in parts])
            case Exists(variables, part):
                return Exists(variables, self._filled_in(part, values))
            case Forall(variables, part):
                return Forall(variables, self._filled_in(part, values))
        raise AssertionError(f"not in negation normal form: {formula!r}")

    def _reads_derived(self, formula: Formula) -> bool:
        """Whether a derived predicate occurs without negation."""
        match formula:
            case Atom(predicate):
                return predicate in self._derived
            case And(parts) | Or(parts):
                return any(self._reads_derived(part) for part in parts)
            case Exists(_, part) | Forall(_, part):
                return self._reads_derived(part)
        return False

    # ---- disjunctions

    def _split(self, formula: Formula, scope: dict[str, Typed]) -> list[Alternative]:
        match formula:
            case Or(parts):
                return [alternative for part in parts for alternative in self._split(part, scope)]
            case Exists(variables, part):
                return [
                    Alternative(variables + alternative.variables, alternative.literals)
                    for alternative in self._split(part, _extended(scope, variables))
                ]
            case And(parts):
                return self._split_conjunction(parts, scope)
            case Atom() | Equal() | Not():
                return [Alternative((), (formula,))]
        raise AssertionError(f"a universal quantifier is left: {formula!r}")

    def _split_conjunction(self, parts: tuple[Formula, ...], scope: dict[str, Typed]) -> list[Alternative]:
        choices = [self._split(part, scope) for part in parts]
        count = 1
        for choice in choices:
            count *= len(choice)
        # The widest disjunctions are the first to become predicates.
        for index in sorted(range(len(parts)), key=lambda i: (-len(choices[i]), i)):
            if count <= MAX_ALTERNATIVES or len(choices[index]) <= 1:
                break
            count //= len(choices[index])
            choices[index] = [Alternative((), (self._define(parts[index], scope),))]
        return [_merged(combination) for combination in product(*choices)]

    # ---- auxiliary predicates

    def _define(self, body: Formula, scope: dict[str, Typed]) -> Atom:
        """An atom of an auxiliary derived predicate that holds exactly where the body holds."""
        parameters = tuple(scope[name] for name in _free_variables(body))
        key = (body, parameters)
        if key not in self._known:
            head = Atom(f"aux@{len(self.definitions)}", tuple(typed.name for typed in parameters))
            self._known[key] = head
            self.definitions.append(Definition(head, parameters, body))
        return self._known[key]


def _plain_literals(formula: Formula) -> Condition | None:
    """The literals of what is a conjunction of literals already: the common case, worth a short cut."""
    parts = formula.parts if isinstance(formula, And) else (formula,)
    return parts if _are_literals(parts) else None


def _are_literals(parts: tuple[Formula, ...]) -> TypeGuard[Condition]:
    return all(_is_literal(part) for part in parts)


def _is_literal(formula: Formula) -> TypeGuard[Literal]:
    return isinstance(formula, (Atom, Equal)) or (isinstance(formula, Not) and isinstance(formula.part, (Atom, Equal)))


def has_quantifiers(formula: Formula) -> bool:
    match formula:
        case Exists() | Forall():
            return True
        case Not(part):
            return has_quantifiers(part)
        case And(parts) | Or(parts):
            return any(has_quantifiers(part) for part in parts)
        case Imply(left, right):
            return has_quantifiers(left) or has_quantifiers(right)
    return False


def _extended(scope: dict[str, Typed], variables: tuple[Typed, ...]) -> dict[str, Typed]:
    return {**scope, **{variable.name: variable for variable in variables}}


def _merged(combination: tuple[Alternative, ...]) -> Alternative:
    return Alternative(
        tuple(variable for alternative in combination for variable in alternative.variables),
        tuple(literal for alternative in combination for literal in alternative.literals),
    )


def _free_variables(formula: Formula) -> dict[str, None]:
    """The free variables, as the keys of a dictionary, in the order of their appearance."""
    match formula:
        case Atom(_, arguments):
            return {term: None for term in arguments if term[0] == "?"}
        case Equal(left, right):
            return {term: None for term in (left, right) if term[0] == "?"}
        case Not(part):
            return _free_variables(part)
        case And(parts) | Or(parts):
            return {name: None for part in parts for name in _free_variables(part)}
        case Exists(variables, part) | Forall(variables, part):
            bound = {variable.name for variable in variables}
            return {name: None for name in _free_variables(part) if name not in bound}
    raise AssertionError(f"not in negation normal form: {formula!r}")
