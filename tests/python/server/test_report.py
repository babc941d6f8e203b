"""The search report on its way from the child process to the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from serving import Serving, example, wait_for

httpx = pytest.importorskip("httpx")
pytest.importorskip("fastapi", reason="needs the extra banditplan[serve]")

# Stands in for banditplan.explain in every process that the server starts.
EXPLAIN = """
import sys, types, importlib.machinery

def page(trace):
    return f"<!doctype html><h1>{len(trace.splitlines())} lines</h1><script>document.title = 'ran'</script>"

module = types.ModuleType("banditplan.explain")
module.__spec__ = importlib.machinery.ModuleSpec("banditplan.explain", None)
module.page = page
sys.modules["banditplan.explain"] = module
"""


@pytest.fixture(scope="module")
def explaining(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    folder = tmp_path_factory.mktemp("explain")
    (folder / "sitecustomize.py").write_text(EXPLAIN, encoding="utf-8")
    with Serving("--jobs", "1", folder=folder, env={"PYTHONPATH": str(folder)}) as serving:
        yield serving


def ended(client: Any, **request: object) -> dict[str, Any]:
    run: dict[str, Any] = client.post("/api/runs", json=request).json()

    def closed() -> bool:
        nonlocal run
        run = client.get(f"/api/runs/{run['id']}").json()
        return run["state"] == "finished" and run["report"] != "pending"

    wait_for(closed)
    return run


def test_a_search_that_is_asked_for_has_a_report(explaining: Serving) -> None:
    with httpx.Client(base_url=explaining.url, timeout=30) as client:
        run = ended(client, **example("crates"), report=True)
        assert run["report"] == "ready"
        assert run["result"]["status"] == "solved"
        answer = client.get(f"/api/runs/{run['id']}/report")
        assert answer.headers["content-type"].startswith("text/html")
        assert answer.headers["content-security-policy"].startswith("sandbox allow-scripts")
        assert " lines</h1>" in answer.text
        assert ended(client, **example("crates"))["report"] == "none"
        assert ended(client, **example("crates"), search="gbfs", report=True)["report"] == "ready"


def test_the_page_shows_the_report(explaining: Serving, browser: Any) -> None:
    from playwright.sync_api import expect

    page = browser.new_page()
    page.goto(explaining.url)
    page.wait_for_selector("html[data-ready]")
    page.select_option("#example", "crates")
    page.click("#start")
    expect(page.frame_locator("#report iframe").locator("h1")).to_contain_text("lines")
    frame = page.frames[-1]
    assert frame.evaluate("document.title") == "ran"
    assert frame.evaluate("window.origin") == "null"  # it reaches nothing of ours
    page.select_option("#search", "gbfs")
    page.click("#start")
    page.wait_for_selector("#status.solved")
    expect(page.frame_locator("#report iframe").locator("h1")).to_contain_text("lines")
    page.close()


def test_the_real_report_runs_within_the_page(serving: Serving, browser: Any) -> None:
    from playwright.sync_api import expect

    complaints: list[str] = []
    page = browser.new_page()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(serving.url)
    page.wait_for_selector("html[data-ready]")
    page.select_option("#example", "crates")
    page.select_option("#search", "guct-normal2")
    page.click("#start")
    report = page.frame_locator("#report iframe")
    expect(report.locator("html[data-ready]")).to_be_attached(timeout=30_000)
    expect(report.locator(".why")).to_contain_text("was chosen")
    report.locator("[role=treeitem]").nth(1).locator(".dot").click()
    expect(report.get_by_role("heading", name="Arms after")).to_be_visible()
    page.close()
    assert complaints == []
