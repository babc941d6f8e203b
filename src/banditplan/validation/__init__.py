"""An independent judge of plans: replays the steps on the parsed task.

It shares nothing with normalisation, grounding or search, so that a mistake there cannot hide here.
"""

from __future__ import annotations

from banditplan.frozen import frozen
from banditplan.validation.replay import Replay, StepError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from banditplan.pddl.syntax import Parsed
    from banditplan.plan import Step


@frozen
class Verdict:
    """Whether a plan is valid and what it costs; otherwise the step (from 1) that fails, and why.

    `step` is None if the plan is valid and if only the goal fails. The cost of a plan that fails is the
    cost of the steps before the failure. With `unit_cost` the cost is the number of steps.
    """

    valid: bool
    cost: int
    unit_cost: bool
    step: int | None
    reason: str


def validate(parsed: Parsed, steps: Sequence[Step]) -> Verdict:
    """Replay `steps` from the initial state and check the goal."""
    unit_cost = not parsed.problem.minimize_cost
    replay = Replay(parsed)
    cost = 0
    for number, step in enumerate(steps, 1):
        try:
            cost += replay.apply(step)
        except StepError as error:
            return Verdict(False, cost, unit_cost, number, f"step {number} {step}: {error}")
    reason = replay.failing_goal()
    return Verdict(not reason, cost, unit_cost, None, reason)
