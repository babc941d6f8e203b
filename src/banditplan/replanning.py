"""Replanning: a new plan from where the world is now that keeps what still works of the old one."""

from __future__ import annotations

from banditplan import _core
from banditplan.errors import InputError, Source
from banditplan.frozen import frozen
from banditplan.pipeline import bounds, explain_unsolvable, shorten, validate
from banditplan.plan import Plan, Step, read_plan
from banditplan.replacing import replaced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from banditplan._core import GroundAction, Rejoining, State, Task
    from banditplan.journal import Journal
    from banditplan.result import Result
    from banditplan.states import Facts

    Steps = Iterable[Step | GroundAction | str]


@frozen
class Replan:
    """What replanning found: `result` is that of the whole, with the new plan, which begins in the initial state of
    `task`. The plan is `new`, followed by `kept`, the steps of the old plan from number `kept_from` (from 0) on.
    Without a plan, `kept_from` is None.
    """

    result: Result
    task: Task
    new: Plan
    kept: Plan
    kept_from: int | None

    @property
    def plan(self) -> Plan | None:
        return self.result.plan

    def __repr__(self) -> str:
        if self.plan is None:
            return f"<replan: {self.result.explanation}>"
        return f"<replan: {len(self.new)} new steps, {len(self.kept)} kept; {self.result.explanation}>"


def replan(task: Task, plan: Steps, state: State | Facts | None, journal: Journal) -> Replan:
    """Take the plan up where the rest of it works, now or after a search for such a place or the goal."""
    old = read_steps(plan)
    now, new, kept_from = task, Plan(), None
    with journal.ending():
        now = task if state is None else replaced(task, state, None, journal)
        journal.note_task(now)
        start = task.initial_state if now.same_states(task.initial_state) else None
        ids = _core.action_ids(now, [[step.name, *step.arguments] for step in old], start)
        with journal.stage("search"):
            places = _core.rejoin(now, ids, start)
        fresh: list[int] = []
        place = places.kept_from if now.solvable else None
        if place is None:
            fresh, place = _search(now, places, journal)
        if place is not None:
            found = [*fresh, *ids[place:]]
            if fresh and place == len(ids):  # a plan of its own, which is as good as others
                fresh = shorten(now, fresh, journal.found.generated if journal.found else 0, journal)
            validate(now, [*fresh, *ids[place:]], found, journal)
            new = Plan([Step(action.name, action.arguments) for action in map(now.action, fresh)])
            journal.end, kept_from = "solved", place
    kept = Plan() if kept_from is None else Plan(old[kept_from:])
    return Replan(journal.result(), now, new, kept, kept_from)


def _search(now: Task, places: Rejoining, journal: Journal) -> tuple[list[int], int | None]:
    """Actions that lead to where the old plan can be taken up, or to the goal, behind its last step; and that place."""
    with journal.stage("search"):
        found = journal.settings.search.run(places.task if now.solvable else now, **bounds(journal))
    journal.found = found
    if found.status != "solved":
        journal.end = found.status
        if not now.solvable:
            explain_unsolvable(now, found, journal)
        return [], None
    *actions, last = found.plan
    return actions, places.first + last - now.sizes["actions"]


def read_steps(plan: Steps) -> list[Step]:
    """The steps of a plan: as results have them, as ground actions, or as texts such as `(move r1 north)`."""
    if isinstance(plan, str):
        return list(read_plan(Source("<plan>", plan)))
    if not hasattr(plan, "__iter__"):
        raise InputError(f"plan: expected steps such as (move r1 north), not {plan!r}")
    steps: list[Step] = []
    for step in plan:
        match step:
            case Step():
                steps.append(step)
            case _core.GroundAction():
                steps.append(Step(step.name, step.arguments))
            case str():
                steps += read_plan(Source("<plan>", step))
            case _:
                raise InputError(f"plan: expected steps such as (move r1 north), not {step!r}")
    return steps
