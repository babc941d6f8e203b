"""The loop of an experiment: hand runs to slots, keep what comes back in the ledger, show how it goes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from banditplan.experiments.define.experiment import Experiment
from banditplan.experiments.define.suites import Instance
from banditplan.experiments.ledger import Ledger
from banditplan.experiments.run.job import Answer, Job, ended, lost, make_job
from banditplan.experiments.run.progress import Progress
from banditplan.experiments.run.queue import Batch, Queue
from banditplan.experiments.runs import Key, Run

MOST_LOSSES = 3  # a run that ends the slot that makes it is tried so often
REFRESH = 0.5  # seconds between two looks at the display


class Slots(Protocol):
    """Where runs are made, one at a time per slot, on this machine or others."""

    def slots(self) -> Sequence[int]: ...

    def submit(self, slot: int, job: Job) -> None: ...

    def wait(self, seconds: float) -> list[Answer]:
        """Answers, as soon as there are any; after the seconds, none."""

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Given:
    """A run that a slot has been given."""

    slot: int
    batch: Batch
    key: Key
    job: Job


class Runner:
    def __init__(
        self, experiment: Experiment, instances: Sequence[Instance], ledger: Ledger, slots: Slots, progress: Progress
    ) -> None:
        self._experiment = experiment
        self._ledger = ledger
        self._slots = slots
        self._progress = progress
        self._queue = Queue(experiment, instances, ledger.keys())
        self._given: dict[int, Given] = {}
        self._busy: Counter[int] = Counter()
        self._batches: dict[int, Batch] = {}
        self._losses: Counter[Key] = Counter()
        self._jobs = 0

    def run(self) -> None:
        """Make all runs that the ledger does not have."""
        self._progress.begin(self._queue.total, self._queue.left, self._ledger.tally())
        while self._queue.left or self._given:
            self._hand_out()
            answers = self._slots.wait(REFRESH)
            runs = [run for answer in answers if (run := self._ended(answer)) is not None]
            if runs:
                self._ledger.add(runs)
            self._progress.add(runs)
        self._progress.end()

    def _hand_out(self) -> None:
        slots = self._slots.slots()
        # A second run waits at each slot, so that none is ever idle; but not when it could wait longer than elsewhere.
        most = 2 if self._queue.left > 2 * len(slots) else 1
        for depth in range(1, most + 1):
            for slot in slots:
                if self._busy[slot] < depth:
                    self._hand(slot)

    def _hand(self, slot: int) -> None:
        found = self._queue.next(self._batches.get(slot))
        if found is None:
            return
        batch, key = found
        self._jobs += 1
        job = make_job(self._jobs, self._experiment, key, batch.instance)
        self._given[self._jobs] = Given(slot, batch, key, job)
        self._batches[slot] = batch
        self._busy[slot] += 1
        self._slots.submit(slot, job)

    def _ended(self, answer: Answer) -> Run | None:
        given = self._given.pop(answer.job)
        self._busy[given.slot] -= 1
        if answer.outcome is not None:
            return ended(given.key, given.job, answer.outcome)
        self._losses[given.key] += answer.begun
        if self._losses[given.key] >= MOST_LOSSES:
            return ended(given.key, given.job, lost(MOST_LOSSES))
        self._queue.put_back(given.batch, given.key)
        return None
