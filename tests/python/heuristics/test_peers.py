"""The heuristics beside pyperplan on states from random walks, over shared STRIPS domains.

hmax, hadd and the number of open goals must agree exactly. hFF depends on ties, which pyperplan breaks by the order of
its hash tables: here it is compared with the definition, computed slowly on pyperplan's own ground operators.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from random import Random

import pytest
from heuristics.relaxed import Way, random_walks, reachable, relaxed_plan

import banditplan as bp
from banditplan import _core
from banditplan.domain_file import find_domain

# Small enough to be ground by pyperplan, which tries all objects for all parameters.
INSTANCES = [
    ("airport", "p14-airport3-p3"),
    ("barman-opt14-strips", "p435-1"),
    ("blocks", "probBLOCKS-7-0"),
    ("depot", "p02"),
    ("driverlog", "p06"),
    ("freecell", "p01"),
    ("grid", "prob01"),
    ("gripper", "prob06"),
    ("logistics00", "probLOGISTICS-6-1"),
    ("logistics98", "prob31"),
    ("miconic", "s8-4"),
    ("movie", "prob08"),
    ("mystery", "prob01"),
    ("openstacks-strips", "p01"),
    ("pipesworld-notankage", "p01-net1-b6-g2"),
    ("pipesworld-tankage", "p11-net2-b10-g2-t30"),
    ("psr-small", "p15-s24-n2-l4-f10"),
    ("rovers", "p12"),
    ("tpp", "p08"),
    ("trucks-strips", "p01"),
    ("visitall-opt14-strips", "p-1-7"),
    ("zenotravel", "p06"),
]
STATES = 100  # of each instance
SLOW_STATES = 12  # of these, so many for the slow definition


def benchmarks() -> Path:
    folder = os.environ.get("BANDITPLAN_BENCHMARKS")
    if not folder:
        pytest.skip("BANDITPLAN_BENCHMARKS does not name a checkout of downward-benchmarks")
    return Path(folder)


class Pair:
    """An instance as both planners see it, with states from random walks."""

    def __init__(self, folder: str, name: str) -> None:
        pytest.importorskip("pyperplan", reason="pyperplan 2.1 is not installed")
        from pyperplan.planner import _ground, _parse

        problem = str(benchmarks() / folder / f"{name}.pddl")
        domain = find_domain(problem)
        self.ours = bp.load(domain, problem, prune_mutex=False)
        self.theirs = _ground(_parse(domain, problem))
        self.states = random_walks(self.ours, STATES, Random(f"{folder}/{name}"))
        ours = set(self.ours.facts)
        # What is no fact here never changes, or nobody reads it.
        self.constant = {fact for fact in self.theirs.initial_state if fact not in ours}

    def their_state(self, state: _core.State) -> frozenset[str]:
        return frozenset((set(state.facts) | self.constant) & set(self.theirs.facts))

    def their_values(self, heuristic: str) -> list[float]:
        from pyperplan.heuristics import relaxation
        from pyperplan.search.searchspace import make_root_node

        evaluate = getattr(relaxation, heuristic)(self.theirs)
        return [evaluate(make_root_node(self.their_state(state))) for state in self.states]

    def ways(self) -> list[Way]:
        """Their operators under our ids."""
        ids = {repr(action): action.id for action in self.ours.actions}
        operators = {operator.name: operator for operator in self.theirs.operators}
        ways = [Way(ids[n], 1, o.preconditions, o.add_effects) for n, o in operators.items() if n in ids]
        unknown = [Way(0, 1, o.preconditions, frozenset({n})) for n, o in operators.items() if n not in ids]
        assert not reachable(ways + unknown, self.their_state(self.ours.initial_state)) & {
            fact for way in unknown for fact in way.gives
        }
        return ways


@cache
def pair(folder: str, name: str) -> Pair:
    return Pair(folder, name)


every_instance = pytest.mark.parametrize(("folder", "name"), INSTANCES, ids=[folder for folder, _ in INSTANCES])


def test_enough_is_compared() -> None:
    assert len(INSTANCES) >= 12
    assert len({pair(*instance).theirs.name for instance in INSTANCES}) == len(INSTANCES)
    assert sum(len(pair(*instance).states) for instance in INSTANCES) >= 2000
    assert sum(len(set(pair(*instance).states)) for instance in INSTANCES) >= 1000


@every_instance
def test_hmax(folder: str, name: str) -> None:
    both = pair(folder, name)
    assert _core.HMax().bind(both.ours).evaluate(both.states) == both.their_values("hMaxHeuristic")


@every_instance
def test_hadd(folder: str, name: str) -> None:
    both = pair(folder, name)
    assert _core.HAdd().bind(both.ours).evaluate(both.states) == both.their_values("hAddHeuristic")


@every_instance
def test_goal_count(folder: str, name: str) -> None:
    both = pair(folder, name)
    expected = [len(both.theirs.goals - both.their_state(state)) for state in both.states]
    assert _core.GoalCount().bind(both.ours).evaluate(both.states) == expected


@every_instance
def test_ff_lies_between(folder: str, name: str) -> None:
    both = pair(folder, name)
    hmax, hff, hadd = (each.bind(both.ours).evaluate(both.states) for each in (_core.HMax(), bp.Ff(), _core.HAdd()))
    for state, least, h, most in zip(both.states, hmax, hff, hadd, strict=True):
        assert least <= h <= most
        assert (h == 0) == both.ours.is_goal(state)


@every_instance
def test_ff_is_what_it_is_defined_to_be(folder: str, name: str) -> None:
    """The value, the preferred operators, and that the relaxed plan reaches the goal."""
    both = pair(folder, name)
    ways = both.ways()
    states = both.states[:: len(both.states) // SLOW_STATES]
    evaluator = bp.Ff().bind(both.ours)
    for state, h, preferred in zip(states, evaluator.evaluate(states), evaluator.preferred(states), strict=True):
        true = both.their_state(state)
        plan = relaxed_plan(ways, true, both.theirs.goals)
        if plan is None:
            assert h == float("inf")
            assert preferred == []
            continue
        assert both.theirs.goals <= reachable(ways, true, plan)
        assert h == len(plan)
        applicable = {action.id for action in both.ours.applicable(state)}
        assert [action.id for action in preferred] == sorted(plan & applicable)
