"""InstanceName by instance, one algorithm against another: evaluations coloured by domain, and the lengths of plans."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from banditplan.experiments.report.algorithm import algorithm
from banditplan.experiments.report.cutoffs import counted_evaluations
from banditplan.experiments.report.extra import numpy
from banditplan.experiments.report.plots.figure import QUIET, Plot, below, colour, figure, marker, style
from banditplan.experiments.report.results import Configuration, InstanceName, Results
from banditplan.experiments.report.slug import slug
from banditplan.experiments.runs import Run

BASELINE = "gbfs"
RIVALS = (BASELINE, "softmin-type")
PANELS = 6
MOST_TICKS = 6

Values = dict[InstanceName, list[float]]  # one per seed that found a plan


def evaluations_plot(results: Results, column: str, reference: str) -> Plot | None:
    """The reference against GBFS and Softmin-Type(h), on what both solved; None without any of it."""
    mine = _values(results, Configuration(reference, column), counted_evaluations)
    pairs = []
    for name in results.algorithms:
        if algorithm(name).base in RIVALS and name != reference:
            theirs = _values(results, Configuration(name, column), counted_evaluations)
            if mine.keys() & theirs.keys():
                pairs.append((name, theirs))
    if not pairs:
        return None
    with style():
        made = figure(5.2 * len(pairs), 6.0)
        panels = made.subplots(1, len(pairs), squeeze=False)[0]
        points: dict[str, Any] = {}
        for axes, (name, theirs) in zip(panels, pairs, strict=True):
            for number, domain in enumerate(results.domains):
                common = [found for found in mine if found.domain == domain and found in theirs]
                if common:
                    points[domain] = _cloud(axes, common, mine, theirs, number)
            _square(axes, f"evaluations, {reference}", f"evaluations, {name}")
        below(made, list(points.values()), list(points))
    return Plot(
        slug("evaluations", column),
        "Evaluations, instance by instance",
        column,
        f"Evaluations of {reference} (x) against {' and '.join(name for name, _ in pairs)} (y), {column}, on instances "
        "solved by both: medians over the seeds, bars from the least to the most.",
        made,
    )


def lengths_plot(results: Results, column: str, reference: str) -> Plot | None:
    """Plan lengths of the reference and the best others against those of GBFS; None without any of it."""
    base = next((name for name in results.algorithms if algorithm(name).base == BASELINE), BASELINE)
    theirs = _values(results, Configuration(base, column), lambda run: run.plan_length)
    panels = []
    for configuration in _ranked(results, column, reference):
        mine = _values(results, configuration, lambda run: run.plan_length)
        common = [found for found in mine if found in theirs]
        if configuration.algorithm != base and common:
            panels.append((configuration.algorithm, mine, common))
    panels = panels[:PANELS]
    if not panels:
        return None
    wide = min(3, len(panels))
    high = -(-len(panels) // wide)
    with style():
        made = figure(3.0 * wide, 3.0 * high)
        grid = made.subplots(high, wide, squeeze=False).flatten()
        for axes in grid[len(panels) :]:
            axes.set_visible(False)
        for number, (axes, (name, mine, common)) in enumerate(zip(grid, panels, strict=False)):
            x, y = (_medians(values, common) for values in (mine, theirs))
            axes.scatter(x, y, s=9, color=colour(number), alpha=0.6, linewidths=0, rasterized=len(x) > 100)
            _square(axes, name, base)
            longer = int((x > y).sum())
            axes.set_title(f"longer {longer}, shorter {int((x < y).sum())}", fontsize=8)
    return Plot(
        slug("lengths", column),
        "Plan length",
        column,
        f"Steps of the plans (x) against those of {base} (y), {column}, on instances solved by both: medians over the "
        f"seeds. {reference} and the others with the highest coverage.",
        made,
    )


def _ranked(results: Results, column: str, reference: str) -> list[Configuration]:
    return sorted(
        results.in_column(column),
        key=lambda name: (name.algorithm != reference, -(results.coverage(name).mean or 0.0)),
    )


def _values(results: Results, configuration: Configuration, of: Callable[[Run], float | None]) -> Values:
    values: Values = {}
    for runs in results.by_seed.get(configuration, {}).values():
        for instance, run in runs.items():
            value = of(run) if run.solved else None
            if value:  # an empty plan has no place on a logarithmic axis
                values.setdefault(instance, []).append(value)
    return values


def _medians(values: Values, instances: list[InstanceName]) -> Any:
    np = numpy()
    return np.asarray([np.median(values[instance]) for instance in instances])


def _cloud(axes: Any, instances: list[InstanceName], mine: Values, theirs: Values, number: int) -> Any:
    np = numpy()
    x, y = _medians(mine, instances), _medians(theirs, instances)
    for values, middle, direction in ((mine, x, "xerr"), (theirs, y, "yerr")):
        low = np.asarray([min(values[instance]) for instance in instances])
        high = np.asarray([max(values[instance]) for instance in instances])
        if (low < high).any():
            bars = {direction: (middle - low, high - middle)}
            drawn = axes.errorbar(x, y, **bars, fmt="none", ecolor=colour(number), elinewidth=0.5, alpha=0.4)
            for bar in drawn[2]:
                bar.set_rasterized(True)
    shape = {"color": colour(number), "marker": marker(number), "s": 16, "alpha": 0.8, "linewidths": 0}
    return axes.scatter(x, y, **shape, rasterized=len(x) > 100)


def ticks(least: float, most: float) -> list[float]:
    """Round numbers for a logarithmic axis, at least two: powers of ten, or else more and more between them."""
    first, last = math.floor(math.log10(least)), math.ceil(math.log10(most))
    for digits in ((1,), (1, 3), (1, 2, 5), range(1, 10), [1 + step / 10 for step in range(90)]):
        places = [digit * 10.0**power for power in range(first, last + 1) for digit in digits]
        shown = [place for place in places if least <= place <= most]
        if len(shown) >= 3:
            break
    return shown[:: -(-len(shown) // MOST_TICKS)] if shown else [least]


def shown(number: float) -> str:
    """So short that several fit under a small plot."""
    return f"{number / 1e6:g}M" if number >= 1e6 else f"{number:,.0f}" if number >= 1000 else f"{number:g}"


def _square(axes: Any, x: str, y: str) -> None:
    """Logarithmic, the same range both ways, with the diagonal."""
    np = numpy()
    points = np.concatenate(
        [np.asarray(found.get_offsets()) for found in axes.collections if hasattr(found, "get_sizes")]
    )
    least, most = float(points.min()) / 1.3, float(points.max()) * 1.3
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(least, most)
    axes.set_ylim(least, most)
    axes.minorticks_off()
    places = ticks(least, most)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_ticks(places, labels=[shown(place) for place in places])
    axes.set_aspect("equal")
    axes.plot([least, most], [least, most], color=QUIET, linewidth=0.8, linestyle="--", zorder=0)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
