"""The trace of a search: the core writes its lines, and this module the first one, which says whose they are."""

from __future__ import annotations

import json

from banditplan.version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from banditplan.pipeline import Run

FORMAT = 1


def header(run: Run) -> str:
    """The first line of a trace, with its line break."""
    fields = {
        "kind": "header",
        "format": FORMAT,
        "version": VERSION,
        "search": repr(run.search),
        "algorithm": str(run.search),
        "seed": run.seed,
        "domain": run.domain,
        "problem": run.problem,
        "initial_h": run.found.initial_h if run.found else None,
    }
    return json.dumps(fields) + "\n"
