"""A real server in a process of its own, and the processes that it starts."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from command import COMMAND

from banditplan import examples


class Serving:
    """`banditplan serve`, or another command that serves, on a free port; ended with the block."""

    def __init__(
        self,
        *options: str,
        folder: Path,
        env: dict[str, str] | None = None,
        words: tuple[str, ...] = ("serve",),
    ) -> None:
        self.log = folder / "server.log"
        self._out = self.log.open("w+")
        self.process = subprocess.Popen(
            [*COMMAND, *words, "--port", "0", *options],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stderr=self._out,
            env={**os.environ, **(env or {})},
        )
        wait_for(lambda: "http://" in self.said or self.process.poll() is not None)
        found = re.search(r"http://[^/\s]+", self.said)
        assert found, self.said
        self.url = found[0]

    def __enter__(self) -> Serving:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        finally:
            self.process.kill()
            self.process.wait()
            self._out.close()

    @property
    def said(self) -> str:
        return self.log.read_text(encoding="utf-8")

    @property
    def workers(self) -> set[int]:
        """The processes that this server has started and that still exist, also if the server does not."""
        return workers(self.process.pid)

    @property
    def memory_kb(self) -> int:
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0])


def workers(server: int | None = None) -> set[int]:
    """The processes that solve, whoever started them, or this server alone."""
    found = set()
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = Path(f"/proc/{entry}/cmdline").read_bytes().decode("utf-8", "replace").split("\0")[:-1]
        except OSError:
            continue
        if any("'banditplan.server.worker'" in word for word in words) and server in (None, int(words[-1])):
            found.add(int(entry))
    return found


def wait_for(condition: Callable[[], object], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


def example(name: str) -> dict[str, str]:
    domain, problem = (Path(path).read_text(encoding="utf-8") for path in examples.paths(name))
    return {"domain": domain, "problem": problem}
