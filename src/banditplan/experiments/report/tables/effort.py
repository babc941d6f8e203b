"""What the algorithms needed, attribute by attribute, on the instances that all of them solved."""

from __future__ import annotations

from banditplan.experiments.report.attributes import ATTRIBUTES, Attribute
from banditplan.experiments.report.results import Configuration, InstanceName, Results
from banditplan.experiments.report.slug import slug
from banditplan.experiments.report.table import Cell, Column, Row, Table
from banditplan.experiments.runs import Run

SHOWN = tuple(attribute for attribute in ATTRIBUTES if attribute.solved_only)


def effort_table(results: Results, column: str) -> Table | None:
    """None if there is nothing that all solved."""
    configurations = results.in_column(column)
    common = _solved_by_all(results, configurations)
    if not common:
        return None
    columns = (Column("algorithm", text=True), *(Column(attribute.name) for attribute in SHOWN))
    values = {name: [_together(results, name, common, attribute) for attribute in SHOWN] for name in configurations}
    best = [_best([row[number] for row in values.values()], attribute) for number, attribute in enumerate(SHOWN)]
    rows = tuple(
        Row(
            (
                Cell(name.algorithm),
                *(
                    Cell(value, attribute.digits, strong=value is not None and value == top)
                    for value, attribute, top in zip(values[name], SHOWN, best, strict=True)
                ),
            )
        )
        for name in configurations
    )
    notes = (f"Geometric means over the {len(common):,} instances that every algorithm solved with every seed.",)
    return Table(slug("effort", column), f"Effort where all found a plan, {column}", columns, rows, notes)


def _solved_by_all(results: Results, configurations: list[Configuration]) -> set[InstanceName]:
    common: set[InstanceName] | None = None
    for configuration in configurations:
        for runs in results.by_seed[configuration].values():
            solved = {instance for instance, run in runs.items() if run.solved}
            common = solved if common is None else common & solved
    return common or set()


def _together(results: Results, name: Configuration, common: set[InstanceName], attribute: Attribute) -> float | None:
    chosen: list[Run] = [runs[instance] for runs in results.by_seed[name].values() for instance in common]
    return attribute.together([value for run in chosen if (value := attribute.of(run)) is not None])


def _best(values: list[float | None], attribute: Attribute) -> float | None:
    known = [value for value in values if value is not None]
    if len(set(known)) < 2:
        return None
    return max(known) if attribute.better == "more" else min(known)
