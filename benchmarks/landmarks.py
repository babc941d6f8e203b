"""Landmarks beside Fast Downward's, and the speed of novelty.

    BANDITPLAN_BENCHMARKS=downward-benchmarks python benchmarks/landmarks.py --peers PYTHON

PYTHON is an interpreter that has the wheel up-fast-downward. Fast Downward's translator grounds each instance, and
both planners find landmarks in that task, so that grounding makes no difference: `lm_reasonable_orders_hps(lm_rhw())`
there, `task.landmarks()` here. Their numbers, the numbers of orders with and without reasonable ones, and the value of
the initial state must agree; the time is what Fast Downward prints for the generation of its graph, and the CPU time of
our call, the best of a few. They differ where a goal is the negation of a derived fact (psr-middle): nothing is looked
for before it here.

Novelty is measured by `novelty.cpp`, which is compiled here with the core's sources: width 2 over random walks in a
task of 1,000 facts, and the same with a loop over pairs.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from comparison import geometric_mean
from downward import ENDED, LANDMARKS, SAS_FILE, Downward
from evaluations import run_freely
from measure import Limits, measure
from sas import read_sas

from banditplan import _core
from banditplan.domain_file import find_domain

# Of each domain, from small to middling, what the translator grounds within a minute.
PROBLEMS = {
    "airport": "p10-airport3-p1 p19-airport3-p6 p40-airport5MUC-p4",
    "barman-opt14-strips": "p435-2 p536-2 p638-1",
    "blocks": "probBLOCKS-5-0 probBLOCKS-9-1 probBLOCKS-11-2",
    "caldera-sat18-adl": "p01",
    "caldera-split-sat18-adl": "p01 p11 p17",
    "data-network-sat18-strips": "p04 p13 p15",
    "depot": "p03 p08 p09",
    "driverlog": "p03 p08 p12",
    "flashfill-sat18-adl": "p02 p08 p11",
    "freecell": "probfreecell-3-2 probfreecell-6-5 p09",
    "grid": "prob01 prob02 prob04",
    "gripper": "prob03 prob08 prob13",
    "logistics00": "probLOGISTICS-4-2 probLOGISTICS-6-9 probLOGISTICS-10-0",
    "logistics98": "prob01 prob23 prob08",
    "miconic": "s4-0 s11-3 s19-3",
    "miconic-simpleadl": "s4-0 s11-3 s19-3",
    "movie": "prob04 prob11 prob19",
    "mystery": "prob12 prob05 prob20",
    "nurikabe-sat18-adl": "p03 p07 p14",
    "openstacks-strips": "p03 p10 p16",
    "pipesworld-notankage": "p05-net1-b10-g4 p10-net1-b14-g8 p34-net4-b16-g6",
    "pipesworld-tankage": "p14-net2-b12-g5-t30 p32-net4-b14-g5-t30 p27-net3-b18-g6-t70",
    "psr-middle": "p03-s28-n2-l5-f10 p15-s56-n4-l4-f10 p30-s90-n6-l4-f50",
    "psr-small": "p08-s12-n1-l5-f10 p17-s30-n2-l5-f50 p39-s79-n3-l3-f70",
    "rovers": "p05 p15 p27",
    "settlers-sat18-adl": "p08 p15 p06",
    "snake-sat18-strips": "p02 p08 p13",
    "spider-sat18-strips": "p08 p15 p11",
    "termes-sat18-strips": "p04 p08 p11",
    "tpp": "p04 p09 p21",
    "trucks-strips": "p03 p06 p12",
    "visitall-opt11-strips": "problem03-half problem05-full problem08-half",
    "visitall-opt14-strips": "p-05-6 p-1-8 p-1-11",
    "zenotravel": "p03 p08 p13",
}
INSTANCES = [f"{domain}/{name}" for domain, names in PROBLEMS.items() for name in names.split()]

SEARCH = f"eager_greedy([eval_modify_costs(landmark_sum({LANDMARKS}),cost_type=one)],max_time=0)"
GRAPH = re.compile(r"Discovered (\d+) landmarks, of which (\d+) are disjunctive .*\n.*There are (\d+) landmark ord")
SECONDS = re.compile(r"Landmark graph generation time: ([\d.e-]+)s")
VALUE = re.compile(r"Initial heuristic value for \S+: (\d+)")
TRANSLATION = Limits(cpu_seconds=60, megabytes=8192)
RUNS = 5
LONGEST = 12  # seconds that Fast Downward's landmarks should take
FOLDER = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Numbers:
    """What a planner found, and how fast."""

    landmarks: int
    disjunctive: int
    orders: int  # without reasonable ones
    all_orders: int
    value: int  # of the initial state
    seconds: float

    def same(self, other: Numbers) -> bool:
        return [*asdict(self).values()][:-1] == [*asdict(other).values()][:-1]


@dataclass(frozen=True, slots=True)
class Row:
    instance: str
    theirs: Numbers
    ours: Numbers

    @property
    def speed(self) -> float:
        return self.theirs.seconds / self.ours.seconds


def main() -> int:
    options = parse_options()
    if options.benchmarks is None or not Path(options.benchmarks).is_dir():
        print(
            "error: name a checkout of downward-benchmarks with --benchmarks or BANDITPLAN_BENCHMARKS", file=sys.stderr
        )
        return 2
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        peer = Downward.find(options.peers, folder)
        for instance in options.instances.split(",") if options.instances else INSTANCES:
            row = compare(Path(options.benchmarks, f"{instance}.pddl"), instance, peer)
            if isinstance(row, str):
                print(f"{instance:45} {row}", flush=True)
            else:
                rows.append(row)
                print(table_line(row), flush=True)
    lines = [*summary(rows), *novelty_lines()]
    print("\n".join(lines))
    if options.json:
        record = {"summary": lines, "instances": [asdict(row) for row in rows]}
        Path(options.json).write_text(json.dumps(record, indent=2) + "\n")
    return 0


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--benchmarks", metavar="FOLDER", default=os.environ.get("BANDITPLAN_BENCHMARKS"))
    parser.add_argument("--peers", metavar="PYTHON", default=sys.executable, help="an interpreter that has the peer")
    parser.add_argument("--instances", metavar="A,B", help="only these, such as gripper/prob13")
    parser.add_argument("--json", metavar="FILE", help="write everything to FILE")
    options = parser.parse_args()
    options.peers = os.path.abspath(options.peers)
    return options


def compare(problem: Path, instance: str, peer: Downward) -> Row | str:
    """The numbers of both planners, or why there are none."""
    with tempfile.TemporaryDirectory() as folder:
        files = [find_domain(str(problem)), str(problem)]
        translated = measure(peer.translate(files), folder, TRANSLATION)
        if translated.status != "ok":
            return f"translator: {translated.status} {translated.error}"
        outputs = []
        for _ in range(RUNS):
            output, error = run_freely(peer.search(SEARCH), folder, LONGEST, ENDED)
            if error or not (found := SECONDS.search(output)):
                return f"Fast Downward: {error or 'no landmarks'}"
            outputs.append(output)
            if float(found[1]) > 1:
                break
        task = read_sas(Path(folder, SAS_FILE).read_text())
    return Row(instance, downward_numbers(outputs), our_numbers(task))


def downward_numbers(outputs: list[str]) -> Numbers:
    graphs = [[int(number) for number in found] for found in GRAPH.findall(outputs[0])]
    value = VALUE.search(outputs[0])
    return Numbers(
        landmarks=graphs[-1][0],
        disjunctive=graphs[-1][1],
        orders=graphs[0][2],
        all_orders=graphs[-1][2],
        value=int(value[1]) if value else -1,
        seconds=min(float(found[1]) for output in outputs if (found := SECONDS.search(output))),
    )


def our_numbers(task: _core.Task) -> Numbers:
    seconds = math.inf
    for _ in range(RUNS):
        begin = time.process_time()
        graph = task.landmarks()
        seconds = min(seconds, time.process_time() - begin)
    value = _core.LandmarkStatus(graph).start(0, task.initial_state)
    return Numbers(
        landmarks=len(graph),
        disjunctive=sum(each.disjunctive for each in graph.landmarks),
        orders=sum(kind != "reasonable" for _, _, kind in graph.orders),
        all_orders=len(graph.orders),
        value=-1 if value == math.inf else int(value),
        seconds=seconds,
    )


def table_line(row: Row) -> str:
    ours, theirs = (
        f"{n.landmarks:5} {n.disjunctive:4} {n.orders:6} {n.all_orders:6} {n.value:4}" for n in (row.ours, row.theirs)
    )
    verdict = "equal" if row.ours.same(row.theirs) else f"Fast Downward: {theirs}"
    times = f"{1000 * row.ours.seconds:9.2f} ms {1000 * row.theirs.seconds:9.2f} ms {row.speed:6.1f} ×"
    return f"{row.instance:45} {ours} {times}  {verdict}"


def summary(rows: list[Row]) -> Iterator[str]:
    if not rows:
        return
    equal = sum(row.ours.same(row.theirs) for row in rows)
    domains = {row.instance.split("/")[0] for row in rows}
    yield f"equal on {equal} of {len(rows)} instances of {len(domains)} domains"
    least = min(rows, key=lambda row: row.speed)
    yield (
        f"speed of generation, Fast Downward's time / ours: geometric mean "
        f"{geometric_mean([row.speed for row in rows]):.1f}, at least {least.speed:.1f} ({least.instance})"
    )


def novelty_lines() -> Iterator[str]:
    compiler = shutil.which("c++")
    if compiler is None:
        yield "novelty: no C++ compiler"
        return
    core = FOLDER.parent / "cpp"
    parts = ("novelty/novelty_table.cpp", "task/changes.cpp", "monitor.cpp")
    sources = [str(FOLDER / "novelty.cpp"), *(str(core / part) for part in parts)]
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "novelty")
        subprocess.run([compiler, "-std=c++20", "-O3", f"-I{core}", *sources, "-o", program], check=True)
        yield from subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()


if __name__ == "__main__":
    sys.exit(main())
