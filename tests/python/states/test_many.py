"""Several plans: different, valid, sorted, within bounds; in Python and in the shell."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest
from random_tasks import FEATURES, random_task
from reference import Reference

import banditplan as bp
from banditplan.cli.main import main
from banditplan.many import distance


@pytest.mark.parametrize("name", ["courier", "crates", "lights", "museum"])
@pytest.mark.parametrize("least", [0.0, 0.3])
def test_plans_differ_and_the_cheapest_comes_first(name: str, least: float) -> None:
    plans = bp.solve_many(*bp.example(name), plans=4, min_distance=least, cost_bound=3, max_evaluations=20_000)
    assert plans
    costs = [result.plan_cost for result in plans]
    assert costs == sorted(costs)
    assert costs[-1] <= 3 * costs[0]
    assert all(result.valid and result.solved for result in plans)
    assert [result.plans for result in plans] == list(range(1, len(plans) + 1))
    assert all(distance(a.plan, b.plan) > 0 for a, b in combinations(plans, 2))
    assert all(distance(a.plan, b.plan) >= least for a, b in combinations(plans, 2))
    assert plans.end.plan == plans[0].plan
    assert plans.end.plans == len(plans)
    assert plans.end.end == "solved" or len(plans) < 4
    assert [other.plan for other in plans.end.others] == [result.plan for result in plans[1:]]


@pytest.mark.slow
@pytest.mark.parametrize("kind", FEATURES)
def test_all_plans_that_are_minimal_are_found(kind: str) -> None:
    """Every plan that is no superset of one that was found would have been found, if all is worked off."""
    finished = 0
    for seed in range(25):
        source = random_task(kind, seed)
        plans = bp.solve_many(source.domain, source.problem, plans=1000, search="gbfs(blind)", max_expansions=3000)
        if plans.end.end != "exhausted" or not plans:
            continue
        finished += 1
        found = [{str(step) for step in result.plan} for result in plans]
        reference = Reference(source.parsed())
        ways = [(reference.init, frozenset(), frozenset([reference.init]))]
        for _ in range(400):  # loopless ways to goals, breadth first
            if not ways:
                break
            state, used, seen = ways.pop(0)
            if reference.is_goal(state):
                assert any(actions <= used for actions in found), used
                continue
            for instance in reference.applicable(state):
                after = reference.apply(state, instance)
                if after not in seen and len(used) < 5:
                    ways.append((after, used | {instance.name}, seen | {after}))
    assert finished > 1


def test_a_task_without_a_plan_has_none() -> None:
    domain = "(define (domain d) (:predicates (p) (q)) (:action a :effect (p)))"
    plans = bp.solve_many(domain, "(define (problem x) (:domain d) (:init) (:goal (q)))")
    assert plans == ()
    assert plans.end.status == "unsolvable"


def test_a_goal_that_holds_has_one_plan() -> None:
    domain = "(define (domain d) (:predicates (p) (q)) (:action a :effect (p)))"
    plans = bp.solve_many(domain, "(define (problem x) (:domain d) (:init (p)) (:goal (p)))")
    assert [result.plan for result in plans] == [()]
    assert plans.end.end == "exhausted"


@pytest.mark.parametrize("wish", [{"plans": 0}, {"plans": 2.5}, {"min_distance": 2}, {"cost_bound": 0.5}])
def test_odd_wishes_are_refused(wish: dict[str, float]) -> None:
    with pytest.raises(bp.InputError, match=next(iter(wish))):
        bp.solve_many(*bp.example("crates"), **wish)


def test_the_shell_writes_numbered_plans(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for number in range(1, 8):
        Path(f"sas_plan.{number}").write_text("(old)\n")
    assert main(["solve", "--example", "courier", "--plans", "3", "--json", "record.json", "--quiet"]) == 0
    files = sorted(path.name for path in tmp_path.glob("sas_plan*"))
    assert files == ["sas_plan.1", "sas_plan.2", "sas_plan.3"]
    record = json.loads(Path("record.json").read_text())
    assert (record["plans"], record["end"], len(record["others"])) == (3, "solved", 2)
    domain, problem = bp.example("courier")
    steps = []
    for number, plan in enumerate([record["plan"], *(other["plan"] for other in record["others"])], 1):
        text = Path(f"sas_plan.{number}").read_text()
        assert text.splitlines()[:-1] == plan
        assert bp.validate(domain, problem, text).valid
        steps += plan
    printed = capsys.readouterr().out.splitlines()
    assert [line for line in printed if line[0] == "("] == steps
    assert sum(line.startswith("; cost = ") for line in printed) == 3
    assert all(0 < other["distance"] <= 1 for other in record["others"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--plans", "2", "--anytime"], "either --plans or --anytime"),
        (["--plans", "2", "--trace", "t"], "either --plans or --trace"),
        (["--min-distance", "0.5"], "give --plans, too"),
        (["--plans", "0"], "plans: expected"),
        (["--plans", "2", "--cost-bound", "0.1"], "cost_bound: expected"),
    ],
)
def test_the_shell_refuses_what_does_not_go_together(
    options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["solve", "--example", "courier", *options]) == 31
    assert message in capsys.readouterr().err


def test_limits_hold_over_all_searches() -> None:
    for limit, end in (("max_evaluations", "evaluation-limit"), ("max_expansions", "expansion-limit")):
        plans = bp.solve_many(*bp.example("courier"), plans=1000, search="gbfs(blind)", **{limit: 100})
        used = plans.end.evaluations if limit == "max_evaluations" else plans.end.expansions
        assert plans.end.end == end
        assert used == 100


def test_searches_with_more_and_fewer_parts() -> None:
    search = "series([race([k_bfws, k_bfws(width=2)]), gbfs])"
    assert len(bp.solve_many(*bp.example("courier"), plans=30, search=search)) > 1


def test_plans_of_split_tasks_may_be_missing_and_that_is_said() -> None:
    things = " ".join(f"(want {x} {y})" for x, y in (("x1", "y1"), ("x2", "y2"), ("x1", "y2"), ("x2", "y1")))
    domain = """(define (domain pairs) (:requirements :strips) (:predicates (want ?x ?y) (done ?x ?y) (x ?x) (y ?y))
      (:action pair :parameters (?x ?y) :precondition (and (x ?x) (y ?y) (want ?x ?y)) :effect (done ?x ?y)))"""
    problem = f"""(define (problem two) (:domain pairs) (:objects x1 x2 y1 y2)
      (:init (x x1) (x x2) (y y1) (y y2) {things}) (:goal (or (and (done x1 y1) (done x2 y2)) (done x1 y2))))"""
    problem = problem.replace("(:domain pairs)", "(:domain pairs) (:requirements :adl)")
    whole, parts = (bp.solve_many(domain, problem, plans=9, split=mode) for mode in ("never", "always"))
    assert whole.end.end == parts.end.end == "exhausted"
    assert len(whole) >= len(parts)
    assert not whole.end.warnings
    assert any("split" in warning for warning in parts.end.warnings)
