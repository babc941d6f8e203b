"""What a child can be asked for other than a plan: is the task right, is a plan valid, what is the state, what next."""

from __future__ import annotations

from math import isinf
from time import monotonic
from typing import TYPE_CHECKING, Any

from banditplan._core import Ff, action_ids
from banditplan.checking import findings
from banditplan.errors import PddlError, spans
from banditplan.files import decoded
from banditplan.journal import Journal
from banditplan.limits import Alarm
from banditplan.normalize.effects import flatten
from banditplan.pddl.parser import parse
from banditplan.pipeline import load
from banditplan.plan import read_plan
from banditplan.plan_report import page
from banditplan.settings import settings
from banditplan.task_input import from_pddl
from banditplan.unsolvable import of_task
from banditplan.validation import validate
from banditplan.validation.replay import Replay, StepError

if TYPE_CHECKING:
    from banditplan._core import GroundAction, State, Task
    from banditplan.checking import Finding
    from banditplan.errors import Source
    from banditplan.pddl.syntax import Parsed
    from banditplan.plan import Step
    from banditplan.server.order import Inquiry, Order

MOST_FACTS = 1000  # of a state that are told


def answer(order: Order, inquiry: Inquiry, domain: Source, problem: Source) -> dict[str, Any]:
    """The answer to the order's inquiry, ready for JSON; raises LimitReached and InputError."""
    with Alarm(monotonic() + order["time_limit"]):
        match inquiry["subject"]:
            case "check":
                return _checked(domain, problem)
            case "explain_unsolvable":
                return _explained(domain, problem, order)
            case "validate":
                return _validated(domain, problem, inquiry)
            case "simulate":
                return _simulated(domain, problem, inquiry, order)
            case "next_actions":
                return _next(domain, problem, inquiry, order)


def plan_page(inquiry: Inquiry, domain: Source, problem: Source) -> str:
    """The plan of the inquiry as a page for a browser."""
    return page(parse(domain, problem), _steps(inquiry))


def _checked(domain: Source, problem: Source) -> dict[str, Any]:
    """An empty problem is none."""
    sources = {source.name: source for source in (domain, problem)}
    found = findings(domain, problem if problem.text.strip() else None)
    return {
        "correct": all(finding.severity != "error" for finding in found),
        "faults": [
            {
                "severity": finding.severity,
                "file": finding.file,
                "line": finding.line,
                "column": finding.column,
                "message": finding.message,
                "suggestion": finding.suggestion or None,
                "excerpt": _excerpt(finding, sources[finding.file]),
            }
            for finding in found
        ],
    }


def _excerpt(finding: Finding, source: Source) -> str | None:
    """The line, and carets below the word that is wrong."""
    if finding.line is None or finding.column is None:
        return None
    begin = sum(len(line) + 1 for line in source.text.split("\n")[: finding.line - 1]) + finding.column - 1
    span = next(spans(source.text, begin), (begin, begin + 1))
    return PddlError.between(source, span, finding.message).excerpt


def _explained(domain: Source, problem: Source, order: Order) -> dict[str, Any]:
    journal = Journal(settings(time_limit=order["time_limit"], memory_limit=order["memory_limit"]))
    found = of_task(load(from_pddl(domain, problem), journal), journal.limits)
    return {
        "proved": found.proved,
        "goals": list(found.goals),
        "reasons": [{"fact": reason.fact, "text": reason.text} for reason in found.reasons],
        "text": str(found),
    }


def _validated(domain: Source, problem: Source, inquiry: Inquiry) -> dict[str, Any]:
    parsed = parse(domain, problem)
    steps = _steps(inquiry)
    verdict = validate(parsed, steps)
    return {
        "valid": verdict.valid,
        "length": len(steps),
        "cost": verdict.cost,
        "reason": verdict.reason or None,
        "step": verdict.step,
        "action": None if verdict.action is None else str(verdict.action),
        "conditions": list(verdict.conditions),
        "state": None if verdict.state is None else _changing(parsed, verdict.state),
    }


def _simulated(domain: Source, problem: Source, inquiry: Inquiry, order: Order) -> dict[str, Any]:
    walk = Walk(domain, problem, inquiry, order)
    actions = walk.applicable()
    return {
        **walk.told(),
        "applicable": [str(action) for action in actions[: inquiry["most"]]],
        "applicable_count": len(actions),
    }


def _next(domain: Source, problem: Source, inquiry: Inquiry, order: Order) -> dict[str, Any]:
    """The applicable actions, the most promising first: by the hFF value of what follows."""
    walk = Walk(domain, problem, inquiry, order)
    task, here = walk.task, walk.ground
    actions = walk.applicable()
    following = [task.apply(here, action) for action in actions]
    values = Ff().bind(task).evaluate(following)
    before = set(here.facts)
    described = [
        {
            "action": str(action),
            "cost": action.cost,
            "h": None if isinf(h) else int(h),
            "reaches_goal": task.is_goal(state),
            "adds": sorted(set(state.facts) - before),
            "deletes": sorted(before - set(state.facts)),
        }
        for action, state, h in zip(actions, following, values, strict=True)
    ]
    described.sort(key=lambda item: (not item["reaches_goal"], item["h"] is None, item["h"] or 0, item["cost"]))
    return {**walk.told(), "actions": described[: inquiry["most"]], "applicable_count": len(actions)}


class Walk:
    """The steps of a plan from the initial state, as far as they can be taken."""

    def __init__(self, domain: Source, problem: Source, inquiry: Inquiry, order: Order) -> None:
        limits = settings(
            time_limit=order["time_limit"],
            memory_limit=order["memory_limit"],
            keep_irrelevant=True,
            split="never",
        )
        self.task: Task = load(from_pddl(domain, problem), Journal(limits))
        self.ground: State = self.task.initial_state
        self._parsed: Parsed = self.task.origin.parsed
        self._replay = Replay(self._parsed)
        self._taken = self._cost = 0
        self._failure: str | None = None
        self._walk(_steps(inquiry)[: inquiry["steps"]])

    def applicable(self) -> list[GroundAction]:
        """Sorted; a disjunctive precondition makes several ground actions of the same name, with the same effects."""
        named = {str(action): action for action in self.task.applicable(self.ground)}
        return [named[text] for text in sorted(named)]

    def told(self) -> dict[str, Any]:
        missing = self._replay.failing_goal()
        return {
            "steps": self._taken,
            "cost": self._cost,
            "failure": self._failure,
            "state": _changing(self._parsed, self._replay.state()),
            "goal_reached": not missing,
            "missing_goals": list(missing),
        }

    def _walk(self, steps: tuple[Step, ...]) -> None:
        ids = action_ids(self.task, [[step.name, *step.arguments] for step in steps], self.ground)
        for number, (step, action) in enumerate(zip(steps, ids, strict=True), 1):
            try:
                self._cost += self._replay.apply(step)
            except StepError as error:
                self._failure = f"step {number} {step}: {error}"
                return
            self.ground = self.task.apply(self.ground, self.task.action(action))
            self._taken = number


def _steps(inquiry: Inquiry) -> tuple[Step, ...]:
    return read_plan(decoded("plan.txt", inquiry["plan"].encode()))


def _changing(parsed: Parsed, state: tuple[str, ...]) -> dict[str, Any]:
    """The facts that actions can change; the others are as in the problem."""
    names = {effect.atom.predicate for action in parsed.domain.actions for effect in flatten(action.effect)}
    facts = [fact for fact in state if fact[1:-1].split(" ", 1)[0] in names]
    return {"facts": facts[:MOST_FACTS], "count": len(facts)}
