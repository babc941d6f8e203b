"""Relaxed plans that are followed: the same expansions as a slow reference, nothing is lost or claimed in vain, and
limits, traces and feeds are right.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from itertools import pairwise

import pytest
from heuristics.networks import KINDS, random_network
from random_tasks import FEATURES, random_task
from searches.reference_best_first import Greedy
from searches.reference_sentence import (
    RANDOM_TASKS,
    Alternation,
    Case,
    Lexicographic,
    Preferred,
    Queue,
    Tree,
    check,
    example,
    ground,
)
from searches.test_paths import CASES as OF_PATHS
from searches.test_paths import LANDMARKS, novelty
from searches.test_sentences import CASES as OF_STATES
from searches.test_trace import Trace, traced

import banditplan as bp
from banditplan import _core
from banditplan.components.spec import parse_search
from banditplan.errors import Source
from banditplan.explain.reading import read_trace
from banditplan.explain.view import view
from banditplan.plan import Step
from banditplan.validation import validate

CASES: dict[str, Case] = {
    **OF_STATES,
    **OF_PATHS,
    "a bilevel tree": (
        "tree(goalcount, ff, bandit=normal2, bilevel=True)",
        [bp.GoalCount(), bp.Ff()],
        lambda random: Tree(1, "normal2", preferred=False, random=random, ranks=0, bilevel=True),
    ),
    "the first search of agile": (
        "alternation([tree(novelty(landmarks, ff), ff, bandit=uniform, bilevel=True), preferred(greedy(ff)), "
        "greedy(novelty(landmarks, ff), landmarks, ff), preferred(greedy(landmarks))], boost=10)",
        [LANDMARKS, bp.Ff(), novelty(0, 1)],
        lambda random: Alternation(
            [
                Tree(1, "uniform", preferred=False, random=random, ranks=2, bilevel=True),
                Preferred(Queue(Greedy(), 1, random)),
                Lexicographic((2, 0, 1)),
                Preferred(Queue(Greedy(), 0, random)),
            ],
            boost=10,
        ),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_examples_are_expanded_as_by_the_reference(case: str) -> None:
    names = ("crates", "lights", "courier", "museum")
    followed = [check(example(name), CASES[case], 1, 30, follow=True) for name in names]
    assert sum(count > 0 for count in followed) > 2


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_random_tasks_are_expanded_as_by_the_reference(case: str) -> None:
    tasks = [(ground(kind, seed), seed) for kind in FEATURES for seed in RANDOM_TASKS[:20]]
    assert sum(check(task, CASES[case], seed, 30, follow=True) for task, seed in tasks) >= 5


@cache
def network(kind: str, seed: int) -> _core.Task:
    return random_network(kind, seed).ground()


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", CASES)
def test_networks_are_expanded_as_by_the_reference(case: str, kind: str) -> None:
    """Tasks that are deeper."""
    assert sum(check(network(kind, seed), CASES[case], seed, 20, follow=True) for seed in range(12)) >= 10


# ---- what is found, and what is proved

SENTENCES = [
    "greedy(ff)",
    "greedy(ff, ties='random')",
    "greedy(landmarks, ff)",
    "tree(ff, bandit=normal2)",
    "tree(ff, bandit=uniform, preferred=True), reopen='as-cheap'",
    "tree(goalcount, bandit=normal2), reopen='cheaper', cost='plan'",
    "tree(goalcount, ff, bandit=uniform, bilevel=True, collapse='depth')",
    "weighted(ff, weight=3), reopen='cheaper', goal='expanded'",
    "alternation([tree(novelty(landmarks, ff), ff, bandit=uniform, bilevel=True), preferred(greedy(ff)), "
    "greedy(novelty(landmarks, ff), landmarks, ff), preferred(greedy(landmarks))], boost=10)",
    "alternation([tree(ff, bandit=normal2), tree(goalcount)]), reopen='as-cheap'",
]


def proof(text: str) -> str:
    """How a search ends that has nothing left: a tree alone proves nothing if states take other paths."""
    return "exhausted" if text.startswith("tree(") and "reopen='cheaper'" in text else "unsolvable"


@pytest.mark.slow
@pytest.mark.parametrize("kind", FEATURES)
def test_nothing_is_lost(kind: str) -> None:
    statuses: Counter[str] = Counter()
    for seed in range(60):
        pddl = random_task(kind, seed)
        task = pddl.ground()
        expected = bp.Bfs().run(task).status
        for number in range(3):
            text = SENTENCES[(3 * seed + number) % len(SENTENCES)]
            result = parse_search(f"best_first({text}, follow=True)").run(task, seed=seed)
            assert result.status == (proof(text) if expected == "unsolvable" and task.solvable else expected)
            statuses[expected] += 1
            if result.status == "solved":
                steps = [Step(task.action(action).name, task.action(action).arguments) for action in result.plan]
                assert validate(pddl.parsed(), steps).valid
    assert min(statuses["solved"], statuses["unsolvable"]) > 10


@pytest.mark.parametrize("text", SENTENCES)
def test_examples_have_valid_plans(text: str) -> None:
    for name in ("crates", "museum", "warehouse", "courier", "plumbing"):
        result = bp.solve(example(name), search=f"best_first({text}, follow=True)", seed=2, max_evaluations=50_000)
        assert result.status == "evaluation-limit" or result.valid
    assert parse_search(f"best_first({text}, follow=True)").run(example("levers")).status == proof(text)


def test_a_relaxed_plan_that_is_a_plan_takes_one_expansion() -> None:
    domain = """(define (domain chain) (:predicates (p ?n) (next ?m ?n))
      (:action go :parameters (?m ?n) :precondition (and (p ?m) (next ?m ?n)) :effect (p ?n)))"""
    names = [f"n{i}" for i in range(40)]
    links = " ".join(f"(next {a} {b})" for a, b in pairwise(names))
    problem = f"""(define (problem long) (:domain chain) (:objects {" ".join(names)})
      (:init (p n0) {links}) (:goal (p n39)))"""
    result = parse_search("best_first(greedy(blind), follow=True)").run(bp.load(domain, problem))
    assert (result.status, len(result.plan), result.expansions, result.evaluations) == ("solved", 39, 1, 1)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("kind", FEATURES)
def test_races_are_right(kind: str, threads: int) -> None:
    follow = [parse_search(f"best_first({text}, follow=True)") for text in SENTENCES[3:6]]
    for seed in range(8):
        task = random_task(kind, seed).ground()
        assert _core.Race(follow, threads=threads).run(task, seed=seed).status == bp.Bfs().run(task).status


# ---- limits


@pytest.mark.parametrize("text", SENTENCES)
def test_evaluations_end_at_the_limit(text: str) -> None:
    search = parse_search(f"best_first({text}, follow=True)")
    task = example("museum")
    whole = search.run(task, seed=1)
    for limit in range(1, min(whole.inserted, 60)):
        result = search.run(task, seed=1, max_evaluations=limit)
        assert (result.status, result.inserted) in (("evaluation-limit", limit), ("solved", result.inserted))
        assert result.inserted <= limit


def test_heuristics_in_python_are_asked_once_per_state_and_not_beyond_the_limit() -> None:
    asked: Counter[_core.State] = Counter()

    def whimsical(states: bp.States) -> list[float]:
        """Some states are dead ends without being any, in the middle of relaxed plans, too."""
        asked.update(states[i] for i in range(len(states)))
        return [float("inf") if sum(state.values) % 7 == 3 else float(sum(state.values) % 5) for state in states]

    lists = [bp.GreedyList(whimsical, bp.Ff()), bp.TreeList(whimsical), bp.GreedyList(_core.Landmarks())]
    search = bp.BestFirst(bp.Alternation([*lists, bp.PreferredList(bp.GreedyList(bp.Ff()))], boost=5), follow=True)
    for name in ("warehouse", "museum", "crates"):
        for limit in (1, 5, 20, 300):
            asked.clear()
            result = search.run(example(name), seed=1, max_evaluations=limit)
            assert result.evaluations == len(asked) <= limit
            assert set(asked.values()) <= {1}


def test_lanes_and_looking_ahead_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for text in SENTENCES:
        found = []
        for kernel in ("scalar", "plain"):
            monkeypatch.setenv("BANDITPLAN_KERNEL", kernel)
            result = parse_search(f"best_first({text}, follow=True)").run(example("warehouse"), max_evaluations=3000)
            found.append((result.status, result.plan, result.evaluations, result.expansions, result.history))
        assert found[0] == found[1], text


# ---- who looks on

WITH_TREES = [text for text in SENTENCES if "tree" in text]


def facts_of(trace: Trace) -> dict[int, set[str]]:
    """What is true at the nodes, as the trace says."""
    assert trace.states is not None
    names = trace.states["names"]
    facts = {0: {names[str(fact)] for fact in trace.states["initial"]}}
    for node in trace.nodes[1:]:
        true, false = trace.states["nodes"][str(node["node"])]
        before = facts[node["parent"]]
        facts[node["node"]] = before - {names[str(fact)] for fact in false} | {names[str(fact)] for fact in true}
    return facts


@pytest.mark.parametrize("name", ["museum", "warehouse", "courier"])
@pytest.mark.parametrize("text", [*WITH_TREES, "greedy(ff)", "greedy(landmarks, ff)"])
def test_traces_tell_the_states(text: str, name: str) -> None:
    task = example(name)
    search = f"best_first({text}, follow=True)"
    result, trace = traced(task, search=search, max_evaluations=2000, seed=3, shorten=False)
    facts = facts_of(trace)
    known: dict[int, set[str]] = {}
    for node in trace.nodes:
        assert known.setdefault(node["state"], facts[node["node"]]) == facts[node["node"]]
    actions = {f"({action.name} {' '.join(action.arguments)})".replace(" )", ")"): action for action in task.actions}
    times = Counter(node["state"] for node in trace.nodes)  # a state leaves a node behind when it moves
    states = {0: task.initial_state}
    for node in trace.nodes[1:]:
        if not node["followed"] and node["parent"] in states and times[node["state"]] == 1:
            states[node["node"]] = task.apply(states[node["parent"]], actions[trace.names[str(node["action"])]])
            assert set(states[node["node"]].facts) == facts[node["node"]]
    if result.solved:
        state = task.initial_state
        assert len(trace.end["nodes"]) > 0
        for action, node in zip(trace.end["plan"], trace.end["nodes"], strict=False):  # the last ones have no nodes
            assert facts[node] == set(state.facts)
            state = task.apply(state, task.action(action))


def test_the_report_shows_where_plans_were_followed() -> None:
    texts: list[str] = []
    search = "best_first(tree(landmarks, ff, bandit=normal2), follow=True)"
    assert bp.solve(*bp.example("warehouse"), search=search, trace=texts.append).valid
    trace = read_trace(Source("trace.jsonl", texts[0]))
    followed = [node["node"] for node in trace.nodes if node["followed"]]
    shown = view(trace)
    dotted = [
        node
        for node, action in zip(shown["nodes"]["node"], shown["nodes"]["action"], strict=True)
        if action >= 0 and shown["names"][action].startswith("… (")
    ]
    assert dotted == followed != []
    assert not any(shown["names"][action].startswith("…") for action in shown["plan"]["actions"])
    json.dumps(shown)


@pytest.mark.parametrize("text", SENTENCES)
def test_a_feed_tells_steps_that_can_be_made(text: str) -> None:
    task = example("museum")
    feed = _core.LiveFeed(100_000)
    result = parse_search(f"best_first({text}, follow=True)").run(task, seed=3, max_evaluations=500, feed=feed)
    feed.close()
    states: dict[int, _core.State] = {}
    for parent, state, action, h in feed.take(0) or ():
        if state < 0 or state in states:
            continue
        before = states.get(parent)
        if before is None:
            assert parent < 0
        else:
            assert action in [each.id for each in task.applicable(before)]
        states[state] = task.initial_state if before is None else task.apply(before, task.action(action))
        assert h is not None
    assert len(states) == result.evaluations - result.dead_ends > 1
    assert len(set(states.values())) == len(states)
