"""The runs: a bounded queue, a few at a time, and a bounded memory of those that have ended."""

from __future__ import annotations

import asyncio
from time import monotonic

from banditplan.server import models
from banditplan.server.models import Failure, Task
from banditplan.server.run import LiveRun, converse
from banditplan.server.settings import ServerSettings

KEPT_RUNS = 500
KEPT_SECONDS = 3600.0
KEPT_BYTES = 256 << 20

SECONDS_TO_INTERRUPT = 1.0  # until a child that was asked to stop is killed


class Full(Exception):
    """The queue has no room for another run."""


class Runs:
    """All runs of a server."""

    def __init__(self, settings: ServerSettings) -> None:
        self.settings = settings
        self.waiting: dict[str, LiveRun] = {}
        self.running: dict[str, LiveRun] = {}
        self._all: dict[str, LiveRun] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._shut = False

    def submit(self, task: Task) -> LiveRun:
        """Put a run into the queue; raises Full."""
        waiting_bytes = sum(run.task.size for run in self.waiting.values() if run.task)
        no_room = len(self.waiting) >= self.settings.queue and len(self.running) >= self.settings.jobs
        if self._shut or no_room or waiting_bytes + task.size > self.settings.queue_bytes:
            raise Full
        run = LiveRun(task, self.settings)
        self._all[run.id] = self.waiting[run.id] = run
        self._tidy()
        self._start_next()
        return run

    def get(self, run_id: str) -> LiveRun | None:
        self._tidy()
        return self._all.get(run_id)

    def position(self, run: LiveRun) -> int | None:
        return list(self.waiting).index(run.id) if run.id in self.waiting else None

    def cancel(self, run: LiveRun) -> None:
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

    def forget(self, run: LiveRun) -> None:
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

    def show(self, run: LiveRun) -> models.RunStatus:
        """The run as the world sees it."""
        report, plan_page = run.shown
        return models.RunStatus(
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
            plans=run.plans,
            check=run.check,
            report=report,
            plan_page=plan_page,
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

    async def _perform(self, run: LiveRun) -> None:
        run.changed()
        try:
            await converse(run)
        except Exception as error:
            run.fail(Failure(kind="internal", message=f"the run could not be performed: {error!r}"))
            raise
        finally:
            del self.running[run.id]
            run.close()
            self._start_next()

    def _drop(self, run: LiveRun) -> None:
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
