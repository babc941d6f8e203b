"""What a notebook shows, and the course of the best h that it draws."""

from __future__ import annotations

import itertools
import subprocess
import sys
from html.parser import HTMLParser
from typing import Any

import pytest

import banditplan as bp
from banditplan.notebook import MOST_STEPS
from banditplan.plan import Plan, Step

SEARCHES = ["gbfs", "gbfs(goalcount)", "guct-normal2", "guct-normal2(preferred=True)", "guct-01(deferred=True)"]


class _Balance(HTMLParser):
    """Collects the text; every tag must be closed in its turn."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text = ""
        self._open: list[str] = []
        self.feed(html)
        assert not self._open

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag != "br":
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data + " "


def test_a_result_shows_status_search_and_plan() -> None:
    result = bp.solve(*bp.example("lights"))
    text = _Balance(result._repr_html_()).text
    assert result.plan is not None
    for part in ("solved", result.explanation, result.algorithm, *(step.name for step in result.plan)):
        assert part in text


def test_a_result_without_a_plan() -> None:
    result = bp.solve(*bp.example("warehouse"), max_evaluations=1)
    text = _Balance(result._repr_html_()).text
    assert "evaluation-limit" in text
    assert "Plan" not in text


def test_a_task_shows_its_sizes_and_goal() -> None:
    task = bp.load(*bp.example("crates"))
    text = _Balance(task._repr_html_()).text
    for part in (*task.goal, f"{task.sizes['actions']:,}", "crates"):
        assert part in text


def test_a_long_plan_with_odd_names_is_cut_and_escaped() -> None:
    plan = Plan(Step("<b>&", (f"x{i}",)) for i in range(MOST_STEPS + 1234))
    text = _Balance(plan._repr_html_()).text
    assert "<b>&" in text
    assert "1,234 more" in text
    assert f"x{MOST_STEPS}" not in text


def test_a_plan_is_a_tuple_of_steps() -> None:
    plan = bp.solve(*bp.example("crates")).plan
    assert isinstance(plan, tuple)
    assert plan == tuple(plan)


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("example", ["museum", "warehouse"])
def test_the_history_leads_from_the_first_h_to_the_best(example: str, search: str) -> None:
    result = bp.solve(*bp.example(example), search=search, max_evaluations=2000)
    history = result.history
    assert history[0] == (1, result.initial_h)
    assert history[-1][1] == result.best_h
    assert history[-1][0] <= result.evaluations
    for (earlier, higher), (later, lower) in itertools.pairwise(history):
        assert earlier < later
        assert higher > lower


@pytest.mark.parametrize("search", [text for text in SEARCHES if "deferred" not in text])  # it counts otherwise
def test_the_history_is_that_of_shorter_runs(search: str) -> None:
    task = bp.load(*bp.example("museum"))
    whole = bp.solve(task, search=search).history
    for evaluations, h in whole:
        cut = bp.solve(task, search=search, max_evaluations=evaluations)
        assert cut.best_h == h
        assert cut.history == tuple(each for each in whole if each[0] <= evaluations)


def test_no_history_without_an_evaluation() -> None:
    dead = bp.solve(*bp.example("museum"), search=bp.Gbfs(heuristic=lambda states: [None] * len(states)))
    assert dead.history == ()


def test_the_plot_is_a_staircase() -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'banditplan[plot]'")
    from matplotlib.figure import Figure

    result = bp.solve(*bp.example("museum"))
    axes = result.plot(Figure().subplots())
    line, dot = axes.get_lines()
    drawn = list(zip(*(map(int, values) for values in line.get_data()), strict=True))
    assert drawn == [*result.history, (max(result.evaluations, result.history[-1][0]), result.best_h)]
    assert tuple(map(list, dot.get_data())) == ([result.evaluations], [0])
    assert axes.get_xlabel() == "evaluations"


def test_a_plot_without_anything_to_draw() -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'banditplan[plot]'")
    from matplotlib.figure import Figure

    result = bp.solve(*bp.example("museum"), search=bp.Gbfs(heuristic=lambda states: [None] * len(states)))
    assert result.plot(Figure().subplots()).get_title() == "exhausted"


def test_a_missing_matplotlib_is_named() -> None:
    code = (
        "import sys; sys.modules['matplotlib'] = sys.modules['matplotlib.pyplot'] = None; "
        "import banditplan as bp; bp.solve(*bp.example('crates')).plot()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "pip install 'banditplan[plot]'" in done.stderr
