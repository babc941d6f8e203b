"""Search reports: a trace becomes one HTML page that needs nothing else, no server and no network.

>>> import banditplan as bp
>>> from banditplan import explain
>>> texts = []
>>> result = bp.solve(*bp.example("crates"), trace=texts.append)
>>> explain.page(texts[0]).startswith("<!doctype html>")
True
"""

from __future__ import annotations

from pathlib import Path

from banditplan.errors import Source
from banditplan.explain.reading import read_trace
from banditplan.explain.view import view
from banditplan.page_parts import document

SCRIPTS = (
    "search.js",
    "words.js",
    "curves.js",
    "formulas.js",
    "state.js",
    "arms.js",
    "replay.js",
    "tree.js",
    "way.js",
    "report.js",
    "compare.js",
    "main.js",
)


def page(trace_text: str, name: str = "trace") -> str:
    """The report of a search; `name` is what errors call the trace. Raises `InputError` if it is none."""
    return _page([Source(name, trace_text)])


def compare_page(a: str, b: str, names: tuple[str, str] = ("first trace", "second trace")) -> str:
    """Two searches side by side."""
    return _page([Source(name, text) for name, text in zip(names, (a, b), strict=True)])


def _page(sources: list[Source]) -> str:
    """One trace makes a report, two make a comparison."""
    views = [view(read_trace(source)) for source in sources]
    title = " and ".join(f"{each['algorithm']} on {each['task']['problem']}" for each in views)
    return document(title, views, Path(__file__).with_name("static"), SCRIPTS)
