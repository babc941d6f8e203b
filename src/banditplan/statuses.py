"""How runs end, as type checkers know it and as schemas are made of it; whoever needs neither does not load this."""

from __future__ import annotations

from typing import Literal

SearchStatus = Literal[
    "solved",
    "unsolvable",
    "exhausted",
    "evaluation-limit",
    "expansion-limit",
    "time-limit",
    "memory-limit",
    "interrupted",
    "error",
]
Status = Literal[SearchStatus, "grounded"]
End = Literal[Status, "optimal"]
