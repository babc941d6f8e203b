"""Coverage, domain × algorithm, at a glance."""

from __future__ import annotations

from banditplan.experiments.report.extra import numpy
from banditplan.experiments.report.plots.figure import Plot, figure, style
from banditplan.experiments.report.results import Results
from banditplan.experiments.report.slug import slug

CENTRED = {"ha": "center", "va": "center", "fontsize": 7}


def heat_map(results: Results, column: str) -> Plot | None:
    """The colour is the share of a domain's instances; the number is how many. None if no seed is complete."""
    np = numpy()
    configurations = results.in_column(column)
    means = [[results.coverage(name, [domain]).mean for name in configurations] for domain in results.domains]
    if all(mean is None for row in means for mean in row):
        return None
    sizes = [len(results.instances[domain]) for domain in results.domains]
    shares = np.array(
        [[np.nan if mean is None else mean / size for mean in row] for row, size in zip(means, sizes, strict=True)]
    )
    with style():
        made = figure(max(3.2, 2.2 + 0.44 * len(configurations)), max(2.4, 1.4 + 0.25 * len(sizes)))
        axes = made.add_subplot()
        mesh = axes.pcolormesh(shares, cmap="viridis", vmin=0, vmax=1, edgecolors="none", linewidth=0)
        for row, (numbers, size) in enumerate(zip(means, sizes, strict=True)):
            for at, mean in enumerate(numbers):
                if mean is not None:
                    shade = "white" if mean / size < 0.6 else "#101010"
                    text = f"{mean:.1f}".removesuffix(".0")
                    axes.text(at + 0.5, row + 0.5, text, **CENTRED, color=shade, in_layout=False)
        axes.set_xticks(np.arange(len(configurations)) + 0.5, [name.algorithm for name in configurations], rotation=90)
        labels = [f"{domain} ({size})" for domain, size in zip(results.domains, sizes, strict=True)]
        axes.set_yticks(np.arange(len(sizes)) + 0.5, labels)
        axes.tick_params(length=0, labelsize=8)
        axes.invert_yaxis()
        axes.grid(visible=False)
        for spine in axes.spines.values():
            spine.set_visible(False)
        made.colorbar(mesh, ax=axes, label="share", shrink=0.6, pad=0.02).outline.set_visible(False)
    return Plot(
        slug("heat-map", column),
        "Coverage, domain × algorithm",
        column,
        f"Share of the instances of a domain that are solved, {column}; numbers: how many, means over the seeds.",
        made,
    )
