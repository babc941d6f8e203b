"""`banditplan explain`: traces in files → a page in a file."""

from __future__ import annotations

import os
from typing import Any

from banditplan.cli.options import Command, Option
from banditplan.cli.stdout import print_line
from banditplan.errors import InputError
from banditplan.explain import compare_page, page
from banditplan.files import read_bytes, write_file


def run(files: list[str], options: dict[str, Any]) -> int:
    print_line(explain(files, options["o"]))
    return 0


def explain(traces: list[str], output: str | None) -> str:
    """Write the report of one trace, or the comparison of two; returns where."""
    target = output or _beside(traces)
    if any(os.path.realpath(target) == os.path.realpath(trace) for trace in traces):
        raise InputError(f'the page would overwrite the trace "{target}"; choose another file with -o')
    texts = [_trace(path) for path in traces]
    if len(texts) == 1:
        made = page(texts[0], traces[0])
    else:
        made = compare_page(texts[0], texts[1], (traces[0], traces[1]))
    write_file(target, made, "the page")
    return target


def _beside(traces: list[str]) -> str:
    first, *others = (os.path.splitext(trace)[0] for trace in traces)
    return "-and-".join([first, *map(os.path.basename, others)]) + ".html"


def _trace(path: str) -> str:
    try:
        return read_bytes(path).decode()
    except UnicodeDecodeError:
        raise InputError(f"{path}:1: is not a trace: it is not a text in UTF-8") from None


def command(name: str, summary: str) -> Command:
    return Command(
        name,
        summary,
        ("TRACE", "[TRACE]"),
        (Option("-o", "where to write the page; by default beside the trace, as TRACE.html", "FILE"),),
        run,
        "The page needs no network. `banditplan solve --trace FILE` writes a trace.",
    )
