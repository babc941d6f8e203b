"""How results, plans and tasks look in a notebook: small tables in HTML, and the course of a search as a plot."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from banditplan.errors import MissingExtra

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from matplotlib.axes import Axes

    from banditplan._core import Task
    from banditplan.plan import Plan
    from banditplan.result import Result

# A browser shows a longer table slowly, and nobody reads it.
MOST_STEPS = 200
MOST_GOALS = 20


def result_html(result: Result) -> str:
    """Status and explanation, what was counted, the seconds of each stage, and the plan."""
    seconds = ", ".join(f"{stage} {value:.3f}" for stage, value in result.seconds.items())
    table = _table(
        {
            "problem": result.problem,
            "search": f"{result.algorithm}, seed {result.seed}",
            "evaluations": f"{result.evaluations:,}",
            "expansions": f"{result.expansions:,}",
            "h": f"{_or_dash(result.initial_h)} at first, {_or_dash(result.best_h)} at best",
            "seconds": seconds,
            "peak memory": f"{result.peak_memory_kb / 1024:,.0f} MB",
        }
    )
    plan = "" if result.plan is None else _details(f"Plan of {len(result.plan):,} steps", plan_html(result.plan))
    return f"<p><b>{escape(result.status)}</b>: {escape(result.explanation)}</p>{table}{plan}"


def plan_html(plan: Plan) -> str:
    """A row per step."""
    rows = [
        f"<tr><td>{number}</td>{_cell(step.name)}{_cell(' '.join(step.arguments))}</tr>"
        for number, step in enumerate(plan[:MOST_STEPS], 1)
    ]
    more = len(plan) - len(rows)
    if more:
        rows.append(f'<tr><td></td><td colspan="2">… and {more:,} more</td></tr>')
    return f"<table><tr><th></th><th>action</th><th>arguments</th></tr>{''.join(rows)}</table>"


def task_html(task: Task) -> str:
    """Where the task comes from, its sizes, and its goal."""
    origin = task.origin
    known = {} if origin is None else {"domain": origin.domain, "problem": origin.problem}
    sizes = {name.replace("_", " "): f"{value:,}" for name, value in task.sizes.items()}
    goal = task.goal
    shown = [*goal[:MOST_GOALS], *([f"… and {len(goal) - MOST_GOALS:,} more"] if len(goal) > MOST_GOALS else [])]
    return _table(known | sizes) + _details(f"Goal of {len(goal):,} facts", "<br>".join(map(_code, shown)))


def plot(result: Result, axes: Axes | None = None) -> Axes:
    """The best h over the evaluations, as a staircase; a dot marks the plan."""
    if axes is None:
        try:
            import matplotlib.pyplot as plt
        except ImportError:
            raise MissingExtra("Result.plot", "Matplotlib", "banditplan[plot]") from None
        axes = plt.subplots()[1]
    evaluations = [evaluated for evaluated, _ in result.history]
    values = [h for _, h in result.history]
    if values:
        evaluations.append(max(result.evaluations, evaluations[-1]))
        values.append(values[-1])
    (line,) = axes.step(evaluations, values, where="post", label=result.algorithm)
    if result.solved:
        axes.plot([result.evaluations], [0], "o", color=line.get_color())
    axes.set_xlabel("evaluations")
    axes.set_ylabel("best h")
    axes.set_title(f"{result.status}: {len(result.plan)} steps" if result.plan is not None else result.status)
    axes.set_ylim(bottom=0)
    return axes


def _or_dash(h: int | None) -> str:
    return "–" if h is None else f"{h:,}"


def _table(rows: Mapping[str, str]) -> str:
    return f"<table>{''.join(_row((_cell(name), _cell(value))) for name, value in rows.items())}</table>"


def _row(cells: Iterable[str]) -> str:
    return f"<tr>{''.join(cells)}</tr>"


def _cell(text: str) -> str:
    return f'<td style="text-align: left">{escape(text)}</td>'


def _code(text: str) -> str:
    return f"<code>{escape(text)}</code>"


def _details(summary: str, inside: str) -> str:
    return f"<details><summary>{escape(summary)}</summary>{inside}</details>"
