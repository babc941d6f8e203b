"""Serve over standard input and output, or over HTTP on this machine, until told to stop."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mcp.server.mcpserver import MCPServer
from starlette.applications import Starlette

from banditplan.mcp.server import create_server
from banditplan.server.body_limit import BodyLimit
from banditplan.server.guard import Guard
from banditplan.server.listen import serve_app
from banditplan.server.runs import Runs
from banditplan.server.settings import ServerSettings

PATH = "/mcp"


def serve_stdio(settings: ServerSettings, folder: str | None) -> None:
    """Serve one client until it closes its end, Ctrl-C or SIGTERM."""
    runs = Runs(settings)
    asyncio.run(_stdio(create_server(runs, folder), runs))


async def _stdio(server: MCPServer[None], runs: Runs) -> None:
    def leave(number: int) -> None:
        """At once: a thread waits for standard input, and nobody can wake it up."""
        runs.shut()
        os._exit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, leave, number)
    try:
        await server.run_stdio_async()
    finally:
        runs.shut()
        await runs.drained()


def serve_http(settings: ServerSettings, folder: str | None) -> None:
    """Serve any number of clients of this machine until Ctrl-C or SIGTERM."""
    runs = Runs(settings)
    serve_app(create_app(settings, runs, folder), runs, PATH)


def create_app(settings: ServerSettings, runs: Runs, folder: str | None) -> Starlette:
    """The protocol over HTTP, behind the same guards as `banditplan serve`; `runs` are ended with it."""
    app = create_server(runs, folder).streamable_http_app(
        streamable_http_path=PATH, host=settings.host, max_request_body_size=settings.request_limit
    )
    sessions = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with sessions(app):
            yield
            runs.shut()
        await runs.drained()

    app.router.lifespan_context = lifespan
    app.add_middleware(BodyLimit, settings=settings)
    app.add_middleware(Guard, settings=settings)  # the outermost
    return app
