"""What of a plan may run at the same time.

Two steps keep their order if one of them changes what the other rests on, or if one undoes what the other does. All
other pairs may change places: every order that keeps these is a plan, and ends in the same state.
"""

from __future__ import annotations

from collections import defaultdict

from banditplan.frozen import frozen
from banditplan.plan_report.reads import Literal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from banditplan.plan_report.timeline import Taken
    from banditplan.validation.facts import Row


@frozen
class Order:
    """Per step, those that must be directly before it; the earliest round in which it can run; its lane."""

    before: tuple[tuple[int, ...], ...]
    rounds: tuple[int, ...]
    lanes: tuple[int, ...]


def order(taken: Sequence[Taken]) -> Order:
    before = _without_detours(_constraints(taken))
    rounds: list[int] = []
    for direct in before:
        rounds.append(max((rounds[i] + 1 for i in direct), default=0))
    return Order(tuple(before), tuple(rounds), tuple(_lanes(taken, before, rounds)))


def _constraints(taken: Sequence[Taken]) -> list[set[int]]:
    """For each step, earlier ones that must stay before it; those that follow from others may be missing.

    Of a fact that is made true and false in turns, the last turns are enough: each step of a turn comes after all of
    the turn before.
    """
    writers: dict[Literal, list[int]] = defaultdict(list)
    readers: dict[Literal, list[int]] = defaultdict(list)
    writers_of: dict[str, list[int]] = defaultdict(list)  # of a predicate
    readers_of: dict[str, list[int]] = defaultdict(list)
    last: dict[tuple[str, Row], bool] = {}  # how a fact was written last
    constraints: list[set[int]] = []
    for number, step in enumerate(taken):
        earlier: set[int] = set()
        for need in step.needs:
            earlier.update(writers_of[need.read] if isinstance(need.read, str) else need.sources)
        written = (*step.gives, *step.repeats)
        for literal in written:
            opposite = Literal(literal.predicate, literal.row, not literal.positive)
            earlier.update(writers[opposite], readers[opposite], readers_of[literal.predicate])
        constraints.append(earlier - {number})
        for need in step.needs:
            if isinstance(need.read, str):
                readers_of[need.read].append(number)
            else:
                readers[need.read].append(number)
        for literal in written:
            if last.get(literal.fact) != literal.positive:  # a new turn
                last[literal.fact] = literal.positive
                writers[literal], readers[literal] = [], [number] if number in readers[literal] else []
            writers[literal].append(number)
            writers_of[literal.predicate].append(number)
    return constraints


def _without_detours(constraints: list[set[int]]) -> list[tuple[int, ...]]:
    """Only what does not follow from others; sets of steps are the bits of a number."""
    all_before: list[int] = []
    direct = []
    for earlier in constraints:
        covered = kept = 0
        chosen = []
        for i in sorted(earlier, reverse=True):
            if not covered >> i & 1:
                chosen.append(i)
                covered |= all_before[i]
            kept |= 1 << i | all_before[i]
        all_before.append(kept)
        direct.append(tuple(reversed(chosen)))
    return direct


def _lanes(taken: Sequence[Taken], before: list[tuple[int, ...]], rounds: list[int]) -> list[int]:
    """Each step goes on where a step ended that it follows and with which it shares most objects, if it can."""
    ends: list[int] = []  # the last step of each lane
    lanes: dict[int, int] = {}
    for number in sorted(range(len(taken)), key=lambda i: (rounds[i], i)):
        free = [lane for lane, last in enumerate(ends) if rounds[last] < rounds[number]]
        fits = [(_shared(taken[ends[lane]], taken[number]), ends[lane] in before[number], -lane) for lane in free]
        lane = -max(fits)[-1] if fits else len(ends)
        if lane == len(ends):
            ends.append(number)
        ends[lane] = number
        lanes[number] = lane
    return [lanes[i] for i in range(len(taken))]


def _shared(a: Taken, b: Taken) -> tuple[bool, int]:
    """How much two steps have to do with each other: the same first object, often the one who acts, and all objects."""
    ours, theirs = a.step.arguments, b.step.arguments
    return ours[:1] == theirs[:1] != (), len(set(ours) & set(theirs))
