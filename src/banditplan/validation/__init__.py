"""An independent judge of plans: replays the steps on the parsed task.

It shares nothing with normalisation, grounding or search, so that a mistake there cannot hide here.
"""

from __future__ import annotations

from banditplan.checks import unchecked
from banditplan.frozen import frozen
from banditplan.validation.explain import not_holding
from banditplan.validation.replay import Replay, StepError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from banditplan.checks import Check
    from banditplan.pddl.syntax import Parsed
    from banditplan.plan import Step


@frozen
class Verdict:
    """Whether a plan is valid and what it costs; otherwise what fails, and why.

    `step` (from 1) and `action` are None if the plan is valid and if only the goal fails. `conditions` are the smallest
    parts of the precondition or goal that do not hold, in PDDL; there are none if the step is no action of the task at
    all, as `reason` tells. `state` are the facts before the failing step, or after the last one if the goal fails; None
    if the plan is valid. The cost of a plan that fails is the cost of the steps before the failure. With `unit_cost`
    the cost is the number of steps.
    """

    valid: bool
    cost: int
    unit_cost: bool
    step: int | None = None
    reason: str = ""
    action: Step | None = None
    conditions: tuple[str, ...] = ()
    state: tuple[str, ...] | None = None


def validate(parsed: Parsed, steps: Sequence[Step], check: Check = unchecked) -> Verdict:
    """Replay `steps` from the initial state and check the goal."""
    unit_cost = not parsed.problem.minimize_cost
    replay = Replay(parsed, check)
    cost = 0
    for number, step in enumerate(steps, 1):
        check()
        try:
            cost += replay.apply(step)
        except StepError as error:
            reason = f"step {number} {step}: {error}"
            return Verdict(False, cost, unit_cost, number, reason, step, error.conditions, replay.state())
    failing = replay.failing_goal()
    if not failing:
        return Verdict(True, cost, unit_cost)
    reason = f"{not_holding('goal', failing)} after the last step"
    return Verdict(False, cost, unit_cost, None, reason, conditions=failing, state=replay.state())
