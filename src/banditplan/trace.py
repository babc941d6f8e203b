"""The trace of a search: the core writes its lines; this module adds whose they are, the facts of the states that are
shown, the status of their landmarks, and what became of the plan. See docs/trace.md."""

from __future__ import annotations

import json
from itertools import accumulate
from time import monotonic

from banditplan import _core
from banditplan.components import in_full
from banditplan.limits import LimitReached
from banditplan.version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from banditplan._core import GroundAction, SearchResult, State, Task
    from banditplan.journal import Journal

    Line = dict[str, Any]
    Reached = list[tuple[int, int, "GroundAction | None", State]]  # number, parent, action, state

FORMAT = 2
MOST_VALUES = 10_000_000  # of variables that are looked at to find the facts of the states
MOST_CHANGES = 200_000


def text(task: Task, found: SearchResult, lines: str, journal: Journal) -> str:
    """The whole trace, from the lines that the core wrote."""
    body, _, last = lines.removesuffix("\n").rpartition("\n")
    nodes = [json.loads(line) for line in body.split("\n") if line.startswith('{"kind": "node"')]
    reached = _reached(task, nodes)
    parts = [_header(journal, found), *([body] if body else [])]
    if reached:
        parts.append(_line(_states(task, reached)))
        parts += map(_line, _landmarks(task, reached, in_full(journal.settings.search), found))
    end = json.loads(last) | {"plan_length": None if journal.plan is None else len(journal.plan)}
    return "\n".join([*parts, _line(end | {"plan_cost": journal.plan_cost})]) + "\n"


def _line(fields: Line) -> str:
    return json.dumps(fields)


def _header(journal: Journal, found: SearchResult) -> str:
    fields = {
        "kind": "header",
        "format": FORMAT,
        "version": VERSION,
        "search": repr(journal.settings.search),
        "algorithm": str(journal.settings.search),
        "seed": journal.settings.seed,
        "domain": journal.domain,
        "problem": journal.problem,
        "initial_h": found.initial_h,
        "reasons": journal.reasons,
    }
    return _line(fields)


def _reached(task: Task, nodes: list[Line]) -> Reached:
    """The states of the nodes, by the actions on their ways; of a huge task, those of the first nodes."""
    states: dict[int, State] = {}
    reached: Reached = []
    for node in nodes[: MOST_VALUES // max(len(task.domain_sizes), 1) + 1]:
        number, parent = node["node"], node["parent"]
        action = None if parent < 0 else task.action(node["action"])
        states[number] = task.initial_state if action is None else task.apply(states[parent], action)
        reached.append((number, parent, action, states[number]))
    return reached


def _states(task: Task, reached: Reached) -> Line:
    """The facts of the first state, and what is different in each of the others."""
    first = [0, *accumulate(task.domain_sizes)]
    names = task.facts
    values = {number: state.values for number, _, _, state in reached}
    used: set[int] = set()

    def facts(changed: dict[int, int]) -> list[int]:
        """Numbers of facts; a variable may have a value that is none."""
        found = [first[variable] + value for variable, value in changed.items()]
        found = [fact for fact in found if names[fact].startswith("(")]
        used.update(found)
        return found

    changes: dict[int, tuple[list[int], list[int]]] = {}
    total = 0
    for number, parent, _, _ in reached[1:]:
        before, after = values[parent], values[number]
        changed = [variable for variable, value in enumerate(after) if value != before[variable]]
        total += len(changed)
        if total > MOST_CHANGES:
            break
        changes[number] = facts({v: after[v] for v in changed}), facts({v: before[v] for v in changed})
    initial = facts(dict(enumerate(values[0])))
    return {
        "kind": "states",
        "names": {fact: names[fact] for fact in sorted(used)},
        "initial": initial,
        "nodes": changes,
    }


def _landmarks(task: Task, reached: Reached, search: str, found: SearchResult) -> Iterator[Line]:
    """Which landmarks are past and future along the way to each node, if the search counts them."""
    if "landmarks(" not in search:
        return
    deadline = monotonic() + 1 + 2 * (found.prepare_seconds or 0)
    try:
        graph = task.landmarks("landmarks(complete=True" in search, deadline=deadline)
    except LimitReached:
        return
    status = _core.LandmarkStatus(graph)
    numbers = {number: i for i, (number, *_) in enumerate(reached)}
    states = {number: state for number, _, _, state in reached}
    status.start(0, task.initial_state)
    changes = {}
    for number, parent, action, state in reached[1:]:
        assert action is not None
        at, before = numbers[number], numbers[parent]
        status.evaluate(before, action.id, at, state, states[parent])
        changes[number] = (
            *_new(status.past, before, at),
            *_new(status.future, at, before),
            *_new(status.future, before, at),
        )
    yield {
        "kind": "landmarks",
        "landmarks": [{"facts": landmark.facts, "goal": landmark.goal} for landmark in graph.landmarks],
        "initial": [status.past(0), status.future(0)],
        "nodes": changes,
    }


def _new(members: Callable[[int], list[int]], before: int, after: int) -> tuple[list[int]]:
    """What is in the set after, and was not in the one before."""
    known = set(members(before))
    return ([landmark for landmark in members(after) if landmark not in known],)
