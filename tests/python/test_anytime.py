"""Anytime mode in Python and on the command line: plans that get cheaper, kept whatever happens."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest
from command import COMMAND, OnTerminal, run
from puzzles import endless_search, write

import banditplan as bp
from banditplan import examples
from banditplan.errors import Source
from banditplan.files import read_source
from banditplan.pddl.parser import parse
from banditplan.plan import read_plan
from banditplan.validation import Verdict, validate

SOLVABLE = [name for name in examples.names() if name not in ("island", "levers")]


def verdict(name: str, plan: Path) -> Verdict:
    domain, problem = bp.example(name)
    source = Source(str(plan), plan.read_text(encoding="utf-8"))
    return validate(parse(read_source(domain), read_source(problem)), read_plan(source))


def numbered(folder: Path) -> list[Path]:
    """The plan files in their order, after a check that there is no gap."""
    found = sorted((int(path.suffix[1:]), path) for path in folder.glob("sas_plan.*") if path.suffix[1:].isdecimal())
    assert [number for number, _ in found] == list(range(1, len(found) + 1))
    return [path for _, path in found]


def check_files(name: str, folder: Path) -> list[int]:
    """The costs of the plans on disk, after a check that all are whole, valid and cheaper than the one before."""
    costs = []
    for path in numbered(folder):
        judged = verdict(name, path)
        assert judged.valid, judged.reason
        kind = "unit" if judged.unit_cost else "general"
        assert path.read_text(encoding="utf-8").endswith(f"; cost = {judged.cost} ({kind} cost)\n")
        costs.append(judged.cost)
    assert costs == sorted(set(costs), reverse=True)
    return costs


# ---- Python


@pytest.mark.sweep
@pytest.mark.parametrize("shorten", [False, True])
@pytest.mark.parametrize("name", SOLVABLE)
def test_plans_get_cheaper(name: str, shorten: bool) -> None:
    plans = bp.solve_anytime(*bp.example(name), max_evaluations=3000, shorten=shorten)
    results = list(plans)
    costs = [result.plan_cost for result in results]
    assert costs == sorted(set(costs), reverse=True)
    assert [result.plans for result in results] == list(range(1, len(results) + 1))
    assert all(result.valid and result.end == result.status == "solved" for result in results)
    end = plans.end
    assert end is not None
    assert plans.best == results[-1]
    assert (end.status, end.plan, end.plan_cost, end.plans) == (
        "solved",
        results[-1].plan,
        results[-1].plan_cost,
        len(results),
    )
    assert end.end in ("optimal", "evaluation-limit")
    assert end.evaluations <= 3000
    assert list(plans) == []


@pytest.mark.sweep
@pytest.mark.parametrize("shorten", [False, True])
@pytest.mark.parametrize("name", SOLVABLE)
def test_a_tree_is_the_same_until_there_is_a_plan(name: str, shorten: bool) -> None:
    """Queues are not: in anytime mode they look for cheaper paths."""
    search = "guct-normal2(preferred=True)"
    first = bp.solve(*bp.example(name), search=search, shorten=shorten)
    if first.unit_cost:
        assert next(bp.solve_anytime(*bp.example(name), search=search, shorten=shorten)).plan == first.plan


def test_a_loaded_task_and_no_plan() -> None:
    plans = bp.solve_anytime(bp.load(*bp.example("levers")))
    assert list(plans) == []
    assert plans.best is None
    assert plans.end is not None
    assert (plans.end.status, plans.end.end, plans.end.plans) == ("unsolvable", "unsolvable", 0)
    with pytest.raises(bp.InputError, match="already has its problem"):
        bp.solve_anytime(bp.load(*bp.example("levers")), "problem.pddl")


def test_the_search_runs_only_while_a_plan_is_waited_for() -> None:
    plans = bp.solve_anytime(*bp.example("courier"), time_limit=60, shorten=False)
    next(plans)
    assert plans.end is None
    time.sleep(0.3)
    second = next(plans)
    assert second.seconds["search"] <= second.seconds["total"] - 0.3


def test_queues_go_on_too() -> None:
    plans = bp.solve_anytime(*bp.example("lights"), search="gbfs")
    costs = [result.plan_cost for result in plans]
    assert costs == sorted(set(costs), reverse=True)
    assert plans.end is not None
    assert plans.end.optimal


def test_limits_hold_over_all_plans() -> None:
    for limit in (1, 40, 120, 130, 400):
        plans = bp.solve_anytime(*bp.example("orchestra"), max_evaluations=limit)
        results = list(plans)
        assert plans.end is not None
        assert (plans.end.end, plans.end.evaluations) == ("evaluation-limit", limit)
        assert plans.end.status == ("solved" if results else "evaluation-limit")
    plans = bp.solve_anytime(*bp.example("orchestra"), max_expansions=20)
    list(plans)
    assert plans.end is not None
    assert (plans.end.end, plans.end.expansions) == ("expansion-limit", 20)
    start, used = time.monotonic(), time.process_time()
    plans = bp.solve_anytime(*bp.example("warehouse"), time_limit=1)
    assert len(list(plans)) > 0
    assert plans.end is not None
    assert plans.end.end == "time-limit"
    assert time.monotonic() - start >= 1
    assert time.process_time() - used < 2.5


def test_an_empty_plan_is_optimal(tmp_path: Path) -> None:
    domain, problem = bp.example("crates")
    text = Path(problem).read_text(encoding="utf-8")
    done = tmp_path / "done.pddl"
    done.write_text(text[: text.index("(:goal")] + "(:goal (and)))", encoding="utf-8")
    plans = bp.solve_anytime(domain, done, search="guct(heuristic=goalcount)")
    assert [result.plan for result in plans] == [()]
    assert plans.end is not None
    assert plans.end.optimal


# ---- the command line


def test_plans_are_numbered_and_the_last_one_is_printed(tmp_path: Path) -> None:
    for number in range(2, 8):
        (tmp_path / f"sas_plan.{number}").write_text("(of an earlier run)\n", encoding="utf-8")
    words = ["--example", "courier", "--anytime", "--no-shorten", "--json", "record.json"]
    done = run("solve", *words, cwd=tmp_path)
    assert done.returncode == 0
    costs = check_files("courier", tmp_path)
    assert len(costs) > 1
    last = numbered(tmp_path)[-1].read_text(encoding="utf-8")
    assert last.startswith(done.stdout.rstrip())
    assert not (tmp_path / "sas_plan").exists()
    record = json.loads((tmp_path / "record.json").read_text(encoding="utf-8"))
    assert (record["status"], record["end"], record["plans"]) == ("solved", "optimal", len(costs))
    assert (record["plan_cost"], record["valid"]) == (costs[-1], True)
    assert [f"plan {number}: " in done.stderr for number in range(1, len(costs) + 2)] == [True] * len(costs) + [False]
    assert f"(plan {len(costs)}, proved optimal)" in done.stderr


def test_no_plan_makes_no_file(tmp_path: Path) -> None:
    done = run("solve", "--example", "levers", "--anytime", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (11, "")
    assert list(tmp_path.iterdir()) == []
    done = run("solve", *write(tmp_path / "task", endless_search()), "--anytime", "--time-limit", "0.5s", cwd=tmp_path)
    assert done.returncode == 23


def test_the_time_limit_ends_it_with_a_plan(tmp_path: Path) -> None:
    done = run("solve", "--example", "warehouse", "--anytime", "--time-limit", "1s", "--json", "-", cwd=tmp_path)
    assert done.returncode == 0
    record = json.loads(done.stdout)
    assert (record["status"], record["end"]) == ("solved", "time-limit")
    assert check_files("warehouse", tmp_path)[-1] == record["plan_cost"]


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_an_interrupt_ends_it_with_the_best_plan(name: str, tmp_path: Path) -> None:
    with OnTerminal("solve", "--example", "warehouse", "--anytime", cwd=tmp_path) as command:
        command.wait_for("best cost ")
        command.process.send_signal(signal.Signals[name])
        assert command.wait() == 130
        assert "interrupted" in command.screen
        assert "Traceback" not in command.screen
        assert numbered(tmp_path)[-1].read_text(encoding="utf-8").startswith(command.stdout.rstrip())
        assert command.stdout.count("\n") > 10
    check_files("warehouse", tmp_path)


@pytest.mark.slow
def test_killed_at_any_moment_the_plans_on_disk_are_whole(tmp_path: Path) -> None:
    """A task with many plans; the moments are spread from before the first to after the last."""
    kept = set()
    for number in range(14):
        folder = tmp_path / str(number)
        folder.mkdir()
        process = subprocess.Popen(
            [*COMMAND, "solve", "--example", "courier", "--anytime", "--no-shorten", "--quiet"],
            cwd=folder,
            stdout=subprocess.DEVNULL,
        )
        if number % 2:
            time.sleep(0.02 * number)
        else:
            while process.poll() is None and len(list(folder.iterdir())) < number / 4:
                pass
        process.kill()
        process.wait()
        kept.add(len(check_files("courier", folder)))
    assert {0} < kept


def test_options_that_do_not_go_together(tmp_path: Path) -> None:
    done = run("solve", "--example", "crates", "--anytime", "--trace", "trace.jsonl", cwd=tmp_path)
    assert done.returncode == 31
    assert "an anytime search has none" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_plan_that_cannot_be_written_is_still_printed(tmp_path: Path) -> None:
    (tmp_path / "sas_plan.1").mkdir()
    done = run("solve", "--example", "crates", "--anytime", cwd=tmp_path)
    assert done.returncode == 31
    assert 'cannot write the plan to "sas_plan.1"' in done.stderr
    assert done.stdout.startswith("(")


def test_the_empty_plan_is_told_once(tmp_path: Path) -> None:
    domain, problem = bp.example("crates")
    text = Path(problem).read_text(encoding="utf-8")
    plans = bp.solve_anytime(
        domain, text[: text.index("(:goal")] + "(:goal (and)))", search="series([gbfs, guct, gbfs])"
    )
    assert [result.plan for result in plans] == [()]
