"""Limits of time and memory over a whole run, and what happens when one is reached."""

from __future__ import annotations

from time import monotonic

from banditplan._core import resident_memory_kb
from banditplan.errors import InputError
from banditplan.frozen import frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from banditplan.statuses import Status

_SECONDS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}
_KILOBYTES = {"": 1 / 1024, "b": 1 / 1024} | {
    f"{prefix}{rest}": 1024.0**power for power, prefix in enumerate("kmgt") for rest in ("", "b", "ib")
}

# More than anyone has; the clock and the operating system count no further than some hundred times that.
_MOST_SECONDS = 1e8
_MOST_KILOBYTES = 2.0**50


class LimitReached(Exception):
    """Work was ended by a limit; `status` is "time-limit" or "memory-limit"."""

    def __init__(self, status: Status) -> None:
        super().__init__(status)
        self.status = status


@frozen
class Limits:
    """One deadline (on the clock of `time.monotonic()`) and one memory limit for all stages of a run."""

    deadline: float | None
    memory_kb: int | None

    def check(self) -> None:
        """Raise LimitReached if a limit has been passed; for the seams between stages."""
        if self.deadline is not None and monotonic() >= self.deadline:
            raise LimitReached("time-limit")
        if self.memory_kb is not None and resident_memory_kb() > self.memory_kb:
            raise LimitReached("memory-limit")


def read_seconds(time_limit: float | str) -> float:
    """Seconds, or a text like "5m"; raises InputError."""
    return min(_amount(time_limit, _SECONDS, "time limit", "30s, 5m or 1h"), _MOST_SECONDS)


def read_memory(memory_limit: int | str) -> int:
    """Bytes, or a text like "2G", as kilobytes; raises InputError."""
    return int(min(_amount(memory_limit, _KILOBYTES, "memory limit", "500M or 2G"), _MOST_KILOBYTES))


def _amount(value: float | str, units: dict[str, float], what: str, examples: str) -> float:
    text = str(value).strip().lower()
    digits = text.rstrip("abcdefghijklmnopqrstuvwxyz ")
    unit = text[len(digits) :].strip()
    try:
        amount = float(digits) * units[unit]
    except (ValueError, KeyError):
        raise InputError(f"{what} {value!r}: expected a number with a unit, such as {examples}") from None
    if not 0 < amount < float("inf"):
        raise InputError(f"{what} {value!r}: must be positive")
    return amount


class Alarm:
    """Raises LimitReached in the main thread soon after the deadline, for stages that cannot look at the clock.

    The compiled core looks by itself and is a little ahead of the alarm. For the command line, which owns its process.
    """

    GRACE = 0.05

    def __init__(self, deadline: float | None) -> None:
        self._deadline = deadline

    def __enter__(self) -> None:
        if self._deadline is None:
            return
        import signal

        def ring(*_: object) -> None:
            raise LimitReached("time-limit")

        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, ring)
            signal.setitimer(signal.ITIMER_REAL, max(self._deadline - monotonic(), 0) + self.GRACE)

    def __exit__(self, *_: object) -> None:
        if self._deadline is None:
            return
        import signal

        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)


def cap_memory(memory_limit: int | str | None) -> None:
    """Let the operating system refuse this process more than the limit, where it can; for the command line."""
    if memory_limit is None:
        return
    kilobytes = read_memory(memory_limit)
    try:
        import resource

        with open("/proc/self/statm", encoding="ascii") as file:
            pages = [int(word) for word in file.read().split()]
        unused = (pages[0] - pages[1]) * resource.getpagesize()  # mapped, but not in memory
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        wanted = kilobytes * 1024 + unused
        resource.setrlimit(resource.RLIMIT_AS, (wanted if hard < 0 else min(wanted, hard), hard))
    except (ImportError, OSError, ValueError):
        pass  # the core still looks at the memory by itself
