"""Plan → what its page shows, as plain data; and why each step is there, in a sentence."""

from __future__ import annotations

from banditplan.plan_report.order import order
from banditplan.plan_report.reads import Literal
from banditplan.plan_report.timeline import timeline
from banditplan.validation import validate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from banditplan.pddl.syntax import Parsed
    from banditplan.plan import Step
    from banditplan.plan_report.timeline import Timeline
    from banditplan.validation import Verdict

MOST_STEPS = 2_000  # on the page
MOST_GOALS = 200


def view(parsed: Parsed, steps: Sequence[Step]) -> dict[str, Any]:
    """The data of the page."""
    verdict = validate(parsed, steps)
    line = timeline(parsed, steps)
    links = _Links(line)
    sequence = order(line.taken)
    texts = _Texts()
    shown: list[dict[str, Any]] = []
    total = 0
    for i, step in enumerate(steps[:MOST_STEPS]):
        if i >= len(line.taken):
            shown.append({"name": str(step), "why": why(steps, i, line, links)})
            continue
        taken = line.taken[i]
        total += taken.cost
        shown.append(
            {
                "name": str(step),
                "cost": taken.cost,
                "total": total,
                "needs": [[texts.number(_show(n.read)), list(n.sources), int(n.of_effect)] for n in taken.needs],
                "gives": [texts.number(str(each)) for each in taken.gives if each.positive],
                "takes": [texts.number(str(Literal(*each.fact, True))) for each in taken.gives if not each.positive],
                "before": list(sequence.before[i]),
                "round": sequence.rounds[i],
                "lane": sequence.lanes[i],
                "useful": links.useful(i),
                "why": why(steps, i, line, links),
            }
        )
    goals = [
        {
            "text": goal.text,
            "changes": goal.changes,
            "holds": goal.holds,
            "needs": [[texts.number(_show(need.read)), list(need.sources)] for need in goal.needs],
        }
        for goal in line.goals[:MOST_GOALS]
    ]
    return {
        "domain": parsed.domain.name,
        "problem": parsed.problem.name,
        "valid": verdict.valid,
        "failure": failure(verdict, steps, line),
        "failing": None if verdict.step is None else verdict.step - 1,
        "length": len(steps),
        "cost": verdict.cost,
        "unitCost": verdict.unit_cost,
        "rounds": max(sequence.rounds, default=-1) + 1,
        "steps": shown,
        "goals": goals,
        "allGoals": len(line.goals),
        "texts": texts.all,
    }


class _Texts:
    """Every text once, numbered from 0."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    @property
    def all(self) -> list[str]:
        return list(self._numbers)

    def number(self, text: str) -> int:
        return self._numbers.setdefault(text, len(self._numbers))


class _Links:
    """Who needs what a step gives: later steps, or goals; and which steps lead to a goal."""

    def __init__(self, line: Timeline) -> None:
        self.users: list[list[tuple[int, Literal | str]]] = [[] for _ in line.taken]
        self.goals: list[list[int]] = [[] for _ in line.taken]
        for number, taken in enumerate(line.taken):
            for need in taken.needs:
                for source in need.sources:
                    self.users[source].append((number, need.read))
        for number, goal in enumerate(line.goals):
            for source in {source for need in goal.needs for source in need.sources}:
                self.goals[source].append(number)
        self.goal_behind: dict[int, int] = {}  # of the useful steps: a goal to which each leads, by its nearest user
        for number in reversed(range(len(line.taken))):
            user = next((user for user, _ in self.users[number] if user in self.goal_behind), None)
            if self.goals[number]:
                self.goal_behind[number] = self.goals[number][0]
            elif user is not None:
                self.goal_behind[number] = self.goal_behind[user]

    def useful(self, number: int) -> bool:
        return number in self.goal_behind


def why(steps: Sequence[Step], number: int, line: Timeline, links: _Links) -> str:
    """Why a step is in the plan, in one sentence."""
    if number >= len(line.taken):
        first = number == len(line.taken)
        return f"It cannot be taken: {line.failure}." if first else "It is never reached: the plan fails before it."
    if links.goals[number]:
        goals = [line.goals[goal].text for goal in links.goals[number]]
        more = f", and {_more(len(goals) - 1)}" if len(goals) > 1 else ""
        if goals[0] in map(str, line.taken[number].gives):
            return f"It makes the goal {goals[0]} true for good{more}."
        return f"The goal {goals[0]}{more} rests on what it gives."
    if links.useful(number):
        user, read = next(each for each in links.users[number] if links.useful(each[0]))
        goal = line.goals[links.goal_behind[number]].text
        return f"It gives {_given(read)}, which step {user + 1} {steps[user]} needs, on the way to the goal {goal}."
    until = "" if line.failure is None and all(goal.holds for goal in line.goals) else " up to where the plan fails"
    if links.users[number]:
        user = links.users[number][0][0]
        return f"Only steps that lead to no goal need what it gives{until}, such as step {user + 1} {steps[user]}."
    if until:
        return f"No step needs what it gives{until}."
    return "Nothing needs what it gives: the plan is valid without it."


def _more(goals: int) -> str:
    return "1 more goal" if goals == 1 else f"{goals} more goals"


def _given(read: Literal | str) -> str:
    return str(read) if isinstance(read, Literal) else f"facts of “{read}”"


def _show(read: Literal | str) -> str:
    return str(read) if isinstance(read, Literal) else f"all facts of “{read}”"


def failure(verdict: Verdict, steps: Sequence[Step], line: Timeline) -> list[str]:
    """Where and why a plan fails, in sentences; none if it is valid."""
    if verdict.valid:
        return []
    return [f"{verdict.reason[0].upper()}{verdict.reason[1:]}.", *_blame(verdict.conditions, steps, line)]


def _blame(conditions: Iterable[str], steps: Sequence[Step], line: Timeline) -> list[str]:
    """For each fact that is missing, who took it away; for each that should not be there, who made it so."""
    changed = {str(Literal(*fact, True)): number for fact, number in line.last_change.items()}
    said = []
    for condition in conditions:
        atom = condition.removeprefix("(not ").removesuffix(")") if condition.startswith("(not (") else condition
        is_atom = "(" not in atom[1:]
        if not is_atom:
            continue
        number = changed.get(atom)
        done = "false" if atom == condition else "true"
        if number is not None:
            said.append(f"Step {number + 1} {steps[number]} made {atom} {done}, and no step after it changed that.")
        else:
            said.append(f"{atom} is {done} at the start, and no step before this one changed that.")
    return said
