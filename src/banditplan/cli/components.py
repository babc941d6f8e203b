"""`banditplan components`: what a search can be made of."""

from __future__ import annotations

from banditplan.cli.options import Command
from banditplan.cli.stdout import print_line
from banditplan.components import listing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def run(files: list[str], options: dict[str, Any]) -> int:
    if files:
        from banditplan.components.page import explain_component

        print_line(explain_component(files[0]))
    else:
        print_line(listing())
    return 0


def command(name: str, summary: str) -> Command:
    return Command(name, summary, ("[NAME]",), (), run)
