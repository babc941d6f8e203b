"""Where a search spent its evaluations: by depth, and by the first action. Both from sampled rounds.

The evaluations between two sampled rounds are counted where the later one went; with every round sampled that is
exact, else an estimate.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from banditplan.explain.reading import Line, Trace

MOST_DEPTHS = 40


def by_depth(trace: Trace) -> dict[str, Any]:
    """Evaluations in at most 40 bands of depths of equal width."""
    deepest = max((step["depth"] for step in trace.steps), default=0)
    width = deepest // MOST_DEPTHS + 1
    spent = [0] * (deepest // width + 1)
    before = _at_the_root(trace)
    for step in trace.steps:
        spent[step["depth"] // width] += max(step["evaluations"] - before, 0)
        before = step["evaluations"]
    return {"width": width, "evaluations": spent}


def by_first_action(trace: Trace) -> list[dict[str, Any]]:
    """For each known child of the root, its leaves in the end and the evaluations of the rounds that went there."""
    parents = {node["node"]: node["parent"] for node in trace.nodes}
    actions = _first_actions(trace)
    leaves = {node["node"]: node["count"] for node in trace.nodes if node["parent"] == 0}
    at_round = {step["round"]: step["evaluations"] for step in trace.steps}
    spent: Counter[int] = Counter()
    before = _at_the_root(trace)
    for path in trace.paths:
        evaluations = at_round.get(path["round"], before)
        child = _first_child(path, parents)
        if child is not None:
            spent[child] += max(evaluations - before, 0)
        before = evaluations
    shares = [
        {"action": action, "leaves": leaves.get(child), "evaluations": spent[child]}
        for child, action in actions.items()
    ]
    return sorted(shares, key=lambda share: (-share["evaluations"], -(share["leaves"] or 0)))


def _first_actions(trace: Trace) -> dict[int, int]:
    """The children of the root that the trace mentions, in its tree or in a choice, with their actions."""
    choices = (choice for path in trace.paths for choice in path["choices"] if choice["node"] == 0)
    arms = {arm["node"]: arm["action"] for choice in choices for arm in choice["arms"]}
    return arms | {node["node"]: node["action"] for node in trace.nodes if node["parent"] == 0}


def _at_the_root(trace: Trace) -> int:
    """The initial state was evaluated before the first round."""
    return 0 if trace.header["initial_h"] is None else 1


def _first_child(path: Line, parents: dict[int, int]) -> int | None:
    """The child of the root that a round went through; None if it ended at the root, or nothing shown tells."""
    if "first" in path:
        return int(path["first"])
    for choice in path["choices"]:
        if choice["node"] == 0:
            return int(choice["chosen"])
    # The root had one child to select; the rest of the way tells which, where it is part of the shown tree.
    for node in (*(choice["node"] for choice in path["choices"]), path["leaf"]):
        while parents.get(node, -1) > 0:
            node = parents[node]
        if parents.get(node) == 0:
            return int(node)
    return None
