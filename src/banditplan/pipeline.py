"""The table of contents: text → parsed → normalised → split → grounded → search → plan → validated → result.

`solve` is the whole way. What a run is told is in its `Settings`, what is known of it in its `Journal`.
"""

from __future__ import annotations

from time import monotonic

from banditplan import _core
from banditplan.errors import InputError
from banditplan.grounding import ground
from banditplan.limits import Alarm
from banditplan.normalize.normalize import normalize
from banditplan.plan import Plan
from banditplan.split.split import split, whole_actions
from banditplan.task_input import Origin, PausedCollection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from banditplan._core import AnytimeSearch, SearchResult, Task
    from banditplan.journal import Journal
    from banditplan.result import Result
    from banditplan.task_input import Input


# What shortening a plan may take, as the core counts work: about a tenth of a second or, if that is more, for every
# state that the search generated a tenth of what a fast search needs for one. No time: plans are the same everywhere.
LEAST_WORK = 40_000_000
WORK_PER_STATE = 100


class InvalidPlan(Exception):
    """A search returned a plan that the validator rejects: a bug in banditplan."""


def solve(given: Input | Task, journal: Journal) -> Result:
    """From a text, or a task that was loaded before, to a result. Limits and Ctrl-C end the run, and do not raise."""
    with journal.ending():
        task = load(given, journal)
        found = search(task, journal)
        finish(task, found, journal)
    return journal.result()


def load(given: Input | Task, journal: Journal) -> Task:
    """Parse, normalise, split, ground; limits raise LimitReached."""
    if isinstance(given, _core.Task):
        journal.note_task(given)
        return given
    settings, limits = journal.settings, journal.limits
    journal.domain, journal.problem = given.domain, given.problem
    with PausedCollection(), Alarm(limits.deadline if settings.owns_process else None):
        with journal.stage("parse"):
            parsed = given.parse(limits.check)
        journal.note_warnings(parsed.warnings)
        with journal.stage("normalize"):
            normalized = normalize(parsed, limits.check)
            parts = split(normalized, settings.split)
        if settings.observer.accepted is not None:
            settings.observer.accepted()
        with journal.stage("ground"):
            task = ground(
                parts.task, limits, prune_mutex=settings.prune_mutex, keep_irrelevant=settings.keep_irrelevant
            )
    task.origin = Origin(parsed, parts.chains, given.domain, given.problem, dict(journal.stages))
    limits.check()
    journal.note_task(task)
    return task


def search(task: Task, journal: Journal) -> SearchResult:
    """Search until there is a plan, or no hope, or a limit is reached."""
    tell = journal.settings.observer.trace
    traces: list[str] = []
    with journal.stage("search"):
        found = journal.settings.search.run(task, **_bounds(journal), trace=None if tell is None else traces.append)
    if tell is not None:
        from banditplan.trace import header

        tell(header(journal, found) + traces[0])
    return found


def finish(task: Task, found: SearchResult, journal: Journal) -> None:
    """Note what the search found; a plan is shortened and validated before, if that is wanted."""
    before, journal.found = journal.found, found
    if found.status == "solved":
        actions = found.plan
        if journal.settings.shorten:
            generated = found.generated - (before.generated if before else 0)
            actions = shorten(task, actions, max(LEAST_WORK, generated * WORK_PER_STATE), journal)
        validate(task, actions, found.plan, journal)
    journal.end = found.status


def shorten(task: Task, actions: list[int], work: int, journal: Journal) -> list[int]:
    """A plan that is not costlier, and not longer at the same cost; on Ctrl-C, as it is."""
    limits = journal.limits
    # Half of the time that is left is for the validation.
    deadline = None if limits.deadline is None else (monotonic() + limits.deadline) / 2
    with journal.stage("shorten"):
        try:
            return _core.shorten(task, actions, work, deadline, limits.memory_kb)
        except KeyboardInterrupt:
            journal.interrupted = True
            return actions


def validate(task: Task, actions: list[int], found: list[int], journal: Journal) -> None:
    """Note the plan, with the verdict of a validator that knows the text alone; raises InvalidPlan."""
    plan, cost = _whole(task, actions)
    whole_found = _whole(task, found)
    before = len(whole_found[0]), whole_found[1]
    if not journal.settings.validate:
        journal.note_plan(plan, cost, None, before)
        return
    from banditplan.validation import validate

    with journal.stage("validate"):
        verdict = validate(task.origin.parsed, plan, journal.limits.check)
    journal.note_plan(plan, verdict.cost if verdict.valid else cost, verdict.valid, before)
    if not verdict.valid:
        raise InvalidPlan(f"the plan that was found is not valid: {verdict.reason}")


def _whole(task: Task, actions: list[int]) -> tuple[Plan, int]:
    """The plan in actions of the text, and its cost."""
    steps = [task.action(action) for action in actions]
    return Plan(whole_actions(task.origin.chains, steps)), sum(step.cost for step in steps)


def improve(given: Input | Task, journal: Journal) -> Iterator[Result]:
    """A result for every plan, each cheaper than the one before, and a last one that tells how the search ended."""
    if journal.settings.observer.trace is not None:
        raise InputError("trace: an anytime search has none")
    return _improve(given, journal)


def _improve(given: Input | Task, journal: Journal) -> Iterator[Result]:
    search: AnytimeSearch | None = None
    while True:
        with journal.ending():
            if search is None:
                task = load(given, journal)
                search = _core.AnytimeSearch(journal.settings.search, task, **_bounds(journal))
            if journal.interrupted:
                raise KeyboardInterrupt
            with journal.stage("search"):
                found = search.next(below=journal.plan_cost)
            finish(task, found, journal)
        yield journal.result()
        if journal.end != "solved":
            return


def ground_only(given: Input, journal: Journal, *, landmarks: bool = False) -> Result:
    """A result that speaks of the task alone: `exhausted`, as nothing is searched, unless it cannot be solved."""
    with journal.ending():
        task = load(given, journal)
        if landmarks:
            limits = journal.limits
            journal.landmarks = task.landmarks(deadline=limits.deadline, memory_limit_kb=limits.memory_kb)
        journal.end = "exhausted" if task.solvable else "unsolvable"
    return journal.result()


def _bounds(journal: Journal) -> dict[str, Any]:
    """What every search is told."""
    settings = journal.settings
    return {
        "seed": settings.seed,
        "max_evaluations": settings.max_evaluations,
        "max_expansions": settings.max_expansions,
        "deadline": journal.limits.deadline,
        "memory_limit_kb": journal.limits.memory_kb,
        "report": journal.progress(),
    }
