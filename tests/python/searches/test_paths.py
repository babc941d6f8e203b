"""Heuristics of paths in searches of all kinds: landmarks and novelty as slow references have them, state by state."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from command import run
from ground_parts import Parts
from landmarks.test_status import SlowStatus
from novelty.test_novelty import SlowNovelty
from random_tasks import FEATURES
from searches.reference_best_first import Greedy
from searches.reference_sentence import (
    RANDOM_TASKS,
    Alternation,
    Case,
    Lexicographic,
    Preferred,
    Queue,
    SlowPathEvaluator,
    SlowPathHeuristic,
    Tree,
    check,
    example,
    ground,
    timed,
)

import banditplan as bp
from banditplan import _core
from banditplan.components import ALIASES
from banditplan.components.spec import parse_search


class SlowLandmarks(SlowPathEvaluator):
    """The number of landmarks to come. Which states are dead ends is shown elsewhere, and asked of the core here."""

    def __init__(self, task: _core.Task) -> None:
        self.graph = task.landmarks()
        self.parts = Parts(task)
        self.status = SlowStatus(self.graph, self.parts, tuple(task.initial_state.values))
        self.core = _core.LandmarkStatus(self.graph)
        self.task = task

    def arrive(
        self, parent: int, number: int, before: _core.State | None, state: _core.State, row: list[float | None]
    ) -> float:
        if before is None:
            return min(self.core.start(number, state), len(self.status.future[0]))
        past, future = self.status.progressed(parent, tuple(before.values), tuple(state.values))
        self.status.past[number], self.status.future[number] = past, future
        value = self.core.evaluate(parent, self.action(before, state), number, state, before)
        return value if value == float("inf") else len(future)

    def again(self, parent: int, number: int, before: _core.State, state: _core.State) -> None:
        past, future = self.status.progressed(parent, tuple(before.values), tuple(state.values))
        self.status.past[number] &= past
        self.status.future[number] |= future
        self.core.reached_again(parent, self.action(before, state), number, state, before)

    def action(self, before: _core.State, state: _core.State) -> int:
        return next(each.id for each in self.task.applicable(before) if self.task.apply(before, each) == state)


class SlowNoveltyEvaluator(SlowPathEvaluator):
    """By the values of columns; forgets everything at a new minimum of one of them, if told so."""

    def __init__(self, task: _core.Task, columns: tuple[int, ...], width: int, forgets: bool) -> None:
        self.novelty = SlowNovelty(width)
        self.parts = Parts(task)
        self.columns = columns
        self.forgets = forgets
        self.least: list[float] = [float("inf")] * len(columns)

    def arrive(
        self, parent: int, number: int, before: _core.State | None, state: _core.State, row: list[float | None]
    ) -> float:
        key = [int(row[column] or 0) for column in self.columns]
        if self.forgets and any(value < least < float("inf") for value, least in zip(key, self.least, strict=True)):
            self.novelty.seen.clear()
        self.least = [min(pair) for pair in zip(key, self.least, strict=True)]
        return self.novelty.enter(key, self.parts.positive(tuple(state.values)))


def novelty(*columns: int, width: int = 2, forgets: bool = False) -> SlowPathHeuristic:
    return SlowPathHeuristic(lambda task: SlowNoveltyEvaluator(task, columns, width, forgets))


LANDMARKS = SlowPathHeuristic(SlowLandmarks)

CASES: dict[str, Case] = {
    "lama": (
        "alternation([greedy(ff), preferred(greedy(ff)), greedy(landmarks), preferred(greedy(landmarks))], boost=5)",
        [bp.Ff(), LANDMARKS],
        lambda random: Alternation(
            [
                Queue(Greedy(), 0, random),
                Preferred(Queue(Greedy(), 0, random)),
                Queue(Greedy(), 1, random),
                Preferred(Queue(Greedy(), 1, random)),
            ],
            boost=5,
        ),
    ),
    "f4": (
        "greedy(novelty(landmarks, ff), landmarks, ff)",
        [LANDMARKS, bp.Ff(), novelty(0, 1)],
        lambda random: Lexicographic((2, 0, 1)),
    ),
    "novelty that forgets": (
        "alternation([greedy(goalcount), greedy(novelty(goalcount, forgets=True, width=1), goalcount)])",
        [bp.GoalCount(), novelty(0, width=1, forgets=True)],
        lambda random: Alternation([Queue(Greedy(), 0, random), Lexicographic((1, 0))], boost=0),
    ),
    "a tree of landmarks beside novelty": (
        "alternation([tree(landmarks, bandit=normal2), greedy(novelty(landmarks), ff)])",
        [LANDMARKS, novelty(0), bp.Ff()],
        lambda random: Alternation(
            [Tree(0, "normal2", preferred=False, random=random), Lexicographic((1, 2))], boost=0
        ),
    ),
}  # fmt: skip


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["crates", "lights", "courier", "museum"])
@pytest.mark.parametrize(("case", "time"), timed(CASES))
def test_examples_are_expanded_as_by_the_reference(case: str, name: str, time: str) -> None:
    assert check(example(name), CASES[case], 1, 40, time=time) > 1


@pytest.mark.slow
@pytest.mark.parametrize("kind", FEATURES)
@pytest.mark.parametrize(("case", "time"), timed(CASES))
def test_random_tasks_are_expanded_as_by_the_reference(case: str, kind: str, time: str) -> None:
    counts = [check(ground(kind, seed), CASES[case], seed, 30, time=time) for seed in RANDOM_TASKS]
    assert sum(counts) > 10


PLANNERS = [
    alias for alias, text in ALIASES.items() if text.startswith(("best_first", "series", "k_bfws", "lama_first"))
]


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["crates", "lights", "museum", "warehouse", "plumbing", "banquet"])
@pytest.mark.parametrize("planner", PLANNERS)
def test_planners_find_valid_plans(planner: str, name: str) -> None:
    result = bp.solve(example(name), search=planner, max_evaluations=200_000)
    assert result.solved
    assert result.valid


@pytest.mark.parametrize("planner", PLANNERS)
def test_planners_claim_only_what_they_prove(planner: str) -> None:
    proved = "exhausted" if planner == "k-bfws" else "unsolvable"
    assert parse_search(planner).run(example("levers")).status == proved


@pytest.mark.parametrize("novelty", ["novelty(width=1", "novelty(goalcount, width=2", "approximate_novelty(width=3"])
def test_a_search_that_prunes_and_ends_has_proved_nothing(novelty: str) -> None:
    """`series` goes on then."""
    search = parse_search(f"best_first(greedy({novelty}, prunes=True)))")
    assert search.run(example("levers")).status == "exhausted"


def test_a_series_counts_what_all_of_its_searches_did() -> None:
    first = "best_first(greedy(novelty(width=1, prunes=True)))"
    task = example("warehouse")
    alone = parse_search(first).run(task)
    assert alone.status == "exhausted"
    second = parse_search("gbfs").run(task)
    both = parse_search(f"series([{first}, gbfs])").run(task)
    assert both.status == "solved"
    assert both.plan == second.plan
    assert both.evaluations == alone.evaluations + second.evaluations
    assert both.expansions == alone.expansions + second.expansions
    for limit in (alone.inserted - 1, alone.inserted + 5):
        assert parse_search(f"series([{first}, gbfs])").run(task, max_evaluations=limit).inserted == limit


def test_a_series_gets_cheaper_in_anytime_mode() -> None:
    plans = bp.solve_anytime(example("courier"), search="lama")
    costs = [result.plan_cost for result in plans]
    assert costs == sorted(set(costs), reverse=True)
    assert plans.end is not None
    assert plans.end.optimal
    best = bp.solve(example("courier"), search="astar").plan_cost
    assert costs[-1] == best


@pytest.mark.slow
def test_what_a_bound_on_memory_costs_is_said() -> None:
    many = "novelty(ff, goalcount, landmarks, megabytes={})"
    for megabytes, expected in ((1, 1), (1024, 0)):
        search = parse_search(f"best_first(greedy({many.format(megabytes)}, blind))")
        record = bp.solve(example("warehouse"), search=search, max_evaluations=100_000).to_dict()
        assert len(record["warnings"]) == expected
        assert all("at the bound on memory" in warning for warning in record["warnings"])


@pytest.mark.slow
def test_the_command_says_what_a_bound_on_memory_costs(tmp_path: Path) -> None:
    search = "best_first(greedy(novelty(ff, goalcount, landmarks, megabytes=1), blind))"
    done = run("solve", "--example", "warehouse", "--search", search, "--max-evaluations", "100000", cwd=tmp_path)
    assert done.stderr.count("warning: ") == 1
    assert "warning: novelty: at the bound on memory" in done.stderr
    assert "a larger megabytes=… or memory limit moves the bound" in done.stderr


SWITCHES = """
import banditplan as bp
from banditplan import _core
from banditplan.components.spec import parse_search

names = [f"s{number}" for number in range(1600)]
domain = "(define (domain switches) (:predicates (on ?x)) (:action press :parameters (?x) :effect (on ?x)))"
goal = " ".join(f"(on {name})" for name in names)
problem = f"(define (problem p) (:domain switches) (:objects {' '.join(names)}) (:init) (:goal (and {goal})))"
search = parse_search("best_first(greedy(novelty(goalcount), landmarks))")
result = search.run(bp.load(domain, problem), max_evaluations=100_000, memory_limit_kb=LIMIT)
print(result.status, *result.remarks, sep="|", end=f"|{_core.peak_memory_kb()}")
"""


@pytest.mark.slow
def test_novelty_takes_no_more_than_its_share_of_the_memory_limit() -> None:
    """In a process of its own, whose memory is known: so many facts make more pairs than there is room for."""
    limit = 210_000
    script = SWITCHES.replace("LIMIT", str(limit))
    run = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    status, remark, peak = run.stdout.split("|")
    assert status == "evaluation-limit"
    assert "at the bound on memory" in remark
    assert int(peak) <= limit
