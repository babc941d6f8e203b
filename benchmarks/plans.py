"""Plans beside those of Fast Downward's lama-first: as the search finds them, and after each step of shortening.

    BANDITPLAN_BENCHMARKS=downward-benchmarks nice python benchmarks/plans.py --peers PYTHON --out plans.jsonl

PYTHON is an interpreter that has the wheel up-fast-downward. Of every domain the smallest instance and the one in the
middle are solved by both planners; lama-first is not asked where we find no plan. The plans go to the file
and are not looked for again: the steps of shortening, which are cheap, begin anew with every call, with the least work
that `solve` allows for them. Columns: length/cost as found, without redundant steps, with better windows, lama-first.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from comparison import geometric_mean
from downward import Downward, lama_first
from measure import Limits, Run, measure

import banditplan as bp
from banditplan import _core
from banditplan.domain_file import find_domain
from banditplan.limits import LimitReached
from banditplan.pipeline import LEAST_WORK

OURS, THEIRS = "banditplan", "lama-first"
STEPS = ("as found", "redundant steps gone", "better windows")
MEGABYTES = 4000


@dataclass(frozen=True, slots=True)
class Found:
    """What a planner found for an instance within its limits."""

    instance: str
    planner: str
    status: str
    seconds: float  # of CPU, from text to plan
    plan: list[str]
    cost: int


@dataclass(frozen=True, slots=True)
class Size:
    length: int
    cost: int


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--benchmarks", default=os.environ.get("BANDITPLAN_BENCHMARKS"))
    parser.add_argument("--peers", default=sys.executable, help="an interpreter that has up-fast-downward")
    parser.add_argument("--seconds", type=float, default=20, help="of CPU, for each plan")
    parser.add_argument("--out", type=Path, required=True, help="where the plans are, and go to")
    options = parser.parse_args()
    if not options.benchmarks:
        parser.error("name a checkout of downward-benchmarks with --benchmarks or BANDITPLAN_BENCHMARKS")
    instances = {place: chosen(Path(options.benchmarks), place) for place in ("smallest", "middle")}
    known = read(options.out)
    with tempfile.TemporaryDirectory() as folder:
        peer = Downward.find(options.peers, folder)
        limits = Limits(options.seconds, MEGABYTES)
        for path in [path for paths in instances.values() for path in paths]:
            for planner in (OURS, THEIRS):
                if (name(path), planner) in known:
                    continue
                if planner == THEIRS and known[name(path), OURS].status != "solved":
                    continue
                found = ours(path, limits) if planner == OURS else theirs(path, peer, limits)
                known[name(path), planner] = found
                with options.out.open("a") as file:
                    file.write(json.dumps(asdict(found)) + "\n")
    for place, paths in instances.items():
        print(f"{place} instance of each domain")
        table(paths, known)
    return 0


def chosen(folder: Path, place: str) -> list[Path]:
    """The smallest problem of every domain, by the size of its file, or the one in the middle."""
    paths = []
    for domain in sorted(each for each in folder.iterdir() if each.is_dir()):
        files = [path for path in domain.glob("*.pddl") if "domain" not in path.name]
        files.sort(key=lambda path: (path.stat().st_size, path.name))
        if files:
            paths.append(files[0 if place == "smallest" else len(files) // 2])
    return paths


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def read(path: Path) -> dict[tuple[str, str], Found]:
    lines = path.read_text().splitlines() if path.exists() else []
    return {(found.instance, found.planner): found for found in (Found(**json.loads(line)) for line in lines)}


# ---- plans


def ours(path: Path, limits: Limits) -> Found:
    """The plan as the search finds it."""
    options = ["--no-shorten", "--quiet", "--plan-file", "sas_plan"]
    solve = shlex.join([sys.executable, "-m", "banditplan", "solve", find_domain(str(path)), str(path), *options])
    package = shlex.quote(str(Path(bp.__file__).parents[1]))
    with tempfile.TemporaryDirectory() as folder:
        run = measure(["/bin/sh", "-c", f"PYTHONPATH={package} exec {solve}"], folder, limits)
        return found(path, OURS, run, folder)


def theirs(path: Path, peer: Downward, limits: Limits) -> Found:
    with tempfile.TemporaryDirectory() as folder:
        command = [*peer.solve(lama_first()), find_domain(str(path)), str(path)]
        return found(path, THEIRS, measure(command, folder, limits), folder)


def found(path: Path, planner: str, run: Run, folder: str) -> Found:
    file = Path(folder, "sas_plan")
    text = file.read_text() if run.status == "ok" and file.exists() else ""
    steps = [line for line in text.splitlines() if line.startswith("(")]
    cost = re.search(r"^; cost = (\d+)", text, re.MULTILINE)
    status = "solved" if cost else "no plan" if run.status == "ok" else run.status
    print(f"{name(path)} {planner}: {status} {len(steps)} {run.seconds:.1f} s {run.error}", file=sys.stderr)
    return Found(name(path), planner, status, run.seconds, steps, int(cost[1]) if cost else 0)


# ---- what becomes of them


def table(paths: list[Path], known: dict[tuple[str, str], Found]) -> None:
    """Lengths and costs, and their geometric means beside those of lama-first."""
    solved = []
    for path in paths:
        if row := sizes(path, known):
            solved.append(row)
            print(f"{name(path):50}", *(f"{size.length}/{size.cost}".rjust(12) for size in row.values()))
    for step in STEPS:
        lengths = [row[step].length / row[THEIRS].length for row in solved if row[THEIRS].length]
        costs = [row[step].cost / row[THEIRS].cost for row in solved if row[THEIRS].cost]
        means = f"length {geometric_mean(lengths):.3f}, cost {geometric_mean(costs):.3f}" if lengths and costs else "–"
        print(f"{step}: {means} of {THEIRS}, {len(solved)} instances")


def sizes(path: Path, known: dict[tuple[str, str], Found]) -> dict[str, Size]:
    """Per step, and of lama-first; empty unless both planners found a plan."""
    both = [known.get((name(path), planner)) for planner in (OURS, THEIRS)]
    if any(found is None or found.status != "solved" for found in both):
        return {}
    ours, theirs = (found for found in both if found is not None)
    try:
        task = bp.load(find_domain(str(path)), str(path), time_limit="1m")
    except LimitReached:  # a task that is solved because its actions are split
        return {}
    ids = {f"({' '.join((action.name, *action.arguments))})": action.id for action in task.actions}
    plan = [ids[step] for step in ours.plan]
    shorter = _core.shorten(task, plan, LEAST_WORK)
    plans = (plan, _core.eliminate(task, plan), shorter)
    found = {
        step: Size(len(each), sum(task.action(action).cost for action in each))
        for step, each in zip(STEPS, plans, strict=True)
    }
    return {**found, THEIRS: Size(len(theirs.plan), theirs.cost)}


if __name__ == "__main__":
    raise SystemExit(main())
