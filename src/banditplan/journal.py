"""What is known of a run while it goes on: how long its stages took, what they found, and how it ended."""

from __future__ import annotations

from time import monotonic

from banditplan import _core
from banditplan.limits import LimitReached, Limits
from banditplan.result import Result
from banditplan.split.split import part_counts
from banditplan.version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

    from banditplan._core import LandmarkGraph, Search, SearchResult, Task
    from banditplan.many import Found
    from banditplan.plan import Plan
    from banditplan.result import Racer, Seconds
    from banditplan.settings import Progress, Settings
    from banditplan.statuses import Status
    from banditplan.task_input import Origin

# What observers are told when a stage begins; the others are over too soon.
_ANNOUNCED = {"parse": "parsing", "ground": "grounding", "search": "preparing"}


# The last run that owns its process, which ends soon: freeing what it holds takes time and helps nobody.
_kept: Journal | None = None


class Journal:
    """Begins with the run; `result` tells at any time what is known."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.start = monotonic()
        deadline = None if settings.time_limit is None else self.start + settings.time_limit
        self.limits = Limits(deadline, settings.memory_limit_kb)
        self.domain = self.problem = ""
        self.warnings: tuple[str, ...] = ()
        self.task: Task | None = None
        self.landmarks: LandmarkGraph | None = None
        self.found: SearchResult | None = None
        self.reasons: tuple[str, ...] = ()  # why there is no plan
        self.trace: tuple[SearchResult, str] | None = None  # the lines of the core
        self.plan: Plan | None = None
        self.plan_cost: int | None = None
        self.found_length: int | None = None  # of the plan, before it was shortened
        self.found_cost: int | None = None
        self.valid: bool | None = None
        self.plans = 0
        self.others: tuple[Found, ...] = ()
        self.end: Status = "error"  # until something else is known
        self.interrupted = False
        self.stages: dict[str, float] = {}  # seconds
        self._remains: list[object] = []
        if settings.owns_process:
            global _kept
            _kept = self

    def stage(self, name: str) -> Stage:
        """A context whose time is that of the stage."""
        tell = self.settings.observer.stage
        if tell is not None and name in _ANNOUNCED and name not in self.stages:
            tell(_ANNOUNCED[name])
        return Stage(self.stages, name)

    def progress(self) -> Progress | None:
        """What a search reports to, if anybody wants to know: once it has looked at a state, it is no more prepared."""
        stage, progress = self.settings.observer.stage, self.settings.observer.progress
        if stage is None:
            return progress
        begun = False

        def told(evaluations: int, expansions: int, best_h: int | None) -> None:
            nonlocal begun
            if evaluations > 0 and not begun:
                begun = True
                stage("searching")
            if progress is not None:
                progress(evaluations, expansions, best_h)

        return told

    def ending(self) -> Ending:
        """A context in which limits and Ctrl-C are ways to end, and no errors."""
        return Ending(self)

    def note_warnings(self, warnings: tuple[str, ...]) -> None:
        self.warnings = warnings
        tell = self.settings.observer.warning
        if tell is not None:
            for warning in warnings:
                tell(warning)

    def note_task(self, task: Task) -> None:
        """The task that this run is about; what its loading took counts, even if another run did that."""
        origin: Origin = task.origin
        self.task = task
        self.domain, self.problem, self.warnings = origin.domain, origin.problem, origin.parsed.warnings
        self.stages = {**origin.seconds, **self.stages}

    def note_plan(self, plan: Plan, cost: int, valid: bool | None, found: tuple[int, int] | None = None) -> None:
        """One more plan; `found`: length and cost before it was shortened."""
        self.set_plan(plan, cost, valid, found)
        self.plans += 1

    def set_plan(self, plan: Plan, cost: int, valid: bool | None, found: tuple[int, int] | None = None) -> None:
        self.plan, self.plan_cost, self.valid = plan, cost, valid
        self.found_length, self.found_cost = found or (len(plan), cost)

    @property
    def seconds(self) -> Seconds:
        """Of each stage so far, and of the whole run."""

        search = self.stages.get("search", 0.0)  # with what was prepared for it
        prepare = None if self.found is None else self.found.prepare_seconds
        prepare = search if prepare is None else min(prepare, search)

        def stage(name: str) -> float:
            return round(self.stages.get(name, 0.0), 6)

        return {
            "parse": stage("parse"),
            "normalize": stage("normalize"),
            "ground": stage("ground"),
            "prepare": round(prepare, 6),
            "search": round(search - prepare, 6),
            "shorten": stage("shorten"),
            "validate": stage("validate"),
            "total": round(monotonic() - self.start, 6),
        }

    def result(self, end: Status | None = None) -> Result:
        """What is known now; with a plan the run is solved, however it ends, unless by an error."""
        end = end or self.end
        solved = self.plan is not None and end != "error"
        settings, task, found = self.settings, self.task, self.found
        return Result(
            status="solved" if solved else end,
            end="optimal" if solved and end == "unsolvable" else end,
            plans=self.plans,
            plan=self.plan,
            plan_length=None if self.plan is None else len(self.plan),
            plan_cost=self.plan_cost,
            found_length=self.found_length,
            found_cost=self.found_cost,
            valid=self.valid,
            evaluations=found.evaluations if found else 0,
            inserted=found.inserted if found else 0,
            expansions=found.expansions if found else 0,
            generated=found.generated if found else 0,
            dead_ends=found.dead_ends if found else 0,
            seconds=self.seconds,
            peak_memory_kb=_core.peak_memory_kb(),
            task=task.sizes if task is not None else None,
            search=repr(settings.search),
            seed=settings.seed,
            domain=self.domain,
            problem=self.problem,
            version=VERSION,
            initial_h=found.initial_h if found else None,
            best_h=found.best_h if found else None,
            limits={
                "time_limit": settings.time_limit,
                "memory_limit_kb": settings.memory_limit_kb,
                "max_evaluations": settings.max_evaluations,
                "max_expansions": settings.max_expansions,
            },
            reasons=self.reasons,
            warnings=(*self.warnings, *(found.remarks if found else ())),
            imports=settings.imports,
            race=_race(settings.search, found),
            split=part_counts(task.origin.chains) if task is not None else None,
            unit_cost=not task.origin.parsed.problem.minimize_cost if task is not None else True,
            algorithm=str(settings.search),
            history=tuple(found.history) if found else (),
            others=self.others,
        )

    def last_result(self) -> Result:
        """What is known at the end; what a run holds that was cut off is freed while the result is on its way."""
        result = self.result()
        if result.end in ("time-limit", "interrupted") and not self.settings.owns_process:
            from banditplan.remains import free_later

            items, self._remains = self._remains, []
            if self.task is not None:
                items += [self.task.origin, self.task]  # the core does not tell what its objects hold
                self.task = None
            free_later(items)
        return result

    def note_remains(self, items: list[object]) -> None:
        """What a run was at when it was cut off."""
        self._remains = items


def _race(search: Search, found: SearchResult | None) -> list[Racer] | None:
    """What each search of a race has done."""
    if isinstance(search, _core.NamedSearch):
        search = search.sentence
    if not isinstance(search, _core.Race) or found is None:
        return None
    return [
        {
            "search": repr(each),
            "status": status,
            "evaluations": evaluations,
            "expansions": expansions,
            "generated": generated,
            "decided": number == found.decided_by,
        }
        for number, (each, (status, evaluations, expansions, generated)) in enumerate(
            zip(search.searches, found.parts, strict=False)
        )
    ]


class Stage:
    """Adds the time in it to the seconds of a stage, unless the stage is cut off."""

    __slots__ = ("_begin", "_name", "_seconds")

    def __init__(self, seconds: dict[str, float], name: str) -> None:
        self._seconds = seconds
        self._name = name

    def __enter__(self) -> None:
        self._begin = monotonic()

    def __exit__(self, error: object, *_: object) -> None:
        if error is None:
            self._seconds[self._name] = self._seconds.get(self._name, 0.0) + monotonic() - self._begin


class Ending:
    """Notes that a limit or Ctrl-C has ended what is in it, and lets go on with what is known."""

    __slots__ = ("_journal",)

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: BaseException | None, traceback: TracebackType | None) -> bool:
        journal = self._journal
        match error:
            case LimitReached():
                journal.end = error.status
            case MemoryError():
                journal.end = "memory-limit"
            case KeyboardInterrupt():
                journal.end = "interrupted"
            case _:
                return False
        if journal.end != "memory-limit":  # memory is wanted back at once
            from banditplan.remains import taken_from

            journal.note_remains(taken_from(traceback))
        return True
