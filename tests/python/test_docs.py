"""What the documentation shows works: doctests, and the code in the README."""

from __future__ import annotations

import doctest
import importlib
import re
import shlex
from pathlib import Path

import pytest
from api_reference import entry, example

import banditplan as bp
from banditplan.cli import EXIT_CODES
from banditplan.cli.main import COMMANDS, PROGRAM, main
from banditplan.cli.options import named, read

README = Path(__file__).parents[2] / "README.md"
DOCS = README.with_name("docs")
DOCUMENTED = (
    "banditplan",
    "banditplan.api",
    "banditplan.bandits",
    "banditplan.data",
    "banditplan.explain",
    "banditplan.problem",
)


@pytest.mark.parametrize("module", DOCUMENTED)
def test_examples_in_docstrings_work(module: str) -> None:
    failed, tried = doctest.testmod(importlib.import_module(module), raise_on_error=True)
    assert tried > 0
    assert failed == 0


@pytest.mark.sweep
@pytest.mark.parametrize("name", bp.__all__)
def test_every_public_name_has_an_example_that_works(name: str) -> None:
    session = doctest.DocTestParser().get_doctest(f"{example(name)}\n", {"bp": bp}, name, None, None)
    assert session.examples
    assert doctest.DocTestRunner().run(session).failed == 0
    page = entry(name)
    assert page.splitlines()[0] in (f"### {name}", f"### `{name}`")
    assert example(name) in page


PAGES = (README, *sorted(DOCS.rglob("*.md")))
NEEDS = {"unified_planning": "unified_planning", "matplotlib": ".plot("}
CODE = [
    pytest.param(code, id=f"{page.name}-{number}")
    for page in PAGES
    for number, code in enumerate(
        re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    )
]


@pytest.mark.slow
@pytest.mark.parametrize("code", CODE)
def test_python_code_in_the_documentation_runs(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for package, extra in (("unified_planning", "up"), ("matplotlib", "plot")):
        if NEEDS[package] in code:
            pytest.importorskip(package, reason=f"{package} is not installed: pip install 'banditplan[{extra}]'")
    if NEEDS["unified_planning"] in code:
        # An environment keeps the standard output that it was made with, which is another one in every test.
        monkeypatch.setattr("unified_planning.environment.GLOBAL_ENVIRONMENT", None)
    exec(compile(code, "documentation", "exec"), {})
    assert capsys.readouterr().out


SESSIONS = [
    pytest.param(command, output, id=f"{page.name}: {command}")
    for page in PAGES
    for command, output in re.findall(
        rf"^```console\n\$ {PROGRAM} ([^\n]*--example[^\n]*)\n([^$].*?)^```",
        page.read_text(encoding="utf-8"),
        re.DOTALL | re.MULTILINE,
    )
]


@pytest.mark.parametrize(("command", "output"), SESSIONS)
def test_sessions_in_the_documentation_are_real(
    command: str, output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    main(shlex.split(command))
    printed = capsys.readouterr()
    without_times = re.compile(r"\d+\.\d\d")
    # In a terminal, what goes to the two streams is interleaved.
    assert sorted(without_times.sub("…", printed.out + printed.err).splitlines()) == sorted(
        without_times.sub("…", output).splitlines()
    )


def test_the_record_is_documented_key_by_key() -> None:
    text = (DOCS / "record.md").read_text(encoding="utf-8")
    record = bp.solve(*bp.example("crates")).to_dict()
    for key in (*record, *record["seconds"], *(record["task"] or ()), *record["limits"]):
        assert f"`{key}`" in text, key
    for status, code in EXIT_CODES.items():
        assert f"`{status}`" in text, status
        assert re.search(rf"\b{code} [a-z]", text), code


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_in_the_documentation_exist(page: Path) -> None:
    known = named(COMMANDS)
    blocks = re.findall(r"^```\w*\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    text = "\n".join(re.sub(r"'[^']*'", lambda quoted: quoted[0].replace("\n", " "), block) for block in blocks)
    text = re.sub(r" \\\n\s*", " ", text)
    for line in re.findall(rf"^(?:\$ )?{PROGRAM} ([a-z-].*)$", text, re.MULTILINE):
        name, *words = shlex.split(line, comments=True)
        if name.startswith("-"):
            continue
        if name.endswith(".pddl"):
            name, words = "solve", [name, *words]
        if name not in known:
            name += f" {words.pop(0)}"  # a group's
        read(known[name], words, PROGRAM)
