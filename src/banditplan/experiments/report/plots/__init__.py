"""Results → plots. A file is a kind of plot; `all_plots` is the list of those that the data allow."""

from __future__ import annotations

from collections.abc import Iterator

from banditplan.experiments.report.plots.coefficient import coefficient_plot
from banditplan.experiments.report.plots.cumulative import MEASURES, cumulative_plot
from banditplan.experiments.report.plots.figure import Plot
from banditplan.experiments.report.plots.heat_map import heat_map
from banditplan.experiments.report.plots.scatter import evaluations_plot, lengths_plot
from banditplan.experiments.report.results import Results


def all_plots(results: Results, reference: str) -> Iterator[Plot]:
    """One after another, so that only one is in memory."""
    for measure in MEASURES:
        for column in results.columns:
            yield from _some(cumulative_plot(results, column, measure))
    for make in (evaluations_plot, lengths_plot, coefficient_plot):
        for column in results.columns:
            yield from _some(make(results, column, reference))
    for column in results.columns:
        yield from _some(heat_map(results, column))


def _some(plot: Plot | None) -> Iterator[Plot]:
    if plot is not None:
        yield plot
