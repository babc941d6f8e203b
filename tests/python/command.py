"""The real command in a process of its own: plainly, with streams closed, or on a terminal."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
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


class OnTerminal:
    """A command whose standard error is a terminal; killed at the end if it still runs."""

    def __init__(self, *arguments: str, cwd: Path, columns: int = 100) -> None:
        self._terminal, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self._out = cwd / "stdout.txt"
        # Who runs the tests may ignore Ctrl-C, and the command would inherit that.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            with self._out.open("wb") as out:
                self.process = subprocess.Popen(
                    [*COMMAND, *arguments], cwd=cwd, stdin=subprocess.DEVNULL, stdout=out, stderr=inner
                )
        finally:
            signal.signal(signal.SIGINT, before)
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
        """Ctrl-C; returns the seconds until the command was gone."""
        start = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        self.wait()
        return time.monotonic() - start

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
