"""The one loop, slow and plain, over any open list: trees beside queues, lists that take turns, several heuristics. It
draws random numbers as the core does, so that both expand the same states in the same order.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache

from random_tasks import random_task
from searches.reference_best_first import OpenList as PlainList
from searches.reference_guct import Node, Random, ReferenceTree
from searches.reference_steps import SlowSteps

import banditplan as bp
from banditplan import _core
from banditplan.components.spec import parse_search

INFINITY = math.inf
Row = tuple[float, ...]


@dataclass(frozen=True)
class Child:
    number: int
    state: _core.State
    action: int
    row: Row
    g: int
    preferred: bool


@dataclass(frozen=True)
class Expansion:
    state: _core.State | None
    children: list[Child]


class SlowPathEvaluator:
    """A heuristic of paths at work."""

    def arrive(
        self, parent: int, number: int, before: _core.State | None, state: _core.State, row: list[float | None]
    ) -> float:
        raise NotImplementedError

    def again(self, parent: int, number: int, before: _core.State, state: _core.State) -> None:
        """An evaluated state is reached on another path."""


class SlowPathHeuristic:
    def __init__(self, make: Callable[[_core.Task], SlowPathEvaluator]) -> None:
        self.bind = make


class List:
    """An open list of the loop."""

    holds_all = True

    def push(self, expansion: Expansion) -> None:
        raise NotImplementedError

    def pop(self, closed: set[int]) -> int | None:
        raise NotImplementedError

    def revalue(self, state: _core.State, row: Row | None) -> None:
        """A state that was taken out has these values, or is a dead end."""

    def improved(self) -> None:
        """A heuristic found a smaller value than ever."""


@dataclass
class Queue(List):
    """One of the plain lists, ordered by the heuristic of a column."""

    plain: PlainList
    column: int
    random: Random

    def push(self, expansion: Expansion) -> None:
        for child in expansion.children:
            self.plain.push(int(child.row[self.column]), child.g, child.number)

    def pop(self, closed: set[int]) -> int | None:
        while (state := self.plain.pop(self.random)) is not None:
            if state not in closed:
                return state
        return None


@dataclass
class Lexicographic(List):
    columns: tuple[int, ...]
    waiting: list[tuple[Row, int, int]] = field(default_factory=list)
    pushed: int = 0

    def push(self, expansion: Expansion) -> None:
        for child in expansion.children:
            key = tuple(child.row[column] for column in self.columns)
            self.waiting.append((key, self.pushed, child.number))
            self.pushed += 1

    def pop(self, closed: set[int]) -> int | None:
        self.waiting = sorted(entry for entry in self.waiting if entry[2] not in closed)
        return self.waiting.pop(0)[2] if self.waiting else None


@dataclass
class Preferred(List):
    inner: List
    holds_all = False

    def push(self, expansion: Expansion) -> None:
        self.inner.push(replace(expansion, children=[child for child in expansion.children if child.preferred]))

    def pop(self, closed: set[int]) -> int | None:
        return self.inner.pop(closed)


@dataclass
class Alternation(List):
    lists: list[List]
    boost: int

    def __post_init__(self) -> None:
        self.turns = [0] * len(self.lists)

    def push(self, expansion: Expansion) -> None:
        for each in self.lists:
            each.push(expansion)

    def pop(self, closed: set[int]) -> int | None:
        for i in sorted(range(len(self.lists)), key=lambda i: (self.turns[i], i)):
            state = self.lists[i].pop(closed)
            if state is not None:
                self.turns[i] += 1
                return state
        return None

    def revalue(self, state: _core.State, row: Row | None) -> None:
        for each in self.lists:
            each.revalue(state, row)

    def improved(self) -> None:
        for i, each in enumerate(self.lists):
            self.turns[i] -= 0 if each.holds_all else self.boost


class Tree(ReferenceTree, List):
    """Never moves anything. A bilevel tree goes on from a leaf with as many expansions as it is deep."""

    def __init__(
        self,
        column: int,
        bandit: str,
        *,
        preferred: bool,
        random: Random,
        ranks: int | None = None,
        bilevel: bool = False,
    ) -> None:
        super().__init__(bandit, "monte_carlo", preferred=preferred, random=random)
        self.column, self.ranks = column, ranks
        self.bilevel = bilevel
        self.left = 0
        self.taken: Node | None = None
        self.below: list[Node] = []
        self.numbers: dict[int, int] = {}  # by the identity of nodes

    def push(self, expansion: Expansion) -> None:
        leaf = None if expansion.state is None else self.node_of.get(expansion.state)
        for child in expansion.children:
            h = int(child.row[self.column])
            rank = 0 if self.ranks is None else int(child.row[self.ranks])
            g = 0 if leaf is None else leaf.g + 1
            node = Node(child.state, leaf, child.action, g, h, child.preferred, rank=rank)
            if self.left > 0 and leaf is not None and leaf is self.taken:
                self.below.append(node)
            self.numbers[id(node)] = child.number
            if leaf is None:
                self.nodes.append(node)
                self.node_of[child.state] = node
            else:
                self.attach(node)
        if leaf is not None:
            leaf.locked_leaf = not leaf.children

    def pop(self, closed: set[int]) -> int | None:
        ready = [node for node in self.below if not node.children and not node.locked_leaf] if self.left > 0 else []
        if ready:
            self.left -= 1
            self.taken = min(ready, key=lambda node: (node.rank, node.h))  # the first one among equals
        else:
            self.left = 0
            if not self.nodes or self.nodes[0].locked:
                return None
            self.taken = self.select(self.nodes[0])
            self.below = []
            if self.bilevel:
                self.left = max(self.taken.g, 1) - 1
        return self.numbers[id(self.taken)]

    def revalue(self, state: _core.State, row: Row | None) -> None:
        node = self.node_of[state]
        assert node is not None
        if row is None:
            node.locked_leaf = True
        else:
            node.h = int(row[self.column])


class ReferenceSentence:
    """Expands states until a goal is found, nothing is left or there were enough expansions."""

    def __init__(
        self,
        task: _core.Task,
        heuristics: list[_core.Heuristic | SlowPathHeuristic],
        open_list: List,
        *,
        deferred: bool,
        follow: bool = False,
        counts_g: bool = False,
        max_expansions: int,
    ) -> None:
        self.task = task
        self.counts_g = counts_g
        self.steps = SlowSteps(task) if follow and not deferred else None
        self.evaluators = [heuristic.bind(task) for heuristic in heuristics]
        self.paths = [each for each in self.evaluators if isinstance(each, SlowPathEvaluator)]
        self.open = open_list
        self.de = deferred
        self.states: list[_core.State] = []
        self.ids: dict[_core.State, int] = {}
        self.origins: list[tuple[int, int]] = []
        self.g: list[int] = []
        self.rows: dict[int, Row] = {}
        self.best: list[float] = [INFINITY] * len(heuristics)
        self.evaluations = 0
        self.improvements = 0
        self.followed = 0
        self.expanded: list[_core.State] = []
        self.plan: list[int] | None = None
        self.status = self.run(max_expansions)

    def run(self, max_expansions: int) -> str:
        if self.task.is_goal(self.task.initial_state):
            self.plan = []
            return "solved"
        closed: set[int] = set()
        self.enter(self.task.initial_state, -1, -1)
        self.open.push(Expansion(None, self.children([(0, -1)], None, set())))
        while True:
            state = self.open.pop(closed)
            if state is None:
                return "unsolvable"
            closed.add(state)
            if self.de and state not in self.rows:
                row = self.evaluate(state)
                self.open.revalue(self.states[state], row)
                if row is None:
                    continue
            if len(self.expanded) == max_expansions:
                return "expansion-limit"
            self.expanded.append(self.states[state])
            new = []
            for action in self.task.applicable(self.states[state]):
                successor = self.task.apply(self.states[state], action)
                if successor in self.ids:
                    known = self.ids[successor]
                    for each in self.paths if known in self.rows else ():
                        each.again(state, known, self.states[state], successor)
                    continue
                new.append((self.enter(successor, state, action.id), action.id))
                if self.task.is_goal(successor):
                    self.plan = self.path(new[-1][0])
                    return "solved"
            followed = self.follow(state) if self.steps is not None and self.steps.due() else None
            if self.plan is not None:
                return "solved"
            children = self.children(new, state, self.recommended(state))
            if self.steps is not None and followed is not None:
                before = self.improvements
                children += self.children(followed, state, {action for _, action in followed})
                self.steps.judge(useful=self.improvements > before)
            self.open.push(Expansion(self.states[state], children))

    def follow(self, expanded: int) -> list[tuple[int, int]]:
        """The new states on the way of a relaxed plan, up to a goal, to which there is a plan then, or, if lengths of
        paths count, to a known state that is nearer to the initial state."""
        assert self.steps is not None
        state = expanded
        new: list[tuple[int, int]] = []
        for action, successor in self.steps.made_from(self.states[state]):
            if successor not in self.ids:
                new.append((self.enter(successor, state, action), action))
                if self.task.is_goal(successor):
                    self.plan = self.path(self.ids[successor])
                    break
            state = self.ids[successor]
            if self.counts_g and self.g[state] < self.g[expanded]:
                break
        self.followed += len(new)
        return new

    def enter(self, state: _core.State, parent: int, action: int) -> int:
        self.ids[state] = len(self.states)
        self.states.append(state)
        self.origins.append((parent, action))
        self.g.append(0 if parent < 0 else self.g[parent] + 1)
        return self.ids[state]

    def children(self, new: list[tuple[int, int]], parent: int | None, recommended: set[int]) -> list[Child]:
        children = []
        for number, action in new:
            row = self.inherited(parent) if self.de else self.evaluate(number)
            if row is not None:
                state = self.states[number]
                children.append(Child(number, state, action, row, self.g[number], action in recommended))
        return children

    def inherited(self, parent: int | None) -> Row:
        return (0,) * len(self.evaluators) if parent is None else self.rows[parent]

    def recommended(self, state: int) -> set[int]:
        plain = [each for each in self.evaluators if not isinstance(each, SlowPathEvaluator)]
        return {action.id for each in plain for action in each.preferred([self.states[state]])[0]}

    def evaluate(self, number: int) -> Row | None:
        self.evaluations += 1
        row = self.row(number)
        if INFINITY in row:
            return None
        self.rows[number] = row
        better = [value < best for value, best in zip(row, self.best, strict=True)]
        if any(is_better and best < INFINITY for is_better, best in zip(better, self.best, strict=True)):
            self.improvements += 1
            self.open.improved()
        self.best = [min(pair) for pair in zip(row, self.best, strict=True)]
        return row

    def row(self, number: int) -> Row:
        """Heuristics of states first: a dead end is no concern of those of paths."""
        state = self.states[number]
        values: list[float | None] = [
            None if isinstance(each, SlowPathEvaluator) else each.evaluate([state])[0] for each in self.evaluators
        ]
        if INFINITY in values:
            return (INFINITY,)
        parent = self.origins[number][0]
        for column, each in enumerate(self.evaluators):
            if isinstance(each, SlowPathEvaluator):
                values[column] = each.arrive(parent, number, None if parent < 0 else self.states[parent], state, values)
        return tuple(value for value in values if value is not None)

    def path(self, state: int) -> list[int]:
        actions: list[int] = []
        while state != 0:
            state, action = self.origins[state]
            actions.insert(0, action)
        return actions


class LazySentence(ReferenceSentence):
    """Children are steps from their parent: a state is made when its turn comes, and passed over if there is one."""

    def run(self, max_expansions: int) -> str:
        initial = self.task.initial_state
        if self.task.is_goal(initial):
            self.plan = []
            return "solved"
        steps: list[tuple[int, int]] = [(-1, -1)]
        closed: set[int] = set()
        self.open.push(Expansion(None, [Child(0, initial, -1, self.inherited(None), 0, False)]))
        while True:
            step = self.open.pop(closed)
            if step is None:
                return "unsolvable"
            closed.add(step)
            parent, action = steps[step]
            made = initial if parent < 0 else self.task.apply(self.states[parent], self.task.action(action))
            if made in self.ids:
                continue
            state = self.enter(made, parent, action)
            if self.task.is_goal(made):
                self.plan = self.path(state)
                return "solved"
            row = self.evaluate(state)
            if row is None:
                continue
            if len(self.expanded) == max_expansions:
                return "expansion-limit"
            self.expanded.append(made)
            recommended = self.recommended(state)
            children = []
            for each in self.task.applicable(made):
                g = self.g[state] + 1
                children.append(Child(len(steps), made, each.id, row, g, each.id in recommended))
                steps.append((state, each.id))
            self.open.push(Expansion(made, children))


# A sentence, its heuristics in the order of their columns, and the same open list in the reference.
Case = tuple[str, list[_core.Heuristic | SlowPathHeuristic], Callable[[Random], List]]

# When states are evaluated, and made.
EAGER, DEFERRED, LAZY = "deferred=False", "deferred=True", "lazy=True"


def timed(cases: dict[str, Case]) -> list[tuple[str, str]]:
    """The names of the cases, each at all times that it knows: a tree holds states, and cannot wait for them."""
    times = (EAGER, DEFERRED, LAZY)
    return [(name, time) for name in cases for time in times if time != LAZY or "tree(" not in cases[name][0]]


RANDOM_TASKS = range(500, 540)


@cache
def ground(kind: str, seed: int) -> _core.Task:
    """A random task, which all cases share."""
    return random_task(kind, seed).ground()


@cache
def example(name: str) -> _core.Task:
    return bp.load(*bp.example(name))


def check(task: _core.Task, case: Case, seed: int, expansions: int, *, time: str = EAGER, follow: bool = False) -> int:
    """The core expands what the reference expands, and finds what it finds; returns how many states that were, or how
    many were found on the way of relaxed plans, if they are followed."""
    text, heuristics, open_list = case
    search = parse_search(f"best_first({text}, {time}, follow={follow})")
    recorded = _core.expand(search, task, seed=seed, max_expansions=expansions)
    if not task.solvable:
        assert recorded.result.status == "unsolvable"
        return 0
    slow = (LazySentence if time == LAZY else ReferenceSentence)(
        task,
        heuristics,
        open_list(Random(seed)),
        deferred=time == DEFERRED,
        follow=follow,
        counts_g="softmin(" in text,
        max_expansions=expansions,
    )
    assert recorded.expanded == slow.expanded
    assert recorded.result.plan == (slow.plan or [])
    assert recorded.result.status == slow.status
    assert recorded.result.evaluations == slow.evaluations
    return slow.followed if follow else len(slow.expanded)
