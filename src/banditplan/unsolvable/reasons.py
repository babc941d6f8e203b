"""Why a run found no plan: by the analysis of the goals, or by a search through all states."""

from __future__ import annotations

from banditplan._core import SearchResult, Task
from banditplan.limits import Limits
from banditplan.pddl.syntax import And, Atom, Not, Parsed
from banditplan.unsolvable import of_task
from banditplan.unsolvable.words import AUXILIARY, listed


def reasons(task: Task, found: SearchResult | None, limits: Limits) -> tuple[str, ...]:
    """Lines of text; none, if there is nothing to say. Raises LimitReached."""
    if not task.solvable:
        return of_task(task, limits).lines
    return () if found is None or found.closest is None else (_closest(task, found, *found.closest),)


def _closest(task: Task, found: SearchResult, reached: int, missing: list[int]) -> str:
    states = f"{found.inserted:,} state{'s' * (found.inserted != 1)}"
    facts = [task.fact(fact) for fact in missing]
    shown = listed("a condition of it" if AUXILIARY in fact else _in_parentheses(fact) for fact in facts)
    certain = _certain(task.origin.parsed, len(task.goal))
    goals = f"{reached + certain:,} of {len(task.goal) + certain:,} goals"
    return (
        f"no plan from any of the {states} that there were to look at; at most {goals} held together, without {shown}"
    )


def _certain(parsed: Parsed, left: int) -> int:
    """How many goals hold whatever happens, and are not part of the ground task."""
    goal = parsed.problem.goal
    parts = set(goal.parts if isinstance(goal, And) else (goal,))
    plain = all(isinstance(part.part if isinstance(part, Not) else part, Atom) for part in parts)
    return max(len(parts) - left, 0) if plain else 0


def _in_parentheses(fact: str) -> str:
    return fact if fact.startswith("(") else f"({fact})"
