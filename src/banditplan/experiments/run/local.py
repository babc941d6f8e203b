"""Slots on this machine: a process for each, fed and read over pipes."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
from collections import deque
from contextlib import suppress
from dataclasses import asdict

from banditplan.components.python_file import PythonFile
from banditplan.errors import InputError
from banditplan.experiments.run.job import Answer, Job, Outcome
from banditplan.own_process import command

MOST_DEATHS = 10


class SlotProcess:
    """A slot in a process of its own, which ends when this one does."""

    def __init__(self, code: tuple[PythonFile, ...]) -> None:
        self._process = subprocess.Popen(
            command("banditplan.experiments.run.slot"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        self._unread = b""
        self.given: deque[Job] = deque()
        self._send({"code": [asdict(file) for file in code]})

    def fileno(self) -> int:
        assert self._process.stdout is not None
        return self._process.stdout.fileno()

    def submit(self, job: Job) -> None:
        self.given.append(job)
        self._send(job)

    def answers(self) -> list[tuple[Job, Outcome]] | None:
        """What has been answered; waits until something is. None if the process has ended instead."""
        lines: list[bytes] = []
        while not lines:
            data = os.read(self.fileno(), 1 << 16)
            if not data:
                return None
            *lines, self._unread = (self._unread + data).split(b"\n")
        return [(self.given.popleft(), json.loads(line)["outcome"]) for line in lines]

    def end(self) -> None:
        """Let the process end, and all that it started."""
        assert self._process.stdin is not None
        self._process.stdin.close()

    def close(self) -> None:
        """End the process, and wait for that."""
        self.end()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def _send(self, message: object) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError, ValueError):  # it has ended or was told to, as reading will tell
            self._process.stdin.write((json.dumps(message) + "\n").encode())


class LocalSlots:
    """As many slots as asked for. One that dies is replaced, unless that happens again and again."""

    def __init__(self, count: int, code: tuple[PythonFile, ...]) -> None:
        self._code = code
        self._selector = selectors.DefaultSelector()
        self._slots: dict[int, SlotProcess] = {}
        self._deaths = 0  # since the last answer
        for number in range(count):
            self._start(number)

    def slots(self) -> list[int]:
        return list(self._slots)

    def submit(self, slot: int, job: Job) -> None:
        self._slots[slot].submit(job)

    def wait(self, seconds: float) -> list[Answer]:
        found: list[Answer] = []
        for ready, _ in self._selector.select(seconds):
            number: int = ready.data
            slot = self._slots[number]
            answers = slot.answers()
            if answers is None:
                self._deaths += 1
                if self._deaths > MOST_DEATHS:
                    raise InputError("the processes that make the runs end without an answer; is there enough memory?")
                found += [Answer(number, job["id"], None, begun=place == 0) for place, job in enumerate(slot.given)]
                self._stop(number)
                self._start(number)
            else:
                self._deaths = 0
                found += [Answer(number, job["id"], outcome) for job, outcome in answers]
        return found

    def close(self) -> None:
        for number in self.slots():
            self._stop(number)

    def _start(self, number: int) -> None:
        self._slots[number] = SlotProcess(self._code)
        self._selector.register(self._slots[number], selectors.EVENT_READ, number)

    def _stop(self, number: int) -> None:
        slot = self._slots.pop(number)
        self._selector.unregister(slot)
        slot.close()
