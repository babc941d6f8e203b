"""How many different plans: by forbidding actions, as `solve_many` does, and by other seeds, per task: JSON lines.

    python benchmarks/many_plans.py DOMAIN PROBLEM [DOMAIN PROBLEM …] [--plans N] [--seconds S] [--search TEXT]

Both may take the same CPU time, and count plans with different sets of actions after redundant steps are taken out. The
search is one that seeds matter for. `mean_cost` is relative to the cheapest plan of both; `distance` is the mean over
all pairs.
"""

from __future__ import annotations

import argparse
import json
import time
from itertools import combinations

import banditplan as bp
from banditplan.many import Found, Wish, distance, select
from banditplan.plan import Plan


def by_seeds(task: bp.Task, wish: Wish, search: str, seconds: float) -> list[Found]:
    found: list[Found] = []
    begin, seed = time.process_time(), 0
    while time.process_time() - begin < seconds and len(select(found, wish)) < wish.plans:
        result = bp.solve(task, search=search, seed=seed, time_limit=10 * seconds)
        seed += 1
        if result.plan is not None:
            found.append(Found(result.plan, result.plan_cost or 0, result.valid, (0, 0), None))
    return select(found, wish)


def summary(plans: list[tuple[Plan, int]], cheapest: int, seconds: float) -> dict[str, object]:
    pairs = [distance(one, other) for (one, _), (other, _) in combinations(plans, 2)]
    return {
        "plans": len(plans),
        "seconds": round(seconds, 2),
        "mean_cost": round(sum(cost for _, cost in plans) / len(plans) / max(1, cheapest), 3) if plans else None,
        "distance": round(sum(pairs) / len(pairs), 3) if pairs else None,
    }


def measure(domain: str, problem: str, wish: Wish, search: str, seconds: float) -> dict[str, object]:
    task = bp.load(domain, problem)
    begin = time.process_time()
    many = bp.solve_many(task, plans=wish.plans, min_distance=wish.min_distance, search=search, time_limit=seconds)
    middle = time.process_time()
    seeds = [(each.plan, each.cost) for each in by_seeds(task, wish, search, seconds)]
    end = time.process_time()
    forbidding = [(each.plan, each.plan_cost or 0) for each in many if each.plan is not None]
    cheapest = min([cost for _, cost in (*seeds, *forbidding)], default=0)
    return {
        "forbidding": summary(forbidding, cheapest, middle - begin),
        "seeds": summary(seeds, cheapest, end - middle),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="DOMAIN PROBLEM")
    parser.add_argument("--plans", type=int, default=5)
    parser.add_argument("--min-distance", type=float, default=0.0)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--search", default="guct-normal2")
    arguments = parser.parse_args()
    wish = Wish(arguments.plans, arguments.min_distance, None)
    for domain, problem in zip(arguments.files[::2], arguments.files[1::2], strict=True):
        found = measure(domain, problem, wish, arguments.search, arguments.seconds)
        print(json.dumps({"problem": problem} | found), flush=True)


if __name__ == "__main__":
    main()
