"""The process that holds a task (`loaded_task.py`), seen from the slot that forked it."""

from __future__ import annotations

import json
import os
from contextlib import suppress

from banditplan.experiments.run import process
from banditplan.experiments.run.job import Job, Outcome
from banditplan.experiments.run.loaded_task import Message, fork_loaded_task

TAIL = 4000  # bytes of output that are kept


class TaskProcess:
    def __init__(self, job: Job, names: dict[str, object]) -> None:
        self._task = _task(job)
        self._unread = b""
        self._tail = b""
        self.pid, self._commands, self.messages, self.output = fork_loaded_task(job, names)
        os.set_blocking(self.output, False)
        self._status: int | None = None
        self.loading = 0.0  # seconds
        self.failure: Outcome | None = None  # what every run on this task ends with, if it cannot be loaded

    def holds(self, job: Job) -> bool:
        return self._task == _task(job)

    def send(self, job: Job) -> None:
        with suppress(BrokenPipeError):  # it has ended, as its messages will tell
            os.write(self._commands, (json.dumps(job) + "\n").encode())

    def message(self) -> Message | None:
        """The next message that has arrived whole."""
        line, newline, rest = self._unread.partition(b"\n")
        if not newline:
            return None
        self._unread = rest
        message: Message = json.loads(line)
        return message

    def receive(self) -> bool:
        """Read what has arrived; False if there will be no more."""
        data = os.read(self.messages, 1 << 16)
        self._unread += data
        return bool(data)

    def read_output(self) -> None:
        with suppress(BlockingIOError):
            while data := os.read(self.output, 1 << 16):
                self._tail = (self._tail + data)[-TAIL:]

    def take_output(self) -> str:
        """The end of what was printed since the last call."""
        self.read_output()
        text, self._tail = self._tail.decode("utf-8", "replace").strip(), b""
        return text

    def kill(self) -> int:
        """Kill it, unless it has ended; returns how it ended, as of waitpid."""
        if self._status is None:
            process.kill_group(self.pid)
            _, self._status = os.waitpid(self.pid, 0)
        return self._status

    def close(self) -> None:
        self.kill()
        for pipe in (self._commands, self.messages, self.output):
            os.close(pipe)


def _task(job: Job) -> tuple[object, ...]:
    """What a loaded task depends on."""
    names = ("domain_file", "problem_file", "prune_mutex", "split", "time_limit", "memory_limit_kb")
    return tuple(job[name] for name in names)  # type: ignore[literal-required]
