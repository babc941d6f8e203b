"""The page and the HTTP interface, served until told to stop."""

from __future__ import annotations

from banditplan.server.app import create_app
from banditplan.server.listen import serve_app
from banditplan.server.runs import Runs
from banditplan.server.settings import ServerSettings


def serve(settings: ServerSettings) -> None:
    """Serve until Ctrl-C or SIGTERM."""
    runs = Runs(settings)
    serve_app(create_app(settings, runs), runs)
