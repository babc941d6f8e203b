"""What the documentation shows works: doctests, and the code in the README."""

from __future__ import annotations

import doctest
import importlib
import re
import shlex
from pathlib import Path

import pytest

from banditplan.cli import COMMANDS, PROGRAM
from banditplan.options import read

README = Path(__file__).parents[2] / "README.md"
DOCUMENTED = ("banditplan", "banditplan.api")


@pytest.mark.parametrize("module", DOCUMENTED)
def test_examples_in_docstrings_work(module: str) -> None:
    failed, tried = doctest.testmod(importlib.import_module(module), raise_on_error=True)
    assert tried > 0
    assert failed == 0


def test_python_code_in_the_readme_compiles_and_its_sessions_work() -> None:
    text = README.read_text(encoding="utf-8")
    for code in re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        if ">>>" not in code:
            compile(code, str(README), "exec")
    assert doctest.testfile(str(README), module_relative=False, encoding="utf-8").failed == 0


def test_commands_in_the_readme_exist() -> None:
    known = {command.name: command for command in COMMANDS}
    for line in re.findall(rf"^(?:\$ )?{PROGRAM} (.*)$", README.read_text(encoding="utf-8"), re.MULTILINE):
        name, *words = shlex.split(line, comments=True)
        if not name.startswith("-"):
            read(known[name], words, PROGRAM)
