"""The Python API: solve, load, and walks through the states of a task."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest
from puzzles import endless_grounding, endless_search, long_text, sliding, write

import banditplan as bp
from banditplan import examples
from banditplan.components import components

UNSOLVABLE = ("island", "levers")


@pytest.fixture
def endless(tmp_path: Path) -> tuple[str, str]:
    return write(tmp_path, endless_search())


# ---- solve


@pytest.mark.parametrize("name", examples.names())
def test_an_example_is_solved_or_proved_unsolvable(name: str) -> None:
    result = bp.solve(*bp.example(name))
    if name in UNSOLVABLE:
        assert (result.status, result.solved, result.plan, result.valid) == ("unsolvable", False, None, None)
    else:
        assert (result.status, result.solved, result.valid) == ("solved", True, True)
        assert result.plan
        assert result.plan_cost is not None
        if result.unit_cost:
            assert result.plan_cost == len(result.plan)


def test_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert bp.solve(*bp.example("crates")).solved
    assert list(tmp_path.iterdir()) == []
    assert capfd.readouterr() == ("", "")


def test_files_a_single_file_and_a_loaded_task_give_the_same_answer() -> None:
    domain, problem = bp.example("museum")
    task = bp.load(domain, problem)
    results = [
        bp.solve(domain, problem),
        bp.solve(problem),
        bp.solve(Path(domain), Path(problem)),
        bp.solve(Path(problem)),
        bp.solve(task),
        bp.solve(task),
        bp.solve(bp.load(problem)),
    ]
    for result in results:
        assert result.plan == results[0].plan
        assert result.evaluations == results[0].evaluations
        assert (result.domain, result.problem) == (domain, problem)


@pytest.mark.sweep
@pytest.mark.parametrize("name", components(bp.Search))
@pytest.mark.parametrize("example", ["crates", "garden", *UNSOLVABLE])
def test_every_search_runs_as_a_text_and_as_a_component(name: str, example: str) -> None:
    task = bp.load(*bp.example(example))
    by_text = bp.solve(task, search=name, seed=3)
    by_component = bp.solve(task, search=components(bp.Search)[name](), seed=3)
    assert by_text.status == by_component.status
    assert by_text.plan == by_component.plan
    assert by_text.search == by_component.search
    assert by_text.seed == 3
    if example in UNSOLVABLE:
        assert by_text.status in ("unsolvable", "exhausted")
    else:
        assert by_text.valid


def test_the_seconds_of_a_loaded_task_are_those_of_its_loading(tmp_path: Path) -> None:
    task = bp.load(*write(tmp_path, long_text(20_000)))
    result = bp.solve(task)
    assert result.seconds["parse"] > result.seconds["total"] - result.seconds["validate"] - result.seconds["search"]
    assert result.seconds["parse"] == bp.solve(task).seconds["parse"] > 0


def test_a_result_shows_itself_and_explains_itself(endless: tuple[str, str]) -> None:
    solved = bp.solve(*bp.example("crates"), shorten=False)
    assert repr(solved).startswith("<solved: ")
    assert repr(solved).endswith(", valid; agile, seed 0>")
    assert solved.explanation == (
        f"{len(solved.plan or ())} steps, cost {solved.plan_cost}, {solved.evaluations:,} evaluations, valid"
    )
    limited = bp.solve(*endless, max_evaluations=1234)
    assert limited.explanation == (
        f"no plan within the evaluation limit; best h {limited.best_h} after 1,234 evaluations"
    )
    assert bp.solve(*bp.example("crates"), validate=False).explanation.endswith(", not validated")
    assert bp.solve(*bp.example("island")).explanation == (
        "proved unsolvable after 0 evaluations: the goal (searched treasure-island) cannot be reached"
    )


@pytest.mark.parametrize(
    ("limit", "status"),
    [
        ({"max_evaluations": 100}, "evaluation-limit"),
        ({"max_expansions": 100}, "expansion-limit"),
        ({"time_limit": 0.2}, "time-limit"),
        ({"time_limit": "0.2s"}, "time-limit"),
        ({"memory_limit": 1}, "memory-limit"),
        ({"memory_limit": "1M"}, "memory-limit"),
    ],
)
def test_a_limit_is_told_and_not_raised(limit: dict[str, int], status: str, endless: tuple[str, str]) -> None:
    result = bp.solve(*endless, **limit)
    assert (result.status, result.plan, result.plan_cost) == (status, None, None)


def test_time_and_memory_bound_a_loaded_task(endless: tuple[str, str]) -> None:
    task = bp.load(*endless)
    result = bp.solve(task, time_limit=0.2)
    assert result.status == "time-limit"
    assert result.evaluations > 0
    assert result.task == task.sizes
    assert bp.solve(task, memory_limit="1M").status == "memory-limit"


@pytest.mark.parametrize(
    ("texts", "limit", "status"),
    [
        (endless_grounding, {"time_limit": 0.2}, "time-limit"),
        (endless_grounding, {"memory_limit": "1M"}, "memory-limit"),
        (endless_search, {"time_limit": 1e-9}, "time-limit"),
    ],
)
def test_load_raises_at_a_limit(texts: object, limit: dict[str, float], status: str, tmp_path: Path) -> None:
    assert callable(texts)
    with pytest.raises(bp.LimitReached) as caught:
        bp.load(*write(tmp_path, texts()), **limit)  # type: ignore[arg-type]
    assert caught.value.status == status


def test_bad_input_is_raised_with_its_place(tmp_path: Path) -> None:
    domain, problem = write(tmp_path, sliding(2, 2))
    Path(problem).write_text("(define (problem p) (:domain sliding)\n (:init (blanc x)) (:goal (and)))")
    for function in (bp.solve, bp.load):
        with pytest.raises(bp.PddlError) as caught:
            function(domain, problem)
        assert (caught.value.file, caught.value.line, caught.value.column) == (problem, 2, 10)
        with pytest.raises(bp.InputError, match="no such file"):
            function("nothing.pddl")
        with pytest.raises(bp.InputError, match="is a directory"):
            function(tmp_path)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"seed": -1}, "seed: expected a whole number from 0 to "),
        ({"seed": 2**64}, "seed: expected a whole number"),
        ({"seed": 1.5}, "seed: expected a whole number"),
        ({"seed": True}, "seed: expected a whole number"),
        ({"max_evaluations": 0}, "max_evaluations: expected a whole number from 1"),
        ({"max_expansions": "9"}, "max_expansions: expected a whole number from 1"),
        ({"time_limit": 0}, "time limit 0: must be positive"),
        ({"time_limit": float("nan")}, "time limit nan: expected a number"),
        ({"memory_limit": "much"}, "memory limit 'much': expected a number"),
        ({"search": 3}, "search: expected a search or its text, not 3"),
        ({"search": bp.Ff()}, r"search: expected a search or its text, not ff\("),
        ({"search": "gbfs("}, r'search "gbfs\("'),
    ],
)
def test_bad_options_are_input_errors(options: dict[str, int], said: str) -> None:
    with pytest.raises(bp.InputError, match=said):
        bp.solve(*bp.example("crates"), **options)


def test_a_loaded_task_takes_no_second_file() -> None:
    with pytest.raises(bp.InputError, match="a loaded task already has its problem"):
        bp.solve(bp.load(*bp.example("crates")), "problem.pddl")


# ---- report and Ctrl-C


def test_report_is_told_the_progress(endless: tuple[str, str]) -> None:
    seen: list[tuple[int, int, int | None]] = []
    result = bp.solve(*endless, time_limit=1, report=lambda *progress: seen.append(progress))
    assert len(seen) >= 2
    assert seen == sorted(seen)
    evaluations, expansions, best_h = seen[-1]
    assert 0 < evaluations <= result.evaluations
    assert 0 < expansions <= result.expansions
    assert isinstance(best_h, int)


class Unheard(Exception):
    """Nobody but this test raises it."""


def test_what_report_raises_reaches_the_caller_unchanged(endless: tuple[str, str]) -> None:
    error = Unheard("from report")

    def report(*_: object) -> None:
        raise error

    task = bp.load(*endless)
    with pytest.raises(Unheard) as caught:
        bp.solve(task, report=report, time_limit=30)
    assert caught.value is error
    assert "report" in [entry.name for entry in caught.traceback]
    assert bp.solve(task, max_evaluations=10).status == "evaluation-limit"  # the task is none the worse for it


def test_ctrl_c_in_report_is_raised(endless: tuple[str, str]) -> None:
    def report(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bp.solve(*endless, report=report, time_limit=30)


@pytest.mark.parametrize("texts", [endless_search, endless_grounding])
def test_ctrl_c_is_raised_at_once(texts: object, tmp_path: Path) -> None:
    assert callable(texts)
    files = write(tmp_path, texts())
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    used = time.process_time()
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            bp.solve(*files)
    finally:
        timer.join()
    assert time.process_time() - used < 5


def test_threads_search_the_same_task(endless: tuple[str, str]) -> None:
    task = bp.load(*endless)
    expected = bp.solve(task, max_evaluations=5000)
    results: list[bp.Result] = []
    threads = [threading.Thread(target=lambda: results.append(bp.solve(task, max_evaluations=5000))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    for result in results:
        assert (result.expansions, result.generated, result.best_h) == (
            expected.expansions,
            expected.generated,
            expected.best_h,
        )


# ---- walks


def test_a_plan_can_be_walked() -> None:
    task = bp.load(*bp.example("warehouse"))
    result = bp.solve(task)
    state = task.initial_state
    assert not task.is_goal(state)
    for step in result.plan or ():
        (action,) = [a for a in task.applicable(state) if (a.name, a.arguments) == (step.name, step.arguments)]
        assert repr(action) == str(step)
        true = set(state.facts)
        for fact in action.precondition:
            assert fact.removeprefix("not ") not in true if fact.startswith("not ") else fact in true
        state = task.apply(state, action)
    assert task.is_goal(state)
    assert {fact for fact in task.goal if not fact.startswith("not ")} <= set(state.facts)


def test_states_are_values(tmp_path: Path) -> None:
    task = bp.load(*write(tmp_path, sliding(2, 2)))
    start = task.initial_state
    assert start == task.initial_state
    assert hash(start) == hash(task.initial_state)
    assert start != 3
    reached = {start}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        for action in task.applicable(state):
            successor = task.apply(state, action)
            assert successor != state
            if successor not in reached:
                reached.add(successor)
                waiting.append(successor)
    assert len(reached) == 12  # 4! / 2
    assert len({tuple(state.values) for state in reached}) == 12
    assert len({repr(state) for state in reached}) == 12
    assert not any(map(task.is_goal, reached))
    assert start == task.initial_state  # nothing was changed in place


def test_a_task_tells_what_it_consists_of(tmp_path: Path) -> None:
    task = bp.load(*write(tmp_path, sliding(2, 3)))
    sizes = task.sizes
    assert len(task.actions) == sizes["actions"]
    assert len(task.facts) == sizes["facts"]
    assert len(task.domain_sizes) == sizes["variables"]
    assert [action.id for action in task.actions] == list(range(sizes["actions"]))
    assert all(action.cost == 1 for action in task.actions)
    assert task.unit_cost
    assert task.solvable
    assert repr(task.action(0)) == repr(task.actions[0])
    assert not bp.load(*bp.example("island")).solvable
    with pytest.raises(IndexError):
        task.action(len(task.actions))


def test_an_action_that_is_not_applicable_is_refused() -> None:
    task = bp.load(*bp.example("crates"))
    state = task.initial_state
    applicable = {action.id for action in task.applicable(state)}
    others = [action for action in task.actions if action.id not in applicable]
    assert others
    for action in others:
        with pytest.raises(ValueError, match=r"^\(.*\) is not applicable in this state$"):
            task.apply(state, action)


def test_objects_of_another_task_are_refused() -> None:
    first, second = (bp.load(*bp.example("crates")) for _ in range(2))
    action = first.applicable(first.initial_state)[0]
    with pytest.raises(ValueError, match="the state belongs to another task"):
        first.apply(second.initial_state, action)
    with pytest.raises(ValueError, match="the action belongs to another task"):
        second.apply(second.initial_state, action)
    assert first.initial_state != second.initial_state


def test_states_and_actions_outlive_their_task() -> None:
    def walk() -> tuple[bp.State, bp.GroundAction]:
        task = bp.load(*bp.example("crates"))
        return task.initial_state, task.applicable(task.initial_state)[0]

    state, action = walk()
    assert set(action.precondition) <= set(state.facts)


# ---- the package


def test_every_public_name_is_there() -> None:
    assert dir(bp) == sorted(bp.__all__)
    for name in bp.__all__:
        assert getattr(bp, name) is not None
    with pytest.raises(AttributeError, match="module 'banditplan' has no attribute 'solv'"):
        bp.solv  # noqa: B018
