"""What the tools answer; the schemas that clients see are made from these."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from banditplan.server.models import Facts
from banditplan.statuses import SearchStatus


class Fault(BaseModel):
    """What is wrong in a text, or odd; line and column count from 1."""

    severity: Literal["error", "warning"]
    file: str = Field(description="`domain.pddl` or `problem.pddl`, whatever they are called.")
    line: int | None = Field(description="null: it is about the whole text.")
    column: int | None
    message: str
    suggestion: str | None = Field(description="The remedy, as far as one is known.")
    excerpt: str | None = Field(description="The line, and carets below the part that is wrong.")

    @property
    def text(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}:{self.column}"
        return "\n".join(filter(None, (f"{place}: {self.severity}: {self.message}", self.excerpt)))


class Check(BaseModel):
    """What is wrong with a domain and a problem: up to ten errors, or else the warnings."""

    correct: bool = Field(description="Whether there are no errors.")
    faults: list[Fault]


class Solution(BaseModel):
    """What a search came to."""

    status: SearchStatus = Field(
        description="`unsolvable` is proved; `exhausted` is not; a limit says nothing about solvability."
    )
    explanation: str = Field(description="Why the search stopped, in a sentence.")
    plan: list[str] | None = Field(description="The steps, such as `(drive truck1 depot market)`; null without a plan.")
    length: int | None
    cost: int | None = Field(description="The sum of the actions' costs, or the number of steps if there are none.")
    valid: bool | None = Field(description="The verdict of an independent validator on the plan.")
    evaluations: int
    seconds: float
    warnings: list[str] = Field(description="What is odd about the task.")


class Reason(BaseModel):
    """A fact that cannot be reached, and why."""

    fact: str
    text: str


class Explanation(BaseModel):
    """Why a task has no plan, as far as that can be seen without deletes."""

    proved: bool = Field(description="Whether there is no plan for certain; false says nothing: try `solve`.")
    goals: list[str] = Field(description="The goals that cannot be reached.")
    reasons: list[Reason] = Field(description="Why one of them cannot, each explained by the next ones.")
    text: str


class Situation(BaseModel):
    """A state after some steps."""

    steps: int = Field(description="How many were taken.")
    cost: int
    failure: str | None = Field(description="Why the next step could not be taken; null if all were.")
    state: Facts
    goal_reached: bool
    missing_goals: list[str] = Field(description="The parts of the goal that do not hold.")
    applicable_count: int = Field(description="How many actions can be applied here.")


class Simulation(Situation):
    """A state after some steps, and what can be done there."""

    applicable: list[str] = Field(description="Actions that can be applied here, at most as many as asked for.")


class NextAction(BaseModel):
    """An action that can be applied, and what it does."""

    action: str
    cost: int
    h: int | None = Field(
        description="An estimate (hFF) of the cost from there to the goal; null: the goal is out of reach from there."
    )
    reaches_goal: bool
    adds: list[str]
    deletes: list[str]


class NextActions(Situation):
    """A state after some steps, and the actions that can be applied there, the most promising first."""

    actions: list[NextAction]


class Example(BaseModel):
    """A bundled task; the texts are there if it was asked for by its name."""

    name: str
    summary: str
    domain: str | None = None
    problem: str | None = None


class Examples(BaseModel):
    """Bundled tasks."""

    examples: list[Example]
