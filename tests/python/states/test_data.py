"""Data for learning say what the task says."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import banditplan as bp
from banditplan import data


@pytest.fixture(scope="module")
def task() -> bp.Task:
    return bp.load(*bp.example("crates"), keep_irrelevant=True)


def test_facts_are_those_of_the_states(task: bp.Task) -> None:
    walks = data.from_walks(task, walks=5, steps=10, seed=2, heuristics=["ff", bp.HMax()])
    states = task.states(np.ascontiguousarray(walks.values))
    table = walks.facts()
    assert table.shape == (len(walks), len(walks.fact_names))
    for row in range(len(walks)):
        assert {walks.fact_names[i] for i in np.flatnonzero(table[row])} == set(states[row].facts)
    assert walks["h:ff"].tolist() == task.h([states[i] for i in range(len(states))], "ff")
    assert set(walks.columns) == {"action", "parent", "h:ff", "h:hmax"}
    with pytest.raises(bp.InputError, match="no column 'nothing'"):
        walks["nothing"]


def test_a_plan_gives_what_is_left_of_it(task: bp.Task) -> None:
    result = bp.solve(task)
    way = data.from_plan(task, result.plan)
    assert len(way) == result.plan_length + 1
    assert way["steps_to_go"].tolist() == list(range(result.plan_length, -1, -1))
    assert way["cost_to_go"][0] == result.plan_cost
    assert way["cost_to_go"][-1] == 0
    assert task.is_goal(task.states(np.ascontiguousarray(way.values))[-1])
    with pytest.raises(bp.InputError, match="step 1: "):
        data.from_plan(task, ["(fly home)"])


def test_expansions_are_those_of_the_search(task: bp.Task) -> None:
    result = bp.solve(task, search="gbfs(hadd)")
    expanded = data.from_search(task, "gbfs(hadd)")
    assert len(expanded) == result.expansions
    assert expanded.values[0].tolist() == task.initial_state.values


def test_an_arrow_table_has_ids_and_names(task: bp.Task) -> None:
    pytest.importorskip("pyarrow")
    walks = data.from_walks(task, walks=2, steps=5, heuristics=["ff"])
    table = walks.to_arrow()
    names = json.loads(table.schema.metadata[b"fact_names"])
    assert tuple(names) == walks.fact_names
    states = task.states(np.ascontiguousarray(walks.values))
    for row, ids in enumerate(table["facts"].to_pylist()):
        assert {names[i] for i in ids} == set(states[row].facts)
    assert table["h:ff"].to_pylist() == walks["h:ff"].tolist()


def test_distinct_states_and_joined_datasets(task: bp.Task) -> None:
    one, two = (data.from_walks(task, walks=3, steps=10, seed=seed) for seed in (1, 2))
    both = data.concatenated([one, two])
    assert len(both) == len(one) + len(two)
    begins = np.flatnonzero(both["parent"] < 0)
    assert len(begins) == 6
    steps = np.flatnonzero(both["parent"] >= 0)
    assert (both["parent"][steps] == steps - 1).all()
    once = both.distinct()
    assert len(once) == len({tuple(row) for row in both.values})
    assert "parent" not in once.columns
    other = data.from_walks(bp.load(*bp.example("lights")), walks=1, steps=1)
    with pytest.raises(bp.InputError, match="different tasks"):
        data.concatenated([one, other])
    with pytest.raises(bp.InputError, match="nothing"):
        data.concatenated([])


def test_graphs_have_a_node_per_object_and_fact(task: bp.Task) -> None:
    states = task.random_walks(2, 8, seed=4).states
    graphs = data.object_graphs(task, states)
    parsed = task.origin.parsed
    objects = [*parsed.domain.constants, *parsed.problem.objects]
    types = len({"object", *(each.name for each in parsed.domain.types)})
    begin = 0
    for number in range(len(states)):
        mine = np.flatnonzero(graphs.graph_of == number)
        assert mine.tolist() == list(range(begin, begin + len(mine)))
        facts = set()
        for node in mine[len(objects) :]:
            edges = np.flatnonzero(graphs.edges[0] == node)
            order = edges[np.argsort(graphs.positions[edges])]
            arguments = [objects[int(graphs.edges[1][edge]) - begin].name for edge in order]
            assert graphs.labels[node] >= types
            fact = f"({' '.join([graphs.vocabulary[graphs.labels[node]], *arguments])})"
            assert bool(graphs.flags[node] & 1) == states[number].holds(fact)
            assert bool(graphs.flags[node] & 2) == (fact in task.goal)
            if graphs.flags[node] & 1:
                facts.add(fact)
        assert facts >= set(states[number].facts)
        begin += len(mine)


def test_solutions_of_many_states(task: bp.Task) -> None:
    starts = task.random_walks(3, 5, seed=1).states
    found = data.from_solutions(task, starts)
    assert (found["parent"] < 0).sum() == len(starts)
    ends = np.flatnonzero(found["steps_to_go"] == 0)
    states = task.states(np.ascontiguousarray(found.values))
    assert all(task.is_goal(states[int(end)]) for end in ends)


def test_plans_of_an_experiment(tmp_path: Path) -> None:
    from banditplan.cli.main import main

    command = ["experiment", "run", "quick", "--suite", "examples:crates", "--algorithms", "gbfs", "--columns", "ff"]
    assert main([*command, "--jobs", "1", "--quiet", "--out", str(tmp_path / "e")]) == 0
    found = list(data.from_experiment(tmp_path / "e", heuristics=["ff"]))
    assert len(found) == 1
    assert found[0]["cost_to_go"][-1] == 0
