"""What the documentation shows works: doctests, and the code in the README."""

from __future__ import annotations

import doctest
import importlib
import re
import shlex
from pathlib import Path

import pytest

import banditplan as bp
from banditplan.cli import COMMANDS, EXIT_CODES, PROGRAM
from banditplan.options import read

README = Path(__file__).parents[2] / "README.md"
DOCS = README.with_name("docs")
DOCUMENTED = ("banditplan", "banditplan.api")


@pytest.mark.parametrize("module", DOCUMENTED)
def test_examples_in_docstrings_work(module: str) -> None:
    failed, tried = doctest.testmod(importlib.import_module(module), raise_on_error=True)
    assert tried > 0
    assert failed == 0


def test_python_code_in_the_readme_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", README.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert blocks
    for code in blocks:
        exec(compile(code, str(README), "exec"), {})
        assert capsys.readouterr().out


def test_the_record_is_documented_key_by_key() -> None:
    text = (DOCS / "record.md").read_text(encoding="utf-8")
    record = bp.solve(*bp.example("crates")).record()
    for key in (*record, *record["seconds"], *(record["task"] or ())):
        assert f"`{key}`" in text, key
    for status, code in EXIT_CODES.items():
        assert f"`{status}`" in text, status
        assert re.search(rf"\b{code} [a-z]", text), code


def test_commands_in_the_readme_exist() -> None:
    known = {command.name: command for command in COMMANDS}
    for line in re.findall(rf"^(?:\$ )?{PROGRAM} (.*)$", README.read_text(encoding="utf-8"), re.MULTILINE):
        name, *words = shlex.split(line, comments=True)
        if not name.startswith("-"):
            read(known[name], words, PROGRAM)
