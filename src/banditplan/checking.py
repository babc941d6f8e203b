"""All that is wrong with a domain, or with a domain and a problem, as far as it can be told in one run."""

from __future__ import annotations

from banditplan.errors import PddlError, Source
from banditplan.frozen import frozen
from banditplan.normalize.normalize import normalize
from banditplan.pddl.parser import parse, read_once

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal


@frozen
class Finding:
    """What is wrong and where. `suggestion` is the remedy, as far as one is known: the end of the message, or empty.
    A warning speaks of a whole file: it has no line and no column."""

    severity: Literal["error", "warning"]
    file: str
    line: int | None
    column: int | None
    message: str
    suggestion: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}:{self.column}"
        return f"{place}: {'warning: ' * (self.severity == 'warning')}{self.message}"


def findings(domain: Source, problem: Source | None) -> tuple[Finding, ...]:
    """Up to ten errors, or else the warnings."""
    try:
        if problem is None:
            read_once(domain)
            return ()
        parsed = parse(domain, problem)
        normalize(parsed)
    except PddlError as error:
        return tuple(
            Finding("error", each.file, each.line, each.column, each.message, _remedy(each.message))
            for each in (error, *error.others)
        )
    found = []
    for warning in parsed.warnings:
        file = next(source.name for source in (domain, problem) if warning.startswith(f"{source.name}: "))
        text = warning.removeprefix(f"{file}: ")
        found.append(Finding("warning", file, None, None, text, _remedy(text)))
    return tuple(found)


def _remedy(message: str) -> str:
    return message.partition("; ")[2]
