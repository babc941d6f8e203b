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

    from banditplan._core import SearchResult, State, Task
    from banditplan.journal import Journal

    Line = dict[str, Any]
    Way = tuple[int, int, int]  # the number of a state, of the one before it, and the action between them

FORMAT = 3
MOST_VALUES = 10_000_000  # of variables that are looked at to find the facts of the states
MOST_CHANGES = 200_000


def text(task: Task, found: SearchResult, lines: str, journal: Journal) -> str:
    """The whole trace, from the lines that the core wrote."""
    body, _, last = lines.removesuffix("\n").rpartition("\n")
    nodes = [json.loads(line) for line in body.split("\n") if line.startswith('{"kind": "node"')]
    body, origins = _origins(body)
    parts = [_header(journal, found), *([body] if body else [])]
    if nodes:
        ways = origins or _ways(nodes)
        states = _found(task, ways)
        shown = [node for node in nodes if node["state"] in states]
        parts.append(_line(_states(task, shown, states)))
        parts += map(_line, _landmarks(task, shown, ways, states, in_full(journal.settings.search), found))
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


def _origins(body: str) -> tuple[str, list[Way]]:
    """The lines without the last one, if that tells how states are reached, and what it tells."""
    rest, _, last = body.rpartition("\n")
    if not last.startswith('{"kind": "origins"'):
        return body, []
    numbers = json.loads(last)["origins"]
    return rest, list(zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True))


def _ways(nodes: list[Line]) -> list[Way]:
    """Every state is reached from the state of the node above it."""
    state_of = {node["node"]: node["state"] for node in nodes}
    return [(node["state"], state_of[node["parent"]], node["action"]) for node in nodes if node["parent"] >= 0]


def _found(task: Task, ways: list[Way]) -> dict[int, State]:
    """The states by their numbers; of a huge task, the first ones."""
    states = {0: task.initial_state}
    for state, before, action in ways[: MOST_VALUES // max(len(task.domain_sizes), 1)]:
        if state not in states and before in states:
            states[state] = task.apply(states[before], task.action(action))
    return states


def _states(task: Task, nodes: list[Line], states: dict[int, State]) -> Line:
    """The facts of the first state, and what is different in each of the others."""
    first = [0, *accumulate(task.domain_sizes)]
    names = task.facts
    values = {node["node"]: states[node["state"]].values for node in nodes}
    used: set[int] = set()

    def facts(changed: dict[int, int]) -> list[int]:
        """Numbers of facts; a variable may have a value that is none."""
        found = [first[variable] + value for variable, value in changed.items()]
        found = [fact for fact in found if names[fact].startswith("(")]
        used.update(found)
        return found

    changes: dict[int, tuple[list[int], list[int]]] = {}
    total = 0
    for node in nodes:
        number, parent = node["node"], node["parent"]
        if parent not in values:
            continue
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


def _landmarks(
    task: Task, nodes: list[Line], ways: list[Way], states: dict[int, State], search: str, found: SearchResult
) -> Iterator[Line]:
    """Which landmarks are past and future along the way to each node, if the search counts them."""
    if "landmarks(" not in search:
        return
    deadline = monotonic() + 1 + 2 * (found.prepare_seconds or 0)
    try:
        graph = task.landmarks("landmarks(complete=True" in search, deadline=deadline)
    except LimitReached:
        return
    status = _core.LandmarkStatus(graph)
    numbers = {0: 0}
    status.start(0, task.initial_state)
    for state, before, action in ways:
        if state in states and state not in numbers:
            numbers[state] = len(numbers)
            status.evaluate(numbers[before], action, numbers[state], states[state], states[before])
    state_of = {node["node"]: node["state"] for node in nodes}
    changes = {}
    for node in nodes:
        if node["parent"] not in state_of:
            continue
        at, before = numbers[node["state"]], numbers[state_of[node["parent"]]]
        changes[node["node"]] = (
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
