"""Search reports: a trace becomes one HTML page that needs nothing else, no server and no network.

>>> import banditplan as bp
>>> from banditplan import explain
>>> texts = []
>>> result = bp.solve(*bp.example("crates"), trace=texts.append)
>>> explain.page(texts[0]).startswith("<!doctype html>")
True
"""

from __future__ import annotations

from banditplan.errors import Source
from banditplan.explain.html import document
from banditplan.explain.reading import read_trace
from banditplan.explain.view import view


def page(trace_text: str, name: str = "trace") -> str:
    """The report of a search; `name` is what errors call the trace. Raises `InputError` if it is none."""
    return document([view(read_trace(Source(name, trace_text)))])


def compare_page(a: str, b: str, names: tuple[str, str] = ("first trace", "second trace")) -> str:
    """Two searches side by side."""
    return document([view(read_trace(Source(name, text))) for name, text in zip(names, (a, b), strict=True)])
