"""The page in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from puzzles import endless_search, write
from serving import Serving, example, wait_for

import banditplan as bp

playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
expect = playwright.expect

SIZES = {"desktop": (1280, 900), "phone": (390, 844)}


@pytest.fixture
def opened(browser: Any, serving: Serving) -> Iterator[Callable[..., Any]]:
    """Open the page; at the end, nothing may have gone wrong in it."""
    contexts: list[Any] = []
    complaints: list[str] = []

    def open_page(size: str = "desktop", **options: object) -> Any:
        width, height = SIZES[size]
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(serving.url)
        page.wait_for_selector("html[data-ready]")
        return page

    yield open_page
    for context in contexts:
        context.close()
    # The browser itself reports an answer that is no success; the page is right to get one where a test wants it.
    assert [text for text in complaints if "status of 503" not in text] == []


def solved(page: Any) -> list[str]:
    page.click("#start")
    page.wait_for_selector("#status.solved")
    texts: list[str] = page.locator("#plan li").all_inner_texts()
    return texts


@pytest.mark.parametrize("size", SIZES)
def test_an_example_is_solved(size: str, opened: Callable[..., Any]) -> None:
    page = opened(size)
    page.select_option("#example", "warehouse")
    assert page.input_value("[data-file=domain] textarea") == example("warehouse")["domain"]
    plan = bp.solve(*bp.example("warehouse")).plan
    assert plan is not None
    assert solved(page) == [str(step) for step in plan]
    statistics = page.inner_text("#statistics")
    assert f"{len(plan)} steps" in statistics
    assert "Seed\t0" in statistics
    assert page.is_enabled("#start")
    assert not page.is_visible("#cancel")
    with page.expect_download() as download:
        page.click("#download")
    assert Path(download.value.path()).read_text(encoding="utf-8") == "".join(f"{step}\n" for step in plan)


@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_wider_than_the_screen(size: str, opened: Callable[..., Any]) -> None:
    page = opened(size)
    page.select_option("#example", "museum")
    solved(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size][0]


def test_search_heuristic_options_and_seed_are_those_that_were_chosen(opened: Callable[..., Any]) -> None:
    page = opened()
    page.select_option("#example", "crates")
    page.select_option("#search", "guct*-01")
    page.select_option("#heuristic", "hadd")
    page.uncheck("#preferred")
    page.check("#deferred")
    page.fill("#seed", "7")
    wanted = bp.solve(*bp.example("crates"), search="guct*-01(heuristic=hadd, deferred=True)", seed=7)
    assert wanted.plan is not None
    assert solved(page) == [str(step) for step in wanted.plan]
    assert wanted.search in page.inner_text("#statistics")
    page.select_option("#search", "bfs")
    assert page.is_disabled("#preferred")
    wanted = bp.solve(*bp.example("crates"), search="bfs")
    assert wanted.plan is not None
    assert solved(page) == [str(step) for step in wanted.plan]


@pytest.mark.parametrize("name", ["domain", "problem"])
def test_an_error_is_shown_at_its_line(name: str, opened: Callable[..., Any]) -> None:
    page = opened()
    task = example("museum")
    page.select_option("#example", "museum")
    lines = task[name].split("\n")
    line = len(lines) - 4
    lines[line - 1] += " (("
    page.fill(f"[data-file={name}] textarea", "\n".join(lines))
    page.click("#start")
    page.wait_for_selector("#status.failed")
    editor = page.locator(f"[data-file={name}]")
    shown = int(editor.locator(".gutter .wrong").inner_text())
    assert f"{name}.pddl:{shown}:" in page.inner_text("#status")
    assert f"line {shown}, column" in editor.locator(".problem").inner_text()
    assert editor.locator("textarea").get_attribute("aria-invalid") == "true"
    number, mark = editor.locator(".gutter .wrong").bounding_box(), editor.locator(".mark").bounding_box()
    assert abs(number["y"] - mark["y"]) < 2
    selected = page.evaluate(
        """(({ value, selectionStart: begin, selectionEnd: end }) =>
            [value.slice(0, begin).split("\\n").length, value.slice(begin, end)])(document.activeElement)"""
    )
    assert selected[0] == shown
    assert selected[1] == "("
    page.fill(f"[data-file={name}] textarea", task[name])
    assert editor.locator(".gutter .wrong").count() == 0
    assert editor.locator(".problem").inner_text() == ""
    solved(page)


@pytest.mark.parametrize("size", SIZES)
def test_all_errors_of_a_text_are_shown(size: str, opened: Callable[..., Any]) -> None:
    page = opened(size)
    page.select_option("#example", "museum")
    task = example("museum")
    text = task["problem"].replace("(:init", "(:init (nowhere)\n(never)\n", 1)
    page.fill("[data-file=problem] textarea", text)
    page.click("#start")
    page.wait_for_selector("#status.failed")
    editor = page.locator("[data-file=problem]")
    lines = [text[: text.index(word)].count("\n") + 1 for word in ("nowhere", "never")]
    expect(editor.locator(".problem p")).to_have_count(2)
    for line, problem in zip(lines, editor.locator(".problem button").all(), strict=True):
        assert problem.inner_text().startswith(f"line {line},")
        problem.click()
        assert (
            page.evaluate("document.activeElement.value.slice(0, document.activeElement.selectionStart)").count("\n")
            == line - 1
        )
    assert all(word in page.inner_text("#excerpt") for word in ("nowhere", "never"))
    page.fill("[data-file=problem] textarea", task["problem"])
    expect(editor.locator(".mark, .problem p")).to_have_count(0)
    solved(page)


def test_a_run_is_watched_and_cancelled(opened: Callable[..., Any], serving: Serving, tmp_path: Path) -> None:
    page = opened()
    domain, problem = write(tmp_path, endless_search())
    page.set_input_files("[data-file=problem] input[type=file]", [problem, domain])  # told apart by what is in them
    expect(page.locator("[data-file=domain] textarea")).to_have_value(re.compile(r"\(domain sliding\)"))
    page.click("#start")
    tile = page.locator("#progress div", has_text="Evaluations").locator("dd")
    tile.wait_for()
    expect(tile).not_to_have_text(tile.inner_text())  # it moves
    assert page.inner_text("#status") == "searching …"
    assert page.is_disabled("#start")
    page.wait_for_selector("#curve path", state="attached")
    assert len(serving.workers) == 1
    page.click("#cancel")
    expect(page.locator("#status")).to_have_text(re.compile("^cancelled: interrupted; best h"))
    assert page.is_enabled("#start")
    assert "Expanded" in page.inner_text("#statistics")
    wait_for(lambda: not serving.workers)


def test_a_page_that_is_left_ends_its_run(browser: Any, opened: Callable[..., Any], serving: Serving) -> None:
    page = opened()
    domain, problem = endless_search()
    page.fill("[data-file=domain] textarea", domain)
    page.fill("[data-file=problem] textarea", problem)
    page.click("#start")
    wait_for(lambda: len(serving.workers) == 1)
    page.wait_for_selector("#cancel:enabled")
    page.close(run_before_unload=True)
    wait_for(lambda: not serving.workers)


def test_files_are_dropped_on_the_page(opened: Callable[..., Any]) -> None:
    page = opened()
    task = example("crates")
    drop = """([domain, problem]) => {
        const data = new DataTransfer();
        data.items.add(new File([problem], "p.pddl"));
        data.items.add(new File([domain], "d.pddl"));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }"""
    page.evaluate(drop, [task["domain"], task["problem"]])
    expect(page.locator("[data-file=domain] .name")).to_have_text("d.pddl")
    expect(page.locator("[data-file=problem] .name")).to_have_text("p.pddl")
    assert page.input_value("[data-file=problem] textarea") == task["problem"]
    solved(page)


def test_limits_are_kept_and_said(opened: Callable[..., Any]) -> None:
    page = opened()
    page.select_option("#example", "crates")
    page.fill("#evaluations", "1")
    page.click("#start")
    expect(page.locator("#status")).to_have_text(re.compile("^evaluation-limit: "))
    assert page.locator("#plan li").inner_text() == "no plan"


def test_what_the_server_refuses_is_said(opened: Callable[..., Any]) -> None:
    page = opened()
    page.route("**/api/runs", lambda route: route.fulfill(status=503, json={"detail": "too many runs are waiting"}))
    page.click("#start")
    expect(page.locator("#trouble")).to_have_text("too many runs are waiting")
    assert page.is_enabled("#start")


def test_every_control_has_a_name(opened: Callable[..., Any]) -> None:
    page = opened()
    page.select_option("#example", "crates")
    solved(page)
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("input, select, textarea, button, a, iframe")]
            .filter(e => !e.labels?.length && !e.ariaLabel && !e.getAttribute("aria-labelledby") && !e.title
                && !e.innerText.trim() && e.checkVisibility())
            .map(e => e.outerHTML)"""
    )
    assert nameless == []


def test_it_works_by_keyboard(opened: Callable[..., Any]) -> None:
    page = opened()
    page.select_option("#example", "lights")
    page.focus("[data-file=problem] textarea")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("#status.solved")


def test_a_text_with_many_lines_is_numbered_where_it_is_seen(opened: Callable[..., Any]) -> None:
    page = opened()
    lines = 100_000
    page.evaluate("n => { const t = document.querySelector('textarea'); t.value = '\\n'.repeat(n - 1) + '('; }", lines)
    page.click("#start")
    page.wait_for_selector("#status.failed")
    assert page.locator("[data-file=domain] .gutter .wrong").inner_text() == str(lines)
    assert page.locator("[data-file=domain] .gutter span").count() < 100


def test_a_server_that_goes_away_is_said(browser: Any, tmp_path: Path) -> None:
    domain, problem = endless_search()
    page = browser.new_page()
    with Serving(folder=tmp_path) as serving:
        page.goto(serving.url)
        page.wait_for_selector("html[data-ready]")
        page.fill("[data-file=domain] textarea", domain)
        page.fill("[data-file=problem] textarea", problem)
        page.click("#start")
        page.wait_for_selector("#progress dd")
        serving.process.kill()
        expect(page.locator("#status")).to_have_text("the server does not answer; trying again …")
    page.close()


def typed(page: Any) -> list[str]:
    return [page.input_value(f"[data-file={name}] textarea") for name in ("domain", "problem", "plan")]


def test_texts_and_choices_are_kept_over_a_reload(opened: Callable[..., Any]) -> None:
    page = opened()
    page.select_option("#example", "crates")
    page.fill("[data-file=problem] textarea", "; mine\n" + example("crates")["problem"])
    page.select_option("#search", "gbfs")
    page.fill("#seed", "12")
    page.check("#anytime")
    page.click("#check summary")
    page.fill("[data-file=plan] textarea", "(up ground first)")
    before = typed(page)
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert typed(page) == before
    assert (page.input_value("#search"), page.input_value("#seed"), page.is_checked("#anytime")) == ("gbfs", "12", True)
    assert page.inner_text("[data-file=domain] .name") == "crates/domain.pddl"
    page.uncheck("#anytime")
    solved(page)


def test_a_task_is_shared_as_a_link(opened: Callable[..., Any]) -> None:
    page = opened(permissions=["clipboard-read", "clipboard-write"])
    page.select_option("#example", "museum")
    page.fill("[data-file=domain] textarea", "; ∀ äöü\n" + example("museum")["domain"])
    page.select_option("#search", "gbfs")
    page.click("#share")
    expect(page.locator("#said")).to_contain_text("characters with the whole task is copied")
    address = page.evaluate("navigator.clipboard.readText()")
    assert "#task=" in address
    requested: list[str] = []
    other = opened("phone")
    other.on("request", lambda request: requested.append(request.url))
    other.goto("about:blank")
    other.goto(address)
    other.wait_for_selector("html[data-ready]")
    assert typed(other) == typed(page)
    assert other.input_value("#search") == "gbfs"
    assert not [url for url in requested if len(url) > 200 and url != address]  # no server is told
    assert "#" not in other.url
    solved(other)


@pytest.mark.parametrize("fragment", ["#task=", "#task=abc", "#task=!!!", "#task=q1YqyS9RslIqzy_KSVGqBQA"])
def test_a_damaged_link_is_said(fragment: str, opened: Callable[..., Any], serving: Serving) -> None:
    page = opened()
    page.goto("about:blank")
    page.goto(f"{serving.url}/{fragment}")
    page.wait_for_selector("html[data-ready]")
    expect(page.locator("#trouble")).to_have_text("the link is damaged or was cut: there is no task in it")


def test_a_task_that_is_too_large_for_a_link(opened: Callable[..., Any]) -> None:
    page = opened()
    page.evaluate(
        """() => { document.querySelector("textarea").value =
            Array.from({ length: 40000 }, (_, i) => Math.sin(i).toString(36)).join(" "); }"""
    )
    page.click("#share")
    expect(page.locator("#trouble")).to_contain_text("the task is too large for a link")


def test_astar_gets_a_heuristic_for_which_it_is_optimal(opened: Callable[..., Any]) -> None:
    page = opened()
    page.select_option("#example", "museum")
    page.select_option("#search", "astar")
    assert page.input_value("#heuristic") == "hmax"
    expect(page.locator("#promise")).to_have_text("hmax never overestimates: the plan will be a cheapest one.")
    solved(page)
    assert "hmax(cost='plan')" in page.inner_text("#statistics")
    page.select_option("#heuristic", "ff")
    expect(page.locator("#promise.careful")).to_contain_text("ff may overestimate")
    page.select_option("#heuristic", "hadd")
    page.select_option("#search", "gbfs")
    assert page.input_value("#heuristic") == "hadd"
    assert page.inner_text("#promise") == ""
    page.select_option("#search", "astar")
    page.select_option("#search", "gbfs")
    assert page.input_value("#heuristic") == "hadd"  # as before


@pytest.mark.parametrize("size", SIZES)
def test_plans_are_shown_as_they_come(size: str, opened: Callable[..., Any]) -> None:
    page = opened(size)
    page.select_option("#example", "warehouse")
    page.select_option("#search", "gbfs")
    page.check("#anytime")
    page.click("#start")
    page.wait_for_selector("#plans li")
    page.wait_for_selector("#plan li")
    expect(page.locator("#status")).to_have_text(re.compile("searching … plan"))
    page.click("#cancel")
    expect(page.locator("#status")).to_have_text(re.compile("^cancelled: "))
    costs = [int(cost) for cost in re.findall(r"cost (\d+)", page.inner_text("#plans"))]
    assert costs == sorted(costs)
    assert f"cost {costs[0]}" in page.inner_text("#statistics")


@pytest.mark.parametrize("size", SIZES)
def test_a_pasted_plan_is_checked(size: str, opened: Callable[..., Any]) -> None:
    page = opened(size)
    page.select_option("#example", "crates")
    plan = "".join(f"{step}\n" for step in bp.solve(*bp.example("crates")).plan or ())
    page.click("#check summary")
    page.fill("[data-file=plan] textarea", plan)
    page.click("#validate")
    expect(page.locator("#status.solved")).to_have_text(re.compile(r"^valid: \d+ steps, cost \d+$"))
    inside = page.frame_locator("#plan-page iframe")
    expect(inside.get_by_role("heading", name="What may run at the same time")).to_be_visible()
    page.fill("[data-file=plan] textarea", "(up ground first)\n(up ground first)\n")
    page.click("#validate")
    expect(page.locator("#status.failed")).to_contain_text("step 2 (up ground first): precondition (lift-at ground)")
    page.fill("[data-file=plan] textarea", "(up ground first)\nup\n")
    page.click("#validate")
    expect(page.locator("[data-file=plan] .problem")).to_contain_text("line 2")
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size][0]
