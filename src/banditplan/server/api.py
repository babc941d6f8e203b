"""Our own interface, `/api`: start a run, follow it, cancel it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Any, TypeAlias

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, PlainTextResponse, StreamingResponse

from banditplan import _core, examples
from banditplan.components import ALIASES, components
from banditplan.components.spec import parse_search
from banditplan.files import read_source
from banditplan.server import models
from banditplan.server.models import RunRequest, Task, Trouble
from banditplan.server.run import LiveRun
from banditplan.server.runs import Full, Runs
from banditplan.version import VERSION

Responses: TypeAlias = dict[int | str, dict[str, Any]]

BUSY: Responses = {503: {"model": Trouble, "description": "The queue is full; try again after `Retry-After` seconds."}}
UNKNOWN: Responses = {404: {"model": Trouble, "description": "There is no such run, or it is too old."}}
NO_REPORT: Responses = {409: {"model": Trouble, "description": "The run has none, or not yet."}}
DEFAULT: dict[str, str | bool] = {"search": "agile", "heuristic": "ff", "preferred": True, "deferred": False}
OPTIONS = ("heuristic", "preferred", "deferred")
ADMISSIBLE = {"blind": "blind", "hmax": "hmax(cost='plan')"}
_ALIASED = {text.removesuffix("()") for text in ALIASES.values()}  # components that another name stands for

# The report comes with scripts of its own: they run, but as a page of nobody, that reaches nothing.
REPORT_POLICY = (
    "sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' blob:; "
    "style-src 'unsafe-inline'; img-src data: blob:; font-src data:; worker-src blob:; frame-ancestors 'self'"
)

router = APIRouter(prefix="/api", tags=["banditplan"])


async def all_runs(request: Request) -> Runs:
    runs: Runs = request.app.state.runs
    return runs


AllRuns = Annotated[Runs, Depends(all_runs)]


async def known_run(run_id: str, runs: AllRuns) -> LiveRun:
    run = runs.get(run_id)
    if run is None:
        raise HTTPException(404, "there is no such run, or it ended too long ago")
    return run


KnownRun = Annotated[LiveRun, Depends(known_run)]


def submit(runs: Runs, task: Task) -> LiveRun:
    try:
        return runs.submit(task)
    except Full:
        raise HTTPException(503, "too many runs are waiting; try again soon", {"Retry-After": "2"}) from None


@router.post("/runs", status_code=202, responses=BUSY)
async def start(task: RunRequest, runs: AllRuns, response: Response) -> models.RunStatus:
    """Start a run, or put it into the queue."""
    run = submit(runs, task)
    response.headers["Location"] = f"/api/runs/{run.id}"
    return runs.show(run)


@router.get("/runs/{run_id}", responses=UNKNOWN)
async def show(run: KnownRun, runs: AllRuns) -> models.RunStatus:
    """A run, as far as it has come."""
    return runs.show(run)


@router.delete("/runs/{run_id}", responses=UNKNOWN)
async def cancel(run: KnownRun, runs: AllRuns) -> models.RunStatus:
    """Cancel a run, if it has not ended, and forget it; the answer tells how far it came."""
    runs.cancel(run)
    await run.end()
    runs.forget(run)
    return runs.show(run)


@router.get(
    "/runs/{run_id}/events",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {}}, "description": "Events named `run`."}, **UNKNOWN},
)
async def follow(run: KnownRun, runs: AllRuns) -> StreamingResponse:
    """The run now and after every change, as server-sent events; the stream ends with the run."""

    async def events() -> AsyncIterator[str]:
        async for _ in run.changes():
            yield f"event: run\ndata: {runs.show(run).model_dump_json()}\n\n"

    return StreamingResponse(events(), media_type="text/event-stream", headers={"Cache-Control": "no-store"})


@router.get("/runs/{run_id}/report", responses={200: {"content": {"text/html": {}}}, **UNKNOWN, **NO_REPORT})
async def report(run: KnownRun) -> HTMLResponse:
    """The search report, a self-contained page."""
    if run.report is None:
        raise HTTPException(409, "this run has no search report")
    return HTMLResponse(run.report, headers={"Content-Security-Policy": REPORT_POLICY})


@router.get("/runs/{run_id}/plan-page", responses={200: {"content": {"text/html": {}}}, **UNKNOWN, **NO_REPORT})
async def plan_page(run: KnownRun) -> HTMLResponse:
    """The plan as a page: what each step needs and gives, and why it is there."""
    if run.plan_page is None:
        raise HTTPException(409, "this run has no page of a plan")
    return HTMLResponse(run.plan_page, headers={"Content-Security-Policy": REPORT_POLICY})


@router.get("/runs/{run_id}/plan", responses={200: {"content": {"text/plain": {}}}, **UNKNOWN, **NO_REPORT})
async def best_plan(run: KnownRun) -> PlainTextResponse:
    """The best plan of an anytime run so far, as a plan file."""
    if run.plan is None:
        raise HTTPException(409, "this run has no plan yet")
    return PlainTextResponse(run.plan)


@router.get("/examples")
async def list_examples() -> list[models.Example]:
    """The bundled tasks."""
    return [
        models.Example(name=name, summary=examples.summary(name), domain=domain.text, problem=problem.text)
        for name in examples.names()
        for domain, problem in [map(read_source, examples.paths(name))]
    ]


@router.get("/components")
async def list_components() -> models.Components:
    """What a search can be made of."""
    searches = {name: item.__doc__ or "" for name, item in components(_core.Search).items() if name not in _ALIASED}
    searches |= {alias: f"{text}: {_bandit(alias)}" for alias, text in ALIASES.items()}
    heuristics = components(_core.Heuristic)
    return models.Components(
        searches=[
            models.Component(name=name, summary=summary, options=_options(name)) for name, summary in searches.items()
        ],
        heuristics=[
            models.Component(name=name, summary=item.__doc__ or "", options=[], admissible=ADMISSIBLE.get(name))
            for name, item in heuristics.items()
        ],
        default=DEFAULT,
    )


def _options(search: str) -> list[str]:
    return [option for option in OPTIONS if hasattr(parse_search(search), option)]


def _bandit(alias: str) -> str:
    return type(getattr(parse_search(alias), "bandit", None)).__doc__ or ""


@router.get("/server")
async def describe(runs: AllRuns) -> models.ServerStatus:
    """Version, limits and load of the server."""
    settings = runs.settings
    return models.ServerStatus(
        version=VERSION,
        jobs=settings.jobs,
        running=len(runs.running),
        waiting=len(runs.waiting),
        queue=settings.queue,
        time_limit=settings.time_limit,
        memory_limit=settings.memory_limit,
        request_limit=settings.request_limit,
    )
