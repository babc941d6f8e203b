"""A ledger → a folder with the report: the steps, one after another.

ledger → runs → within the limits → results → tables, plots → report.md, report.html, tables/, plots/
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from banditplan.errors import InputError
from banditplan.experiments.ledger import Ledger
from banditplan.experiments.report import paper
from banditplan.experiments.report.cutoffs import Cutoffs, effective, within
from banditplan.experiments.report.facts import facts, lead
from banditplan.experiments.report.page import drawing, page
from banditplan.experiments.report.plots import all_plots
from banditplan.experiments.report.plots.figure import png, svg
from banditplan.experiments.report.render.csv import comma_separated
from banditplan.experiments.report.render.latex import latex
from banditplan.experiments.report.render.markdown import escape, markdown
from banditplan.experiments.report.results import Results, results
from banditplan.experiments.report.table import Table
from banditplan.experiments.report.tables.coverage import coverage_table
from banditplan.experiments.report.tables.domains import domain_table, ipc18_table
from banditplan.experiments.report.tables.effort import effort_table
from banditplan.experiments.report.tables.failures import endings_table, failures_table
from banditplan.experiments.report.tables.significance import significance_table

REFERENCE = "guct-normal2"


@dataclass(frozen=True, slots=True)
class Drawn:
    """A plot that lies in its file."""

    kind: str
    title: str
    caption: str
    file: str
    svg: str


def write_report(ledger: Ledger, out: Path, limits: Cutoffs, reference: str | None, command: str) -> Path:
    """Write the report into the folder `out`; returns the page."""
    runs = ledger.runs()
    if not runs:
        raise InputError(f"{ledger.folder}: no run has ended yet; wait for the first, or go on with experiment run")
    found = results(within(runs, limits), ledger.experiment.algorithms, ledger.experiment.columns)
    chosen = chosen_reference(found, reference)
    failures = failures_table(found)
    tables = list(all_tables(found, chosen, effective(runs, limits)))
    about = facts(ledger, runs, limits, command)
    title, text = f"Experiment {ledger.experiment.name}", lead(ledger, found, chosen)
    try:
        _write_tables(out / "tables", [*([failures] if failures else []), *tables])
        drawn = _write_plots(out / "plots", found, chosen)
        kinds = dict.fromkeys(plot.kind for plot in drawn)
        figures = {
            kind: [drawing(plot.svg, plot.title, plot.caption) for plot in drawn if plot.kind == kind] for kind in kinds
        }
        (out / "report.md").write_text(_markdown(title, text, about, failures, tables, drawn), encoding="utf-8")
        (out / "report.html").write_text(page(title, text, about, failures, tables, figures), encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write the report to {out}: {error.strerror}; choose another --out") from None
    return out / "report.html"


def all_tables(found: Results, reference: str, limits: Cutoffs) -> Iterator[Table]:
    """In the order of the report; the failures come before them."""
    yield coverage_table(found, reference, limits)
    competition = [domain for domain in found.domains if domain in paper.ipc18_domains()]
    others = [domain for domain in found.domains if domain not in competition]
    for column in found.columns:
        if others:
            yield domain_table(found.of_domains(others) if competition else found, column)
        if competition:
            yield ipc18_table(found.of_domains(competition) if others else found, column, limits.time_limit)
    yield significance_table(found, reference)
    for column in found.columns:
        effort = effort_table(found, column)
        if effort is not None:
            yield effort
    yield endings_table(found)


def chosen_reference(found: Results, asked: str | None) -> str:
    """The algorithm that the others are compared with: what was asked for, the default, or else the first there is."""
    if asked is None:
        return REFERENCE if REFERENCE in found.algorithms else found.algorithms[0]
    if asked not in found.algorithms:
        from banditplan.pddl.faults import similar

        names = ", ".join(found.algorithms)
        raise InputError(f'--reference: no runs of "{asked}"{similar(asked, found.algorithms)}; there are {names}')
    return asked


def _write_tables(folder: Path, tables: list[Table]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for table in tables:
        for suffix, render in ((".md", markdown), (".tex", latex), (".csv", comma_separated)):
            folder.joinpath(table.name + suffix).write_text(render(table), encoding="utf-8")


def _write_plots(folder: Path, found: Results, reference: str) -> list[Drawn]:
    folder.mkdir(parents=True, exist_ok=True)
    drawn = []
    for plot in all_plots(found, reference):
        file = folder / f"{plot.name}.png"
        file.write_bytes(png(plot))
        drawn.append(Drawn(plot.kind, plot.title, plot.caption, f"plots/{file.name}", svg(plot)))
    return drawn


def _markdown(
    title: str, text: str, about: dict[str, str], failures: Table | None, tables: list[Table], drawn: list[Drawn]
) -> str:
    parts = [f"# {escape(title)}\n", escape(text) + "\n"]
    if failures is not None:
        parts.append(markdown(failures))
    parts.append("\n".join(f"- {escape(name)}: {escape(value)}" for name, value in about.items()) + "\n")
    parts += map(markdown, tables)
    kind = None
    for plot in drawn:
        if plot.kind != kind:
            parts.append(f"## {escape(plot.kind)}\n")
            kind = plot.kind
        parts.append(f"![{escape(plot.caption)}]({plot.file})\n\n{escape(plot.caption)}\n")
    return "\n".join(parts)
