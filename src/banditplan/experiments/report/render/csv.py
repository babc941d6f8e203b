"""CSV for machines: numbers in full, the spread in a column of its own."""

from __future__ import annotations

import csv
import io

from banditplan.experiments.report.table import Table


def comma_separated(table: Table) -> str:
    spread = [any(row.cells[number].spread is not None for row in table.rows) for number in range(len(table.columns))]
    head: list[str] = []
    for column, wide in zip(table.columns, spread, strict=True):
        name = f"{column.group} {column.name}".strip()
        head += [name, f"{name} spread"] if wide else [name]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    for row in table.rows:
        values: list[object] = []
        for cell, wide in zip(row.cells, spread, strict=True):
            values.append("" if cell.value is None else cell.value)
            if wide:
                values.append("" if cell.spread is None else cell.spread)
        writer.writerow(values)
    return out.getvalue()
