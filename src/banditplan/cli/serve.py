"""`banditplan serve`: what it takes."""

from __future__ import annotations

import os
from typing import Any

from banditplan.cli.options import Command, Option, natural
from banditplan.errors import MissingExtra
from banditplan.limits import read_memory, read_seconds

# How much requests may ask for, for every command that serves.
LIMITS = (
    Option("--jobs", "how many runs at the same time; as many as there are processors if not given", "N", natural),
    Option("--queue", "how many runs may wait for their turn", "N", natural, 100),
    Option("--time-limit", "the most that a run may take, such as 30s, 5m, 1h", "TIME", str, "5m"),
    Option("--memory-limit", "the most that a run may take, such as 500M or 2G", "SIZE", str, "2G"),
    Option("--request-limit", "the largest request that is read", "SIZE", str, "16M"),
)


def limits(options: dict[str, Any]) -> dict[str, Any]:
    """The fields of the server's settings that these options stand for."""
    return {
        "jobs": max(options["jobs"] or os.cpu_count() or 1, 1),
        "queue": options["queue"],
        "time_limit": read_seconds(options["time_limit"]),
        "memory_limit": read_memory(options["memory_limit"]) * 1024,
        "request_limit": read_memory(options["request_limit"]) * 1024,
    }


def run(files: list[str], options: dict[str, Any]) -> int:
    try:
        from banditplan.server.main import serve
        from banditplan.server.settings import ServerSettings
    except ModuleNotFoundError as error:
        raise MissingExtra("serve", str(error.name), "banditplan[serve]") from None
    serve(ServerSettings(host=options["host"], port=options["port"], **limits(options)))
    return 0


def command(name: str, summary: str) -> Command:
    return Command(
        name,
        summary,
        (),
        (
            Option(
                "--host",
                "the address to listen on; others than this machine's own let others in",
                "ADDRESS",
                str,
                "127.0.0.1",
            ),
            Option("--port", "0 takes any that is free", "N", natural, 8765),
            *LIMITS,
        ),
        run,
        "Needs the extra: pip install 'banditplan[serve]'. Ctrl-C ends it, and every run with it.",
    )
