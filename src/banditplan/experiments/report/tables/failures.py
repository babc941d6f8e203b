"""Runs that ended in a way that nothing explains, and how all the others ended."""

from __future__ import annotations

from collections import Counter

from banditplan.experiments.report.results import Configuration, Results
from banditplan.experiments.report.table import Cell, Column, Row, Table

MOST = 100  # rows; the ledger has the others
LINES = 8  # of a run's output


def failures_table(results: Results) -> Table | None:
    """None if there are none."""
    failed = sorted((run for run in results.runs if run.failed), key=lambda run: run.key)
    if not failed:
        return None
    names = ("algorithm", "column", "domain", "instance", "seed", "status", "exit", "error", "output")
    rows = []
    for run in failed[:MOST]:
        key = run.key
        status = "invalid plan" if run.valid is False else run.status
        tail = "\n".join(run.output.strip().splitlines()[-LINES:])
        where = (key.algorithm, key.column, key.domain, key.instance, str(key.seed))
        rows.append(Row(tuple(map(Cell, (*where, status, run.exit, run.complaint, tail)))))
    notes = ["Neither a plan, nor a proof, nor a limit. They count as not solved."]
    if len(failed) > MOST:
        notes.append(f"The first {MOST} of {len(failed):,}; `banditplan experiment export` writes all.")
    columns = tuple(Column(name, text=True) for name in names)
    return Table("failures", f"Unexplained errors: {len(failed):,}", columns, tuple(rows), tuple(notes))


def endings_table(results: Results) -> Table:
    """How many runs of each configuration ended in which way."""
    counts: dict[Configuration, Counter[str]] = {}
    for run in results.runs:
        counts.setdefault(Configuration(run.key.algorithm, run.key.column), Counter())[run.status] += 1
    statuses = sorted({status for counter in counts.values() for status in counter}, key=lambda s: (s != "solved", s))
    columns = (Column("column", text=True), Column("algorithm", text=True), Column("runs"), *map(Column, statuses))
    rows = []
    for column in results.columns:
        for number, configuration in enumerate(results.in_column(column)):
            counter = counts[configuration]
            numbers = [Cell(counter[status] or None) for status in statuses]
            heads = (Cell(column), Cell(configuration.algorithm), Cell(counter.total()))
            rows.append(Row((*heads, *numbers), rule=number == 0))
    return Table("endings", "How the runs ended", columns, tuple(rows), (), 2)
