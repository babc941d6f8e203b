"""The shape of a planutils server (planning as a service): submit to a package, poll `/check`."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter

from banditplan.server.api import BUSY, UNKNOWN, AllRuns, KnownRun, submit
from banditplan.server.models import Task
from banditplan.server.run import LiveRun
from banditplan.server.solve import summary

PACKAGE = "banditplan"
MANIFEST: dict[str, Any] = {
    "package_name": PACKAGE,
    "name": "banditplan",
    "description": "An agile PDDL planner that searches with bandits.",
    "runnable": True,
    "install-size": "3M",
    "dependencies": [],
    "endpoint": {
        "services": {
            "solve": {
                "args": [
                    {"name": "domain", "type": "file", "description": "domain file"},
                    {"name": "problem", "type": "file", "description": "problem file"},
                ],
                "call": "banditplan solve {domain} {problem}",
                "return": {"type": "generic", "files": "sas_plan"},
            }
        }
    },
}

router = APIRouter(tags=["planutils"])


@router.get("/package")
async def packages() -> dict[str, Any]:
    """The packages that can be called: this one."""
    return {PACKAGE: MANIFEST}


@router.get(f"/package/{PACKAGE}")
async def package() -> dict[str, Any]:
    """What the package offers."""
    return MANIFEST


@router.get(f"/package/{PACKAGE}/solve")
async def service() -> dict[str, Any]:
    """What the package offers, too."""
    return MANIFEST


@router.post(f"/package/{PACKAGE}/solve", responses=BUSY)
async def solve(task: Task, runs: AllRuns) -> dict[Literal["result"], str]:
    """Start a run; `result` is where to look for what becomes of it."""
    return {"result": f"/check/{submit(runs, task).id}?external=True"}


@router.get("//check/{run_id}", include_in_schema=False)  # so asks `planutils remote`
@router.get("/check/{run_id}", responses=UNKNOWN)
@router.post("/check/{run_id}", responses=UNKNOWN)
async def check(run: KnownRun) -> dict[str, Any]:
    """`PENDING`, or `ok` with what the planner wrote; also if there is no plan."""
    if not run.ended:
        return {"status": "PENDING"}
    return {"status": "ok", "result": outcome(run)}


def outcome(run: LiveRun) -> dict[str, Any]:
    record = run.record or {}
    found = {"stdout": "", "stderr": "", "call": "banditplan solve domain problem", "output": {}}
    if record.get("plan") is None:
        return {**found, "output_type": "generic", "stderr": summary(run)}
    lines = "\n".join(record["plan"])
    text = f"{lines}\n; cost = {record['plan_cost']}\n"
    plan = [{"name": step} for step in record["plan"]]
    return {**found, "output_type": "generic", "stdout": summary(run), "output": {"sas_plan": text}, "plan": plan}
