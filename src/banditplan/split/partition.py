"""Which units of a schema come together, and in which order."""

from __future__ import annotations

from banditplan.frozen import frozen
from banditplan.split.estimate import combinations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from banditplan.normalize.task import Schema
    from banditplan.split.estimate import Estimate
    from banditplan.split.units import Unit


@frozen
class Part:
    """Units that become one action of a chain, on the given parameters, instantiated about `size` times."""

    variables: frozenset[str]
    units: tuple[Unit, ...]
    size: float


# A part may have as many instances as this, or as the largest unit, which cannot be avoided.
NARROW = 1_000


def partition(schema: Schema, units: list[Unit], estimate: Estimate, *, fine: bool) -> list[Part]:
    """Parts in an order that the units allow: as many as possible, or few that are still narrow.

    Greedy: a part begins with the unit that takes the fewest instances, preferably on parameters that earlier parts
    have chosen, and takes in what it can. What needs no further parameters always fits.
    """
    domains = estimate.domains(schema)
    shares = estimate.shares(schema.condition, domains)

    def size(variables: frozenset[str]) -> float:
        return combinations(variables, domains, shares)

    most = 0 if fine else max(NARROW, *[size(unit.variables) for unit in units])
    return _Greedy(units, size, most).run()


class _Greedy:
    def __init__(self, units: list[Unit], size: Callable[[frozenset[str]], float], most: float) -> None:
        self._units = units
        self._size = size
        self._most = most
        self._left = dict.fromkeys(range(len(units)))
        self._bound: frozenset[str] = frozenset()

    def run(self) -> list[Part]:
        parts = []
        while self._left:
            parts.append(self._next_part())
        return parts

    def _next_part(self) -> Part:
        variables: frozenset[str] = frozenset()
        taken: list[int] = []
        while (chosen := self._choice(variables, first=not taken)) is not None:
            variables |= self._units[chosen].variables
            self._bound |= variables
            taken.append(chosen)
            del self._left[chosen]
            while covered := [index for index in self._ready() if self._units[index].variables <= variables]:
                taken += covered
                for index in covered:
                    del self._left[index]
        return Part(variables, tuple([self._units[index] for index in sorted(taken)]), self._size(variables))

    def _ready(self) -> list[int]:
        """The units before which nothing is left to come."""
        left = sum([1 << index for index in self._left])
        return [index for index in self._left if not self._units[index].after & left]

    def _choice(self, variables: frozenset[str], *, first: bool) -> int | None:
        """The best unit to go on with, if any fits."""
        best: tuple[bool, bool, float, int] | None = None
        for index in self._ready():
            unit = self._units[index]
            size = self._size(variables | unit.variables)
            if not first and size > self._most:
                continue
            blind = not unit.condition and not unit.variables <= self._bound
            rank = (blind, bool(self._bound) and not unit.variables & self._bound, size, index)
            if best is None or rank < best:
                best = rank
        return None if best is None else best[-1]
