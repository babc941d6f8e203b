"""Best-first search, slow and plain: an open list is a Python list that is sorted or counted anew at every turn. It
draws random numbers as the core does, so that both expand the same states in the same order.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from searches.reference_guct import Random, exponential

from banditplan import _core

INFINITY = math.inf


@dataclass(frozen=True)
class Entry:
    number: int  # of pushes to the list before it
    h: int
    g: int
    state: int


@dataclass
class OpenList:
    """Its `take` says which of the entries comes next."""

    entries: list[Entry] = field(default_factory=list)
    pushed: int = 0

    def push(self, h: int, g: int, state: int) -> None:
        self.entries.append(Entry(self.pushed, h, g, state))
        self.pushed += 1

    def pop(self, random: Random) -> int | None:
        if not self.entries:
            return None
        entry = self.take(random)
        self.entries.remove(entry)
        return entry.state

    def take(self, random: Random) -> Entry:
        raise NotImplementedError


class Fifo(OpenList):
    def take(self, random: Random) -> Entry:
        return min(self.entries, key=lambda entry: entry.number)


@dataclass
class Greedy(OpenList):
    ties: str = "fifo"
    buckets: dict[int, list[Entry]] = field(default_factory=dict)

    def push(self, h: int, g: int, state: int) -> None:
        super().push(h, g, state)
        self.buckets.setdefault(h, []).append(self.entries[-1])

    def take(self, random: Random) -> Entry:
        bucket = self.buckets[min(entry.h for entry in self.entries)]
        if self.ties == "fifo":
            return bucket.pop(0)
        if self.ties == "random":
            i = random.below(len(bucket))
            bucket[i], bucket[-1] = bucket[-1], bucket[i]
        return bucket.pop()


@dataclass
class Weighted(OpenList):
    """As in WA*, the oldest first among equals; without a weight as in A*, the smallest h first."""

    weight: float | None = None

    def take(self, random: Random) -> Entry:
        if self.weight is None:
            return min(self.entries, key=lambda entry: (entry.g + entry.h, entry.h, entry.number))
        weight = self.weight
        return min(self.entries, key=lambda entry: (entry.g + weight * entry.h, entry.number))


@dataclass
class Epsilon(OpenList):
    epsilon: float = 0.2

    def take(self, random: Random) -> Entry:
        chosen = min(self.entries, key=lambda entry: (entry.h, entry.number))
        if random.uniform() < self.epsilon:
            chosen = self.entries[random.below(len(self.entries))]
        i = self.entries.index(chosen)
        self.entries[i], self.entries[-1] = self.entries[-1], self.entries[i]
        return chosen


class Drawn(dict[int, list[Entry]]):
    """Groups, by some key, to draw from: first a group, then one of its entries. The last takes the place of what is
    drawn."""

    def put(self, key: int, entry: Entry) -> None:
        self.setdefault(key, []).append(entry)

    def draw(self, random: Random) -> Entry:
        keys = list(self)
        key = keys[random.below(len(keys))]
        group = self[key]
        i = random.below(len(group))
        group[i], group[-1] = group[-1], group[i]
        entry = group.pop()
        if not group:  # the last group takes its place
            items = list(self.items())
            place = keys.index(key)
            items[place] = items[-1]
            self.clear()
            self.update(items[: len(keys) - 1])
        return entry


@dataclass
class Types(OpenList):
    types: Drawn = field(default_factory=Drawn)

    def push(self, h: int, g: int, state: int) -> None:
        super().push(h, g, state)
        self.types.put(h * 2**32 + g, self.entries[-1])

    def take(self, random: Random) -> Entry:
        return self.types.draw(random)


@dataclass
class Softmin(OpenList):
    temperature: float = 1.0
    levels: dict[int, Drawn] = field(default_factory=dict)

    def push(self, h: int, g: int, state: int) -> None:
        super().push(h, g, state)
        self.levels.setdefault(h, Drawn()).put(g, self.entries[-1])

    def take(self, random: Random) -> Entry:
        values = sorted(h for h, level in self.levels.items() if level)
        weights = [exponential(-(h - values[0]) / self.temperature) for h in values]
        left = random.uniform() * sum_in_order(weights)
        chosen = next(h for i, h in enumerate(values) if left < sum_in_order(weights[: i + 1]))
        entry = self.levels[chosen].draw(random)
        if not self.levels[chosen]:
            del self.levels[chosen]
        return entry


def sum_in_order(numbers: list[float]) -> float:
    """Since Python 3.12, `sum` is more exact than one addition after the other."""
    total = 0.0
    for number in numbers:
        total += number
    return total


Lists = Callable[[], list[OpenList]]


class ReferenceBestFirst:
    """Expands states until a goal is found, nothing is left or there were enough expansions."""

    def __init__(
        self,
        task: _core.Task,
        heuristic: _core.Heuristic,
        lists: Lists,
        *,
        preferred: bool = False,
        deferred: bool = False,
        cost: str = "unit",
        reopens: bool = False,
        late_goal: bool = False,
        seed: int,
        max_expansions: int,
    ) -> None:
        self.task = task
        self.evaluator = heuristic.bind(task)
        self.lists = [(each, False) for each in lists()] + [(each, True) for each in lists() if preferred]
        self.turns = [0] * len(self.lists)
        self.po, self.de, self.cost, self.reopens, self.late_goal = preferred, deferred, cost, reopens, late_goal
        self.random = Random(seed)
        self.states: list[_core.State] = []
        self.ids: dict[_core.State, int] = {}
        self.g: list[int] = []
        self.h: list[float | None] = []
        self.origins: list[tuple[int, int]] = []
        self.closed: set[int] = set()
        self.best: float = INFINITY
        self.evaluations = 0
        self.expanded: list[_core.State] = []
        self.plan: list[int] | None = None
        self.status = self.run(max_expansions)

    def run(self, max_expansions: int) -> str:
        root = self.task.initial_state
        if self.task.is_goal(root):
            self.plan = []
            return "solved"
        self.enter(root, (-1, -1), 0)
        self.open(0, 0, False)
        while True:
            state = self.pop()
            if state is None:
                return "unsolvable"
            self.closed.add(state)
            if self.de and self.h[state] is None and self.evaluate(state) == INFINITY:
                continue
            if self.late_goal and self.task.is_goal(self.states[state]):
                return self.solved(state)
            if len(self.expanded) == max_expansions:
                return "expansion-limit"
            self.expanded.append(self.states[state])
            goal = self.expand(state)
            if goal is not None:
                return self.solved(goal)

    def solved(self, goal: int) -> str:
        self.plan = []
        while goal != 0:
            goal, action = self.origins[goal]
            self.plan.insert(0, action)
        return "solved"

    def evaluate(self, state: int) -> float:
        h = self.evaluator.evaluate([self.states[state]])[0]
        self.h[state] = h
        self.evaluations += 1
        if h < self.best:
            if self.best < INFINITY:
                self.turns = [turns - 1000 * only for turns, (_, only) in zip(self.turns, self.lists, strict=True)]
            self.best = h
        return h

    def enter(self, state: _core.State, origin: tuple[int, int], g: int) -> int:
        self.ids[state] = len(self.states)
        self.states.append(state)
        self.g.append(g)
        self.h.append(None)
        self.origins.append(origin)
        return self.ids[state]

    def open(self, state: int, inherited: int, preferred: bool) -> None:
        """Evaluates the state, unless that is deferred, and lets it wait, unless it is a dead end."""
        h = self.h[state]
        if h is None:
            h = inherited if self.de else self.evaluate(state)
        if h < INFINITY:
            for each, only_preferred in self.lists:
                if preferred or not only_preferred:
                    each.push(int(h), self.g[state], state)

    def pop(self) -> int | None:
        for i in sorted(range(len(self.lists)), key=lambda i: (self.turns[i], i)):
            state = self.lists[i][0].pop(self.random)
            while state is not None and state in self.closed:
                state = self.lists[i][0].pop(self.random)
            if state is not None:
                self.turns[i] += 1
                return state
        return None

    def expand(self, parent: int) -> int | None:
        """All successors first, the goal among them; then they are opened."""
        recommended = {action.id for action in self.evaluator.preferred([self.states[parent]])[0]} if self.po else set()
        waiting: list[tuple[int, bool]] = []
        first_new = len(self.states)
        for action in self.task.applicable(self.states[parent]):
            state = self.task.apply(self.states[parent], action)
            g = self.g[parent] + (1 if self.cost == "unit" else action.cost)
            if state not in self.ids:
                number = self.enter(state, (parent, action.id), g)
                if not self.late_goal and self.task.is_goal(state):
                    return number
                waiting.append((number, action.id in recommended))
                continue
            known = self.ids[state]
            if self.reopens and g < self.g[known] and self.h[known] != INFINITY:
                self.g[known], self.origins[known] = g, (parent, action.id)
                if known < first_new:
                    self.closed.discard(known)
                    waiting.append((known, action.id in recommended))
        for number, preferred in waiting:
            self.open(number, int(self.h[parent] or 0), preferred)
        return None
