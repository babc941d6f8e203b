r"""LaTeX for `\input`, with booktabs; amssymb is not needed."""

from __future__ import annotations

from banditplan.experiments.report.table import Cell, Row, Table

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"$<$",
    ">": r"$>$",
    "|": r"\textbar{}",
    "−": r"$-$",
    "±": r"$\pm$",
    "Δ": r"$\Delta$",
    "†": r"\dag{}",
    "‡": r"\ddag{}",
    "×": r"$\times$",
    "–": "--",
    "…": r"\dots{}",
    "“": "``",
    "”": "''",
    "\n": " ",
}
_TRANSLATION = str.maketrans(_ESCAPES)


def latex(table: Table) -> str:
    """A tabular with its title and notes as comments above it."""
    lines = [f"% {line}" for text in (table.title, *table.notes) for line in text.splitlines()]
    lines.append(r"\begin{tabular}{" + "".join("l" if column.text else "r" for column in table.columns) + "}")
    lines.append(r"\toprule")
    if any(column.group for column in table.columns):
        lines += _groups(table)
    lines.append(_line([escape(column.name) for column in table.columns]))
    lines.append(r"\midrule")
    for number, row in enumerate(table.rows):
        lines += _row(row, number)
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def escape(text: str) -> str:
    return text.translate(_TRANSLATION)


def _groups(table: Table) -> list[str]:
    heads, rules, start = [], [], 1
    for name, width in table.groups:
        heads.append(rf"\multicolumn{{{width}}}{{c}}{{{escape(name)}}}")
        if name:
            rules.append(rf"\cmidrule(lr){{{start}-{start + width - 1}}}")
        start += width
    return [_line(heads), "".join(rules)]


def _row(row: Row, number: int) -> list[str]:
    line = _line([_shown(cell) for cell in row.cells])
    return [r"\midrule", line] if row.rule and number > 0 else [line]


def _shown(cell: Cell) -> str:
    text = escape(cell.shown)
    return rf"\textbf{{{text}}}" if cell.strong and text else text


def _line(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"
