"""Results of the planner → results of Unified Planning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unified_planning.engines import LogLevel, LogMessage, PlanGenerationResult
from unified_planning.engines.results import PlanGenerationResultStatus as Outcome

if TYPE_CHECKING:
    from banditplan.result import Result
    from banditplan.unified_planning.translation import Translation

OUTCOMES = {
    "solved": Outcome.SOLVED_SATISFICING,
    "unsolvable": Outcome.UNSOLVABLE_PROVEN,
    "exhausted": Outcome.UNSOLVABLE_INCOMPLETELY,
    "time-limit": Outcome.TIMEOUT,
    "memory-limit": Outcome.MEMOUT,
}


def generated(
    result: Result, translation: Translation, name: str, *, intermediate: bool, optimal: bool
) -> PlanGenerationResult:
    """`optimal` tells that the search finds no plan that is not. Without a quality metric nothing is called optimal,
    and with several metrics the search is about one of them."""
    outcome = OUTCOMES[result.status]
    if intermediate:
        outcome = Outcome.INTERMEDIATE
    elif (result.optimal or (optimal and result.solved)) and len(translation.problem.quality_metrics) == 1:
        outcome = Outcome.SOLVED_OPTIMALLY
    seconds = result.seconds
    metrics = {
        "engine_internal_time": f"{seconds['total'] - seconds['parse']:.6f}",
        "translation_time": f"{seconds['parse']:.6f}",
        "evaluations": str(result.evaluations),
        "expansions": str(result.expansions),
        "generated": str(result.generated),
        "search": result.search,
        "seed": str(result.seed),
    }
    plan = None if result.plan is None else translation.plan(result.plan)
    message = LogMessage(LogLevel.INFO, f"{result.status}: {result.explanation}")
    return PlanGenerationResult(outcome, plan, name, metrics, [message])


def failed(outcome: Outcome, name: str, text: str) -> PlanGenerationResult:
    return PlanGenerationResult(outcome, None, name, {}, [LogMessage(LogLevel.ERROR, text)])
