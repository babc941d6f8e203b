"""`banditplan mcp`: what it takes."""

from __future__ import annotations

from typing import Any

from banditplan.cli.options import Command, Option, natural
from banditplan.cli.serve import LIMITS, limits
from banditplan.errors import MissingExtra


def run(files: list[str], options: dict[str, Any]) -> int:
    try:
        from banditplan.mcp.main import serve_http, serve_stdio
        from banditplan.server.settings import ServerSettings
    except ModuleNotFoundError as error:
        raise MissingExtra("mcp", str(error.name), "banditplan[mcp]") from None
    serve = serve_http if options["http"] else serve_stdio
    serve(ServerSettings(port=options["port"], **limits(options)), options["root"])
    return 0


def command(name: str, summary: str) -> Command:
    return Command(
        name,
        summary,
        (),
        (
            Option("--root", "let requests name files below DIR; without it they cannot name any", "DIR"),
            Option("--http", "serve HTTP on this machine, for several clients, not standard input and output"),
            Option("--port", "of --http; 0 takes any that is free", "N", natural, 8766),
            *LIMITS,
        ),
        run,
        "Needs the extra: pip install 'banditplan[mcp]'. Clients such as editors start it by themselves.",
    )
