"""Trace → what the page shows, as plain data for JSON: columns instead of objects, and texts only once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PureWindowsPath
from typing import Any

from banditplan.explain.bandit import bandit
from banditplan.explain.notes import notes
from banditplan.explain.reading import Line, Trace
from banditplan.explain.spent import by_depth, by_first_action

TOTALS = ("evaluations", "expansions", "generated", "inserted", "dead_ends", "best_h", "search", "earlier")
COUNTERS = ("evaluations", "expansions", "inserted", "nodes", "leaves", "locked", "dead_ends", "duplicates", "plateaus")
STEP = ("round", "best_h", "depth", "h", *COUNTERS)
DATA = ("action", "h", "count", "mean", "variance", "minimum", "maximum", "open_minimum", "locked", "preferred")
NODE = ("node", "parent", "g", "state", *DATA, "children")
ARM = ("node", *DATA, "children", "estimate", "score")
CHOICE = ("node", "g", "total", "children", "offered", "chosen")
FIRST_STEPS, LAST_STEPS = 2_000, 200


def view(trace: Trace) -> dict[str, Any]:
    """The page's data; as bounded as the trace, and bounded in the length of the plan too."""
    header = trace.header
    used = _Names(trace.names)
    return {
        "task": {"domain": _file(header["domain"]), "problem": _file(header["problem"])},
        "algorithm": header["algorithm"],
        "search": header["search"],
        "seed": header["seed"],
        "version": header["version"],
        "initialH": header["initial_h"],
        "bandit": bandit(header["search"]),
        "status": trace.end["status"],
        "end": {key: trace.end[key] for key in TOTALS},
        "plan": _plan(trace.end, used),
        "steps": _columns(trace.steps, STEP),
        "nodes": _columns([_renamed(node, used) for node in trace.nodes], NODE),
        "choices": [_choice(path["round"], choice, used) for path in trace.paths for choice in path["choices"]],
        "rounds": _columns(trace.paths, ("round", "leaf", "depth", "decisions")),
        "depths": by_depth(trace),
        "first": [{**share, "action": used.number(share["action"])} for share in by_first_action(trace)],
        "facts": _facts(trace.states),
        "landmarks": trace.landmarks and {key: trace.landmarks[key] for key in ("landmarks", "initial", "nodes")},
        "notes": notes(trace),
        "armColumns": ARM,
        "choiceColumns": ("round", *CHOICE, "arms"),
        "names": used.texts,
    }


class _Names:
    """The texts of those actions that are shown, numbered from 0; -1 is none. Dots stand for the steps before the last
    one where a relaxed plan was followed."""

    def __init__(self, names: dict[int, str]) -> None:
        self._names = names
        self._numbers: dict[tuple[int, bool], int] = {(-1, False): -1}
        self.texts: list[str] = []

    def number(self, action: int, *, followed: bool = False) -> int:
        if (action, followed) not in self._numbers:
            self._numbers[action, followed] = len(self.texts)
            self.texts.append(("… " if followed else "") + self._names[action])
        return self._numbers[action, followed]


def _file(path: str) -> str:
    """A file and its folder; many problems are called problem.pddl."""
    return "/".join(PureWindowsPath(path).parts[-2:])


def _plan(end: Line, used: _Names) -> dict[str, Any]:
    """The plan; a long one without its middle."""
    plan, nodes = end["plan"], end["nodes"]
    numbers = list(range(len(plan)))
    if len(plan) > FIRST_STEPS + LAST_STEPS:
        numbers = numbers[:FIRST_STEPS] + numbers[-LAST_STEPS:]
    return {
        "length": len(plan),
        "cost": end["cost"],
        "told": {"length": end["plan_length"], "cost": end["plan_cost"]},
        "numbers": numbers,
        "actions": [used.number(plan[number]) for number in numbers],
        "nodes": [nodes[number] if number < len(nodes) else None for number in numbers],
    }


def _facts(states: Line | None) -> dict[str, Any] | None:
    """The facts at the root and what changes at the other nodes, with the facts numbered from 0."""
    if states is None:
        return None
    number = {int(fact): i for i, fact in enumerate(states["names"])}
    return {
        "names": list(states["names"].values()),
        "initial": [number[fact] for fact in states["initial"]],
        "nodes": {
            node: [[number[fact] for fact in facts] for facts in changed] for node, changed in states["nodes"].items()
        },
    }


def _choice(round_number: int, choice: Line, used: _Names) -> list[Any]:
    arms = [[_short(arm[key]) for key in ARM] for arm in (_renamed(arm, used) for arm in choice["arms"])]
    return [round_number, *(choice[key] for key in CHOICE), arms]


def _renamed(line: Line, used: _Names) -> Line:
    return {**line, "action": used.number(line["action"], followed=line["followed"])}


def _columns(lines: Sequence[Line], keys: tuple[str, ...]) -> dict[str, list[Any]]:
    return {key: [_short(line[key]) for line in lines] for key in keys}


def _short(value: Any) -> Any:
    """Six digits are more than a picture can show, and flags are 0 and 1."""
    if isinstance(value, bool):
        return int(value)
    return float(f"{value:.6g}") if isinstance(value, float) else value
