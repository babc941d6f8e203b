"""Plots are drawn with much data, little, and none."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest
from synthetic_runs import grid, run

from banditplan.experiments.report.plots import all_plots
from banditplan.experiments.report.plots.cumulative import MEASURES, cumulative_plot
from banditplan.experiments.report.plots.figure import Plot, png, svg
from banditplan.experiments.report.plots.scatter import evaluations_plot
from banditplan.experiments.report.results import results
from banditplan.experiments.runs import Run

ALGORITHMS = {"gbfs": 0.7, "guct-normal2": 0.9, "guct": 0.5, "guct(c=0.5)": 0.6, "guct*": 0.8, "softmin-type": 0.9}
HISTOGRAMS = [f"cumulative-{measure.name}-ff" for measure in MEASURES]


def drawn(runs: list[Run]) -> dict[str, Plot]:
    return {plot.name: plot for plot in all_plots(results(runs), "guct-normal2")}


@pytest.mark.slow
def test_with_enough_data_there_is_every_kind() -> None:
    plots = drawn(grid(ALGORITHMS, ("ff", "hadd")))
    names = [*HISTOGRAMS, "evaluations-ff", "lengths-ff", "coefficient-ff", "heat-map-ff"]
    assert sorted(plots) == sorted([*names, *(name[:-2] + "hadd" for name in names)])


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("runs", "names"),
    [
        pytest.param([], [], id="none"),
        pytest.param([run(solved=False)], ["heat-map-ff"], id="nothing solved"),
        pytest.param([run()], [*HISTOGRAMS, "heat-map-ff"], id="one point"),
        pytest.param(grid({"guct-normal2": 0.9}), [*HISTOGRAMS, "heat-map-ff"], id="one algorithm"),
        pytest.param(
            [run(), run("guct-normal2")],
            [*HISTOGRAMS, "evaluations-ff", "heat-map-ff", "lengths-ff"],
            id="one point of two algorithms",
        ),
        pytest.param(
            [run(evaluations=None, expansions=None, total_seconds=None, search_seconds=None, plan_length=None)],
            ["heat-map-ff"],
            id="no numbers",
        ),
    ],
)
def test_with_little_data_what_there_is_is_drawn(runs: list[Run], names: list[str]) -> None:
    plots = drawn(runs)
    assert sorted(plots) == sorted(names)
    for plot in plots.values():
        assert png(plot).startswith(b"\x89PNG")
        ElementTree.fromstring(svg(plot))


def test_lines_end_at_the_coverage() -> None:
    runs = grid({"gbfs": 0.7, "guct-normal2": 0.9})
    plot = cumulative_plot(results(runs), "ff", MEASURES[0])
    assert plot is not None
    lines = plot.figure.axes[0].get_lines()
    solved: dict[tuple[str, int], int] = {}
    for made in runs:
        at = (made.key.algorithm, made.key.seed)
        solved[at] = solved.get(at, 0) + made.solved
    assert sorted(line.get_ydata()[-1] for line in lines) == sorted(solved.values())


def test_a_line_with_many_points_is_thinned_and_still_right() -> None:
    runs = [run(instance=f"p{number}", evaluations=number) for number in range(1, 3001)]
    plot = cumulative_plot(results(runs), "ff", MEASURES[0])
    assert plot is not None
    [line] = plot.figure.axes[0].get_lines()
    x, y = line.get_xdata(), line.get_ydata()
    assert len(x) < 1000
    assert all(abs(count - min(int(value + 1e-9), 3000)) <= 1 for value, count in zip(x[1:], y[1:], strict=True))


def test_of_several_coefficients_the_histograms_show_one() -> None:
    plot = cumulative_plot(results(grid({"guct(c=0.5)": 0.5, "guct": 0.6, "guct(c=3)": 0.7})), "ff", MEASURES[0])
    assert plot is not None
    [legend] = plot.figure.legends
    assert [text.get_text().split()[0] for text in legend.get_texts()] == ["guct"]


def test_points_are_medians_of_instances_that_both_solved() -> None:
    runs = [
        run("gbfs", evaluations=50, seed=0),
        *(run("guct-normal2", evaluations=count, seed=seed) for seed, count in enumerate((10, 90, 20), 1)),
        run("gbfs", instance="p02.pddl", seed=0),
    ]
    plot = evaluations_plot(results(runs), "ff", "guct-normal2")
    assert plot is not None
    clouds = [found for found in plot.figure.axes[0].collections if hasattr(found, "get_sizes")]
    assert [tuple(point) for cloud in clouds for point in cloud.get_offsets()] == [(20, 50)]


@pytest.mark.slow
def test_drawings_of_one_page_do_not_share_names() -> None:
    texts = [svg(plot) for plot in drawn(grid(ALGORITHMS)).values()]
    names = [set(ElementTree.fromstring(text).iter()) for text in texts]
    found = [element.get("id") for elements in names for element in elements if element.get("id")]
    assert len(found) == len(set(found))
    for text in texts:
        elements = list(ElementTree.fromstring(text).iter())
        known = {element.get("id") for element in elements}
        links = [element.get("href", "") for element in elements]
        assert all(link[1:] in known for link in links if link.startswith("#"))


@pytest.mark.slow
def test_drawings_are_the_same_every_time() -> None:
    runs = grid({"gbfs": 0.7, "guct-normal2": 0.9})
    first, second = ({name: svg(plot) for name, plot in drawn(runs).items()} for _ in range(2))
    assert first == second


@pytest.mark.parametrize(
    ("least", "most"), [(100, 100), (90, 130), (5, 12), (1, 3), (1, 10_000), (30, 2_000_000), (1, 1e9)]
)
def test_axes_have_labels_whatever_they_span(least: float, most: float) -> None:
    runs = [
        run(name, instance=f"p{number:02}", evaluations=int(value))
        for name in ("gbfs", "guct-normal2")
        for number, value in enumerate((least, most))
    ]
    plot = evaluations_plot(results(runs), "ff", "guct-normal2")
    assert plot is not None
    (axes,) = plot.figure.axes
    for axis, (low, high) in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
        shown = [label.get_text() for label, place in zip(axis.get_ticklabels(), axis.get_ticklocs(), strict=True)
                 if low <= place <= high]  # fmt: skip
        assert 2 <= len(shown) <= 7
        assert all(shown)
        assert len(set(shown)) == len(shown)
