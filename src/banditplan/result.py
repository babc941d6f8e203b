"""What a run found and what it took: one typed record per run, the same in Python, in JSON and in experiments."""

from __future__ import annotations

from banditplan.frozen import fields, frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypedDict

    from matplotlib.axes import Axes

    from banditplan.many import Found
    from banditplan.plan import Plan
    from banditplan.statuses import End, Status

    class Seconds(TypedDict):
        parse: float
        normalize: float
        ground: float
        prepare: float
        search: float
        shorten: float
        validate: float
        total: float

    class TaskSizes(TypedDict):
        variables: int
        facts: int
        actions: int
        axioms: int
        bytes_per_state: int

    class SplitSchema(TypedDict):
        action: str
        parts: int

    class Racer(TypedDict):
        search: str
        status: str  # `paused`: it had to wait; `memory-limit`: it ended, and left its memory to the others
        evaluations: int
        expansions: int
        generated: int
        decided: bool

    class RunLimits(TypedDict):
        time_limit: float | None  # seconds
        memory_limit_kb: int | None
        max_evaluations: int | None
        max_expansions: int | None


_NOT_RECORDED = ("unit_cost", "algorithm", "history")
_ENDS = {"optimal": "proved optimal", "exhausted": "nothing left to search"}


@frozen
class Result:
    """The outcome of a run.

    `status` is one of: `solved`; `unsolvable` (proved); `grounded` (of `ground`, which searches nothing); `exhausted`
    (nothing left to search, but no proof); `evaluation-limit`, `expansion-limit`, `time-limit`, `memory-limit`;
    `interrupted`; `error`. `end` is the same, but in anytime mode, where `plans` plans were found, it tells why there
    is not another one: `optimal` (proved), `exhausted`, a limit, or `interrupted`. `plan` is None unless solved;
    `found_length` and `found_cost` are those of the plan that the search found, before it was shortened. `valid` is
    None if the plan was not validated, or a limit came before the verdict. `task` and `split` are None if a limit
    struck before the task was ground; `split` lists the actions that became chains with the number of their parts,
    which count as actions of the ground task. `seconds` covers each stage; for a task that was loaded before, parse,
    normalize and ground are those of the loading and are not part of the total. `initial_h` and `best_h` are None where
    nothing finite was evaluated. `reasons` say, line by line, why there is no plan, if that is proved. `limits` are
    those that the run was given, `warnings` what is odd about the task, and what heuristics had to give up. `imports`
    are the Python files that the search was read with, and the SHA-256 of their texts. `race` says what each search of
    a race has done. `search` is the whole text of the search, `algorithm` leaves out the options that have their
    defaults. `history` lists every improvement of the best h with the number of evaluations that it took. `others` are
    further plans, if several were asked for.
    """

    status: Status
    end: End
    plans: int
    plan: Plan | None
    plan_length: int | None
    plan_cost: int | None
    found_length: int | None
    found_cost: int | None
    valid: bool | None
    evaluations: int
    inserted: int
    expansions: int
    generated: int
    dead_ends: int
    seconds: Seconds
    peak_memory_kb: int
    task: TaskSizes | None
    split: list[SplitSchema] | None
    search: str
    seed: int
    domain: str
    problem: str
    version: str
    initial_h: int | None
    best_h: int | None
    limits: RunLimits
    reasons: tuple[str, ...]
    warnings: tuple[str, ...]
    imports: dict[str, str]
    race: list[Racer] | None
    unit_cost: bool
    algorithm: str
    history: tuple[tuple[int, int], ...]
    others: tuple[Found, ...] = ()

    @property
    def solved(self) -> bool:
        return self.status == "solved"

    @property
    def optimal(self) -> bool:
        """Whether it is proved that there is no cheaper plan; only anytime mode tries to."""
        return self.end == "optimal"

    @property
    def explanation(self) -> str:
        """Why the run ended, in one sentence."""
        reached = f"best h {self.best_h} after " if self.best_h is not None else ""
        effort = f"{reached}{self.evaluations:,} evaluations"
        match self.status:
            case "solved":
                validity = {True: "valid", False: "INVALID", None: "not validated"}[self.valid]
                which = "" if self.end == "solved" else f" (plan {self.plans}, {_ENDS.get(self.end, self.end)})"
                if self.others:
                    enough = "" if self.end == "solved" else f", {_ENDS.get(self.end, self.end)}"
                    which = f" (the cheapest of {self.plans} plans{enough})"
                plan = f"{self.plan_length} steps, cost {self.plan_cost}{which}"
                if (self.found_length, self.found_cost) != (self.plan_length, self.plan_cost):
                    plan += f", improved from {self.found_length} steps, cost {self.found_cost}"
                return f"{plan}, {self.evaluations:,} evaluations, {validity}"
            case "unsolvable":
                why = f": {self.reasons[0]}" if self.reasons else ""
                return f"proved unsolvable after {self.evaluations:,} evaluations{why}"
            case "grounded":
                return "parsed and grounded; nothing was searched"
            case "exhausted":
                return f"nothing is left to search, but that is no proof that there is no plan; {effort}"
            case "interrupted":
                return f"interrupted; {effort}"
            case "error":
                return "internal error"
        return f"no plan within the {self.status.replace('-', ' ')}; {effort}"

    def to_dict(self) -> dict[str, Any]:
        """The record of the run: the fields as plain data, ready for JSON. See docs/record.md."""
        record = {name: getattr(self, name) for name in fields(Result) if name not in _NOT_RECORDED}
        record["plan"] = None if self.plan is None else [str(step) for step in self.plan]
        record["reasons"] = list(self.reasons)
        record["warnings"] = list(self.warnings)
        record["others"] = [each.record() for each in self.others]
        return record

    def plot(self, axes: Axes | None = None) -> Axes:
        """Draw the best h over the evaluations, on the given axes or on new ones; needs matplotlib."""
        from banditplan.notebook import plot

        return plot(self, axes)

    def _repr_html_(self) -> str:
        from banditplan.notebook import result_html

        return result_html(self)

    def __repr__(self) -> str:
        from banditplan.components import brief

        return f"<{self.status}: {self.explanation}; {brief(self.algorithm)}, seed {self.seed}>"
