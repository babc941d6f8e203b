"""The engine for Unified Planning, against Unified Planning's own validator and simulator."""

from __future__ import annotations

import io
import itertools
import random
import re
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import banditplan as bp

up = pytest.importorskip("unified_planning", reason="unified-planning is not installed: pip install 'banditplan[up]'")

from random_tasks import random_task  # noqa: E402
from unified_planning.engines import PlanGenerationResult, SequentialPlanValidator, UPSequentialSimulator  # noqa: E402
from unified_planning.engines.mixins.oneshot_planner import OptimalityGuarantee  # noqa: E402
from unified_planning.engines.results import PlanGenerationResultStatus as Outcome  # noqa: E402
from unified_planning.environment import Environment  # noqa: E402
from unified_planning.exceptions import UPProblemDefinitionError, UPUsageError  # noqa: E402
from unified_planning.io import PDDLReader  # noqa: E402
from unified_planning.model import Fluent, Object, Problem, Variable  # noqa: E402
from unified_planning.model.fluent import get_all_fluent_exp  # noqa: E402
from unified_planning.model.metrics import MinimizeActionCosts, MinimizeSequentialPlanLength  # noqa: E402
from unified_planning.plans import PlanKind, SequentialPlan  # noqa: E402
from unified_planning.shortcuts import (  # noqa: E402
    And,
    AnytimePlanner,
    BoolType,
    Compiler,
    Div,
    Equals,
    Exists,
    Forall,
    Iff,
    Implies,
    InstantaneousAction,
    IntType,
    Minus,
    Not,
    OneshotPlanner,
    Or,
    PlanRepairer,
    Plus,
    RealType,
    Replanner,
    SequentialSimulator,
    Times,
    UserType,
    get_environment,
)
from unified_planning.test.examples import get_example_problems  # noqa: E402
from unified_problems import problem_of  # noqa: E402

from banditplan.files import read_source  # noqa: E402
from banditplan.pddl.parser import parse  # noqa: E402
from banditplan.plan import Step  # noqa: E402
from banditplan.unified_planning import Engine, OptimalEngine  # noqa: E402
from banditplan.unified_planning.translation import Translation  # noqa: E402
from banditplan.validation import Verdict, validate  # noqa: E402

EXAMPLES = {
    name: example.problem
    for name, example in get_example_problems().items()
    if isinstance(example.problem, Problem) and Engine.supports(example.problem.kind)
}


pytestmark = pytest.mark.filterwarnings("ignore:.*already:UserWarning")  # several things of the same name


@pytest.fixture(autouse=True)
def _registered() -> None:
    environment = get_environment()
    environment.credits_stream = None
    environment.error_used_name = False
    for name, engine in ((NAME, "Engine"), (OPTIMAL_NAME, "OptimalEngine")):
        if name not in environment.factory.engines:
            environment.factory.add_engine(name, "banditplan.unified_planning", engine)


NAME = "banditplan"
OPTIMAL_NAME = "banditplan-opt"


def solve(problem: Problem, params: dict[str, Any] | None = None, **options: Any) -> PlanGenerationResult:
    with OneshotPlanner(name=NAME, params=params) as planner:
        return planner.solve(problem, **options)


def assert_solved(problem: Problem, result: PlanGenerationResult) -> None:
    assert result.status == Outcome.SOLVED_SATISFICING, result
    with SequentialPlanValidator() as validator:
        assert validator.validate(problem, result.plan), result.plan


def corridor(length: int, *, name: str = "corridor") -> Problem:
    """Two ways of the same length from the start to the end; odd steps leave a trace that nothing reads."""
    place = UserType("place")
    here, next_to = Fluent("here", BoolType(), p=place), Fluent("next", BoolType(), a=place, b=place)
    trace = Fluent("trace", BoolType(), p=place)
    problem = Problem(name)
    problem.add_fluents([here, next_to, trace])
    for fluent in (here, next_to, trace):
        problem.fluents_defaults[fluent] = get_environment().expression_manager.FALSE()
    start, end = Object("start", place), Object("end", place)
    problem.add_objects([start, end])
    for side in ("left", "right"):
        way = [start, *(Object(f"{side}{i}", place) for i in range(length)), end]
        problem.add_objects(way[1:-1])
        for a, b in itertools.pairwise(way):
            problem.set_initial_value(next_to(a, b), True)
    move = InstantaneousAction("move", a=place, b=place)
    a, b = move.parameters
    move.add_precondition(here(a))
    move.add_precondition(next_to(a, b))
    move.add_effect(here(a), False)
    move.add_effect(here(b), True)
    move.add_effect(trace(b), True)
    problem.add_action(move)
    problem.set_initial_value(here(start), True)
    problem.add_goal(here(end))
    return problem


# ---- planning


def test_the_collection_has_the_examples_that_we_know() -> None:
    assert len(EXAMPLES) >= 21


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_of_unified_planning_are_solved(name: str) -> None:
    problem = EXAMPLES[name]
    result = solve(problem)
    assert_solved(problem, result)
    assert result.metrics is not None
    assert float(result.metrics["engine_internal_time"]) > 0
    assert int(result.metrics["evaluations"]) >= 0
    assert int(result.metrics["expansions"]) >= 0


@pytest.mark.parametrize("name", ["crates", "lights", "museum"])
def test_bundled_examples_are_solved_like_their_files(name: str) -> None:
    domain, file = bp.example(name)
    problem = problem_of(parse(read_source(domain), read_source(file)))
    result = Engine().solve(problem)
    assert_solved(problem, result)
    direct = bp.solve(domain, file)
    assert direct.plan is not None
    assert len(result.plan.actions) == len(direct.plan)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Unified Planning's reader
def test_what_unified_planning_reads_is_solved() -> None:
    problem = PDDLReader().parse_problem(*bp.example("crates"))
    assert_solved(problem, solve(problem))


def test_parameters_reach_the_search() -> None:
    result = solve(corridor(3), {"search": "gbfs", "heuristic": "hadd", "seed": 7})
    assert_solved(corridor(3), result)
    assert result.metrics["search"].startswith("gbfs(heuristic=hadd")
    assert result.metrics["seed"] == "7"


@pytest.mark.parametrize(
    ("params", "text"),
    [
        ({"search": "gbsf"}, "gbfs"),
        ({"heuristic": "hff"}, "unknown component"),
        ({"heuristic": "ff, hadd"}, "one heuristic"),
        ({"heuristic": "gbfs"}, "known: ff, hadd, hmax, goalcount, blind"),
        ({"seed": -1}, "seed"),
        ({"memory_limit": "much"}, "500M"),
    ],
)
def test_wrong_parameters_are_named(params: dict[str, Any], text: str) -> None:
    with pytest.raises(UPUsageError, match=text):
        OneshotPlanner(name=NAME, params=params)


def test_output_goes_to_the_stream() -> None:
    stream = io.StringIO()
    solve(corridor(3), output_stream=stream)
    assert stream.getvalue().splitlines()[-1].startswith("solved: 4 steps")


# ---- outcomes


def test_unsolvable_is_claimed_with_a_proof_only() -> None:
    problem = corridor(3)
    problem.add_goal(problem.fluent("here")(problem.object("start")))
    proven = solve(problem)
    assert proven.status == Outcome.UNSOLVABLE_PROVEN
    assert proven.plan is None
    exhausted = solve(corridor(3), heuristic=lambda state: None)
    assert exhausted.status == Outcome.UNSOLVABLE_INCOMPLETELY
    assert "no proof" in exhausted.log_messages[0].message


@pytest.mark.parametrize("timeout", [-1, 0, 1e-9, 0.2])
def test_timeout(timeout: float) -> None:
    def slow(state: Any) -> float:
        time.sleep(0.01)
        return 1

    result = solve(corridor(100), timeout=timeout, heuristic=slow)
    assert result.status == Outcome.TIMEOUT
    assert result.plan is None


def test_memory_limit() -> None:
    assert solve(corridor(3), {"memory_limit": "1M"}).status == Outcome.MEMOUT


def test_an_invalid_plan_is_an_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("banditplan.validation.validate", lambda *_: Verdict(False, 0, True, 1, "no reason"))
    result = solve(corridor(3))
    assert result.status == Outcome.INTERNAL_ERROR
    assert result.plan is None
    assert "no reason" in result.log_messages[0].message


@pytest.mark.parametrize(
    "name", ["counter_to_50", "robot_fluent_of_user_type", "basic_bool_fluent_param", "matchcellar"]
)
def test_what_is_not_supported_is_said(name: str) -> None:
    problem = get_example_problems()[name].problem
    assert not Engine.supports(problem.kind)
    with pytest.raises(UPUsageError):
        Engine().solve(problem)
    engine = Engine()
    engine.skip_checks = True
    result = engine.solve(problem)
    assert result.status == Outcome.UNSUPPORTED_PROBLEM
    assert "does not support" in result.log_messages[0].message


def test_object_fluents_can_be_compiled_away() -> None:
    problem = get_example_problems()["robot_fluent_of_user_type"].problem
    with Compiler(problem_kind=problem.kind, compilation_kind="USERTYPE_FLUENTS_REMOVING") as compiler:
        compiled = compiler.compile(problem)
    result = solve(compiled.problem)
    assert_solved(compiled.problem, result)
    plan = result.plan.replace_action_instances(compiled.map_back_action_instance)
    assert SequentialPlanValidator().validate(problem, plan)


def test_interrupts_and_errors_of_the_heuristic_get_through() -> None:
    def broken(state: Any) -> float:
        raise RuntimeError("my mistake")

    def interrupted(state: Any) -> float:
        raise KeyboardInterrupt

    with pytest.raises(RuntimeError, match="my mistake"):
        solve(corridor(3), heuristic=broken)
    with pytest.raises(KeyboardInterrupt):
        solve(corridor(3), heuristic=interrupted)


def test_what_solve_ignores_is_said() -> None:
    problem = corridor(1)
    plan = solve(problem).plan
    with pytest.warns(UserWarning, match="warm_start_plan"):
        solve(problem, warm_start_plan=plan)
    with pytest.raises(UPUsageError, match="speed"):
        solve(problem, speed=3)


# ---- anytime


def costs(problem: Problem, results: list[PlanGenerationResult]) -> list[Fraction]:
    """The costs of the plans, all of them valid, as Unified Planning counts them."""
    found = []
    for result in results:
        verdict = SequentialPlanValidator().validate(problem, result.plan)
        assert verdict
        found.append(Fraction(*verdict.metric_evaluations.values()))
    return found


def test_plans_get_cheaper_until_the_optimum_is_proved() -> None:
    problem = priced()
    with AnytimePlanner(name=NAME) as planner:
        results = list(planner.get_solutions(problem))
    *steps, last = results
    assert {step.status for step in steps} == {Outcome.INTERMEDIATE}
    assert last.status == Outcome.SOLVED_OPTIMALLY
    found = costs(problem, steps)
    assert found == sorted(set(found), reverse=True)
    assert found[-1] == 0
    assert last.plan == steps[-1].plan


@pytest.mark.parametrize("name", EXAMPLES)
def test_anytime_on_examples(name: str) -> None:
    problem = EXAMPLES[name]
    *steps, last = Engine().get_solutions(problem, timeout=60)
    has_metric = len(problem.quality_metrics) == 1
    assert last.status == (Outcome.SOLVED_OPTIMALLY if has_metric else Outcome.SOLVED_SATISFICING)
    assert {step.status for step in steps} <= {Outcome.INTERMEDIATE}
    lengths = [len(step.plan.actions) for step in steps]
    if not problem.quality_metrics:
        assert lengths == sorted(set(lengths), reverse=True)
    for step in (*steps, last):
        assert SequentialPlanValidator().validate(problem, step.plan)


def test_anytime_without_a_plan() -> None:
    problem = corridor(3)
    problem.add_goal(problem.fluent("here")(problem.object("start")))
    assert [result.status for result in Engine().get_solutions(problem)] == [Outcome.UNSOLVABLE_PROVEN]
    assert [result.status for result in Engine().get_solutions(problem, timeout=0)] == [Outcome.TIMEOUT]
    assert [result.status for result in Engine(search="gbfs").get_solutions(problem)] == [Outcome.UNSOLVABLE_PROVEN]


def test_the_guarantee_of_cheaper_plans_finds_the_engine() -> None:
    with AnytimePlanner(problem_kind=priced().kind, anytime_guarantee="INCREASING_QUALITY") as planner:
        assert planner.name == NAME


# ---- the optimal engine


def metric_value(problem: Problem, result: PlanGenerationResult) -> Fraction:
    """The value of the plan's only metric, as Unified Planning counts it."""
    (value,) = costs(problem, [result])
    return value


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_optimal_engine_on_examples(name: str) -> None:
    problem = EXAMPLES[name]
    result = OptimalEngine().solve(problem)
    assert result.engine_name == OPTIMAL_NAME
    assert SequentialPlanValidator().validate(problem, result.plan)
    *_, best = Engine().get_solutions(problem, timeout=60)
    if not problem.quality_metrics:
        assert result.status == Outcome.SOLVED_SATISFICING
        assert len(result.plan.actions) == len(best.plan.actions)
    else:
        assert result.status == best.status == Outcome.SOLVED_OPTIMALLY
        assert metric_value(problem, result) == metric_value(problem, best)


def test_the_optimal_engine_is_found_by_its_guarantee() -> None:
    problem = priced()
    with OneshotPlanner(problem_kind=problem.kind, optimality_guarantee="SOLVED_OPTIMALLY") as planner:
        assert planner.name == OPTIMAL_NAME
        result = planner.solve(problem)
        assert result.status == Outcome.SOLVED_OPTIMALLY
        assert metric_value(problem, result) == 0
        with pytest.raises(UPUsageError, match="no quality metrics"):
            planner.solve(corridor(2))
    assert not Engine.satisfies(OptimalityGuarantee.SOLVED_OPTIMALLY)
    assert Engine.satisfies(OptimalityGuarantee.SATISFICING)


def test_two_metrics_are_not_called_optimal() -> None:
    problem = priced()
    problem.add_quality_metric(MinimizeSequentialPlanLength())
    assert OptimalEngine().solve(problem).status == Outcome.SOLVED_SATISFICING


def test_the_optimal_engine_names_wrong_parameters() -> None:
    with pytest.raises(UPUsageError, match="seed"):
        OneshotPlanner(name=OPTIMAL_NAME, params={"seed": -1})


# ---- repair and replanning


@pytest.mark.sweep
@pytest.mark.parametrize("engine", [NAME, OPTIMAL_NAME])
@pytest.mark.parametrize("name", EXAMPLES)
def test_plans_of_examples_are_repaired(name: str, engine: str) -> None:
    """A valid plan, a plan without its last step, one with a step twice, and no plan at all."""
    problem = EXAMPLES[name]
    plan = solve(problem).plan
    with PlanRepairer(name=engine) as repairer:
        broken = [plan.actions, plan.actions[:-1], [*plan.actions[:1], *plan.actions], []]
        for steps in broken:
            result = repairer.repair(problem, SequentialPlan(steps, problem.environment))
            optimal = engine == OPTIMAL_NAME and len(problem.quality_metrics) == 1
            assert result.status == (Outcome.SOLVED_OPTIMALLY if optimal else Outcome.SOLVED_SATISFICING)
            assert SequentialPlanValidator().validate(problem, result.plan)
            if steps is plan.actions and engine == NAME:
                assert result.plan == plan


def test_a_plan_of_another_problem_is_no_help_but_no_harm() -> None:
    problem = corridor(3)
    other = EXAMPLES["basic"]
    assert_solved(problem, Engine().repair(problem, solve(other).plan))


def test_repair_takes_sequential_plans() -> None:
    with PlanRepairer(problem_kind=corridor(1).kind, plan_kind="SEQUENTIAL_PLAN") as repairer:
        assert repairer.name in (NAME, OPTIMAL_NAME)
    assert not Engine.supports_plan(PlanKind.TIME_TRIGGERED_PLAN)


@pytest.mark.sweep
@pytest.mark.parametrize("engine", [NAME, OPTIMAL_NAME])
@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_are_planned_again_from_where_the_plan_leads(name: str, engine: str) -> None:
    """After every step the world tells where it is, and the replanner is asked again."""
    problem = EXAMPLES[name]
    atoms = [atom for fluent in problem.fluents if fluent.type.is_bool_type() for atom in fluents_of(problem, fluent)]
    first = solve(problem).plan
    with Replanner(problem, name=engine) as replanner, UPSequentialSimulator(problem) as world:
        assert SequentialPlanValidator().validate(problem, replanner.resolve().plan)
        state = world.get_initial_state()
        for step in first.actions[:4]:
            state = world.apply(state, step)
            now = problem.clone()
            for atom in atoms:
                replanner.update_initial_value(atom, state.get_value(atom))
                now.set_initial_value(atom, state.get_value(atom))
            result = replanner.resolve(timeout=60)
            optimal = engine == OPTIMAL_NAME and len(problem.quality_metrics) == 1
            assert result.status == (Outcome.SOLVED_OPTIMALLY if optimal else Outcome.SOLVED_SATISFICING)
            assert SequentialPlanValidator().validate(now, result.plan)
    assert problem == EXAMPLES[name]


def fluents_of(problem: Problem, fluent: Fluent) -> list[Any]:
    return list(get_all_fluent_exp(problem, fluent))


def test_goals_and_actions_come_and_go() -> None:
    problem = corridor(3)
    here, move = problem.fluent("here"), problem.action("move")
    left, end = problem.object("left1"), problem.object("end")
    with Engine(problem) as replanner:
        assert len(replanner.resolve().plan.actions) == 4
        replanner.remove_goal(here(end))
        replanner.add_goal(here(left))
        assert [str(each) for each in replanner.resolve().plan.actions] == ["move(start, left0)", "move(left0, left1)"]
        replanner.remove_action("move")
        assert replanner.resolve().status == Outcome.UNSOLVABLE_PROVEN
        replanner.add_action(move)
        assert replanner.resolve().status == Outcome.SOLVED_SATISFICING
        with pytest.raises(UPUsageError, match="no goal"):
            replanner.remove_goal(here(end))
        with pytest.raises(UPUsageError, match="no action"):
            replanner.remove_action("fly")
        assert replanner.resolve(timeout=0).status == Outcome.TIMEOUT
    assert [str(each) for each in problem.goals] == ["here(end)"]


def test_a_replanner_refuses_what_is_not_supported() -> None:
    problem = get_example_problems()["counter_to_50"].problem
    with pytest.raises(UPUsageError):
        Engine(problem)
    with pytest.warns(UserWarning, match="able to handle"), Replanner(problem, name=NAME) as replanner:
        assert replanner.resolve().status == Outcome.UNSUPPORTED_PROBLEM


# ---- heuristics


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("search", ["gbfs", "guct-normal2"])
def test_a_heuristic_steers(search: str, side: str) -> None:
    problem = corridor(20)
    here = problem.fluent("here")
    way = [problem.object(f"{side}{i}") for i in range(20)]

    def along(state: up.model.State) -> float:
        for i, place in enumerate(way):
            if state.get_value(here(place)).is_true():
                return 20 - i
        return 100

    result = solve(problem, {"search": search}, heuristic=along)
    assert_solved(problem, result)
    visited = [step.actual_parameters[1].object() for step in result.plan.actions]
    assert visited == [*way, problem.object("end")]
    if search == "gbfs":
        assert int(result.metrics["expansions"]) == 21


def test_a_heuristic_sees_what_does_not_matter() -> None:
    problem = corridor(5)
    here, trace, next_to = (problem.fluent(name) for name in ("here", "trace", "next"))
    places = list(problem.all_objects)
    seen = set()

    def note(state: up.model.State) -> float:
        now = next(place for place in places if state.get_value(here(place)).is_true())
        traces = frozenset(place.name for place in places if state.get_value(trace(place)).is_true())
        assert now.name == "start" or now.name in traces
        assert state.get_value(next_to(problem.object("start"), problem.object("left0"))).is_true()
        assert state.get_value(next_to(problem.object("left0"), problem.object("start"))).is_false()
        seen.add(traces)
        return 1

    assert_solved(problem, solve(problem, {"search": "gbfs"}, heuristic=note))
    assert max(map(len, seen)) >= 5


# ---- translation


def test_names_that_pddl_does_not_allow() -> None:
    root = UserType("object")
    thing, other = UserType("Thing", root), UserType("thing")
    holds = Fluent("not", BoolType(), x=root)
    linked = Fluent("is linked", BoolType(), a=thing, b=other)
    problem = Problem("names, and more")
    problem.add_fluents([holds, linked])
    problem.add_objects([Object(name, thing) for name in ("A", "a", "?x", "a b", "ä", "(", "1", "object")])
    problem.add_objects([Object("x", other), Object("X", other)])
    link = InstantaneousAction("link it!", x=thing, X=other)
    x, capital = link.parameters
    variable = Variable("x", thing)
    link.add_precondition(Not(linked(x, capital)))
    link.add_precondition(Exists(Exists(Equals(variable, x), variable), Variable("X", other)))
    link.add_effect(linked(x, capital), True)
    link.add_effect(holds(x), True)
    problem.add_action(link)
    for fluent in (holds, linked):
        for atom in get_all_fluent_exp(problem, fluent):
            problem.set_initial_value(atom, False)
    every, both = Variable("v", thing), Variable("w", other)
    problem.add_goal(Forall(And(holds(every), linked(every, both)), every, both))
    result = solve(problem)
    assert_solved(problem, result)
    assert len(result.plan.actions) == 16


def test_values_by_default_and_assigned_formulas() -> None:
    place = UserType("place")
    dark, seen = Fluent("dark", BoolType(), p=place), Fluent("seen", BoolType(), p=place)
    switch = InstantaneousAction("switch", p=place)
    look = InstantaneousAction("look")
    problem = Problem("lights")
    problem.add_fluent(dark, default_initial_value=True)
    problem.add_fluent(seen, default_initial_value=True)
    problem.add_objects([Object(f"p{i}", place) for i in range(4)])
    problem.set_initial_value(dark(problem.object("p3")), False)
    switch.add_effect(dark(switch.parameter("p")), Not(dark(switch.parameter("p"))))
    each = Variable("q", place)
    look.add_effect(seen(each), Not(dark(each)), forall=[each])
    problem.add_actions([switch, look])
    bright, others = problem.object("p0"), [problem.object(f"p{i}") for i in (1, 2, 3)]
    problem.add_goal(And(seen(bright), *(Not(seen(other)) for other in others)))
    result = solve(problem)
    assert_solved(problem, result)
    assert len(result.plan.actions) >= 3


def connectives() -> Problem:
    names = "pqrs"
    fluents = {name: Fluent(name) for name in names}
    problem = Problem("connectives")
    for fluent in fluents.values():
        problem.add_fluent(fluent, default_initial_value=False)
    p, q, r, s = (fluents[name]() for name in names)
    for name in names:
        flip = InstantaneousAction(f"flip_{name}")
        flip.add_precondition(Or(Iff(p, q), Implies(r, s), And(Not(p), s)))
        flip.add_effect(fluents[name], True, Not(fluents[name]()))
        flip.add_effect(fluents[name], False, fluents[name]())
        problem.add_action(flip)
    problem.add_goal(And(Iff(p, Not(q)), Implies(p, r), Or(q, r), Not(Iff(r, s))))
    return problem


def test_connectives() -> None:
    assert_solved(connectives(), solve(connectives()))


def priced(price_of_last: int | None = 9, *, choosy: bool = True) -> Problem:
    """Actions with all kinds of costs; the choosy ones do not go to the last place."""
    place = UserType("place")
    price, weight = Fluent("price", RealType(), p=place), Fluent("weight", IntType(), p=place)
    done = Fluent("done", BoolType(), p=place, q=place)
    problem = Problem("priced")
    problem.add_fluent(price)
    problem.add_fluent(weight, default_initial_value=3)
    problem.add_fluent(done, default_initial_value=False)
    places = [Object(f"p{i}", place) for i in range(3)]
    problem.add_objects(places)
    problem.set_initial_value(price(places[0]), Fraction(1, 3))
    problem.set_initial_value(price(places[1]), Fraction(5, 2))
    problem.set_initial_value(weight(places[1]), 7)
    if price_of_last is not None:
        problem.set_initial_value(price(places[2]), price_of_last)
    costs: dict[Any, Any] = {}
    for name in ("constant", "fluent", "sum", "product", "free"):
        action = InstantaneousAction(name, p=place, q=place)
        p, q = action.parameters
        if choosy:
            action.add_precondition(Not(Equals(p, places[2])))
            action.add_precondition(Not(Equals(q, places[2])))
        action.add_effect(done(p, q), True)
        problem.add_action(action)
        costs[action] = {
            "constant": Fraction(1, 7),
            "fluent": price(p),
            "sum": Plus(price(q), weight(p), 2, Times(2, 3)),
            "product": Minus(Div(Times(price(p), weight(q)), 2), Fraction(1, 10)),
            "free": 0,
        }[name]
    problem.add_quality_metric(MinimizeActionCosts(costs, default=5))
    problem.add_goal(done(places[0], places[1]))
    return problem


def test_costs_are_those_of_unified_planning_up_to_a_factor() -> None:
    problem = priced()
    assert Engine.supports(problem.kind)
    assert_solved(problem, solve(problem))
    parsed = Translation(problem).parsed()
    factors = set()
    for action in problem.actions:
        for p in ("p0", "p1"):
            for q in ("p0", "p1"):
                arguments = tuple(map(problem.object, (p, q)))
                steps = [action(*arguments), problem.action("free")(*map(problem.object, ("p0", "p1")))]
                plan = up.plans.SequentialPlan(steps)
                (theirs,) = SequentialPlanValidator().validate(problem, plan).metric_evaluations.values()
                ours = validate(parsed, [Step(action.name, (p, q)), Step("free", ("p0", "p1"))])
                assert ours.valid
                assert (ours.cost == 0) == (theirs == 0)
                if theirs:
                    factors.add(Fraction(ours.cost) / Fraction(theirs))
    assert len(factors) == 1
    assert factors.pop() % 210 == 0


def test_a_cost_that_is_missing_and_one_that_is_negative() -> None:
    assert solve(priced(None)).status == Outcome.SOLVED_SATISFICING
    with pytest.raises(UPProblemDefinitionError, match="price p2"):
        solve(priced(None, choosy=False))
    result = solve(priced(-1))
    assert result.status == Outcome.UNSUPPORTED_PROBLEM
    assert "negative" in result.log_messages[0].message


def divided(divisor: int) -> Problem:
    """The first action costs 6 / divisor, the second 6 / 2."""
    flag = UserType("flag")
    weight, done = Fluent("weight", IntType(), f=flag), Fluent("done", BoolType(), f=flag)
    problem = Problem("divided")
    problem.add_fluent(weight)
    problem.add_fluent(done, default_initial_value=False)
    first, second = problem.add_objects([Object("first", flag), Object("second", flag)]) or problem.all_objects
    problem.set_initial_value(weight(first), divisor)
    problem.set_initial_value(weight(second), 2)
    action = InstantaneousAction("raise", f=flag)
    action.add_effect(done(action.parameters[0]), True)
    problem.add_action(action)
    problem.add_quality_metric(MinimizeActionCosts({action: Div(6, weight(action.parameters[0]))}))
    problem.add_goal(done(second))
    return problem


def test_a_divisor_of_zero_is_a_cost_without_a_value() -> None:
    result = solve(divided(3))
    assert result.status in (Outcome.SOLVED_SATISFICING, Outcome.SOLVED_OPTIMALLY)
    with pytest.raises(UPProblemDefinitionError, match=r"gives no value to .* first"):
        solve(divided(0))


def test_costs_that_are_too_large_once_they_are_scaled() -> None:
    problem = priced(2**31)
    problem.clear_goals()
    problem.add_goal(problem.fluent("done")(problem.object("p0"), problem.object("p0")))
    with pytest.raises(UPProblemDefinitionError, match="largest cost of an action"):
        solve(problem)


# ---- simulation


def walk(problem: Problem, steps: int, seed: int) -> None:
    """A random walk, on which our simulator and Unified Planning's agree on everything."""
    rng = random.Random(seed)
    atoms = [atom for fluent in problem.fluents for atom in get_all_fluent_exp(problem, fluent)]
    objects = problem.environment.expression_manager.ObjectExp
    # Not from get_applicable_actions, which fails where two static fluents exclude the same object.
    candidates = [
        (action, tuple(map(objects, arguments)))
        for action in problem.actions
        for arguments in itertools.product(*(list(problem.objects(p.type)) for p in action.parameters))
    ]
    with Engine(problem) as ours, UPSequentialSimulator(problem) as theirs:
        state, expected = ours.get_initial_state(), theirs.get_initial_state()
        for _ in range(steps):
            assert [state.get_value(atom) for atom in atoms] == [expected.get_value(atom) for atom in atoms]
            assert ours.is_goal(state) == theirs.is_goal(expected)
            found = list(ours.get_applicable_actions(state))
            wanted = [each for each in candidates if theirs.is_applicable(expected, *each)]
            assert len(found) == len(wanted)
            assert set(found) == set(wanted)
            if not wanted:
                return
            assert {each for each in candidates if ours.is_applicable(state, *each)} == set(wanted)
            action, arguments = rng.choice(sorted(wanted, key=str))
            state, expected = ours.apply(state, action, arguments), theirs.apply(expected, action, arguments)
            assert state is not None


@pytest.mark.parametrize("name", EXAMPLES)
def test_random_walks_through_examples(name: str) -> None:
    walk(EXAMPLES[name], 15, 1)


@pytest.mark.parametrize("make", [connectives, lambda: corridor(3)], ids=["connectives", "corridor"])
def test_random_walks_through_our_problems(make: Any) -> None:
    walk(make(), 30, 2)


RANDOM = [
    pytest.param(kind, seed, id=f"{kind}-{seed}")
    for kind in ("strips", "negative", "conditional", "adl")
    for seed in range(24)
    if "either" not in random_task(kind, seed).domain + random_task(kind, seed).problem
]


@pytest.mark.sweep
@pytest.mark.parametrize(("kind", "seed"), RANDOM)
def test_random_walks_through_random_tasks(kind: str, seed: int) -> None:
    walk(problem_of(random_task(kind, seed).parsed()), 8, seed)


@pytest.mark.sweep
@pytest.mark.parametrize(("kind", "seed"), RANDOM)
def test_random_tasks_are_solved_or_proved_unsolvable(kind: str, seed: int) -> None:
    text = random_task(kind, seed)
    problem = problem_of(text.parsed())
    reached = bp.Gbfs(heuristic=bp.Blind()).run(text.ground()).status
    result = Engine().solve(problem)
    if reached == "solved":
        assert_solved(problem, result)
    else:
        assert reached == "unsolvable"
        assert result.status == Outcome.UNSOLVABLE_PROVEN


def test_states_of_others_and_actions_of_others_are_refused() -> None:
    problem, other = corridor(2), connectives()
    with SequentialSimulator(problem, name=NAME) as simulator:
        state = simulator.get_initial_state()
        assert state == simulator.get_initial_state()
        assert hash(state) == hash(simulator.get_initial_state())
        with pytest.raises(UPUsageError, match="does not belong"):
            simulator.apply(state, other.action("flip_p"))
        with pytest.raises(UPUsageError, match="its own states"):
            simulator.is_goal(UPSequentialSimulator(problem).get_initial_state())
        move = problem.action("move")
        start, left, end = (problem.object(name) for name in ("start", "left0", "end"))
        assert simulator.apply(state, move, [start, end]) is None
        following = simulator.apply(state, move, [start, left])
        assert following is not None
        assert following != state


def test_an_unsolvable_problem_can_be_simulated() -> None:
    problem = corridor(2)
    problem.add_goal(False)
    walk(problem, 4, 3)


# ---- settings


def test_the_documented_settings_file_works(tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "unified-planning.md").read_text(encoding="utf-8")
    (settings,) = re.findall(r"^```ini\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    (tmp_path / "up.ini").write_text(settings + "[global]\nengine_preference_list: banditplan\n")
    factory = Environment().factory
    factory.configure_from_file(str(tmp_path / "up.ini"))
    assert NAME in factory.engines
    assert factory.preference_list == [NAME]


# ---- optional


def test_banditplan_does_not_import_unified_planning() -> None:
    code = (
        "import sys, banditplan as bp; bp.solve(*bp.example('crates')); "
        "assert not {'unified_planning', 'matplotlib', 'numpy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_missing_extra_is_named() -> None:
    code = "import sys; sys.modules['unified_planning'] = None; import banditplan.unified_planning"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "pip install 'banditplan[up]'" in done.stderr
