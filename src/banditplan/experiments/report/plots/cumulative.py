"""How many instances are solved within how much: one line per seed, as in the appendix of the paper."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from banditplan.experiments.report.algorithm import algorithm
from banditplan.experiments.report.cutoffs import counted_evaluations, seconds
from banditplan.experiments.report.extra import numpy
from banditplan.experiments.report.plots.figure import Plot, below, colour, figure, style
from banditplan.experiments.report.results import Configuration, Results, Runs
from banditplan.experiments.report.slug import slug
from banditplan.experiments.runs import Run

POINTS = 400  # of a line; more cannot be seen


@dataclass(frozen=True, slots=True)
class Measure:
    name: str
    of: Callable[[Run], float | None]
    least: float  # where the axis begins at the latest


MEASURES = (
    Measure("evaluations", counted_evaluations, 1),
    Measure("expansions", lambda run: run.expansions, 1),
    Measure("seconds", seconds, 0.001),
)


def cumulative_plot(results: Results, column: str, measure: Measure) -> Plot | None:
    """None if nothing was solved. Of an algorithm with a coefficient, only c = 1 if there is that."""
    lines = {}
    for configuration in _shown(results, column):
        seeds = [_solved(runs, measure) for runs in results.by_seed[configuration].values()]
        if any(map(len, seeds)):
            lines[configuration.algorithm] = seeds
    if not lines:
        return None
    most = max(float(seed.max()) for seeds in lines.values() for seed in seeds if len(seed))
    least = min(float(seed.min()) for seeds in lines.values() for seed in seeds if len(seed))
    left, right = least * 0.9, most * 1.05 if most > least else most * 2
    with style():
        made = figure(6.4, 4.6)
        axes = made.add_subplot()
        order = sorted(lines, key=lambda name: -max(map(len, lines[name])))
        handles = []
        for number, name in enumerate(results.algorithms):
            for seed in lines.get(name, []):
                x, y = _steps(seed, left, right)
                (line,) = axes.plot(x, y, drawstyle="steps-post", color=colour(number), linewidth=1.1, alpha=0.85)
                if seed is lines[name][0]:
                    handles.append((name, line))
        axes.set_xscale("log")
        axes.set_xlim(left, right)
        axes.set_ylim(0, None)
        axes.yaxis.get_major_locator().set_params(integer=True)
        axes.set_xlabel(measure.name)
        axes.set_ylabel("instances solved")
        by_name: dict[str, Any] = dict(handles)
        below(made, [by_name[name] for name in order], [f"{name} ({_range(lines[name])})" for name in order])
    return Plot(
        slug("cumulative", measure.name, column),
        f"Instances solved over {measure.name}",
        column,
        f"Instances solved within a number of {measure.name}, {column}; one line per seed. In brackets: solved in all.",
        made,
    )


def _shown(results: Results, column: str) -> list[Configuration]:
    shown: dict[str, Configuration] = {}
    for configuration in results.in_column(column):
        parts = algorithm(configuration.algorithm)
        if parts.title not in shown or parts.c == 1:
            shown[parts.title] = configuration
    return list(shown.values())


def _solved(runs: Runs, measure: Measure) -> Any:
    values = [
        max(value, measure.least) for run in runs.values() if run.solved and (value := measure.of(run)) is not None
    ]
    return numpy().sort(numpy().asarray(values, dtype=float))


def _steps(values: Any, left: float, right: float) -> tuple[Any, Any]:
    """The line of the counts from end to end, thinned out evenly along the logarithmic axis."""
    np = numpy()
    inner = np.unique(values) if len(values) < POINTS else np.geomspace(values[0], values[-1], POINTS)
    x = np.concatenate([[left], inner, [right]])
    return x, np.searchsorted(values, x, side="right")


def _range(seeds: list[Any]) -> str:
    counts = sorted(map(len, seeds))
    return str(counts[0]) if counts[0] == counts[-1] else f"{counts[0]}–{counts[-1]}"
