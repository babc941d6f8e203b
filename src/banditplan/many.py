"""Several plans that differ: forbid what a plan uses, and search again.

A plan is told from another by the set of its actions; the distance of two plans is that of Jaccard, the share of the
actions of both that only one of them has. A tree of sets of forbidden actions is worked off: without the actions of
such a set there is a plan or none, and every action of that plan, forbidden as well, gives a set to try. Whatever plan
is not a superset of one that was found lacks one of its actions, so that no such plan is lost if the tree is worked
off. The sets whose parents have cheap plans come first; a search that takes much longer than the first one is put off.
"""

from __future__ import annotations

from heapq import heappop, heappush

from banditplan import _core
from banditplan.errors import InputError
from banditplan.frozen import frozen
from banditplan.pipeline import bounds, explain_unsolvable, judged, load, shorten, whole
from banditplan.plan import Plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, Literal

    from banditplan._core import SearchResult, Task
    from banditplan.journal import Journal
    from banditplan.plan import Step
    from banditplan.result import Result
    from banditplan.statuses import Status
    from banditplan.task_input import Input

# A search may evaluate so many states, or so many times as many as the first one did, before others have their turn.
PATIENCE = 1000
PATIENCE_FACTOR = 4


@frozen
class Wish:
    """How many plans, how far from each other at least, and how many times as dear as the cheapest at most."""

    plans: int
    min_distance: float
    cost_bound: float | None


def wish(plans: int, min_distance: float, cost_bound: float | None) -> Wish:
    """The wish that these values stand for; raises InputError for those that will not do."""
    if isinstance(plans, bool) or not isinstance(plans, int) or plans < 1:
        raise InputError(f"plans: expected a whole number from 1 on, not {plans!r}")
    if not isinstance(min_distance, (int, float)) or not 0 <= min_distance <= 1:
        raise InputError(f"min_distance: expected a number from 0 to 1, not {min_distance!r}")
    if cost_bound is not None and (not isinstance(cost_bound, (int, float)) or not cost_bound >= 1):
        raise InputError(f"cost_bound: expected how many times as dear as the cheapest, from 1 on, not {cost_bound!r}")
    return Wish(plans, min_distance, cost_bound)


@frozen
class Found:
    """A plan and its cost, whether it is valid, length and cost before it was shortened, and how far it is from the
    nearest plan before it."""

    plan: Plan
    cost: int
    valid: bool | None
    before: tuple[int, int]
    distance: float | None

    def record(self) -> dict[str, Any]:
        steps = [str(step) for step in self.plan]
        return {"plan": steps, "plan_length": len(steps), "plan_cost": self.cost, "distance": self.distance}


class ManyPlans(tuple["Result", ...]):
    """Results with different plans, the cheapest first. `end` is the result of the whole: it has the cheapest plan, and
    tells how many there are and why there are not more: `end.end` is `solved` if there are as many as were asked for,
    `exhausted` if no other was found, or a limit.
    """

    end: Result

    def __new__(cls, results: Sequence[Result], end: Result) -> ManyPlans:
        many = super().__new__(cls, results)
        many.end = end
        return many


def distance(one: Sequence[Step], other: Sequence[Step]) -> float:
    """The share of the actions of two plans that only one of them has: 0 for the same set, 1 for none in common."""
    first, second = set(one), set(other)
    return 1 - len(first & second) / len(first | second) if first or second else 0.0


def solve_many(given: Input | Task, wish: Wish, journal: Journal) -> ManyPlans:
    """As many different plans as are wished for, or as there are within the limits."""
    found: dict[frozenset[Step], Found] = {}  # the cheapest plan of each set of actions
    with journal.ending():
        task = load(given, journal)
        for each in _forbidding(task, journal):
            known = found.setdefault(frozenset(each.plan), each)
            if known is not each and known.cost <= each.cost:
                continue
            found[frozenset(each.plan)] = each
            if len(found) >= wish.plans and len(select([*found.values()], wish)) == wish.plans:
                journal.end = "solved"
                break
    chosen = select([*found.values()], wish)
    results = []
    for each in chosen:
        journal.note_plan(each.plan, each.cost, each.valid, each.before)
        results.append(journal.result("solved"))
    if not chosen:
        return ManyPlans((), journal.last_result())
    cheapest = chosen[0]
    journal.set_plan(cheapest.plan, cheapest.cost, cheapest.valid, cheapest.before)
    journal.others = tuple(chosen[1:])
    return ManyPlans(results, journal.last_result())


def select(found: list[Found], wish: Wish) -> list[Found]:
    """The cheapest plans, each far enough from those before it."""
    ordered = sorted(found, key=lambda each: each.cost)  # of the same cost, the first one that was found
    most = None if wish.cost_bound is None or not ordered else wish.cost_bound * ordered[0].cost
    chosen: list[Found] = []
    for each in ordered:
        if most is not None and each.cost > most:
            break
        nearest = min((distance(each.plan, other.plan) for other in chosen), default=None)
        if nearest is None or (nearest > 0 and nearest >= wish.min_distance):
            chosen.append(Found(each.plan, each.cost, each.valid, each.before, nearest))
        if len(chosen) == wish.plans:
            break
    return chosen


def _forbidding(task: Task, journal: Journal) -> Iterator[Found]:
    """Plans, one per set of forbidden actions that leaves any; notes how the search ended."""
    effort = Effort()
    patience: int | None = None  # the first search may take as long as it likes
    queue: list[tuple[int, int, int, frozenset[int]]] = [(0, 0, 0, frozenset())]
    seen = {frozenset[int]()}
    number = 0
    while queue:
        if (limit := effort.limit(journal)) is not None:
            journal.end = limit
            return
        delay, parent_cost, _, forbidden = heappop(queue)
        rest, ids = (task, None) if not forbidden else _core.without(task, sorted(forbidden))
        outcome = _search(rest, journal, effort, patience and patience << delay)
        journal.found = effort  # type: ignore[assignment]
        if outcome.status == "solved":
            first = actions = outcome.plan
            if journal.settings.shorten:  # with what is not forbidden: otherwise plans would be lost
                actions = shorten(rest, actions, outcome.generated, journal)
            if ids is not None:
                first, actions = [ids[action] for action in first], [ids[action] for action in actions]
            plan, cost, valid = judged(task, actions, journal)
            longer, dearer = whole(task, first)
            yield Found(plan, cost, valid, (len(longer), dearer), None)
            if journal.interrupted:
                raise KeyboardInterrupt
            if patience is None:
                patience = max(PATIENCE, PATIENCE_FACTOR * outcome.evaluations)
            for action in dict.fromkeys(actions):
                further = forbidden | {action}
                if further not in seen:
                    seen.add(further)
                    number += 1
                    heappush(queue, (0, cost, number, further))
        elif outcome.status == "evaluation-limit" and patience is not None:
            number += 1
            heappush(queue, (delay + 1, parent_cost, number, forbidden))
        elif outcome.status not in ("unsolvable", "exhausted") or not forbidden:
            if not forbidden:
                explain_unsolvable(task, outcome, journal)
            journal.end = outcome.status
            return
    if task.origin.chains:
        effort.remarks.append("actions are split: a plan that has its parts in common with others may be missing")
    journal.end = "exhausted"


def _search(task: Task, journal: Journal, effort: Effort, patience: int | None) -> SearchResult:
    told = bounds(journal)
    told["max_evaluations"] = _left(told["max_evaluations"], effort.inserted)
    told["max_expansions"] = _left(told["max_expansions"], effort.expansions)
    if patience is not None:
        told["max_evaluations"] = min(patience, told["max_evaluations"] or patience)
    with journal.stage("search"):
        outcome = journal.settings.search.run(task, **told)
    effort.add(outcome)
    return outcome


def _left(most: int | None, spent: int) -> int | None:
    return None if most is None else most - spent


class Effort:
    """What several searches took together, as the result of one search says it."""

    def __init__(self) -> None:
        self.evaluations = self.inserted = self.expansions = self.generated = self.dead_ends = 0
        self.prepare_seconds = 0.0
        self.initial_h: int | None = None
        self.best_h: int | None = None
        self.history: list[tuple[int, int]] = []
        self.remarks: list[str] = []
        self.decided_by: int | None = None
        self.parts: list[tuple[str, int, int, int]] = []  # of a race: how the first one went, and what all took
        self.status: Literal["exhausted"] = "exhausted"

    def add(self, outcome: SearchResult) -> None:
        if self.evaluations == 0:
            self.initial_h, self.best_h, self.history = outcome.initial_h, outcome.best_h, outcome.history
            self.decided_by, self.parts = outcome.decided_by, outcome.parts
        else:
            self.parts = [
                (mine[0], mine[1] + more[1], mine[2] + more[2], mine[3] + more[3])
                for mine, more in zip(self.parts, outcome.parts, strict=False)  # of a series, some have none
            ]
        self.remarks += [remark for remark in outcome.remarks if remark not in self.remarks]
        self.evaluations += outcome.evaluations
        self.inserted += outcome.inserted
        self.expansions += outcome.expansions
        self.generated += outcome.generated
        self.dead_ends += outcome.dead_ends
        self.prepare_seconds += outcome.prepare_seconds or 0.0

    def limit(self, journal: Journal) -> Status | None:
        """The limit of the whole run that is used up, if one is."""
        settings = journal.settings
        if settings.max_evaluations is not None and self.inserted >= settings.max_evaluations > 0:
            return "evaluation-limit"
        if settings.max_expansions is not None and self.expansions >= settings.max_expansions > 0:
            return "expansion-limit"
        return None
