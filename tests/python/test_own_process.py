"""Processes that are started run the modules of the process that starts them, wherever that is."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from banditplan.experiments import Ledger, run_experiment
from banditplan.own_process import command


def test_modules_are_found_where_this_process_finds_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known, current = tmp_path / "it's known", tmp_path / "current"
    for folder in (known, current):
        folder.mkdir()
        (folder / "whose.py").write_text(f"import sys\nprint(__name__, {folder.name!r}, *sys.argv[1:])\n")
    monkeypatch.syspath_prepend(known)
    done = subprocess.run(command("whose", "a b"), cwd=current, capture_output=True, encoding="utf-8", check=True)
    assert done.stdout == "__main__ it's known a b\n"


def test_files_in_the_current_folder_do_not_get_in_the_way_of_experiments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("json.py").write_text("raise ImportError('the wrong file')\n")
    Path("mine.toml").write_text('suite = "examples:crates"\nalgorithms = ["gbfs"]\n')
    with Ledger.open(run_experiment("mine.toml", jobs=1, quiet=True)) as ledger:
        assert [run.status for run in ledger.runs()] == ["solved"]
