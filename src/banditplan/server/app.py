"""The table of contents of the server: what it answers, and who stands before it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from banditplan.server import api, page, planutils, solve
from banditplan.server.body_limit import BodyLimit
from banditplan.server.guard import Guard
from banditplan.server.models import Trouble
from banditplan.server.runs import Runs
from banditplan.server.settings import Settings
from banditplan.version import VERSION

REFUSALS: api.Responses = {
    403: {"model": Trouble, "description": "The request comes from a web page of somebody else."},
    408: {"model": Trouble, "description": "The request took too long to arrive."},
    413: {"model": Trouble, "description": "The request is too large."},
    421: {"model": Trouble, "description": "The request is meant for another host."},
    503: {"model": Trouble, "description": "The server is busy; try again after `Retry-After` seconds."},
}


def create_app(settings: Settings, runs: Runs) -> FastAPI:
    """The application; `runs` are ended with it."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        runs.shut()
        await runs.drained()

    app = FastAPI(
        title="banditplan",
        version=VERSION,
        summary="An agile PDDL planner that searches with bandits.",
        lifespan=lifespan,
        docs_url=None,  # they fetch their scripts from elsewhere
        redoc_url=None,
        responses=REFUSALS,
    )
    app.state.runs = runs
    app.add_middleware(BodyLimit, settings=settings)
    app.add_middleware(Guard, settings=settings)  # the outermost
    app.include_router(page.router())
    app.include_router(api.router)
    app.include_router(planutils.router)
    app.include_router(solve.router)
    return app
