"""The record of a run: its keys, their types, and what it says for each way in which a run can end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from puzzles import endless_grounding, endless_search, sliding, write

import banditplan as bp
from banditplan import examples
from banditplan.cli import EXIT_CODES
from banditplan.version import VERSION

NoneType = type(None)
KEYS: dict[str, tuple[type, ...]] = {
    "status": (str,),
    "end": (str,),
    "plans": (int,),
    "plan": (list, NoneType),
    "plan_length": (int, NoneType),
    "plan_cost": (int, NoneType),
    "found_length": (int, NoneType),
    "found_cost": (int, NoneType),
    "valid": (bool, NoneType),
    "evaluations": (int,),
    "inserted": (int,),
    "expansions": (int,),
    "generated": (int,),
    "dead_ends": (int,),
    "seconds": (dict,),
    "peak_memory_kb": (int,),
    "task": (dict, NoneType),
    "split": (list, NoneType),
    "search": (str,),
    "seed": (int,),
    "domain": (str,),
    "problem": (str,),
    "version": (str,),
    "initial_h": (int, NoneType),
    "best_h": (int, NoneType),
    "limits": (dict,),
    "reasons": (list,),
    "warnings": (list,),
    "imports": (dict,),
    "race": (list, NoneType),
    "others": (list,),
}
SECONDS = ("parse", "normalize", "ground", "prepare", "search", "shorten", "validate", "total")
SIZES = ("variables", "facts", "actions", "axioms", "bytes_per_state")


LIMITS = ("time_limit", "memory_limit_kb", "max_evaluations", "max_expansions")


def check(result: bp.Result) -> dict[str, object]:
    """The record, after all that is true of every record was checked."""
    record: dict[str, object] = {**result.to_dict()}
    assert list(record) == list(KEYS)
    for key, value in record.items():
        assert type(value) in KEYS[key], key
    assert json.loads(json.dumps(record, allow_nan=False)) == record
    assert record["status"] == record["end"] in EXIT_CODES
    assert record["plans"] == (1 if result.solved else 0)
    seconds = result.seconds
    assert tuple(seconds) == SECONDS
    assert all(isinstance(value, float) and value >= 0 for value in seconds.values())
    if result.task is not None:
        assert tuple(result.task) == SIZES
        assert all(type(value) is int and value >= 0 for value in result.task.values())
    assert tuple(result.limits) == LIMITS
    assert result.version == VERSION
    assert result.peak_memory_kb > 1000
    assert (result.status == "solved") == (result.plan is not None) == (result.plan_cost is not None)
    if result.plan_length is not None and result.plan_cost is not None:
        assert (result.plan_cost, result.plan_length) <= (result.found_cost, result.found_length)
    else:
        assert (result.found_cost, result.found_length) == (None, None)
    if result.initial_h is not None:
        assert result.best_h is not None
        assert result.best_h <= result.initial_h
    return record


@pytest.mark.parametrize("name", examples.names())
def test_the_record_of_a_search_that_ends(name: str) -> None:
    result = bp.solve(*bp.example(name), seed=5)
    record = check(result)
    assert (record["domain"], record["problem"]) == bp.example(name)
    assert record["seed"] == 5
    assert result.task is not None
    stages = result.seconds
    assert sum(value for stage, value in stages.items() if stage != "total") <= stages["total"] + 1e-4
    if result.plan is not None:
        assert record["plan"] == [str(step) for step in result.plan]
        assert record["plan_length"] == len(result.plan)
        assert result.generated >= result.expansions > 0
        assert result.evaluations > 0


@pytest.mark.parametrize(
    ("texts", "limit", "status", "ground"),
    [
        (endless_search, {"max_evaluations": 50}, "evaluation-limit", True),
        (endless_search, {"max_expansions": 50}, "expansion-limit", True),
        (endless_search, {"time_limit": 0.3}, "time-limit", True),
        (endless_search, {"memory_limit": 1}, "memory-limit", False),
        (endless_grounding, {"time_limit": 0.1}, "time-limit", False),
        (lambda: sliding(2, 3), {}, "unsolvable", True),
    ],
)
def test_the_record_of_a_run_without_a_plan(
    texts: object, limit: dict[str, int], status: str, ground: bool, tmp_path: Path
) -> None:
    assert callable(texts)
    result = bp.solve(*write(tmp_path, texts()), **limit)
    record = check(result)
    assert result.status == status
    kilobytes = limit["memory_limit"] // 1024 if "memory_limit" in limit else None
    given = {**dict.fromkeys(LIMITS), **limit, "memory_limit_kb": kilobytes}
    assert record["limits"] == {name: given[name] for name in LIMITS}
    assert (result.task is not None) == ground
    assert (result.best_h is not None) == ground
    assert result.valid is None


def test_the_record_of_a_plan_that_was_not_validated() -> None:
    record = check(bp.solve(*bp.example("crates"), validate=False))
    assert record["valid"] is None
    assert record["plan_cost"] == check(bp.solve(*bp.example("crates")))["plan_cost"]


def test_the_same_run_has_the_same_record() -> None:
    first, second = (check(bp.solve(*bp.example("banquet"), seed=11)) for _ in range(2))
    for key in KEYS:
        if key not in ("seconds", "peak_memory_kb"):
            assert first[key] == second[key]


def test_the_search_of_a_record_can_be_run_again() -> None:
    first = bp.solve(*bp.example("courier"))
    again = bp.solve(first.domain, first.problem, search=first.search, seed=first.seed)
    assert again.plan == first.plan
    assert again.evaluations == first.evaluations
