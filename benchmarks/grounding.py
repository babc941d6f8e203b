"""Grounding beside Fast Downward's translator and pymimir: CPU seconds, peak memory and the sizes of the ground tasks.

    pip install up-fast-downward pymimir     (here, or in the environment of --peers)
    python benchmarks/grounding.py --benchmarks DOWNWARD_BENCHMARKS --json grounding.json

Every grounder is a process of its own, from its start to its end, on the same files in the same run. The instances are
by default three of every domain folder: its problems are sorted by the bytes of the problem file and its domain file
(ties by natural name), and the smallest, the median and the largest are taken. An instance that a grounder does not
finish is shown as such and left out of the means, with the number of those. Runs share the machine with whatever else
it does: hence CPU seconds, and the fastest of three for runs under a second.
"""

from __future__ import annotations

import argparse
import dataclasses
import datetime
import json
import os
import platform
import re
import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from comparison import Measured, Row, header, summary, table_line
from grounders import Grounder, banditplan, peer_versions, peers
from measure import Limits, measure, measure_best

from banditplan.domain_file import find_domain
from banditplan.errors import InputError
from banditplan.version import VERSION

Instance = tuple[str, str]  # domain file and problem file


def main() -> int:
    options = parse_options()
    if options.benchmarks is None or not Path(options.benchmarks).is_dir():
        print(
            f"error: no folder of benchmarks ({options.benchmarks or 'none named'}); name a checkout of "
            "downward-benchmarks with --benchmarks or BANDITPLAN_BENCHMARKS",
            file=sys.stderr,
        )
        return 2
    limits = Limits(options.time_limit, options.memory_limit)
    grounders = [banditplan(options.banditplan), *peers(options.peers)]
    names = [grounder.name for grounder in grounders]
    rows = []
    print(header(names), flush=True)
    for instance in selection(Path(options.benchmarks).resolve(), options):
        rows.append(compare(grounders, instance, limits, options.repeat))
        print(table_line(rows[-1]), flush=True)
    lines = list(summary(rows, names, options.time_limit))
    start = cold_start(options.banditplan, Path(options.benchmarks).resolve(), limits)
    print("", *lines, "", cold_start_line(start), sep="\n")
    if options.json:
        Path(options.json).write_text(json.dumps(record(rows, lines, start, options), indent=1) + "\n")
    return 0


def parse_options() -> argparse.Namespace:
    beside = Path(sys.executable).with_name("banditplan")
    ours = str(beside) if beside.exists() else shutil.which("banditplan")
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--benchmarks", metavar="FOLDER", default=os.environ.get("BANDITPLAN_BENCHMARKS"))
    parser.add_argument(
        "--banditplan", metavar="PATH", default=ours, required=ours is None, help="the planner's command"
    )
    parser.add_argument("--peers", metavar="PYTHON", default=sys.executable, help="an interpreter that has the peers")
    parser.add_argument("--domains", metavar="A,B", help="only these folders")
    parser.add_argument("--per-domain", metavar="N", type=int, default=3, help="instances of each folder (3)")
    parser.add_argument("--all", action="store_true", help="all instances of each folder")
    parser.add_argument("--time-limit", metavar="S", type=float, default=60, help="CPU seconds for each run (60)")
    parser.add_argument("--memory-limit", metavar="MB", type=int, default=8192, help="address space of each run (8192)")
    parser.add_argument("--repeat", metavar="N", type=int, help="take the fastest of N runs (3 under a second, else 1)")
    parser.add_argument("--json", metavar="FILE", help="write everything to FILE")
    options = parser.parse_args()
    options.banditplan = os.path.abspath(options.banditplan)
    options.peers = os.path.abspath(options.peers)
    return options


def selection(benchmarks: Path, options: argparse.Namespace) -> list[Instance]:
    folders = sorted(folder for folder in benchmarks.iterdir() if folder.is_dir())
    if options.domains:
        folders = [benchmarks / name for name in options.domains.split(",")]
    chosen = []
    for folder in folders:
        found = instances(folder)
        chosen += found if options.all else spread(found, options.per_domain)
    return chosen


def instances(folder: Path) -> list[Instance]:
    """The problems of a folder with their domains, smallest first."""
    found = []
    for problem in folder.glob("*.pddl"):
        if "domain" not in problem.name:
            try:
                found.append((find_domain(str(problem)), str(problem)))
            except InputError as error:
                print(error, file=sys.stderr)
    return sorted(found, key=lambda files: (sum(map(os.path.getsize, files)), natural(files[1])))


def natural(name: str) -> list[tuple[int, str]]:
    """A key that puts p2 before p10."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name)]


def spread(found: list[Instance], number: int) -> list[Instance]:
    """So many of them at even distances, the first and the last among them."""
    if len(found) <= number:
        return found
    if number == 1:
        return [found[(len(found) - 1) // 2]]
    return [found[index * (len(found) - 1) // (number - 1)] for index in range(number)]


def compare(grounders: list[Grounder], instance: Instance, limits: Limits, repeat: int | None) -> Row:
    problem = Path(instance[1])
    by_grounder = {grounder.name: ground(grounder, instance, limits, repeat) for grounder in grounders}
    return Row(f"{problem.parent.name}/{problem.stem}", by_grounder)


def ground(grounder: Grounder, instance: Instance, limits: Limits, repeat: int | None) -> Measured:
    with tempfile.TemporaryDirectory() as folder:
        command = [*grounder.command, *instance, *grounder.options]
        run = measure_best(command, folder, limits, grounder.success, repeat)
        return Measured(run, grounder.sizes(run.output, Path(folder)) if run.status == "ok" else {})


def cold_start(executable: str, benchmarks: Path, limits: Limits, number: int = 20) -> dict[str, float] | None:
    """Median wall seconds of solving the smallest task and of an interpreter that does nothing, in turns."""
    task = [str(benchmarks / "gripper" / name) for name in ("domain.pddl", "prob01.pddl")]
    if not all(map(os.path.exists, task)):
        return None
    commands = {"solve": [executable, "solve", *task], "python": [sys.executable, "-c", "pass"]}
    walls: dict[str, list[float]] = {name: [] for name in commands}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(number):
            for name, command in commands.items():
                walls[name].append(measure(command, folder, limits).wall)
    return {name: statistics.median(values) for name, values in walls.items()}


def cold_start_line(start: dict[str, float] | None) -> str:
    if start is None:
        return "cold start: not measured, there is no gripper/prob01.pddl"
    allowed = 2 * start["python"] + 0.05
    verdict = "within" if start["solve"] <= allowed else "NOT within"
    return (
        f"cold start, median wall time of 20: solve gripper/prob01 {1000 * start['solve']:.0f} ms, python -c pass "
        f"{1000 * start['python']:.0f} ms; {verdict} twice that plus 50 ms ({1000 * allowed:.0f} ms)"
    )


def record(
    rows: list[Row], lines: list[str], start: dict[str, float] | None, options: argparse.Namespace
) -> dict[str, Any]:
    """All that was measured, and where; the output of the runs is left out."""
    instances = []
    for row in rows:
        runs = {name: dataclasses.asdict(measured) for name, measured in row.by_grounder.items()}
        for measured in runs.values():
            del measured["run"]["output"]
            measured["run"] = {key: None if value != value else value for key, value in measured["run"].items()}  # nan
        instances.append({"instance": row.instance, "grounders": runs})
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "machine": {"platform": platform.platform(), "processor": processor(), "cores": os.cpu_count()},
        "versions": {"banditplan": VERSION, "python": platform.python_version(), **peer_versions(options.peers)},
        "limits": {"cpu_seconds": options.time_limit, "address_space_mb": options.memory_limit},
        "summary": lines,
        "cold_start": start,
        "instances": instances,
    }


def processor() -> str:
    info = Path("/proc/cpuinfo")
    models = re.findall(r"^model name\s*: (.*)", info.read_text(), re.MULTILINE) if info.exists() else []
    return models[0] if models else platform.processor()


if __name__ == "__main__":
    sys.exit(main())
