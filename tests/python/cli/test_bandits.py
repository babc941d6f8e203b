"""`banditplan bandits`: tables, pictures, and what is said about bad input."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from banditplan.cli.bandits import command as bandits_command
from banditplan.cli.main import PROGRAM, main
from banditplan.cli.options import read

PAGE = Path(__file__).parents[3] / "docs" / "bandits.md"
SMALL = ["--pulls", "200", "--repetitions", "5"]
DETERMINISTIC = ["--arms", "constant(3), constant(1), constant(2)"]


@pytest.fixture(autouse=True)
def _in_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def without(libraries: tuple[str, ...], *words: str) -> subprocess.CompletedProcess[str]:
    """The command where some libraries cannot be imported."""
    code = f"import sys; sys.modules.update(dict.fromkeys({libraries!r})); from banditplan.cli.main import main; "
    command = [sys.executable, "-c", code + f"sys.exit(main({words!r}))"]
    return subprocess.run(command, capture_output=True, encoding="utf-8")


def test_a_table_needs_no_extra(tmp_path: Path) -> None:
    words = ("bandits", *SMALL, *DETERMINISTIC, "--bandits", "ucb1(c=0.5), normal2, greedy")
    done = without(("scipy", "matplotlib", "numpy"), *words)
    assert (done.returncode, done.stderr) == (0, "")
    head, *lines = done.stdout.rstrip("\n").split("\n")
    assert head.split() == ["bandit", "regret", "deviation", "10", "%", "90", "%", "least", "cost"]
    rows = {line.split()[0]: line.split()[1:] for line in lines}
    assert set(rows) == {"ucb1(c=0.5)", "normal2", "greedy"}
    assert rows["normal2"] == rows["greedy"] == ["3.00", "0.00", "3.00", "3.00", "1.00"]
    assert float(rows["ucb1(c=0.5)"][0]) > 3
    assert list(tmp_path.iterdir()) == []


@pytest.mark.sweep
@pytest.mark.parametrize("plot", ["regret", "least", "bound", "condition"])
@pytest.mark.parametrize("output", [None, "picture.svg", "picture.png"])
def test_a_plot_is_written(plot: str, output: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib", reason="plots need Matplotlib")
    pytest.importorskip("scipy", reason="plots need SciPy")
    assert main(["bandits", plot, *SMALL, *(["--output", output] if output else [])]) == 0
    (path,) = tmp_path.iterdir()
    assert path.name == (output or f"{plot}.svg")
    begin = path.read_bytes()[:8]
    assert begin == b"\x89PNG\r\n\x1a\n" if path.suffix == ".png" else begin.startswith(b"<?xml")
    out, err = capsys.readouterr()
    assert err == f"wrote {path.name}\n"
    if plot == "condition":
        assert re.search(r"^ +M +5 +4 +2 +2 +1$", out, re.MULTILINE)


@pytest.mark.slow
def test_the_same_command_draws_the_same_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="plots need Matplotlib")
    for name in ("a.svg", "b.svg"):
        assert main(["bandits", "regret", *SMALL, "--output", name]) == 0
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


@pytest.mark.parametrize("library", ["matplotlib", "scipy"])
def test_a_missing_library_is_named_with_its_remedy(library: str, tmp_path: Path) -> None:
    done = without((library,), "bandits", "regret", *SMALL)
    assert done.returncode == 31
    assert re.fullmatch(r"error: .* not installed; run: pip install 'banditplan\[plot\]'\n", done.stderr)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--arms", "gaussian(0, "], "write calls such as gaussian(0, 1)"),
        (["--arms", ""], "write calls such as gaussian(0, 1)"),
        (["--arms", "gausian(0, 1)"], 'did you mean "gaussian"'),
        (["--arms", "normal2"], 'unknown component "normal2"'),
        (["--arms", "1, 2"], "expected calls such as gaussian(0, 1)"),
        (["--arms", "gaussian(0, -1)"], "not negative"),
        (["--arms", "urn([])"], "there must be a cost"),
        (["--arms", 'urn(["a"])'], "costs must be of type"),
        (["--bandits", "ucb1(d=1)"], 'ucb1 has no option "d"; it has: c'),
        (["--pulls", "0"], "pulls must be from 1"),
        (["--pulls", "-1"], "is not a valid N"),
        (["--repetitions", "10,000,000"], "more than 10,000,000 numbers"),
        (["histogram"], "there are regret, least, bound, condition"),
        (["--output", "x.svg"], "--output needs a plot"),
        (["regret", "--output", "x.txt"], "must end in one of .svg"),
        (["regret", "--output", "/dev/null/x.svg"], '"/dev/null" is no folder'),
        (["bound", "--arms", "uniform, gaussian"], "the bound is about gaussian arms"),
        (["bound", "--arms", "gaussian, gaussian"], "the bound is about gaussian arms"),
    ],
)
def test_bad_input(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    if words[0] == "bound":
        pytest.importorskip("scipy", reason="the bound needs SciPy")
    assert main(["bandits", *words]) == 31
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert "Traceback" not in err


def sessions() -> list[tuple[list[str], str]]:
    """The commands in the documentation, as words, each with the output that is shown."""
    found = []
    for block in re.findall(r"^```console\n\$ (.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE):
        lines = block.replace("\\\n", " ").split("\n")
        quotes = [sum(line.count("'") for line in lines[: i + 1]) % 2 for i in range(len(lines))]
        end = quotes.index(0) + 1
        found.append((shlex.split("\n".join(lines[:end])), "\n".join(lines[end:])))
    return found


def test_the_pictures_in_the_documentation_have_commands() -> None:
    shown = re.findall(r"!\[.+\]\((.+)\)", PAGE.read_text(encoding="utf-8"))
    command = bandits_command("bandits", "")
    outputs = [read(command, words[2:], PROGRAM)[1]["output"] for words, _ in sessions()]
    assert [f"docs/{picture}" for picture in shown] == outputs
    assert all((PAGE.parent / picture).is_file() for picture in shown)


@pytest.mark.slow
@pytest.mark.parametrize(("words", "output"), [session for session in sessions() if session[1]])
def test_the_tables_in_the_documentation_are_real(
    words: list[str], output: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert words[:2] == [PROGRAM, "bandits"]
    assert main(["bandits", *words[3 : words.index("--output")]]) == 0
    assert capsys.readouterr().out == output
