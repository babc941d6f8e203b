"""A search with hFF beside Fast Downward: evaluations per CPU second and bytes per evaluated state.

    pip install up-fast-downward     (here, or in the environment of --peers)
    python benchmarks/evaluations.py --benchmarks DOWNWARD_BENCHMARKS --json evaluations.json

The search is greedy best-first search, or what --search names. Beside `wastar` Fast Downward runs WA*, beside
`gbfs(landmarks)` greedy search with the landmark sum, beside `lama-first` its own, and beside all others greedy search
with hFF. Both planners search with unit costs, one process each, on the same instances in the same run, for some
seconds; only the search counts, not parsing, grounding and the preparation of heuristics: of ours, what a search of
one evaluation takes is subtracted. The memory of a search is its peak less what the process had with the heuristic in
place. Runs share the machine with whatever else it does: hence CPU seconds. Every kernel of --kernels is measured
beside the others.

Searches run without a limit of CPU time from the operating system: Linux reads the CPU clock of a process that has one
in steps of a timer tick (4 ms), which is as long as some searches take. Both planners end by themselves.
"""

from __future__ import annotations

import argparse
import dataclasses
import datetime
import json
import math
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import downward
from axiom_tasks import TASKS
from comparison import geometric_mean
from downward import Downward
from grounders import peer_versions
from grounding import processor
from measure import Limits, clean_environment, measure
from own_memory import peak_memory, reset_peak_memory

from banditplan.domain_file import find_domain
from banditplan.version import VERSION

# From small to large; most of them keep greedy search busy.
INSTANCES = [
    "gripper/prob20",
    "blocks/probBLOCKS-14-1",
    "psr-small/p49-s105-n6-l2-f30",
    "grid/prob05",
    "driverlog/p18",
    "driverlog/p20",
    "depot/p12",
    "depot/p22",
    "zenotravel/p20",
    "barman-opt14-strips/p435-1",
    "barman-opt14-strips/p839-1",
    "visitall-opt14-strips/p-1-12",
    "visitall-opt14-strips/p-1-18",
    "freecell/p05",
    "freecell/p20",
    "tpp/p15",
    "tpp/p30",
    "rovers/p15",
    "rovers/p40",
    "logistics98/prob10",
    "logistics98/prob28",
    "openstacks-strips/p10",
    "openstacks-strips/p26",
    "pipesworld-notankage/p30-net3-b20-g8",
    "pipesworld-notankage/p50-net5-b30-g8",
    "pipesworld-tankage/p20-net2-b18-g8-t90",
    "pipesworld-tankage/p30-net3-b20-g8-t70",
    "airport/p20-airport3-p7",
    "airport/p35-airport4halfMUC-p12",
    "trucks-strips/p15",
    "termes-sat18-strips/p01",
    "termes-sat18-strips/p15",
    "snake-sat18-strips/p05",
    "snake-sat18-strips/p15",
    "spider-sat18-strips/p05",
    "data-network-sat18-strips/p05",
    "data-network-sat18-strips/p15",
    "organic-synthesis-split-sat18-strips/p06",
    "organic-synthesis-split-sat18-strips/p10",
    "agricola-sat18-strips/p10",
    "caldera-split-sat18-adl/p10",
]

# With derived predicates; those that are made here follow.
AXIOM_INSTANCES = [
    "psr-middle/p20-s69-n5-l3-f30",
    "psr-middle/p23-s76-n5-l5-f10",
    "psr-middle/p25-s81-n6-l2-f30",
    "psr-middle/p29-s89-n6-l4-f30",
    "psr-middle/p32-s93-n6-l5-f30",
    "psr-middle/p36-s106-n7-l4-f50",
    "psr-middle/p37-s108-n7-l5-f10",
    "psr-middle/p42-s120-n8-l4-f10",
    "psr-middle/p47-s139-n9-l4-f70",
    "psr-middle/p49-s149-n10-l3-f30",
    *TASKS,
]

FAST_DOWNWARD = "fast-downward"
KERNELS = ("auto", "scalar", "plain", "avx2", "avx512")
VARIABLE = "BANDITPLAN_KERNEL"
CHILD = "--child"
GROUNDING = Limits(cpu_seconds=60, megabytes=8192)
LEAST_SECONDS = 0.5  # a search that ends earlier is run again
MOST_RUNS = 30
ENOUGH_STATES = 30_000  # with fewer, memory that was freed before the search hides what the search takes
NAME_WIDTH = 45


@dataclass(frozen=True, slots=True)
class Searched:
    """What a planner did with an instance."""

    error: str = ""  # why there are no numbers
    evaluations: int = 0  # in all runs
    seconds: float = math.nan
    runs: int = 0
    bytes_per_state: float = math.nan

    @property
    def speed(self) -> float:
        return self.evaluations / self.seconds if self.seconds > 0 else math.nan


@dataclass(frozen=True, slots=True)
class Row:
    instance: str
    by_name: dict[str, Searched]  # Fast Downward, and each kernel

    def speed_ratio(self, kernel: str) -> float:
        return self.by_name[kernel].speed / self.by_name[FAST_DOWNWARD].speed

    def memory_ratio(self, kernel: str) -> float:
        return self.by_name[kernel].bytes_per_state / self.by_name[FAST_DOWNWARD].bytes_per_state


def main() -> int:
    options = parse_options()
    if options.benchmarks is None or not Path(options.benchmarks).is_dir():
        print(
            f"error: no folder of benchmarks ({options.benchmarks or 'none named'}); name a checkout of "
            "downward-benchmarks with --benchmarks or BANDITPLAN_BENCHMARKS",
            file=sys.stderr,
        )
        return 2
    kernels = usable_kernels(options.kernels.split(","))
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        peer = Downward.find(options.peers, folder)
        print(header(kernels), flush=True)
        for name in options.instances.split(",") if options.instances else [*INSTANCES, *AXIOM_INSTANCES]:
            files = task_files(name, options.benchmarks, folder)
            theirs = downward_search(options.search, options.seconds)
            by_name = {FAST_DOWNWARD: search_with_downward(peer, files, theirs, options.seconds)}
            by_name |= {
                kernel: search_with_banditplan(kernel, options.search, files, options.seconds) for kernel in kernels
            }
            rows.append(Row(name, by_name))
            print(table_line(rows[-1], kernels), flush=True)
    lines = list(summary(rows, kernels))
    print("", *lines, sep="\n")
    if options.json:
        Path(options.json).write_text(json.dumps(record(rows, lines, options), indent=1) + "\n")
    return 0


def task_files(name: str, benchmarks: str, folder: str) -> list[str]:
    """Domain and problem of an instance; one that is made here is written to the folder."""
    if name not in TASKS:
        problem = Path(benchmarks).resolve() / f"{name}.pddl"
        return [find_domain(str(problem)), str(problem)]
    files = [Path(folder, f"{name.replace('/', '-')}-{part}.pddl") for part in ("domain", "problem")]
    for file, text in zip(files, TASKS[name], strict=True):
        file.write_text(text)
    return [str(file) for file in files]


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--benchmarks", metavar="FOLDER", default=os.environ.get("BANDITPLAN_BENCHMARKS"))
    parser.add_argument("--peers", metavar="PYTHON", default=sys.executable, help="an interpreter that has the peer")
    parser.add_argument("--search", metavar="TEXT", default="gbfs", help="such as softmin-type (gbfs)")
    parser.add_argument("--kernels", metavar="A,B", default=",".join(KERNELS), help=f"of {', '.join(KERNELS)} (all)")
    parser.add_argument("--instances", metavar="A,B", help="only these, such as gripper/prob20")
    parser.add_argument("--seconds", metavar="S", type=float, default=5, help="of each search (5)")
    parser.add_argument("--json", metavar="FILE", help="write everything to FILE")
    options = parser.parse_args()
    options.peers = os.path.abspath(options.peers)
    return options


def run_freely(command: list[str], folder: str, seconds: float, success: Collection[int] = (0,)) -> tuple[str, str]:
    """The output of a command that ends by itself, and what went wrong, if anything did."""
    try:
        run = subprocess.run(
            command,
            cwd=folder,
            env=clean_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=GROUNDING.cpu_seconds + 5 * seconds,
        )
    except subprocess.TimeoutExpired:
        return "", "takes too long"
    if run.returncode in success:
        return run.stdout, ""
    return "", run.stderr.strip().split("\n")[-1] or f"exit code {run.returncode}"


# ---- Fast Downward


def downward_search(search: str, seconds: float) -> str:
    from banditplan._core import WAStar
    from banditplan.components.spec import parse_search

    ours = parse_search(search)
    limits = f"cost_type=one,max_time={seconds:g}"
    if ours == parse_search("lama-first"):
        return downward.lama_first(limits)
    if ours == parse_search("gbfs(landmarks)"):
        return f"eager_greedy([{downward.LANDMARK_SUM}],{limits})"
    if isinstance(ours, WAStar):
        return f"eager_wastar([{downward.HFF}],w={ours.weight:.0f},{limits})"
    return f"eager_greedy([{downward.HFF}],{limits})"


def search_with_downward(peer: Downward, files: list[str], search: str, seconds: float) -> Searched:
    with tempfile.TemporaryDirectory() as folder:
        translated = measure(peer.translate(files), folder, GROUNDING)
        if translated.status != "ok":
            return Searched(f"translator: {translated.status} {translated.error}")
        outputs: list[str] = []
        while not is_enough(times := [downward.seconds(output) for output in outputs]):
            output, error = run_freely(peer.search(search), folder, seconds, downward.ENDED)
            if downward.evaluations(output) == 0:
                return Searched(error or "evaluated nothing")
            outputs.append(output)
    evaluations = [downward.evaluations(output) for output in outputs]
    return Searched("", sum(evaluations), sum(times), len(times), downward.memory(outputs[0]) / evaluations[0])


def is_enough(seconds: list[float]) -> bool:
    return len(seconds) == MOST_RUNS or sum(seconds) >= LEAST_SECONDS


# ---- banditplan


def usable_kernels(names: list[str]) -> list[str]:
    """Those that this machine can run."""
    import banditplan as bp
    from banditplan.errors import InputError

    task = bp.load(*bp.example("crates"))
    usable = []
    for name in names:
        try:
            choose_kernel(name)
            bp.Ff().bind(task)
            usable.append(name)
        except InputError as error:
            print(error, file=sys.stderr)
    choose_kernel("auto")
    return usable


def choose_kernel(name: str) -> None:
    os.environ.pop(VARIABLE, None)
    if name != "auto":
        os.environ[VARIABLE] = name


def search_with_banditplan(kernel: str, search: str, files: list[str], seconds: float) -> Searched:
    command = [sys.executable, os.path.abspath(__file__), CHILD, kernel, search, str(seconds), *files]
    with tempfile.TemporaryDirectory() as folder:
        output, error = run_freely(command, folder, seconds)
    return Searched(error) if error else Searched(**json.loads(output))


def child(kernel: str, text: str, seconds: float, files: list[str]) -> None:
    """Searches in a process of its own, and prints what it did."""
    import banditplan as bp
    from banditplan.components.spec import parse_search

    choose_kernel(kernel)
    task = bp.load(*files)
    search = parse_search(text)
    reset_peak_memory()
    preparation = min(cpu_seconds(lambda: search.run(task, max_evaluations=1)) for _ in range(2))
    before = peak_memory()
    reset_peak_memory()
    evaluations, times, used = 0, [], math.nan
    while not is_enough(times):
        begin = time.process_time()
        result = search.run(task, deadline=time.monotonic() + seconds)
        times.append(time.process_time() - begin - preparation)
        evaluations += result.evaluations
        if len(times) == 1:
            used = (peak_memory() - before) / max(result.evaluations, 1)
    print(json.dumps(dataclasses.asdict(Searched("", evaluations, sum(times), len(times), used))))


def cpu_seconds(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


# ---- the table


def header(kernels: list[str]) -> str:
    columns = [f"{'instance':{NAME_WIDTH}} {'FD eval/s':>9}"]
    columns += [f"{kernel:>9}" for kernel in kernels]
    columns += [f"{kernel + ' ×':>9}" for kernel in kernels]
    return " ".join([*columns, f"{'FD B':>6} {'ours B':>6} {'ratio':>6}"])


def table_line(row: Row, kernels: list[str]) -> str:
    theirs = row.by_name[FAST_DOWNWARD]
    ours = row.by_name[kernels[0]]
    columns = [f"{row.instance:{NAME_WIDTH}.{NAME_WIDTH}} {theirs.speed:9.0f}"]
    columns += [f"{row.by_name[kernel].speed:9.0f}" for kernel in kernels]
    columns += [f"{row.speed_ratio(kernel):9.2f}" for kernel in kernels]
    if is_telling(row, kernels[0]):
        columns.append(f"{theirs.bytes_per_state:6.0f} {ours.bytes_per_state:6.0f} {row.memory_ratio(kernels[0]):6.2f}")
    errors = [f"{name}: {searched.error[:100]}" for name, searched in row.by_name.items() if searched.error]
    return " ".join([*columns, *errors]).replace("nan", "  –")


def is_telling(row: Row, kernel: str) -> bool:
    """Whether both have seen enough states for their memory to be compared."""
    both = [row.by_name[name] for name in (FAST_DOWNWARD, kernel)]
    return all(
        not each.error and each.evaluations >= ENOUGH_STATES * each.runs and each.bytes_per_state > 0 for each in both
    )


def summary(rows: list[Row], kernels: list[str]) -> Iterator[str]:
    yield f"evaluations per CPU second, banditplan / {FAST_DOWNWARD}:"
    for kernel in kernels:
        both = [row for row in rows if row.speed_ratio(kernel) > 0]
        if both:
            least = min(both, key=lambda row: row.speed_ratio(kernel))
            most = max(both, key=lambda row: row.speed_ratio(kernel))
            yield (
                f"  {kernel:7} geometric mean {geometric_mean([row.speed_ratio(kernel) for row in both]):5.2f} over "
                f"{len(both)} of {len(rows)} instances; from {least.speed_ratio(kernel):.2f} ({least.instance}) "
                f"to {most.speed_ratio(kernel):.2f} ({most.instance})"
            )
    yield f"bytes per evaluated state, banditplan / {FAST_DOWNWARD} (below 1 is less):"
    for kernel in kernels:
        both = [row for row in rows if is_telling(row, kernel)]
        if both:
            most = max(both, key=lambda row: row.memory_ratio(kernel))
            more = sum(row.memory_ratio(kernel) > 1 for row in both)
            yield (
                f"  {kernel:7} geometric mean {geometric_mean([row.memory_ratio(kernel) for row in both]):5.2f} over "
                f"{len(both)} instances with {ENOUGH_STATES} states and more; up to {most.memory_ratio(kernel):.2f} "
                f"({most.instance}); above 1 on {more}"
            )


def record(rows: list[Row], lines: list[str], options: argparse.Namespace) -> dict[str, Any]:
    """All that was measured, and where."""
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "machine": {"platform": platform.platform(), "processor": processor(), "cores": os.cpu_count()},
        "versions": {"banditplan": VERSION, "python": platform.python_version(), **peer_versions(options.peers)},
        "search": options.search,
        "seconds": options.seconds,
        "summary": lines,
        "instances": [
            {"instance": row.instance, "planners": {name: numbers(each) for name, each in row.by_name.items()}}
            for row in rows
        ],
    }


def numbers(searched: Searched) -> dict[str, Any]:
    values = {**dataclasses.asdict(searched), "evaluations_per_second": searched.speed}
    return {key: None if value != value else value for key, value in values.items()}  # no nan


if __name__ == "__main__":
    if sys.argv[1:2] == [CHILD]:
        child(sys.argv[2], sys.argv[3], float(sys.argv[4]), sys.argv[5:])
    else:
        sys.exit(main())
