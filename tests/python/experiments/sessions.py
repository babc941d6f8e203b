"""Experiments run by the real command in processes of their own, with a mark by which all their processes are known."""

from __future__ import annotations

import os
import signal
import subprocess
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from command import COMMAND

from banditplan.experiments.ledger import FILE, Ledger
from banditplan.experiments.runs import Key, Run

MARK = "BANDITPLAN_TEST_MARK"
PATIENCE = 60.0  # seconds after which something that should happen did not


class Session:
    """`banditplan experiment run …` under way; ended at the latest with the test."""

    def __init__(self, *arguments: str, cwd: Path) -> None:
        self.mark = uuid.uuid4().hex
        self.process = subprocess.Popen(
            [*COMMAND, "experiment", "run", *arguments],
            cwd=cwd,
            env={**os.environ, MARK: self.mark},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()
        for pid in self.processes():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def end(self) -> tuple[int, str]:
        """The exit code and what was said."""
        _, said = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, said

    def processes(self, word: str = "") -> list[int]:
        """All that carry the mark, the command itself excepted; with a word, those whose command line has it."""
        return [pid for pid in marked(self.mark) if pid != self.process.pid and word in _read(pid, "cmdline")]


def marked(mark: str) -> list[int]:
    pids = (int(name) for name in os.listdir("/proc") if name.isdigit())
    return [pid for pid in pids if f"{MARK}={mark}" in _read(pid, "environ")]


def _read(pid: int, what: str) -> str:
    try:
        return Path(f"/proc/{pid}/{what}").read_text(errors="replace").replace("\0", " ")
    except OSError:  # gone, or not ours
        return ""


def eventually(true: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, f"not within {PATIENCE:.0f} s: {what}"
        time.sleep(0.01)


def made(folder: Path) -> int:
    """How many runs the ledger has."""
    if not (folder / FILE).is_file():
        return 0
    try:
        with Ledger.open(folder) as ledger:
            return sum(runs for runs, _ in ledger.tally().values())
    except Exception:  # it is being made
        return 0


def timeless(folder: Path) -> dict[Key, Run]:
    """The runs without what differs from one time to the next; fails if one is there twice."""
    with Ledger.open(folder) as ledger:
        runs = ledger.runs()
    found = {
        run.key: replace(run, search_seconds=None, total_seconds=None, peak_memory_kb=None, started="") for run in runs
    }
    assert len(found) == len(runs)
    return found
