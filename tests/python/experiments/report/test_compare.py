"""Two ledgers side by side."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from synthetic_runs import ledger, run

from banditplan.cli.main import main
from banditplan.errors import InputError
from banditplan.experiments.report.compare import comparison
from banditplan.experiments.report.results import results
from banditplan.experiments.report.table import Table
from banditplan.experiments.runs import Run


def compared(old: list[Run], new: list[Run]) -> list[Table]:
    return list(comparison(results(old), results(new), ("old", "new")))


def cells(table: Table, number: int = 0) -> dict[str, str]:
    return {column.name: cell.shown for column, cell in zip(table.columns, table.rows[number].cells, strict=True)}


def deterministic(solved: int, size: int = 20, **other: int) -> list[Run]:
    return [run(instance=f"p{number:02}", seed=0, solved=number < solved, **other) for number in range(size)]


def test_pairs_of_a_deterministic_search_are_compared_by_mcnemar() -> None:
    coverage, _, instances = compared(deterministic(5), deterministic(15))
    found = cells(coverage)
    assert (found["old"], found["new"], found["Δ"]) == ("5", "15", "+10")
    assert (found["p"], found["test"], found["verdict"]) == ("0.002", "McNemar, exact", "better")
    assert len(instances.rows) == 10
    assert instances.title.endswith("0 worse, 10 better")


def test_chance_is_called_chance() -> None:
    coverage, _, instances = compared(deterministic(5), deterministic(7))
    assert cells(coverage)["verdict"] == "–"
    assert len(instances.rows) == 2


def test_seeds_are_compared_by_welch() -> None:
    def seeds(coverages: list[int]) -> list[Run]:
        return [
            run("guct", instance=f"p{number:02}", seed=seed, solved=number < solved)
            for seed, solved in enumerate(coverages)
            for number in range(20)
        ]

    coverage, _, instances = compared(seeds([15, 16, 15, 16]), seeds([10, 11, 10, 9]))
    found = cells(coverage)
    assert (found["old"], found["new"], found["Δ"], found["verdict"]) == ("15.5", "10.0", "−5.5", "worse")
    assert found["test"] == "Welch's t"
    assert cells(instances)["change"] == "worse"


def test_effort_is_compared_on_what_both_solved() -> None:
    _, effort, _ = compared(deterministic(20, evaluations=100), deterministic(15, evaluations=50))
    assert len(effort.rows) == 1
    found = cells(effort)
    assert (found["attribute"], found["instances"], found["ratio"]) == ("evaluations", "15", "0.500")
    assert (found["better"], found["worse"], found["verdict"]) == ("15", "0", "better")


def test_only_what_both_ran_is_compared() -> None:
    coverage, _, _ = compared(deterministic(5, size=10), deterministic(5, size=8))
    assert cells(coverage)["instances"] == "8"
    with pytest.raises(InputError, match="nothing to compare"):
        compared(deterministic(5), [run("guct")])


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = ledger(tmp_path / "old", deterministic(5)), ledger(tmp_path / "new", deterministic(15))
    assert main(["experiment", "compare", str(old), str(new)]) == 0
    printed = capsys.readouterr().out
    assert "### Coverage" in printed
    assert "better" in printed
    assert main(["experiment", "compare", str(old), str(tmp_path / "nowhere")]) == 31
    assert "no experiment there" in capsys.readouterr().err


def test_ledgers_are_compared_run_by_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = deterministic(5)
    ledger(tmp_path / "old", runs)
    ledger(tmp_path / "same", runs[:10])
    ledger(tmp_path / "other", [*runs[:10], *deterministic(11)[10:]])
    assert main(["experiment", "compare", str(tmp_path / "old"), str(tmp_path / "same"), "--same"]) == 0
    assert "10 runs in both, 0 of them differ" in capsys.readouterr().out
    assert main(["experiment", "compare", str(tmp_path / "old"), str(tmp_path / "other"), "--same"]) == 1
    said = capsys.readouterr().out
    assert "20 runs in both, 1 of them differ" in said
    assert "p10 seed 0: status " in said


def test_ledgers_without_a_common_run_cannot_be_the_same(tmp_path: Path) -> None:
    ledger(tmp_path / "old", deterministic(5))
    ledger(tmp_path / "other", [run("guct", seed=3)])
    assert main(["experiment", "compare", str(tmp_path / "old"), str(tmp_path / "other"), "--same"]) == 31


def test_what_the_machine_does_is_no_verdict() -> None:
    old = deterministic(20)
    for attribute, values, expected in (
        ("peak memory KB", {"peak_memory_kb": 50_200}, "–"),
        ("peak memory KB", {"peak_memory_kb": 60_000}, "worse"),
        ("total seconds", {"total_seconds": 0.58}, "–"),
        ("total seconds", {"total_seconds": 0.4}, "better"),
        ("evaluations", {"evaluations": 99}, "better"),
    ):
        _, effort, _ = compared(old, deterministic(20, **values))  # type: ignore[arg-type]
        assert (cells(effort)["attribute"], cells(effort)["verdict"]) == (attribute, expected)


def test_other_limits_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger(tmp_path / "old", deterministic(5))
    ledger(tmp_path / "new", [replace(run, time_limit=60.0, memory_limit_kb=1000) for run in deterministic(5)])
    assert main(["experiment", "compare", str(tmp_path / "old"), str(tmp_path / "old")]) == 0
    assert "limits differ" not in capsys.readouterr().out
    assert main(["experiment", "compare", str(tmp_path / "old"), str(tmp_path / "new")]) == 0
    said = "time_limit 300 in the old, 60 in the new; memory_limit_kb none in the old, 1,000 in the new"
    assert f"**The limits differ**: {said}." in capsys.readouterr().out
