"""One run: what is known of it, who follows it, and the conversation with its child process."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator
from time import monotonic
from typing import TYPE_CHECKING, Any

from banditplan.server.child import LONGEST_LINE, Child
from banditplan.server.models import Failure, FoundPlan, Page, Progress, Question, RunRequest, State, Task, Verdict
from banditplan.server.settings import ServerSettings

if TYPE_CHECKING:
    from banditplan.server.order import Inquiry, Order

SECONDS_OVER_TIME = 5.0  # until a child that does not keep its limit is killed
SECONDS_FOR_REPORT = 30.0  # for the search report and the page of the plan, once the result is there
KEPT_PLANS = 1000  # of an anytime run


class LiveRun:
    """One run. It has *ended* when its outcome is known, and is *closed* when its process is gone."""

    def __init__(self, task: Task, settings: ServerSettings) -> None:
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
        self.answer: dict[str, Any] | None = None  # to a question
        self.problem: Failure | None = None
        self.request = task if isinstance(task, RunRequest) else None
        self.plans: list[FoundPlan] = []
        self.plan: str | None = None  # the best one of an anytime run so far
        self.report: str | None = None
        self.plan_page: str | None = None
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
            case "plan":
                self.plan = value.pop("text")
                self.plans = [*self.plans[-(KEPT_PLANS - 1) :], FoundPlan(**value)]
            case "result":
                self.record, self.explanation, self.algorithm = (
                    value["record"],
                    value["explanation"],
                    value["algorithm"],
                )
                self.state = "cancelled" if self.cancelled else "finished"
            case "answer":
                self.answer = value
                self.state = "cancelled" if self.cancelled else "finished"
            case "problem":
                self.fail(Failure(**value))
            case "report":
                self.report = value
            case "plan_page":
                self.plan_page = value
        if key in ("result", "answer", "problem", "report", "plan_page", "plan"):
            self.size += len(line)
        self.changed()

    def fail(self, problem: Failure) -> None:
        self.problem = problem
        self.state = "cancelled" if self.cancelled else "finished"

    @property
    def check(self) -> Verdict | None:
        """What is known of a plan that was sent."""
        return None if self.request is None or self.answer is None else Verdict(**self.answer)

    def page(self, made: str | None, wanted: bool) -> Page:
        """What there is of a page that was perhaps asked for."""
        if made is not None:
            return "ready"
        return "pending" if wanted and not self.closed else "none"

    @property
    def shown(self) -> tuple[Page, Page]:
        """The search report, and the page of the plan."""
        wanted = self.request is not None and self.request.report
        searched = self.request is not None and not self.request.anytime and self.request.plan is None
        return self.page(self.report, wanted and searched), self.page(self.plan_page, wanted)

    def close(self) -> None:
        self.closed_at = monotonic()
        self.task = self.child = None
        self.changed()


async def converse(run: LiveRun) -> None:
    """Start the child, hear all that it tells, and see to its end."""
    assert run.task is not None
    task = run.task
    order: Order = {
        "domain": task.domain,
        "problem": task.problem,
        "search": task.search,
        "seed": task.seed,
        "time_limit": run.time_limit,
        "memory_limit": run.memory_limit,
        "max_evaluations": task.max_evaluations,
        "split": task.split,
        "report": run.request is not None and run.request.report,
        "anytime": run.request is not None and run.request.anytime,
        "inquiry": _inquiry(task),
    }
    child = await Child.start(order)
    run.child = child
    try:
        if run.cancelled:
            child.kill()  # cancelled while it was being started
        failure = await _heard(run, child)
    finally:
        child.kill()
        code = await child.gone()
    if not run.ended:
        run.fail(_explained(run, failure, code))


def _inquiry(task: Task) -> Inquiry | None:
    match task:
        case Question():
            return {"subject": task.subject, "plan": task.plan, "steps": task.steps, "most": task.most}
        case RunRequest(plan=str(plan)):
            return {"subject": "validate", "plan": plan, "steps": None, "most": 0}
    return None


async def _heard(run: LiveRun, child: Child) -> Failure | None:
    """Listen until the child has ended, or has to be ended: then why."""
    deadline = monotonic() + run.time_limit + SECONDS_OVER_TIME
    was_ended = False
    while True:
        try:
            line = await asyncio.wait_for(child.line(), max(deadline - monotonic(), 0))
        except asyncio.TimeoutError:
            return Failure(kind="limit", message=f"no answer within {run.time_limit:g} s; the process had to be ended")
        except ValueError:
            return Failure(kind="limit", message=f"the answer is longer than the {LONGEST_LINE:,} bytes that are read")
        if not line.endswith(b"\n"):
            return None
        run.hear(line)
        if run.ended and not was_ended:
            was_ended = True
            deadline = monotonic() + SECONDS_FOR_REPORT


def _explained(run: LiveRun, failure: Failure | None, code: int) -> Failure:
    if run.cancelled:
        return Failure(kind="limit", message="cancelled")
    if failure is not None:
        return failure
    how = f"signal {-code}" if code < 0 else f"exit code {code}"
    return Failure(kind="internal", message=f"the planner's process ended with {how}, without a result")
