"""The trace of a search: the core writes its lines, and this module the first one, which says whose they are."""

from __future__ import annotations

import json

from banditplan.version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from banditplan._core import SearchResult
    from banditplan.journal import Journal

FORMAT = 1


def header(journal: Journal, found: SearchResult) -> str:
    """The first line of a trace, with its line break."""
    fields = {
        "kind": "header",
        "format": FORMAT,
        "version": VERSION,
        "search": repr(journal.settings.search),
        "algorithm": str(journal.settings.search),
        "seed": journal.settings.seed,
        "domain": journal.domain,
        "problem": journal.problem,
        "initial_h": found.initial_h,
        "reasons": journal.reasons,
    }
    return json.dumps(fields) + "\n"
