"""The table of contents: text → parsed → normalised → split → grounded → search → plan → validated → result.

`solve` is the whole way. What a run is told is in its `Settings`, what is known of it in its `Journal`.
"""

from __future__ import annotations

from time import monotonic

from banditplan import _core
from banditplan.errors import InputError
from banditplan.grounding import ground
from banditplan.limits import Alarm, LimitReached
from banditplan.normalize.normalize import normalize
from banditplan.plan import Plan
from banditplan.split.split import split, whole_actions
from banditplan.task_input import Origin, PausedCollection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypedDict

    from banditplan._core import AnytimeSearch, SearchResult, Task
    from banditplan.journal import Journal
    from banditplan.result import Result
    from banditplan.settings import Grounding, Progress
    from banditplan.task_input import Input

    class Bounds(TypedDict):
        """What every search is told."""

        seed: int
        max_evaluations: int | None
        max_expansions: int | None
        deadline: float | None
        memory_limit_kb: int | None
        report: Progress | None


# What shortening a plan may take, as the core counts work: about twenty milliseconds or, if that is more, for every
# state that the search generated a tenth of what a fast search needs for one. No time: plans are the same everywhere.
LEAST_WORK = 8_000_000
WORK_PER_STATE = 100


class InvalidPlan(Exception):
    """A search returned a plan that the validator rejects: a bug in banditplan."""


def solve(given: Input | Task, journal: Journal) -> Result:
    """From a text, or a task that was loaded before, to a result. Limits and Ctrl-C end the run, and do not raise."""
    try:
        with journal.ending():
            _solve(given, journal)
    finally:
        tell_trace(journal)
    return journal.last_result()


def _solve(given: Input | Task, journal: Journal) -> None:
    """All stages: a function of its own, so that only the journal holds the task of a run that was cut off."""
    task = load(given, journal)
    found = search(task, journal)
    finish(task, found, journal)


def load(given: Input | Task, journal: Journal, grounding: Grounding | None = None) -> Task:
    """Parse, normalise, split, ground, as the settings say or otherwise; limits raise LimitReached."""
    if isinstance(given, _core.Task):
        journal.note_task(given)
        return given
    settings, limits = journal.settings, journal.limits
    grounding = grounding or settings.grounding
    journal.domain, journal.problem = given.domain, given.problem
    with PausedCollection(), Alarm(limits.deadline if settings.owns_process else None):
        with journal.stage("parse"):
            parsed = given.parse(limits.check)
        journal.note_warnings(parsed.warnings)
        with journal.stage("normalize"):
            normalized = normalize(parsed, limits.check, actions=given.actions)
            parts = split(normalized, grounding.split)
        if settings.observer.accepted is not None:
            settings.observer.accepted()
        with journal.stage("ground"):
            task = ground(
                parts.task,
                limits,
                prune_mutex=grounding.prune_mutex,
                keep_irrelevant=grounding.keep_irrelevant,
                replaceable=grounding.replaceable,
            )
    task.origin = Origin(parsed, parts.chains, given.domain, given.problem, dict(journal.stages), grounding)
    limits.check()
    journal.note_task(task)
    return task


def search(task: Task, journal: Journal) -> SearchResult:
    """Search until there is a plan, or no hope, or a limit is reached."""
    traces: list[str] = []
    trace = None if journal.settings.observer.trace is None else traces.append
    with journal.stage("search"):
        found = journal.settings.search.run(
            task,
            **bounds(journal),
            trace=trace,
            feed=journal.settings.observer.feed,
        )
    explain_unsolvable(task, found, journal)
    if traces:
        journal.trace = found, traces[0]
    return found


def tell_trace(journal: Journal) -> None:
    """Hand over the trace of the search, if one was asked for: when it is known what became of the plan."""
    tell = journal.settings.observer.trace
    if tell is None or journal.trace is None or journal.task is None:
        return
    from banditplan.trace import text

    tell(text(journal.task, *journal.trace, journal))


def finish(task: Task, found: SearchResult, journal: Journal) -> None:
    """Note what the search found; a plan is shortened and validated before, if that is wanted."""
    before, journal.found = journal.found, found
    if found.status == "solved":
        actions = found.plan
        if journal.settings.shorten:
            generated = found.generated - (before.generated if before else 0)
            actions = shorten(task, actions, generated, journal)
        validate(task, actions, found.plan, journal)
    journal.end = found.status


def explain_unsolvable(task: Task, found: SearchResult | None, journal: Journal) -> None:
    """Note why there is no plan, if that is proved and as far as it can be said within the limits."""
    if task.solvable and (found is None or found.closest is None):
        return
    from banditplan.unsolvable.reasons import reasons

    try:
        journal.reasons = reasons(task, found, journal.limits)
    except (LimitReached, MemoryError):
        pass  # the proof stands
    except KeyboardInterrupt:
        journal.interrupted = True


def shorten(task: Task, actions: list[int], generated: int, journal: Journal) -> list[int]:
    """A plan that is not costlier, and not longer at the same cost, with some work for each state that the search
    generated; on Ctrl-C, and where there is no memory for more, as it is."""
    work = max(LEAST_WORK, generated * WORK_PER_STATE)
    limits = journal.limits
    # Half of the time that is left is for the validation.
    deadline = None if limits.deadline is None else (monotonic() + limits.deadline) / 2
    with journal.stage("shorten"):
        try:
            return _core.shorten(task, actions, work, deadline, limits.memory_kb)
        except MemoryError:
            return actions
        except KeyboardInterrupt:
            journal.interrupted = True
            return actions


def validate(task: Task, actions: list[int], found: list[int], journal: Journal) -> None:
    """Note the plan, with the verdict of a validator that knows the text alone; raises InvalidPlan. If that is cut off,
    the first plan is noted without a verdict: it is not lost."""
    plan, cost = whole(task, found)
    before = len(plan), cost
    try:
        journal.note_plan(*judged(task, actions, journal), found=before)
    except (LimitReached, MemoryError, KeyboardInterrupt):
        if journal.plan is None:
            journal.note_plan(*whole(task, actions), None, found=before)
        raise


def judged(task: Task, actions: list[int], journal: Journal) -> tuple[Plan, int, bool | None]:
    """The plan, its cost, and whether it is valid, if that is asked for; one that is not is noted, and InvalidPlan
    raised."""
    plan, cost = whole(task, actions)
    if not journal.settings.validate:
        return plan, cost, None
    from banditplan.validation import validate

    with journal.stage("validate"):
        verdict = validate(task.origin.parsed, plan, journal.limits.check)
    if not verdict.valid:
        journal.note_plan(plan, cost, False)
        raise InvalidPlan(f"the plan that was found is not valid: {verdict.reason}")
    return plan, verdict.cost, True


def whole(task: Task, actions: list[int]) -> tuple[Plan, int]:
    """The plan in actions of the text, and its cost."""
    steps = [task.action(action) for action in actions]
    return Plan(whole_actions(task.origin.chains, steps)), sum(step.cost for step in steps)


def improve(given: Input | Task, journal: Journal) -> Iterator[Result]:
    """A result for every plan, each cheaper than the one before, and a last one that tells how the search ended."""
    if journal.settings.observer.trace is not None:
        raise InputError("trace: an anytime search has none")
    if journal.settings.observer.feed is not None:
        raise InputError("search tree: an anytime search has none to show")
    return _improve(given, journal)


def _improve(given: Input | Task, journal: Journal) -> Iterator[Result]:
    search: AnytimeSearch | None = None
    while True:
        with journal.ending():
            if search is None:
                search = _core.AnytimeSearch(journal.settings.search, load(given, journal), **bounds(journal))
            _next_plan(search, journal)
        if journal.end != "solved":
            search = None
            yield journal.last_result()
            return
        yield journal.result()


def _next_plan(search: AnytimeSearch, journal: Journal) -> None:
    """The stages from the search on."""
    task = journal.task
    assert task is not None
    if journal.interrupted:
        raise KeyboardInterrupt
    with journal.stage("search"):
        found = search.next(below=journal.plan_cost)
    explain_unsolvable(task, found, journal)
    finish(task, found, journal)


def ground_only(given: Input, journal: Journal, *, landmarks: bool = False) -> Result:
    """A result that speaks of the task alone: `grounded`, or `unsolvable` where grounding proves that."""
    with journal.ending():
        _ground(given, journal, landmarks)
    return journal.last_result()


def _ground(given: Input, journal: Journal, landmarks: bool) -> None:
    task = load(given, journal)
    if landmarks:
        limits = journal.limits
        journal.landmarks = task.landmarks(deadline=limits.deadline, memory_limit_kb=limits.memory_kb)
    explain_unsolvable(task, None, journal)
    journal.end = "grounded" if task.solvable else "unsolvable"


def bounds(journal: Journal) -> Bounds:
    settings = journal.settings
    return {
        "seed": settings.seed,
        "max_evaluations": settings.max_evaluations,
        "max_expansions": settings.max_expansions,
        "deadline": journal.limits.deadline,
        "memory_limit_kb": journal.limits.memory_kb,
        "report": journal.progress(),
    }
