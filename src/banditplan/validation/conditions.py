"""Conditions compiled to tests on a state.

A test takes an environment (variable → object) and the facts. Quantifiers become searches: a chain of
tests in which each link binds some variables and calls the next link, until one answers True. The links
are ordered when the condition is compiled: what is fully bound is checked first; then positive atoms
bind their variables from the rows that match; types are enumerated only where nothing else is left.
An existential quantifier ends its chain with `accept`, a universal effect with one that notes the
change and answers False, so that the search goes through all matches.
"""

from __future__ import annotations

from banditplan.pddl.syntax import And, Atom, Equal, Exists, Forall, Imply, Not, Or, Typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from banditplan.pddl.syntax import Formula
    from banditplan.validation.facts import Facts
    from banditplan.validation.objects import Members, Objects

    Environment: TypeAlias = dict[str, str]
    Test: TypeAlias = Callable[[Environment, Facts], bool]
    Names: TypeAlias = dict[str, str]  # a variable as written → its name that is unique in the task
    Free: TypeAlias = dict[str, Members]  # a variable that is not bound yet → the objects that it may be

NEW = "new "  # before the name of a derived predicate: its rows of the last round, see derived.py


def accept(env: Environment, facts: Facts) -> bool:
    return True


class Compiler:
    """Turns formulas into tests. No two quantifiers that it has seen bind the same name."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._counter = 0

    def condition(self, formula: Formula) -> Test:
        """A test of `formula` in an environment that binds all its free variables."""
        return self.test(self.normal(formula, {}))

    # ---- normal form: negation only before atoms, equalities and Exists; no Imply, no Forall

    def rename(self, variables: Sequence[Typed], names: Names) -> tuple[Names, tuple[Typed, ...]]:
        """Give quantified variables names of their own; `names` grows by them."""
        renamed = []
        for item in variables:
            self._counter += 1
            renamed.append(Typed(f"{item.name} {self._counter}", item.types))
        return {**names, **{old.name: new.name for old, new in zip(variables, renamed, strict=True)}}, tuple(renamed)

    def free(self, variables: Sequence[Typed]) -> Free:
        return {item.name: self._objects.of(item.types) for item in variables}

    def normal(self, formula: Formula, names: Names, positive: bool = True) -> Formula:
        """The normal form of `formula`, or of its negation."""
        match formula:
            case Atom(predicate, arguments):
                atom = Atom(predicate, tuple([names.get(term, term) for term in arguments]))
                return atom if positive else Not(atom)
            case Equal(left, right):
                equal = Equal(names.get(left, left), names.get(right, right))
                return equal if positive else Not(equal)
            case Not(part):
                return self.normal(part, names, not positive)
            case Imply(left, right):
                return self._several([(left, not positive), (right, positive)], names, conjunction=not positive)
            case And(parts) | Or(parts):
                conjunction = isinstance(formula, And) == positive
                return self._several([(part, positive) for part in parts], names, conjunction)
            case Exists(variables, part) | Forall(variables, part):
                universal = isinstance(formula, Forall)
                names, variables = self.rename(variables, names)
                exists = Exists(variables, self.normal(part, names, not universal))
                return Not(exists) if universal == positive else exists

    def _several(self, parts: Sequence[tuple[Formula, bool]], names: Names, conjunction: bool) -> Formula:
        kind = And if conjunction else Or
        flat: list[Formula] = []
        for part, positive in parts:
            done = self.normal(part, names, positive)
            flat.extend(done.parts if isinstance(done, kind) else [done])
        return flat[0] if len(flat) == 1 else kind(tuple(flat))

    # ---- tests of normal formulas

    def test(self, formula: Formula) -> Test:
        """A test of a normal formula, all of whose free variables will be bound."""
        match formula:
            case Atom(predicate, arguments):
                return _lookup(predicate, arguments)
            case Equal(left, right):
                return lambda env, facts: env.get(left, left) == env.get(right, right)
            case Not(part):
                positive = self.test(part)
                return lambda env, facts: not positive(env, facts)
            case And(parts):
                return _every([self.test(part) for part in parts], accept)
            case Or(parts):
                return _some([self.test(part) for part in parts])
            case Exists(variables, part):
                return self.search(conjuncts(part), self.free(variables), accept)
        raise AssertionError(formula)

    def search(self, parts: Sequence[Formula], free: Free, then: Test) -> Test:
        """Bind `free` in every way that makes all `parts` true, and call `then` each time until it is true."""
        waiting = [part for part in parts if open_variables(part, free)]
        ready = [self.test(part) for part in parts if not open_variables(part, free)]
        last = self._bind(waiting, free, then) if free else then
        return _every(ready, last) if ready else last

    def _bind(self, parts: list[Formula], free: Free, then: Test) -> Test:
        """Bind at least one variable of `free`, then go on with the others."""
        generators = [part for part in parts if _generates(part, free)]
        if not generators:
            variable = min([open_variables(part, free) for part in parts], key=len, default=list(free))[0]
            return _enumerate(variable, free[variable], self.search(parts, without(free, [variable]), then))
        best = min(generators, key=lambda part: _rank(part, free))
        bound = open_variables(best, free)
        then = self.search([part for part in parts if part is not best], without(free, bound), then)
        return self._generate(best, {name: free[name] for name in bound}, then)

    def _generate(self, part: Formula, free: Free, then: Test) -> Test:
        match part:
            case Atom():
                return _match(part, free, then)
            case Equal(left, right):
                variable, value = (left, right) if left in free else (right, left)
                return _assign(variable, value, free[variable], then)
            case Or(branches):
                return _some([self.search(conjuncts(branch), free, then) for branch in branches])
            case Exists(variables, inner):
                return self.search(conjuncts(inner), {**free, **self.free(variables)}, then)
        raise AssertionError(part)


def conjuncts(formula: Formula) -> tuple[Formula, ...]:
    return formula.parts if isinstance(formula, And) else (formula,)


def open_variables(formula: Formula, free: Free) -> list[str]:
    """The variables of a normal formula that are not bound yet, each once."""
    if not free:
        return []
    return [term for term in dict.fromkeys(_terms(formula)) if term in free]


def _terms(formula: Formula) -> list[str]:
    match formula:
        case Atom(_, arguments):
            return list(arguments)
        case Equal(left, right):
            return [left, right]
        case Not(part) | Exists(_, part):
            return _terms(part)
        case And(parts) | Or(parts):
            return [term for part in parts for term in _terms(part)]
    raise AssertionError(formula)


def without(free: Free, bound: Sequence[str]) -> Free:
    return {name: members for name, members in free.items() if name not in bound}


def _generates(formula: Formula, free: Free) -> bool:
    """Whether matching facts can bind a free variable, so that no type need be enumerated for it."""
    match formula:
        case Atom():
            return bool(open_variables(formula, free))
        case Equal(left, right):
            return (left in free) != (right in free)
        case And(parts):
            return any(_generates(part, free) for part in parts)
        case Or(parts):
            return bool(parts) and all(_generates(part, free) for part in parts)
        case Exists(_, part):
            return _generates(part, free)
    return False


def _rank(part: Formula, free: Free) -> tuple[int, int, int]:
    """What to match first: equalities, new rows, atoms with few open and many bound arguments, the rest."""
    count = len(open_variables(part, free))
    if isinstance(part, Equal):
        return (0, 0, 0)
    if isinstance(part, Atom):
        return (1 if part.predicate.startswith(NEW) else 2, count, -len(part.arguments))
    return (3, count, 0)


# ---- the links of a chain


def _lookup(predicate: str, arguments: tuple[str, ...]) -> Test:
    def lookup(env: Environment, facts: Facts) -> bool:
        return tuple([env.get(term, term) for term in arguments]) in facts.table(predicate)

    return lookup


def _every(tests: Sequence[Test], then: Test) -> Test:
    def every(env: Environment, facts: Facts) -> bool:
        for test in tests:
            if not test(env, facts):
                return False
        return then(env, facts)

    return every


def _some(tests: Sequence[Test]) -> Test:
    def some(env: Environment, facts: Facts) -> bool:
        for test in tests:  # noqa: SIM110 (a generator would take one more frame per level)
            if test(env, facts):
                return True
        return False

    return some


def _enumerate(variable: str, members: Members, then: Test) -> Test:
    def enumerate_members(env: Environment, facts: Facts) -> bool:
        facts.check()
        for name in members:
            env[variable] = name
            if then(env, facts):
                return True
        return False

    return enumerate_members


def _assign(variable: str, value: str, members: Members, then: Test) -> Test:
    def assign(env: Environment, facts: Facts) -> bool:
        env[variable] = env.get(value, value)
        return env[variable] in members and then(env, facts)

    return assign


def _match(atom: Atom, free: Free, then: Test) -> Test:
    """Bind the free variables of `atom` from the rows that agree with its bound arguments."""
    terms = atom.arguments
    known = tuple(i for i, term in enumerate(terms) if term not in free)
    first = [(i, term, free[term]) for i, term in enumerate(terms) if term in free and term not in terms[:i]]
    again = [(i, terms.index(term)) for i, term in enumerate(terms) if term in free and term in terms[:i]]

    def match_rows(env: Environment, facts: Facts) -> bool:
        key = tuple([env.get(terms[i], terms[i]) for i in known])
        for row in facts.select(atom.predicate, known, key):
            for i, variable, members in first:
                env[variable] = row[i]
                if row[i] not in members:
                    break
            else:
                if (not again or all(row[i] == row[j] for i, j in again)) and then(env, facts):
                    return True
        return False

    return match_rows
