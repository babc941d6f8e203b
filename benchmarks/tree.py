"""What the tree costs: CPU time per evaluation of a tree search against `gbfs`, and how it grows with the depth.

    python benchmarks/tree.py                                  bundled examples and generated corridors
    python benchmarks/tree.py DOMAIN PROBLEM DOMAIN PROBLEM …  these tasks

Prints a line of JSON per task, search and limit. `depth` is the mean depth of the expanded leaves: selection and
backpropagation walk that far in every round, so the cost of the tree is proportional to it.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import process_time

import banditplan as bp
from banditplan import _core
from banditplan.spec import parse_search

SEARCHES = ("gbfs", "guct-normal2", "guct*-normal2")
REPETITIONS = 5
CORRIDORS = (100, 300, 1000, 3000, 10000)
CORRIDOR = """(define (domain corridor) (:predicates (at ?x) (next ?x ?y) (lamp ?x))
  (:action go :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y)) :effect (and (not (at ?x)) (at ?y)))
  (:action light :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y)) :effect (lamp ?x)))"""


def measured(task: _core.Task, text: str, limit: int) -> dict[str, object]:
    """The median of some runs with different seeds; a search that ends early is repeated with another seed."""
    search = parse_search(text)
    costs = []
    for seed in range(REPETITIONS):
        begin = process_time()
        result = search.run(task, seed=seed, max_evaluations=limit)
        costs.append((process_time() - begin) / max(1, result.evaluations))
    row: dict[str, object] = {"search": text, "limit": limit, "evaluations": result.evaluations}
    row["microseconds_per_evaluation"] = round(median(costs) * 1e6, 3)
    if isinstance(search, _core.Guct):
        grown = _core.grow(search, task, max_evaluations=limit)
        nodes = grown.nodes
        row["depth"] = round(sum(nodes[leaf]["g"] for leaf in grown.visits) / max(1, len(grown.visits)), 1)
        row["nodes"] = len(nodes)
    return row


def corridor(length: int, folder: Path) -> _core.Task:
    """A plan of `length` steps, and a tree as deep."""
    chain = " ".join(f"(next r{i} r{i + 1})" for i in range(length))
    rooms = " ".join(f"r{i}" for i in range(length + 1))
    (folder / "domain.pddl").write_text(CORRIDOR, encoding="utf-8")
    (folder / "problem.pddl").write_text(
        f"(define (problem corridor-1) (:domain corridor) (:objects {rooms}) (:init (at r0) {chain})"
        f" (:goal (at r{length})))",
        encoding="utf-8",
    )
    return bp.load(folder / "domain.pddl", folder / "problem.pddl")


def main(files: list[str]) -> None:
    tasks = {problem: bp.load(domain, problem) for domain, problem in zip(files[::2], files[1::2], strict=True)}
    if not files:
        tasks = {name: bp.load(*bp.example(name)) for name in ("crates", "museum", "warehouse")}
    for name, task in tasks.items():
        for text in SEARCHES:
            print(json.dumps({"task": name, **measured(task, text, 10_000)}), flush=True)
    if not files:
        with tempfile.TemporaryDirectory() as folder:
            for length in CORRIDORS:
                task = corridor(length, Path(folder))
                for text in ("gbfs(goalcount)", "guct-normal2(goalcount)"):
                    print(json.dumps({"task": f"corridor {length}", **measured(task, text, 1_000_000)}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
