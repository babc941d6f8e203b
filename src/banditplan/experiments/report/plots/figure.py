"""What all plots share: size, colours, and how a figure becomes PNG or SVG."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from banditplan.experiments.report.extra import matplotlib

INK = "#16191d"  # text and axes; in the page it takes the colour of the text around it
QUIET = "#8a9099"  # helping lines, readable on white and on black

DOTS = 144  # per inch

# Twenty colours that can be told apart on white and on black; markers tell the rest.
COLOURS = (
    "#3574c4", "#e07b1f", "#2f9e60", "#d1495b", "#8b63c7", "#8f6a4f", "#d86fb2", "#7d8590", "#a9a12b", "#22a7b8",
    "#7aa9e6", "#f2ad68", "#7ccf9d", "#ee8f9c", "#bea3e8", "#c3a084", "#f0aed6", "#b5bbc4", "#d3cc6a", "#7fd3de",
)  # fmt: skip
MARKERS = "osD^v<>PX*"

_STYLE: dict[str, Any] = {
    "figure.facecolor": "none",
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.facecolor": "none",
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": QUIET,
    "grid.alpha": 0.3,
    "grid.linewidth": 0.6,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "path.simplify_threshold": 0.5,
}


@dataclass(frozen=True, slots=True)
class Plot:
    """`name` is that of its file; `kind` is the heading under which the report shows it."""

    name: str
    kind: str
    title: str
    caption: str
    figure: Any  # matplotlib.figure.Figure


def style() -> Any:
    """The context in which figures are made."""
    return matplotlib().rc_context(_STYLE)


def figure(width: float, height: float) -> Any:
    matplotlib()
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


def marker(number: int) -> str:
    """Changes when the colours have been used up, and meanwhile with every colour."""
    return MARKERS[(number + number // len(COLOURS)) % len(MARKERS)]


def below(figure: Any, handles: Sequence[Any], labels: Sequence[str]) -> None:
    """A legend under the figure, in as many columns as fit."""
    longest = max(map(len, labels), default=1)
    columns = max(1, min(len(labels), int(figure.get_figwidth() * 14 / (longest + 5))))
    figure.legend(handles, labels, loc="outside lower center", ncols=columns, handlelength=1.2, columnspacing=1.2)


def png(plot: Plot) -> bytes:
    """Black on white, sharp on a fine display."""
    matplotlib()
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    out = io.BytesIO()
    with style():
        plot.figure.set_dpi(DOTS)
        plot.figure.set_facecolor("white")
        canvas: Any = FigureCanvasAgg(plot.figure)
        canvas.print_png(out, metadata={"Software": None})  # `savefig` would draw it twice
    plot.figure.set_layout_engine("none")  # everything is in its place now; to find it again would take as long
    return out.getvalue()


def svg(plot: Plot) -> str:
    """For the inside of a page: transparent, in the colour of the page's text, as wide as there is room."""
    matplotlib()
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    out = io.StringIO()
    # With a salt, identifiers are the same every time.
    with style(), matplotlib().rc_context({"svg.hashsalt": plot.name}):
        plot.figure.set_dpi(DOTS)
        plot.figure.set_facecolor("none")
        canvas: Any = FigureCanvasSVG(plot.figure)
        canvas.print_svg(out, metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    text = text[text.index("<svg") :].replace(INK, "currentColor").replace("xlink:href", "href")
    text = re.sub(r'<svg [^>]*?viewBox="([^"]*)"[^>]*>', r'<svg viewBox="\1" role="img">', text, count=1)
    text = re.sub(r"<(metadata|style)\b.*?</\1>", "", text, flags=re.DOTALL)  # a style would apply to the whole page
    return _own_names(text, plot.name)


def _own_names(text: str, name: str) -> str:
    """Matplotlib calls every first line `line2d_1`: identifiers that nothing refers to go, the others get our name."""
    used = set(re.findall(r'"#([^"]+)"', text)) | set(re.findall(r"url\(#([^)]+)\)", text))
    text = re.sub(r' id="([^"]+)"', lambda found: f' id="{name}-{found[1]}"' if found[1] in used else "", text)
    text = re.sub(r'href="#([^"]+)"', rf'href="#{name}-\1"', text)
    return re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", text)
