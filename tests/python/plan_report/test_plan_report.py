"""What a plan report claims about a plan: checked by taking the steps in other orders, or not at all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from random_tasks import FEATURES, random_task

import banditplan as bp
from banditplan.cli import INVALID_PLAN
from banditplan.cli.main import main
from banditplan.errors import Source
from banditplan.examples import names
from banditplan.pddl.parser import parse
from banditplan.pddl.syntax import Parsed
from banditplan.plan import Step, read_plan
from banditplan.plan_report import lines, page
from banditplan.plan_report.order import order
from banditplan.plan_report.reads import Literal
from banditplan.plan_report.timeline import timeline
from banditplan.plan_report.view import view
from banditplan.validation import validate
from banditplan.validation.replay import Replay


def example(name: str) -> Parsed:
    domain, problem = (Path(file).read_text(encoding="utf-8") for file in bp.example(name))
    return parse(Source("domain", domain), Source("problem", problem))


def end(parsed: Parsed, steps: list[Step]) -> tuple[str, ...]:
    replay = Replay(parsed)
    for step in steps:
        replay.apply(step)
    return replay.state()


def other_order(before: tuple[tuple[int, ...], ...], random: Random) -> list[int]:
    """Any order that keeps the constraints."""
    waiting = {number: set(earlier) for number, earlier in enumerate(before)}
    taken: list[int] = []
    while waiting:
        number = random.choice([number for number, earlier in waiting.items() if earlier <= set(taken)])
        del waiting[number]
        taken.append(number)
    return taken


def check(parsed: Parsed, steps: tuple[Step, ...], random: Random) -> int:
    """Every order that is allowed leads to the same end, and what leads nowhere can go; returns the rounds saved."""
    assert validate(parsed, steps).valid
    line = timeline(parsed, steps)
    found = order(line.taken)
    final = end(parsed, list(steps))
    for _ in range(10):
        other = [steps[number] for number in other_order(found.before, random)]
        assert validate(parsed, other).valid
        assert end(parsed, other) == final
    shown = view(parsed, steps)
    useful = [step for step, each in zip(steps, shown["steps"], strict=True) if each["useful"]]
    assert validate(parsed, useful).valid
    assert [len(step["why"]) > 10 for step in shown["steps"]] == [True] * len(steps)
    for number, step in enumerate(line.taken):
        for need in step.needs:
            for source in need.sources:
                assert source < number
                if isinstance(need.read, Literal):
                    assert need.read in line.taken[source].gives
                    between = line.taken[source + 1 : number]
                    assert not any(need.read.fact == given.fact for other in between for given in other.gives)
    by_round = [found.rounds.count(number) for number in range(max(found.rounds, default=-1) + 1)]
    assert 0 not in by_round
    places = set(zip(found.rounds, found.lanes, strict=True))
    assert len(places) == len(steps)
    return len(steps) - len(by_round)


@pytest.mark.parametrize("name", [name for name in names() if name not in ("levers", "island")])
def test_other_orders_of_the_examples_are_plans(name: str) -> None:
    result = bp.solve(*bp.example(name), search="gbfs", time_limit=60)
    assert result.plan is not None
    check(example(name), result.plan, Random(1))


def walks(task: bp.Task, random: Random) -> Iterator[tuple[Step, ...]]:
    """Random ways through the state space."""
    for _ in range(4):
        state, steps = task.initial_state, []
        for _ in range(12):
            actions = task.applicable(state)
            if not actions:
                break
            action = random.choice(actions)
            state = task.apply(state, action)
            steps.append(Step(action.name, tuple(action.arguments)))
        yield tuple(steps)


@pytest.mark.sweep
@pytest.mark.parametrize("kind", FEATURES)
def test_other_orders_of_random_walks_end_in_the_same_state(kind: str) -> None:
    """Without a goal, so that every walk is a plan; what leads nowhere is all of it then."""
    walked = free = 0
    for seed in range(16):
        text = random_task(kind, seed)
        problem = re.sub(r"\(:goal .*", "(:goal (and)))", text.problem, flags=re.S)
        parsed = parse(Source("domain", text.domain), Source("problem", problem))
        random = Random(seed)
        loaded = bp.load(text.domain, text.problem, prune_mutex=False)
        for steps in walks(loaded, random):
            if len(steps) > 3:
                walked += 1
                free += check(parsed, steps, random)
    assert walked > 8
    assert free > 8


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("kind", FEATURES)
def test_the_plans_of_random_tasks(kind: str) -> None:
    solved = 0
    for seed in range(150):
        text = random_task(kind, seed)
        result = bp.solve(text.domain, text.problem, search="guct-normal2", max_evaluations=500, shorten=False)
        if result.plan and len(result.plan) > 1:
            solved += 1
            check(text.parsed(), result.plan, Random(seed))
    assert solved > 0 or kind == "axioms"  # whose random tasks are solved by one step, or not at all


BLOCKS = """(define (domain towers) (:requirements :strips :derived-predicates)
  (:predicates (on ?a ?b) (free ?a) (above ?a ?b) (seen ?a))
  (:derived (above ?a ?b) (or (on ?a ?b) (exists (?c) (and (on ?a ?c) (above ?c ?b)))))
  (:action put :parameters (?a ?b) :precondition (free ?a) :effect (and (on ?a ?b) (not (free ?a))))
  (:action look :parameters (?a ?b) :precondition (above ?a ?b) :effect (seen ?a)))"""
TOWER = """(define (problem three) (:domain towers) (:objects a b c d) (:init (free a) (free b) (free d))
  (:goal (seen a)))"""


def test_a_derived_fact_rests_on_all_that_it_is_derived_from() -> None:
    plan = "(put d c)\n(put b c)\n(put a b)\n(look a c)\n"
    parsed = parse(Source("domain", BLOCKS), Source("problem", TOWER))
    steps = read_plan(Source("plan", plan))
    line = timeline(parsed, steps)
    assert {(str(need.read), need.sources) for need in line.taken[3].needs} == {("(on a b)", (2,)), ("(on b c)", (1,))}
    said = lines(parsed, steps)
    assert said == [
        "1. (put d c): Nothing needs what it gives: the plan is valid without it.",
        "2. (put b c): It gives (on b c), which step 4 (look a c) needs, on the way to the goal (seen a).",
        "3. (put a b): It gives (on a b), which step 4 (look a c) needs, on the way to the goal (seen a).",
        "4. (look a c): It makes the goal (seen a) true for good.",
        "valid: 4 steps in 2 rounds of what can run at the same time, cost 4",
    ]
    assert order(line.taken).rounds == (0, 0, 0, 1)


@pytest.mark.parametrize(
    ("plan", "failing", "said"),
    [
        (
            "(put a b)\n(put a c)\n(look a c)",
            1,
            [
                "Step 2 (put a c): precondition (free a) does not hold.",
                "Step 1 (put a b) made (free a) false, and no step after it changed that.",
            ],
        ),
        (
            "(put a b)",
            None,
            [
                "Goal (seen a) does not hold after the last step.",
                "(seen a) is false at the start, and no step before this one changed that.",
            ],
        ),
        (
            "(put c a)",
            0,
            [
                "Step 1 (put c a): precondition (free c) does not hold.",
                "(free c) is false at the start, and no step before this one changed that.",
            ],
        ),
        ("(put a b)\n(drop a)", 1, ['Step 2 (drop a): unknown action "drop".']),
        (
            "",
            None,
            [
                "Goal (seen a) does not hold after the last step.",
                "(seen a) is false at the start, and no step before this one changed that.",
            ],
        ),
    ],
)
def test_a_plan_that_fails(plan: str, failing: int | None, said: list[str]) -> None:
    parsed = parse(Source("domain", BLOCKS), Source("problem", TOWER))
    steps = read_plan(Source("plan", plan))
    shown = view(parsed, steps)
    assert (shown["valid"], shown["failing"], shown["failure"]) == (False, failing, said)
    assert page(parsed, steps).startswith("<!doctype html>")
    if failing is not None:
        assert shown["steps"][failing]["why"].startswith("It cannot be taken: ")
        assert all(step["why"].startswith("It is never reached") for step in shown["steps"][failing + 1 :])


def test_goals_and_cost_over_time() -> None:
    result = bp.solve(*bp.example("warehouse"), search="gbfs")
    assert result.plan is not None
    shown = view(example("warehouse"), result.plan)
    assert [step["total"] for step in shown["steps"]][-1] == shown["cost"] == result.plan_cost
    assert sum(step["cost"] for step in shown["steps"]) == result.plan_cost
    for goal in shown["goals"]:
        assert goal["holds"]
        assert len(goal["changes"]) % 2 == 1
        assert list(goal["changes"]) == sorted(goal["changes"])


def test_a_long_plan_has_a_bounded_page() -> None:
    parsed = parse(
        Source("d", "(define (domain d) (:predicates (p)) (:action on :effect (p)) (:action off :effect (not (p))))"),
        Source("p", "(define (problem q) (:domain d) (:init) (:goal (p)))"),
    )
    made = page(parsed, read_plan(Source("plan", "(off)\n(on)\n" * 3_000)))
    assert len(made) < 2_000_000
    assert "more step" in made


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    files = bp.example("crates")
    plan = bp.solve(*files).plan
    assert plan is not None
    (tmp_path / "plan").write_text("".join(f"{step}\n" for step in plan), encoding="utf-8")
    (tmp_path / "bad").write_text("(up ground first)\n(up ground first)\n", encoding="utf-8")
    assert main(["plan", *files, "plan", "--html", "plan.html"]) == 0
    assert capsys.readouterr().out == "plan.html\n"
    assert (tmp_path / "plan.html").read_text(encoding="utf-8") == bp.plan_page(*files, plan)
    assert main(["plan", *files, "plan"]) == 0
    assert f"valid: {len(plan)} steps in " in capsys.readouterr().out
    assert main(["plan", *files, "bad"]) == INVALID_PLAN
    assert "invalid: Step 2 (up ground first): precondition (lift-at ground) does not hold." in capsys.readouterr().out
    assert main(["plan", *files, "bad", "--html", "bad.html"]) == INVALID_PLAN
    assert main(["plan", *files, "plan", "--html", "plan/plan.html"]) == 31
    assert "choose another --html" in capsys.readouterr().err


def test_hostile_names_stay_text() -> None:
    parsed = parse(
        Source(
            "d", "(define (domain d) (:predicates (p ?x)) (:action </script><img> :parameters (?x) :effect (p ?x)))"
        ),
        Source("p", "(define (problem <b>) (:domain d) (:objects </script>) (:init) (:goal (p </script>)))"),
    )
    made = page(parsed, [Step("</script><img>", ("</script>",))])
    assert "</script><img>" not in made
    assert "<title>A plan for &lt;b&gt;</title>" in made
