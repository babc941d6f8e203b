"""The runs: a bounded queue, a few at a time, and a bounded memory of those that have ended."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator
from time import monotonic
from typing import Any

from banditplan.server import models
from banditplan.server.child import Child
from banditplan.server.models import Problem, Progress, RunRequest, State, Task
from banditplan.server.settings import Settings

KEPT_RUNS = 500
KEPT_SECONDS = 3600.0
KEPT_BYTES = 256 << 20

SECONDS_OVER_TIME = 5.0  # until a child that does not keep its limit is killed
SECONDS_TO_INTERRUPT = 1.0  # until a child that was asked to stop is killed
SECONDS_FOR_REPORT = 30.0  # for the search report, once the result is there


class Full(Exception):
    """The queue has no room for another run."""


class Run:
    """One run. It has *ended* when its outcome is known, and is *closed* when its process is gone."""

    def __init__(self, task: Task, settings: Settings) -> None:
        self.id = secrets.token_urlsafe(12)
        self.task: Task | None = task
        self.state: State = "waiting"
        self.time_limit = min(task.time_limit or settings.time_limit, settings.time_limit)
        self.memory_limit = min(task.memory_limit or settings.memory_limit, settings.memory_limit)
        self.stage: str | None = None
        self.progress: Progress | None = None
        self.warnings: list[str] = []
        self.record: dict[str, Any] | None = None
        self.explanation: str | None = None
        self.algorithm: str | None = None
        self.problem: Problem | None = None
        self.wants_report = isinstance(task, RunRequest) and task.report
        self.report: str | None = None
        self.child: Child | None = None
        self.cancelled = False
        self.closed_at: float | None = None
        self.size = 0
        self._changed = asyncio.Event()

    @property
    def ended(self) -> bool:
        return self.state in ("finished", "cancelled")

    @property
    def closed(self) -> bool:
        return self.closed_at is not None

    def changed(self) -> None:
        """Wake up all who follow the run."""
        self._changed.set()
        self._changed = asyncio.Event()

    async def changes(self) -> AsyncIterator[None]:
        """Now, after every change, and a last time when the run is closed."""
        while True:
            changed, last = self._changed, self.closed
            yield
            if last:
                return
            await changed.wait()

    async def end(self) -> None:
        """Wait until the run has ended."""
        async for _ in self.changes():
            if self.ended:
                return

    # ---- what the child tells

    def hear(self, line: bytes) -> None:
        ((key, value),) = json.loads(line).items()
        match key:
            case "stage":
                self.stage = value
            case "warning":
                self.warnings.append(value)
            case "progress":
                self.progress = Progress(**value)
            case "result":
                self.record, self.explanation, self.algorithm = (
                    value["record"],
                    value["explanation"],
                    value["algorithm"],
                )
                self.state = "cancelled" if self.cancelled else "finished"
            case "problem":
                self.fail(Problem(**value))
            case "report":
                self.report = value
        if key in ("result", "problem", "report"):
            self.size += len(line)
        self.changed()

    def fail(self, problem: Problem) -> None:
        self.problem = problem
        self.state = "cancelled" if self.cancelled else "finished"

    def close(self) -> None:
        self.closed_at = monotonic()
        self.task = self.child = None
        self.changed()


class Runs:
    """All runs of a server."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.waiting: dict[str, Run] = {}
        self.running: dict[str, Run] = {}
        self._all: dict[str, Run] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._shut = False

    def submit(self, task: Task) -> Run:
        """Put a run into the queue; raises Full."""
        waiting_bytes = sum(run.task.size for run in self.waiting.values() if run.task)
        no_room = len(self.waiting) >= self.settings.queue and len(self.running) >= self.settings.jobs
        if self._shut or no_room or waiting_bytes + task.size > self.settings.queue_bytes:
            raise Full
        run = Run(task, self.settings)
        self._all[run.id] = self.waiting[run.id] = run
        self._tidy()
        self._start_next()
        return run

    def get(self, run_id: str) -> Run | None:
        self._tidy()
        return self._all.get(run_id)

    def position(self, run: Run) -> int | None:
        return list(self.waiting).index(run.id) if run.id in self.waiting else None

    def cancel(self, run: Run) -> None:
        """End a run, but give it a moment to tell how far it came."""
        run.cancelled = True
        if run.id in self.waiting:
            self._drop(run)
        elif run.child is not None and not run.ended:
            if run.stage is None:
                run.child.kill()  # it is not yet able to tell anything
            else:
                run.child.interrupt()
                asyncio.get_running_loop().call_later(SECONDS_TO_INTERRUPT, run.child.kill)

    def forget(self, run: Run) -> None:
        """End a run at once if it is under way; nobody will ask for it again."""
        run.cancelled = True
        self._all.pop(run.id, None)
        if run.id in self.waiting:
            self._drop(run)
        elif run.child is not None:
            run.child.kill()

    def shut(self) -> None:
        """End everything at once and take nothing more."""
        self._shut = True
        for run in list(self.waiting.values()):
            run.cancelled = True
            self._drop(run)
        for run in self.running.values():
            run.cancelled = True
            if run.child is not None:
                run.child.kill()

    async def drained(self) -> None:
        """Wait until no child is left."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def show(self, run: Run) -> models.Run:
        """The run as the world sees it."""
        pending = run.wants_report and not run.closed
        return models.Run(
            id=run.id,
            state=run.state,
            position=self.position(run),
            stage=run.stage,
            time_limit=run.time_limit,
            memory_limit=run.memory_limit,
            progress=run.progress,
            warnings=run.warnings,
            result=run.record,
            explanation=run.explanation,
            problem=run.problem,
            report="ready" if run.report is not None else "pending" if pending else "none",
        )

    # ---- the queue

    def _start_next(self) -> None:
        while self.waiting and len(self.running) < self.settings.jobs:
            run = self.waiting.pop(next(iter(self.waiting)))
            self.running[run.id] = run
            run.state = "running"
            task = asyncio.create_task(self._perform(run))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        for run in self.waiting.values():
            run.changed()

    async def _perform(self, run: Run) -> None:
        run.changed()
        try:
            await self._converse(run)
        except Exception as error:
            run.fail(Problem(kind="internal", message=f"the run could not be performed: {error!r}"))
            raise
        finally:
            del self.running[run.id]
            run.close()
            self._start_next()

    async def _converse(self, run: Run) -> None:
        assert run.task is not None
        limits = {"time_limit": run.time_limit, "memory_limit": run.memory_limit, "report": run.wants_report}
        child = await Child.start(run.task.model_dump() | limits)
        run.child = child
        try:
            if run.cancelled:
                child.kill()  # cancelled while it was being started
            late = not await _heard(run, child)
        finally:
            child.kill()
            code = await child.gone()
        if not run.ended:
            run.fail(_explained(run, late, code))

    def _drop(self, run: Run) -> None:
        del self.waiting[run.id]
        run.state = "cancelled"
        run.close()

    # ---- the memory

    def _tidy(self) -> None:
        """Forget what is too old, and the oldest of what is too much."""
        closed = [run for run in self._all.values() if run.closed]
        total = sum(run.size for run in closed)
        expired = monotonic() - KEPT_SECONDS
        for index, run in enumerate(closed):
            old = run.closed_at is not None and run.closed_at < expired
            if not old and len(closed) - index <= KEPT_RUNS and total <= KEPT_BYTES:
                break
            total -= run.size
            del self._all[run.id]


async def _heard(run: Run, child: Child) -> bool:
    """Listen until the child has ended; False if it took too long or said too much."""
    deadline = monotonic() + run.time_limit + SECONDS_OVER_TIME
    was_ended = False
    while True:
        try:
            line = await asyncio.wait_for(child.line(), max(deadline - monotonic(), 0))
        except (asyncio.TimeoutError, ValueError):
            return False
        if not line.endswith(b"\n"):
            return True
        run.hear(line)
        if run.ended and not was_ended:
            was_ended = True
            deadline = monotonic() + SECONDS_FOR_REPORT


def _explained(run: Run, late: bool, code: int) -> Problem:
    if run.cancelled:
        return Problem(kind="limit", message="cancelled")
    if late:
        return Problem(kind="limit", message=f"no plan within {run.time_limit:g} s; the process had to be ended")
    how = f"signal {-code}" if code < 0 else f"exit code {code}"
    return Problem(kind="internal", message=f"the planner's process ended with {how}, without a result")
