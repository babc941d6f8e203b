"""Coverage domain by domain, with the paper's figures where it has them; for IPC 2018, with the agile score."""

from __future__ import annotations

from collections.abc import Callable

from banditplan.experiments.report import paper
from banditplan.experiments.report.attributes import agile
from banditplan.experiments.report.results import Configuration, Coverage, Results
from banditplan.experiments.report.slug import slug
from banditplan.experiments.report.table import Cell, Column, Row, Table
from banditplan.experiments.report.tables.coverage import coverage_cell, partial_note

Figure = Callable[[str, str, str, int], float | None]  # algorithm, column, domain, instances → coverage in the paper


def domain_table(results: Results, column: str) -> Table:
    table = _table(results, column, paper.of_domain)
    return Table(slug("domains", column), f"Coverage by domain, {column}", *table)


def ipc18_table(results: Results, column: str, time_limit: float | None) -> Table:
    columns, rows, notes = _table(results, column, paper.of_ipc18, lambda run: agile(run, time_limit))
    limits = {run.time_limit for run in results.runs} if time_limit is None else {time_limit}
    seconds = " or ".join(sorted("300 (no limit was given)" if limit is None else f"{limit:g}" for limit in limits))
    note = (
        "agile: sum over the instances of 1 up to a second, then 1 − log(seconds) / log(limit), 0 without a plan; "
        f"mean over the seeds. Seconds are those of parsing, grounding and search; the limit is {seconds}."
    )
    where = "The paper's figures are for 300 s and 8 GB on another machine, with Fast Downward's parsing and grounding."
    return Table(slug("ipc18", column), f"IPC 2018, {column}", columns, rows, (*notes, note, where))


def _table(
    results: Results, column: str, figure: Figure, score: Callable[..., float] | None = None
) -> tuple[tuple[Column, ...], tuple[Row, ...], tuple[str, ...]]:
    configurations = results.in_column(column)
    known = {
        configuration
        for configuration in configurations
        if any(figure(*configuration, *domain) is not None for domain in results.sizes.items())
    }
    columns = [Column("domain", text=True), Column("instances")]
    for configuration in configurations:
        names = ["ours", *(["paper"] if configuration in known else []), *(["agile"] if score else [])]
        plain = len(names) == 1
        columns += [Column("" if plain else name, configuration.algorithm) for name in names]
    rows = []
    for domain in (*results.domains, None):
        chosen = results.domains if domain is None else (domain,)
        coverages = {name: results.coverage(name, chosen) for name in configurations}
        best = _best(list(coverages.values()))
        cells = [
            Cell("total" if domain is None else domain, strong=domain is None),
            Cell(sum(len(results.instances[name]) for name in chosen), tone="faint"),
        ]
        for configuration in configurations:
            cells.append(coverage_cell(coverages[configuration], best))
            if configuration in known:
                figures = [figure(*configuration, name, results.sizes[name]) for name in chosen]
                cells.append(Cell(_sum(figures), 1, tone="faint"))
            if score is not None:
                cells.append(_score(results, configuration, chosen, score))
        rows.append(Row(tuple(cells), rule=domain is None))
    return tuple(columns), tuple(rows), _notes(results, bool(known))


def _best(coverages: list[Coverage]) -> float | None:
    """The best mean, unless all are equal."""
    means = [coverage.mean for coverage in coverages if coverage.mean is not None]
    return max(means) if len(set(means)) > 1 else None


def _sum(figures: list[float | None]) -> float | None:
    known = [figure for figure in figures if figure is not None]
    return sum(known) if known and len(known) == len(figures) else None


def _score(
    results: Results, configuration: Configuration, domains: tuple[str, ...], score: Callable[..., float]
) -> Cell:
    size = sum(len(results.instances[domain]) for domain in domains)
    sums = []
    for runs in results.by_seed[configuration].values():
        chosen = [run for instance, run in runs.items() if instance.domain in domains]
        if len(chosen) == size:
            sums.append(sum(map(score, chosen)))
    return Cell(sum(sums) / len(sums), 2) if sums else Cell()


def _notes(results: Results, compared: bool) -> tuple[str, ...]:
    notes = ["Mean ± standard deviation over the seeds; best of a domain in bold unless all are equal."]
    if compared:
        notes.append(f"paper: {paper.source()}. Its instances may differ from those here in number.")
    return (*notes, *partial_note(results))
