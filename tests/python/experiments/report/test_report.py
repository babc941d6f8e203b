"""The report as a whole, opened in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from synthetic_runs import grid, ledger, run

from banditplan import extras
from banditplan.cli.main import main
from banditplan.experiments.runs import Run

ALGORITHMS = {"gbfs": 0.7, "guct-normal2": 0.9, "guct": 0.5, "guct(c=0.5)": 0.6}
CRASH = run("guct", domain="tpp", instance="p99.pddl", solved=False, status="crash", exit="signal", output="<b>Oh & no")


def report(folder: Path, runs: list[Run], *options: str) -> Path:
    ledger(folder, runs)
    assert main(["experiment", "report", str(folder), *options]) == 0
    return folder / "report"


@pytest.mark.slow
def test_all_files_are_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = report(tmp_path / "experiment", grid(ALGORITHMS))
    assert str(out / "report.html") in capsys.readouterr().err
    tables = {path.name for path in (out / "tables").iterdir()}
    for name in ("coverage", "domains-ff", "significance", "effort-ff", "endings"):
        assert {f"{name}.md", f"{name}.tex", f"{name}.csv"} <= tables
    text = (out / "report.md").read_text(encoding="utf-8")
    for path in (out / "plots").iterdir():
        assert f"(plots/{path.name})" in text
    for fact in ("machine", "versions", "runs started", "limits of a run", "command"):
        assert f"\n- {fact}: " in text
    assert "Unexplained errors" not in text
    assert ": 4 algorithms, 1 column, " in text


def test_errors_come_first(tmp_path: Path) -> None:
    out = report(tmp_path / "experiment", [*grid({"gbfs": 0.7}), CRASH])
    text = (out / "report.md").read_text(encoding="utf-8")
    assert text.index("Unexplained errors: 1") < text.index("- machine:") < text.index("### Instances solved")
    page = (out / "report.html").read_text(encoding="utf-8")
    assert page.index("Unexplained errors: 1") < page.index("Instances solved")
    assert "&lt;b&gt;Oh &amp; no" in page


@pytest.mark.slow
def test_limits_and_reference_are_options(tmp_path: Path) -> None:
    options = ["--max-evaluations", "50", "--max-expansions", "4000", "--time-limit", "5m", "--reference", "gbfs"]
    out = report(tmp_path / "experiment", grid(ALGORITHMS), *options)
    text = (out / "report.md").read_text(encoding="utf-8")
    assert "Instances solved within 50 evaluations, 4,000 expansions, 300 s" in text
    assert "compared with gbfs" in text
    assert "--max-evaluations 50 --max-expansions 4000 --time-limit 5m" in text


def test_bad_input_is_explained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = ledger(tmp_path / "experiment", grid({"gbfs": 0.7}))

    def complaint(*arguments: str) -> str:
        assert main(["experiment", "report", *arguments]) == 31
        return capsys.readouterr().err

    assert "no experiment there" in complaint(str(tmp_path))
    assert 'no runs of "gbf"; did you mean "gbfs"?' in complaint(str(folder), "--reference", "gbf")
    (tmp_path / "file").write_text("")
    assert "choose another --out" in complaint(str(folder), "--out", str(tmp_path / "file" / "x"))
    assert "no run has ended yet" in complaint(str(ledger(tmp_path / "empty", [])))

    def missing(name: str) -> None:
        raise ModuleNotFoundError(name=name)

    monkeypatch.setattr(extras.importlib, "import_module", missing)
    assert "pip install 'banditplan[experiments]'" in complaint(str(folder))


@pytest.mark.parametrize(("width", "height"), [(1400, 1000), (390, 844)], ids=["desktop", "phone"])
def test_the_page_opens_in_a_browser(tmp_path: Path, browser: Any, width: int, height: int) -> None:
    out = report(tmp_path / "experiment", [*grid(ALGORITHMS, ("ff", "hadd")), CRASH])
    said: list[str] = []
    asked: list[str] = []
    page = browser.new_page(viewport={"width": width, "height": height})
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto((out / "report.html").as_uri())
    sizes = page.eval_on_selector_all("figure svg", "all => all.map(svg => svg.getBoundingClientRect().toJSON())")
    lines = page.eval_on_selector_all("figure svg", "all => all.map(svg => svg.querySelectorAll('path').length)")
    overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    scroll = page.locator("#coverage .scroll")
    scroll.evaluate("box => { box.style.height = '100px'; box.scrollTop = 60; box.scrollLeft = 60 }")
    head = scroll.locator("thead tr").last.locator("th").first.bounding_box()
    box = scroll.bounding_box()
    first = page.locator("h3").first.inner_text()
    page.close()
    assert said == []
    assert all(url.startswith(("file:", "data:")) for url in asked)
    assert len(sizes) == len(list((out / "plots").iterdir()))
    assert all(size["width"] > 250 and size["height"] > 150 for size in sizes)
    assert all(count > 10 for count in lines)
    assert overflow <= 0
    assert head is not None
    assert box is not None
    assert head["x"] - box["x"] < 5  # still in sight
    assert head["y"] - box["y"] < 40
    assert first == "Unexplained errors: 1"
