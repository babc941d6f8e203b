"""Coverage within 10,000 evaluations on the paper's domains, beside the paper's figures.

    python benchmarks/fidelity.py --benchmarks DOWNWARD_BENCHMARKS --searches guct-normal2,gbfs --seeds 1

The instances are those of the paper as far as its text tells: 23 domains; of freecell, logistics98 and
pipesworld-tankage only the smallest, by the number of ground actions. Grounding is without mutex pruning, as the
paper's planner does it. A search may carry a heuristic and options, `guct-normal2(heuristic=hadd, preferred=True)`.
Every plan is validated.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
from collections import defaultdict
from pathlib import Path

from paper_figures import COLUMNS, DOMAINS, TOTALS

import banditplan as bp
from banditplan.domain_file import find_domain
from banditplan.pddl.errors import InputError

MAX_EVALUATIONS = 10_000
Job = tuple[str, str, str, tuple[str, ...], tuple[int, ...]]  # domain name, domain file, problem file, searches, seeds
Solved = tuple[str, str, str, int, bool, int]  # domain name, problem file, search, seed, solved, evaluations


def main() -> int:
    options = _options()
    jobs = _jobs(Path(options.benchmarks), options)
    solved: list[Solved] = []
    with multiprocessing.Pool(options.jobs) as pool:
        for number, results in enumerate(pool.imap_unordered(_run, jobs), 1):
            solved += results
            if number % 100 == 0 or number == len(jobs):
                print(f"{number} of {len(jobs)} instances", file=sys.stderr)
    _report(solved, options)
    if options.json:
        Path(options.json).write_text(json.dumps(solved))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--benchmarks", default=os.environ.get("BANDITPLAN_BENCHMARKS"))
    parser.add_argument("--searches", default="gbfs;guct-normal2", help="separated by semicolons")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--domains", help="some of the domains, separated by commas")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--json")
    options = parser.parse_args()
    if not options.benchmarks or not Path(options.benchmarks).is_dir():
        parser.error("no benchmark folder: give --benchmarks or set BANDITPLAN_BENCHMARKS")
    options.searches = tuple(text.strip() for text in options.searches.split(";"))
    return options


def _jobs(folder: Path, options: argparse.Namespace) -> list[Job]:
    jobs: list[Job] = []
    for domain, (most, _, _) in DOMAINS.items():
        if options.domains and domain not in options.domains.split(","):
            continue
        files = sorted(path for path in (folder / domain).glob("*.pddl") if "domain" not in path.name)
        pairs = []
        for path in files:
            try:
                pairs.append((find_domain(str(path)), str(path)))
            except InputError:
                print(f"{path}: left out, it has no domain file", file=sys.stderr)
        if most is not None:
            pairs = sorted(pairs, key=lambda pair: bp.load(*pair, prune_mutex=False).sizes["actions"])[:most]
        seeds = tuple(range(1, options.seeds + 1))
        jobs += [(domain, *pair, options.searches, seeds) for pair in pairs]
    return jobs


def _run(job: Job) -> list[Solved]:
    domain, domain_file, problem_file, searches, seeds = job
    task = bp.load(domain_file, problem_file, prune_mutex=False)
    results = []
    for search in searches:
        for seed in seeds if search != "gbfs" else seeds[:1]:
            result = bp.solve(task, search=search, seed=seed, max_evaluations=MAX_EVALUATIONS)
            results.append((domain, problem_file, search, seed, result.solved, result.evaluations))
    return results


def _report(solved: list[Solved], options: argparse.Namespace) -> None:
    coverage: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    instances: dict[str, set[str]] = defaultdict(set)
    for domain, problem, search, _, ok, _ in solved:
        instances[domain].add(problem)
        runs = 1 if search == "gbfs" else options.seeds
        coverage[search][domain] += ok / runs
    width = max(len(search) for search in options.searches) + 2
    print("domain".ljust(24), "instances", *(search.rjust(width) for search in options.searches), "paper N2", "GBFS")
    for domain in instances:
        _, normal2, gbfs = DOMAINS[domain]
        row = [f"{coverage[search][domain]:.1f}".rjust(width) for search in options.searches]
        print(domain.ljust(24), str(len(instances[domain])).rjust(9), *row, f"{normal2:8}", f"{gbfs:4}")
    row = [f"{sum(coverage[search].values()):.1f}".rjust(width) for search in options.searches]
    print("total".ljust(24), str(sum(map(len, instances.values()))).rjust(9), *row)
    print("\npaper's totals (" + ", ".join(COLUMNS) + "):")
    for search in options.searches:
        figures = TOTALS.get(search.split("(")[0])
        if figures:
            print(f"  {search.split('(')[0]}: " + ", ".join("–" if f is None else f"{f:.1f}" for f in figures))


if __name__ == "__main__":
    sys.exit(main())
