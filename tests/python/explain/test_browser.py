"""The page in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from typing import Any

import pytest
from explain.traces import HOSTILE, largest, lines, made, real, text

from banditplan.explain import compare_page, page

playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install playwright")
expect = playwright.expect

SIZES = {"desktop": (1280, 900), "phone": (390, 844)}


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Open a page; at the end, nothing may have gone wrong in it, and nothing may have been asked of a network."""
    contexts: list[Any] = []
    complaints: list[str] = []

    def open_page(html: str, size: str = "desktop", **options: object) -> Any:
        width, height = SIZES[size]
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        view = context.new_page()
        view.set_default_timeout(60_000)
        view.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
        view.on("pageerror", lambda error: complaints.append(str(error)))
        view.on("request", lambda request: request.url.startswith("file:") or complaints.append(request.url))
        file = tmp_path / f"{len(contexts)}.html"
        file.write_text(html, encoding="utf-8")
        view.goto(file.as_uri())
        return view

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def ready(view: Any) -> Any:
    view.wait_for_selector("html[data-ready]", state="attached")
    return view


def items(view: Any) -> Any:
    return view.locator("[role=treeitem]")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_report_fits_the_screen(opened: Callable[..., Any], size: str, scheme: str) -> None:
    view = ready(opened(page(real()), size, color_scheme=scheme))
    expect(view.locator("h1")).to_contain_text("guct(bandit=normal2) on warehouse/problem.pddl")
    assert view.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    for title in ("The tree", "Best h over evaluations", "Depth profile over time", "Where the plan runs"):
        expect(view.get_by_role("heading", name=title)).to_be_visible()
    assert view.locator(".curve").count() >= 5
    for box in view.locator(".curve").all():
        assert box.bounding_box()["width"] > 100


def test_nodes_open_and_close_by_click(opened: Callable[..., Any]) -> None:
    written = real()
    view = ready(opened(page(written)))
    nodes = {line["node"]: line for line in lines(written) if line["kind"] == "node"}
    second = items(view).filter(has_text="(drive lift2 east dock-out)").first
    assert second.get_attribute("aria-expanded") == "false"
    before = items(view).count()
    second.locator(".dot").click()
    assert second.get_attribute("aria-expanded") == "true"
    children = next(node["children"] for node in nodes.values() if node["g"] == 1 and node["count"] == 5)
    assert items(view).count() == before + children
    expect(view.get_by_role("heading", name="Arms after (drive lift2 east dock-out)")).to_be_visible()
    second.locator(".dot").click()
    assert items(view).count() == before


def test_the_arms_are_drawn_and_the_choice_is_told(opened: Callable[..., Any]) -> None:
    written = real()
    view = ready(opened(page(written)))
    trace = lines(written)
    names = trace[-2]["names"]
    paths = [line for line in trace if line["kind"] == "path" and line["choices"] and line["choices"][0]["node"] == 0]
    for path, key in ((paths[-1], "End"), (paths[0], "Home")):
        view.locator("input[type=range]").press(key)
        choice = path["choices"][0]
        chosen = next(arm for arm in choice["arms"] if arm["node"] == choice["chosen"])
        varied = sum(arm["variance"] > 0 for arm in choice["arms"])
        expect(view.locator(".arms .arm")).to_have_count(len(choice["arms"]))
        assert view.locator(".arms .shape[d*='L']").count() == varied  # the others are spikes
        assert view.locator(".arms .arm.chosen").count() == 1
        said = view.locator(".why").inner_text().replace("−", "-")
        score = chosen["score"]
        assert f"{names[str(chosen['action'])]} was chosen: lowest bound" in said
        assert f"lowest bound {score:.2f}".removesuffix(".00") in said
        expect(view.locator("output")).to_have_text(f"round {path['round']:,}")
        assert view.locator("tbody tr.chosen").count() == 1


def test_why_in_words(opened: Callable[..., Any]) -> None:
    view = ready(opened(page(text(made()))))
    assert re.sub(r"\s+", " ", view.locator(".why").inner_text()) == (
        "(move a b) was chosen: lowest bound 0.92 (mean 5, σ 2, n 4). "
        "The runner-up, (move b a), had 2.46 (mean 4.50, σ 1, n 4). Its estimate is worse by 0.50, but its bonus "
        "for exploration is larger: 4.08 against 2.04 (σ 2 against 1)."
    )
    expect(items(view).last.locator(".name")).to_have_text("… 1 more child, 12 leaves: not in the trace")


def test_a_root_without_a_choice_is_passed_over(opened: Callable[..., Any]) -> None:
    written = real(search="guct-normal2(preferred=True)", example="crates")
    choices = [choice for line in lines(written) if line["kind"] == "path" for choice in line["choices"]]
    assert min(choice["g"] for choice in choices) == 1
    view = ready(opened(page(written)))
    expect(view.locator(".why")).to_contain_text("was chosen")
    assert view.locator("[role=treeitem][aria-selected=true]").get_attribute("aria-level") == "2"


def test_of_two_equal_means_the_wider_one_wins(opened: Callable[..., Any]) -> None:
    trace = made()
    trace[4]["choices"][0]["arms"][1] |= {"mean": 5.0, "estimate": 5.0, "score": 2.96}
    view = ready(opened(page(text(trace))))
    expect(view.locator(".why")).to_contain_text(
        "Their estimates are equal; its bonus for exploration is larger: 4.08 against 2.04 (σ 2 against 1)."
    )


def test_the_keyboard_walks_through_the_tree(opened: Callable[..., Any]) -> None:
    view = ready(opened(page(real())))
    view.locator("[role=treeitem][tabindex='0']").focus()

    def focused() -> tuple[str | None, str | None]:
        found = view.evaluate("[document.activeElement.ariaLevel, document.activeElement.ariaExpanded]")
        return found[0], found[1]

    keys = ["ArrowRight", "ArrowLeft", "ArrowRight", "ArrowRight", "ArrowDown", "Home", "Enter"]
    found = []
    for key in keys:
        view.keyboard.press(key)
        found.append(focused())
    assert found == [
        ("2", "true"),
        ("2", "false"),
        ("2", "true"),
        ("3", "false"),
        ("3", None),
        ("1", "true"),
        ("1", "false"),
    ]
    assert view.locator("[role=treeitem][tabindex='0']").count() == 1
    assert view.locator("[role=treeitem][aria-selected=true]").count() == 1


def test_the_plan_leads_through_the_tree(opened: Callable[..., Any]) -> None:
    written = real()
    end = lines(written)[-1]
    view = ready(opened(page(written)))
    assert view.locator(".plan-steps li").count() == len(end["plan"])
    view.get_by_role("button", name="open the tree along the plan").click()
    assert view.locator(".node.plan").count() == len(end["nodes"])
    assert view.locator(".link.plan").count() == len(end["nodes"]) - 1
    view.locator(".plan-steps button").nth(40).click()
    assert view.locator("[role=treeitem][aria-selected=true]").get_attribute("aria-level") == "41"


def test_zooming(opened: Callable[..., Any]) -> None:
    view = ready(opened(page(real())))
    tree = view.locator("[role=tree]")
    expect(tree).to_have_attribute("transform", re.compile(r"scale\(0\.9\)"))
    view.get_by_role("button", name="zoom in").click()
    expect(tree).to_have_attribute("transform", re.compile(r"scale\(1\.35"))
    view.get_by_role("button", name="fit the tree").click()
    expect(tree).not_to_have_attribute("transform", re.compile(r"scale\(1\.35"))


@pytest.mark.parametrize("size", SIZES)
def test_a_comparison(opened: Callable[..., Any], size: str) -> None:
    view = ready(opened(compare_page(real("guct-01"), real()), size))
    expect(view.locator("h1")).to_have_text("guct(bandit=ucb1_01) against guct(bandit=normal2)")
    expect(view.locator("header p")).to_have_text("Both on warehouse/domain.pddl, warehouse/problem.pddl.")
    assert view.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    table = view.get_by_role("region", name="the searches in numbers")
    assert table.evaluate("box => box.scrollWidth - box.clientWidth") <= 0  # both columns can be seen
    assert view.locator("[role=tree]").count() == 2
    assert view.locator(".why").count() == 2
    assert view.get_by_role("img", name="Share of the evaluations by depth").locator(".curve").count() == 2


def test_two_runs_of_one_search_are_told_apart(opened: Callable[..., Any]) -> None:
    view = ready(opened(compare_page(real(seed=1), real(seed=2))))
    expect(view.locator("h1")).to_have_text("guct(bandit=normal2) (seed 1) against guct(bandit=normal2) (seed 2)")


@pytest.mark.parametrize(
    "search", ["guct-uniform", "ttts-normal", "guct*-normal2", "guct-normal", "guct-v(preferred=True)"]
)
def test_every_kind_of_bandit_is_explained(opened: Callable[..., Any], search: str) -> None:
    view = ready(opened(page(real(search, max_evaluations=500))))
    expect(view.locator(".why")).to_contain_text("was chosen")
    assert "NaN" not in view.locator("main").inner_html()
    assert "undefined" not in view.locator("body").inner_text()


def test_traces_with_little_in_them(opened: Callable[..., Any]) -> None:
    for kinds in (("node",), ("step", "path"), ("step", "path", "node")):
        trace = [line for line in made() if line["kind"] not in kinds]
        view = ready(opened(page(text(trace))))
        expect(view.get_by_role("heading", name="What is not shown")).to_be_visible()
    ready(opened(page(real(example="levers"))))
    ready(opened(page(real(example="island"))))


def test_hostile_names_are_shown_as_they_are(opened: Callable[..., Any]) -> None:
    trace = made(name=HOSTILE)
    trace[0] |= {"algorithm": HOSTILE, "problem": "p.pddl"}
    for html in (page(text(trace)), compare_page(text(trace), text(trace))):
        view = ready(opened(html))
        assert view.title() != "broken"
        assert view.locator("img:not(svg)").count() == 0
        assert HOSTILE.split()[0] in view.locator("h1").inner_text()


def test_the_largest_trace_opens(opened: Callable[..., Any]) -> None:
    view = ready(opened(page(largest())))
    more = items(view).last
    expect(more).to_contain_text("… 999,992 more children")
    more.locator(".dot").click()
    expect(items(view).last).to_contain_text("… 999,984 more children")
    assert items(view).count() == 18
    assert view.locator(".plan-steps li").count() == 2_201


def test_a_frame_that_is_hidden_at_first(opened: Callable[..., Any]) -> None:
    inner = escape(page(text(made())))
    view = opened(
        f'<!doctype html><iframe hidden sandbox="allow-scripts" srcdoc="{inner}" width=900 height=700></iframe>'
    )
    frame = view.frame_locator("iframe")
    expect(frame.locator("html[data-ready]")).to_be_attached()
    view.evaluate("document.querySelector('iframe').hidden = false")
    expect(frame.get_by_role("img", name="Distributions of the arms")).to_be_visible()
    expect(frame.locator("[role=tree]")).to_have_attribute("transform", re.compile(r"translate\(22,[1-9]\d\d"))


def test_it_works_in_a_sandboxed_frame(opened: Callable[..., Any]) -> None:
    inner = escape(page(text(made())))
    view = opened(f'<!doctype html><iframe sandbox="allow-scripts" srcdoc="{inner}" width=900 height=700></iframe>')
    frame = view.frame_locator("iframe")
    expect(frame.locator("html[data-ready]")).to_be_attached()
    frame.locator("[role=treeitem]").nth(1).locator(".dot").click()
    expect(frame.get_by_role("heading", name="Arms after (move a b)")).to_be_visible()
