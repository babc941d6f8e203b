"""What the tree costs: CPU time per evaluation of a tree search against `gbfs`, and how it grows.

    python benchmarks/tree.py DOMAIN PROBLEM DOMAIN PROBLEM …  these tasks within 10,000 evaluations, and the median
    python benchmarks/tree.py --growth                         a generated task with long plans, up to a million
    python benchmarks/tree.py --largest                        ten million nodes

Prints a line of JSON per task, search and limit. Searches take turns, and the least of the repetitions counts: other
programs only ever make a run slower. `depth` is the mean depth of the expanded leaves: selection and backpropagation
walk that far in every round, so the cost of the tree is proportional to it.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from statistics import fmean, median
from time import process_time

import banditplan as bp
from banditplan import _core
from banditplan.components.spec import parse_search

LIMIT = 10_000
SEARCHES = ("gbfs", "guct-normal2", "guct-normal2(preferred=True)")
REPETITIONS = 5
GROWTH = (1_000, 10_000, 100_000, 1_000_000)
LARGEST = 10_000_000
SIDE, SMALL_SIDE = 60, 12
VISIT_ALL = """(define (domain visit-all) (:predicates (at ?x) (next ?x ?y) (visited ?x))
  (:action move :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y))
    :effect (and (not (at ?x)) (at ?y) (visited ?y))))"""


def cost(task: _core.Task, text: str, limit: int, seed: int) -> tuple[float, int]:
    """CPU time per evaluation, and evaluations."""
    search = parse_search(text)
    begin = process_time()
    result = search.run(task, seed=seed, max_evaluations=limit)
    return (process_time() - begin) / result.evaluations, result.evaluations


def shape(task: _core.Task, text: str, limit: int) -> dict[str, object]:
    """Mean depth of the expanded leaves, and nodes."""
    texts: list[str] = []
    parse_search(text).run(task, max_evaluations=limit, trace=texts.append)
    steps = [json.loads(line) for line in texts[0].splitlines() if '"kind": "step"' in line]
    return {"depth": round(fmean(step["depth"] for step in steps), 1), "nodes": steps[-1]["nodes"]}


def measured(task: _core.Task, searches: tuple[str, ...], limit: int, repetitions: int) -> list[dict[str, object]]:
    costs: dict[str, list[tuple[float, int]]] = {text: [] for text in searches}
    for seed in range(repetitions):
        for text, found in costs.items():
            found.append(cost(task, text, limit, seed))
    rows = []
    for text, found in costs.items():
        least, evaluations = min(found)
        rows.append({"search": text, "limit": limit, "evaluations": evaluations, "us": round(least * 1e6, 3)})
        if text.startswith("guct"):
            rows[-1] |= shape(task, text, limit)
    return rows


def compare(files: list[str]) -> None:
    ratios: dict[str, list[float]] = {text: [] for text in SEARCHES[1:]}
    for domain, problem in zip(files[::2], files[1::2], strict=True):
        rows = measured(bp.load(domain, problem), SEARCHES, LIMIT, REPETITIONS)
        for row in rows:
            print(json.dumps({"task": problem, **row}), flush=True)
        for row in rows[1:]:
            ratios[str(row["search"])].append(float(str(row["us"])) / float(str(rows[0]["us"])))
    print(json.dumps({"median_ratio": {text: round(median(found), 3) for text, found in ratios.items()}}))


def visit_all(side: int, folder: Path) -> _core.Task:
    """Every field of a square is to be visited, and two more that cannot be left: a search goes on for ever."""
    fields = [(x, y) for x in range(side) for y in range(side)]
    pairs = [((x, y), (x + dx, y + dy)) for x, y in fields for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))]
    inside = set(fields)
    connected = " ".join(f"(next f{a}-{b} f{c}-{d})" for (a, b), (c, d) in pairs if (c, d) in inside)
    connected += " (next f0-0 end1) (next f0-0 end2)"
    visited = " ".join(f"(visited f{x}-{y})" for x, y in fields) + " (visited end1) (visited end2)"
    (folder / "domain.pddl").write_text(VISIT_ALL, encoding="utf-8")
    (folder / "problem.pddl").write_text(
        f"(define (problem all) (:domain visit-all) (:objects end1 end2 {' '.join(f'f{x}-{y}' for x, y in fields)})"
        f" (:init (at f0-0) (visited f0-0) {connected}) (:goal (and {visited})))",
        encoding="utf-8",
    )
    return bp.load(folder / "domain.pddl", folder / "problem.pddl")


def growth() -> None:
    with tempfile.TemporaryDirectory() as folder:
        task = visit_all(SIDE, Path(folder))
    for limit in GROWTH:
        for row in measured(task, ("gbfs(goalcount)", "guct-normal2(goalcount)"), limit, 1):
            print(json.dumps(row), flush=True)


def largest() -> None:
    with tempfile.TemporaryDirectory() as folder:
        task = visit_all(SMALL_SIDE, Path(folder))
    before = _core.peak_memory_kb()
    seconds, evaluations = cost(task, "guct-normal2(goalcount)", LARGEST, 0)
    kilobytes = _core.peak_memory_kb() - before
    print(json.dumps({"evaluations": evaluations, "us": round(seconds * 1e6, 3), "memory_kb": kilobytes}))


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if arguments == ["--growth"]:
        growth()
    elif arguments == ["--largest"]:
        largest()
    elif arguments and not arguments[0].startswith("-"):
        compare(arguments)
    else:
        sys.exit(__doc__)
