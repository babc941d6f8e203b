"""The plain `POST /solve` of solver.planning.domains: the answer is the plan, the client waits for it."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel

from banditplan.components import brief
from banditplan.server.api import BUSY, AllRuns, submit
from banditplan.server.models import Task
from banditplan.server.run import LiveRun

router = APIRouter(tags=["solver.planning.domains"])


class Answer(BaseModel):
    """`ok` with a `plan`, or `error` with an `error` that says why there is none."""

    status: Literal["ok", "error"]
    result: dict[str, Any]


@router.post("/solve", responses=BUSY)
async def solve(task: Task, request: Request, runs: AllRuns) -> Answer:
    """Solve and wait. The run ends when the client goes away."""
    run = submit(runs, task)
    waits = asyncio.ensure_future(run.end()), asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        return answer(run)
    finally:
        for wait in waits:
            wait.cancel()
        runs.forget(run)


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def answer(run: LiveRun) -> Answer:
    record = run.record or {}
    if record.get("plan") is None:
        wrong = "ok" if run.problem is None else "err"
        return Answer(status="error", result={"output": "", "parse_status": wrong, "error": summary(run)})
    result = {
        "plan": [{"name": step} for step in record["plan"]],
        "length": record["plan_length"],
        "cost": record["plan_cost"],
        "parse_status": "ok",
        "val_status": "valid" if record["valid"] else "not checked",
        "type": "full",
        "output": summary(run),
        "error": "",
    }
    return Answer(status="ok", result=result)


def summary(run: LiveRun) -> str:
    """How a run ended, in a sentence."""
    if run.problem is not None:
        return run.problem.text
    if run.record is None:
        return "cancelled"
    search = brief(run.algorithm or "")
    return f"{run.record['status']}: {run.explanation}; {search}, seed {run.record['seed']}"
