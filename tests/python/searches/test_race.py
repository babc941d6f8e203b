"""Races: who decides, that turns are the same everywhere, that limits and threads do what they say."""

from __future__ import annotations

import json
import time
from functools import cache
from pathlib import Path

import pytest
from command import resident_kb, run
from puzzles import endless_search, write
from random_tasks import FEATURES, random_task

import banditplan as bp
from banditplan import _core
from banditplan.components.spec import parse_search
from banditplan.plan import Step
from banditplan.validation import validate

LONE = ["gbfs", "guct(bandit=normal2)", "best_first(greedy(goalcount))"]


@cache
def example(name: str) -> _core.Task:
    return bp.load(*bp.example(name))


def race(*texts: str, threads: int = 1) -> _core.Search:
    return _core.Race([parse_search(text) for text in texts], threads=threads)


def test_the_first_search_decides_a_small_task_alone() -> None:
    task = example("warehouse")
    alone, result = parse_search(LONE[0]).run(task, seed=3), race(*LONE).run(task, seed=3)
    assert result.decided_by == 0
    assert result.plan == alone.plan
    assert result.evaluations == alone.evaluations
    assert [status for status, *_ in result.parts] == ["solved", "paused", "paused"]


def puzzle(size: int) -> _core.Task:
    """A light is on if an odd number of its neighbours and itself were pressed: hFF knows next to nothing."""
    cells = [(x, y) for x in range(size) for y in range(size)]
    near = [
        f"(near c{x}-{y} c{u}-{v})"
        for x, y in cells
        for u, v in ((x, y), (x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))
        if (u, v) in cells
    ]
    domain = """(define (domain lights) (:requirements :adl) (:predicates (on ?c) (near ?c ?d))
      (:action press :parameters (?c) :precondition () :effect (forall (?d)
        (and (when (and (near ?c ?d) (on ?d)) (not (on ?d)))
             (when (and (near ?c ?d) (not (on ?d))) (on ?d))))))"""
    problem = f"""(define (problem lights) (:domain lights) (:objects {" ".join(f"c{x}-{y}" for x, y in cells)})
      (:init {" ".join(near)}) (:goal (and {" ".join(f"(on c{x}-{y})" for x, y in cells)})))"""
    return bp.load(domain, problem)


def test_searches_take_turns_by_work_and_the_same_one_decides_again() -> None:
    task = puzzle(6)
    lists = ["bfs", "best_first(greedy(blind, ties='lifo'))", "best_first(greedy(blind, ties='random'))"]
    first, second = (race(*lists).run(task, seed=5, max_evaluations=400_000) for _ in range(2))
    assert first.parts == second.parts
    assert first.plan == second.plan
    assert sum(expansions > 0 for _, _, expansions, _ in first.parts) > 1
    # The nth search does the nth part of what the first one does, as far as the last round has come.
    shares = [nth * (generated + evaluations) for nth, (_, evaluations, _, generated) in enumerate(first.parts, 1)]
    assert max(shares) <= 3 * min(shares)
    totals = (first.evaluations, first.expansions, first.generated)
    assert totals == tuple(sum(part[field] for part in first.parts) for field in (1, 2, 3))


@pytest.mark.sweep
@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("kind", FEATURES)
def test_races_are_right(kind: str, threads: int) -> None:
    for seed in range(12):
        pddl = random_task(kind, seed)
        task = pddl.ground()
        result = race(*LONE, threads=threads).run(task, seed=seed)
        assert result.status == bp.Bfs().run(task).status
        if result.status == "solved":
            steps = [Step(task.action(action).name, task.action(action).arguments) for action in result.plan]
            assert validate(pddl.parsed(), steps).valid


@pytest.mark.parametrize("threads", [1, 2])
def test_limits_hold_for_the_sum(threads: int) -> None:
    result = race(*LONE, threads=threads).run(puzzle(6), max_evaluations=3000)
    assert result.status == "evaluation-limit"
    assert result.evaluations <= 3000
    begin = time.monotonic()
    assert race(*LONE, threads=threads).run(puzzle(6), deadline=begin + 0.1).status == "time-limit"


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_that_gives_up_leaves_it_to_the_others(threads: int) -> None:
    """What looks at preferred children alone is through before there is a plan."""
    narrow = "best_first(preferred(greedy(goalcount)))"
    assert parse_search(narrow).run(example("museum")).status == "exhausted"
    result = race(narrow, "gbfs", threads=threads).run(example("museum"))
    assert result.status == "solved"
    assert result.decided_by == 1
    both = race(narrow, narrow, threads=threads).run(example("museum"))
    assert both.status == "exhausted"
    assert both.decided_by is None


BLIND = ["best_first(greedy(blind))"] * 3


def test_a_search_that_lacks_memory_leaves_what_it_had_to_the_others(tmp_path: Path) -> None:
    """Where the operating system holds the limit, too."""
    limit = resident_kb("import banditplan.cli.main") + 1024 * 100
    done = run(
        *("solve", *write(tmp_path, endless_search()), "--search", f"race([{', '.join(BLIND)}])", "--json", "-"),
        *("--memory-limit", f"{limit}K", "--time-limit", "100s"),
        cwd=tmp_path,
    )
    assert done.returncode == 22, done.stderr
    parts = json.loads(done.stdout)["race"]
    assert [part["status"] for part in parts] == ["memory-limit"] * 3
    first, _, last = (part["evaluations"] for part in parts)
    assert last > 1.3 * first  # by turns alone, it would do a third of it


def test_threads_do_not_all_give_up_when_one_of_them_lacks_memory() -> None:
    task = bp.load(*endless_search())
    result = race(*BLIND, threads=3).run(task, memory_limit_kb=_core.resident_memory_kb() + 1024 * 150)
    assert [status for status, *_ in result.parts] == ["memory-limit"] * 3
    evaluations = [evaluations for _, evaluations, *_ in result.parts]
    assert max(evaluations) > 1.3 * min(evaluations)


@pytest.mark.parametrize("threads", [1, 2])
def test_python_takes_part_and_its_errors_arrive(threads: int) -> None:
    def fails(states: bp.States) -> list[float]:
        raise ZeroDivisionError("not today")

    task = example("crates")
    mine = _core.Race([bp.Gbfs(lambda states: [1.0] * len(states)), bp.Gbfs()], threads=threads)
    assert mine.run(task).status == "solved"
    with pytest.raises(ZeroDivisionError, match="not today"):
        _core.Race([bp.Gbfs(fails), bp.Gbfs(fails)], threads=threads).run(task)


@pytest.mark.parametrize("threads", [1, 2])
def test_the_trace_is_that_of_the_search_that_decides(threads: int) -> None:
    traces: list[str] = []
    result = race("gbfs", "gbfs", threads=threads).run(example("museum"), seed=1, trace=traces.append)
    alone: list[str] = []
    parse_search("gbfs").run(example("museum"), seed=1, trace=alone.append)
    assert result.status == "solved"
    (told,), (expected,) = traces, alone
    assert told.splitlines()[:-1] == expected.splitlines()[:-1]  # the last line has the numbers of the whole race
    assert json.loads(told.splitlines()[-1])["plan"] == json.loads(expected.splitlines()[-1])["plan"]


def test_bad_races_are_refused() -> None:
    with pytest.raises(ValueError, match="threads must be from 1"):
        _core.Race([bp.Gbfs()], threads=0)
    with pytest.raises(ValueError, match="at least one"):
        _core.Race([])
    assert parse_search(repr(race(*LONE, threads=2))) == race(*LONE, threads=2)


def test_a_race_with_threads_takes_turns_as_part_of_another_race() -> None:
    inner = "race(searches=[gbfs(heuristic=blind), bfs], threads=2)"
    result = race(inner, inner).run(example("warehouse"))
    assert result.status == "solved"
    assert result.evaluations > 500_000  # more than the first turn of the first one
    result = race(inner, inner).run(puzzle(6), max_evaluations=700_000)
    assert result.status == "evaluation-limit"
