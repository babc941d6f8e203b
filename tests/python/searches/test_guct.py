"""The tree search: the same tree as a slow reference grows, right answers, exact limits, golden trees."""

from __future__ import annotations

import json
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from random_tasks import FEATURES, random_task
from reference import Reference
from searches.reference_guct import Node, ReferenceGuct, variance

import banditplan as bp
from banditplan import _core, examples
from banditplan.components import components
from banditplan.components.spec import parse_search
from banditplan.plan import Step
from banditplan.validation import validate

BANDITS = sorted(components(_core.Bandit))
BACKUPS = sorted(components(_core.Backup))
GRAFTS = ("paper", "strict", "never")
GOLDEN = Path(__file__).parents[2] / "golden"


@cache
def example(name: str) -> _core.Task:
    return bp.load(*bp.example(name))


@cache
def small_task(kind: str, seed: int) -> _core.Task:
    return random_task(kind, seed).ground()


def search(bandit: str, backup: str, **options: Any) -> _core.Guct:
    parts = {"bandit": components(_core.Bandit)[bandit](), "backup": components(_core.Backup)[backup]()}
    return _core.Guct(**parts, **options)


# ---- against the reference


def reference_tree(nodes: list[Node]) -> list[dict[str, Any]]:
    ids = {id(node): number for number, node in enumerate(nodes)}
    return [
        {
            "parent": -1 if node.parent is None else ids[id(node.parent)],
            "action": node.action,
            "g": node.g,
            "h": node.h,
            "preferred": node.preferred,
            "locked": node.locked,
            "children": [ids[id(child)] for child in node.children],
            "count": len(node.data),
            "mean": sum(node.data) / len(node.data),
            "variance": variance(node.data),
            "minimum": min(node.data),
            "maximum": max(node.data),
            "open_minimum": min(node.open_data, default=None),
        }
        for node in nodes
    ]


def check_same_tree(task: _core.Task, bandit: str, backup: str, seed: int, expansions: int, **options: Any) -> str:
    """Returns how the search ended."""
    heuristic = options.pop("heuristic", bp.Ff())
    flags = {"preferred": False, "deferred": False, "graft": "paper", **options}
    recorded = _core.grow(
        search(bandit, backup, heuristic=heuristic, **flags), task, seed=seed, max_expansions=expansions
    )
    if not task.solvable:
        assert recorded.result.status == "unsolvable"
        return "unsolvable"
    slow = ReferenceGuct(task, heuristic, bandit, backup, seed=seed, max_expansions=expansions, **flags)
    assert recorded.visits == slow.visits
    assert recorded.result.plan == (slow.plan or [])
    assert recorded.result.status.replace("exhausted", "unsolvable") == slow.status
    tree = recorded.nodes
    for node in tree:
        del node["state"]
    assert tree == reference_tree(slow.nodes)
    return slow.status


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["crates", "lights", "levers", "courier", "museum"])
@pytest.mark.parametrize("backup", BACKUPS)
@pytest.mark.parametrize("bandit", BANDITS)
def test_examples_grow_the_tree_of_the_reference(bandit: str, backup: str, name: str) -> None:
    for preferred, deferred in product((False, True), repeat=2):
        check_same_tree(example(name), bandit, backup, 1, 40, preferred=preferred, deferred=deferred)


@pytest.mark.slow
@pytest.mark.parametrize("kind", FEATURES)
@pytest.mark.parametrize("bandit", BANDITS)
def test_random_tasks_grow_the_tree_of_the_reference(bandit: str, kind: str) -> None:
    options = list(product(BACKUPS, (False, True), (False, True), GRAFTS))
    for seed in range(24):
        backup, preferred, deferred, graft = options[seed]
        task = small_task(kind, 500 + seed)
        for heuristic in (bp.Ff(), _core.GoalCount()):
            flags = {"preferred": preferred, "deferred": deferred, "graft": graft, "heuristic": heuristic}
            check_same_tree(task, bandit, backup, seed, 30, **flags)


@pytest.mark.sweep
@pytest.mark.parametrize("graft", GRAFTS)
@pytest.mark.parametrize("name", ["lights", "museum", "orchestra"])
def test_grafting_grows_the_tree_of_the_reference(name: str, graft: str) -> None:
    """Blind, widening searches meet the same states again and again, on longer and on shorter paths."""
    for bandit, deferred, seed in product(("ttts", "normal", "greedy"), (False, True), range(3)):
        flags = {"deferred": deferred, "graft": graft, "heuristic": _core.GoalCount()}
        check_same_tree(example(name), bandit, "monte_carlo", seed, 60, **flags)


@pytest.mark.slow
@pytest.mark.parametrize("budget", [0, 1, 3])
@pytest.mark.parametrize("deferred", [False, True])
@pytest.mark.parametrize("name", ["crates", "museum", "warehouse"])
def test_bilevel_trees_are_those_of_the_reference(name: str, deferred: bool, budget: int) -> None:
    for bandit, backup, preferred, seed in product(("normal2", "uniform", "ucb1"), BACKUPS, (False, True), (1, 2)):
        tree = _core.TreeList(
            bandit=components(_core.Bandit)[bandit](),
            backup=components(_core.Backup)[backup](),
            preferred=preferred,
            bilevel=True,
            budget=budget,
        )
        recorded = _core.grow(_core.BestFirst(tree, deferred=deferred), example(name), seed=seed, max_expansions=50)
        flags = {"preferred": preferred, "deferred": deferred, "graft": "never", "budget": budget}
        slow = ReferenceGuct(example(name), bp.Ff(), bandit, backup, seed=seed, max_expansions=50, **flags)
        assert recorded.visits == slow.visits
        assert recorded.result.plan == (slow.plan or [])
        nodes = recorded.nodes
        for node in nodes:
            del node["state"]
        assert nodes == reference_tree(slow.nodes)


def shape(nodes: list[dict[str, Any]], node: int = 0) -> list[Any]:
    """A tree without the ids of its nodes: values, then the same of the children."""
    return [{**nodes[node], "parent": None, "children": None, "g": None, "state": None}, *children(nodes, node)]


def children(nodes: list[dict[str, Any]], node: int) -> list[Any]:
    return [shape(nodes, child) for child in nodes[node]["children"]]


@pytest.mark.slow
@pytest.mark.parametrize("collapse", [0, 3, 12, "depth"])
@pytest.mark.parametrize("budget", [None, 0, 4])
@pytest.mark.parametrize("name", ["crates", "museum", "warehouse"])
def test_ranked_and_collapsed_trees_are_those_of_the_reference(
    name: str, budget: int | None, collapse: int | str
) -> None:
    task = example(name)
    for bandit, backup, preferred, deferred in product(("normal2", "uniform"), BACKUPS, (False, True), (False, True)):
        tree = _core.TreeList(
            _core.GoalCount(),
            bp.Ff(),
            bandit=components(_core.Bandit)[bandit](),
            backup=components(_core.Backup)[backup](),
            preferred=preferred,
            bilevel=budget is not None,
            budget=budget or 0,
            collapse=collapse,
        )
        recorded = _core.grow(_core.BestFirst(tree, deferred=deferred), task, seed=3, max_expansions=60)
        flags = {"preferred": preferred, "deferred": deferred, "graft": "never", "budget": budget}
        flags |= {"ranks": _core.GoalCount(), "collapse": collapse}
        slow = ReferenceGuct(task, bp.Ff(), bandit, backup, seed=3, max_expansions=60, **flags)
        assert recorded.result.plan == (slow.plan or [])
        assert shape(recorded.nodes) == shape(reference_tree(slow.nodes) if collapse == 0 else linked(slow.nodes[0]))
        expanded = _core.expand(_core.BestFirst(tree, deferred=deferred), task, seed=3, max_expansions=60)
        assert list(expanded.expanded) == slow.expanded


def linked(root: Node) -> list[dict[str, Any]]:
    """Only what hangs under the root."""
    nodes = [root]
    for node in nodes:
        nodes += node.children
    return reference_tree(nodes)


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("collapse", ["depth", 20])
@pytest.mark.parametrize("kind", FEATURES)
def test_collapsed_trees_prove_what_there_is_to_prove(kind: str, collapse: int | str) -> None:
    for seed in range(500, 530):
        task = small_task(kind, seed)
        plain = _core.Guct(graft="never").run(task, seed=1)
        tree = _core.TreeList(bp.Ff(), bandit=bp.Ucb1Normal2(), bilevel=True, collapse=collapse)
        assert _core.BestFirst(tree).run(task, seed=1).status == plain.status


def test_trees_take_two_heuristics_at_the_most() -> None:
    with pytest.raises(ValueError, match="2 at the most"):
        _core.TreeList(bp.Ff(), bp.Ff(), bp.Ff())
    with pytest.raises(ValueError, match="depth"):
        _core.TreeList(collapse="width")
    assert parse_search(repr(_core.BestFirst(_core.TreeList(collapse="depth")))).open.collapse == "depth"
    assert _core.TreeList(collapse=40).collapse == 40


@pytest.mark.slow
@pytest.mark.parametrize("kind", FEATURES)
def test_bilevel_trees_prove_what_there_is_to_prove(kind: str) -> None:
    for seed in range(500, 530):
        task = small_task(kind, seed)
        plain = _core.Guct(graft="never").run(task, seed=1)
        bilevel = parse_search("best_first(tree(ff, bilevel=True))").run(task, seed=1)
        assert bilevel.status == plain.status


@pytest.mark.parametrize("preferred", [False, True])
def test_values_from_idle_lanes_do_not_change_the_tree(preferred: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A vector kernel that is forced always looks ahead; in the long search, at more states than it keeps."""
    grown = {}
    for kernel in ("scalar", "plain"):
        monkeypatch.setenv("BANDITPLAN_KERNEL", kernel)
        for name in ("courier", "museum"):
            check_same_tree(example(name), "normal2", "monte_carlo", 3, 60, preferred=preferred)
        wide = parse_search(f"guct(c=100, preferred={preferred})")
        searched = wide.run(example("warehouse"), seed=2, max_evaluations=12_000)
        grown[kernel] = (searched.plan, searched.evaluations, searched.expansions, searched.history)
    assert grown["scalar"] == grown["plain"]
    assert grown["plain"][1] == 12_000


def test_subtrees_move_to_shorter_paths() -> None:
    """The tests above are worth something only if whole subtrees are grafted, with a smaller g."""
    tree = _core.grow(
        search("greedy", "monte_carlo", heuristic=_core.GoalCount()), example("museum"), seed=2, max_expansions=60
    ).nodes
    younger = [node for number, node in enumerate(tree) if any(child < number for child in node["children"])]
    assert younger
    assert all(tree[child]["g"] == node["g"] + 1 for node in tree for child in node["children"])


# ---- right answers


@pytest.mark.slow
@pytest.mark.parametrize("kind", FEATURES)
def test_finds_a_plan_if_and_only_if_there_is_one(kind: str) -> None:
    for seed in range(300, 345):
        pddl = random_task(kind, seed)
        task = pddl.ground()
        bandit, backup = BANDITS[seed % len(BANDITS)], BACKUPS[seed % len(BACKUPS)]
        flags = {"preferred": seed % 3 == 0, "deferred": seed % 5 == 0, "graft": GRAFTS[seed % 3]}
        result = search(bandit, backup, **flags).run(task, seed=seed, max_evaluations=5000)
        if result.status == "solved":
            steps = [Step(task.actions[id].name, task.actions[id].arguments) for id in result.plan]
            verdict = validate(pddl.parsed(), steps)
            assert verdict.valid, verdict.reason
        else:
            space = Reference(pddl.parsed()).explore(400)
            assert not any(map(Reference(pddl.parsed()).is_goal, space.transitions))
            if space.complete:
                assert result.status == "unsolvable"
                assert result.inserted <= len(space.transitions)


@pytest.mark.sweep
@pytest.mark.parametrize("name", examples.names())
@pytest.mark.parametrize("flags", ["", "preferred=True", "deferred=True", "preferred=True, deferred=True"])
def test_plans_are_valid(name: str, flags: str) -> None:
    for alias in ("guct-normal2", "guct*-normal2", "guct*"):
        result = bp.solve(example(name), search=f"{alias}({flags})")
        assert result.status == ("unsolvable" if name in ("island", "levers") else "solved")


# ---- limits and numbers


@pytest.mark.sweep
@pytest.mark.parametrize("deferred", [False, True])
@pytest.mark.parametrize("kind", FEATURES)
def test_limits_hold_exactly(kind: str, deferred: bool) -> None:
    guct = _core.Guct(deferred=deferred)
    for seed in range(20):
        task = small_task(kind, seed)
        full = guct.run(task)
        for limit in (0, 1, 2, 3, 7):
            result = guct.run(task, max_evaluations=limit)
            if limit < full.inserted:
                assert (result.status, result.inserted) == ("evaluation-limit", limit)
            else:
                assert (result.status, result.inserted) == (full.status, full.inserted)
            result = guct.run(task, max_expansions=limit)
            if limit < full.expansions:
                assert (result.status, result.expansions) == ("expansion-limit", limit)
            else:
                assert (result.status, result.expansions) == (full.status, full.expansions)


def test_deferred_evaluation_evaluates_what_it_expands() -> None:
    for name in ("crates", "museum", "warehouse"):
        result = _core.Guct(deferred=True).run(example(name))
        assert result.evaluations == result.expansions + result.dead_ends
        assert result.evaluations < result.inserted
        eager = _core.Guct().run(example(name))
        assert eager.evaluations == eager.inserted


def test_the_same_seed_gives_the_same_search_and_another_one_another() -> None:
    task = example("warehouse")
    runs = {seed: [tuple(_core.grow(_core.Guct(), task, seed=seed).visits) for _ in range(2)] for seed in range(5)}
    assert all(first == second for first, second in runs.values())
    assert len({first for first, _ in runs.values()}) > 1


def test_a_locked_node_is_never_selected_and_a_state_has_one_open_node() -> None:
    for seed in range(5):
        tree = _core.grow(_core.Guct(bandit=_core.TttsNormal()), example("museum"), seed=seed).nodes
        current = [node["state"] for node in tree if node["children"] or not node["locked"]]
        assert len(current) == len(set(current))


# ---- golden trees


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.json")), ids=lambda path: path.stem)
def test_golden_trees(path: Path) -> None:
    """Whole trees after each expansion: they must be the same on every machine."""
    golden = json.loads(path.read_text(encoding="utf-8"))
    for expansions, tree in enumerate(golden["trees"]):
        recorded = _core.grow(
            parse_search(golden["search"]), example(golden["example"]), seed=golden["seed"], max_expansions=expansions
        )
        assert recorded.nodes == tree
