"""Coverage in total, in the layout of the paper's Table 1, with the paper's figures beside ours."""

from __future__ import annotations

from banditplan.experiments.report import paper
from banditplan.experiments.report.algorithm import algorithm
from banditplan.experiments.report.cutoffs import Cutoffs
from banditplan.experiments.report.results import Configuration, Coverage, Results
from banditplan.experiments.report.statistics import stars, summary
from banditplan.experiments.report.table import Cell, Column, Row, Table
from banditplan.experiments.report.tables.significance import against_reference

PARTIAL = "†"


def coverage_table(results: Results, reference: str, limits: Cutoffs) -> Table:
    """A row per algorithm and coefficient, a group per column; `limits` are what the runs were kept to."""
    figures = _figures(results)
    columns = [Column("algorithm", text=True), Column("c")]
    for column in results.columns:
        names = ("ours", "paper", "Δ") if column in figures else ("",)
        columns += [Column(name, column) for name in names]
    best = {column: _best(results, column) for column in results.columns}
    rows: list[Row] = []
    previous = None
    for name in _ordered(results.algorithms):
        parts = algorithm(name)
        cells = [Cell(parts.title), Cell(parts.c, digits=_digits(parts.c))]
        for column in results.columns:
            cells += _cells(results, Configuration(name, column), reference, best[column], figures.get(column))
        rows.append(Row(tuple(cells), rule=previous not in (None, _section(name))))
        previous = _section(name)
    title = f"Instances solved within {limits}" if limits != Cutoffs() else "Instances solved"
    return Table("coverage", title, tuple(columns), tuple(rows), _notes(results, reference, limits), 2)


def coverage_cell(coverage: Coverage, best: float | None = None, mark: str = "") -> Cell:
    """Mean and spread over the seeds that ran everything; what there is so far, marked, if none did."""
    if not coverage.seeds:
        return Cell()
    if not coverage.per_seed:
        return Cell(f"{coverage.solved} of {coverage.done}", mark=PARTIAL, tone="faint")
    found = summary(coverage.per_seed)
    digits = 0 if found.count == 1 else 1
    mark += PARTIAL if coverage.partial else ""
    return Cell(found.mean, digits, spread=found.spread, mark=mark, strong=found.mean == best)


def difference_cell(ours: float | None, theirs: float | None) -> Cell:
    if ours is None or theirs is None:
        return Cell()
    difference = ours - theirs
    return Cell(difference, 1, signed=True, tone="good" if difference > 0.05 else "bad" if difference < -0.05 else "")


def partial_note(results: Results) -> tuple[str, ...]:
    """What the dagger means, if it is used."""
    if not any(results.coverage(configuration).partial for configuration in results.by_seed):
        return ()
    return (
        f"{PARTIAL} Runs are missing. Means are over the seeds that ran all instances; where there is no such seed, "
        "“a of b” says that b instances were run so far and a of them solved, and nothing is compared.",
    )


def _figures(results: Results) -> dict[str, dict[str, float]]:
    """The paper's figures for these domains: column → algorithm → coverage."""
    figures: dict[str, dict[str, float]] = {}
    for name, column in results.by_seed:
        figure = paper.total(name, column, results.sizes)
        if figure is not None:
            figures.setdefault(column, {})[name] = figure
    return figures


def _best(results: Results, column: str) -> float | None:
    means = [results.coverage(configuration).mean for configuration in results.in_column(column)]
    known = [mean for mean in means if mean is not None]
    return max(known) if len(set(known)) > 1 else None


def _cells(
    results: Results,
    configuration: Configuration,
    reference: str,
    best: float | None,
    figures: dict[str, float] | None,
) -> list[Cell]:
    coverage = results.coverage(configuration)
    verdict = against_reference(results, configuration, reference)
    cells = [coverage_cell(coverage, best, stars(verdict.p) if verdict else "")]
    if figures is not None:
        figure = figures.get(configuration.algorithm)
        mark = "‡" if figure is not None and _borrowed(configuration) else ""
        cells.append(Cell(figure, 1, mark=mark, tone="faint"))
        cells.append(difference_cell(coverage.mean, figure))
    return cells


def _borrowed(configuration: Configuration) -> bool:
    """Whether the paper has a figure of GBFS, but not of its own planner."""
    return algorithm(configuration.algorithm).base == "gbfs" and paper.planner(*configuration) == paper.PLANNERS[1]


def _ordered(names: tuple[str, ...]) -> list[str]:
    """As in the paper: with a coefficient, its values side by side; without; other kinds of search."""
    titles = [algorithm(name).title for name in names]
    return sorted(names, key=lambda name: (_section(name), titles.index(algorithm(name).title), algorithm(name).c or 0))


def _section(name: str) -> int:
    parts = algorithm(name)
    return 0 if parts.c is not None else 1 if parts.base.startswith(("guct", "ttts")) else 2


def _digits(number: float | None) -> int:
    return len(f"{number:g}".partition(".")[2]) if number is not None else 0


def _notes(results: Results, reference: str, limits: Cutoffs) -> tuple[str, ...]:
    notes = [
        "Mean ± standard deviation over the seeds; best of a column in bold unless all are equal.",
        f"*, **, ***: differs from {reference} with p < 0.05, 0.01, 0.001; see the table of significance.",
    ]
    if _figures(results):
        notes.append(
            f"paper: {paper.source()}. Its figures are within {paper.evaluation_limit():,} evaluations. It states "
            f"{paper.stated_instances()} instances in 24 domains and lists 23 domains; here there are {results.size:,} "
            f"instances in {len(results.domains)} domains."
        )
        if limits.max_evaluations != paper.evaluation_limit():
            notes.append(
                "The runs here are not limited to that many, so the difference says little; --max-evaluations "
                f"{paper.evaluation_limit()} applies the limit afterwards where the runs went that far."
            )
        if set(results.domains) != paper.domains():
            notes.append("Only some of the paper's domains were run: its figures are the sums over these domains.")
        if any(_borrowed(configuration) for configuration in results.by_seed):
            notes.append("‡ Of Fast Downward: the paper's own planner has no figure.")
    elif set(results.domains) <= paper.domains():
        notes.append("The paper's figures are left out: not all instances of its domains were run.")
    return (*notes, *partial_note(results))
