"""The page that explains a search, made from its trace."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec


def search_report(trace: str) -> str | None:
    """A self-contained HTML page, or None if this version of banditplan cannot make one."""
    if find_spec("banditplan.explain") is None:
        return None
    page: str = import_module("banditplan.explain").page(trace)
    return page
