"""The delete relaxation by its definition, slowly: costs to a fixpoint, then supporters from the goal backwards."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import inf
from random import Random

from banditplan import _core

SATURATED = 2**30 - 1  # sums stop growing here
Fact = Hashable
Combine = Callable[[Iterable[float]], float]


@dataclass(frozen=True)
class Way:
    """One way to reach facts: an action with one of its effect conditions, or an axiom."""

    action: int | None  # the action's id; None for an axiom
    cost: int
    needs: frozenset[Fact]
    gives: frozenset[Fact]


def highest(costs: Iterable[float]) -> float:
    return max(costs, default=0)


def fact_costs(ways: list[Way], true: Iterable[Fact], combine: Combine) -> dict[Fact, float]:
    """The cost of every fact that can be reached; `combine` is `sum` (hadd) or `highest` (hmax)."""
    costs: dict[Fact, float] = dict.fromkeys(true, 0)
    readers: dict[Fact, list[Way]] = {}
    for way in ways:
        for fact in way.needs:
            readers.setdefault(fact, []).append(way)
    todo = dict.fromkeys(ways)
    while todo:
        way = next(iter(todo))
        del todo[way]
        cost = min(firing_cost(way, costs, combine), SATURATED)
        for fact in way.gives if cost_is_known(way, costs) else ():
            if cost < costs.get(fact, inf):
                costs[fact] = cost
                todo.update(dict.fromkeys(readers.get(fact, ())))
    return costs


def cost_is_known(way: Way, costs: Mapping[Fact, object]) -> bool:
    return all(fact in costs for fact in way.needs)


def firing_cost(way: Way, costs: Mapping[Fact, float], combine: Combine) -> float:
    return combine(costs.get(fact, inf) for fact in way.needs) + way.cost


def goal_cost(goal: Iterable[Fact], costs: Mapping[Fact, float], combine: Combine) -> float:
    cost = combine(costs.get(fact, inf) for fact in goal)
    return cost if cost == inf else min(cost, SATURATED)


def relaxed_plan(ways: list[Way], true: Iterable[Fact], goal: Iterable[Fact]) -> set[int] | None:
    """The actions of hFF's relaxed plan; None at a dead end.

    The supporter of a fact is the cheapest way, the smallest action among equals. Ways that cost nothing could then
    support each other: of the cheapest ways, only those count that need the fewest such links in a row.
    """
    reached = costs_and_links(ways, true)
    if any(fact not in reached for fact in goal):
        return None
    achievers: dict[Fact, list[Way]] = {}
    for way in ways:
        for fact in way.gives if cost_is_known(way, reached) else ():
            achievers.setdefault(fact, []).append(way)
    plan: set[int] = set()
    holds = set(true)
    todo, done = list(goal), set()
    while todo:
        fact = todo.pop()
        if fact in done or fact in holds:
            continue
        done.add(fact)
        best = min(achievers[fact], key=lambda way: (cost_and_links(way, reached), way.action is None, way.action))
        if best.action is not None:
            plan.add(best.action)
        todo += best.needs
    return plan


def costs_and_links(ways: list[Way], true: Iterable[Fact]) -> dict[Fact, tuple[float, int]]:
    reached: dict[Fact, tuple[float, int]] = dict.fromkeys(true, (0, -1))
    changed = True
    while changed:
        changed = False
        for way in ways:
            for fact in way.gives if cost_is_known(way, reached) else ():
                if fact not in reached or cost_and_links(way, reached) < reached[fact]:
                    reached[fact] = cost_and_links(way, reached)
                    changed = True
    return reached


def cost_and_links(way: Way, reached: Mapping[Fact, tuple[float, int]]) -> tuple[float, int]:
    needs = [reached[fact] for fact in way.needs]
    cost = sum(cost for cost, _ in needs) + way.cost
    dearest, links = max(needs, default=(-1, 0))
    return cost, links + 1 if cost == dearest else 0


def reachable(ways: list[Way], true: Iterable[Fact], actions: set[int] | None = None) -> set[Fact]:
    """The facts that can be reached with these actions (with all of them if none are named) and all axioms."""
    usable = [way for way in ways if actions is None or way.action is None or way.action in actions]
    return set(fact_costs(usable, true, highest))


def shortest_plan(ways: list[Way], true: Iterable[Fact], goal: frozenset[Fact], most_tries: int) -> int | None:
    """h+, the fewest distinct actions that reach the goal, by trying all sets of actions; None if that takes long."""
    actions = sorted({way.action for way in ways if way.action is not None})
    tries = 0
    for size in range(len(actions) + 1):
        for chosen in combinations(actions, size):
            tries += 1
            if tries > most_tries:
                return None
            if goal <= reachable(ways, true, set(chosen)):
                return size
    raise AssertionError("the goal cannot be reached")


def random_walks(task: _core.Task, count: int, random: Random, length: int = 40) -> list[_core.State]:
    """So many states from random walks that start over after some steps, at goals and where nothing is applicable."""
    states = [task.initial_state]
    steps = 0
    while len(states) < count:
        actions = task.applicable(states[-1])
        if not actions or steps == length:
            states.append(task.initial_state)
            steps = 0
        else:
            states.append(task.apply(states[-1], random.choice(actions)))
            steps += 1
    return states
