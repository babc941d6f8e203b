"""All kernels agree on every state, however states are put together into batches."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from math import inf
from random import Random

import pytest
from heuristics.networks import KINDS, random_network
from heuristics.relaxed import SATURATED, random_walks
from random_tasks import FEATURES, PddlText, random_task

import banditplan as bp
from banditplan import _core, examples
from banditplan.cli.main import main
from banditplan.errors import InputError

VARIABLE = "BANDITPLAN_KERNEL"
SCALAR = "scalar"
KERNELS = (SCALAR, "plain", "avx2", "avx512")
BATCHES = (1, 2, 31, 32, 33, 100)
RECIPES = (bp.Ff(), bp.Ff(preferred="helpful"), _core.HAdd(), _core.HMax())
Answers = list[tuple[float, list[int]]]  # per state: h, and the ids of the preferred actions


@contextmanager
def forced(kernel: str | None) -> Iterator[None]:
    before = os.environ.pop(VARIABLE, None)
    if kernel is not None:
        os.environ[VARIABLE] = kernel
    try:
        yield
    finally:
        os.environ.pop(VARIABLE, None)
        if before is not None:
            os.environ[VARIABLE] = before


def bind(recipe: _core.Heuristic, task: _core.Task, kernel: str | None) -> _core.Evaluator:
    """The heuristic with that kernel; None leaves the choice to the heuristic."""
    with forced(kernel):
        return recipe.bind(task)


@cache
def kernels() -> list[str]:
    """Those that this machine can run."""
    task = bp.load(*bp.example("crates"))
    found = []
    for kernel in KERNELS:
        try:
            bind(bp.Ff(), task, kernel)
            found.append(kernel)
        except InputError:
            assert kernel not in (SCALAR, "plain")
    return found


def answers(evaluator: _core.Evaluator, states: list[_core.State], batch: int) -> Answers:
    result: Answers = []
    for begin in range(0, len(states), batch):
        part = states[begin : begin + batch]
        preferred = [[action.id for action in actions] for actions in evaluator.preferred(part)]
        result += zip(evaluator.evaluate(part), preferred, strict=True)
    return result


def check_kernels(task: _core.Task, states: list[_core.State]) -> Answers:
    """All kernels, recipes and sizes of batches; returns the answers of the default heuristic."""
    for recipe in RECIPES:
        expected = answers(bind(recipe, task, SCALAR), states, 1)
        for kernel in (*kernels(), None):
            evaluator = bind(recipe, task, kernel)
            for batch in BATCHES:
                assert answers(evaluator, states, batch) == expected, (recipe, kernel, batch)
    return answers(bind(RECIPES[0], task, SCALAR), states, len(states))


def test_an_unknown_kernel_is_refused(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(bp.InputError, match=r"BANDITPLAN_KERNEL=abacus: .* scalar, plain, avx2, avx512"):
        bind(bp.Ff(), bp.load(*bp.example("crates")), "abacus")
    with forced("abacus"):
        assert main(["solve", "--example", "crates"]) == 31
    assert "error: BANDITPLAN_KERNEL=abacus: " in capfd.readouterr().err


@pytest.mark.sweep
@pytest.mark.parametrize("name", sorted(examples.names()))
def test_bundled_examples(name: str) -> None:
    task = bp.load(*bp.example(name))
    if task.solvable:
        check_kernels(task, random_walks(task, 100, Random(name)))


@pytest.mark.sweep
@pytest.mark.parametrize("kind", FEATURES)
def test_random_tasks(kind: str) -> None:
    for seed in range(500, 525):
        task = random_task(kind, seed).ground(prune_mutex=seed % 2 == 0)
        if task.solvable:
            check_kernels(task, random_walks(task, 40, Random(seed), length=12))


@pytest.mark.sweep
@pytest.mark.parametrize("kind", KINDS)
def test_random_networks(kind: str) -> None:
    found: Answers = []
    for seed in range(12):
        for size in (12, 40):
            task = random_network(kind, seed, size).ground(prune_mutex=False)
            if task.solvable:
                found += check_kernels(task, random_walks(task, 100, Random(seed), length=12))
    assert {0, 1, 2, 3, 4, 5, 6, inf} <= {h for h, _ in found}  # dead ends among them
    assert sum(len(preferred) > 1 for _, preferred in found) > 100


@pytest.mark.sweep
@pytest.mark.parametrize("recipe", RECIPES, ids=repr)
def test_a_value_depends_on_its_state_alone(recipe: _core.Heuristic) -> None:
    """Not on the order of the states, nor on the others in the batch, nor on what was evaluated before."""
    random = Random(7)
    for name in ("warehouse", "museum", "garden"):
        task = bp.load(*bp.example(name))
        states = random_walks(task, 150, random)
        for kernel in (*kernels(), None):
            expected = {state: answers(bind(recipe, task, kernel), [state], 1)[0] for state in states}
            evaluator = bind(recipe, task, kernel)
            for _ in range(12):
                some = random.choices(states, k=random.choice(BATCHES))
                assert answers(evaluator, some, random.choice(BATCHES)) == [expected[state] for state in some]


def test_the_automatic_choice_changes_nothing() -> None:
    """Often enough for every kernel to get its turns."""
    task = bp.load(*bp.example("warehouse"))
    random = Random(8)
    states = random_walks(task, 400, random)
    expected = dict(zip(states, bind(bp.Ff(), task, SCALAR).evaluate(states), strict=True))
    evaluator = bind(bp.Ff(), task, None)
    for _ in range(500):
        some = random.choices(states, k=random.choice((1, 1, 2, 5, 20, 40)))
        assert evaluator.evaluate(some) == [expected[state] for state in some]


@pytest.mark.parametrize("name", sorted(examples.names()))
def test_searches_do_not_depend_on_the_kernel(name: str) -> None:
    task = bp.load(*bp.example(name))
    found = set()
    for kernel in (*kernels(), None):
        with forced(kernel):
            result = bp.Gbfs().run(task, max_evaluations=1500)
        found.add((result.status, tuple(result.plan), result.evaluations, result.expansions, result.dead_ends))
    assert len(found) == 1


# ---- numbers that do not fit


def doubling(depth: int) -> PddlText:
    """By hadd, a fact of layer i costs 2^i - 1: both facts of the layer before are needed.

    `burn` ends it all: nothing beyond the layers that have been reached can be reached any more.
    """
    predicates = " ".join(f"(p{i}) (q{i})" for i in range(depth + 1))
    actions = " ".join(
        f"(:action {name}{i} :precondition (and (p{i - 1}) (q{i - 1})) :effect ({name}{i}))"
        for i in range(1, depth + 1)
        for name in "pq"
    )
    burns = " ".join(f"(not ({name}{i}))" for i in range(depth) for name in "pq")
    domain = (
        f"(define (domain doubling) (:requirements :adl) (:predicates {predicates} (burnt))"
        f"{actions} (:action burn :precondition (p2) :effect (and (burnt) {burns})))"
    )
    goal = f"(and (p{depth}) (q{depth}))"
    return PddlText(domain, f"(define (problem doubling-1) (:domain doubling) (:init (p0) (q0)) (:goal {goal}))")


def climb(task: _core.Task, depth: int) -> list[_core.State]:
    """The states on the way up, and each one burnt."""
    by_name = {action.name: action for action in task.actions}
    states = [task.initial_state]
    for i in range(1, depth + 1):
        for name in "pq":
            states.append(task.apply(states[-1], by_name[f"{name}{i}"]))
    return states + [task.apply(state, by_name["burn"]) for state in states[4:-1]]


@pytest.mark.parametrize("depth", [13, 14, 15, 16, 17, 29, 30, 31, 70])
def test_costs_beyond_16_and_30_bits(depth: int) -> None:
    task = doubling(depth).ground()
    states = climb(task, depth)
    check_kernels(task, states)
    Random(depth).shuffle(states)
    check_kernels(task, states)  # cheap, dear and dead states side by side
    for kernel in kernels():
        start = [task.initial_state]
        assert bind(_core.HMax(), task, kernel).evaluate(start) == [depth]
        assert bind(bp.Ff(), task, kernel).evaluate(start) == [2 * depth]
        assert bind(_core.HAdd(), task, kernel).evaluate(start) == [min(2 * (2**depth - 1), SATURATED)]
        dead = [state for state in states if "(burnt)" in state.facts]
        for recipe in RECIPES:
            values = bind(recipe, task, kernel).evaluate(dead)
            assert all((h == inf) == (f"(p{depth})" not in state.facts) for h, state in zip(values, dead, strict=True))


@pytest.mark.parametrize("price", [2**30 - 2, 2**30, 2**31 - 1])
@pytest.mark.parametrize("cost", ["plan", "plusone"])
def test_prices_beyond_30_bits(cost: str, price: int) -> None:
    """Sums saturate; what can be reached is no dead end."""
    buy = f"(increase (total-cost) {price})"
    pddl = PddlText(
        "(define (domain dear) (:requirements :adl :action-costs) (:predicates (p) (g)) (:functions (total-cost))"
        f"(:action p :effect (and (p) {buy})) (:action g :precondition (p) :effect (and (g) {buy})))",
        "(define (problem d) (:domain dear) (:init) (:goal (and (p) (g))) (:metric minimize (total-cost)))",
    )
    task = pddl.ground()
    for recipe in (bp.Ff(cost=cost), _core.HAdd(cost=cost), _core.HMax(cost=cost)):
        assert recipe.bind(task).evaluate([task.initial_state]) == [SATURATED]


@pytest.mark.slow
def test_plans_of_more_than_65535_actions() -> None:
    number = 66_000
    objects = " ".join(f"o{i}" for i in range(number))
    goal = " ".join(f"(p o{i})" for i in range(number))
    pddl = PddlText(
        "(define (domain many) (:predicates (p ?x)) (:action make :parameters (?x) :effect (p ?x)))",
        f"(define (problem many-1) (:domain many) (:objects {objects}) (:init) (:goal (and {goal})))",
    )
    task = pddl.ground()
    for kernel in kernels():
        evaluator = bind(bp.Ff(), task, kernel)
        assert evaluator.evaluate([task.initial_state] * 2) == [number] * 2
        assert len(evaluator.preferred([task.initial_state])[0]) == number


# ---- corners


def small(actions: str, init: str, goal: str, predicates: str = "(p) (q) (r) (g)", rules: str = "") -> _core.Task:
    return PddlText(
        f"(define (domain small) (:requirements :adl :derived-predicates :action-costs) (:predicates {predicates})"
        f"(:functions (total-cost)) {rules} {actions})",
        f"(define (problem s) (:domain small) (:init {init}) (:goal {goal}) (:metric minimize (total-cost)))",
    ).ground(prune_mutex=False)


def preferred_names(recipe: _core.Heuristic, task: _core.Task, kernel: str) -> list[str]:
    return [action.name for action in bind(recipe, task, kernel).preferred([task.initial_state])[0]]


@pytest.mark.parametrize("preferred", ["relaxed-plan", "helpful"])
def test_an_action_without_preconditions_is_preferred(preferred: str) -> None:
    task = small("(:action a :effect (p)) (:action b :precondition (p) :effect (g))", "", "(g)")
    for kernel in kernels():
        assert preferred_names(bp.Ff(preferred=preferred), task, kernel) == ["a"]


def test_the_two_readings_of_preferred() -> None:
    """Two ways to (p): the relaxed plan takes the first, both are helpful; what gives the unneeded (r) is not."""
    actions = """(:action one :effect (p)) (:action two :precondition (q) :effect (and (p) (not (q))))
      (:action other :precondition (q) :effect (r)) (:action g :precondition (p) :effect (g))"""
    task = small(actions, "(q)", "(g)")
    for kernel in kernels():
        assert preferred_names(bp.Ff(), task, kernel) == ["one"]
        assert preferred_names(bp.Ff(preferred="helpful"), task, kernel) == ["one", "two"]


@pytest.mark.parametrize("goal", ["(and)", "(q)"])
def test_no_goal_and_a_goal_that_holds(goal: str) -> None:
    task = small("(:action a :effect (p)) (:action b :precondition (p) :effect (not (q)))", "(q)", goal)
    states = random_walks(task, 40, Random(1))
    assert check_kernels(task, states)[0] == (0, [])
    for kernel in kernels():
        for recipe in (*RECIPES, _core.GoalCount(), _core.Blind()):
            assert bind(recipe, task, kernel).evaluate([task.initial_state]) == [0]


def test_a_task_that_grounding_proved_unsolvable() -> None:
    task = small("(:action a :effect (p))", "", "(g)")
    assert not task.solvable
    for recipe in RECIPES:
        assert recipe.bind(task).evaluate([task.initial_state]) == [inf]


@pytest.mark.parametrize("preferred", ["relaxed-plan", "helpful"])
def test_free_actions_in_a_circle(preferred: str) -> None:
    free, dear = "(increase (total-cost) 0)", "(increase (total-cost) 3)"
    actions = f"""(:action pq :precondition (p) :effect (and (q) {free}))
      (:action qp :precondition (q) :effect (and (p) {free}))
      (:action rp :precondition (r) :effect (and (p) {dear})) (:action r :effect (and (r) {free}))
      (:action g :precondition (and (p) (q)) :effect (and (g) {dear}))"""
    task = small(actions, "", "(g)")
    evaluator = bp.Ff(cost="plan", preferred=preferred).bind(task)
    assert evaluator.evaluate([task.initial_state]) == [6]
    assert [action.name for action in evaluator.preferred([task.initial_state])[0]] == ["r"]
    assert _core.HAdd(cost="plan").bind(task).evaluate([task.initial_state]) == [9]
    assert _core.HMax(cost="plan").bind(task).evaluate([task.initial_state]) == [6]
    assert bp.Ff(cost="plusone").bind(task).evaluate([task.initial_state]) == [1 + 4 + 1 + 4]


def test_what_holds_needs_no_action() -> None:
    """Not even one that costs nothing and needs nothing."""
    actions = """(:action p :effect (and (p) (increase (total-cost) 0)))
      (:action q :precondition (p) :effect (and (q) (not (p)) (increase (total-cost) 2)))
      (:action g :precondition (q) :effect (and (g) (increase (total-cost) 2)))"""
    for init, expected in (("(p)", "q"), ("", "p")):
        task = small(actions, init, "(g)")
        for preferred in ("relaxed-plan", "helpful"):
            evaluator = bp.Ff(cost="plan", preferred=preferred).bind(task)
            assert evaluator.evaluate([task.initial_state]) == [4]
            assert [action.name for action in evaluator.preferred([task.initial_state])[0]] == [expected]


def test_axioms_in_a_circle() -> None:
    """Two derived predicates that support each other are supported by neither of them."""
    rules = "(:derived (d) (e)) (:derived (e) (d)) (:derived (d) (q))"
    actions = (
        "(:action p :effect (p)) (:action q :precondition (p) :effect (q)) (:action g :precondition (e) :effect (g))"
    )
    task = small(actions, "", "(and (g) (e))", "(p) (q) (d) (e) (g)", rules)
    for kernel in kernels():
        assert bind(bp.Ff(), task, kernel).evaluate([task.initial_state]) == [3]
        assert bind(_core.HAdd(), task, kernel).evaluate([task.initial_state]) == [5]
        assert bind(_core.HMax(), task, kernel).evaluate([task.initial_state]) == [3]
        assert preferred_names(bp.Ff(), task, kernel) == ["p"]
