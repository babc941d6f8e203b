"""What a person sees of an experiment: a table that moves on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import os
import sys
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from time import monotonic

from banditplan.cli.display import is_terminal, say, write
from banditplan.experiments.define.experiment import Experiment
from banditplan.experiments.runs import Run

SECONDS_BETWEEN_LINES = 30.0
SECONDS_BETWEEN_TABLES = 0.3
MOST_FAILURES = 20  # shown; the ledger has them all
RECENT = 60.0  # seconds over which the rate is measured


class Progress:
    """Writes to standard error."""

    def __init__(self, experiment: Experiment, *, quiet: bool) -> None:
        self._experiment = experiment
        self._quiet = quiet
        self._moving = not quiet and is_terminal()
        self._height = 0  # lines on the screen that will be written again
        self._total = self._left = self._failures = 0
        self._runs: Counter[tuple[str, str]] = Counter()
        self._solved: Counter[tuple[str, str]] = Counter()
        self._begin = self._last_line = monotonic()
        self._recent: deque[tuple[float, int]] = deque()

    def begin(self, total: int, left: int, tally: Mapping[tuple[str, str], tuple[int, int]]) -> None:
        self._total, self._left = total, left
        for cell, (runs, solved) in tally.items():
            self._runs[cell], self._solved[cell] = runs, solved
        self._recent.append((monotonic(), left))
        done = f", {total - left:,} of them already in the ledger" if left < total else ""
        self.line(f"experiment {self._experiment.name}: {total:,} runs{done}")

    def add(self, runs: Sequence[Run]) -> None:
        """Some runs have ended, or time has passed."""
        for run in runs:
            cell = (run.key.algorithm, run.key.column)
            self._runs[cell] += 1
            self._solved[cell] += run.solved
            self._left -= 1
            if run.failed:
                self._failures += 1
                if self._failures <= MOST_FAILURES:
                    self.line(_failure(run))
        now = monotonic()
        self._recent.append((now, self._left))
        while len(self._recent) > 2 and now - self._recent[0][0] > RECENT:
            self._recent.popleft()
        if self._moving:
            if now - self._last_line >= SECONDS_BETWEEN_TABLES:
                self._last_line = now
                self._show()
        elif now - self._last_line >= SECONDS_BETWEEN_LINES:
            self._last_line = now
            self.line(self._status())

    def end(self) -> None:
        self._clear()
        self.line(self._status())
        for line in self._table():
            self.line(line)

    def line(self, text: str) -> None:
        """A lasting line."""
        self._clear()
        if not self._quiet:
            say(text)

    def _status(self) -> str:
        done = self._total - self._left
        share = f"{done:,} of {self._total:,} runs ({100 * done // max(self._total, 1)} %)"
        failures = f", {self._failures:,} failed" if self._failures else ""
        elapsed = _duration(monotonic() - self._begin)
        if not self._left:
            return f"{share} in {elapsed}{failures}"
        (begin, before), (end, after) = self._recent[0], self._recent[-1]
        rate = (before - after) / (end - begin) if end > begin else 0.0
        left = f", {rate:.1f}/s, {_duration(self._left / rate)} left at this rate" if rate else ""
        return f"{share} in {elapsed}{left}{failures}"

    def _table(self) -> list[str]:
        """Solved of ended runs, per algorithm and column."""
        columns = list(self._experiment.columns)
        rows = [["solved/runs", *columns]]
        for algorithm in self._experiment.algorithms:
            cells = [(algorithm, column) for column in columns]
            rows.append([algorithm, *(f"{self._solved[cell]}/{self._runs[cell]}" for cell in cells)])
        widths = [max(len(row[number]) for row in rows) for number in range(len(rows[0]))]
        return ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows]

    def _show(self) -> None:
        width, height = _screen()
        lines = [self._status(), *self._table()][: height - 1]
        self._clear()
        for line in lines:
            say(line[: width - 1])
        self._height = len(lines)

    def _clear(self) -> None:
        if self._height:
            write(f"\x1b[{self._height}A\x1b[J")
            self._height = 0


def _failure(run: Run) -> str:
    key = run.key
    what = f"{run.status} ({run.exit})" if run.exit != "ok" else run.status
    cell = f"{key.algorithm}, {key.column}, {key.domain}/{key.instance}, seed {key.seed}"
    return f"failed: {cell}: {what}: {run.complaint[:200]}"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(int(seconds + 0.5), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def _screen() -> tuple[int, int]:
    try:
        size = os.get_terminal_size(sys.stderr.fileno())
        return size.columns or 80, size.lines or 24
    except (OSError, ValueError):
        return 80, 24
