"""States as graphs of objects and facts, for graph networks: the same for all problems of a domain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from banditplan.data.dataset import Encoding
from banditplan.data.extra import numpy
from banditplan.errors import InputError
from banditplan.replacing import changing

if TYPE_CHECKING:
    from banditplan._core import States, Task

TRUE, GOAL, STATIC = 1, 2, 4


@dataclass(frozen=True, eq=False)
class Graphs:
    """The graphs of some states, one after the other.

    A node is an object or a fact that is true or a goal. `labels` gives what it is, an index into `vocabulary`: first
    the types, of objects, then the predicates, of facts. `flags` adds, for facts, 1 if it is true, 2 if it is a goal, 4
    if it never changes. An edge leads from a fact to each of its objects: `edges` has two rows, of facts and of
    objects, and `positions` tells which argument it is, from 0. `graph_of` is the number of the state of each node.
    """

    vocabulary: tuple[str, ...]
    labels: Any
    flags: Any
    edges: Any
    positions: Any
    graph_of: Any


def object_graphs(task: Task, states: States | Any, *, static: bool = True) -> Graphs:
    """The graphs of a batch of states, or of an array of their values; `static`: with the facts that never change."""
    if task.origin is None:
        raise InputError("object graphs: this task was not made by load")
    return _Builder(task, static).graphs(states)


class _Builder:
    def __init__(self, task: Task, static: bool) -> None:
        np = numpy()
        parsed = task.origin.parsed
        self._encoding = Encoding(task)
        types = tuple(dict.fromkeys(["object", *(each.name for each in parsed.domain.types)]))
        predicates = tuple(each.name for each in parsed.domain.predicates)
        self._vocabulary = (*types, *predicates)
        label = {name: number for number, name in enumerate(types)}
        self._label = {name: len(types) + number for number, name in enumerate(predicates)}
        objects = (*parsed.domain.constants, *parsed.problem.objects)
        self._objects = {each.name: number for number, each in enumerate(objects)}
        self._object_labels = np.array([label.get(each.types[0], 0) for each in objects], dtype=np.int32)
        fluent = changing(parsed)
        self._goals = {fact for fact in task.goal if self._known(fact)}
        self._fixed: dict[str, int] = {}
        if static:
            for atom in parsed.problem.init:
                if atom.predicate not in fluent:
                    self._fixed[f"({' '.join((atom.predicate, *atom.arguments))})"] = TRUE | STATIC
        self._facts = [name if self._known(name) else None for name in self._encoding.fact_names]

    def _known(self, fact: str) -> bool:
        """Whether it is a fact of the problem, and none that normalisation made up."""
        return fact.startswith("(") and fact[1:-1].split()[0] in self._label

    def graphs(self, states: States | Any) -> Graphs:
        np = numpy()
        labels, flags, graph_of = [], [], []
        sources: list[int] = []
        targets: list[int] = []
        positions: list[int] = []
        begin = 0
        for number, ids in enumerate(self._encoding.fact_ids(states)):
            nodes = dict.fromkeys(self._goals, GOAL)
            for fact in (self._facts[fact] for fact in ids):
                if fact is not None:
                    nodes[fact] = nodes.get(fact, 0) | TRUE
            for fact, flag in self._fixed.items():
                nodes[fact] = nodes.get(fact, 0) | flag
            labels.append(self._object_labels)
            flags.append(np.zeros(len(self._objects), dtype=np.int32))
            node = begin + len(self._objects)
            fact_labels = []
            for fact in nodes:
                predicate, *arguments = fact[1:-1].split()
                fact_labels.append(self._label[predicate])
                for position, name in enumerate(arguments):
                    sources.append(node)
                    targets.append(begin + self._objects[name])
                    positions.append(position)
                node += 1
            labels.append(np.array(fact_labels, dtype=np.int32))
            flags.append(np.array(list(nodes.values()), dtype=np.int32))
            graph_of.append(np.full(node - begin, number, dtype=np.int32))
            begin = node
        empty = np.zeros(0, dtype=np.int32)
        return Graphs(
            self._vocabulary,
            np.concatenate(labels or [empty]),
            np.concatenate(flags or [empty]),
            np.array([sources, targets], dtype=np.int64),
            np.array(positions, dtype=np.int32),
            np.concatenate(graph_of or [empty]),
        )
