"""Agile planning: how many tasks are solved within seconds, by searches of ours and by peers from PyPI.

    pip install up-fast-downward pymimir lapkt     (here, or in the environment of --peers)
    python benchmarks/agile.py run --benchmarks DOWNWARD_BENCHMARKS --ledger agile.jsonl default fast-downward
    python benchmarks/agile.py report --ledger agile.jsonl --plot agile.png

A planner is `default`, a search text (NAME=TEXT gives it a name), `fast-downward` (lama-first), `pymimir` (lazy greedy
search with hFF) or `lapkt` (Dual-BFWS; its grounder needs the command gringo). Every run is a process of its own, from
the PDDL files to the plan, with a limit of time and memory; --jobs of them run at once. The limit is on the wall clock,
as in competitions; --cpu counts CPU seconds instead, for a machine that has other work to do. Every plan, of peers too,
is checked by our validator. What is in the ledger is not run again.

The score of a task is that of the agile track of the planning competitions: 1 up to a second, then 1 - log t / log 300.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shlex
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from downward import Downward, lama_first
from measure import Limits, measure

import banditplan as bp
from banditplan.experiments.define.suites import Instance, load_suite

FULL_SCORE, NO_SCORE = 1.0, 300.0  # seconds
OVERTIME = 1.0  # seconds in which a planner that has its own limit may say so
PYMIMIR_SCRIPT = """
import sys
from pymimir.advanced.formalism import ParserOptions, Problem
from pymimir.advanced.search import *
problem = Problem.create(sys.argv[1], sys.argv[2], ParserOptions())
grounder = LiftedGrounder(problem)
context = SearchContext.create(problem, SearchContextOptions(GroundedOptions()))
result = find_solution_gbfs_lazy(context, FFHeuristic.create(grounder), GBFSLazyOptions())
with open("sas_plan", "w") as file:
    for action in result.plan.get_actions():
        names = " ".join([action.get_action().get_name(), *(item.get_name() for item in action.get_objects())])
        print(f"({names})", file=file)
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A line of the ledger."""

    planner: str
    domain: str
    problem: str
    limit: float
    status: str  # "solved", "limit", "failed"; "unsolvable"; "invalid"
    seconds: float  # of the clock that the limit is for
    cpu: float
    megabytes: float
    length: int | None = None
    error: str = ""

    @property
    def key(self) -> tuple[str, str, str, float]:
        return self.planner, self.domain, self.problem, self.limit

    @property
    def score(self) -> float:
        if self.status != "solved":
            return 0.0
        return 1 - math.log(min(max(self.seconds, FULL_SCORE), NO_SCORE)) / math.log(NO_SCORE)


# ---- planners


@dataclass(frozen=True, slots=True)
class Planner:
    name: str
    command: list[str]  # domain and problem follow; it writes the file sas_plan
    unsolvable: int | None = None  # exit code


def planner(text: str, options: argparse.Namespace, folder: str) -> Planner:
    if text == "fast-downward":
        return Planner(text, Downward.find(options.peers, folder).solve(lama_first()))
    if text == "pymimir":
        return Planner(text, [options.peers, "-c", PYMIMIR_SCRIPT])
    if text == "lapkt":
        script = Path(options.peers).parent / "lapkt_cmd.py"
        if not script.exists() or shutil.which("gringo") is None:
            sys.exit(f"error: {options.peers} has no lapkt, or there is no command gringo; see --peers")
        search = f"{shlex.quote(options.peers)} {shlex.quote(str(script))} BFWS --search_type DUAL-BFWS"
        return Planner(text, ["/bin/sh", "-c", f'exec {search} --plan_file sas_plan -d "$1" -p "$2"', "sh"])
    name, equals, search = text.partition("=")
    if not equals or not name.isidentifier():
        name, search = text, text
    command = [sys.executable, "-m", "banditplan", "solve", "--quiet", "--memory-limit", f"{options.megabytes}M"]
    if not options.cpu:
        command += ["--time-limit", f"{options.seconds:g}"]
    if search != "default":
        command += ["--search", search]
    return Planner(name, command, unsolvable=11)


def attempt(planner: Planner, instance: Instance, options: argparse.Namespace) -> Outcome:
    if options.cpu:
        limits = Limits(cpu_seconds=options.seconds, megabytes=options.megabytes)
    else:
        wall = options.seconds + OVERTIME
        limits = Limits(cpu_seconds=2 * wall, megabytes=options.megabytes, wall_seconds=wall)
    with tempfile.TemporaryDirectory() as folder:
        files = [os.path.abspath(instance.domain_file), os.path.abspath(instance.problem_file)]
        run = measure([*planner.command, *files], folder, limits, success=range(256))
        found = Path(folder, "sas_plan")
        seconds = run.seconds if options.cpu else run.wall
        status, length, error = "failed", None, run.error
        # lapkt opens the file before it searches.
        if found.exists() and found.stat().st_size > 0 and seconds <= options.seconds:
            verdict = bp.validate(*files, found)
            status, error = ("solved", "") if verdict.valid else ("invalid", str(verdict))
            length = sum(line.startswith("(") for line in found.read_text().splitlines())
        elif run.status == "time" or seconds >= 0.98 * options.seconds:
            status, error = "limit", ""
        elif run.status == "ok" and run.exit_code == planner.unsolvable:
            status, error = "unsolvable", ""
        elif run.status == "ok":
            error = f"exit code {run.exit_code}"
    return Outcome(
        planner.name,
        instance.domain,
        instance.name,
        options.seconds,
        status,
        round(seconds, 3),
        round(run.seconds, 3),
        round(run.megabytes, 1),
        length,
        error[:200],
    )


# ---- run


def run(options: argparse.Namespace) -> None:
    suite = load_suite(options.suite, options.benchmarks)
    for sentence in suite.missing:
        print(sentence, file=sys.stderr)
    chosen: list[Instance] = []
    for domain in dict.fromkeys(instance.domain for instance in suite.instances):
        chosen += [instance for instance in suite.instances if instance.domain == domain][:: options.every]
    done = {outcome.key for outcome in read(options.ledger)}
    lock = threading.Lock()
    with tempfile.TemporaryDirectory() as folder, open(options.ledger, "a") as ledger:
        planners = [planner(text, options, folder) for text in options.planners]

        def one(job: tuple[Instance, Planner]) -> None:
            outcome = attempt(job[1], job[0], options)
            with lock:
                print(json.dumps(asdict(outcome)), file=ledger, flush=True)
                task = f"{outcome.domain}/{outcome.problem}"
                print(f"{outcome.planner:20} {task:50} {outcome.status:10} {outcome.seconds:7.2f} s", flush=True)

        jobs = [(instance, each) for instance in chosen for each in planners]
        left = [
            (instance, each)
            for instance, each in jobs
            if (each.name, instance.domain, instance.name, options.seconds) not in done
        ]
        with ThreadPoolExecutor(options.jobs) as pool:
            for _ in pool.map(one, left):
                pass


def read(ledger: str) -> list[Outcome]:
    path = Path(ledger)
    return [Outcome(**json.loads(line)) for line in path.read_text().splitlines()] if path.exists() else []


# ---- report


def report(options: argparse.Namespace) -> None:
    outcomes = read(options.ledger)
    if not outcomes:
        sys.exit(f"error: {options.ledger} holds no runs")
    planners = list(dict.fromkeys(outcome.planner for outcome in outcomes))
    print(*table(outcomes, planners), sep="\n")
    for outcome in outcomes:
        if outcome.status in ("failed", "invalid"):
            print(f"{outcome.status}: {outcome.planner} {outcome.domain}/{outcome.problem}: {outcome.error}")
    if options.plot:
        draw(outcomes, planners, options.plot)


def table(outcomes: list[Outcome], planners: list[str]) -> Iterator[str]:
    """Solved tasks by domain, in Markdown; with the sums, the scores, and the time of tasks that all of them solve."""
    yield f"| domain | {' | '.join(planners)} |"
    yield "|---" * (len(planners) + 1) + "|"
    for domain in dict.fromkeys(outcome.domain for outcome in outcomes):
        rows = [[o for o in outcomes if (o.domain, o.planner) == (domain, name)] for name in planners]
        total = len({outcome.problem for outcome in outcomes if outcome.domain == domain})
        yield (
            f"| {domain} ({total}) | " + " | ".join(str(sum(o.status == "solved" for o in row)) for row in rows) + " |"
        )
    by_planner = [[outcome for outcome in outcomes if outcome.planner == name] for name in planners]
    tasks = len({(outcome.domain, outcome.problem) for outcome in outcomes})
    solved = [sum(o.status == "solved" for o in row) for row in by_planner]
    yield f"| **solved** ({tasks}) | " + " | ".join(f"**{number}**" for number in solved) + " |"
    yield "| agile score | " + " | ".join(f"{sum(o.score for o in row):.1f}" for row in by_planner) + " |"


def draw(outcomes: list[Outcome], planners: list[str], file: str) -> None:
    """Solved tasks over time."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4.2), layout="constrained")
    for name in planners:
        times = sorted(o.seconds for o in outcomes if o.planner == name and o.status == "solved")
        axes.step(
            [*times, max(o.limit for o in outcomes)], [*range(1, len(times) + 1), len(times)], label=name, where="post"
        )
    axes.set_xscale("log")
    axes.set_xlabel("seconds")
    axes.set_ylabel("solved tasks")
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(file, dpi=150)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    commands = parser.add_subparsers(required=True)
    running = commands.add_parser("run", help="run planners on the tasks of a suite")
    running.add_argument("planners", nargs="+", metavar="PLANNER")
    running.add_argument("--benchmarks", metavar="FOLDER", default=os.environ.get("BANDITPLAN_BENCHMARKS"))
    running.add_argument("--suite", default="ipc18", help="as in experiments (ipc18)")
    running.add_argument("--every", type=int, default=1, metavar="N", help="every Nth task of a domain")
    running.add_argument("--seconds", type=float, default=30, metavar="S", help="per run (30)")
    running.add_argument("--megabytes", type=int, default=8000, metavar="MB", help="per run (8000)")
    running.add_argument("--cpu", action="store_true", help="count CPU seconds")
    running.add_argument("--jobs", type=int, default=2, metavar="N", help="runs at once (2)")
    running.add_argument("--peers", metavar="PYTHON", default=sys.executable, help="an interpreter that has the peers")
    running.add_argument("--ledger", required=True, metavar="FILE")
    running.set_defaults(run=run)
    reporting = commands.add_parser("report", help="a table in Markdown")
    reporting.add_argument("--ledger", required=True, metavar="FILE")
    reporting.add_argument("--plot", metavar="FILE", help="draw the solved tasks over time")
    reporting.set_defaults(run=report)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
