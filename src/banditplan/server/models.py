"""What goes over the wire, as the OpenAPI description shows it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator

State = Literal["waiting", "running", "finished", "cancelled"]
Page = Literal["none", "pending", "ready"]


def _number(value: object) -> object:
    if isinstance(value, bool | str):
        raise ValueError("should be a number")
    return value


LARGEST = 2**53 - 1  # as far as every JSON reader counts exactly
Whole = Annotated[int, Field(ge=0, le=LARGEST), BeforeValidator(_number)]
Count = Annotated[int, Field(ge=1, le=LARGEST), BeforeValidator(_number)]
Bytes = Annotated[int, Field(ge=32 << 20), BeforeValidator(_number)]
Seconds = Annotated[float, Field(gt=0), BeforeValidator(_number)]


class Task(BaseModel):
    """A planning task and how to solve it."""

    model_config = ConfigDict(allow_inf_nan=False)

    domain: str = Field(description="The text of the domain, in PDDL.")
    problem: str = Field(description="The text of the problem, in PDDL.")
    search: str | None = Field(
        default=None,
        max_length=1000,
        description="Such as `guct-01(heuristic=hadd, c=0.5)`; what `solve` uses if not given.",
    )
    seed: Whole = Field(default=0, description="Of the random numbers.")
    time_limit: Seconds | None = Field(default=None, description="Seconds; never more than the server allows.")
    memory_limit: Bytes | None = Field(default=None, description="Bytes; never more than the server allows.")
    max_evaluations: Count | None = Field(default=None, description="Stop after that many evaluated states.")
    split: Literal["auto", "never", "always"] = Field(
        default="auto", description="Whether wide actions become chains of smaller ones."
    )

    @field_validator("domain", "problem", "search", "plan", check_fields=False)
    @classmethod
    def _is_unicode(cls, text: str | None) -> str | None:
        if text is not None and not text.isascii():
            text.encode()  # half of a surrogate pair is a ValueError
        return text

    @property
    def size(self) -> int:
        """Bytes, roughly."""
        return len(self.domain) + len(self.problem) + len(getattr(self, "plan", None) or "")


class RunRequest(Task):
    """What `POST /api/runs` takes; unknown fields are errors."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    report: bool = Field(
        default=False, strict=True, description="Whether to make the search report and the page of the plan."
    )
    anytime: bool = Field(
        default=False, strict=True, description="Whether to go on for cheaper plans, without a search report."
    )
    plan: str | None = Field(default=None, description="A plan to check; nothing is searched then.")


class Question(Task):
    """Something else than a plan that is asked about a task."""

    subject: Literal["check", "validate", "explain_unsolvable", "simulate", "next_actions"]
    plan: str = Field(default="", description="The text of a plan.")
    steps: Whole | None = Field(default=None, description="How many steps of the plan are taken; all if not given.")
    most: Count = Field(default=20, description="How many actions are told.")

    @property
    def size(self) -> int:
        return super().size + len(self.plan)


class Progress(BaseModel):
    """How far a search has come."""

    evaluations: int
    expansions: int
    best_h: int | None
    evaluations_per_second: float
    memory_kb: int
    seconds: float = Field(description="Since the run began, parsing and grounding included.")


class Failure(BaseModel):
    """Why a run has no result. Line and column count from 1."""

    kind: Literal["input", "unsupported", "limit", "internal"]
    message: str
    file: Literal["domain.pddl", "problem.pddl", "plan.txt"] | None = None
    line: int | None = None
    column: int | None = None
    excerpt: str | None = Field(default=None, description="The line, and carets below the part that is wrong.")
    others: list[Failure] = Field(default=[], description="What else is wrong, where reading could go on: up to nine.")

    @property
    def text(self) -> str:
        """As the command line says it."""
        if self.file is None:
            return self.message
        own = f"{self.file}:{self.line}:{self.column}: {self.message}\n{self.excerpt}"
        return "\n".join([own, *(other.text for other in self.others)])


class FoundPlan(BaseModel):
    """A plan of an anytime search, cheaper than those before it."""

    number: int
    length: int
    cost: int
    evaluations: int
    seconds: float = Field(description="Since the run began.")


class Facts(BaseModel):
    """The facts of a state that actions can change; all others are as in the problem."""

    facts: list[str]
    count: int = Field(description="How many there are; very long lists are cut.")


class Verdict(BaseModel):
    """Whether a plan is valid; otherwise what fails first, and why."""

    valid: bool
    length: int
    cost: int = Field(description="Of the steps before the failure, if there is one.")
    reason: str | None
    step: int | None = Field(description="The number of the first step that fails; null if only the goal does.")
    action: str | None = Field(description="That step.")
    conditions: list[str] = Field(description="The parts of the precondition or goal that do not hold there.")
    state: Facts | None = Field(description="The state before the failing step, or the last one if the goal fails.")


class RunStatus(BaseModel):
    """A run, as far as it has come."""

    id: str
    state: State
    position: int | None = Field(description="How many runs are ahead in the queue, while it waits.")
    stage: str | None = Field(description="`parsing`, `grounding`, `searching` or `checking`.")
    time_limit: float = Field(description="Seconds; the limit in effect.")
    memory_limit: int = Field(description="Bytes; the limit in effect.")
    progress: Progress | None
    warnings: list[str]
    result: dict[str, Any] | None = Field(description="The record of the run; see docs/record.md.")
    explanation: str | None = Field(description="The result in a sentence.")
    problem: Failure | None
    plans: list[FoundPlan] = Field(description="Of an anytime run; the last one is at `/api/runs/{id}/plan`.")
    check: Verdict | None = Field(description="The verdict, if a plan was to be checked.")
    report: Page = Field(description="The search report, at `/api/runs/{id}/report`.")
    plan_page: Page = Field(description="The plan as a page, at `/api/runs/{id}/plan-page`.")


class Example(BaseModel):
    """A bundled task."""

    name: str
    summary: str
    domain: str
    problem: str


class Component(BaseModel):
    """Something that a search is made of."""

    name: str
    summary: str
    options: list[str] = Field(description="Which of `heuristic`, `preferred` and `deferred` it takes.")
    admissible: str | None = Field(
        default=None, description="Of a heuristic that never overestimates: its text where costs of plans are counted."
    )


class Components(BaseModel):
    """What a search can be made of; `default` is what `solve` uses."""

    searches: list[Component]
    heuristics: list[Component]
    default: dict[str, str | bool]


class ServerStatus(BaseModel):
    """Version, limits and load of the server."""

    version: str
    jobs: int
    running: int
    waiting: int
    queue: int
    time_limit: float
    memory_limit: int
    request_limit: int


class Trouble(BaseModel):
    """Why a request was refused."""

    detail: str
