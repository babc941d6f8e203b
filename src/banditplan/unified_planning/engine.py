"""The engine: a planner, an anytime planner, and a simulator."""

from __future__ import annotations

import warnings
from typing import IO, TYPE_CHECKING, Any

import unified_planning as up
from unified_planning.engines import Credits, PlanGenerationResult
from unified_planning.engines import Engine as UpEngine
from unified_planning.engines.mixins.anytime_planner import AnytimeGuarantee, AnytimePlannerMixin
from unified_planning.engines.mixins.oneshot_planner import OneshotPlannerMixin
from unified_planning.engines.mixins.sequential_simulator import SequentialSimulatorMixin
from unified_planning.engines.results import PlanGenerationResultStatus as Outcome
from unified_planning.exceptions import UPProblemDefinitionError, UPUsageError
from unified_planning.model import FNode, ProblemKind

from banditplan import _core
from banditplan.components.spec import parse_list
from banditplan.errors import InputError
from banditplan.journal import Journal
from banditplan.pipeline import InvalidPlan, improve, load, solve
from banditplan.settings import Observer, read_search, settings
from banditplan.task_input import Input
from banditplan.unified_planning.outcomes import failed, generated
from banditplan.unified_planning.problem import KIND, NAME, UnsupportedFeature
from banditplan.unified_planning.state import State, View
from banditplan.unified_planning.translation import Translation
from banditplan.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    Heuristic: TypeAlias = Callable[[up.model.State], float | None]


class Engine(UpEngine, OneshotPlannerMixin, AnytimePlannerMixin, SequentialSimulatorMixin):
    """banditplan for Unified Planning: a planner and, if it is made with a problem, a simulator."""

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
        UpEngine.__init__(self)
        OneshotPlannerMixin.__init__(self)
        try:
            settings(search=search, seed=seed, memory_limit=memory_limit)  # complains about what will not do
            self._search = read_search(search)
            if heuristic is not None:
                self._search = _with_heuristic(self._search, _heuristic(heuristic))
        except (InputError, TypeError) as error:
            raise UPUsageError(str(error)) from None
        self._seed = seed
        self._memory_limit = memory_limit
        if problem is not None:
            SequentialSimulatorMixin.__init__(self, problem, error_on_failed_checks)
            self._prepare(problem)

    @property
    def name(self) -> str:
        return NAME

    @staticmethod
    def supported_kind() -> ProblemKind:
        return KIND.clone()

    @staticmethod
    def supports(problem_kind: ProblemKind) -> bool:
        return bool(problem_kind <= KIND)

    @staticmethod
    def get_credits(**_: Any) -> Credits:
        about = "An agile planner that searches with bandits."
        return Credits(f"{NAME} {VERSION}", "the banditplan developers", "", "", "Apache-2.0", about, about)

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

    def _outcomes(
        self,
        problem: up.model.AbstractProblem,
        timeout: float | None,
        output_stream: IO[str] | None,
        *,
        anytime: bool = False,
        heuristic: Heuristic | None = None,
    ) -> Iterator[PlanGenerationResult]:
        if timeout is not None and timeout <= 0:
            yield PlanGenerationResult(Outcome.TIMEOUT, None, NAME, {}, [])
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
                search=self._search if heuristic is None else _guided(self._search, value),
                seed=self._seed,
                time_limit=timeout,
                memory_limit=self._memory_limit,
                keep_irrelevant=heuristic is not None,
                split="never" if heuristic is not None else "auto",
                observer=_observer(output_stream),
            )
        )
        try:
            translation = Translation(problem, journal.limits.check)
            given = _input(problem, translation)
            for result in improve(given, journal) if anytime else (solve(given, journal),):
                if result.end == "interrupted":
                    raise KeyboardInterrupt
                if output_stream is not None:
                    output_stream.write(f"{result.status}: {result.explanation}\n")
                yield generated(result, translation, intermediate=anytime and result.end == "solved")
        except UnsupportedFeature as feature:
            yield failed(Outcome.UNSUPPORTED_PROBLEM, f"{NAME} does not support {feature}")
        except InvalidPlan as error:
            yield failed(Outcome.INTERNAL_ERROR, str(error))
        except InputError as error:
            raise UPProblemDefinitionError(error.message) from None

    # ---- simulator

    def _prepare(self, problem: up.model.AbstractProblem) -> None:
        journal = Journal(settings(memory_limit=self._memory_limit, keep_irrelevant=True, split="never"))
        try:
            self._translation = Translation(problem)
            self._task = load(_input(problem, self._translation), journal)
        except UnsupportedFeature as feature:
            raise UPUsageError(f"{NAME} does not support {feature}") from None
        except InputError as error:
            raise UPProblemDefinitionError(error.message) from None
        self._view = View(self._translation, self._task)
        self._ground: dict[tuple[str, tuple[str, ...]], list[_core.GroundAction]] = {}
        for action in self._task.actions:
            self._ground.setdefault((action.name, action.arguments), []).append(action)

    def _get_initial_state(self) -> State:
        return State(self._view, self._task.initial_state)

    def _is_applicable(self, state: up.model.State, action: up.model.Action, parameters: tuple[FNode, ...]) -> bool:
        return self._apply(state, action, parameters) is not None

    def _apply(self, state: up.model.State, action: up.model.Action, parameters: tuple[FNode, ...]) -> State | None:
        name = self._translation.actions.get(action)
        if name is None:
            raise UPUsageError(f"the action {action.name} does not belong to the problem")
        # A disjunctive precondition makes several ground actions of the same name, with the same effects.
        for ground in self._ground.get((name, self._translation.terms(parameters, {})), ()):
            try:
                return State(self._view, self._task.apply(_ours(state).ground, ground))
            except ValueError:
                continue
        return None

    def _get_applicable_actions(self, state: up.model.State) -> Iterator[tuple[up.model.Action, tuple[FNode, ...]]]:
        named = {(each.name, each.arguments): each for each in self._task.applicable(_ours(state).ground)}
        return map(self._translation.instance, named.values())

    def _is_goal(self, state: up.model.State) -> bool:
        return self._task.is_goal(_ours(state).ground)


def _heuristic(given: _core.Heuristic | str) -> _core.Heuristic:
    if not isinstance(given, str):
        return given
    found = parse_list(given, _core.Heuristic, "heuristic", "hadd")
    if len(found) != 1:
        raise InputError(f'heuristic "{given}": expected one heuristic, such as hadd')
    return found[0]


def _ours(state: up.model.State) -> State:
    if not isinstance(state, State):
        raise UPUsageError(f"{NAME} simulates its own states, as from get_initial_state, not a {type(state).__name__}")
    return state


def _input(problem: up.model.AbstractProblem, translation: Translation) -> Input:
    name = problem.name or NAME
    return Input(name, name, lambda check: translation.parsed())


def _guided(search: _core.Search, heuristic: Callable[[_core.State], float | None]) -> _core.Search:
    """The search with a heuristic on single states."""

    def values(states: _core.States) -> list[float | None]:
        return [heuristic(states[index]) for index in range(len(states))]

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
