"""In which order the runs are made: one seed of everything before the next seed, small tasks before large ones.

All runs of a turn on a task are one batch, which a slot works through with the task in memory. When no batch is left
to begin, idle slots help with the longest.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Sequence
from dataclasses import dataclass

from banditplan.experiments.define.experiment import Experiment
from banditplan.experiments.define.suites import Instance
from banditplan.experiments.runs import Key


@dataclass(slots=True)
class Batch:
    instance: Instance
    cells: deque[tuple[str, str, int]]  # algorithm, column and seed of what is still to be run


class Queue:
    """The runs of an experiment that are still to be made."""

    def __init__(self, experiment: Experiment, instances: Sequence[Instance], done: Container[Key]) -> None:
        self.total = 0  # runs of the experiment, done or not
        self.left = 0
        self._batches: deque[Batch] = deque()
        self._begun: list[Batch] = []
        smallest_first = sorted(instances, key=lambda instance: instance.size)
        for turn in range(len(experiment.seeds)):
            for instance in smallest_first:
                self._plan(experiment, instance, turn, done)

    def _plan(self, experiment: Experiment, instance: Instance, turn: int, done: Container[Key]) -> None:
        batch = Batch(instance, deque())
        for algorithm in experiment.algorithms:
            for seed in experiment.seeds_of(algorithm)[turn : turn + 1]:
                for column in experiment.columns:
                    self.total += 1
                    cell = (algorithm, column, seed)
                    if self._key(batch, cell) not in done:
                        batch.cells.append(cell)
        self.left += len(batch.cells)
        if batch.cells:
            self._batches.append(batch)

    def next(self, current: Batch | None) -> tuple[Batch, Key] | None:
        """What a slot whose last batch was `current` does next; None if nothing is left."""
        batch = current if current is not None and current.cells else self._begin()
        if batch is None:
            return None
        self.left -= 1
        return batch, self._key(batch, batch.cells.popleft())

    def put_back(self, batch: Batch, key: Key) -> None:
        """A run that was lost is to be made again."""
        batch.cells.appendleft((key.algorithm, key.column, key.seed))
        self.left += 1
        if batch not in self._begun:
            self._begun.append(batch)

    def _begin(self) -> Batch | None:
        if self._batches:
            self._begun.append(self._batches.popleft())
            return self._begun[-1]
        self._begun = [batch for batch in self._begun if batch.cells]
        return max(self._begun, key=lambda batch: len(batch.cells), default=None)

    @staticmethod
    def _key(batch: Batch, cell: tuple[str, str, int]) -> Key:
        algorithm, column, seed = cell
        return Key(algorithm, column, batch.instance.domain, batch.instance.name, seed)
