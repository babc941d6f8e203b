"""Plans as files: one `(action argument …)` per line, and a last line that tells the cost."""

from __future__ import annotations

import os

from banditplan.errors import InputError, PddlError, spans
from banditplan.files import remove_file, write_file
from banditplan.frozen import frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from banditplan.errors import Source
    from banditplan.result import Result


@frozen
class Step:
    """One ground action of a plan."""

    name: str
    arguments: tuple[str, ...]

    def __str__(self) -> str:
        return f"({' '.join((self.name, *self.arguments))})"


class Plan(tuple[Step, ...]):
    """The steps of a plan, in their order."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        from banditplan.notebook import plan_html

        return plan_html(self)


def read_plan(source: Source) -> tuple[Step, ...]:
    """The steps of a plan file, in lower case; time stamps `0.000:` and durations `[1]` are skipped."""
    steps = []
    for number, line in enumerate(source.text.split("\n"), 1):
        text = line.partition(";")[0].strip().lower()
        if text:
            steps.append(_read_step(text, source, number))
    return tuple(steps)


def format_plan(steps: Iterable[Step], cost: int, unit_cost: bool) -> str:
    """The text of a plan file."""
    kind = "unit" if unit_cost else "general"
    return "".join(f"{step}\n" for step in steps) + f"; cost = {cost} ({kind} cost)\n"


def remove_old_plans(path: str) -> None:
    """Remove the plan file of an earlier run, and its numbered ones: the last one first, so that there is no gap."""
    folder, name = os.path.split(path)
    try:
        ends = [file.removeprefix(f"{name}.") for file in os.listdir(folder or ".") if file.startswith(f"{name}.")]
    except OSError:  # a folder that can be written to, but not listed
        ends = []
    for number in sorted((int(end) for end in ends if end.isdecimal() and end[0] != "0"), reverse=True):
        remove_file(f"{path}.{number}", "the old plan")
    remove_file(path, "the old plan")


class NumberedPlans:
    """The files `path.1`, `path.2` … of an anytime search: the last one is the best plan.

    Every file is complete at any moment. Without a path, there are none.
    """

    def __init__(self, path: str | None) -> None:
        self.problem = ""  # why a file could not be written
        self._path = path

    def write(self, result: Result) -> bool:
        """Write the plan of a result; false if that fails."""
        if self._path is None:
            return True
        text = format_plan(result.plan or (), result.plan_cost or 0, result.unit_cost)
        try:
            write_file(f"{self._path}.{result.plans}", text, "the plan")
        except InputError as error:
            self.problem = str(error)
        return not self.problem


def _read_step(text: str, source: Source, line: int) -> Step:
    stamp, colon, rest = text.partition(":")
    if colon and _is_number(stamp):
        text = rest.strip()
    if text.endswith("]") and _is_number(text[text.rfind("[") + 1 : -1]):
        text = text[: text.rfind("[")].rstrip()
    words = text[1:-1].split()
    if not (text.startswith("(") and text.endswith(")")) or not words or any(c in "()" for c in text[1:-1]):
        raise _error(source, line)
    return Step(words[0], tuple(words[1:]))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _error(source: Source, line: int) -> PddlError:
    begin = sum(len(text) + 1 for text in source.text.split("\n")[: line - 1])
    return PddlError.between(
        source, next(spans(source.text, begin)), "a step is written as (action argument ...), one per line"
    )
