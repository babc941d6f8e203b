"""The name of an algorithm, taken apart: `guct*-01(c=0.5)@0.2.0` is guct*-01 with c = 0.5, of a ledger called 0.2.0."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from banditplan.components import ALIASES
from banditplan.components.spec import parse_search


class Algorithm(NamedTuple):
    """`base` is the paper's name, `c` its coefficient (None where there is none), `rest` what else its text says."""

    base: str
    c: float | None
    rest: str = ""
    label: str = ""

    @property
    def unlabelled(self) -> str:
        """The name without its coefficient, as the paper's figures are called."""
        return f"{self.base}({self.rest})" if self.rest else self.base

    @property
    def title(self) -> str:
        """The name without its coefficient."""
        return labelled(self.unlabelled, self.label) if self.label else self.unlabelled


@cache
def algorithm(name: str) -> Algorithm:
    text, _, label = name.partition("@")
    base, _, inside = text.partition("(")
    base = base.strip()
    c = _coefficient(base)
    rest = []
    for option in filter(None, (part.strip() for part in inside.rpartition(")")[0].split(","))):
        given = re.fullmatch(r"c\s*=\s*([-+.0-9e]+)", option)
        if given:
            c = float(given[1])
        else:
            rest.append(option)
    return Algorithm(base, c, ", ".join(rest), label)


def _coefficient(base: str) -> float | None:
    """That of the bandit in a search, unless its text says otherwise."""
    bandit = getattr(parse_search(base), "bandit", None) if base in ALIASES else None
    c: float | None = getattr(bandit, "c", None)
    return c


def labelled(name: str, label: str) -> str:
    """The name for runs that come from another ledger."""
    return f"{name}@{label}"
