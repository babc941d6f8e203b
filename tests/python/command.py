"""The real command in a process of its own: plainly, with streams closed, or on a terminal."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import resource
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

COMMAND = [sys.executable, "-m", "banditplan"]
Done = subprocess.CompletedProcess[str]


def run(*arguments: str, cwd: Path, timeout: float = 60, env: dict[str, str] | None = None) -> Done:
    return subprocess.run(
        [*COMMAND, *arguments],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=timeout,
        env={**os.environ, **(env or {})},
    )


def run_redirected(redirection: str, *arguments: str, cwd: Path) -> Done:
    """As a shell starts it, for instance with `>&-`."""
    return subprocess.run(
        ["sh", "-c", f'exec "$@" {redirection}', "sh", *COMMAND, *arguments],
        cwd=cwd,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )


def children_cpu() -> float:
    """The CPU seconds of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def resident_kb(code: str) -> int:
    """The memory that a process takes after the code."""
    show = "\nfrom banditplan._core import resident_memory_kb; print(resident_memory_kb())"
    done = subprocess.run([sys.executable, "-c", code + show], capture_output=True, text=True, check=True)
    return int(done.stdout)


class OnTerminal:
    """A command whose standard error is a terminal; killed at the end if it still runs."""

    def __init__(self, *arguments: str, cwd: Path, columns: int = 100) -> None:
        self._terminal, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self._out = cwd / "stdout.txt"
        self._others = children_cpu()
        with self._out.open("wb") as out:
            self.process = subprocess.Popen(
                [*COMMAND, *arguments], cwd=cwd, stdin=subprocess.DEVNULL, stdout=out, stderr=inner
            )
        os.close(inner)
        self._bytes = b""

    def __enter__(self) -> OnTerminal:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._terminal)

    @property
    def screen(self) -> str:
        """All that was written to the terminal so far."""
        return self._bytes.decode("utf-8", "replace")

    @property
    def stdout(self) -> str:
        return self._out.read_text(encoding="utf-8")

    def wait_for(self, text: str, timeout: float = 30) -> None:
        end = time.monotonic() + timeout
        while text not in self.screen:
            assert self._read(end), f"{text!r} was not shown; the terminal has {self.screen!r}"

    def interrupt(self) -> float:
        """Ctrl-C; returns the CPU seconds until the command was gone."""
        ticks = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        before = sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")
        self.process.send_signal(signal.SIGINT)
        self.wait()
        return children_cpu() - self._others - before

    def wait(self, timeout: float = 120) -> int:
        end = time.monotonic() + timeout
        while self._read(end):
            pass
        return self.process.wait(max(end - time.monotonic(), 0.1))

    def _read(self, end: float) -> bool:
        ready, _, _ = select.select([self._terminal], [], [], max(end - time.monotonic(), 0))
        data = b""
        if ready:
            with contextlib.suppress(OSError):  # how Linux tells the end of a terminal
                data = os.read(self._terminal, 1 << 16)
        self._bytes += data
        return bool(data)
