"""`banditplan examples`: the bundled tasks."""

from __future__ import annotations

from banditplan import examples
from banditplan.cli.options import Command
from banditplan.cli.stdout import print_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def run(files: list[str], options: dict[str, Any]) -> int:
    for name in examples.names():
        print_line(f"{name:12} {examples.summary(name)}")
    return 0


def command(name: str, summary: str) -> Command:
    return Command(name, summary, (), (), run)
