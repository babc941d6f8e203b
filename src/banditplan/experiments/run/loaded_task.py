"""A process that holds one task, loaded once, and forks a process for every run on it.

It is forked by a slot, which talks to it over two pipes, watches over its time and memory and kills it or the run if
need be. To the slot it sends lines of JSON: `loaded` or `failed` first; for each run `pid`, `result` (from the run
itself, which may not get that far) and `ended`.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
from datetime import datetime, timezone
from importlib import import_module
from time import monotonic
from typing import TypedDict

from banditplan import _core
from banditplan.components.spec import parse_search
from banditplan.errors import InputError
from banditplan.experiments.run import process
from banditplan.experiments.run.job import OUTCOME, Job, Outcome
from banditplan.journal import Journal
from banditplan.limits import LimitReached, cap_memory
from banditplan.pipeline import load, solve
from banditplan.result import Result
from banditplan.settings import settings
from banditplan.task_input import from_pddl

for needed in (
    "ast",
    "traceback",
    "banditplan.validation",
):  # by all runs, which import them late and would do so one by one
    import_module(needed)


class Message(TypedDict, total=False):
    loaded: bool
    failed: Outcome
    pid: int
    result: Outcome
    ended: int  # as of waitpid


class LoadedTask:
    """The task of a job in this process, which does not return to its caller: `serve` ends it."""

    def __init__(self, commands: int, messages: int, output: int, names: dict[str, object]) -> None:
        self._commands = commands
        self._messages = messages
        self._names = names
        for stream in (1, 2):
            os.dup2(output, stream)
        # Only now: what Python had buffered belongs to the parent.
        sys.stdout = os.fdopen(1, "w", buffering=1, errors="backslashreplace")
        sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace")

    def serve(self, first: Job) -> None:
        task, seconds = self._load(first)
        if task is None:
            return
        peak = _core.peak_memory_kb()
        gc.freeze()  # what is here stays; collections in the runs need not touch, and thereby copy, it
        self._send({"loaded": True})
        for line in os.fdopen(self._commands, encoding="utf-8"):
            job: Job = json.loads(line)
            me = os.getpid()
            pid = os.fork()
            if pid == 0:
                os.setpgid(0, 0)
                process.die_with(me)
                os.close(self._commands)
                self._run(task, job, seconds, peak)
                os._exit(0)
            self._send({"pid": pid})
            self._send({"ended": process.wait_for_group(pid)})

    def _load(self, job: Job) -> tuple[_core.Task | None, float]:
        start = monotonic()
        cap_memory(_bytes(job))
        journal = Journal(
            settings(
                time_limit=job["time_limit"],
                memory_limit=_bytes(job),
                prune_mutex=job["prune_mutex"],
                split=job["split"],
                owns_process=True,
            )
        )
        status, ending = "error", "error"
        try:
            return load(from_pddl(job["domain_file"], job["problem_file"]), journal), monotonic() - start
        except LimitReached as reached:
            status, ending = reached.status, "ok"
        except MemoryError:
            status, ending = "memory-limit", "ok"
        except InputError as error:
            print(f"error: {error}", file=sys.stderr)
        except BaseException:
            _print_traceback()
        seconds = monotonic() - start
        peak = _core.peak_memory_kb()
        self._send(
            {"failed": {"status": status, "exit": ending, "total_seconds": round(seconds, 6), "peak_memory_kb": peak}}
        )
        return None, seconds

    def _run(self, task: _core.Task, job: Job, loading: float, peak: int) -> None:
        """In a process of its own: search, and tell the slot."""
        started = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
        cap_memory(_bytes(job))
        journal = None
        try:
            left = None if job["time_limit"] is None else max(job["time_limit"] - loading, 0.001)
            journal = Journal(
                settings(
                    search=parse_search(job["search"], self._names),
                    seed=job["seed"],
                    time_limit=left,
                    memory_limit=_bytes(job),
                    max_evaluations=job["max_evaluations"],
                    max_expansions=job["max_expansions"],
                    shorten=False,  # the plans of searches are compared
                    prune_mutex=job["prune_mutex"],
                )
            )
            result = solve(task, journal)
        except BaseException:
            _print_traceback()
            if journal is None:
                return
            result = journal.result("error")
        self._send({"result": _fields(result, loading, peak, started)})

    def _send(self, message: Message) -> None:
        os.write(self._messages, (json.dumps(message) + "\n").encode())  # short enough to arrive in one piece


def fork_loaded_task(job: Job, names: dict[str, object]) -> tuple[int, int, int, int]:
    """Fork the process for the task of a job: its id, the pipe of commands to it, and those of messages and output."""
    commands, to_commands = os.pipe()
    messages, to_messages = os.pipe()
    output, to_output = os.pipe()
    me = os.getpid()
    pid = os.fork()
    if pid == 0:
        os.setpgid(0, 0)
        process.die_with(me)
        for unused in (to_commands, messages, output):
            os.close(unused)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            LoadedTask(commands, to_messages, to_output, names).serve(job)
        except BaseException:
            _print_traceback()
            os._exit(1)
        os._exit(0)
    for unused in (commands, to_messages, to_output):
        os.close(unused)
    return pid, to_commands, messages, output


def _fields(result: Result, loading: float, peak: int, started: str) -> Outcome:
    """The part of an outcome that the result tells."""
    record = result.to_dict()
    return {
        **{name: record[name] for name in OUTCOME if name in record},
        "exit": "error" if result.status == "error" else "ok",
        "search_seconds": result.seconds["search"],
        "total_seconds": round(loading + result.seconds["total"], 6),
        "peak_memory_kb": max(peak, result.peak_memory_kb),
        "actions": result.task["actions"] if result.task else None,
        "started": started,
    }


def _bytes(job: Job) -> int | None:
    return None if job["memory_limit_kb"] is None else job["memory_limit_kb"] * 1024


def _print_traceback() -> None:
    import traceback

    traceback.print_exc()
