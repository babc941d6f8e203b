"""Sets of atoms: `(holding ?x)` stands for all of its instances, as far as the objects go that `?x` may be."""

from __future__ import annotations

from collections.abc import Iterator

from banditplan.frozen import frozen
from banditplan.pddl.syntax import Atom

MOST_MATCHES = 200_000  # that are looked at for one explanation


class TooMuch(Exception):
    """More work than an explanation is worth."""


@frozen
class Hole:
    """Any of the objects; the same name in the same pattern stands for the same object."""

    name: str
    objects: frozenset[str]


@frozen
class Pattern:
    predicate: str
    arguments: tuple[str | Hole, ...]

    @property
    def key(self) -> tuple[object, ...]:
        """The same for patterns that differ in the names of holes only."""
        numbers: dict[str, int] = {}
        parts = [
            each if isinstance(each, str) else (numbers.setdefault(each.name, len(numbers)), each.objects)
            for each in self.arguments
        ]
        return (self.predicate, *parts)

    def covers(self, other: Pattern) -> bool:
        """Whether all instances of the other are instances of this."""
        if self.predicate != other.predicate:
            return False
        filled: dict[str, str | Hole] = {}
        for mine, its in zip(self.arguments, other.arguments, strict=True):
            if isinstance(mine, str):
                if mine != its:
                    return False
                continue
            inside = its.objects <= mine.objects if isinstance(its, Hole) else its in mine.objects
            if not inside or filled.setdefault(mine.name, its) != its:
                return False
        return True


class Binding:
    """What variables may be: one object, or one of several."""

    def __init__(self, values: dict[str, str | frozenset[str]]) -> None:
        self._values = values

    def __getitem__(self, term: str) -> str | frozenset[str]:
        return self._values.get(term, term)

    def with_value(self, name: str, value: str | frozenset[str]) -> Binding | None:
        """With less for a variable to be; None if nothing is left."""
        known = self[name]
        before = frozenset((known,)) if isinstance(known, str) else known
        left = before & (frozenset((value,)) if isinstance(value, str) else value)
        if not left:
            return None
        return Binding({**self._values, name: next(iter(left)) if len(left) == 1 else left})

    def pattern(self, atom: Atom) -> Pattern:
        arguments: list[str | Hole] = []
        for term in atom.arguments:
            value = self[term]
            arguments.append(value if isinstance(value, str) else Hole(term, value))
        return Pattern(atom.predicate, tuple(arguments))

    def matched(self, pattern: Pattern, objects: tuple[str, ...]) -> Binding:
        """With the objects of an atom that matches the pattern."""
        values = dict(self._values)
        for part, value in zip(pattern.arguments, objects, strict=True):
            if isinstance(part, Hole):
                values[part.name] = value
        return Binding(values)


class Atoms:
    """The atoms that can be reached, and those of them that match a pattern."""

    def __init__(self, rows: dict[str, set[tuple[str, ...]]]) -> None:
        self._rows = rows
        self._indices: dict[tuple[str, tuple[int, ...]], dict[tuple[str, ...], list[tuple[str, ...]]]] = {}
        self._looked_at = 0

    def matches(self, pattern: Pattern) -> Iterator[tuple[str, ...]]:
        """The arguments of the atoms that match; raises TooMuch in the end."""
        bound = tuple(number for number, part in enumerate(pattern.arguments) if isinstance(part, str))
        wanted = tuple(part for part in pattern.arguments if isinstance(part, str))
        for row in self._index(pattern.predicate, bound).get(wanted, ()):
            self._looked_at += 1
            if self._looked_at > MOST_MATCHES:
                raise TooMuch
            if _fits(pattern, row):
                yield row

    def any(self, pattern: Pattern) -> bool:
        return next(self.matches(pattern), None) is not None

    def count(self, pattern: Pattern, most: int) -> int:
        """How many match; `most`, if there are more."""
        return sum(1 for _, _ in zip(self.matches(pattern), range(most), strict=False))

    def _index(self, predicate: str, bound: tuple[int, ...]) -> dict[tuple[str, ...], list[tuple[str, ...]]]:
        index = self._indices.get((predicate, bound))
        if index is None:
            index = self._indices[predicate, bound] = {}
            for row in sorted(self._rows.get(predicate, ())):
                index.setdefault(tuple([row[number] for number in bound]), []).append(row)
        return index


def _fits(pattern: Pattern, row: tuple[str, ...]) -> bool:
    filled: dict[str, str] = {}
    for part, value in zip(pattern.arguments, row, strict=True):
        if isinstance(part, Hole) and (value not in part.objects or filled.setdefault(part.name, value) != value):
            return False
    return True
