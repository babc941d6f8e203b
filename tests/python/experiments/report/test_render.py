"""Tables as text: whatever names contain, a table stays a table."""

from __future__ import annotations

import csv
import io
from html.parser import HTMLParser

import pytest

from banditplan.experiments.report.render.csv import comma_separated
from banditplan.experiments.report.render.html import html
from banditplan.experiments.report.render.latex import escape as escape_latex
from banditplan.experiments.report.render.latex import latex
from banditplan.experiments.report.render.markdown import escape as escape_markdown
from banditplan.experiments.report.render.markdown import markdown
from banditplan.experiments.report.slug import slug
from banditplan.experiments.report.table import Cell, Column, Row, Table

NASTY = 'a|b <script>alert("1")</script> & 50% of $x_1 {y} ~^#\\ *bold* `code` [link](x)\nsecond line'

OURS = Cell(581.84, 1, spread=1.25, mark="**", strong=True)
TABLE = Table(
    "nasty",
    f"Title {NASTY}",
    (Column("name", text=True), Column("ours", "ff"), Column("paper", "ff"), Column("Δ")),
    (
        Row((Cell(NASTY), OURS, Cell(581.8, 1), Cell(0.04, 1, signed=True))),
        Row((Cell("plain"), Cell(None), Cell(-3.0, 1), Cell(-1234.5, 1, signed=True)), rule=True),
    ),
    (f"Note {NASTY}",),
)


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        (Cell(), ""),
        (Cell(0.04, 1, signed=True), "0.0"),
        (Cell(-0.04, 1), "0.0"),
        (Cell(-1234.5, 1, signed=True), "−1,234.5"),
        (Cell(3, 1, signed=True), "+3.0"),
        (Cell(2.25, 1, spread=0.5, mark="*"), "2.2 ± 0.5*"),
        (Cell("text", mark="†"), "text†"),
    ],
)
def test_how_numbers_are_shown(cell: Cell, shown: str) -> None:
    assert cell.shown == shown


class Reader(HTMLParser):
    """Tags that are open must be closed in turn; collects the cells of rows."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows: list[list[str]] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, _: object) -> None:
        self.open.append(tag)
        self.tags.add(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if {"td", "th"} & set(self.open):
            self.rows[-1][-1] += data


def test_html_is_well_formed_and_means_the_text() -> None:
    reader = Reader()
    reader.feed(html(TABLE))
    assert reader.open == []
    assert "script" not in reader.tags
    assert reader.rows == [
        ["", "ff", ""],
        ["name", "ours", "paper", "Δ"],
        [NASTY, "581.8 ± 1.2**", "581.8", "0.0"],
        ["plain", "", "−3.0", "−1,234.5"],
    ]


def test_markdown_keeps_its_columns() -> None:
    lines = [line for line in markdown(TABLE).splitlines() if line.startswith("|")]
    assert len(lines) == 4
    for line in lines:
        assert line.replace("\\|", "").count("|") == 5
    assert "<script>" not in lines[2].replace("\\<", "")
    assert "**581.8 ± 1.2\\*\\***" in lines[2]


def test_markdown_escapes_nothing_that_means_nothing() -> None:
    assert escape_markdown("total_seconds guct-normal2 (c=0.5)") == "total_seconds guct-normal2 (c=0.5)"


def test_latex_escapes_every_special_character() -> None:
    text = escape_latex(NASTY)
    for special in "&%#_~^":
        assert special not in text.replace(f"\\{special}", "").replace("\\textasciitilde{}", "")
    assert "\\$x\\_1 \\{y\\}" in text
    assert "\n" not in text


def test_latex_has_groups_and_balanced_columns() -> None:
    lines = latex(TABLE).splitlines()
    body = [line for line in lines if line.endswith("\\\\")]
    assert body[0] == "\\multicolumn{1}{c}{} & \\multicolumn{2}{c}{ff} & \\multicolumn{1}{c}{} \\\\"
    assert "\\cmidrule(lr){2-3}" in lines
    for line in body[1:]:
        assert line.replace("\\&", "").count("&") == 3
    comments = [line for line in lines if "Title" in line or "Note" in line or line.startswith("% second")]
    assert all(line.startswith("%") for line in comments)


def test_csv_has_numbers_in_full_and_the_spread_apart() -> None:
    head, first, second = csv.reader(io.StringIO(comma_separated(TABLE)))
    assert head == ["name", "ff ours", "ff ours spread", "ff paper", "Δ"]
    assert first == [NASTY, "581.84", "1.25", "581.8", "0.04"]
    assert second == ["plain", "", "", "-3.0", "-1234.5"]


def test_file_names() -> None:
    assert slug("domains", "ff+po") == "domains-ff+po"
    assert "/" not in slug("x", "../../etc/passwd")
    assert slug("x", "guct*(c=0.5)") == "x-guct-c-0.5"
