"""The trace of a tree search: lines of JSON, bounded, and no part of the search."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from puzzles import endless_search, write

import banditplan as bp
from banditplan.cli import main

MOST_LINES = 2000


def traced(*files: str, **options: Any) -> tuple[bp.Result, list[dict[str, Any]]]:
    texts: list[str] = []
    result = bp.solve(*files, trace=texts.append, **options)
    assert len(texts) == 1
    return result, [json.loads(line) for line in texts[0].splitlines()]


@pytest.mark.parametrize("search", ["guct-normal2", "guct*(c=0.5)", "ttts-normal(deferred=True, preferred=True)"])
def test_a_trace_changes_nothing_and_tells_the_choices(search: str) -> None:
    files = bp.example("warehouse")
    limits = {"search": search, "max_evaluations": 1000}
    result, lines = traced(*files, **limits)
    plain = bp.solve(*files, **limits)
    assert (plain.plan, plain.evaluations, plain.generated) == (result.plan, result.evaluations, result.generated)
    assert [line["expansions"] for line in lines] == sorted(line["expansions"] for line in lines)
    best = [line["best_h"] for line in lines]
    assert best == sorted(best, reverse=True)
    for line in lines:
        assert line["evaluations"] <= line["inserted"]
        assert line["leaves"] <= line["nodes"]
        assert len(line["choices"]) <= 12
        for choice in line["choices"]:
            assert choice["chosen"] in [arm["node"] for arm in choice["arms"]]
            assert len(choice["arms"]) == min(24, choice["offered"])
            assert choice["total"] >= sum(arm["count"] for arm in choice["arms"])


def test_a_trace_is_bounded(tmp_path: Path) -> None:
    result, lines = traced(*write(tmp_path, endless_search()), search="guct", max_expansions=9000)
    assert result.expansions == 9000
    assert MOST_LINES / 2 <= len(lines) < MOST_LINES
    steps = [line["expansions"] for line in lines]
    assert {b - a for a, b in pairwise(steps)} == {8}


def test_only_tree_searches_have_a_trace() -> None:
    with pytest.raises(bp.InputError, match="trace: only a tree search such as guct-normal2 has one, not gbfs"):
        bp.solve(*bp.example("crates"), search="gbfs", trace=print)


def test_the_command_line_writes_a_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["solve", "--example", "museum", "--trace", "trace.jsonl", "--quiet"]) == 0
    lines = (tmp_path / "trace.jsonl").read_text(encoding="utf-8").splitlines()
    assert lines
    assert all(json.loads(line)["evaluations"] > 0 for line in lines)
    assert main(["solve", "--example", "museum", "--trace", "nowhere/trace.jsonl", "--quiet"]) == 31
