"""What the tree costs: CPU time per evaluation of a tree search against `gbfs`, and how it grows.

    python benchmarks/tree.py DOMAIN PROBLEM DOMAIN PROBLEM …  these tasks within 10,000 evaluations, and the median
    python benchmarks/tree.py --growth [FILE]                  deep tasks, from a thousand to ten million evaluations

Prints a line of JSON per task, search and limit; with --growth, what is in FILE is not measured again, and the ratios
follow as a table. Searches take turns, and the least of the repetitions counts: other programs only ever make a run
slower. `depth` is the mean depth of the expanded leaves: selection and backpropagation of a plain tree walk that far in
every round. The deep tasks are generated; termes is added if BANDITPLAN_BENCHMARKS leads to it. A run is a process of
its own; the last column has the bytes that the tree takes beyond what `gbfs` takes, per evaluation.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import product
from pathlib import Path
from statistics import fmean, median
from time import process_time

from deep_tasks import DEEP_TASKS

import banditplan as bp
from banditplan import _core
from banditplan.components.spec import parse_search

LIMIT = 10_000
SEARCHES = ("gbfs", "guct-normal2", "guct-normal2(preferred=True)")
REPETITIONS = 5
GROWTH = tuple(10**exponent for exponent in range(3, 8))
TREE = "best_first(tree(ff, bandit=normal2, bilevel=True))"
TERMES = ("termes-sat18-strips/domain.pddl", "termes-sat18-strips/p10.pddl")


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


def deep_tasks() -> list[str]:
    folder = os.environ.get("BANDITPLAN_BENCHMARKS")
    if folder and Path(folder, TERMES[1]).exists():
        return [*DEEP_TASKS, "termes"]
    print("termes is left out: BANDITPLAN_BENCHMARKS does not lead to it", file=sys.stderr)
    return list(DEEP_TASKS)


def grow(name: str, text: str, limit: int) -> None:
    """One run; a line of JSON."""
    files = [Path(os.environ.get("BANDITPLAN_BENCHMARKS", ""), file) for file in TERMES]
    task = DEEP_TASKS[name]() if name in DEEP_TASKS else bp.load(*files)
    seconds, evaluations = cost(task, text, limit, 0)
    row = {"task": name, "search": text, "limit": limit, "evaluations": evaluations, "us": round(seconds * 1e6, 3)}
    print(json.dumps({**row, "memory_kb": _core.peak_memory_kb()}))


def growth(file: str | None) -> None:
    rows: dict[tuple[str, str, int], dict[str, float]] = {}
    if file and Path(file).exists():
        for row in map(json.loads, Path(file).read_text().splitlines()):
            rows[row["task"], row["search"], row["limit"]] = row
    for name, limit, text in product(deep_tasks(), GROWTH, ("gbfs", TREE)):
        if (name, text, limit) in rows:
            continue
        command = [sys.executable, __file__, "--grow", name, text, str(limit)]
        line = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
        print(line, flush=True)
        rows[name, text, limit] = json.loads(line)
        if file:
            with open(file, "a") as out:
                print(line, file=out)
    for name, limit in product(deep_tasks(), GROWTH):
        plain, tree = rows[name, "gbfs", limit], rows[name, TREE, limit]
        extra = 1024 * (tree["memory_kb"] - plain["memory_kb"]) / tree["evaluations"]
        print(f"| {name} | {limit:,} | {plain['us']:.2f} | {tree['us'] / plain['us']:.2f} | {extra:.0f} |")


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if arguments[:1] == ["--growth"] and len(arguments) <= 2:
        growth(*arguments[1:] or [None])
    elif arguments[:1] == ["--grow"] and len(arguments) == 4:
        grow(arguments[1], arguments[2], int(arguments[3]))
    elif arguments and not arguments[0].startswith("-"):
        compare(arguments)
    else:
        sys.exit(__doc__)
