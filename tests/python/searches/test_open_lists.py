"""The open lists by themselves: their orders, and their draws against the exact distributions."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import pytest

import banditplan as bp
from banditplan import _core

DRAWS = 4000


def filled(search: _core.NamedSearch, entries: list[tuple[int, int]], seed: int) -> _core.Frontier:
    """An open list with these pairs of h and g; states are named by their places."""
    open_list = search.sentence.open.frontier(seed=seed)
    for state, (h, g) in enumerate(entries):
        open_list.push(state, h=h, g=g)
    return open_list


def emptied(open_list: _core.Frontier) -> list[int]:
    states = []
    while True:
        try:
            states.append(open_list.pop())
        except IndexError:
            return states


ENTRIES = [(3, 0), (1, 4), (2, 1), (1, 1), (3, 0), (1, 4), (100_000, 0), (70_000, 0), (100_000, 1)]
SEARCHES: list[_core.NamedSearch] = [
    *(bp.Gbfs(ties=ties) for ties in ("fifo", "lifo", "random")),
    *(bp.WAStar(weight=weight) for weight in (0, 0.5, 1, 5)),
    *(bp.AStar(), bp.Dijkstra(), bp.Bfs(), bp.TypeGbfs()),
    *(bp.SoftminType(temperature=temperature) for temperature in (0.01, 1, 1e9, math.inf)),
    *(bp.EpsilonGbfs(epsilon=epsilon) for epsilon in (0, 0.3, 1)),
]


@pytest.mark.sweep
@pytest.mark.parametrize("search", SEARCHES, ids=str)
def test_everything_comes_out_once(search: _core.NamedSearch) -> None:
    for seed in range(20):
        assert sorted(emptied(filled(search, ENTRIES, seed))) == list(range(len(ENTRIES)))


@pytest.mark.parametrize(
    ("search", "order"),
    [
        (bp.Gbfs(), [1, 3, 5, 2, 0, 4, 7, 6, 8]),
        (bp.Gbfs(ties="lifo"), [5, 3, 1, 2, 4, 0, 7, 8, 6]),
        (bp.EpsilonGbfs(epsilon=0), [1, 3, 5, 2, 0, 4, 7, 6, 8]),
        (bp.Bfs(), [0, 1, 2, 3, 4, 5, 6, 7, 8]),
        (bp.AStar(), [3, 2, 0, 4, 1, 5, 7, 6, 8]),
        (bp.WAStar(weight=1), [3, 0, 2, 4, 1, 5, 7, 6, 8]),
        (bp.WAStar(weight=0), [0, 4, 6, 7, 2, 3, 8, 1, 5]),
    ],
    ids=str,
)
def test_the_order_is_the_one_that_the_name_promises(search: _core.NamedSearch, order: list[int]) -> None:
    assert emptied(filled(search, ENTRIES, 0)) == order


def test_an_open_list_refuses_what_makes_no_sense() -> None:
    open_list = bp.GreedyList().frontier()
    for wrong in ({"state": -1, "h": 0}, {"state": 0, "h": -1}, {"state": 0, "h": 0, "g": -1}):
        with pytest.raises(ValueError, match="must not be negative"):
            open_list.push(**wrong)


@pytest.mark.parametrize("epsilon", [0.0, 0.5, 1.0])
def test_a_state_may_come_in_twice(epsilon: float) -> None:
    open_list = bp.EpsilonList(epsilon=epsilon).frontier()
    for h in (4, 2, 4):
        open_list.push(0, h=h)
    open_list.push(1, h=3)
    assert sorted(emptied(open_list)) == [0, 1]
    open_list.push(0, h=1)
    assert emptied(open_list) == [0]


def test_preferred_lists_hold_preferred_states_and_get_a_boost() -> None:
    open_list = bp.Alternation([bp.GreedyList(), bp.PreferredList(bp.GreedyList())]).frontier()
    for state, preferred in enumerate((False, True, False, True)):
        open_list.push(state, h=9 - state, preferred=preferred)
    assert emptied(open_list) == [3, 1, 2, 0]
    assert emptied(bp.PreferredList().frontier()) == []


def test_a_tree_grows_by_expansions_only() -> None:
    with pytest.raises(ValueError, match="a tree grows by expansions"):
        bp.Alternation([bp.GreedyList(), bp.TreeList()]).frontier()


# ---- draws


def chi_square(counts: Counter[Any], probabilities: dict[Any, float]) -> float:
    assert set(counts) <= set(probabilities)
    total = counts.total()
    return sum((counts[key] - total * p) ** 2 / (total * p) for key, p in probabilities.items())


def critical(freedom: int) -> float:
    """Passed once in a thousand times by chance (Wilson and Hilferty 1931)."""
    part = 2 / (9 * freedom)
    return float(freedom * (1 - part + 3.0902 * math.sqrt(part)) ** 3)


def check_draws(search: _core.NamedSearch, entries: list[tuple[int, int]], turn: int, exact: dict[int, float]) -> None:
    """The state that comes at the given turn has the exact distribution."""
    counts: Counter[int] = Counter()
    for seed in range(DRAWS):
        open_list = filled(search, entries, seed)
        for _ in range(turn):
            open_list.pop()
        counts[open_list.pop()] += 1
    assert math.isclose(sum(exact.values()), 1)
    assert chi_square(counts, exact) < critical(len(exact) - 1)


# After the first turn, which takes state 0: h = 2 with g = 1 (two states) and g = 5; h = 3 with g = 1 (three); h = 5.
TYPED = [(1, 0), (2, 1), (2, 1), (2, 5), (3, 1), (3, 1), (3, 1), (5, 9)]


@pytest.mark.parametrize("temperature", [0.5, 1, 4, math.inf])
def test_softmin_draws_have_the_exact_distribution(temperature: float) -> None:
    weights = {h: math.exp(-h / temperature) for h in (2, 3, 5)}
    p = {h: weight / sum(weights.values()) for h, weight in weights.items()}
    exact = {1: p[2] / 4, 2: p[2] / 4, 3: p[2] / 2, 4: p[3] / 3, 5: p[3] / 3, 6: p[3] / 3, 7: p[5]}
    check_draws(bp.SoftminType(temperature=temperature), TYPED, 1, exact)


def test_softmin_draws_do_not_vanish_far_from_zero() -> None:
    entries = [(0, 0), *((h + 1_000_000, g) for h, g in TYPED[1:])]
    weights = {h: math.exp(-h) for h in (2, 3, 5)}
    p = {h: weight / sum(weights.values()) for h, weight in weights.items()}
    exact = {1: p[2] / 4, 2: p[2] / 4, 3: p[2] / 2, 4: p[3] / 3, 5: p[3] / 3, 6: p[3] / 3, 7: p[5]}
    check_draws(bp.SoftminType(), entries, 1, exact)


def test_type_draws_have_the_exact_distribution() -> None:
    exact = {1: 1 / 8, 2: 1 / 8, 3: 1 / 4, 4: 1 / 12, 5: 1 / 12, 6: 1 / 12, 7: 1 / 4}
    check_draws(bp.TypeGbfs(), TYPED, 1, exact)


def test_epsilon_draws_have_the_exact_distribution() -> None:
    exact = dict.fromkeys(range(8), 0.3 / 8)
    exact[0] += 0.7
    check_draws(bp.EpsilonGbfs(epsilon=0.3), TYPED, 0, exact)


def test_random_ties_have_the_exact_distribution() -> None:
    check_draws(bp.Gbfs(ties="random"), TYPED, 1, dict.fromkeys((1, 2, 3), 1 / 3))


def test_lists_take_turns() -> None:
    """Every other state comes from the greedy list, whatever the other one has taken already."""
    entries = [(h, 0) for h in range(40)]
    for search in (bp.TypeGbfs(), bp.SoftminType(temperature=20)):
        order = emptied(filled(search, entries, 7))
        left = set(range(40))
        for turn, state in enumerate(order):
            assert turn % 2 == 1 or state == min(left)
            left.remove(state)
        assert order != sorted(order)
