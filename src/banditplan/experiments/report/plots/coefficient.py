"""What the coefficient c of an algorithm does to its coverage."""

from __future__ import annotations

from banditplan.experiments.report import paper
from banditplan.experiments.report.algorithm import algorithm
from banditplan.experiments.report.plots.figure import INK, Plot, below, colour, figure, style
from banditplan.experiments.report.results import Configuration, Results
from banditplan.experiments.report.slug import slug


def coefficient_plot(results: Results, column: str, reference: str) -> Plot | None:
    """None unless some algorithm was run with two values of c."""
    families: dict[str, list[tuple[float, Configuration]]] = {}
    for configuration in results.in_column(column):
        parts = algorithm(configuration.algorithm)
        if parts.c is not None and parts.c > 0 and results.coverage(configuration).per_seed:
            families.setdefault(parts.title, []).append((parts.c, configuration))
    families = {title: sorted(members) for title, members in families.items() if len(members) > 1}
    if not families:
        return None
    with style():
        made = figure(6.4, 4.4)
        axes = made.add_subplot()
        lines = {}
        for number, (title, members) in enumerate(families.items()):
            shape = {"color": colour(number), "markersize": 4}
            means = [results.coverage(configuration).mean for _, configuration in members]
            (lines[title],) = axes.plot([c for c, _ in members], means, marker="o", **shape)
            for c, configuration in members:
                seeds = results.coverage(configuration).per_seed
                axes.plot([c] * len(seeds), seeds, ".", color=colour(number), alpha=0.4, markersize=4)
                figures = paper.total(configuration.algorithm, column, results.sizes)
                if figures is not None:
                    axes.plot([c], [figures], "x", color=colour(number), markersize=6)
        level = results.coverage(Configuration(reference, column)).mean
        if level is not None:
            lines[reference] = axes.axhline(level, color=INK, linewidth=1, linestyle="--")
        values = sorted({c for members in families.values() for c, _ in members})
        axes.set_xscale("log")
        axes.set_xticks(values, [f"{c:g}" for c in values])
        axes.set_xticks([], minor=True)
        axes.set_xlabel("c")
        axes.set_ylabel("instances solved")
        below(made, list(lines.values()), list(lines))
    return Plot(
        slug("coefficient", column),
        "Effect of c",
        column,
        f"Coverage over the coefficient c, {column}: means joined by lines, seeds as dots, the paper's figures as "
        f"crosses; the dashed line is {reference}.",
        made,
    )
