"""Effects compiled to searches that note what a step adds and deletes."""

from __future__ import annotations

from banditplan.pddl.syntax import Add, Delete, ForEach, Together, When
from banditplan.validation.conditions import conjuncts, open_variables, without

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from banditplan.pddl.syntax import Atom, Effect
    from banditplan.validation.conditions import Compiler, Environment, Free, Names, Test
    from banditplan.validation.facts import Facts, Row


class Changes:
    """What one step adds and deletes; nothing is applied before all conditions have been read."""

    def __init__(self) -> None:
        self.added: list[tuple[str, Row]] = []
        self.deleted: list[tuple[str, Row]] = []

    def apply(self, facts: Facts) -> set[str]:
        """Delete, then add; return the predicates that were touched."""
        for predicate, row in self.deleted:
            facts.remove(predicate, row)
        for predicate, row in self.added:
            facts.add(predicate, row)
        touched = {predicate for predicate, _ in self.deleted} | {predicate for predicate, _ in self.added}
        self.deleted.clear()
        self.added.clear()
        return touched


def compile_effect(effect: Effect, compiler: Compiler, changes: Changes) -> Test:
    """A test that notes in `changes` what `effect` does, and answers False."""
    return _compile(effect, {}, {}, compiler, changes)


def _compile(effect: Effect, names: Names, free: Free, compiler: Compiler, changes: Changes) -> Test:
    """`free` are the variables of the enclosing ForEach that no condition has bound yet."""
    match effect:
        case Together(parts):
            return _each([_compile(part, names, free, compiler, changes) for part in parts])
        case ForEach(variables, part):
            names, variables = compiler.rename(variables, names)
            return _compile(part, names, {**free, **compiler.free(variables)}, compiler, changes)
        case When(condition, part):
            formula = compiler.normal(condition, names)
            bound = open_variables(formula, free)
            then = _compile(part, names, without(free, bound), compiler, changes)
            return compiler.search(conjuncts(formula), {name: free[name] for name in bound}, then)
        case Add(atom):
            return _note(atom, names, free, compiler, changes.added)
        case Delete(atom):
            return _note(atom, names, free, compiler, changes.deleted)


def _note(atom: Atom, names: Names, free: Free, compiler: Compiler, changes: list[tuple[str, Row]]) -> Test:
    predicate = atom.predicate
    arguments = tuple([names.get(term, term) for term in atom.arguments])

    def note(env: Environment, facts: Facts) -> bool:
        changes.append((predicate, tuple([env.get(term, term) for term in arguments])))
        return False

    needed = {name: members for name, members in free.items() if name in arguments or not members}
    return compiler.search((), needed, note)


def _each(tests: Sequence[Test]) -> Test:
    def each(env: Environment, facts: Facts) -> bool:
        for test in tests:
            test(env, facts)
        return False

    return each
