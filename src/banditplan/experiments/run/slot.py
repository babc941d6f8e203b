"""A process that works on one run at a time and sees to it that the run keeps its limits: `python -m …slot`.

It reads lines of JSON from standard input, first `{"code": …}` and then jobs, and answers each job with its outcome
on standard output. When standard input ends, because its owner has finished or has died, all processes that were
started here end, too. The task of a run is kept (in a process of its own) for the runs to come.
"""

from __future__ import annotations

import json
import os
import platform
import select
import signal
import sys
from collections import deque
from datetime import datetime, timezone
from time import monotonic
from typing import Any, Literal, NoReturn

from banditplan.components import python_file
from banditplan.components.python_file import PythonFile
from banditplan.experiments.run import process
from banditplan.experiments.run.job import Job, Outcome
from banditplan.experiments.run.loaded_task import Message
from banditplan.experiments.run.task_process import TaskProcess
from banditplan.version import VERSION

GRACE = 0.5  # seconds in which a run should notice by itself that its time is up
MEMORY_GRACE = 1.05
MEMORY_PERIOD = 0.1  # seconds between looks at the memory

Overrun = Literal["killed-time", "killed-memory"]


class Gone(Exception):
    """The process that holds the task has ended."""


class Slot:
    def __init__(self, jobs: int, answers: int) -> None:
        self._jobs = jobs
        self._answers = answers
        self._unread = b""
        self._lines: deque[bytes] = deque()
        self._holder: TaskProcess | None = None

    def serve(self) -> NoReturn:
        code = json.loads(self._next_line())["code"]
        names = python_file.names(PythonFile(**file) for file in code)
        while True:
            job: Job = json.loads(self._next_line())
            self._answer({"id": job["id"], "outcome": self._outcome(job, names)})

    # ---- one job

    def _outcome(self, job: Job, names: dict[str, object]) -> Outcome:
        started = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
        if self._holder is None or not self._holder.holds(job):
            self._holder = self._loaded(job, names)
        fields = self._holder.failure or self._searched(self._holder, job)
        return {"started": started, "host": platform.node(), "version": VERSION, **fields}

    def _loaded(self, job: Job, names: dict[str, object]) -> TaskProcess:
        """A process with the task of the job, or one that has failed to load it and says why."""
        if self._holder is not None:
            self._holder.close()
        process.kill_strays(None)
        holder = TaskProcess(job, names)
        begin = monotonic()
        overrun: Overrun | None = None
        message: Message = {}
        try:
            arrived = self._next_message(holder, holder.pid, _deadline(job, begin), job["memory_limit_kb"])
            if isinstance(arrived, str):
                overrun = arrived
            else:
                message = arrived
        except Gone:
            pass
        holder.loading = monotonic() - begin
        if "failed" in message:
            holder.failure = {**message["failed"], "output": holder.take_output()}
        elif "loaded" not in message:
            holder.failure = _violent_end(holder.kill(), overrun, holder.loading, holder.take_output())
        return holder

    def _searched(self, holder: TaskProcess, job: Job) -> Outcome:
        """Let the holder make the run; what is known at its end, in whatever way it comes."""
        begin = monotonic()
        deadline = _deadline(job, begin - holder.loading)
        memory = job["memory_limit_kb"]
        run: int | None = None
        overrun: Overrun | None = None
        fields: Outcome | None = None
        status: int | None = None
        holder.send(job)
        try:
            while status is None:
                message = self._next_message(holder, run, deadline, memory)
                if isinstance(message, str):
                    if overrun:
                        raise Gone  # killed a second ago, and nobody has said that it is dead
                    overrun, deadline, memory = message, monotonic() + 1, None
                    process.kill_group(run or holder.pid)
                    continue
                run = message.get("pid", run)
                fields = message.get("result", fields)
                status = message.get("ended")
        except Gone:
            status = holder.kill()
            self._holder = None
        process.kill_strays(holder.pid)  # what the run has started and left
        output = holder.take_output()
        if self._holder is None:
            holder.close()
        if fields is None:
            return _violent_end(status, overrun, holder.loading + monotonic() - begin, output)
        return fields if fields["exit"] == "ok" else {**fields, "output": output}

    # ---- waiting

    def _next_line(self) -> bytes:
        while not self._lines:
            self._read_jobs()
        return self._lines.popleft()

    def _next_message(
        self, holder: TaskProcess, watched: int | None, deadline: float | None, memory_kb: int | None
    ) -> Message | Overrun:
        """What the holder says next, unless the watched process is over a limit first. Raises Gone."""
        while (message := holder.message()) is None:
            now = monotonic()
            if deadline is not None and now >= deadline:
                return "killed-time"
            if memory_kb is not None and watched and process.resident_kb(watched) > memory_kb * MEMORY_GRACE:
                return "killed-memory"
            left = None if deadline is None else deadline - now
            period = left if memory_kb is None else min(MEMORY_PERIOD, left or MEMORY_PERIOD)
            ready, _, _ = select.select([self._jobs, holder.messages, holder.output], [], [], period)
            if holder.output in ready:
                holder.read_output()
            if holder.messages in ready and not holder.receive():
                raise Gone
            if self._jobs in ready:
                self._read_jobs()
        return message

    def _read_jobs(self) -> None:
        data = os.read(self._jobs, 1 << 16)
        if not data:
            self._leave()
        *lines, self._unread = (self._unread + data).split(b"\n")
        self._lines += lines

    def _answer(self, answer: dict[str, Any]) -> None:
        data = (json.dumps(answer) + "\n").encode()
        try:
            while data:
                data = data[os.write(self._answers, data) :]
        except BrokenPipeError:
            self._leave()

    def _leave(self) -> NoReturn:
        """End all that was started here, and this process."""
        for pid in process.children(os.getpid()):
            for run in process.children(pid):
                process.kill_group(run)
        if self._holder is not None:
            self._holder.close()
        process.kill_strays(None)
        os._exit(0)


def _deadline(job: Job, begin: float) -> float | None:
    return None if job["time_limit"] is None else begin + job["time_limit"] + GRACE


def _violent_end(status: int, overrun: Overrun | None, seconds: float, output: str) -> Outcome:
    """The outcome of a run that could not speak for itself."""
    code = os.waitstatus_to_exitcode(status)
    known = {"total_seconds": round(seconds, 6), "output": output}
    if overrun is not None:
        reached = "time-limit" if overrun == "killed-time" else "memory-limit"
        return {**known, "status": reached, "exit": overrun}
    if code < 0:
        how, ending = "signal", f"ended by signal {-code} ({signal.Signals(-code).name})"
    else:
        how, ending = "error", f"ended with exit code {code} and without a result"
    return {**known, "status": "crash", "exit": how, "output": f"{output}\n{ending}".strip()}


def main() -> NoReturn:
    process.adopt_orphans()
    answers = os.dup(1)
    os.dup2(2, 1)  # nothing that is printed by accident may disturb the answers
    sys.stdout = sys.stderr
    Slot(0, answers).serve()


if __name__ == "__main__":
    main()
