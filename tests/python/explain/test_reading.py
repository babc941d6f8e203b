"""What is no trace is told so, with its line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from explain.traces import Line, lines, made, real, text

from banditplan.cli import BAD_INPUT
from banditplan.cli.main import main
from banditplan.errors import InputError, Source
from banditplan.explain import compare_page, page
from banditplan.explain.reading import read_trace
from banditplan.explain.shape import SHAPES


def complaint(trace: str) -> str:
    with pytest.raises(InputError) as error:
        page(trace, "t.jsonl")
    return str(error.value)


def test_what_is_not_a_trace() -> None:
    assert complaint("").startswith("t.jsonl:1: is not a trace")
    assert complaint("(define (domain d))\n").startswith("t.jsonl:1: is not a trace")
    assert complaint("[" * 100_000).startswith("t.jsonl:1: is not a trace")
    assert complaint('{"kind": "step"}\n').startswith("t.jsonl:1: is not a trace")
    assert "banditplan solve --trace" in complaint("[1]\n")
    assert complaint(text(made())[:-40]).startswith("t.jsonl:11: is not a line of JSON")
    other = made()
    other[0]["format"] = 1
    assert complaint(text(other)).startswith("t.jsonl:1: is a trace of format 1, but this banditplan reads format 3")


def test_every_way_to_break_off_is_told() -> None:
    trace = made()
    for kept in range(1, len(trace)):
        assert complaint(text(trace[:kept])).startswith(f"t.jsonl:{kept}: the trace breaks off here")


@pytest.mark.parametrize("line", range(len(made())))
def test_a_line_without_one_of_its_keys(line: int) -> None:
    kind = made()[line]["kind"]
    for key in SHAPES[kind]:
        trace = made()
        del trace[line][key]
        assert complaint(text(trace)) == f't.jsonl:{line + 1}: {kind}: "{key}" is missing'


def _set(line: int, key: str, value: Any) -> Callable[[list[Line]], None]:
    return lambda trace: trace[line].update({key: value})


def _arm(key: str, value: Any) -> Callable[[list[Line]], None]:
    return lambda trace: trace[4]["choices"][0]["arms"][0].update({key: value})


COUNTED = {"kind": "landmarks", "landmarks": [{"facts": ["(p)"], "goal": True}], "initial": [[], [0]], "nodes": {}}


@pytest.mark.parametrize(
    ("change", "line", "words"),
    [
        (_set(1, "kind", "leap"), 2, 'unknown kind of line "leap"'),
        (_set(1, "evaluations", "many"), 2, 'step: "evaluations" cannot be "many"'),
        (_set(1, "evaluations", True), 2, '"evaluations"'),
        (_set(1, "best_h", 1.5), 2, '"best_h"'),
        (_set(5, "mean", None), 6, '"mean"'),
        (_set(5, "mean", float("nan")), 6, "is not a line of JSON"),
        (_set(5, "mean", 1e300), 6, '"mean"'),
        (_set(6, "parent", 7), 7, "node 1 does not hang under node 7"),
        (_set(6, "node", 0), 7, "node 0 for the second time"),
        (_set(7, "action", 5), 8, "action 5 has no name"),
        (_set(8, "names", {"x": "(a)"}), 9, "not named by a number"),
        (_set(9, "initial", [3]), 10, "fact 3 has no name"),
        (_set(9, "nodes", {"1": [[8], [3]]}), 10, "fact 3 has no name"),
        (_set(9, "nodes", {"1": [[8]]}), 10, 'states: "nodes" cannot be'),
        (lambda trace: trace.insert(10, {**COUNTED, "initial": [[0], [1]]}), 11, "there is no landmark 1"),
        (lambda trace: trace.insert(10, {**COUNTED, "landmarks": [{}]}), 11, 'landmarks: "landmarks" cannot be'),
        (_set(10, "plan", [3]), 11, "action 3 has no name"),
        (_arm("score", "low"), 5, 'arm: "score" cannot be "low"'),
        (_arm("action", 9), 5, "action 9 has no name"),
        (_arm("node", 9), 5, "the chosen node 1 is not among the arms"),
        (lambda trace: trace.insert(1, trace[5]), 3, 'a line of kind "step" after one of kind "node"'),
        (lambda trace: trace[4]["choices"].append(3), 5, "choice: 3 is not an object"),
        (lambda trace: trace[4]["choices"].extend(trace[4]["choices"] * 12), 5, "more than 12 choices"),
        (lambda trace: trace.append(trace[-1]), 12, 'more than 1 lines of kind "end"'),
    ],
)
def test_what_cannot_be_is_told_with_its_line(change: Callable[[list[Line]], None], line: int, words: str) -> None:
    trace = made()
    change(trace)
    said = complaint(text(trace))
    assert said.startswith(f"t.jsonl:{line}: ")
    assert words in said


def test_a_comparison_names_the_trace_that_is_none() -> None:
    with pytest.raises(InputError, match=r"^b\.jsonl:1: is not a trace"):
        compare_page(text(made()), "nothing", ("a.jsonl", "b.jsonl"))


@pytest.mark.parametrize(
    "search", ["guct-normal2", "guct*-01(preferred=True)", "ttts-normal(deferred=True)", "guct-normal"]
)
def test_real_traces_are_read_whole(search: str) -> None:
    written = real(search, "crates")
    trace = read_trace(Source("t", written))
    kinds = [line["kind"] for line in lines(written)]
    assert [len(trace.steps), len(trace.paths), len(trace.nodes)] == [kinds.count(k) for k in ("step", "path", "node")]
    assert trace.end["status"] == "solved"


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.jsonl").write_text(real(example="crates"), encoding="utf-8")
    (tmp_path / "b.jsonl").write_text(text(made()), encoding="utf-8")
    assert main(["explain", "a.jsonl"]) == 0
    assert capsys.readouterr().out == "a.html\n"
    assert main(["explain", "a.jsonl", "b.jsonl", "-o", "both.html"]) == 0
    assert main(["explain", "a.jsonl", "b.jsonl"]) == 0
    assert (tmp_path / "both.html").read_bytes() == (tmp_path / "a-and-b.html").read_bytes()
    capsys.readouterr()
    for arguments, said in {
        ("missing",): "missing: no such file",
        (".",): ".: is a directory; give a file inside it",
        ("a.html",): "would overwrite the trace",
        ("a.jsonl", "-o", "a.jsonl/page.html"): "cannot write the page",
    }.items():
        assert main(["explain", *arguments]) == BAD_INPUT
        assert said in capsys.readouterr().err
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    assert main(["explain", "binary"]) == BAD_INPUT
    assert "binary:1: is not a trace" in capsys.readouterr().err


def test_solve_explains(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["solve", "--example", "crates", "--explain", "r.html", "--trace", "t.jsonl"]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("(")
    trace = (tmp_path / "t.jsonl").read_text(encoding="utf-8")
    assert (tmp_path / "r.html").read_text(encoding="utf-8") == page(trace)
    assert main(["solve", "--example", "crates", "--explain", "t.jsonl/r.html"]) == BAD_INPUT
    assert "choose another --explain" in capsys.readouterr().err
    assert main(["solve", "--example", "crates", "--search", "gbfs", "--explain", "g.html"]) == 0
    assert "has no tree of its own" in (tmp_path / "g.html").read_text(encoding="utf-8")
    assert main(["solve", "--example", "levers", "--explain", "u.html"]) == 11
    assert "goals held together, without (door-open)" in (tmp_path / "u.html").read_text(encoding="utf-8")
    assert main(["solve", "--example", "island", "--explain", "i.html"]) == 11
    island = (tmp_path / "i.html").read_text(encoding="utf-8")
    assert "the goal (searched treasure-island) cannot be reached" in island
    assert "out of memory" not in island
