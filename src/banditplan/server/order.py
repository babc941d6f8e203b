"""What the server tells its child process: one order, as JSON on standard input."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypedDict

    Subject = Literal["check", "validate", "explain_unsolvable", "simulate", "next_actions"]

    class Inquiry(TypedDict):
        """Something else than a plan that is asked for; `plan` is a text, of which `steps` are taken, or all."""

        subject: Subject
        plan: str
        steps: int | None
        most: int

    from banditplan.split.split import Mode

    class Order(TypedDict):
        """A task, how to solve it, and the limits in effect.

        `report` asks for the pages of the search and of the plan; `anytime` for more and more plans. With an `inquiry`
        nothing is searched.
        """

        domain: str
        problem: str
        search: str | None
        seed: int
        time_limit: float
        memory_limit: int
        max_evaluations: int | None
        split: Mode
        report: bool
        anytime: bool
        inquiry: Inquiry | None
