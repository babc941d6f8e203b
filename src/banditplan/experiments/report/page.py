"""The report as one HTML file that needs nothing else: no network, no scripts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path

from banditplan.experiments.report.render.html import html
from banditplan.experiments.report.table import Table

POINTS_PER_INCH = 72
WIDE = 8  # inches from which a figure gets a row of its own, and on a phone scrolls


def page(
    title: str,
    lead: str,
    facts: Mapping[str, str],
    failures: Table | None,
    tables: Sequence[Table],
    plots: Mapping[str, Iterable[str]],
) -> str:
    """`facts` head the page; `plots` are figures under their headings, as `drawing` makes them."""
    style = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    body = [f"<h1>{escape(title)}</h1>", f"<p class=lead>{escape(lead)}</p>"]
    if failures is not None:
        body.append(f"<div class=alarm>{html(failures)}</div>")
    body.append("<dl>" + "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in facts.items()))
    body.append(f"</dl>{_contents(tables, plots)}")
    body.append("<h2>Tables</h2>")
    body += map(html, tables)
    for kind, figures in plots.items():
        body.append(f'<h2 id="{escape(_anchor(kind))}">{escape(kind)}</h2><div class=plots>{"".join(figures)}</div>')
    return (
        "<!doctype html>\n<html lang=en><head><meta charset=utf-8>"
        '<meta name=viewport content="width=device-width, initial-scale=1">'
        '<link rel=icon href="data:,">'
        f"<title>{escape(title)}</title><style>{style}</style></head><body>\n" + "\n".join(body) + "\n</body></html>\n"
    )


def drawing(svg: str, title: str, caption: str) -> str:
    """A figure of the page."""
    named = svg.replace('role="img"', f'role="img" aria-label="{escape(caption)}"', 1)
    width = float(svg.partition('viewBox="')[2].split()[2]) / POINTS_PER_INCH
    kind = " class=wide" if width > WIDE else ""
    return (
        f"<figure{kind}><div>{named}</div><figcaption><b>{escape(title)}</b> {escape(caption)}</figcaption></figure>\n"
    )


def _contents(tables: Sequence[Table], plots: Iterable[str]) -> str:
    """Links; tables that differ in the column alone share a line."""
    lines: dict[str, list[str]] = {}
    for table in tables:
        title, comma, column = table.title.partition(", ")
        link = _link(table.name, column or table.title, table.title)
        lines.setdefault(title if comma else "", []).append(link)
    lines["plots"] = [_link(_anchor(kind), kind, f"Plots: {kind}") for kind in plots]
    return "".join(
        f"<nav>{f'<span>{escape(title)}</span>' if title else ''}{''.join(links)}</nav>"
        for title, links in lines.items()
        if links
    )


def _link(anchor: str, text: str, name: str) -> str:
    """`name` is what it leads to, for those who hear the link alone."""
    return f'<a href="#{escape(anchor)}" aria-label="{escape(name)}">{escape(text)}</a>'


def _anchor(kind: str) -> str:
    return "plots-" + "".join(letter if letter.isalnum() else "-" for letter in kind.lower())
