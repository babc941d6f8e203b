"""The table of contents: text → parsed → normalised → split → grounded → search → plan → validated → result."""

from __future__ import annotations

import gc
from time import monotonic

from banditplan import _core
from banditplan.components import default_search
from banditplan.ground import ground
from banditplan.limits import LimitReached, limits
from banditplan.normalize.normalize import normalize
from banditplan.pddl.errors import InputError
from banditplan.pddl.parser import parse
from banditplan.pddl.tokens import read_source
from banditplan.plan import Plan
from banditplan.record import record
from banditplan.result import Result
from banditplan.split.split import MODES, part_counts, split, whole_actions
from banditplan.version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from banditplan._core import AnytimeSearch, Search, SearchResult, Task
    from banditplan.pddl.errors import Source
    from banditplan.pddl.syntax import Parsed
    from banditplan.result import Seconds, Status
    from banditplan.split.chain import Chain
    from banditplan.split.split import Mode

    Report = Callable[[int, int, int | None], None]


@record
class Origin:
    """What a task was made from, and how long that took."""

    parsed: Parsed
    chains: tuple[Chain, ...]
    domain: str
    problem: str
    seconds: dict[str, float]


class InvalidPlan(Exception):
    """A search returned a plan that the validator rejects: a bug in banditplan."""


class Stopwatch:
    """Measures named stages."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._begin = monotonic()

    def lap(self, stage: str) -> None:
        now = monotonic()
        self.seconds[stage] = self.seconds.get(stage, 0.0) + now - self._begin
        self._begin = now

    def go_on(self) -> None:
        """What was done since the last lap belongs to no stage."""
        self._begin = monotonic()


class Run:
    """One run through all stages. What was reached when a limit or Ctrl-C strikes is in its result."""

    def __init__(
        self,
        *,
        search: Search | str | None = None,
        seed: int = 0,
        time_limit: float | str | None = None,
        memory_limit: int | str | None = None,
        max_evaluations: int | None = None,
        max_expansions: int | None = None,
        validate: bool = True,
        shorten: bool = False,
        prune_mutex: bool = True,
        split: Mode = "auto",
        keep_irrelevant: bool = False,
        report: Report | None = None,
        trace: Callable[[str], None] | None = None,
        warn: Callable[[str], None] | None = None,
        stage: Callable[[str], None] | None = None,
        alarm: Callable[[float | None], AbstractContextManager[None]] | None = None,
    ) -> None:
        """`trace` gets the record of a tree search, `warn` warnings, `stage` the names of the stages; `alarm` guards
        the stages in Python. `keep_irrelevant` grounds facts and actions, too, that do not matter for the goal.
        """
        self.start = monotonic()
        self.limits = limits(time_limit, memory_limit, self.start)
        self.search = _search(search)
        self.seed = _natural(seed, "seed", 0, 2**64 - 1)
        self.max_evaluations = None if max_evaluations is None else _natural(max_evaluations, "max_evaluations", 1)
        self.max_expansions = None if max_expansions is None else _natural(max_expansions, "max_expansions", 1)
        self.validates = validate
        self.shortens = shorten
        self.prune_mutex = prune_mutex
        self.split = _split_mode(split)
        self.keep_irrelevant = keep_irrelevant
        self.report = report
        self.trace = trace
        if trace is not None and not isinstance(self.search, _core.Guct):
            raise InputError(f"trace: only a tree search such as guct-normal2 has one, not {self.search!r}")
        self.warn = warn or _ignore
        self.stage = stage or _ignore
        self.alarm = alarm
        self.domain = self.problem = ""
        self.task: Task | None = None
        self.found: SearchResult | None = None
        self.plan: Plan | None = None
        self.plan_cost: int | None = None
        self.valid: bool | None = None
        self.plans_found = 0
        self.interrupted = False
        self.loading: dict[str, float] = {}
        self.watch = Stopwatch()

    def files(self, domain: str, problem: str) -> Result:
        """From two files to a result."""
        return self._ended(lambda: self._solve(self.load(domain, problem)))

    def built(self, build: Callable[[], Parsed], name: str) -> Result:
        """From a function that builds a parsed task in memory to a result."""
        return self._ended(lambda: self._solve(self.load_built(build, name)))

    def texts(self, domain: Source, problem: Source) -> Result:
        """From two texts to a result."""
        self.domain, self.problem = domain.name, problem.name
        return self._ended(lambda: self._solve(self._load(lambda: parse(domain, problem))))

    def loaded(self, task: Task) -> Result:
        """From a task that was loaded before to a result."""
        return self._ended(lambda: self._solve(self.reload(task)))

    def plans(self, load: Callable[[], Task]) -> Iterator[Result]:
        """From a task that `load` or `reload` gives to a result for every plan, each cheaper than the one before, and
        a last result that tells how the search ended.
        """
        if not isinstance(self.search, _core.Guct):
            raise InputError(
                f"anytime: only a tree search such as guct-normal2 goes on after a plan, not {self.search!r}"
            )
        if self.trace is not None:
            raise InputError("trace: an anytime search has none")
        return self._improve(load)

    def grounded(self, domain: str, problem: str) -> Result:
        """From two files to a result that speaks of the task alone: `exhausted`, as nothing is searched."""
        return self._ended(lambda: "exhausted" if self.load(domain, problem).solvable else "unsolvable")

    def load(self, domain: str, problem: str) -> Task:
        """From two files to a task; limits raise LimitReached."""
        self.domain, self.problem = domain, problem
        return self._load(lambda: parse(read_source(domain), read_source(problem)))

    def load_built(self, build: Callable[[], Parsed], name: str) -> Task:
        """From a function that builds a parsed task in memory to a task; limits raise LimitReached."""
        self.domain = self.problem = name
        return self._load(build)

    def reload(self, task: Task) -> Task:
        """The same task that was loaded before."""
        origin: Origin = task.origin
        self.domain, self.problem, self.loading = origin.domain, origin.problem, origin.seconds
        self.task = task
        return task

    # ---- the stages

    def _load(self, read: Callable[[], Parsed]) -> Task:
        # A large task makes millions of objects, none of them garbage: collections would double the time.
        collecting = gc.isenabled()
        gc.disable()
        try:
            if self.alarm is None:
                return self._load_stages(read)
            with self.alarm(self.limits.deadline):
                return self._load_stages(read)
        finally:
            if collecting:
                gc.enable()

    def _load_stages(self, read: Callable[[], Parsed]) -> Task:
        self.stage("parsing")
        parsed = read()
        for warning in parsed.warnings:
            self.warn(warning)
        self._lap("parse")
        parts = split(normalize(parsed), self.split)
        self._lap("normalize")
        self.stage("grounding")
        task = ground(parts.task, self.limits, prune_mutex=self.prune_mutex, keep_irrelevant=self.keep_irrelevant)
        self._lap("ground")
        task.origin = Origin(parsed, parts.chains, self.domain, self.problem, dict(self.watch.seconds))
        self.task = task
        return task

    def _solve(self, task: Task) -> Status:
        self.stage("searching")
        traces: list[str] = []
        self.found = self.search.run(
            task,
            seed=self.seed,
            max_evaluations=self.max_evaluations,
            max_expansions=self.max_expansions,
            deadline=self.limits.deadline,
            memory_limit_kb=self.limits.memory_kb,
            report=self.report,
            trace=None if self.trace is None else traces.append,
        )
        self.watch.lap("search")
        if self.trace is not None:
            from banditplan.trace import header

            self.trace(header(self) + traces[0])
        return self._take(task, self.found)

    def _improve(self, load: Callable[[], Task]) -> Iterator[Result]:
        search: AnytimeSearch | None = None

        def next_plan() -> Status:
            nonlocal search
            if search is None:
                search = self._anytime_search(load())
            if self.interrupted:
                return "interrupted"
            assert self.task is not None
            self.found = search.next(below=self.plan_cost)
            self.watch.lap("search")
            return self._take(self.task, self.found)

        while (status := self._status(next_plan)) == "solved":
            yield self.result(status)
            self.watch.go_on()
        yield self.result(status)

    def _anytime_search(self, task: Task) -> AnytimeSearch:
        self.stage("searching")
        assert isinstance(self.search, _core.Guct)
        return _core.AnytimeSearch(
            self.search,
            task,
            seed=self.seed,
            max_evaluations=self.max_evaluations,
            max_expansions=self.max_expansions,
            deadline=self.limits.deadline,
            memory_limit_kb=self.limits.memory_kb,
            report=self.report,
        )

    def _take(self, task: Task, found: SearchResult) -> Status:
        """If the search found a plan, it goes through the last stages."""
        if found.status == "solved":
            self._accept(task, self._shortened(task, found.plan) if self.shortens else found.plan)
        return found.status

    def _shortened(self, task: Task, actions: list[int]) -> list[int]:
        try:
            return _core.shorten(task, actions, self.limits.deadline, self.limits.memory_kb)
        except KeyboardInterrupt:
            self.interrupted = True  # but first the plan that there is
            return actions
        finally:
            self.watch.lap("shorten")

    def _accept(self, task: Task, actions: list[int]) -> None:
        steps = [task.action(action) for action in actions]
        plan = Plan(whole_actions(task.origin.chains, steps))
        cost, verdict = sum(step.cost for step in steps), None
        if self.validates:
            from banditplan.validate import validate

            verdict = validate(task.origin.parsed, plan)
            self.watch.lap("validate")
        self.plan, self.plan_cost, self.valid = plan, cost, None if verdict is None else verdict.valid
        self.plans_found += 1
        if verdict and not verdict.valid:
            raise InvalidPlan(f"the plan that was found is not valid: {verdict.reason}")
        if verdict:
            self.plan_cost = verdict.cost

    def _lap(self, stage: str) -> None:
        self.watch.lap(stage)
        self.limits.check()

    # ---- the result

    def _ended(self, stages: Callable[[], Status]) -> Result:
        return self.result(self._status(stages))

    def _status(self, stages: Callable[[], Status]) -> Status:
        try:
            return stages()
        except LimitReached as reached:
            return reached.status
        except MemoryError:
            return "memory-limit"
        except KeyboardInterrupt:
            return "interrupted"

    def result(self, end: Status) -> Result:
        """What is known now, if the run ends in the given way: with a plan it is solved, however it ends."""
        found = self.found
        solved = self.plan is not None and end != "error"
        return Result(
            status="solved" if solved else end,
            end="optimal" if solved and end == "unsolvable" else end,
            plans=self.plans_found,
            plan=self.plan,
            plan_cost=self.plan_cost,
            valid=self.valid,
            evaluations=found.evaluations if found else 0,
            inserted=found.inserted if found else 0,
            expansions=found.expansions if found else 0,
            generated=found.generated if found else 0,
            dead_ends=found.dead_ends if found else 0,
            seconds=self._seconds(),
            peak_memory_kb=_core.peak_memory_kb(),
            task=self.task.sizes if self.task is not None else None,
            split=part_counts(self.task.origin.chains) if self.task is not None else None,
            search=repr(self.search),
            seed=self.seed,
            domain=self.domain,
            problem=self.problem,
            version=VERSION,
            initial_h=found.initial_h if found else None,
            best_h=found.best_h if found else None,
            unit_cost=not self.task.origin.parsed.problem.minimize_cost if self.task is not None else True,
            algorithm=str(self.search),
            history=tuple(found.history) if found else (),
        )

    def _seconds(self) -> Seconds:
        known = {**self.loading, **self.watch.seconds}

        def stage(name: str) -> float:
            return round(known.get(name, 0.0), 6)

        return {
            "parse": stage("parse"),
            "normalize": stage("normalize"),
            "ground": stage("ground"),
            "search": stage("search"),
            "shorten": stage("shorten"),
            "validate": stage("validate"),
            "total": round(monotonic() - self.start, 6),
        }


def _ignore(text: str) -> None:
    pass


def _search(search: Search | str | None) -> Search:
    if search is None:
        return default_search()
    if isinstance(search, str):
        from banditplan.spec import parse_search

        return parse_search(search)
    if not isinstance(search, _core.Search):
        raise InputError(f"search: expected a search or its text, not {search!r}")
    return search


def _split_mode(mode: Mode) -> Mode:
    if mode not in MODES:
        raise InputError(f"split: expected one of {', '.join(MODES)}, not {mode!r}")
    return mode


def _natural(value: int, what: str, least: int, most: int = 2**62) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise InputError(f"{what}: expected a whole number from {least} to {most}, not {value!r}")
    return value
