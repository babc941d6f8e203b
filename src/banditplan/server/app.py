"""The table of contents of the server: what it answers, and who stands before it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.routing import compile_path

from banditplan.server import api, page, planutils, solve
from banditplan.server.body_limit import BodyLimit
from banditplan.server.guard import Guard
from banditplan.server.models import Trouble
from banditplan.server.runs import Runs
from banditplan.server.settings import ServerSettings
from banditplan.version import VERSION

REFUSALS: api.Responses = {
    400: {"model": Trouble, "description": "The body is not JSON in UTF-8."},
    403: {"model": Trouble, "description": "The request comes from a web page of somebody else."},
    408: {"model": Trouble, "description": "The request took too long to arrive."},
    413: {"model": Trouble, "description": "The request is too large."},
    421: {"model": Trouble, "description": "The request is meant for another host."},
    503: {"model": Trouble, "description": "The server is busy; try again after `Retry-After` seconds."},
}


def create_app(settings: ServerSettings, runs: Runs) -> FastAPI:
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
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(405, _not_allowed)
    app.add_middleware(BodyLimit, settings=settings)
    app.add_middleware(Guard, settings=settings)  # the outermost
    app.include_router(page.router())
    app.include_router(api.router)
    app.include_router(planutils.router)
    app.include_router(solve.router)
    return app


async def _invalid(request: Request, error: Exception) -> Response:
    """What is wrong with a request, without sending it back: it may be large, or no Unicode."""
    assert isinstance(error, RequestValidationError)
    detail = [{key: problem[key] for key in ("loc", "msg", "type")} for problem in error.errors()]
    return Response(json.dumps({"detail": detail}), 422, media_type="application/json")


async def _not_allowed(request: Request, error: Exception) -> Response:
    """Names all methods of a path; the framework names those of one function."""
    methods = {
        method.upper()
        for path, operations in request.app.openapi()["paths"].items()
        if compile_path(path)[0].match(request.url.path)
        for method in operations
    }
    allow = {"Allow": ", ".join(sorted(methods or {"GET", "HEAD"}))}
    return JSONResponse({"detail": "Method Not Allowed"}, 405, allow)
