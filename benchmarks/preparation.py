"""Between grounding and the first value, on tasks with many ground actions: CPU seconds and peak memory.

    python benchmarks/preparation.py --benchmarks DOWNWARD_BENCHMARKS --json preparation.json

Every run is a process of its own; of three on an instance, the fastest counts. It parses, grounds, makes what a search
with hFF needs and evaluates the initial state; then it goes on to a thousand evaluations, by when the vector kernel is
in place. Instances of a domain come from the largest file to the smallest, until three in a row have fewer than
--actions ground actions. The goals: preparation takes at most a quarter of grounding's time, and memory grows by at
most 30 % of its peak until then.
"""

from __future__ import annotations

import argparse
import dataclasses
import datetime
import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evaluations import CHILD, GROUNDING, NAME_WIDTH
from grounding import instances, processor
from measure import measure
from own_memory import peak_memory

from banditplan.version import VERSION

FEWER_IN_A_ROW = 3
EVALUATIONS = 1000
RUNS = 3
MOST_TIME, MOST_MEMORY = 0.25, 1.3  # the goals


@dataclass(frozen=True, slots=True)
class Prepared:
    instance: str
    actions: int
    ground: float  # CPU seconds
    prepare: float  # until the first value
    ground_mb: float  # peaks
    prepare_mb: float
    search_mb: float  # after a thousand evaluations

    @property
    def time_ratio(self) -> float:
        return self.prepare / self.ground

    @property
    def memory_ratio(self) -> float:
        return self.prepare_mb / self.ground_mb

    @property
    def is_good(self) -> bool:
        return self.time_ratio <= MOST_TIME and self.memory_ratio <= MOST_MEMORY


def main() -> int:
    options = parse_options()
    if options.benchmarks is None or not Path(options.benchmarks).is_dir():
        print("error: name a checkout of downward-benchmarks with --benchmarks", file=sys.stderr)
        return 2
    print(header(), flush=True)
    found = []
    for each in large_instances(Path(options.benchmarks).resolve(), options):
        found.append(each)
        print(table_line(each), flush=True)
    missed = [each.instance for each in found if not each.is_good]
    print(f"\n{len(found)} instances with {options.actions} actions and more; goals missed on {len(missed)}", *missed)
    if options.json:
        record = {
            "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
            "machine": {"platform": platform.platform(), "processor": processor(), "cores": os.cpu_count()},
            "versions": {"banditplan": VERSION, "python": platform.python_version()},
            "instances": [dataclasses.asdict(each) for each in found],
        }
        Path(options.json).write_text(json.dumps(record, indent=1) + "\n")
    return 0


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--benchmarks", metavar="FOLDER", default=os.environ.get("BANDITPLAN_BENCHMARKS"))
    parser.add_argument("--domains", metavar="A,B", help="only these folders")
    parser.add_argument("--actions", metavar="N", type=int, default=100_000, help="ground actions at least (100000)")
    parser.add_argument("--json", metavar="FILE", help="write everything to FILE")
    return parser.parse_args()


def large_instances(benchmarks: Path, options: argparse.Namespace) -> Iterator[Prepared]:
    names = options.domains.split(",") if options.domains else sorted(each.name for each in benchmarks.iterdir())
    for folder in (benchmarks / name for name in names if (benchmarks / name).is_dir()):
        fewer = 0
        for files in reversed(instances(folder)):
            name = f"{folder.name}/{Path(files[1]).stem}"
            prepared = prepare(name, files)
            if prepared is not None and prepared.actions >= options.actions:
                fewer = 0
                yield prepared
            elif (fewer := fewer + 1) == FEWER_IN_A_ROW:
                break


def prepare(name: str, files: tuple[str, str]) -> Prepared | None:
    """None: it is not ground within the limits."""
    found = []
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as folder:
            run = measure([sys.executable, os.path.abspath(__file__), CHILD, *files], folder, GROUNDING)
        if run.status != "ok":
            print(f"{name:{NAME_WIDTH}} {run.status} {run.error[:100]}", file=sys.stderr, flush=True)
            return None
        found.append(Prepared(name, **json.loads(run.output)))
    return min(found, key=lambda each: each.ground + each.prepare)


def child(files: list[str]) -> None:
    """Grounds and searches, and prints what that took."""
    from banditplan.components.spec import parse_search
    from banditplan.grounding import ground
    from banditplan.journal import Journal
    from banditplan.normalize.normalize import normalize
    from banditplan.settings import settings
    from banditplan.split.split import split
    from banditplan.task_input import from_pddl

    limits = Journal(settings()).limits
    parts = split(normalize(from_pddl(*files).parse(limits.check), limits.check), "auto")
    begin = time.process_time()
    task = ground(parts.task, limits, prune_mutex=True)
    ground_seconds, ground_mb = time.process_time() - begin, peak_memory() / 2**20
    search = parse_search("gbfs")
    begin = time.process_time()
    search.run(task, max_expansions=0)
    prepare_seconds, prepare_mb = time.process_time() - begin, peak_memory() / 2**20
    search.run(task, max_evaluations=EVALUATIONS)
    numbers = {
        "actions": task.sizes["actions"],
        "ground": ground_seconds,
        "prepare": prepare_seconds,
        "ground_mb": ground_mb,
        "prepare_mb": prepare_mb,
        "search_mb": peak_memory() / 2**20,
    }
    print(json.dumps(numbers))


def header() -> str:
    columns = ("actions", "ground s", "prepare s", "ratio", "ground MB", "first MB", "ratio", "search MB")
    return f"{'instance':{NAME_WIDTH}} " + " ".join(f"{column:>9}" for column in columns)


def table_line(each: Prepared) -> str:
    return (
        f"{each.instance:{NAME_WIDTH}.{NAME_WIDTH}} {each.actions:9} {each.ground:9.2f} {each.prepare:9.2f} "
        f"{each.time_ratio:9.2f} {each.ground_mb:9.0f} {each.prepare_mb:9.0f} {each.memory_ratio:9.2f} "
        f"{each.search_mb:9.0f}{'' if each.is_good else '  missed'}"
    )


if __name__ == "__main__":
    if sys.argv[1:2] == [CHILD]:
        child(sys.argv[2:])
    else:
        sys.exit(main())
