"""The trace of a tree search: lines of JSON, bounded, and no part of the search."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from bandit_formulas import scores
from puzzles import endless_search, write

import banditplan as bp
from banditplan import _core
from banditplan.cli.main import main
from banditplan.components import components
from banditplan.components.spec import parse_search

MOST = {"step": 1000, "path": 250, "node": 5000}
FIRST_CHOICES, LAST_CHOICES, MOST_ARMS = 8, 4, 16
BANDITS = components(_core.Bandit)
DOCS = Path(__file__).parents[3] / "docs" / "trace.md"

Line = dict[str, Any]


@dataclass(frozen=True)
class Trace:
    """The lines by their kinds."""

    header: Line
    steps: list[Line]
    paths: list[Line]
    nodes: list[Line]
    names: dict[str, str]
    states: Line | None
    landmarks: Line | None
    end: Line

    @property
    def choices(self) -> list[Line]:
        return [choice for path in self.paths for choice in path["choices"]]


def read(text: str) -> Trace:
    assert text.endswith("\n")
    lines = [json.loads(line) for line in text.splitlines()]
    kinds = [line["kind"] for line in lines]
    order = ["header", "step", "path", "node", "actions", "states", "landmarks", "end"]
    assert kinds == sorted(kinds, key=order.index)
    assert [kinds.count(kind) for kind in ("header", "actions", "end")] == [1, 1, 1]
    of = {kind: [line for line in lines if line["kind"] == kind] for kind in order}
    states, landmarks = (of[kind][0] if of[kind] else None for kind in ("states", "landmarks"))
    names = of["actions"][0]["names"]
    return Trace(of["header"][0], of["step"], of["path"], of["node"], names, states, landmarks, of["end"][0])


def traced(*files: Any, **options: Any) -> tuple[bp.Result, Trace]:
    texts: list[str] = []
    result = bp.solve(*files, trace=texts.append, **options)
    assert len(texts) == 1
    return result, read(texts[0])


@pytest.mark.parametrize("search", ["guct-normal2", "guct*(c=0.5)", "ttts-normal(deferred=True, preferred=True)"])
def test_a_trace_changes_nothing_and_tells_the_choices(search: str) -> None:
    files = bp.example("warehouse")
    limits: dict[str, Any] = {"search": search, "max_evaluations": 1000, "seed": 3}
    result, trace = traced(*files, **limits)
    plain = bp.solve(*files, **limits)
    assert (plain.plan, plain.evaluations, plain.generated) == (result.plan, result.evaluations, result.generated)
    assert trace.header == {
        "kind": "header",
        "format": 3,
        "version": result.version,
        "search": result.search,
        "algorithm": result.algorithm,
        "seed": 3,
        "domain": result.domain,
        "problem": result.problem,
        "initial_h": result.initial_h,
        "reasons": [],
    }
    best = [line["best_h"] for line in trace.steps]
    assert best == sorted(best, reverse=True)
    for path in trace.paths:
        assert len(path["choices"]) == min(path["decisions"], FIRST_CHOICES + LAST_CHOICES)
        assert [choice["g"] for choice in path["choices"]] == sorted({choice["g"] for choice in path["choices"]})
        assert all(choice["g"] < path["depth"] for choice in path["choices"])
        if path["decisions"] == path["depth"] > 0:  # every level had a choice
            assert path["choices"][-1]["chosen"] == path["leaf"]
    for choice in trace.choices:
        arms = {arm["node"]: arm for arm in choice["arms"]}
        assert len(choice["arms"]) == min(MOST_ARMS, choice["children"])
        assert arms[choice["chosen"]]["score"] is not None
        for arm in choice["arms"]:
            assert arm["score"] is None or arm["estimate"] is not None
            assert not (arm["locked"] and arm["estimate"] is not None)
            assert arm["locked"] == (arm["open_minimum"] is None)
            assert str(arm["action"]) in trace.names
        if choice["children"] <= MOST_ARMS:
            assert choice["total"] == sum(arm["count"] for arm in choice["arms"])
            assert choice["offered"] == sum(arm["estimate"] is not None for arm in choice["arms"])


@dataclass(frozen=True)
class Offered:
    count: list[int]
    mean: list[float]
    variance: list[float]
    minimum: list[int]
    maximum: list[int]
    spread: float
    total: int


def estimate(arm: Line, bandit: str, backup: str) -> float:
    if backup == "full_bellman":
        return float(arm["open_minimum"])
    if backup == "gaussian_minimum":
        return float(arm["estimate"])  # whether it is right, the trees of the reference say
    return float((arm["minimum"] + arm["maximum"]) / 2 if bandit == "uniform" else arm["mean"])


@pytest.mark.sweep
@pytest.mark.parametrize("backup", sorted(components(_core.Backup)))
@pytest.mark.parametrize("name", sorted(set(BANDITS) - {"ttts"}))
def test_the_scores_are_those_of_the_formulas(name: str, backup: str) -> None:
    c = 0.5 if hasattr(BANDITS[name], "c") else 1.0
    bandit = f"{name}(c=0.5)" if c == 0.5 else name
    preferred = backup != "gaussian_minimum"  # whose estimates are known of children on offer only
    search = f"guct(bandit={bandit}, backup={backup}, preferred={preferred})"
    _, trace = traced(*bp.example("warehouse"), search=search, max_evaluations=400)
    compared = 0
    for choice in trace.choices:
        arms = [arm for arm in choice["arms"] if arm["score"] is not None]
        if len(choice["arms"]) < choice["children"]:
            continue
        column = {key: [arm[key] for arm in arms] for key in ("count", "variance", "minimum", "maximum")}
        estimates = [estimate(arm, name, backup) for arm in arms]
        assert estimates == [arm["estimate"] for arm in arms]
        every = [estimate(arm, name, backup) for arm in choice["arms"] if backup == "monte_carlo" or not arm["locked"]]
        spread = max(every) - min(every)
        expected = scores(name, Offered(**column, mean=estimates, spread=spread, total=choice["total"]), c)
        if name == "uniform":  # whatever stands for the middle
            expected = [
                score + mu - (arm["minimum"] + arm["maximum"]) / 2
                for score, mu, arm in zip(expected, estimates, arms, strict=True)
            ]
        assert [arm["score"] for arm in arms] == pytest.approx(expected, rel=1e-12, abs=1e-9)
        chosen = next(arm for arm in arms if arm["node"] == choice["chosen"])
        assert chosen["score"] == min(arm["score"] for arm in arms)
        compared += 1
    assert compared > 50


def test_the_scores_of_thompson_sampling_are_its_draws() -> None:
    _, trace = traced(*bp.example("warehouse"), search="ttts-normal", max_evaluations=1000)
    drawn = 0
    for choice in trace.choices:
        arms = {arm["node"]: arm for arm in choice["arms"]}
        chosen = arms[choice["chosen"]]
        drawn += chosen["score"] != chosen["mean"]
        others = [arm["score"] for arm in arms.values() if arm["score"] is not None]
        # A challenger that is the best of the rest has a leader without a score, or one that is better.
        assert sum(score < chosen["score"] for score in others) <= 1
        for arm in arms.values():
            if arm["variance"] == 0 and arm["score"] is not None:
                assert arm["score"] == arm["mean"]
    assert drawn > 10


def test_the_scores_of_a_bandit_in_python_are_what_it_returned() -> None:
    returned: list[list[float]] = []

    def bandit(arms: bp.Arms) -> list[float]:
        returned.append([-float(count) for count in arms.count])
        return returned[-1]

    _, trace = traced(*bp.example("museum"), search=bp.Guct(bandit=bandit), max_expansions=30)
    first = trace.paths[1]["choices"][0]
    assert [arm["score"] for arm in first["arms"] if arm["score"] is not None] == returned[0]


@pytest.mark.parametrize("search", ["guct-normal2", "guct*-01(preferred=True)", "guct-normal2(deferred=True)"])
def test_the_counts_and_the_tree_are_those_of_the_search(search: str) -> None:
    """Small enough that nothing is left out; the tree comes from elsewhere."""
    task = bp.load(*bp.example("crates"))
    result, trace = traced(task, search=search, max_expansions=200, shorten=False)
    grown = _core.grow(parse_search(search), task, max_expansions=200)
    assert [line["leaf"] for line in trace.steps] == list(grown.visits)
    assert [line["round"] for line in trace.steps] == list(range(len(trace.steps)))
    last = trace.steps[-1]
    assert last["locked"] <= sum(node["locked"] for node in grown.nodes)
    assert last["nodes"] == len(grown.nodes) == len(trace.nodes)
    for line in trace.nodes:
        node = grown.nodes[line["node"]]
        for key in set(line) - {"kind", "node", "children", "state", "followed"}:
            assert line[key] == node[key], key
        assert not line["followed"]
        assert line["children"] == len(node["children"])
    seen = set()
    for line in trace.nodes:
        assert line["parent"] == -1 or line["parent"] in seen
        seen.add(line["node"])
    assert trace.end["status"] == result.status
    plan = [trace.names[str(action)] for action in trace.end["plan"]]
    assert plan == [str(step) for step in result.plan or ()]
    on_plan = [grown.nodes[node] for node in trace.end["nodes"]]
    assert [node["action"] for node in on_plan[1:]] == trace.end["plan"][:-1]
    assert [node["parent"] for node in on_plan] == [-1, *trace.end["nodes"]][: len(on_plan)]


def test_the_running_counts(tmp_path: Path) -> None:
    result, trace = traced(*write(tmp_path, endless_search()), search="guct-normal2", max_expansions=300)
    for before, after in pairwise(trace.steps):
        grown = after["inserted"] - before["inserted"]
        assert 0 <= after["plateaus"] - before["plateaus"] <= 1
        assert before["locked"] <= after["locked"] <= after["nodes"]
        assert before["duplicates"] <= after["duplicates"]
        assert after["nodes"] - before["nodes"] >= grown - (after["dead_ends"] - before["dead_ends"])
    last = trace.steps[-1]
    assert last["duplicates"] == result.generated - (result.inserted - 1) > 0
    assert last["dead_ends"] == result.dead_ends
    nodes = {line["node"]: line for line in trace.nodes}
    plateaus = 0
    for step in trace.steps:  # no state moved, or its h would be that of another child
        children = [line["h"] for line in nodes.values() if line["parent"] == step["leaf"]]
        plateaus += bool(children) and min(children) == step["h"]
    assert last["plateaus"] == pytest.approx(plateaus, abs=sum(line["locked"] for line in trace.nodes))
    assert plateaus > 10


@pytest.mark.slow
def test_a_trace_is_bounded(tmp_path: Path) -> None:
    result, trace = traced(*write(tmp_path, endless_search()), search="guct", max_expansions=9000)
    assert result.expansions == 9000
    for lines, most, stride in ((trace.steps, MOST["step"], 16), (trace.paths, MOST["path"], 64)):
        assert most / 2 <= len(lines) <= most
        assert {b["round"] - a["round"] for a, b in pairwise(lines)} == {stride}
    assert len(trace.nodes) == MOST["node"]
    least = min(line["count"] for line in trace.nodes)
    shown = {line["node"] for line in trace.nodes}
    assert all(line["parent"] == -1 or line["parent"] in shown for line in trace.nodes)
    for line in trace.nodes:
        below = [other["count"] for other in trace.nodes if other["parent"] == line["node"]]
        if line["children"]:
            assert line["count"] - sum(below) <= (line["children"] - len(below)) * least
    assert all(len(choice["arms"]) <= MOST_ARMS for choice in trace.choices)
    assert all(len(path["choices"]) <= FIRST_CHOICES + LAST_CHOICES for path in trace.paths)
    assert (trace.end["status"], trace.end["plan"], trace.end["nodes"]) == ("expansion-limit", [], [])


@pytest.mark.slow
def test_a_search_that_is_stopped_has_a_trace(tmp_path: Path) -> None:
    _, trace = traced(*write(tmp_path, endless_search()), search="guct", time_limit=1)
    assert trace.end["status"] == "time-limit"
    assert len(trace.nodes) > 1


def test_a_search_without_a_tree_has_a_trace(tmp_path: Path) -> None:
    domain = "(define (domain d) (:predicates (p)) (:action a :effect (p)))"
    problem = "(define (problem q) (:domain d) (:init (p)) (:goal (p)))"
    result, trace = traced(*write(tmp_path, (domain, problem)))
    assert result.plan == ()
    assert (trace.steps, trace.paths, trace.nodes, trace.names) == ([], [], [], {})
    assert (trace.end["status"], trace.end["plan"], trace.end["nodes"]) == ("solved", [], [])


def test_every_field_is_documented() -> None:
    text = DOCS.read_text(encoding="utf-8")
    _, trace = traced(*bp.example("museum"), search="guct-normal2(preferred=True)")
    _, queue = traced(*bp.example("museum"), search="gbfs")
    lines = [trace.header, trace.steps[0], trace.paths[-1], trace.choices[0], trace.choices[0]["arms"][0]]
    _, counting = traced(*bp.example("museum"), search="gbfs(landmarks)")
    assert counting.states is not None
    assert counting.landmarks is not None
    lines += [queue.steps[-1], queue.paths[-1], counting.states, counting.landmarks, *counting.landmarks["landmarks"]]
    for line in [*lines, trace.nodes[0], trace.end]:
        for key in line:
            assert f"`{key}`" in text, key
    for most in (*MOST.values(), FIRST_CHOICES, LAST_CHOICES, MOST_ARMS):
        assert re.search(rf"\b{most:,}\b", text), most


QUEUES = [
    "gbfs",
    "lama-first",
    "wastar(deferred=True)",
    "softmin-type(preferred=True)",
    "best_first(greedy(goalcount, ff))",
]


@pytest.mark.parametrize("search", QUEUES)
def test_the_trace_of_a_queue_shows_the_search_space(search: str) -> None:
    """Small enough that nothing is left out; what was expanded comes from elsewhere."""
    task = bp.load(*bp.example("crates"))
    result, trace = traced(task, search=search, max_expansions=150, seed=4)
    plain = _core.expand(parse_search(search), task, max_expansions=150, seed=4)
    assert plain.result.evaluations == result.evaluations
    is_lazy, is_late = search == "lama-first", search in ("lama-first", "wastar(deferred=True)")
    rounds = len(plain.expanded) - (not is_lazy)  # the last one found the goal
    assert [line["round"] for line in trace.steps] == list(range(rounds)) == [line["round"] for line in trace.paths]
    nodes = {line["node"]: line for line in trace.nodes}
    for line in trace.nodes:
        if line["parent"] >= 0:
            assert nodes[line["parent"]]["g"] == line["g"] - 1
        children = [other for other in trace.nodes if other["parent"] == line["node"]]
        assert line["children"] == len(children)
        assert line["count"] == (sum(child["count"] for child in children) if children else 1)
        assert line["minimum"] == (min(child["minimum"] for child in children) if children else line["h"])
    for step, path in zip(trace.steps, trace.paths, strict=True):
        leaf = nodes[step["leaf"]]
        assert path["leaf"] == step["leaf"]
        assert path["choices"] == []
        first = leaf["node"]
        while nodes[first]["g"] > 1:
            first = nodes[first]["parent"]
        if path["depth"] == leaf["g"] > 0:  # its path did not get shorter later on
            assert path["first"] == first
    leaves = [step["leaf"] for step in trace.steps]
    assert len(set(leaves)) == len(leaves)
    last = trace.steps[-1]
    inserted = result.generated + 1 if is_lazy else result.inserted
    assert last["nodes"] == len(nodes) == inserted - (0 if is_late else result.dead_ends)
    assert result.evaluations - last["evaluations"] == (is_late and not is_lazy)
    assert trace.end["status"] == result.status == "solved"
    on_plan = [nodes[node] for node in trace.end["nodes"]]
    assert [node["action"] for node in on_plan[1:]] == trace.end["plan"][:-1]
    assert [node["parent"] for node in on_plan] == [-1, *trace.end["nodes"]][: len(on_plan)]


def test_the_trace_of_a_queue_is_bounded(tmp_path: Path) -> None:
    result, trace = traced(*write(tmp_path, endless_search()), search="gbfs", max_expansions=9000)
    assert result.expansions == 9000
    assert (len(trace.steps), len(trace.paths), len(trace.nodes)) <= (MOST["step"], MOST["path"], MOST["node"])
    assert len(trace.nodes) == MOST["node"]
    assert trace.end["status"] == "expansion-limit"


SHOWN = ["guct-normal2", "gbfs(landmarks)", "lama-first", "bfws-dual", "wastar(deferred=True)"]


@pytest.mark.parametrize("search", SHOWN)
@pytest.mark.parametrize("example", ["crates", "lights"])
def test_the_facts_at_a_node_are_those_of_its_state(search: str, example: str) -> None:
    task = bp.load(*bp.example(example))
    result, trace = traced(task, search=search, max_expansions=300)
    assert trace.states is not None
    names = trace.states["names"]
    states = {0: task.initial_state}
    facts = {0: set(trace.states["initial"])}
    assert {names[str(fact)] for fact in facts[0]} == set(task.initial_state.facts)
    for node in trace.nodes[1:]:
        number, parent = node["node"], node["parent"]
        states[number] = task.apply(states[parent], task.action(node["action"]))
        true, false = map(set, trace.states["nodes"][str(number)])
        assert true.isdisjoint(facts[parent])
        assert false <= facts[parent]
        facts[number] = (facts[parent] | true) - false
        assert {names[str(fact)] for fact in facts[number]} == set(states[number].facts)
    assert len(trace.nodes) > 10
    order = [node["state"] for node in trace.nodes]
    assert max(order) < trace.end["inserted"]
    assert trace.end["inserted"] == (result.generated + 1 if search == "lama-first" else result.inserted)
    if not search.startswith("guct"):  # where a state that moves leaves a node behind
        assert len(set(order)) == len(order)


@pytest.mark.parametrize("options", ["", "complete=True"])
def test_landmarks_are_past_and_future_along_the_way(options: str) -> None:
    """What was ever true on the way is past; what is not past, and what a goal lacks, is future."""
    task = bp.load(*bp.example("warehouse"))
    _, trace = traced(task, search=f"gbfs(landmarks({options}))", max_expansions=200)
    assert trace.landmarks is not None
    graph = task.landmarks(bool(options))
    assert [(each["facts"], each["goal"]) for each in trace.landmarks["landmarks"]] == [
        (landmark.facts, landmark.goal) for landmark in graph.landmarks
    ]
    past, future = ({0: set(each)} for each in trace.landmarks["initial"])
    states = {0: task.initial_state}
    everything = set(range(len(graph)))
    for node in trace.nodes[1:]:
        number, parent = node["node"], node["parent"]
        states[number] = task.apply(states[parent], task.action(node["action"]))
        reached, gone, come = map(set, trace.landmarks["nodes"][str(number)])
        past[number] = past[parent] | reached
        future[number] = (future[parent] - gone) | come
        true = {i for i, landmark in enumerate(graph.landmarks) if set(landmark.facts) & set(states[number].facts)}
        positive = {i for i, landmark in enumerate(graph.landmarks) if landmark.facts[0].startswith("(")}
        assert reached & positive <= true
        assert everything - past[number] <= future[number]
        lacking = {i for i, landmark in enumerate(graph.landmarks) if landmark.goal and i in positive - true}
        assert lacking <= future[number]
        assert node["h"] == len(future[number])  # every state has one way here, or its value did not change
    assert len(trace.nodes) > 100


def test_the_last_of_a_series_is_told() -> None:
    narrow = "best_first(greedy(novelty(goalcount, width=1, prunes=True), goalcount))"
    files = bp.example("museum")
    alone = bp.solve(*files, search=narrow)
    assert alone.status == "exhausted"
    result, trace = traced(*files, search=f"series([{narrow}, gbfs()])")
    last, second = traced(*files, search="gbfs")
    assert (trace.end["search"], trace.end["earlier"]) == (2, alone.evaluations)
    assert trace.end["evaluations"] == result.evaluations == alone.evaluations + last.evaluations
    assert (trace.steps, trace.paths, trace.nodes, trace.names) == (
        second.steps,
        second.paths,
        second.nodes,
        second.names,
    )


@pytest.mark.parametrize("search", ["guct-normal2", "gbfs", "lama-first"])
def test_the_end_has_the_numbers_of_the_result(search: str) -> None:
    result, trace = traced(*bp.example("warehouse"), search=search, shorten=True)
    for key in (
        "evaluations",
        "expansions",
        "generated",
        "inserted",
        "dead_ends",
        "best_h",
        "plan_length",
        "plan_cost",
    ):
        is_lazy = key == "inserted" and search == "lama-first"
        assert trace.end[key] == (result.generated + 1 if is_lazy else getattr(result, key)), key
    plain = bp.solve(*bp.example("warehouse"), search=search, shorten=False)
    assert (len(trace.end["plan"]), trace.end["cost"]) == (plain.plan_length, plain.plan_cost)


def test_the_command_line_writes_a_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["solve", "--example", "museum", "--trace", "trace.jsonl", "--quiet"]) == 0
    trace = read((tmp_path / "trace.jsonl").read_text(encoding="utf-8"))
    assert trace.end["status"] == "solved"
    assert main(["solve", "--example", "museum", "--trace", "trace.jsonl/trace.jsonl", "--quiet"]) == 31
