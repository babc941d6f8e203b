"""Listen and serve an application until told to stop; its runs end with it."""

from __future__ import annotations

import contextlib
import socket
from types import FrameType

import uvicorn
from starlette.types import ASGIApp

from banditplan.cli.display import say
from banditplan.errors import InputError
from banditplan.server.runs import Runs
from banditplan.server.settings import ServerSettings
from banditplan.version import VERSION

CONNECTIONS = 1000  # further ones are answered with 503
SECONDS_TO_END = 3
SECONDS_IDLE = 60  # longer than clients keep a connection, or one may be closed just as they use it again


class StoppableServer(uvicorn.Server):
    """Ends all runs when it is told to stop, so that nobody who follows one holds up the end."""

    def __init__(self, config: uvicorn.Config, runs: Runs) -> None:
        super().__init__(config)
        self._runs = runs

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._runs.shut()
        super().handle_exit(sig, frame)


def serve_app(app: ASGIApp, runs: Runs, path: str = "/") -> None:
    """Serve until Ctrl-C or SIGTERM; `path` is where users shall go."""
    settings = runs.settings
    listener = _listen(settings)
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    if not settings.private:
        say(f"warning: whoever can reach {host} can run searches on this machine; there is no password")
    say(f"banditplan {VERSION} at http://{host}:{listener.getsockname()[1]}{path} (Ctrl-C ends it)")
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=CONNECTIONS,
        timeout_keep_alive=SECONDS_IDLE,
        timeout_graceful_shutdown=SECONDS_TO_END,
    )
    with listener, contextlib.suppress(KeyboardInterrupt):
        StoppableServer(config, runs).run(sockets=[listener])


def _listen(settings: ServerSettings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        return socket.create_server((settings.host, settings.port), family=family, backlog=1024)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(
            f"cannot listen on {settings.host}:{settings.port}: {reason}; choose another --host or --port"
        ) from None
