"""Which folders of the core look into which: no two into each other, and nothing upwards."""

from __future__ import annotations

import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[2] / "packaging" / "include-graph"


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    loader = SourceFileLoader("include_graph", str(SCRIPT))
    spec = spec_from_loader("include_graph", loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def test_no_folder_looks_where_it_should_not() -> None:
    done = subprocess.run([sys.executable, str(SCRIPT)], capture_output=True, text=True, check=False)
    assert done.stderr.strip() == ""
    assert done.returncode == 0
    assert "open_lists -> bandits;" in done.stdout


def test_what_is_wrong_is_found(drawn: ModuleType, tmp_path: Path) -> None:
    files = {"task/a.hpp": "searches/b.hpp", "bandits/c.hpp": "statistics/d.hpp", "base.hpp": "task/a.hpp"}
    for name, other in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f'#include "{other}"\n')
    (tmp_path / "attic").mkdir()
    (tmp_path / "attic" / "e.cpp").write_text("")
    faults = drawn.faults(drawn.graph(tmp_path))
    assert sorted(faults) == ["attic is not listed", "base.hpp looks into task", "task looks into searches"]
