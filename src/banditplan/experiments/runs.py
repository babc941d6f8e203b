"""One run of an experiment: what was asked, and what came of it. The ledger keeps these, the report reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Exit = Literal["ok", "killed-time", "killed-memory", "signal", "error"]


@dataclass(frozen=True, slots=True, order=True)
class Key:
    """What makes a run one of its kind within an experiment.

    `algorithm` is a row of the paper's table (`gbfs`, `guct-normal2`, `guct(c=0.5)`), `column` the rest of the
    configuration (`ff`, `hadd`, `hmax`, `gc`, `ff+po`, `ff+de`, `ff+de+po`).
    """

    algorithm: str
    column: str
    domain: str
    instance: str
    seed: int


@dataclass(frozen=True, slots=True)
class Run:
    """A run that has ended, in whatever way.

    `status` is that of `Result`, or `crash`. `exit` says how the process ended: by itself, killed at a limit that it
    did not keep, by a signal, or with an error; `output` is the tail of what it printed, if that is of interest.
    Numbers are None where the run did not get far enough to have them. Seconds are of the wall clock.
    """

    key: Key
    search: str  # the whole text of the search
    status: str
    exit: Exit
    output: str
    valid: bool | None
    plan_length: int | None
    plan_cost: int | None
    evaluations: int | None
    inserted: int | None
    expansions: int | None
    generated: int | None
    dead_ends: int | None
    initial_h: int | None
    best_h: int | None
    search_seconds: float | None
    total_seconds: float | None
    peak_memory_kb: int | None
    actions: int | None  # of the ground task
    prune_mutex: bool
    max_evaluations: int | None
    max_expansions: int | None
    time_limit: float | None
    memory_limit_kb: int | None
    host: str
    version: str
    started: str  # ISO 8601, UTC

    @property
    def solved(self) -> bool:
        """Whether the question was answered: by a plan, or by the proof that there is none."""
        return self.status in ("solved", "unsolvable")

    @property
    def complaint(self) -> str:
        """What went wrong, in a line: the message of the error, not what surrounds it."""
        lines = self.output.strip().splitlines()
        for number in reversed(range(len(lines))):
            if lines[number].startswith("error: "):
                return lines[number].removeprefix("error: ")
            if lines[number].startswith("Traceback "):
                return next((line for line in lines[number + 1 :] if line[:1].strip()), lines[-1])
        return lines[-1] if lines else ""

    @property
    def failed(self) -> bool:
        """Whether the run ended in a way that nothing explains: neither a plan, a proof, nor a limit."""
        return self.exit in ("signal", "error") or self.status in ("error", "crash") or self.valid is False
