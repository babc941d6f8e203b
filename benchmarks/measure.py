"""What a command costs: CPU seconds and peak memory of a child process and its descendants, start-up included."""

from __future__ import annotations

import math
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

LAUNCHER = Path(__file__).with_name("launch.py")
WALL_PER_CPU = 5  # times the CPU limit


@dataclass(frozen=True, slots=True)
class Limits:
    cpu_seconds: float
    megabytes: int  # of address space
    wall_seconds: float | None = None  # without it, a run that makes no progress ends some time after its CPU limit

    @property
    def wall(self) -> float:
        return self.cpu_seconds * WALL_PER_CPU if self.wall_seconds is None else self.wall_seconds


@dataclass(frozen=True, slots=True)
class Run:
    status: str  # "ok", "time" or "failed"
    seconds: float  # user + system
    wall: float
    megabytes: float  # peak resident
    output: str
    error: str  # the line of the standard error stream that tells why it failed
    exit_code: int = 0


def measure(command: list[str], folder: str, limits: Limits, success: Collection[int] = (0,)) -> Run:
    """Run the command in the folder and wait for it; a run past its limits is a result, not an exception.

    `success` are the exit codes of a run that has done its work.
    """
    with tempfile.TemporaryDirectory() as scratch:
        report, out, err = (Path(scratch, name) for name in ("report", "out", "err"))
        launcher = [sys.executable, "-I", "-S", str(LAUNCHER), str(report)]
        numbers = [str(math.ceil(limits.cpu_seconds)), str(limits.megabytes)]
        with out.open("wb") as stdout, err.open("wb") as stderr:
            process = subprocess.Popen(
                [*launcher, *numbers, *command],
                cwd=folder,
                env=clean_environment(),
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                start_new_session=True,
            )
            finish(process, limits.wall)
        last_words = complaint(err.read_text(errors="replace"))
        return read_run(report, limits, success, out.read_text(errors="replace"), last_words)


def complaint(error: str) -> str:
    """The line with the exception, for messages that go on after it, or else the last line."""
    lines = [line.strip() for line in error.splitlines() if line.strip()]
    exceptions = [line for line in lines if re.match(r"[\w.]+(Error|Exception)\b", line)]
    return (exceptions or lines or [""])[-1]


def finish(process: subprocess.Popen[bytes], wall_limit: float) -> None:
    """Wait for the process; whatever is left of its group ends with it, also when we are interrupted."""
    try:
        with suppress(subprocess.TimeoutExpired):
            process.wait(wall_limit)
    finally:
        with suppress(ProcessLookupError):  # all of them have ended
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def read_run(report: Path, limits: Limits, success: Collection[int], output: str, error: str) -> Run:
    if not report.exists():  # the launcher was killed with its child
        return Run("time", math.nan, limits.wall, math.nan, output, error)
    exit_code, wall, seconds, peak = (float(number) for number in report.read_text().split())
    megabytes = peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    if exit_code in success:
        return Run("ok", seconds, wall, megabytes, output, "", int(exit_code))
    is_late = exit_code == -signal.SIGXCPU or seconds > 0.98 * limits.cpu_seconds
    status = "time" if is_late else "failed"
    return Run(status, seconds, wall, megabytes, output, error or f"exit code {exit_code:.0f}")


def measure_best(command: list[str], folder: str, limits: Limits, success: Collection[int], repeat: int | None) -> Run:
    """The run with the fewest CPU seconds of `repeat`; without it, of 3 for a run under a second and else of 1."""
    runs = [measure(command, folder, limits, success)]
    if repeat is None:
        repeat = 3 if runs[0].seconds < 1 else 1
    while runs[-1].status == "ok" and len(runs) < repeat:
        runs.append(measure(command, folder, limits, success))
    return min(runs, key=lambda run: (run.status != "ok", run.seconds))


def clean_environment() -> dict[str, str]:
    """Ours without the PYTHON* variables, which change how fast interpreters start."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
