"""Runs for others: what is written can be read, by Downward Lab, too."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from synthetic_runs import grid, ledger, run

from banditplan.cli.main import main
from banditplan.errors import InputError
from banditplan.experiments.ledger import Ledger
from banditplan.experiments.report.exchange import export, row

RUNS = [
    *grid({"gbfs": 0.7, "guct-normal2": 0.9}, seeds=2),
    run("guct", solved=False, status="crash", exit="signal", output='said "why",\nand went', evaluations=None),
]


def test_csv(tmp_path: Path) -> None:
    export(RUNS, tmp_path / "runs.csv")
    with (tmp_path / "runs.csv").open(encoding="utf-8", newline="") as file:
        read = list(csv.DictReader(file))
    assert read == [{name: "" if value is None else str(value) for name, value in row(made).items()} for made in RUNS]


def test_parquet(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    export(RUNS, tmp_path / "runs.parquet")
    table = parquet.read_table(tmp_path / "runs.parquet")
    assert table.to_pylist() == [row(made) for made in RUNS]
    types = {field.name: str(field.type) for field in table.schema}
    assert (types["seed"], types["valid"], types["search_seconds"], types["status"]) == (
        "int64",
        "bool",
        "double",
        "string",
    )


def test_properties_keep_seeds_apart(tmp_path: Path) -> None:
    export(RUNS, tmp_path / "properties")
    properties = json.loads((tmp_path / "properties").read_text(encoding="utf-8"))
    assert len(properties) == len(RUNS)
    assert {found["algorithm"] for found in properties.values()} == {
        "gbfs ff seed 0",
        "guct-normal2 ff seed 1",
        "guct-normal2 ff seed 2",
        "guct ff seed 1",
    }
    assert sum(found["coverage"] for found in properties.values()) == sum(made.solved for made in RUNS)


def test_downward_lab_reads_the_properties(tmp_path: Path) -> None:
    absolute = pytest.importorskip("downward.reports.absolute")
    folder = tmp_path / "lab-eval"
    folder.mkdir()
    solved = [made for made in RUNS if not made.failed]
    export(solved, folder / "properties")
    report = absolute.AbsoluteReport(attributes=["coverage", "evaluations", "search_time", "error"], format="tex")
    report(str(folder), str(tmp_path / "lab.tex"))
    text = (tmp_path / "lab.tex").read_text(encoding="utf-8")
    assert "guct-normal2 ff seed 2" in text
    total = sum(made.solved for made in solved if made.key.seed == 2)
    assert f"{total}" in text


def test_unknown_kind_of_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.csv, \.parquet, properties"):
        export(RUNS, tmp_path / "runs.xls")


def test_limits_apply_to_what_is_exported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = ledger(tmp_path / "ledger", RUNS)
    assert main(["experiment", "export", str(folder), str(tmp_path / "few.csv"), "--max-evaluations", "100"]) == 0
    text = (tmp_path / "few.csv").read_text(encoding="utf-8")
    assert text.count(",solved,") == sum(made.solved and (made.evaluations or 0) <= 100 for made in RUNS)
    assert "runs →" in capsys.readouterr().err


def test_import_adds_what_is_missing_once(tmp_path: Path) -> None:
    here, there = ledger(tmp_path / "here", RUNS[:20]), ledger(tmp_path / "there", RUNS)
    for _ in range(2):
        assert main(["experiment", "import", str(here), str(there)]) == 0
        with Ledger.open(here) as found:
            assert {made.key: made for made in found.runs()} == {made.key: made for made in RUNS}


def test_import_with_a_label_keeps_both_versions(tmp_path: Path) -> None:
    here, there = ledger(tmp_path / "here", RUNS), ledger(tmp_path / "there", RUNS)
    assert main(["experiment", "import", str(here), str(there), "--label", "0.2"]) == 0
    with Ledger.open(here) as found:
        names = {made.key.algorithm for made in found.runs()}
        assert len(found.runs()) == 2 * len(RUNS)
    assert names == {"gbfs", "guct-normal2", "guct", "gbfs@0.2", "guct-normal2@0.2", "guct@0.2"}
