"""A table, before anybody knows whether it will be Markdown, HTML, LaTeX or CSV."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Value = str | float | None
Tone = Literal["", "good", "bad", "faint"]


@dataclass(frozen=True, slots=True)
class Column:
    """Neighbours with the same group share a heading above theirs."""

    name: str
    group: str = ""
    text: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """`shown` is how people read it; CSV has the value alone, and the spread in a column of its own."""

    value: Value = None
    digits: int = 0
    signed: bool = False
    spread: float | None = None
    mark: str = ""
    strong: bool = False
    tone: Tone = ""

    @property
    def shown(self) -> str:
        match self.value:
            case None:
                return self.mark
            case str() as text:
                return text + self.mark
            case number:
                shown = f"{number:{'+' if self.signed else ''},.{self.digits}f}".replace("-", "−")
                if not float(shown.replace("−", "-").replace(",", "")):
                    shown = shown.lstrip("−+")
                if self.spread is not None:
                    shown += f" ± {self.spread:.{self.digits}f}"
                return shown + self.mark


@dataclass(frozen=True, slots=True)
class Row:
    """`rule` draws a line above."""

    cells: tuple[Cell, ...]
    rule: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """`name` is that of its files; `notes` say how to read it; `heads` columns on the left are headings of the rows."""

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = field(default=())
    heads: int = 1

    @property
    def groups(self) -> list[tuple[str, int]]:
        """The upper headings, each with the number of columns below it."""
        spans: list[tuple[str, int]] = []
        for column in self.columns:
            if spans and column.group and spans[-1][0] == column.group:
                spans[-1] = (column.group, spans[-1][1] + 1)
            else:
                spans.append((column.group, 1))
        return spans


def p_value(p: float | None) -> str:
    """As papers print it."""
    if p is None:
        return ""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
