"""What Python threads share is used by one of them at a time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

import banditplan as bp
from banditplan import _core


def test_threads_may_share_an_evaluator() -> None:
    task = bp.load(*bp.example("warehouse"))
    evaluator = bp.Ff().bind(task)
    states = [task.initial_state]
    for _ in range(300):
        states += [task.apply(states[-1], action) for action in task.applicable(states[-1])[:2]]
    batches = [states[i : i + 40] for i in range(0, len(states), 20)]
    expected = [evaluator.evaluate(batch) for batch in batches]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(5):
            assert list(pool.map(evaluator.evaluate, batches)) == expected


def test_threads_may_share_an_anytime_search() -> None:
    """Whoever asks gets the next plan; no two get the same."""
    task = bp.load(*bp.example("museum"))
    alone = _core.AnytimeSearch(bp.Gbfs(), task)
    expected = []
    while (found := alone.next()).status == "solved":
        expected.append(found.plan)
    search = _core.AnytimeSearch(bp.Gbfs(), task)
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda _: search.next(), range(len(expected) + 8)))
    plans = [result.plan for result in results if result.status == "solved"]
    assert sorted(plans) == sorted(expected)


def test_a_call_from_within_is_refused() -> None:
    """It would wait for itself."""
    task = bp.load(*bp.example("crates"))
    bound: list[_core.Evaluator] = []

    def asks_itself(states: bp.States) -> list[float]:
        return [bound[0].evaluate([states[i]])[0] for i in range(len(states))]

    bound.append(bp.PythonHeuristic(asks_itself).bind(task))
    with pytest.raises(RuntimeError, match="called from a function that it calls itself"):
        bound[0].evaluate([task.initial_state])
