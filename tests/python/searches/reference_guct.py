"""Algorithm 1 of Wissow and Asai (2024), slow and plain: statistics are recomputed from the leaves whenever they are
looked at, and nothing is incremental. It draws random numbers as the core does, so that both grow the same tree.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import reduce

from banditplan import _core

MASK = 2**64 - 1
INFINITY = math.inf


def logarithm(x: float) -> float:
    """The core's logarithm, operation by operation."""
    m, exponent = math.frexp(x)
    if m < float.fromhex("0x1.6a09e667f3bcdp-1"):
        m *= 2
        exponent -= 1
    s = (m - 1) / (m + 1)
    z = s * s
    z2 = z * z
    first = (1 / 3 + z * (1 / 5)) + z2 * (1 / 7 + z * (1 / 9))
    second = (1 / 11 + z * (1 / 13)) + z2 * (1 / 15 + z * (1 / 17))
    third = (1 / 19 + z * (1 / 21)) + z2 * (1 / 23 + z * (1 / 25))
    series = z * (first + z2 * z2 * (second + z2 * z2 * third))
    high, low = float.fromhex("0x1.62e42feep-1"), float.fromhex("0x1.a39ef35793c76p-33")
    return exponent * high + (2 * s + (2 * s * series + exponent * low))


def exponential(x: float) -> float:
    """The core's exponential, operation by operation."""
    if not x > -746:
        return 0.0
    k = math.floor(x * float.fromhex("0x1.71547652b82fep+0") + 0.5)
    r = (x - k * float.fromhex("0x1.62e42feep-1")) - k * float.fromhex("0x1.a39ef35793c76p-33")
    total = 1.0
    for n in range(14, 0, -1):
        total = 1 + total * (r / n)
    return math.ldexp(total, k)


class Random:
    """xoshiro256** seeded by splitmix64."""

    def __init__(self, seed: int) -> None:
        self.state = []
        for _ in range(4):
            seed = (seed + 0x9E3779B97F4A7C15) & MASK
            z = seed
            z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
            self.state.append(z ^ (z >> 31))

    def next(self) -> int:
        s = self.state
        result = (rotated((s[1] * 5) & MASK, 7) * 9) & MASK
        shifted = (s[1] << 17) & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = rotated(s[3], 45)
        return result

    def below(self, n: int) -> int:
        while True:
            product = (self.next() >> 32) * n
            if product % 2**32 >= 2**32 % n:
                return product >> 32

    def uniform(self) -> float:
        return (self.next() >> 11) * 2.0**-53

    def normal(self) -> float:
        while True:
            x = 2 * self.uniform() - 1
            y = 2 * self.uniform() - 1
            s = x * x + y * y
            if 0 < s < 1:
                return x * math.sqrt(-2 * logarithm(s) / s)


def rotated(word: int, by: int) -> int:
    return ((word << by) | (word >> (64 - by))) & MASK


@dataclass
class Arm:
    count: int
    mean: float
    midrange: float
    variance: float
    minimum: int
    maximum: int
    spread: float  # of the means of all children of the parent


Score = Callable[[Arm], float]


def lowest(arms: list[Arm], random: Random, score: Score) -> int:
    chosen, best, ties = 0, INFINITY, 0
    for i, arm in enumerate(arms):
        value = score(arm)
        if ties == 0 or value < best:
            chosen, best, ties = i, value, 1
        elif value == best:
            ties += 1
            if random.below(ties) == 0:
                chosen = i
    return chosen


def index_bandit(scores: Callable[[list[Arm], float], Score]) -> Callable[[list[Arm], int, Random], int]:
    return lambda arms, total, random: lowest(arms, random, scores(arms, logarithm(total)))


def ucb1_01(arms: list[Arm], log: float) -> Score:
    return lambda arm: arm.mean - 1.0 * arm.spread * math.sqrt(2 * log / arm.count)


def ucb1_normal(arms: list[Arm], log: float) -> Score:
    if any(arm.count < math.floor(8 * log) for arm in arms):
        return lambda arm: arm.count
    return lambda arm: arm.mean - math.sqrt(arm.variance) * math.sqrt(16 * log / arm.count)


def ttts(arms: list[Arm], total: int, random: Random) -> int:
    def draw(arm: Arm) -> float:
        if arm.variance == 0:
            return arm.mean
        return arm.mean + math.sqrt(arm.variance / arm.count) * random.normal()

    leader = lowest(arms, random, draw)
    if random.below(2) == 0:
        return leader
    if any(arm.variance > 0 for arm in arms):
        for _ in range(100):
            challenger = lowest(arms, random, draw)
            if challenger != leader:
                return challenger
    return lowest(arms, random, lambda arm: INFINITY if arm is arms[leader] else arm.mean)


BANDITS = {
    "ucb1": index_bandit(lambda arms, log: lambda arm: arm.mean - 1.0 * math.sqrt(2 * log / arm.count)),
    "ucb1_01": index_bandit(ucb1_01),
    "ucb1_tuned": index_bandit(
        lambda arms, log: (
            lambda arm: (
                arm.mean - 1.0 * math.sqrt(min(0.25, arm.variance + math.sqrt(2 * log / arm.count)) * log / arm.count)
            )
        )
    ),
    "ucb_v": index_bandit(
        lambda arms, log: (
            lambda arm: arm.mean - math.sqrt(arm.variance) * math.sqrt(2 * log / arm.count) - 3 * 1.0 * log / arm.count
        )
    ),
    "normal": index_bandit(ucb1_normal),
    "normal2": index_bandit(lambda arms, log: lambda arm: arm.mean - math.sqrt(arm.variance) * math.sqrt(2 * log)),
    "uniform": index_bandit(
        lambda arms, log: lambda arm: arm.midrange - (arm.maximum - arm.minimum) * math.sqrt(6 * log * arm.count)
    ),
    "ttts": ttts,
    "greedy": index_bandit(lambda arms, log: lambda arm: arm.mean),
}


@dataclass(eq=False)
class Node:
    state: _core.State
    parent: Node | None
    action: int
    g: int
    h: int
    preferred: bool = False
    locked_leaf: bool = False
    children: list[Node] = field(default_factory=list)
    rank: int = 0

    def leaves(self) -> list[Node]:
        found, waiting = [], [self]
        while waiting:
            node = waiting.pop()
            waiting += node.children
            if not node.children:
                found.append(node)
        return found

    @property
    def locked(self) -> bool:
        return all(leaf.locked_leaf for leaf in self.leaves())

    @property
    def data(self) -> list[int]:
        return [leaf.h for leaf in self.leaves()]

    @property
    def open_data(self) -> list[int]:
        return [leaf.h for leaf in self.leaves() if not leaf.locked_leaf]

    @property
    def least_rank(self) -> int:
        return min(leaf.rank for leaf in self.leaves() if not leaf.locked_leaf)


def variance(data: list[int]) -> float:
    n = len(data)
    return float(n * sum(h * h for h in data) - sum(data) ** 2) / (float(n) * n)


def smaller(a: tuple[float, float] | None, b: tuple[float, float]) -> tuple[float, float]:
    """Clark's moments of the smaller one of two normal variables, with the core's functions, operation by operation."""
    if a is None:
        return b
    spread = math.sqrt(a[1] + b[1])
    if spread == 0:
        return min(a, b)
    distance = b[0] - a[0]
    alpha = distance / spread
    density = 0.39894228040143268 * exponential(-alpha * alpha / 2)
    t = 1 / (1 + 0.2316419 * abs(alpha))
    powers = 0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429)))
    beyond = density * (t * powers)
    first = 1 - beyond if alpha >= 0 else beyond
    second = 1 - first
    mean = distance * second - spread * density
    square = a[1] * first + (distance * distance + b[1]) * second - distance * spread * density
    return a[0] + mean, max(square - mean * mean, 0.0)


class ReferenceTree:
    """A tree, and how a leaf of it is selected."""

    def __init__(self, bandit: str, backup: str, *, preferred: bool, random: Random) -> None:
        self.bandit = BANDITS[bandit]
        self.backup = backup
        self.po = preferred
        self.random = random
        self.nodes: list[Node] = []
        self.node_of: dict[_core.State, Node | None] = {}  # None: a dead end

    def select(self, node: Node) -> Node:
        while node.children:
            candidates = [child for child in node.children if not child.locked]
            if self.po and any(child.preferred for child in candidates):
                candidates = [child for child in candidates if child.preferred]
            least = min(child.least_rank for child in candidates)
            candidates = [child for child in candidates if child.least_rank == least]
            if len(candidates) == 1:
                node = candidates[0]
            else:
                values = [self.value(child) for child in node.children if self.value(child) < INFINITY]
                arms = [self.arm(child, max(values) - min(values)) for child in candidates]
                node = candidates[self.bandit(arms, len(node.data), self.random)]
        return node

    def value(self, node: Node) -> float:
        if self.backup == "gaussian_minimum":
            return self.gaussian(node)[0]
        if self.backup == "full_bellman":
            return float(min(node.open_data, default=INFINITY))
        return float(sum(node.data)) / len(node.data)

    def arm(self, node: Node, spread: float) -> Arm:
        data, mean = node.data, self.value(node)
        midrange = (min(data) + max(data)) / 2 if self.backup == "monte_carlo" else mean
        spreads = self.gaussian(node)[1] if self.backup == "gaussian_minimum" else variance(data)
        return Arm(len(data), mean, midrange, spreads, min(data), max(data), spread)

    def gaussian(self, node: Node) -> tuple[float, float]:
        """Mean and variance of the least of the children; of those that are leaves, all together."""
        if not node.children:
            return (INFINITY if node.locked_leaf else float(node.h)), 0.0
        children = [child for child in node.children if not child.locked]
        inner = [self.gaussian(child) for child in children if len(child.data) > 1]
        leaves = [child.data[0] for child in children if len(child.data) == 1]
        if leaves:
            inner.append((sum(leaves) / len(leaves), variance(leaves)))
        return reduce(smaller, inner, None) or (INFINITY, 0.0)

    def attach(self, node: Node) -> None:
        assert node.parent is not None
        node.parent.children.append(node)
        self.nodes.append(node)
        self.node_of[node.state] = node

    def lower(self, node: Node) -> None:
        waiting = [node]
        while waiting:
            parent = waiting.pop()
            for child in parent.children:
                child.g = parent.g + 1
                waiting.append(child)


class ReferenceGuct(ReferenceTree):
    """Grows the tree until a goal is found, the root is locked or there were enough expansions."""

    def __init__(
        self,
        task: _core.Task,
        heuristic: _core.Heuristic,
        bandit: str,
        backup: str,
        *,
        preferred: bool,
        deferred: bool,
        graft: str,
        seed: int,
        max_expansions: int,
        budget: int | None = None,
        ranks: _core.Heuristic | None = None,
        collapse: int | str = 0,
    ) -> None:
        """With a budget, a bilevel tree: so many expansions from a leaf, or as many as it is deep if that is 0.

        A tree that collapses grafts nothing, and its nodes have no ids that could be compared.
        """
        super().__init__(bandit, backup, preferred=preferred, random=Random(seed))
        self.task = task
        self.evaluator = heuristic.bind(task)
        self.de, self.graft, self.budget = deferred, graft, budget
        self.visits: list[int] = []
        self.plan: list[int] | None = None
        self.waits_with: dict[int, tuple[int, int]] = {}  # by the identity of nodes: their values when attached
        self.ranks = None if ranks is None else ranks.bind(task)
        self.collapse = collapse
        self.expanded: list[_core.State] = []
        self.reached: dict[_core.State, list[int]] = {task.initial_state: []}  # of a tree that collapses
        self.status = self.run(max_expansions)

    def evaluate(self, state: _core.State) -> float:
        return self.evaluator.evaluate([state])[0]

    def rank(self, state: _core.State) -> int:
        return 0 if self.ranks is None else int(self.ranks.evaluate([state])[0])

    def run(self, max_expansions: int) -> str:
        root_state = self.task.initial_state
        if self.task.is_goal(root_state):
            self.plan = []
            return "solved"
        h = 0 if self.de else self.evaluate(root_state)
        if h == INFINITY:
            return "unsolvable"
        root = Node(root_state, None, -1, 0, int(h), rank=0 if self.de else self.rank(root_state))
        self.nodes.append(root)
        self.node_of[root_state] = root
        expansions = 0
        left, below = 0, list[Node]()
        while not root.locked or left:
            ready = [node for node in below if not node.children and not node.locked_leaf] if left else []
            if ready:
                left -= 1
                leaf = min(ready, key=lambda node: self.waits_with[id(node)])  # the first one among equals
            elif root.locked:
                break
            else:
                leaf, below = self.select(root), []
                left = 0 if self.budget is None else max(self.budget or len(path(leaf)), 1) - 1
            known = len(self.nodes)
            if self.de:
                h = self.evaluate(leaf.state)
                if h == INFINITY:
                    leaf.locked_leaf = True
                    self.node_of[leaf.state] = None
                    self.visits.append(self.nodes.index(leaf))
                    continue
                leaf.h, leaf.rank = int(h), self.rank(leaf.state)
            if expansions == max_expansions:
                return "expansion-limit"
            expansions += 1
            self.expand(leaf)
            if self.plan is not None:
                return "solved"
            below += self.nodes[known:]
            self.waits_with |= {id(node): (node.rank, node.h) for node in self.nodes[known:]}
            self.visits.append(self.nodes.index(leaf))
            self.flatten(leaf)
        return "unsolvable"

    def flatten(self, leaf: Node) -> None:
        """The children of a leaf take its place if there are few siblings then, the first one where it was."""
        parent = leaf.parent
        if parent is None or not leaf.children:
            return
        threshold = len(path(leaf)) if self.collapse == "depth" else self.collapse
        if len(parent.children) + len(leaf.children) - 1 >= threshold:
            return
        first, *others = leaf.children
        parent.children[parent.children.index(leaf)] = first
        parent.children += others
        for child in leaf.children:
            child.parent = parent

    # ---- expand

    def expand(self, leaf: Node) -> None:
        self.expanded.append(leaf.state)
        actions = self.task.applicable(leaf.state)
        successors = [(action.id, self.task.apply(leaf.state, action)) for action in actions]
        for action, state in successors:
            if state not in self.node_of and self.task.is_goal(state):
                self.plan = [*(self.reached[leaf.state] if self.collapse else path(leaf)), action]
                return
        recommended = {action.id for action in self.evaluator.preferred([leaf.state])[0]} if self.po else set()
        for action, state in successors:
            g = leaf.g + 1
            preferred = action in recommended
            if self.collapse:
                self.reached.setdefault(state, [*self.reached[leaf.state], action])
            if state not in self.node_of:
                h = leaf.h if self.de else self.evaluate(state)
                self.node_of[state] = None
                if h < INFINITY:
                    rank = leaf.rank if self.de else self.rank(state)
                    self.attach(Node(state, leaf, action, g, int(h), preferred, rank=rank))
                continue
            known = self.node_of[state]
            if known is None or self.graft == "never" or g > known.g or (g == known.g and self.graft == "strict"):
                continue
            waiting = not known.children and not known.locked_leaf
            node = Node(state, leaf, action, g, leaf.h if self.de and waiting else known.h, preferred)
            node.children, known.children = known.children, []
            node.locked_leaf, known.locked_leaf = known.locked_leaf, True
            for child in node.children:
                child.parent = node
            self.attach(node)
            self.lower(node)
        leaf.locked_leaf = not leaf.children


def path(node: Node) -> list[int]:
    actions: list[int] = []
    while node.parent is not None:
        actions.append(node.action)
        node = node.parent
    return actions[::-1]
