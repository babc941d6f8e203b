"""The page of a plan in a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import banditplan as bp

playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install playwright")
expect = playwright.expect

SIZES = {"desktop": (1280, 900), "phone": (390, 844)}
FILES = bp.example("warehouse")


@pytest.fixture(scope="module")
def plan() -> list[str]:
    return [str(step) for step in bp.solve(*FILES, search="gbfs").plan or ()]


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Open the page of a plan; nothing may go wrong in it, and nothing may be asked of a network."""
    contexts: list[Any] = []
    complaints: list[str] = []

    def open_page(steps: list[str], size: str = "desktop", **options: object) -> Any:
        width, height = SIZES[size]
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        view = context.new_page()
        view.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
        view.on("pageerror", lambda error: complaints.append(str(error)))
        view.on("request", lambda request: request.url.startswith("file:") or complaints.append(request.url))
        file = tmp_path / "plan.html"
        file.write_text(bp.plan_page(*FILES, "; a plan\n" + "\n".join(steps)), encoding="utf-8")
        view.goto(file.as_uri())
        view.wait_for_selector("html[data-ready]", state="attached")
        return view

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_plan_is_shown(opened: Callable[..., Any], plan: list[str], size: str, scheme: str) -> None:
    view = opened(plan, size, color_scheme=scheme)
    assert view.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    tiles = dict(
        zip(view.locator(".tile dt").all_inner_texts(), view.locator(".tile dd").all_inner_texts(), strict=True)
    )
    assert tiles["the plan is"] == "valid"
    assert tiles["steps"].startswith(str(len(plan)))
    assert sorted(view.locator(".box .name").all_text_contents()) == sorted(plan)
    assert [text.split("\n")[0] for text in view.locator(".plan-steps b").all_inner_texts()] == plan
    for title in ("What may run at the same time", "Goals over time", "Goals that hold", "Cost over time"):
        expect(view.get_by_role("heading", name=title)).to_be_visible()
    assert view.locator(".held").count() >= 7
    assert "undefined" not in view.locator("body").inner_text()


def test_a_step_leads_to_its_causes_and_to_those_who_need_it(opened: Callable[..., Any], plan: list[str]) -> None:
    view = opened(plan)
    last = len(plan) - 1
    view.locator(".plan-steps button").nth(last).click()
    expect(view.locator(".step h2")).to_have_text(f"{len(plan)}. {plan[-1]}")
    expect(view.locator(".box.chosen .name")).to_have_text(plan[-1])
    assert view.locator(".box.cause").count() > 0
    assert view.locator(".causal.cause").count() == view.locator(".box.cause").count()
    cause = view.locator(".step ul.facts button").first
    number = int(cause.inner_text().removeprefix("step "))
    cause.click()
    expect(view.locator(".step h2")).to_have_text(f"{number}. {plan[number - 1]}")
    expect(view.locator(".plan-steps [aria-current]")).to_contain_text(plan[number - 1])
    assert plan[-1] in view.locator(".box.user .name").all_text_contents()
    view.get_by_role("button", name="Next").click()
    expect(view.locator(".step h2")).to_have_text(f"{number + 1}. {plan[number]}")
    view.locator(".box").first.focus()
    view.keyboard.press("Enter")
    expect(view.locator(".box").first).to_have_attribute("aria-current", "true")


def test_boxes_do_not_cover_each_other(opened: Callable[..., Any], plan: list[str]) -> None:
    view = opened(plan)
    boxes = view.evaluate(
        """() => [...document.querySelectorAll(".box rect")].map(box => box.getBoundingClientRect())
            .map(({ left, top, right, bottom }) => [left, top, right, bottom])"""
    )
    assert len(boxes) == len(plan)
    for i, a in enumerate(boxes):
        for b in boxes[:i]:
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
    cut = view.evaluate(
        """() => {
            const right = (box, part) => box.querySelector(part).getBoundingClientRect().right;
            const boxes = [...document.querySelectorAll(".box")];
            return boxes.filter(box => right(box, ".name") > right(box, "rect")).length;
        }"""
    )
    assert cut == 0


@pytest.mark.parametrize("size", SIZES)
def test_a_plan_that_fails_says_where_and_why(opened: Callable[..., Any], plan: list[str], size: str) -> None:
    view = opened([*plan[:5], *plan[6:]], size)
    expect(view.locator(".tile.failed")).to_contain_text("not valid")
    assert "does not hold" in view.locator("header .failure").inner_text()
    expect(view.locator(".plan-steps .failed")).to_have_count(1)
    expect(view.locator(".step .failure")).to_contain_text("It cannot be taken")
    assert view.locator(".plan-steps .unreached").count() > 0
    empty = opened([], size)
    expect(empty.get_by_role("heading", name="An empty plan")).to_be_visible()
