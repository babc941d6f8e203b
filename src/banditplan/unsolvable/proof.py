"""Why atoms cannot be reached, as a set of facts that proves itself: none of them is true at first, and whatever would
make one of them true needs another one. The smaller the set, the better it explains."""

from __future__ import annotations

from collections.abc import Sequence

from banditplan.frozen import frozen
from banditplan.unsolvable.patterns import Pattern
from banditplan.unsolvable.ways import Way, Ways

MOST_FACTS = 200
FAR_ENOUGH = 20  # facts, when candidates are compared


@frozen
class Step:
    """A fact that cannot be reached; `ways` lists what could make it true, each with what it lacks (None: its
    conditions lack each other)."""

    fact: Pattern
    static: bool
    ways: tuple[tuple[str | None, Pattern | None], ...]


@frozen
class Proof:
    """The steps in the order in which they are needed; not `complete` if there are more."""

    steps: tuple[Step, ...]
    complete: bool


class Prover:
    def __init__(self, ways: Ways) -> None:
        self._ways = ways
        self._sizes: dict[tuple[object, ...], int] = {}

    def proof(self, fact: Pattern, most: int = MOST_FACTS, *, look_ahead: bool = True) -> Proof:
        """Begins with the fact, and follows what is lacking, nearest first."""
        steps: dict[tuple[object, ...], Step] = {}
        facts = [fact]
        for current in facts:  # grows on the way
            if len(steps) == most:
                return Proof(tuple(steps.values()), complete=False)
            ways = self._ways.of(current)
            chosen: list[tuple[str | None, Pattern | None]] = []
            for way in ways:
                lack = self._choose(way, ways, facts, look_ahead)
                chosen.append((way.action, lack))
                if lack is not None and not _covered(lack, facts):
                    facts.append(lack)
            steps[current.key] = Step(current, self._ways.static(current.predicate), tuple(chosen))
        return Proof(tuple(steps.values()), complete=True)

    def _choose(self, way: Way, ways: Sequence[Way], facts: Sequence[Pattern], look_ahead: bool) -> Pattern | None:
        """What the proof knows already; else what ends soonest; else what other ways lack, too."""
        if len(way.lacks) < 2:
            return way.lacks[0] if way.lacks else None

        def rank(lack: Pattern) -> tuple[bool, int, int]:
            shared = sum(lack in other.lacks for other in ways)
            size = self._size(lack) if look_ahead else min(len(self._ways.of(lack)), 1)
            return not _covered(lack, facts), size, -shared

        return min(way.lacks, key=rank)

    def _size(self, fact: Pattern) -> int:
        """How many facts it takes to see why this one cannot be reached, roughly."""
        size = self._sizes.get(fact.key)
        if size is None:
            proof = self.proof(fact, FAR_ENOUGH, look_ahead=False)
            size = self._sizes[fact.key] = len(proof.steps) + (not proof.complete)
        return size


def _covered(fact: Pattern, facts: Sequence[Pattern]) -> bool:
    return any(known.covers(fact) for known in facts)


def cycle(proof: Proof) -> list[Pattern]:
    """The first facts of a proof that need one another, if there are some."""
    needs = [
        [
            number
            for number, other in enumerate(proof.steps)
            if any(lack is not None and other.fact.covers(lack) for _, lack in step.ways)
        ]
        for step in proof.steps
    ]
    behind = [_behind(number, needs) for number in range(len(needs))]
    for number, found in enumerate(behind):
        together = [other for other in found if number in behind[other]]
        if together:
            return [proof.steps[other].fact for other in sorted(together)]
    return []


def _behind(start: int, needs: list[list[int]]) -> set[int]:
    found: set[int] = set()
    queue = [start]
    while queue:
        for number in needs[queue.pop()]:
            if number not in found:
                found.add(number)
                queue.append(number)
    return found
