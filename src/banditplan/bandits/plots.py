"""Pictures of games and of the theory, with Matplotlib."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence

from banditplan import _core
from banditplan.bandits.bounds import THRESHOLD, Reading, critical_value, minimum_pulls, ucb1_normal2_bound
from banditplan.bandits.play import Curve, Played
from banditplan.components import components
from banditplan.errors import InputError, MissingExtra

try:
    import matplotlib
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
except ImportError as error:
    raise MissingExtra("a plot", "Matplotlib", "banditplan[plot]") from error

# Okabe and Ito's colours, which colour-blind readers can tell apart, and two more.
COLOURS = ("#E69F00", "#56B4E9", "#009E73", "#CC79A7", "#0072B2", "#999999", "#000000", "#8B5A2B")
HIGHLIGHT = "#D55E00"
OWN = str(_core.Ucb1Normal2())
READINGS: tuple[tuple[Reading, str, str, str], ...] = (
    ("statement", "as the theorem states it", "-", "#0072B2"),
    ("proof", "as its proof uses it", "--", "#009E73"),
)


def save(figure: Figure, path: str) -> None:
    """The same figure gives the same file, whenever it is written."""
    try:
        os.makedirs(os.path.dirname(os.path.realpath(path)), exist_ok=True)
        with matplotlib.rc_context({"svg.hashsalt": "banditplan", "svg.fonttype": "none"}):
            figure.savefig(path, metadata={"Date": None} if path.endswith(".svg") else None)
    except (OSError, ValueError) as error:
        raise InputError(f'cannot write the plot to "{path}": {error}') from None


def regret(games: Sequence[Played]) -> Figure:
    """Cumulative regret over pulls, both logarithmic: a line of slope 1 is a bandit that does not learn."""
    figure = _curves(games, lambda played: played.regret, "cumulative regret")
    axes = figure.axes[0]
    positive = [value for played in games for value in played.regret.mean if value > 0]
    if positive:
        axes.set_yscale("log")
        axes.set_ylim(bottom=min(positive))
    return figure


def least(games: Sequence[Played]) -> Figure:
    """The least cost met so far over pulls."""
    return _curves(games, lambda played: played.least, "least cost met")


def _curves(games: Sequence[Played], curve: Callable[[Played], Curve], label: str) -> Figure:
    figure, axes = _figure(7.5)
    for played in sorted(games, key=lambda played: -curve(played).mean[-1]):
        data, own = curve(played), played.bandit == OWN
        colour = HIGHLIGHT if own else COLOURS[_rank(played.bandit) % len(COLOURS)]
        axes.plot(data.times, data.mean, color=colour, linewidth=4 if own else 1.5, zorder=2, label=played.bandit)
        if own or len(games) == 1:  # more bands would hide one another
            band = data.quantile(0.1), data.quantile(0.9)
            axes.fill_between(data.times, *band, color=colour, alpha=0.12, linewidth=0, zorder=1)
    axes.set_xscale("log")
    axes.set_xlim(1, max(played.regret.times[-1] for played in games))
    axes.set_xlabel("pulls")
    axes.set_ylabel(f"{label} (mean; shaded: 10 %–90 %)")
    figure.legend(*axes.get_legend_handles_labels(), loc="outside right upper", frameon=False)
    return figure


def _rank(bandit: str) -> int:
    """Its place among all bandits but UCB1-Normal2, so that it has one colour in all pictures."""
    names = [name for name in components(_core.Bandit) if name != OWN]
    name = bandit.partition("(")[0]
    return names.index(name) if name in names else len(names)


def bound(games: Sequence[Played]) -> Figure:
    """The regret at the end of the only games, those of UCB1-Normal2, beside its bound as a function of α."""
    (played,) = games
    best = min(costs.expected for costs in played.arms)
    worse = [costs for costs in played.arms if costs.expected > best]
    if not worse or not all(isinstance(costs, _core.Gaussian) for costs in played.arms):
        raise InputError("the bound is about gaussian arms, not all of which are the best; choose other --arms")
    total = played.regret.times[-1]

    def bounded(alpha: float, reading: Reading) -> float:
        pulls = (
            ucb1_normal2_bound(
                alpha,
                total,
                deviation=math.sqrt(costs.variance),
                gap=costs.expected - best,
                pulls=played.initial_pulls,
                reading=reading,
            )
            for costs in worse
        )
        return sum((costs.expected - best) * each for costs, each in zip(worse, pulls, strict=True))

    figure, axes = _figure(7.5)
    misses = [10 ** (-i / 20) for i in range(1, 16 * 20 - 5)]
    for reading, name, style, colour in READINGS:
        values = [bounded(1 - miss, reading) for miss in misses]
        shown = [value if math.isfinite(value) else math.nan for value in values]
        axes.plot(misses, shown, style, color=colour, linewidth=2, label=f"bound, χ² {name}")
    mean, low, high = (
        row[-1] for row in (played.regret.mean, played.regret.quantile(0.1), played.regret.quantile(0.9))
    )
    axes.axhline(mean, color=HIGHLIGHT, linewidth=2, label="measured regret: mean, 10 %–90 %")
    axes.axhspan(low, high, color=HIGHLIGHT, alpha=0.15, linewidth=0)
    most = max(costs.expected - best for costs in worse) * total
    axes.axhline(most, color="#666666", linestyle=":", label="no regret is greater: always the worst arm")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.invert_xaxis()
    axes.set_xlabel("1 − α")
    axes.set_ylabel(f"cumulative regret after {total:,} pulls")
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False)
    return figure


def condition() -> Figure:
    """Where 8 < χ²(1−α, n) holds, and the minimum number of pulls M that follows, in both readings."""
    figure = Figure(figsize=(9, 4), layout="constrained")
    values, pulls = figure.subplots(1, 2)
    counts = range(1, 31)
    for reading, _, style, _ in READINGS:
        for alpha, colour in ((0.9, "#56B4E9"), (0.99, "#E69F00"), (0.999, "#CC79A7")):
            label = f"α = {alpha}" if reading == "statement" else None
            row = [critical_value(alpha, n, reading) for n in counts]
            values.plot(counts, row, style, color=colour, label=label)
            m = minimum_pulls(alpha, reading)
            values.plot([m], [critical_value(alpha, m, reading)], "o", color=colour)
    values.axhline(THRESHOLD, color="#666666", linestyle=":", label="8")
    values.set_ylim(0, 40)
    values.set_xlabel("n")
    values.set_ylabel("χ²(1−α, n)")
    values.legend(frameon=False)
    misses = [10 ** (-i / 20) for i in range(1, 12 * 20)]
    for reading, name, style, colour in READINGS:
        row = [minimum_pulls(1 - miss, reading) for miss in misses]
        pulls.plot(misses, row, style, color=colour, label=name)
    pulls.set_xscale("log")
    pulls.invert_xaxis()
    pulls.set_xlabel("1 − α")
    pulls.set_ylabel("M, the minimum number of pulls")
    pulls.legend(frameon=False)
    for axes in (values, pulls):
        _plain(axes)
    return figure


def _figure(width: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(width, 4.5), layout="constrained")
    axes = figure.subplots()
    _plain(axes)
    return figure, axes


def _plain(axes: Axes) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.25)
