"""Plan reports: what each step of a plan needs and gives, why it is there, and what may run at the same time."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from banditplan.pddl.syntax import Parsed
    from banditplan.plan import Step

SCRIPTS = ("lanes.js", "step.js", "goals.js", "plan.js")


def page(parsed: Parsed, steps: Sequence[Step]) -> str:
    """A page for a browser, in one file; a plan that is not valid has one that says where it fails, and why."""
    from pathlib import Path

    from banditplan.page_parts import document
    from banditplan.plan_report.view import view

    data = view(parsed, steps)
    return document(f"A plan for {data['problem']}", data, Path(__file__).with_name("static"), SCRIPTS)


def lines(parsed: Parsed, steps: Sequence[Step]) -> list[str]:
    """The same in words: a line for each step, with the reason why it is there."""
    from banditplan.plan_report.view import view

    data = view(parsed, steps)
    said = [f"{number}. {step['name']}: {step['why']}" for number, step in enumerate(data["steps"], 1)]
    if data["length"] > len(said):
        said.append(f"… {data['length'] - len(said):,} more steps")
    if not data["valid"]:
        return [*said, f"invalid: {' '.join(data['failure'])}"]
    rounds = f"{data['rounds']} rounds" if data["rounds"] != 1 else "1 round"
    return [*said, f"valid: {data['length']} steps in {rounds} of what can run at the same time, cost {data['cost']}"]
