"""Split tasks against brute force: the same actions, one chain each, and the same plans up to the mapping."""

from __future__ import annotations

from functools import cache
from heapq import heappop, heappush
from itertools import count

import pytest
from behaviour import Transition, check_same_behaviour
from random_tasks import FEATURES, UNLIMITED, PddlText, random_task
from reference import Reference

import banditplan as bp
from banditplan import _core
from banditplan.grounding import ground
from banditplan.journal import Journal
from banditplan.normalize.normalize import normalize
from banditplan.pipeline import improve
from banditplan.settings import settings
from banditplan.split.chain import NEXT, idle
from banditplan.split.split import Split, split, whole_actions
from banditplan.task_input import Input
from banditplan.validation import validate

SEEDS = range(36)
IDLE = f"({NEXT} {idle().arguments[0]})"


@cache
def split_task(pddl: PddlText) -> tuple[Split, _core.Task]:
    parts = split(normalize(pddl.parsed()), "always")
    return parts, ground(parts.task, UNLIMITED, prune_mutex=True)


def whole_transitions(parts: Split, task: _core.Task, state: _core.State) -> list[Transition]:
    """From a state in which no chain is under way to the next ones, along all chains."""
    found: list[Transition] = []
    open_chains: list[tuple[tuple[_core.GroundAction, ...], _core.State]] = [((), state)]
    while open_chains:
        steps, here = open_chains.pop()
        for action in task.applicable(here):
            after = task.apply(here, action)
            chain = (*steps, action)
            if IDLE in task.facts and IDLE not in after.facts:
                assert not task.is_goal(after)
                open_chains.append((chain, after))
            else:
                (step,) = whole_actions(parts.chains, chain)
                found.append((str(step), sum(each.cost for each in chain), after))
    return found


def check(pddl: PddlText) -> Split:
    """The split task behaves as the task; returns it."""
    parts, task = split_task(pddl)
    reference = Reference(pddl.parsed())
    if task.solvable:
        check_same_behaviour(task, reference, lambda task, state: whole_transitions(parts, task, state))
    else:
        assert not any(map(reference.is_goal, reference.explore(400).transitions))
    return parts


@pytest.mark.sweep
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", FEATURES)
def test_chains_do_what_the_actions_do(kind: str, seed: int) -> None:
    check(random_task(kind, seed))


@pytest.mark.sweep
@pytest.mark.parametrize("kind", FEATURES)
def test_many_of_the_random_actions_are_split(kind: str) -> None:
    assert sum(bool(split_task(random_task(kind, seed))[0].chains) for seed in SEEDS) > len(SEEDS) // 2


# ---- what each of the rules is for


def small_task(predicates: str, action: str, init: str, goal: str, more: str = "") -> PddlText:
    return PddlText(
        f"(define (domain small) (:requirements :adl :derived-predicates :action-costs)"
        f" (:predicates {predicates}) (:functions (price ?x) (total-cost)) {more} (:action act {action}))",
        f"(define (problem small-1) (:domain small) (:objects a b c) (:init {init}) (:goal {goal})"
        " (:metric minimize (total-cost)))",
    )


CASES = {
    # If ?x and ?y are the same, the atom is added, in whatever order they are written.
    "add wins over delete": small_task(
        "(p ?x) (q ?x)",
        ":parameters (?x ?y) :precondition (and (p ?x) (q ?y)) :effect (and (p ?y) (not (p ?x)))",
        "(p a) (q a) (q b)",
        "(p b)",
    ),
    "conditions before effects": small_task(
        "(p ?x) (q ?x)",
        ":parameters (?x ?y ?z) :precondition (and (p ?x) (not (p ?y)) (q ?z)) :effect (and (p ?y) (not (q ?z)))",
        "(p a) (q b) (q c)",
        "(and (p b) (p c))",
    ),
    "effects that swap": small_task(
        "(p ?x) (q ?x) (r ?x)",
        ":parameters (?x ?y) :precondition (r ?y)"
        " :effect (and (when (p ?x) (and (q ?x) (not (p ?x)))) (when (q ?x) (and (p ?x) (not (q ?x)))) (not (r ?y)))",
        "(p a) (q b) (r a) (r b) (r c)",
        "(and (q a) (p b))",
    ),
    "the same object twice": small_task(
        "(p ?x) (q ?x) (r ?x ?y)",
        ":parameters (?x ?y) :precondition (and (p ?x) (q ?y)) :effect (r ?x ?y)",
        "(p a) (p b) (q a) (q c)",
        "(and (r a a) (r b c))",
    ),
    "a goal on the way": small_task(
        "(p ?x) (q ?x) (r ?x)",
        ":parameters (?x ?y ?z) :precondition (and (p ?x) (q ?y) (not (= ?y ?z))) :effect (and (r ?x) (not (q ?z)))",
        "(p a) (p b) (q a) (q b)",
        "(and (r a) (or (q a) (q b)))",
    ),
    "derived conditions": small_task(
        "(p ?x) (q ?x) (d ?x)",
        ":parameters (?x ?y) :precondition (and (d ?x) (not (d ?y))) :effect (and (p ?y) (not (q ?x)))",
        "(p a) (q a) (q b) (q c)",
        "(and (d b) (not (d a)))",
        more="(:derived (d ?x) (and (p ?x) (q ?x)))",
    ),
    "a parameter that nothing reads": small_task(
        "(p ?x)", ":parameters (?x ?y) :precondition (p ?x) :effect (not (p ?x))", "(p a)", "(not (p a))"
    ),
    "effects on all objects": small_task(
        "(p ?x) (q ?x) (r ?x ?y)",
        ":parameters (?x ?y) :precondition (and (p ?x) (q ?y))"
        " :effect (and (forall (?z) (when (r ?x ?z) (p ?z))) (forall (?z) (when (p ?z) (not (r ?y ?z)))))",
        "(p a) (q b) (r a b) (r a c) (r b a)",
        "(and (p b) (p c))",
    ),
    "costs of several parts": small_task(
        "(p ?x) (q ?x)",
        ":parameters (?x ?y) :precondition (and (p ?x) (q ?y))"
        " :effect (and (not (p ?x)) (not (q ?y)) (increase (total-cost) 3)"
        " (increase (total-cost) (price ?x)) (increase (total-cost) (price ?y)))",
        "(p a) (q b) (= (price a) 5) (= (price b) 7) (= (price c) 11)",
        "(not (p a))",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_special_cases(name: str) -> None:
    assert check(CASES[name]).chains


def test_an_action_whose_cost_is_not_given_for_all_objects_stays_whole() -> None:
    """A step might have an instance without a cost where the action has none."""
    pddl = CASES["costs of several parts"]
    assert not check(PddlText(pddl.domain, pddl.problem.replace("(= (price c) 11)", ""))).chains


# ---- plans


def cheapest(reference: Reference, most: int = 400) -> int | None:
    """The cost of an optimal plan, by brute force; None if there is none."""
    space = reference.explore(most)
    assert space.complete
    order = count()
    queue = [(0, next(order), reference.init)]
    done = set()
    while queue:
        cost, _, state = heappop(queue)
        if state in done:
            continue
        if reference.is_goal(state):
            return cost
        done.add(state)
        for instance, after in space.transitions[state]:
            heappush(queue, (cost + reference.cost(instance), next(order), after))
    return None


def small_random_tasks() -> list[tuple[str, int]]:
    names = [(kind, seed) for kind in FEATURES for seed in range(12)]
    return [name for name in names if Reference(random_task(*name).parsed()).explore(150).complete]


@pytest.mark.sweep
@pytest.mark.parametrize(("kind", "seed"), small_random_tasks())
def test_the_best_plan_is_as_good_as_without_chains(kind: str, seed: int) -> None:
    pddl = random_task(kind, seed)
    parsed = pddl.parsed()
    given = Input("random", "random", lambda check: parsed)
    results = list(improve(given, Journal(settings(split="always", shorten=True))))
    best = cheapest(Reference(parsed))
    assert results[-1].plan_cost == best
    assert results[-1].end == ("unsolvable" if best is None else "optimal")
    for result in results[:-1]:
        assert result.plan is not None
        verdict = validate(parsed, result.plan)
        assert (verdict.valid, verdict.cost) == (True, result.plan_cost)


def test_shortening_takes_out_whole_chains() -> None:
    domain, problem = bp.example("crates")
    long, short = (bp.solve(domain, problem, split="always", shorten=shorten) for shorten in (False, True))
    assert long.valid
    assert short.valid
    assert len(short.plan or ()) < len(long.plan or ())


# ---- the ground task


def test_what_ties_a_chain_together_is_one_variable_each() -> None:
    parts, task = split_task(CASES["conditions before effects"])
    (chain,) = parts.chains
    begin, variables = 0, []
    for size in task.domain_sizes:
        variables.append({fact[1:].split()[0] for fact in task.facts[begin : begin + size]})
        begin += size
    for predicate in (NEXT, *chain.choices):
        assert variables.count({predicate}) == 1, predicate


@pytest.mark.slow
def test_auto_leaves_narrow_tasks_as_they_are() -> None:
    for kind in FEATURES:
        for seed in range(6):
            task = normalize(random_task(kind, seed).parsed())
            assert split(task, "auto").task is task
            assert split(task, "never").task is task
