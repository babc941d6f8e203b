"""Every algorithm against the reference: Welch's t-test over seeds; McNemar's over instances if there is one seed."""

from __future__ import annotations

from banditplan.experiments.report.results import Configuration, Results
from banditplan.experiments.report.statistics import Significance, mcnemar, summary, welch
from banditplan.experiments.report.table import Cell, Column, Row, Table, p_value


def significance_table(results: Results, reference: str) -> Table:
    columns = (
        Column("column", text=True),
        Column("algorithm", text=True),
        Column("seeds"),
        Column("mean"),
        Column("spread"),
        Column("least"),
        Column("most"),
        Column("difference"),
        Column("statistic"),
        Column("p"),
        Column("test", text=True),
    )
    rows = []
    for column in results.columns:
        first = True
        for configuration in results.in_column(column):
            coverage = results.coverage(configuration).per_seed
            if not coverage:
                continue
            rows.append(
                Row((*_described(configuration, coverage), *_compared(results, configuration, reference)), first)
            )
            first = False
    notes = (
        f"Coverage of each algorithm against {reference} in the same column; two-sided; p is not corrected for the "
        "number of tests.",
        "Welch's t-test compares the seeds' coverage. A deterministic algorithm is a constant: the test is then that "
        "of the other's seeds against it. Where both have one run per instance, McNemar's exact test compares instance "
        "by instance. Only seeds that ran all instances count.",
    )
    return Table("significance", f"Significance against {reference}", columns, tuple(rows), notes, 2)


def against_reference(results: Results, configuration: Configuration, reference: str) -> Significance | None:
    """None for the reference itself, and where one of the two has no complete seed."""
    other = Configuration(reference, configuration.column)
    if configuration == other:
        return None
    ours, theirs = results.coverage(configuration).per_seed, results.coverage(other).per_seed
    if not ours or not theirs:
        return None
    if len(ours) == len(theirs) == 1:
        return _by_instance(results, configuration, other)
    return welch(ours, theirs, (results.deterministic(configuration), results.deterministic(other)))


def _by_instance(results: Results, configuration: Configuration, other: Configuration) -> Significance:
    [ours], [theirs] = (
        [runs for runs in results.by_seed[name].values() if len(runs) == results.size]
        for name in (configuration, other)
    )
    gained = sum(ours[instance].solved > theirs[instance].solved for instance in ours)
    lost = sum(ours[instance].solved < theirs[instance].solved for instance in ours)
    return mcnemar(gained, lost)


def _described(configuration: Configuration, coverage: tuple[int, ...]) -> tuple[Cell, ...]:
    found = summary(coverage)
    return (
        Cell(configuration.column),
        Cell(configuration.algorithm),
        Cell(found.count),
        Cell(found.mean, 1),
        Cell(found.spread, 2),
        Cell(found.least),
        Cell(found.most),
    )


def _compared(results: Results, configuration: Configuration, reference: str) -> tuple[Cell, ...]:
    verdict = against_reference(results, configuration, reference)
    if verdict is None:
        here = configuration.algorithm == reference
        return (Cell(), Cell(), Cell(), Cell("the reference" if here else "no reference", tone="faint"))
    ours = results.coverage(configuration).mean
    theirs = results.coverage(Configuration(reference, configuration.column)).mean
    assert ours is not None
    assert theirs is not None
    certain = verdict.p is not None and verdict.p < 0.05
    return (
        Cell(ours - theirs, 1, signed=True, tone=("good" if ours > theirs else "bad") if certain else ""),
        Cell(verdict.statistic, 2),
        Cell(p_value(verdict.p), strong=certain),
        Cell(verdict.test, tone="" if verdict.p is not None else "faint"),
    )
