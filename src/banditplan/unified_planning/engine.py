"""The engines: a planner that is also an anytime planner and a simulator, and one whose plans are optimal."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import IO, TYPE_CHECKING, Any

import unified_planning as up
from unified_planning.engines import Credits, PlanGenerationResult
from unified_planning.engines import Engine as UpEngine
from unified_planning.engines.mixins.anytime_planner import AnytimeGuarantee, AnytimePlannerMixin
from unified_planning.engines.mixins.oneshot_planner import OneshotPlannerMixin, OptimalityGuarantee
from unified_planning.engines.mixins.plan_repairer import PlanRepairerMixin
from unified_planning.engines.mixins.replanner import ReplannerMixin
from unified_planning.engines.mixins.sequential_simulator import SequentialSimulatorMixin
from unified_planning.engines.results import PlanGenerationResultStatus as Outcome
from unified_planning.exceptions import UPProblemDefinitionError, UPUsageError
from unified_planning.model import FNode, ProblemKind
from unified_planning.plans import PlanKind

from banditplan import _core
from banditplan.components import heuristic_search
from banditplan.components.spec import parse_heuristic
from banditplan.errors import InputError
from banditplan.journal import Journal
from banditplan.pipeline import InvalidPlan, improve, solve
from banditplan.settings import Observer, read_search, settings
from banditplan.unified_planning.outcomes import failed, generated
from banditplan.unified_planning.problem import KIND, NAME, OPTIMAL_NAME, UnsupportedFeature
from banditplan.unified_planning.repair import repair
from banditplan.unified_planning.simulation import Simulation, as_input
from banditplan.unified_planning.state import State, View
from banditplan.unified_planning.translation import Translation
from banditplan.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    Heuristic: TypeAlias = Callable[[up.model.State], float | None]


class Planner(UpEngine, OneshotPlannerMixin, PlanRepairerMixin, ReplannerMixin):
    """What both engines do: plan, repair a plan, and plan again when the problem has changed."""

    NAME = NAME
    OPTIMAL = False  # whether every plan is the best by the quality metric, if there is one

    def __init__(
        self,
        problem: up.model.AbstractProblem | None,
        error_on_failed_checks: bool,
        search: _core.Search,
        seed: int,
        memory_limit: int | str | None,
    ) -> None:
        UpEngine.__init__(self)
        OneshotPlannerMixin.__init__(self)
        PlanRepairerMixin.__init__(self)
        if problem is not None:
            ReplannerMixin.__init__(self, problem, error_on_failed_checks)
        self._search = search
        self._steered = search  # if `solve` is given a heuristic
        self._seed = seed
        self._memory_limit = memory_limit
        self._last_plan: up.plans.Plan | None = None  # of `resolve`

    @property
    def name(self) -> str:
        return self.NAME

    @classmethod
    def satisfies(cls, optimality_guarantee: OptimalityGuarantee) -> bool:
        return cls.OPTIMAL or optimality_guarantee == OptimalityGuarantee.SATISFICING

    @staticmethod
    def supported_kind() -> ProblemKind:
        return KIND.clone()

    @staticmethod
    def supports(problem_kind: ProblemKind) -> bool:
        return bool(problem_kind <= KIND)

    @staticmethod
    def supports_plan(plan_kind: PlanKind) -> bool:
        return bool(plan_kind == PlanKind.SEQUENTIAL_PLAN)

    @classmethod
    def get_credits(cls, **_: Any) -> Credits:
        about = "An agile planner that searches with bandits."
        return Credits(f"{cls.NAME} {VERSION}", "the banditplan developers", "", "", "Apache-2.0", about, about)

    # ---- planner

    def _solve_with_params(
        self,
        problem: up.model.AbstractProblem,
        heuristic: Heuristic | None = None,
        timeout: float | None = None,
        output_stream: IO[str] | None = None,
        warm_start_plan: up.plans.Plan | None = None,
        **others: Any,
    ) -> PlanGenerationResult:
        _refuse(warm_start_plan, others)
        return self._solve(problem, heuristic, timeout, output_stream)

    def _solve(
        self,
        problem: up.model.AbstractProblem,
        heuristic: Heuristic | None = None,
        timeout: float | None = None,
        output_stream: IO[str] | None = None,
    ) -> PlanGenerationResult:
        return next(self._outcomes(problem, timeout, output_stream, heuristic=heuristic))

    def _outcomes(
        self,
        problem: up.model.AbstractProblem,
        timeout: float | None,
        output_stream: IO[str] | None,
        *,
        anytime: bool = False,
        heuristic: Heuristic | None = None,
        old: up.plans.Plan | None = None,
    ) -> Iterator[PlanGenerationResult]:
        """`old` is a plan for a problem like this one, of which as much as possible shall be kept."""
        if timeout is not None and timeout <= 0:
            yield PlanGenerationResult(Outcome.TIMEOUT, None, self.NAME, {}, [])
            return
        views: list[View] = []

        def value(state: _core.State) -> float | None:
            assert heuristic is not None
            if not views:  # the first state: now there is a task
                assert journal.task is not None
                views.append(View(translation, journal.task))
            return heuristic(State(views[0], state))

        journal = Journal(
            settings(
                search=self._search if heuristic is None else _guided(self._steered, value),
                seed=self._seed,
                time_limit=timeout,
                memory_limit=self._memory_limit,
                keep_irrelevant=heuristic is not None,
                split="auto" if heuristic is None and old is None else "never",
                observer=_observer(output_stream),
            )
        )
        try:
            translation = Translation(problem, journal.limits.check)
            given = as_input(problem, translation)
            steps = None if old is None else translation.steps(old)
            if steps is not None:
                results = iter((repair(given, steps, journal),))
            else:
                results = improve(given, journal) if anytime else iter((solve(given, journal),))
            for result in results:
                if result.end == "interrupted":
                    raise KeyboardInterrupt
                if output_stream is not None:
                    output_stream.write(f"{result.status}: {result.explanation}\n")
                intermediate = anytime and result.end == "solved"
                yield generated(result, translation, self.NAME, intermediate=intermediate, optimal=self.OPTIMAL)
        except UnsupportedFeature as feature:
            yield failed(Outcome.UNSUPPORTED_PROBLEM, self.NAME, f"{self.NAME} does not support {feature}")
        except InvalidPlan as error:
            yield failed(Outcome.INTERNAL_ERROR, self.NAME, str(error))
        except InputError as error:
            raise UPProblemDefinitionError(error.message) from None

    # ---- plan repairer and replanner

    def _repair(self, problem: up.model.AbstractProblem, plan: up.plans.Plan) -> PlanGenerationResult:
        return next(self._outcomes(problem, None, None, old=None if self.OPTIMAL else plan))

    def _resolve(self, timeout: float | None = None, output_stream: IO[str] | None = None) -> PlanGenerationResult:
        """The plan of the last time is kept as far as it still works."""
        old = None if self.OPTIMAL else self._last_plan
        result = next(self._outcomes(self._problem, timeout, output_stream, old=old))
        self._last_plan = result.plan or self._last_plan
        return result

    def _update_initial_value(self, fluent: Any, value: Any) -> None:
        self._problem.set_initial_value(fluent, value)

    def _add_goal(self, goal: Any) -> None:
        self._problem.add_goal(goal)

    def _remove_goal(self, goal: Any) -> None:
        (expression,) = self._problem.environment.expression_manager.auto_promote(goal)
        goals = list(self._problem.goals)
        if expression not in goals:
            self._complain(f"the problem has no goal {expression}")
        self._problem.clear_goals()
        for each in goals:
            if each != expression:
                self._problem.add_goal(each)

    def _add_action(self, action: up.model.Action) -> None:
        self._problem.add_action(action)

    def _remove_action(self, name: str) -> None:
        actions = list(self._problem.actions)
        if all(each.name != name for each in actions):
            self._complain(f"the problem has no action {name}")
        self._problem.clear_actions()
        for each in actions:
            if each.name != name:
                self._problem.add_action(each)

    def _complain(self, text: str) -> None:
        if self.skip_checks:
            return
        if self._error_on_failed_checks:
            raise UPUsageError(text)
        warnings.warn(text, stacklevel=4)


class OptimalEngine(Planner):
    """banditplan for Unified Planning, with A*: every plan is the best one by the problem's quality metric."""

    NAME = OPTIMAL_NAME
    OPTIMAL = True

    def __init__(
        self,
        problem: up.model.AbstractProblem | None = None,
        error_on_failed_checks: bool = True,
        seed: int = 0,
        memory_limit: int | str | None = None,
    ) -> None:
        with _usage():
            settings(seed=seed, memory_limit=memory_limit)  # complains about what will not do
        super().__init__(problem, error_on_failed_checks, read_search("astar"), seed, memory_limit)


class Engine(Planner, AnytimePlannerMixin, SequentialSimulatorMixin):
    """banditplan for Unified Planning: a planner and, if it is made with a problem, a simulator and a replanner."""

    def __init__(
        self,
        problem: up.model.AbstractProblem | None = None,
        error_on_failed_checks: bool = True,
        search: _core.Search | str | None = None,
        heuristic: _core.Heuristic | str | None = None,
        seed: int = 0,
        memory_limit: int | str | None = None,
    ) -> None:
        """`search` and `heuristic` are components or their texts; `heuristic` replaces the one of the search."""
        with _usage():
            settings(search=search, seed=seed, memory_limit=memory_limit)  # complains about what will not do
            chosen = heuristic_search() if search is None and heuristic is not None else read_search(search)
            if heuristic is not None:
                chosen = _with_heuristic(chosen, _heuristic(heuristic))
        super().__init__(problem, error_on_failed_checks, chosen, seed, memory_limit)
        if search is None:
            self._steered = heuristic_search()
        self._simulated = problem

    # ---- anytime planner

    @staticmethod
    def ensures(anytime_guarantee: AnytimeGuarantee) -> bool:
        return anytime_guarantee == AnytimeGuarantee.INCREASING_QUALITY

    def _get_solutions_with_params(
        self,
        problem: up.model.AbstractProblem,
        timeout: float | None = None,
        output_stream: IO[str] | None = None,
        warm_start_plan: up.plans.Plan | None = None,
        **others: Any,
    ) -> Iterator[PlanGenerationResult]:
        _refuse(warm_start_plan, others)
        return self._get_solutions(problem, timeout, output_stream)

    def _get_solutions(
        self, problem: up.model.AbstractProblem, timeout: float | None = None, output_stream: IO[str] | None = None
    ) -> Iterator[PlanGenerationResult]:
        """Cheaper and cheaper plans as intermediate results; the last result has the best plan again."""
        return self._outcomes(problem, timeout, output_stream, anytime=True)

    # ---- simulator

    @cached_property
    def _walks(self) -> Simulation:
        """Made when it is first used: a replanner does without."""
        if self._simulated is None:
            raise UPUsageError(f"{NAME} simulates the problem that it is made with; there is none")
        return Simulation(self._simulated, self._memory_limit)

    def _get_initial_state(self) -> State:
        return self._walks.initial_state

    def _is_applicable(self, state: up.model.State, action: up.model.Action, parameters: tuple[FNode, ...]) -> bool:
        return self._walks.apply(state, action, parameters) is not None

    def _apply(self, state: up.model.State, action: up.model.Action, parameters: tuple[FNode, ...]) -> State | None:
        return self._walks.apply(state, action, parameters)

    def _get_applicable_actions(self, state: up.model.State) -> Iterator[tuple[up.model.Action, tuple[FNode, ...]]]:
        return self._walks.applicable(state)

    def _is_goal(self, state: up.model.State) -> bool:
        return self._walks.is_goal(state)


@contextmanager
def _usage() -> Iterator[None]:
    """What is wrong with parameters, as Unified Planning says it."""
    try:
        yield
    except (InputError, TypeError) as error:
        raise UPUsageError(str(error)) from None


def _heuristic(given: _core.Heuristic | str) -> _core.Heuristic:
    return parse_heuristic(given) if isinstance(given, str) else given


def _guided(search: _core.Search, heuristic: Callable[[_core.State], float | None]) -> _core.Search:
    """The search with a heuristic on single states."""

    def values(states: _core.States) -> list[float | None]:
        return [heuristic(states[index]) for index in range(len(states))]

    with _usage():
        return _with_heuristic(search, values)


def _with_heuristic(search: Any, heuristic: Any) -> _core.Search:
    guided: _core.Search = search.with_options(heuristic=heuristic)
    return guided


def _observer(output_stream: IO[str] | None) -> Observer:
    """Tells on a stream, if there is one, how a run goes on."""
    if output_stream is None:
        return Observer()

    def progress(evaluations: int, expansions: int, best_h: int | None) -> None:
        output_stream.write(f"{evaluations:,} evaluations, {expansions:,} expansions, best h {best_h}\n")

    def stage(name: str) -> None:
        output_stream.write(f"{name}\n")

    return Observer(progress=progress, stage=stage)


def _refuse(warm_start_plan: up.plans.Plan | None, others: dict[str, Any]) -> None:
    if warm_start_plan is not None:
        warnings.warn(f"{NAME} does not use warm_start_plan", stacklevel=4)
    if others:
        raise UPUsageError(f"{NAME} has no parameter {', '.join(others)} of solve")
