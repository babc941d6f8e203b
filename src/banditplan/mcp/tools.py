"""The tools: each asks a child process, waits for it, and answers with a short text and with structured data."""

from __future__ import annotations

from time import monotonic
from typing import Annotated, Any, TypeAlias

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, TextContent
from pydantic import BaseModel, Field, ValidationError

from banditplan import examples
from banditplan.errors import InputError
from banditplan.files import read_source
from banditplan.mcp import results
from banditplan.mcp.root import Root
from banditplan.server.models import Count, Question, Seconds, Task, Verdict, Whole
from banditplan.server.run import LiveRun
from banditplan.server.runs import Full, Runs

Domain = Annotated[str, Field(description="The domain: its text in PDDL (or a path below the server's --root).")]
Problem = Annotated[str, Field(description="The problem: its text in PDDL (or a path below the server's --root).")]
Plan = Annotated[
    str | list[str],
    Field(description="The steps, such as `(drive truck1 depot market)`: a list, or a text with one per line."),
]
TimeLimit = Annotated[Seconds | None, Field(description="Seconds; never more than the server allows.")]
Asked: TypeAlias = Context[Any, Any]


class Tools:
    """The tools as methods; their names, docstrings and annotations are what clients see."""

    def __init__(self, runs: Runs, root: Root) -> None:
        self._runs = runs
        self._root = root

    async def check(
        self,
        context: Asked,
        domain: Domain,
        problem: Annotated[str, Field(description="The problem; without it the domain alone is checked.")] = "",
    ) -> Annotated[CallToolResult, results.Check]:
        """Check a domain and a problem in PDDL. Reports every fault at once, each with line, column and a suggestion.
        Call it after writing or changing PDDL, before `solve`."""
        run = await self._asked(context, "check", domain, problem)
        found = results.Check.model_validate(run.answer)
        return _result(found, "\n".join(fault.text for fault in found.faults) or "no faults")

    async def solve(
        self,
        context: Asked,
        domain: Domain,
        problem: Problem,
        time_limit: TimeLimit = None,
        search: Annotated[
            str | None, Field(description="Such as `guct-01(heuristic=hadd)`; the default is good.", max_length=1000)
        ] = None,
        seed: Annotated[Whole, Field(description="Of the random numbers; the same seed finds the same plan.")] = 0,
        max_evaluations: Annotated[Count | None, Field(description="Stop after that many evaluated states.")] = None,
    ) -> Annotated[CallToolResult, results.Solution]:
        """Find a plan: a sequence of actions from the initial state to the goal. Every plan is validated.
        Says why it stopped if there is none; then `explain_unsolvable` may tell more."""
        run = await self._follow(
            context,
            self._task(
                Task,
                domain=self._read(domain, "domain"),
                problem=self._read(problem, "problem"),
                time_limit=time_limit,
                search=search,
                seed=seed,
                max_evaluations=max_evaluations,
            ),
        )
        record = run.record
        if record is None:
            raise ToolError("the run was cancelled")
        solution = results.Solution(
            status=record["status"],
            explanation=run.explanation or "",
            plan=record["plan"],
            length=record["plan_length"],
            cost=record["plan_cost"],
            valid=record["valid"],
            evaluations=record["evaluations"],
            seconds=record["seconds"]["total"],
            warnings=record["warnings"],
        )
        return _result(solution, "\n".join([*(solution.plan or ()), f"; {solution.status}: {solution.explanation}"]))

    async def validate(
        self, context: Asked, domain: Domain, problem: Problem, plan: Plan
    ) -> Annotated[CallToolResult, Verdict]:
        """Replay a plan. Says whether it is valid, or which step fails first, which conditions do not hold there,
        and the state at that point."""
        run = await self._asked(context, "validate", domain, problem, plan=self._plan(plan))
        verdict = Verdict.model_validate(run.answer)
        if verdict.valid:
            return _result(verdict, f"valid: {verdict.length} steps, cost {verdict.cost}")
        return _result(verdict, f"invalid: {verdict.reason}")

    async def explain_unsolvable(
        self, context: Asked, domain: Domain, problem: Problem, time_limit: TimeLimit = None
    ) -> Annotated[CallToolResult, results.Explanation]:
        """Explain why a task has no plan: which goals cannot be reached, and what is missing for them."""
        run = await self._asked(context, "explain_unsolvable", domain, problem, time_limit=time_limit)
        found = results.Explanation.model_validate(run.answer)
        return _result(found, found.text)

    async def simulate(
        self,
        context: Asked,
        domain: Domain,
        problem: Problem,
        plan: Plan = "",
        steps: Annotated[Whole | None, Field(description="Take only so many steps of the plan; all if null.")] = None,
        most: Annotated[Count, Field(description="List at most so many applicable actions.", le=1000)] = 50,
    ) -> Annotated[CallToolResult, results.Simulation]:
        """Take the steps of a plan, or the first few, from the initial state. Says what the state is then, which goals
        are missing, and which actions can be applied there."""
        run = await self._asked(context, "simulate", domain, problem, plan=self._plan(plan), steps=steps, most=most)
        found = results.Simulation.model_validate(run.answer)
        return _result(found, f"{_where(found)}; {found.applicable_count} applicable actions")

    async def next_actions(
        self,
        context: Asked,
        domain: Domain,
        problem: Problem,
        plan: Plan = "",
        most: Annotated[Count, Field(description="List at most so many actions.", le=1000)] = 20,
    ) -> Annotated[CallToolResult, results.NextActions]:
        """The actions that can be applied after the steps of a plan, the most promising first: with cost, what they add
        and delete, and an estimate of the distance from there to the goal (null: a dead end)."""
        run = await self._asked(context, "next_actions", domain, problem, plan=self._plan(plan), most=most)
        found = results.NextActions.model_validate(run.answer)
        lines = [f"{each.action}: {_promise(each)}" for each in found.actions]
        return _result(found, "\n".join([_where(found), *lines]))

    async def examples(
        self, name: Annotated[str | None, Field(description="Of the example whose PDDL you want to see.")] = None
    ) -> Annotated[CallToolResult, results.Examples]:
        """The bundled example tasks; with a name, the PDDL of that one, as a model for writing your own."""
        if name is None:
            found = [results.Example(name=each, summary=examples.summary(each)) for each in examples.names()]
            text = "\n".join(f"{each.name}: {each.summary}" for each in found)
            return _result(results.Examples(examples=found), text)
        try:
            domain, problem = (read_source(path).text for path in examples.paths(name))
        except InputError as error:
            raise ToolError(error.message) from None
        example = results.Example(name=name, summary=examples.summary(name), domain=domain, problem=problem)
        return _result(results.Examples(examples=[example]), f"{domain}\n{problem}")

    # ---- how a child is asked

    async def _asked(self, context: Asked, subject: str, domain: str, problem: str, **others: Any) -> LiveRun:
        question = self._task(
            Question,
            subject=subject,
            domain=self._read(domain, "domain"),
            problem=self._read(problem, "problem"),
            **others,
        )
        run = await self._follow(context, question)
        if run.answer is None:
            raise ToolError("the run was cancelled")
        return run

    def _task(self, kind: type[Task], **fields: Any) -> Task:
        try:
            task = kind(**fields)
        except ValidationError as error:
            wrong = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
            raise ToolError(wrong) from None
        most = self._runs.settings.request_limit
        if task.size > most:
            raise ToolError(f"the task has {task.size:,} characters; at most {most:,} are taken")
        return task

    async def _follow(self, context: Asked, task: Task) -> LiveRun:
        """Wait until the run has ended, and tell how far it has come; a cancelled request ends its run."""
        try:
            run = self._runs.submit(task)
        except Full:
            raise ToolError("too many runs are waiting; try again soon") from None
        began = monotonic()
        try:
            async for _ in run.changes():
                if run.ended:
                    break
                await context.report_progress(monotonic() - began, run.time_limit, _progress(run))
        finally:
            self._runs.forget(run)
        if run.problem is not None:
            raise ToolError(run.problem.text)
        return run

    def _read(self, given: str, what: str) -> str:
        try:
            return self._root.text(given, what)
        except InputError as error:
            raise ToolError(error.message) from None

    def _plan(self, plan: str | list[str]) -> str:
        return "\n".join(plan) if isinstance(plan, list) else self._read(plan, "plan")


def _result(data: BaseModel, text: str) -> CallToolResult:
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=data.model_dump(mode="json")
    )


def _progress(run: LiveRun) -> str:
    if run.progress is None:
        return run.stage or run.state
    return f"{run.stage}: best h {run.progress.best_h}, {run.progress.evaluations:,} evaluations"


def _where(found: results.Situation) -> str:
    taken = f"after {found.steps} steps"
    if found.failure is not None:
        taken += f" ({found.failure})"
    goal = "the goal is reached" if found.goal_reached else f"missing goals: {' '.join(found.missing_goals)}"
    return f"{taken}: {goal}"


def _promise(action: results.NextAction) -> str:
    if action.reaches_goal:
        return "reaches the goal"
    return "dead end" if action.h is None else f"h {action.h}"
