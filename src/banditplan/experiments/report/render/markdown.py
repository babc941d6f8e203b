"""Markdown, as GitHub reads it, and people in a terminal."""

from __future__ import annotations

import re

from banditplan.experiments.report.table import Cell, Table

WIDEST = 40  # that columns are padded to


def markdown(table: Table) -> str:
    """Title, table and notes. Markdown knows no groups: their names go into the headings."""
    heads = [escape(f"{column.group} {column.name}".strip()) for column in table.columns]
    rows = [[_shown(cell) for cell in row.cells] for row in table.rows]
    widths = [min(WIDEST, max(3, *map(len, cells))) for cells in zip(heads, *rows, strict=True)]
    left = [column.text for column in table.columns]
    rule = [
        ":" + "-" * (width - 1) if text else "-" * (width - 1) + ":" for text, width in zip(left, widths, strict=True)
    ]
    lines = [f"### {escape(table.title)}", "", *(_line(cells, widths, left) for cells in (heads, rule, *rows))]
    for note in table.notes:
        lines += ["", escape(note)]
    return "\n".join(lines) + "\n"


def escape(text: str) -> str:
    """So that the text means itself, inside a table, too."""
    text = re.sub(r"([\\`*\[\]<>|~#]|(?<!\w)_|_(?!\w))", r"\\\1", text.replace("&", "&amp;"))
    return re.sub(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]", "<br>", text)


def _shown(cell: Cell) -> str:
    text = escape(cell.shown)
    return f"**{text}**" if cell.strong and text else text


def _line(cells: list[str], widths: list[int], left: list[bool]) -> str:
    padded = [
        cell.ljust(width) if text else cell.rjust(width) for cell, width, text in zip(cells, widths, left, strict=True)
    ]
    return "| " + " | ".join(padded) + " |"
