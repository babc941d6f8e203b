"""Why a task cannot be solved: the goals that cannot be reached even if nothing is ever undone, and the chain of facts
that nothing achieves, down to the first missing one.

The analysis ignores deletes, but not negative conditions. All that it says is true of the task; what it cannot see,
such as two goals that exclude each other, it does not speak of.
"""

from __future__ import annotations

from banditplan.frozen import frozen
from banditplan.grounding import reachable
from banditplan.limits import Limits
from banditplan.normalize.normalize import normalize
from banditplan.pddl.syntax import Parsed
from banditplan.split.split import split
from banditplan.unsolvable.patterns import Atoms, Binding, Pattern, TooMuch
from banditplan.unsolvable.positive import positive
from banditplan.unsolvable.proof import Proof, Prover
from banditplan.unsolvable.ways import Ways
from banditplan.unsolvable.words import Words, listed

BY_EXCLUSION = (
    "no way to the goal is left: its conditions, or those of the actions that could lead there, exclude each other or "
    "contradict what always holds"
)
UNKNOWN = "each goal can be reached if nothing is ever undone; that is no proof that there is a plan"
MOST_GOALS = 20  # for which proofs are compared

TYPE_CHECKING = False
if TYPE_CHECKING:
    from banditplan._core import Task


@frozen
class Reason:
    """A fact that cannot be reached, why in a sentence, and what it would take: pairs of an action ("" for the rule of
    a derived predicate) and the fact that it lacks ("" where its conditions exclude each other). Nothing achieves a
    fact without such pairs."""

    fact: str
    text: str
    needs: tuple[tuple[str, str], ...]


@frozen
class Unsolvable:
    """What is known of a task's goal. `proved`: there is no plan. `goals` are those that cannot be reached, by
    themselves; `reasons` explain one of them, each by the next ones. `lines` say it all; `str()` joins them."""

    proved: bool
    goals: tuple[str, ...]
    reasons: tuple[Reason, ...]
    lines: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join(self.lines)


def of_task(task: Task, limits: Limits) -> Unsolvable:
    """What grounding and this analysis know of a task; raises LimitReached."""
    found = explain(task.origin.parsed, limits)
    if found is not None:
        return found
    if not task.solvable:
        return Unsolvable(True, (), (), (BY_EXCLUSION,))
    return Unsolvable(False, (), (), (UNKNOWN,))


def explain(parsed: Parsed, limits: Limits) -> Unsolvable | None:
    """Why the goals cannot be reached; None if they can, as far as this analysis sees. Raises LimitReached."""
    task = positive(normalize(parsed, limits.check, fill_in=True))
    atoms = Atoms(reachable(split(task, "auto").task, limits))
    ways = Ways(task, atoms)
    words = Words(task)
    try:
        missing = ways.missing(task.goal, Binding({}))
    except TooMuch:
        return None
    if not missing:
        return None
    goals = tuple(words.fact(goal) for goal in missing)
    proof = _smallest(missing, Prover(ways))
    head = f"{'the goal' if len(goals) == 1 else 'the goals'} {listed(goals)} cannot be reached"
    if proof is None:
        return Unsolvable(True, goals, (), (head,))
    reasons = tuple(
        Reason(
            words.fact(step.fact),
            words.step(step),
            tuple((action or "", "" if lack is None else words.fact(lack)) for action, lack in step.ways),
        )
        for step in proof.steps
    )
    return Unsolvable(True, goals, reasons, (head, *words.lines(proof)))


def _smallest(goals: list[Pattern], prover: Prover) -> Proof | None:
    """The shortest of the proofs that are not too much work."""
    best: Proof | None = None
    for goal in goals[:MOST_GOALS]:
        try:
            proof = prover.proof(goal)
        except TooMuch:
            break
        if best is None or (not proof.complete, len(proof.steps)) < (not best.complete, len(best.steps)):
            best = proof
    return best
