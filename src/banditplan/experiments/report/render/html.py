"""HTML: one table that scrolls by itself, with headings that stay in sight."""

from __future__ import annotations

from html import escape

from banditplan.experiments.report.table import Cell, Column, Row, Table


def html(table: Table) -> str:
    """A section with title, table and notes."""
    notes = "".join(f"<p class=note>{escape(note)}</p>" for note in table.notes)
    rows = "".join(_row(row, table) for row in table.rows)
    return (
        f'<section id="{escape(table.name)}"><h3>{escape(table.title)}</h3>'
        f'<div class=scroll tabindex=0 role=region aria-label="{escape(table.title)}">'
        f"<table><thead>{_head(table)}</thead><tbody>{rows}</tbody></table></div>{notes}</section>\n"
    )


def _head(table: Table) -> str:
    lower = "".join(f"<th scope=col{_side(column)}>{escape(column.name)}</th>" for column in table.columns)
    if not any(column.group for column in table.columns):
        return f"<tr>{lower}</tr>"
    upper = "".join(
        f"<th colspan={width}{' class=group scope=colgroup' if name else ''}>{escape(name)}</th>"
        for name, width in table.groups
    )
    return f"<tr>{upper}</tr><tr class=lower>{lower}</tr>"


def _row(row: Row, table: Table) -> str:
    cells = "".join(
        _cell(cell, column, number < table.heads)
        for number, (cell, column) in enumerate(zip(row.cells, table.columns, strict=True))
    )
    return f"<tr{' class=rule' if row.rule else ''}>{cells}</tr>"


def _cell(cell: Cell, column: Column, head: bool) -> str:
    text = escape(cell.shown)
    if "\n" in text:
        text = f"<pre>{text}</pre>"
    if cell.strong:
        text = f"<b>{text}</b>"
    tag = "th scope=row" if head else "td"
    classes = " ".join(filter(None, ("text" if column.text else "", cell.tone)))
    styled = f' class="{classes}"' if classes else ""
    return f"<{tag}{styled}>{text}</{tag[:2]}>"


def _side(column: Column) -> str:
    return " class=text" if column.text else ""
