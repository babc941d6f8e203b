"""What a person sees while the planner works: a line that moves on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import os
import sys
from time import monotonic

from banditplan._core import resident_memory_kb

SECONDS_BETWEEN_LINES = 10.0


class Display:
    """Writes to standard error; everything is silent if `quiet`."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._moving = not quiet and is_terminal()
        self._shown = False
        self._start = self._last_line = monotonic()
        self.best_cost: int | None = None  # of the plans so far, in anytime mode

    def stage(self, text: str) -> None:
        if self._moving:
            self._show(f"{text} …")

    def report(self, evaluations: int, expansions: int, best_h: int | None) -> None:
        if evaluations == 0:
            return  # the stage says more
        now = monotonic()
        if not self._moving and (self._quiet or now - self._last_line < SECONDS_BETWEEN_LINES):
            return
        self._last_line = now
        elapsed = max(now - self._start, 1e-9)
        best = "" if self.best_cost is None else f"best cost {self.best_cost}, "
        text = (
            f"{best}best h {'–' if best_h is None else best_h}, {evaluations:,} evaluations, "
            f"{expansions:,} expansions, {evaluations / elapsed:,.0f}/s, "
            f"{resident_memory_kb() / 1024:,.0f} MB, {elapsed:.0f} s"
        )
        if self._moving:
            self._show(text)
        else:
            say(text)

    def line(self, text: str) -> None:
        """A lasting line."""
        self.clear()
        if not self._quiet:
            say(text)

    def clear(self) -> None:
        if self._shown:
            write("\r\x1b[K")
            self._shown = False

    def _show(self, text: str) -> None:
        write(f"\r\x1b[K{text[: _columns() - 1]}")  # a line that wraps could not be cleared
        self._shown = True


def say(text: str) -> None:
    """Write a line to standard error."""
    write(f"{text}\n")


def write(text: str) -> None:
    """Write to standard error, wherever that leads."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):
        pass  # nobody listens; the work goes on


def is_terminal() -> bool:
    """Whether somebody may be watching standard error."""
    try:
        return sys.stderr.isatty()
    except (ValueError, AttributeError):
        return False


def _columns() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except (OSError, ValueError, AttributeError):
        return 80
