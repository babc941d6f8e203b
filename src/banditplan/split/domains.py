"""Sets of objects as the bits of a number: which objects a variable can stand for."""

from __future__ import annotations

from banditplan.pddl.syntax import Atom, Equal, Not

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import TypeAlias

    from banditplan.normalize.task import Condition, Literal, Normalized
    from banditplan.pddl.syntax import Typed

    Domains: TypeAlias = Mapping[str, int]


class Objects:
    """The objects of a task by their bits, and the initial atoms in these terms."""

    def __init__(self, task: Normalized) -> None:
        self._types = task.types
        self._bits = {name: 1 << index for index, name in enumerate(task.types.names)}
        self._of_types: dict[tuple[str, ...], int] = {}
        self._rows: dict[str, list[tuple[int, ...]]] = {}
        for atom in task.init:
            row = tuple([self._bits[name] for name in atom.arguments])
            self._rows.setdefault(atom.predicate, []).append(row)

    def of_variables(self, variables: Iterable[Typed]) -> dict[str, int]:
        """For each variable the objects of its type."""
        return {typed.name: self._of_type(typed.types) for typed in variables}

    def of_arguments(self, terms: Iterable[str], domains: Domains) -> tuple[int, ...]:
        """For each term the objects that it can stand for."""
        return tuple([domains[term] if term[0] == "?" else self._bits[term] for term in terms])

    def initial_rows(self, atom: Atom, domains: Domains) -> list[tuple[int, ...]]:
        """The arguments of the initial atoms that the given one can stand for."""
        wanted = self.of_arguments(atom.arguments, domains)
        first = {term: place for place, term in reversed(list(enumerate(atom.arguments)))}
        twice = [(place, first[term]) for place, term in enumerate(atom.arguments) if first[term] != place]
        return [
            row
            for row in self._rows.get(atom.predicate, ())
            if all(bit & domain for bit, domain in zip(row, wanted, strict=True))
            and all(row[a] == row[b] for a, b in twice)
        ]

    def _of_type(self, types: tuple[str, ...]) -> int:
        known = self._of_types.get(types)
        if known is None:
            known = self._of_types[types] = sum([self._bits[name] for name in self._types.members(types)])
        return known


def atom_of(literal: Literal) -> Atom | Equal:
    """The literal without its negation."""
    atom = literal.part if isinstance(literal, Not) else literal
    assert isinstance(atom, (Atom, Equal))
    return atom


def terms_of(literal: Literal) -> tuple[str, ...]:
    atom = atom_of(literal)
    return atom.arguments if isinstance(atom, Atom) else (atom.left, atom.right)


def variables_of(terms: Iterable[str]) -> frozenset[str]:
    return frozenset([term for term in terms if term[0] == "?"])


def variables_in(condition: Condition) -> frozenset[str]:
    return variables_of([term for literal in condition for term in terms_of(literal)])
